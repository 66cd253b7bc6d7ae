import Auditing
import CliptagBasics
import Foundation
import Invocation
import Jobs
import Registry

/// Findings of walks that are followed up: they are kept, assigned and closed.
struct FindingDesk: Sendable {
  let runner: RequestRunner

  var routes: [StationRoute] {
    [
      StationRoute("GET", "/api/findings") { request in
        try await list(
          state: request.query["state"], place: request.place(), owner: request.query["owner"]
        ).response
      },
      StationRoute("GET", "/api/findings/statistics") { _ in
        await runner.look { registry, console in
          _ = try await CountFollowUps().run(in: Workplace(registry: registry)) {
            console.print(of: $0.result)
          }
        }.response
      },
      StationRoute("POST", "/api/findings") { request in
        let order: Order = try request.json()
        return await keep(ofWalk: order.walk).response
      },
      StationRoute("POST", "/api/findings/:finding") { request in
        let change: Change = try request.json()
        return await make(change, of: request.parameter("finding")).response
      },
    ]
  }

  /// Returns the findings of a state; the open ones without one, `all` for all.
  func list(
    state: String? = nil, place: String? = nil, owner: String? = nil
  ) async throws -> CommandAnswer {
    var job = ListFollowUps()
    if let state {
      job.state = FollowUp.State(rawValue: state)
      guard job.state != nil || state == "all" else {
        throw Failure(
          "malformed-request", .usage, "The state is not open, done, will-not or all.",
          hint: "Leave it out for open findings.")
      }
    }
    (job.place, job.owner) = (place, owner)
    return await runner.look { [job] registry, console in
      _ = try await job.run(in: Workplace(registry: registry)) { console.print(of: $0.result) }
    }
  }

  private struct Order: Decodable { let walk: String? }

  /// Keeps the findings of the walks of a name, and returns those that this opened or closed.
  private func keep(ofWalk name: String?) async -> CommandAnswer {
    await runner.work { [runner] console in
      let registry = try runner.registryForWriting()
      let changes = try Self.keep(ofWalk: name, in: registry)
      for listed in (changes.opened + changes.closed).listed(at: try registry.places()) {
        console.print(of: listed.result)
      }
    }
  }

  private static func keep(
    ofWalk name: String?, in registry: any RegistryStore
  ) throws -> FollowUpReview.Changes {
    let report = try AuditReportCommand.report(named: name, in: registry).report
    return try FollowUpReview(of: registry, by: registry.who).take(report)
  }

  private struct Change: Decodable {
    let change: ChangeFollowUp.Change
    var owner: String?
    var due: String?
    var note: String?
    /// The name of the walks that found it, if it may not have been kept yet.
    var walk: String?
  }

  private func make(_ change: Change, of finding: String) async -> CommandAnswer {
    var job = ChangeFollowUp(finding, change.change)
    (job.owner, job.due) = (change.owner, change.due)
    job.note = change.note.flatMap { $0.isEmpty ? nil : $0 }
    return await runner.work { [runner, job] console in
      let registry = try runner.registryForWriting()
      if let walk = change.walk, try registry.followUp(finding) == nil {
        _ = try Self.keep(ofWalk: walk, in: registry)
      }
      console.print(of: try await job.run(in: Workplace(registry: registry)).result)
    }
  }
}
