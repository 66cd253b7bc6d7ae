import CodeDrawing
import Issuing

/// A printer that takes finished files, found before anything is made.
public struct PrinterQueue: Sendable {
  /// The printer's name.
  public let name: String
  /// The number of copies of each file.
  public let copies: Int
  /// The resolution in dots per inch at which it prints unless it is told another; `nil` if it is
  /// not known.
  public let dotsPerInch: Double?
  private let take: @Sendable (PrinterOrder) async throws -> String?

  /// Makes a queue.
  ///
  /// - Parameters:
  ///   - name: The printer's name.
  ///   - copies: The number of copies of each file.
  ///   - dotsPerInch: The usual resolution in dots per inch; `nil` if it is not known.
  ///   - take: Hands a file over, and returns the name of the printer's job if it has one.
  public init(
    _ name: String, copies: Int = 1, dotsPerInch: Double? = nil,
    take: @escaping @Sendable (PrinterOrder) async throws -> String?
  ) {
    self.name = name
    self.copies = copies
    self.dotsPerInch = dotsPerInch
    self.take = take
  }

  /// Hands a finished file over.
  ///
  /// - Parameters:
  ///   - path: The file.
  ///   - width: The width of every page in millimetres; `nil` if pages differ.
  ///   - height: Their height in millimetres.
  ///   - isRehearsal: Whether the file was not written; nothing is handed over then.
  /// - Throws: The error of the printer.
  package func handOver(
    _ path: String, width: Double?, height: Double?, isRehearsal: Bool
  ) async throws -> Handover {
    let order = PrinterOrder(path: path, copies: copies, width: width, height: height)
    return Handover(
      order, to: name, job: isRehearsal ? nil : try await take(order), isRehearsal: isRehearsal)
  }
}

/// A finished PDF file for a printer, which prints it at 100 %.
public struct PrinterOrder: Hashable, Sendable {
  /// The file.
  public let path: String
  /// The number of copies.
  public let copies: Int
  /// The width of every page in millimetres; `nil` if pages differ.
  public let width: Double?
  /// The height of every page in millimetres; `nil` if pages differ.
  public let height: Double?
}

/// The size of a page in millimetres.
struct PageSize: Hashable {
  let width: Double
  let height: Double
}

extension PrintContent {
  /// The size of a page with its bleed and its marks.
  var pageSize: PageSize {
    switch self {
    case .code(let drawing): PageSize(width: drawing.size.width, height: drawing.size.width)
    case .appClipCode(let drawing, _): PageSize(width: drawing.width, height: drawing.height)
    case .poster(let poster, _):
      PageSize(width: poster.page.mediaBox.width, height: poster.page.mediaBox.height)
    }
  }
}

extension Workplace {
  /// Hands a PDF file that is proven and recorded to the printer.
  ///
  /// - Parameters:
  ///   - destination: The file.
  ///   - page: The size of its pages; `nil` if they differ.
  ///   - isRehearsal: Whether the file was not written; nothing is handed over then.
  /// - Returns: `nil` without a printer, and for a stream.
  /// - Throws: The error of the printer. The file stays.
  func handOver(
    _ destination: FileDestination, pages page: PageSize?, isRehearsal: Bool
  ) async throws -> Handover? {
    guard let printer, case .file(let path) = destination else { return nil }
    return try await printer.handOver(
      path, width: page?.width, height: page?.height, isRehearsal: isRehearsal)
  }

  /// Hands the file of a finished job over; its result is stated even if the printer refuses it.
  func handedOver(
    _ destination: FileDestination, pages page: PageSize?, isRehearsal: Bool
  ) async -> Result<Handover, any Error>? {
    do {
      return try await handOver(destination, pages: page, isRehearsal: isRehearsal)
        .map { .success($0) }
    } catch {
      return .failure(error)
    }
  }
}
