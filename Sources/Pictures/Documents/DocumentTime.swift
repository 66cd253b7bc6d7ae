import Synchronization

/// The time that the pages of one document may take together.
///
/// Each page has a limit of its own, and hundreds of pages that stay just below it would take hours.
package final class DocumentTime: Sendable {
  private let limit: Duration
  private let source: String
  private let spent = Mutex(Duration.zero)

  /// Begins a document.
  package init(_ limit: Duration, source: String) {
    self.limit = limit
    self.source = source
  }

  /// Does the work on one page, in what is left of the time.
  ///
  /// - Parameters:
  ///   - limits: What the page may cost.
  ///   - work: Takes the limits with the time that is left, where that is less.
  /// - Throws: What the work throws; ``PictureError/Code/documentTimedOut`` when the time of the
  ///   document was over before or is over because of this page.
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
      message: "The pages of \(source) take longer than \(limit) together; the rest was not read.",
      hint: "Split the document and scan the parts, or export the pages as PNG or JPEG.")
  }
}
