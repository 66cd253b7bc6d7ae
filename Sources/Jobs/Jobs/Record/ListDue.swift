public import Auditing
import Foundation
import Registry

/// Lists the codes that someone has to go to: unseen for long, or to be taken down.
public struct ListDue: Job {
  /// The number of days after which a code should be met again.
  public var days: Int

  /// Makes a job.
  public init(afterDays days: Int = 30) { self.days = days }

  /// Reports the codes place by place.
  ///
  /// - Returns: The number of codes that are due.
  /// - Throws: `RegistryError`.
  public func run(
    in workplace: Workplace, reporting report: @Sendable (DueCode) -> Void
  ) async throws -> Int {
    var count = 0
    try DueReview(
      of: workplace.registry, days: days, now: workplace.now(), engine: workplace.engine
    ).forEachDueCode { code in
      report(code)
      count += 1
    }
    return count
  }
}
