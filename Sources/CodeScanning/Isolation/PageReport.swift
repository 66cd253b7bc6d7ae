#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif
public import Pictures

/// What came of one page, in a form that passes from one process to another as JSON.
public struct PageReport: Codable, Sendable {
  /// Pages in the file, at least 1; 1 when it could not be opened.
  package let pageCount: Int
  /// Whether pages are worth telling apart, as `PictureFile.isDocument` has it.
  package let isDocument: Bool
  private let found: ScanResult
  private let failure: Failure?

  private struct Failure: Codable {
    let code: String
    let source: String
    let message: String
    let hint: String
  }

  /// Loads and scans one page here and now.
  ///
  /// - Parameters:
  ///   - page: The page, from 1.
  ///   - path: The file.
  ///   - source: What to call it in messages, if not by its path.
  ///   - loader: How it is opened.
  ///   - scanner: How codes are looked for.
  public init(
    readingPage page: Int, ofFile path: String, named source: String? = nil, loader: PictureLoader,
    scanner: CodeScanner
  ) async {
    var file: PictureFile?
    do throws(PictureError) {
      let opened = try await loader.open(path: path, named: source ?? path)
      file = opened
      found = try await scanner.examine(try await opened.page(page))
      failure = nil
    } catch {
      found = ScanResult(codes: [])
      failure = Failure(
        code: error.code.rawValue, source: error.source, message: error.message,
        hint: error.hint)
    }
    pageCount = max(1, file?.pageCount ?? 1)
    isDocument = file?.isDocument ?? false
  }

  /// What is on the page.
  ///
  /// - Throws: `PictureError`, when the page could not be read.
  package func result() throws(PictureError) -> ScanResult {
    guard let failure else { return found }
    throw PictureError(
      PictureError.Code(rawValue: failure.code), source: failure.source, message: failure.message,
      hint: failure.hint)
  }

  /// The report as one line of JSON.
  public func line() throws -> [UInt8] { Array(try JSONEncoder().encode(self)) + [0x0A] }

  /// Reads a line of another process; `nil` for anything but a report.
  init?(line: [UInt8]) {
    guard let report = try? JSONDecoder().decode(PageReport.self, from: Data(line)),
      report.pageCount >= 1
    else { return nil }
    self = report
  }
}
