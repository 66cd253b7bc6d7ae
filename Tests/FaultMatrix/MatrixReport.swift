import SimulatedReader

/// What came of all trials of one operation.
struct MatrixReport: Sendable {
  /// The table and every broken rule.
  let text: String
  /// Every broken rule.
  let broken: [String]

  /// Trials that run beside each other: most of their time they wait for a reader's time-outs.
  private static let lanes = 12

  /// Runs all trials.
  init(of matrix: Matrix) async throws {
    let trials = matrix.trials
    var states: [String: [String: Int]] = [:]
    var broken: [String] = []
    try await withThrowingTaskGroup(of: (Trial, String, [String]).self) { group in
      var rest = trials[...]
      func start() {
        guard let trial = rest.popFirst() else { return }
        group.addTask {
          let result = try await matrix.run(trial)
          return (trial, result.left, result.broken)
        }
      }
      for _ in 0..<Self.lanes { start() }
      for try await (trial, left, rules) in group {
        states[trial.kind, default: [:]][left, default: 0] += 1
        broken += rules
        start()
      }
    }
    self.broken = broken
    let rows = states.sorted { $0.key < $1.key }.map { kind, left in
      let counts = left.sorted { $0.key < $1.key }.map { "\($0.key) \($0.value)" }
      return "  " + kind + String(repeating: " ", count: max(1, 20 - kind.count))
        + counts.joined(separator: ", ")
    }
    text =
      (["\(matrix.operation.name): \(trials.count) trials, \(broken.count) rules broken"] + rows
      + broken.map { "  BROKEN \($0)" }).joined(separator: "\n")
  }
}

extension Trial {
  /// The fault's name without its numbers.
  fileprivate var kind: String { String(fault.description.prefix { $0 != "=" }) }
}
