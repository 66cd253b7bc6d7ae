public import Auditing
public import Foundation
import Registry

/// Reports what was found on the walks of a name.
public struct MakeReport: Job {
  /// The name of the walks; `nil` for the latest.
  public var walk: String?
  /// The id of the only place to report on; `nil` for all.
  public var place: String?
  /// The time zone in which times are stated.
  public var timeZone = TimeZone.current

  /// Makes a job for the walks of a name; without one, for the latest.
  public init(ofWalk walk: String? = nil) { self.walk = walk }

  /// There is no walk yet.
  public struct NoWalk: Error, Hashable, Sendable {
    /// Makes the error.
    public init() {}
  }

  /// The report of a finished job.
  public struct Output: Sendable {
    /// The report.
    public package(set) var report: WalkReport
    private let registry: any RegistryStore

    init(_ report: WalkReport, of registry: any RegistryStore) {
      self.report = report
      self.registry = registry
    }

    /// The pictures and the stops behind the report.
    package var material: WalkMaterial {
      WalkMaterial(
        picture: { try registry.picture(of: $0, stop: $1) },
        forEachStop: { walk, body in
          // Several at a time, so that the registry is not held while a page is drawn.
          for number in 1...max(1, try registry.lastStop(of: walk)) {
            if let stop = try registry.stop(number, of: walk), report.isAbout(stop) {
              try body(stop)
            }
          }
        })
    }
  }

  /// Makes the report.
  ///
  /// - Throws: ``NoWalk``, ``NotOnRecord`` for a name that the registry does not hold;
  ///   `RegistryError`.
  public func run(
    in workplace: Workplace, reporting report: @Sendable (Never) -> Void
  ) async throws -> Output {
    try output(in: workplace)
  }

  /// Makes the report on the calling thread.
  package func output(in workplace: Workplace) throws -> Output {
    let registry = workplace.registry
    let all = try registry.walks()
    // A walk whose reader was not found has no stops and is passed over.
    let latest = try all.last { try registry.lastStop(of: $0.id) > 0 } ?? all.last
    guard let title = walk ?? latest?.name else { throw NoWalk() }
    let walks = all.filter { $0.name == title }
    guard !walks.isEmpty else {
      throw NotOnRecord(kind: .walk, name: title, among: all.map(\.name))
    }
    let only = try place.map { id in
      guard let place = try registry.place(id: id) else {
        throw try NotOnRecord(place: id, in: registry)
      }
      return place
    }
    var report = try WalkReview(of: registry, now: workplace.now(), in: timeZone)
      .report(ofWalks: walks, title: title, at: only)
    report.followUps = try registry.followUpsByName()
    return Output(report, of: registry)
  }
}
