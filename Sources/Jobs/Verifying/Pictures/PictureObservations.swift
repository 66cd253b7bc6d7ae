import CodeScanning
import Foundation
import Invocation
public import Pictures
import Registry
import TagAuthenticity

extension Verifier {
  /// Observes pictures and documents: one observation per page, several files at a time, in the
  /// given order.
  ///
  /// - Parameter paths: The files; `-` is standard input.
  public func observations(of paths: [String]) -> Observations {
    observations(of: paths.map { PictureInput(path: $0) })
  }

  /// Observes pictures and documents: one observation per page, several files at a time, in the
  /// given order.
  ///
  /// - Parameter inputs: The files; files from folders that are not pictures are reported and left
  ///   out.
  public func observations(of inputs: [PictureInput]) -> Observations {
    let workers = max(1, options.workers ?? ProcessInfo.processInfo.activeProcessorCount)
    // A buffered observation may hold a small picture.
    let lookAhead = options.keeping == nil ? 8 : 4
    let work = OrderedWork<CodeObservation>(
      count: inputs.count, workers: workers, window: min(workers, inputs.count) * lookAhead
    ) { index, emit in await read(inputs[index], emit) }
    return Observations {
      var pages = work.makeAsyncIterator()
      return {
        guard let seen = await pages.next() else { return nil }
        return await deliver(seen)
      }
    }
  }

  /// Observes one page of a picture that was opened.
  ///
  /// - Parameters:
  ///   - number: The page, from 1.
  ///   - file: The picture or document.
  ///   - source: The source's name in the result; the file's own name by default.
  public func observe(
    page number: Int, of file: PictureFile, named source: String? = nil
  ) async -> CodeObservation {
    let opened = OpenedPicture(pages: read(file))
    return await deliver(await read(page: number, of: opened, named: source ?? file.source))
  }

  /// Observes every page of a file.
  private func read(_ input: PictureInput, _ emit: (CodeObservation) -> Void) async {
    var whole = CodeObservation(.picture, source: input.name)
    whole.end = .notAPicture
    if input.isNoPicture() { return emit(whole) }
    do {
      let picture = try await open(input)
      var (isEmpty, wasCutShort) = (true, false)
      var unread: [UnreadSymbol.Kind] = []
      let pageCount = picture.pages.pageCount
      for number in 1...pageCount where !Task.isCancelled {
        var page = await read(page: number, of: picture, named: input.name)
        isEmpty = isEmpty && page.codes.isEmpty && page.failure == nil && !page.isSkipped
        wasCutShort = wasCutShort || page.wasCutShort
        unread += page.unread.map(\.kind)
        // The document's time budget is used up: one observation covers all pages that are left.
        if (page.failure as? PictureError)?.code == .documentTimedOut {
          page.end = .finished
          return emit(page)
        }
        if number == pageCount {
          page.end = isEmpty ? .nothingFound(cutShort: wasCutShort) : .finished
          if isEmpty {
            page.advice = SearchAdvice(unread: unread, isDrawing: picture.pages.isDrawing)
          }
        }
        emit(page)
      }
    } catch {
      whole.failure = error
      whole.end = .finished
      emit(whole)
    }
  }

  /// Takes all steps but the last with a page.
  private func read(
    page number: Int, of picture: OpenedPicture, named source: String
  ) async -> CodeObservation {
    let reading = options.pictureLocation?.reading(of: picture.pages.position, named: source)
    var seen = CodeObservation(
      .picture, source: source, page: picture.pages.isDocument ? number : nil)
    seen.digest = picture.digest
    seen.taken = picture.pages.taken
    seen.sought = options.scanner.symbologies
    seen.fix = (reading?.evidence ?? location).measured
    do {
      if let keeping = options.keeping,
        try await keeping.holds(seen, options.positions != nil)
      {
        seen.isSkipped = true
        return seen
      }
      let page = try await picture.pages.read(page: number)
      var codes = try page.result.codes.map { code in
        var verified = try examine(code, source: source, page: seen.page, at: reading)
        verified.carrierFindings = Finding.about(code) + verified.carrierFindings
        return verified
      }
      for (index, grade) in zip(codes.indices, page.grades ?? []) { codes[index].grade = grade }
      codes += try page.result.appClipCodes.map {
        try examine($0, source: source, page: seen.page, at: reading)
      }
      for code in codes { seen.codes.append(try await settle(code)) }
      seen.unread = page.result.unread
      seen.wasCutShort = page.result.wasCutShort
      seen.unsearched = page.result.unsearched
      if try await isWorthAPicture(seen) {
        seen.picture = try await page.smallCopy().map(WalkPicture.init)
      }
    } catch {
      seen.failure = error
    }
    return seen
  }

  /// Whether a small copy may be needed; the result of a message is not known yet.
  private func isWorthAPicture(_ seen: CodeObservation) async throws -> Bool {
    guard let keeping = options.keeping, seen.isLook else { return false }
    if let messages = options.messages, seen.codes.contains(where: messages.concerns) {
      return true
    }
    return try await keeping.isWorthAPicture(seen)
  }

  private func open(_ input: PictureInput) async throws -> OpenedPicture {
    let path = input.path
    let isStandardInput = path == "-"
    if let isolation = options.isolation, options.keeping == nil {
      let job =
        isStandardInput ? try await isolation.openStandardInput() : try isolation.open(path: path)
      return OpenedPicture(pages: try await PageReader(job, isGrading: options.gradesPrints))
    }
    let name = isStandardInput ? PictureLoader.standardInputName : input.name
    let bytes =
      isStandardInput
      ? try await options.loader.standardInput()
      : try await options.loader.bytes(path: path, named: name)
    let digest = options.keeping == nil ? nil : try EntryHash.digest(of: bytes)
    guard let isolation = options.isolation else {
      return OpenedPicture(
        pages: read(try await options.loader.open(bytes, named: name)), digest: digest)
    }
    // The digest and the reading use the same bytes, even if the file changes.
    let job = try isolation.open(bytes, named: name)
    let pages = try await PageReader(
      job, isGrading: options.gradesPrints, isKnown: try await isProbablyKnown(digest, path))
    return OpenedPicture(pages: pages, digest: digest)
  }

  private func read(_ file: PictureFile) -> PageReader {
    PageReader(
      file, grader: PrintGrader(scanner: options.scanner), isGrading: options.gradesPrints)
  }

  /// Whether a page is probably kept already. Facts that are known only after opening it, such as
  /// its position, are not considered.
  private func isProbablyKnown(_ digest: EntryHash?, _ source: String) async throws -> Bool {
    guard let keeping = options.keeping else { return false }
    for page in [nil, 1] {
      var seen = CodeObservation(.picture, source: source, page: page)
      seen.digest = digest
      seen.fix = location.measured
      if try await keeping.holds(seen, options.positions != nil) { return true }
    }
    return false
  }
}

/// The pages of a picture, and the digest of its bytes if needed.
private struct OpenedPicture {
  let pages: PageReader
  var digest: EntryHash?
}

extension EntryHash {
  /// The digest of bytes.
  ///
  /// - Throws: `AuthenticityError` without OpenSSL.
  static func digest(of bytes: [UInt8]) throws -> EntryHash? {
    EntryHash(try SHA256.digest(of: bytes))
  }
}

extension WalkPicture {
  /// The quality of small copies on libjpeg's scale.
  static let quality = 80

  /// Makes a small copy of a picture that was read.
  ///
  /// Only pixels are copied, not the metadata that a phone adds: the position, the time, the phone
  /// and its owner. Reports are passed on widely, and take these facts from the stop as far as they
  /// need them.
  ///
  /// - Throws: `PictureError` when the picture cannot be written.
  package init(_ copy: SmallCopy) throws(PictureError) {
    self.init(
      jpeg: try JPEGWriter.colour(copy.picture, quality: Self.quality),
      width: copy.picture.width, height: copy.picture.height, originalWidth: copy.originalWidth,
      originalHeight: copy.originalHeight)
  }
}
