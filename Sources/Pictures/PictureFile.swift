/// A picture file or document that was opened, page by page.
public struct PictureFile: Sendable {
  /// What was read: a path, `standard input`, or the name that the caller gave.
  public let source: String
  /// The kind of file, by its content.
  public let format: PictureFormat
  /// Pages of a PDF or TIFF; 1 for everything else.
  public let pageCount: Int

  /// Where it says it was taken: JPEG, PNG, HEIC, AVIF, WebP and TIFF may.
  public internal(set) var position: PicturePosition?

  /// Whether pages are worth telling apart: of every PDF, and of a TIFF that has several.
  public var isDocument: Bool { format == .pdf || pageCount > 1 }

  let load: @Sendable (_ page: Int) async throws(PictureError) -> LoadedPicture

  /// Decodes or renders one page.
  ///
  /// - Parameter number: the page, from 1 to ``pageCount``.
  /// - Throws: ``PictureError``; `noSuchPage` outside that range, `cancelled` as soon as the task
  ///   is. Other pages stay readable.
  public func page(_ number: Int) async throws(PictureError) -> LoadedPicture {
    guard (1...max(1, pageCount)).contains(number), pageCount > 0 else {
      throw PictureError(
        .noSuchPage, source: source,
        message: "\(source) has no page \(number); it has \(pageCount).",
        hint: "Ask for a page from 1 to \(pageCount).")
    }
    return try await load(number)
  }
}
