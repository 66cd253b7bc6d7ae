import Synchronization

/// The total time limit for the pages of one document.
///
/// Each page has its own limit, but hundreds of pages just below it would take hours.
package final class DocumentTime: Sendable {
  private let limit: Duration
  private let source: String
  private let spent = Mutex(Duration.zero)

  /// Creates the time limit of a document.
  package init(_ limit: Duration, source: String) {
    self.limit = limit
    self.source = source
  }

  /// Runs the work on one page within the remaining time.
  ///
  /// - Parameters:
  ///   - limits: The limits of the page.
  ///   - work: The work; its argument is the limits, with the remaining time if that is less.
  /// - Throws: Errors of the work; ``PictureError/Code/documentTimedOut`` if the time of the
  ///   document has passed before or during this page.
  package func run<Value>(
    _ limits: PictureLimits,
    _ work: (PictureLimits) async throws(PictureError) -> Value
  ) async throws(PictureError) -> Value {
    let left = limit - spent.withLock(\.self)
    guard left > .zero else { throw isOver }
    var limits = limits
    let isLast = left <= limits.timePerPage
    limits.timePerPage = min(limits.timePerPage, left)
    let start = ContinuousClock.now
    defer { spent.withLock { $0 += .now - start } }
    do throws(PictureError) {
      return try await work(limits)
    } catch {
      guard error.code == .timedOut, isLast else { throw error }
      throw isOver
    }
  }

  private var isOver: PictureError {
    PictureError(
      .documentTimedOut, source: source,
      message: "The pages of \(source) exceed the limit of \(limit); the rest was not read.",
      hint: "Split the document and scan the parts, or export the pages as PNG or JPEG.")
  }
}
