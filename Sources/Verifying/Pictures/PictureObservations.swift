import CodeScanning
import Foundation
import Invocation
public import Pictures
import Registry
import TagAuthenticity

extension Verifier {
  /// Observes pictures and documents: one observation a page, several files at a time, in the order
  /// they were named.
  ///
  /// - Parameter paths: The files; `-` is standard input.
  public func observations(of paths: [String]) -> Observations {
    observations(of: paths.map { PictureInput(path: $0) })
  }

  /// Observes pictures and documents: one observation a page, several files at a time, in the order
  /// they were named.
  ///
  /// - Parameter inputs: The files; those from folders that are no pictures are told and left out.
  public func observations(of inputs: [PictureInput]) -> Observations {
    let workers = max(1, options.workers ?? ProcessInfo.processInfo.activeProcessorCount)
    // What is kept may hold a small picture.
    let lookAhead = options.keeper == nil ? 8 : 4
    let work = OrderedWork<Observation>(
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
  ///   - source: What to call it in the result, if not by the file's own name.
  public func observe(
    page number: Int, of file: PictureFile, named source: String? = nil
  ) async -> Observation {
    let opened = OpenedPicture(file, scanner: options.scanner)
    return await deliver(await read(page: number, of: opened, named: source ?? file.source))
  }

  /// Observes every page of a file.
  private func read(_ input: PictureInput, _ emit: (Observation) -> Void) async {
    var whole = Observation(.picture, source: input.path)
    whole.end = .notAPicture
    if input.isNoPicture() { return emit(whole) }
    do {
      let picture = try await open(input.path)
      var (isEmpty, wasCutShort) = (true, false)
      for number in 1...max(1, picture.pageCount) where !Task.isCancelled {
        var page = await read(page: number, of: picture, named: input.path)
        isEmpty = isEmpty && page.codes.isEmpty && page.failure == nil && !page.isKnown
        wasCutShort = wasCutShort || page.wasCutShort
        // What the document may cost is spent: one word for all pages that are left.
        if (page.failure as? PictureError)?.code == .documentTimedOut {
          page.end = .finished
          return emit(page)
        }
        if number == max(1, picture.pageCount) {
          page.end = isEmpty ? .nothingFound(cutShort: wasCutShort) : .finished
        }
        emit(page)
      }
    } catch {
      whole.failure = error
      whole.end = .finished
      emit(whole)
    }
  }

  /// Takes every step but the last with a page.
  private func read(
    page number: Int, of picture: OpenedPicture, named source: String
  ) async -> Observation {
    let reading = options.pictureLocation?.reading(of: picture.position, named: source)
    var seen = Observation(.picture, source: source, page: picture.isDocument ? number : nil)
    seen.digest = picture.digest
    seen.fix = (reading?.evidence ?? location).measured
    do {
      if let keeper = options.keeper,
        try await keeper.holds(seen, isLocating: options.positions != nil)
      {
        seen.isKnown = true
        return seen
      }
      let (result, pixels) = try await picture.page(number)
      var codes = try result.codes.map { code in
        var verified = try examine(code, source: source, page: seen.page, at: reading)
        verified.carrierFindings = Finding.about(code) + verified.carrierFindings
        return verified
      }
      if options.gradesPrints, let pixels {
        let grades = try await PrintGrader(scanner: options.scanner)
          .grades(of: result.codes, in: pixels)
        for (index, grade) in zip(codes.indices, grades) { codes[index].grade = grade }
      }
      for code in codes { seen.codes.append(try await settle(code)) }
      seen.unread = result.unread
      seen.wasCutShort = result.wasCutShort
      if let pixels, try await isWorthAPicture(seen) {
        seen.picture = try await WalkPicture(of: pixels)
      }
    } catch {
      seen.failure = error
    }
    return seen
  }

  /// Whether a small copy may be wanted; what a message amounts to is not known yet.
  private func isWorthAPicture(_ seen: Observation) async throws -> Bool {
    guard let keeper = options.keeper, seen.isWholeLook else { return false }
    if let messages = options.messages, seen.codes.contains(where: messages.concerns) {
      return true
    }
    return try await keeper.isWorthAPicture(seen)
  }

  private func open(_ path: String) async throws -> OpenedPicture {
    let isStandardInput = path == "-"
    if let isolation = options.isolation {
      return try await OpenedPicture(
        isStandardInput
          ? try await isolation.openStandardInput() : try isolation.open(path: path))
    }
    let bytes =
      isStandardInput
      ? try await options.loader.standardInput() : try await options.loader.bytes(path: path)
    let digest = options.keeper == nil ? nil : try EntryHash.digest(of: bytes)
    let file = try await options.loader.open(
      bytes, named: isStandardInput ? PictureLoader.standardInputName : path)
    var picture = OpenedPicture(file, scanner: options.scanner)
    picture.digest = digest
    return picture
  }
}

/// The pages of a picture, whether they are read here or in a process of their own.
private struct OpenedPicture {
  let pageCount: Int
  let isDocument: Bool
  var position: PicturePosition?
  var digest: EntryHash?
  /// Decodes a page; its pixels are there unless another process has them.
  let page: (_ number: Int) async throws -> (result: ScanResult, pixels: LoadedPicture?)

  init(_ file: PictureFile, scanner: CodeScanner) {
    pageCount = file.pageCount
    isDocument = file.isDocument
    position = file.position
    page = { number in
      let pixels = try await file.page(number)
      return (try await scanner.examine(pixels), pixels)
    }
  }

  init(_ job: PageProcess.Job) async throws {
    let first = try await job.read(page: 1)
    pageCount = first.pageCount
    isDocument = first.isDocument
    page = { number in
      let report = number == 1 ? first : try await job.read(page: number)
      return (try report.result(), nil)
    }
  }
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
  /// The pixels of the long side of small copies: a code of which a person could say anything is
  /// still to be seen, and five hundred take some hundred megabytes.
  package static let longestSide = 1_600
  /// The quality of small copies, as libjpeg counts it.
  static let quality = 80

  /// Makes a small copy of a picture that was read. Decodes or renders the picture again, in colour.
  ///
  /// Only pixels go over. What a phone adds to its pictures stays behind: the position, the time,
  /// the phone and its owner. A report goes through many hands, and what it should tell of these it
  /// tells from the stop.
  ///
  /// - Parameters:
  ///   - page: The picture or page.
  ///   - longestSide: The most pixels across and down, at least 1.
  /// - Throws: `PictureError` when the picture cannot be had in colour or not be written.
  package init(
    of page: LoadedPicture, longestSide: Int = WalkPicture.longestSide
  ) async throws(PictureError) {
    let look = try await page.colourLook() ?? ColourPicture(page.firstLook)
    let small = look.shrunk(longSide: longestSide)
    self.init(
      jpeg: try JPEGWriter.colour(small, quality: Self.quality), width: small.width,
      height: small.height, originalWidth: page.width, originalHeight: page.height)
  }
}
