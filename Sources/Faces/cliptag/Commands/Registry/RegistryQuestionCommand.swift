import Jobs
import ArgumentParser
import Auditing
import Invocation
import Registry

extension RegistryCommand {
  /// `cliptag registry sql`
  struct SQL: ConsoleCommand {
    static let configuration = CommandConfiguration(
      commandName: "sql",
      abstract: "Print example SQL queries for the registry's views.",
      discussion: """
        For programs that query the database directly, such as business intelligence tools: the views \
        code_current, event, item_current, place_status and who_did_what are the same in a file and on a \
        server, and stable across versions. The tables are not.

        Examples:
          cliptag registry sql
          cliptag registry sql --json
        """)

    @OptionGroup var global: GlobalOptions

    func execute(_ console: Console) throws {
      for (question, sql) in RegistryViews.questions {
        console.result(
          of: QuestionResult(question, sql: sql),
          text: "-- \(question)\n\(sql);\n")
      }
    }
  }

  /// `cliptag registry activity`
  struct Activity: ConsoleCommand {
    static let configuration = CommandConfiguration(
      commandName: "activity",
      abstract: "Report activity by person, month and place.",
      discussion: """
        Counts the entries of the record: prints, written and locked tags, readings, retired codes, and \
        changes of clips, experiences and places. Months are those of UTC.

        Examples:
          cliptag registry activity
          cliptag registry activity --month 2026-11 --place cupertino
          cliptag registry activity --who "Ada" --json
        """)

    @Option(help: ArgumentHelp("Only entries of this person.", valueName: "name"))
    var who: String?
    @Option(
      help: ArgumentHelp("Only codes of this place, by its id.", valueName: "id"),
      completion: .places)
    var place: String?
    @Option(help: ArgumentHelp("Only this month, such as 2026-11.", valueName: "month"))
    var month: String?
    @OptionGroup var global: GlobalOptions

    func validate() throws {
      guard let month else { return }
      let parts = month.split(separator: "-", omittingEmptySubsequences: false)
      guard parts.count == 2, parts[0].count == 4, parts[1].count == 2,
        parts.allSatisfy({ $0.utf8.allSatisfy { (48...57).contains($0) } }),
        (1...12).contains(Int(parts[1]) ?? 0)
      else {
        throw ValidationError("--month must be a month such as 2026-11, not \(month.printable).")
      }
    }

    func execute(_ console: Console) throws {
      let registry = try global.registryForReading(console)
      let found = try RecordActivity.all(in: registry).filter { one in
        (who.map { $0 == one.who } ?? true) && (place.map { $0 == one.place } ?? true)
          && (month.map { $0 == one.month } ?? true)
      }
      for one in found {
        console.result(
          of: ActivityResult(one),
          text:
            "\(one.month)  \(one.who.printable)  \(one.place?.printable ?? "-")  \(one.kind)  \(one.count)"
        )
      }
      if found.isEmpty { console.say("No entries were recorded.") }
    }
  }
}
