import Foundation

/// Commands run in turn, so that a drift in the machine's speed affects all of them alike.
struct Comparison {
  let title: String
  /// The commands with their names; ratios are relative to the first.
  let commands: [(name: String, arguments: [String], input: String)]
  var rounds = 11
  /// The exit statuses accepted from cliptag's commands.
  var statuses: Set<Int32> = [0]

  /// Runs every command once to warm up, then `rounds` times in turn, and prints the medians.
  func print() throws {
    Swift.print("\n\(title) (median of \(rounds) runs in turn)")
    Swift.print(row("", "wall ms", "min", "CPU ms", "peak MiB", "ratio"))
    var runs: [[ProcessRun]] = Array(repeating: [], count: commands.count)
    for round in 0...rounds {
      for (index, command) in commands.enumerated() {
        let run = try ProcessRun(command.arguments, input: command.input)
        // Only the status of our own commands is checked; another tool may read nothing.
        guard statuses.contains(run.status) || index > 0 && isOther(command.arguments) else {
          throw BenchmarkError("\(command.arguments) ended with \(run.status)")
        }
        if round > 0 { runs[index].append(run) }
      }
    }
    for (index, command) in commands.enumerated() {
      let ratios = zip(runs[index], runs[0]).map { $0.wall / $1.wall }
      Swift.print(
        row(
          command.name + (runs[index][0].status == 0 ? "" : ", status \(runs[index][0].status)"),
          ms(median(runs[index].map(\.wall))),
          ms(runs[index].map(\.wall).min() ?? 0), ms(median(runs[index].map(\.processor))),
          String(format: "%.1f", median(runs[index].map(\.peak))),
          String(format: "%.2f", median(ratios))))
    }
  }

  private func isOther(_ arguments: [String]) -> Bool {
    arguments[0] != commands[0].arguments[0]
  }

  private func ms(_ seconds: Double) -> String { String(format: "%.1f", seconds * 1000) }

  private func row(_ name: String, _ cells: String...) -> String {
    "  " + name.padding(toLength: 44, withPad: " ", startingAt: 0)
      + cells.map { String(repeating: " ", count: max(1, 10 - $0.count)) + $0 }.joined()
  }
}

/// The middle value.
func median(_ values: [Double]) -> Double {
  let sorted = values.sorted()
  return sorted.isEmpty ? 0 : sorted[sorted.count / 2]
}
