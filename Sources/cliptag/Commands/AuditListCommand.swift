import ArgumentParser
import Deployment
import Foundation
import Registry

/// `cliptag audit list`
struct AuditListCommand: ConsoleCommand {
  static let configuration = CommandConfiguration(
    commandName: "list",
    abstract: "List the walks, oldest first.",
    discussion: """
      Walks of several people may share a name; a report is about all walks of a name.

      Example:
        cliptag audit list
      """)
  @OptionGroup var global: GlobalOptions

  func execute(_ console: Console) async throws {
    let registry = try global.registryForReading(console)
    let walks = try await registry.read { registry in
      try registry.walks().map { (walk: $0, stops: try registry.lastStop(of: $0.id)) }
    }
    for (walk, stops) in walks {
      console.result(walk.json(stops: stops), text: walk.text(stops: stops))
    }
    if walks.isEmpty { console.say("No walks.") }
  }
}

extension Walk {
  fileprivate func json(stops: Int) -> JSONValue {
    .object([
      ("type", "walk"), ("walk", .string(id.description)), ("name", .string(name)),
      ("who", .string(who)), ("started", .string(started.registryTimestamp)),
      ("stops", .integer(stops)),
    ])
  }

  fileprivate func text(stops: Int) -> String {
    "\(name.printable)  by \(who.printable)  from \(started.registryTimestamp), "
      + "\(stops) stop\(stops == 1 ? "" : "s")"
  }
}
