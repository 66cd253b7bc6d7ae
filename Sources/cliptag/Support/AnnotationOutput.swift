import CodeDrawing
import CodeScanning
import Deployment
import Pictures
import Synchronization

/// Draws the pictures of a scan with their verdicts, when all of them are scanned.
///
/// Each picture is then read a second time, in colour: so nobody who wants no drawing pays for it,
/// and no more than one picture is held in colour.
final class AnnotationOutput: Sendable {
  /// What came of one picture.
  private struct Found {
    var codes: [VerifiedCode] = []
    var unread: [(symbol: UnreadSymbol, page: Int?)] = []
    /// Whether a page failed; then the user knows already.
    var hasFailed = false
    var isSkipped = false
    /// A picture that was named twice is drawn once.
    var isFinished = false
  }

  private let place: AnnotationPlace
  private let inputs: [String]
  private let found = Mutex<[String: Found]>([:])

  init(to path: String, inputs: [String]) throws {
    place = try AnnotationPlace(path, inputs: inputs)
    self.inputs = inputs
  }

  /// Takes note of a code as it was examined at last.
  func note(_ code: VerifiedCode) {
    change(code.source) { $0.codes.append(code) }
  }

  /// Takes note of what else came of a picture.
  func note(_ event: PictureBatch.Event, of input: PictureInput) {
    change(input.path) { found in
      switch event {
      case .failed: found.hasFailed = true
      case .skipped: found.isSkipped = true
      case .finished: found.isFinished = true
      case .unread(let symbol, let page): found.unread.append((symbol, page))
      case .code, .cutShort, .nothingFound: break
      }
    }
  }

  private func change(_ input: String, _ body: (inout Found) -> Void) {
    found.withLock { all in
      var found = all[input] ?? Found()
      guard !found.isFinished else { return }
      body(&found)
      all[input] = found
    }
  }

  /// Draws every picture that was scanned to its end, and says so. What fails is reported, and the
  /// next one drawn.
  func draw(_ console: Console) async {
    var drawn: Set<String> = []
    for input in inputs where drawn.insert(input).inserted && !Task.isCancelled {
      guard let found = found.withLock({ $0[input] }), found.isFinished, !found.isSkipped
      else { continue }
      do {
        let file = try await PictureLoader().open(path: input)
        do { try place.check(input, pageCount: file.pageCount) } catch {
          console.report(Failure(describing: error, source: input))
          continue
        }
        for number in 1...max(1, file.pageCount) where !Task.isCancelled {
          await draw(page: number, of: file, named: input, found, console)
        }
      } catch {
        if !found.hasFailed { console.report(Failure(describing: error, source: input)) }
      }
    }
  }

  private func draw(
    page number: Int, of file: PictureFile, named input: String, _ found: Found,
    _ console: Console
  ) async {
    var output = input
    do {
      let (path, format) = try place.file(for: input, page: number, of: file.pageCount)
      output = path
      // What the scan could not load, it has reported.
      guard let page = try await page(number, of: file, found) else { return }
      let codes = found.codes.filter { $0.page == nil || $0.page == number }
      let sheet = file.pageCount > 1 ? ", page \(number)" : ""
      let annotation = try await PictureAnnotation(
        of: page, codes: codes,
        unread: found.unread.filter { $0.page == nil || $0.page == number }.map(\.symbol),
        title: file.source + sheet)
      let bytes = try await annotation.data(as: format, named: path)
      try AtomicFile(path: path, bytes: bytes).commit()
      console.result(
        .object([
          ("type", "annotation"), ("output", .string(path)), ("source", .string(input)),
          ("page", JSONValue(file.isDocument ? number : nil)), ("codes", .integer(codes.count)),
        ]),
        text: "\(path)  shows \(codes.count == 1 ? "1 code" : "\(codes.count) codes") of "
          + "\(file.source)\(sheet)")
    } catch {
      console.report(Self.failure(error, output))
    }
  }

  private func page(
    _ number: Int, of file: PictureFile, _ found: Found
  ) async throws(PictureError) -> LoadedPicture? {
    do {
      return try await file.page(number)
    } catch {
      guard found.hasFailed, error.code != .cancelled else { throw error }
      return nil
    }
  }

  /// Whatever keeps a drawing from being made, its file cannot be created.
  private static func failure(_ error: any Error, _ output: String) -> Failure {
    let failure = Failure(describing: error, source: output)
    guard error is PictureError, failure.status != .interrupted else { return failure }
    return Failure(
      failure.code, .cannotCreate, failure.message, hint: failure.hint, source: output)
  }
}
