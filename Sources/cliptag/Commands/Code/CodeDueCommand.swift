import ArgumentParser
import Auditing
import Foundation
import Invocation
import Registry

extension CodeCommand {
  /// `cliptag code due`
  struct Due: ConsoleCommand {
    static let configuration = CommandConfiguration(
      abstract: "List the codes that somebody has to go to: unseen for long, or to be taken down.",
      discussion: """
        A code must come down when its experience was deactivated or no longer covers it, or when \
        it was retired and met since. It is due when nobody read it where it hangs for --days. The \
        list goes place by place; the exit status is 1 when there is anything on it.

        Examples:
          cliptag code due
          cliptag code due --days 90 --json
        """)

    @Option(
      help: ArgumentHelp("After how many days a code should be met again.", valueName: "days"))
    var days = 30
    @OptionGroup var matching: MatchingOptions
    @OptionGroup var global: GlobalOptions

    func validate() throws {
      guard (1...36_500).contains(days) else {
        throw ValidationError("--days takes a number from 1 to 36500; got \(days).")
      }
    }

    func execute(_ console: Console) async throws {
      let registry = try global.registryForReading(console)
      let due = try DueReview(of: registry, days: days, now: Date(), engine: matching.matching)
        .dueCodes()
      await console.gathering {
        for code in due { console.result(code.json, text: code.text) }
      }
      if due.isEmpty {
        console.say("Nothing is due.")
      } else {
        console.note(.notAccepted)
        console.say("\(due.count) \(due.count == 1 ? "code is" : "codes are") due.")
      }
    }
  }
}

extension DueCode {
  fileprivate var json: JSONValue {
    let place = code.placeID.map {
      JSONValue.object([("id", .string($0)), ("name", JSONValue(self.place?.name))])
    }
    return .object([
      ("type", "due"), ("code", .string(code.id.description)), ("url", .string(code.payload)),
      ("carrier", .string(code.carrier.rawValue)), ("place", place ?? .null),
      ("uid", JSONValue(code.tagUID)), ("output", JSONValue(code.output)),
      ("reason", .string(reason.rawValue)), ("state", .string(state.rawValue)),
      ("lastSeen", JSONValue(lastSeen?.registryTimestamp)), ("days", .integer(days)),
      ("message", .string(message)),
    ])
  }

  fileprivate var text: String {
    let place = code.placeID.map { "at \($0)" } ?? "anywhere"
    return "\(place)  \(reason.rawValue)  \(code.text)\n  \(message)"
  }
}
