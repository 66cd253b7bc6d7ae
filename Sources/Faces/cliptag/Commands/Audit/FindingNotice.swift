import CliptagBasics
import Foundation
import Invocation
import Jobs
import Subprocess

/// A command of the shell that takes findings over, from its standard input.
struct FindingNotice: Sendable {
  private let command: String

  /// The time that the command has; it is ended afterwards.
  private static let patience = Duration.seconds(60)

  init(_ command: String) { self.command = command }

  /// Gives findings to the command, each as a JSON object on a line.
  ///
  /// - Throws: `Failure` `notification-failed` if the command cannot be started, fails, or takes too
  ///   long.
  @Sendable func deliver(_ findings: [ListedFollowUp]) async throws {
    // From a file: a command that ends without reading it would break a pipe.
    guard let folder = ScratchFolder() else { throw failure("has no folder for its input") }
    defer { withExtendedLifetime(folder) {} }
    let path = "\(folder.path)/findings.jsonl"
    let lines = findings.map { JSONValue(result: $0.result).line + "\n" }.joined()
    try Data(lines.utf8).write(to: URL(filePath: path))
    var options = PlatformOptions()
    options.processGroupID = 0
    options.teardownSequence = [
      .gracefulShutDown(toProcessGroup: true, allowedDurationToNextStep: .seconds(2))
    ]
    let status = try await withThrowingTaskGroup(of: TerminationStatus?.self) {
      [command, options] group in
      group.addTask {
        try await Subprocess.run(
          .name("sh"), arguments: ["-c", "exec <\"$1\" && eval \"$2\"", "sh", path, command],
          platformOptions: options, output: .currentStandardError,
          error: .currentStandardError
        ).terminationStatus
      }
      group.addTask {
        try await Task.sleep(for: Self.patience)
        return nil
      }
      defer { group.cancelAll() }
      return try await group.next() ?? nil
    }
    switch status {
    case .exited(0): return
    case .exited(let code): throw failure("ended with status \(code)")
    case .signaled(let signal): throw failure("was ended by signal \(signal)")
    case nil: throw failure("took longer than \(Self.patience)")
    }
  }

  private func failure(_ what: String) -> Failure {
    Failure(
      "notification-failed", .unavailable,
      "The command \(what): \(command.printable).",
      hint: "The next report gives it the same findings again.")
  }
}
