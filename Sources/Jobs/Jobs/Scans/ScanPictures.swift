import Issuing
public import Invocation
import Pictures
public import Verifying

/// Reads and verifies the codes in pictures and documents.
///
/// ```swift
/// let run = ScanPictures(["wall.jpg", "posters.pdf"]).start(in: workplace)
/// for await case .observed(let page) in run { print(page.source, page.codes.map(\.verdict)) }
/// ```
public struct ScanPictures: Job {
  /// The pictures and documents.
  public var pictures: [PictureInput]
  /// The evidence of the reader's position.
  public var location = LocationEvidence.missing
  /// The steps besides the check, and their settings.
  public var options = Verifier.Options()
  /// The place of the pictures with the verdicts drawn in; `nil` draws none.
  public var drawings: AnnotationPlace?

  /// Makes a job.
  ///
  /// - Parameter paths: The files; `-` is standard input.
  public init(_ paths: [String]) { self.init(paths.map { PictureInput(path: $0) }) }

  /// Makes a job.
  public init(_ pictures: [PictureInput]) { self.pictures = pictures }

  /// A step of the job.
  public enum Event: Sendable {
    /// A page was read, or its picture came to its end.
    case observed(CodeObservation)
    /// Every picture was read.
    case scanned(Output)
    /// A page was drawn with its verdicts.
    case drawn(AnnotationResult)
    /// A picture could not be read a second time, or has no place among the drawings.
    case notReadAgain(source: String, any Error)
    /// A drawing could not be made.
    case notDrawn(output: String, any Error)
  }

  /// The pictures of a finished job.
  public struct Output: Hashable, Sendable {
    /// The number of pictures.
    public let count: Int
    /// The number of files that are no pictures.
    public let skippedCount: Int
  }

  /// Reads the pictures, several at a time and in their order; then makes the drawings.
  ///
  /// Each picture with drawings is then read a second time, in colour: a run without drawings has
  /// no extra cost, and no more than one picture is held in colour.
  ///
  /// - Throws: `CancellationError`.
  public func run(
    in workplace: Workplace, reporting report: @Sendable (Event) -> Void
  ) async throws -> Output {
    var skipped = 0
    var seen: [String: [CodeObservation]] = [:]
    for await page in workplace.verifierOfPictures(location, options).observations(of: pictures) {
      report(.observed(page))
      if page.end == .notAPicture { skipped += 1 }
      // A picture that was named twice is drawn once.
      if drawings != nil, seen[page.source]?.last?.end == nil {
        seen[page.source, default: []].append(page)
      }
    }
    try Task.checkCancellation()
    let output = Output(count: pictures.count, skippedCount: skipped)
    report(.scanned(output))
    if let drawings { await draw(seen, to: drawings, report) }
    try Task.checkCancellation()
    return output
  }

  /// Draws every picture that was read to its end.
  private func draw(
    _ seen: [String: [CodeObservation]], to place: AnnotationPlace, _ report: (Event) -> Void
  ) async {
    var drawn: Set<String> = []
    for input in pictures where drawn.insert(input.path).inserted && !Task.isCancelled {
      guard let pages = seen[input.name], let end = pages.last?.end, end != .notAPicture
      else { continue }
      // The failure has been reported already.
      let hasFailed = pages.contains { $0.failure != nil }
      do {
        let file = try await PictureLoader().open(path: input.path, named: input.name)
        do { try place.check(input.path, pageCount: file.pageCount) } catch {
          report(.notReadAgain(source: input.name, error))
          continue
        }
        for number in 1...max(1, file.pageCount) where !Task.isCancelled {
          await draw(page: number, of: file, named: input.path, pages, to: place, report)
        }
      } catch {
        if !hasFailed { report(.notReadAgain(source: input.name, error)) }
      }
    }
  }

  private func draw(
    page number: Int, of file: PictureFile, named input: String, _ pages: [CodeObservation],
    to place: AnnotationPlace, _ report: (Event) -> Void
  ) async {
    var output = input
    do {
      let (path, format) = try place.file(for: input, page: number, of: file.pageCount)
      output = path
      // Pages that could not be loaded have been reported.
      guard let page = try await page(number, of: file, pages) else { return }
      let seen = pages.filter { $0.page == nil || $0.page == number }
      let codes = seen.flatMap(\.codes).filter { $0.failure == nil }
      let sheet = file.pageCount > 1 ? ", page \(number)" : ""
      let annotation = try await PictureAnnotation(
        of: page, codes: codes, unread: seen.flatMap { $0.failure == nil ? $0.unread : [] },
        title: file.source + sheet)
      let bytes = try await annotation.data(as: format, named: path)
      try AtomicFile(path: path, bytes: bytes).commit()
      report(
        .drawn(
          AnnotationResult(
            output: path, source: input, page: file.isDocument ? number : nil,
            codes: codes.count, title: file.source + sheet)))
    } catch {
      report(.notDrawn(output: output, error))
    }
  }

  private func page(
    _ number: Int, of file: PictureFile, _ pages: [CodeObservation]
  ) async throws(PictureError) -> LoadedPicture? {
    do {
      return try await file.page(number)
    } catch {
      guard pages.contains(where: { $0.failure != nil }), error.code != .cancelled else {
        throw error
      }
      return nil
    }
  }
}

/// A picture with its verdicts: the `annotation` object of the command's contract.
public struct AnnotationResult: Encodable, Hashable, Sendable {
  /// The type of the object.
  public let type = "annotation"
  /// The file that was written.
  public let output: String
  /// The picture.
  public let source: String
  /// The page of a document, from 1.
  public let page: Int?
  /// The number of codes in it.
  public let codes: Int
  /// The name of the picture for people, with its page.
  package let title: String

  private enum CodingKeys: String, CodingKey { case type, output, source, page, codes }
}
