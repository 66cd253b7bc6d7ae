import CliptagBasics
import ArgumentParser
import Invocation
import Issuing
import Jobs
import Verifying

/// Options for what may be issued: also payloads that the check does not accept, or only those
/// without a warning.
struct ApprovalOptions: ParsableArguments {
  @Flag(help: "Issue even if the check does not accept the URL.")
  var unregistered = false
  @Flag(help: "Do not issue codes with warnings.")
  var strict = false

  func validate() throws {
    guard !(unregistered && strict) else {
      throw ValidationError("--unregistered and --strict exclude each other.")
    }
  }
}

extension Console {
  /// Does work that may refuse a payload: shows the check's answer, and the reason of the refusal.
  func showingRefusal(_ work: () async throws -> Void) async throws {
    do {
      try await work()
    } catch let refusal as IssueRefusal {
      show(VerifiedCode(source: VerifiedCode.argument, verification: refusal.verification))
      note(.notAccepted)
      say(
        refusal.isForWarnings
          ? "Nothing was issued. Correct the cause of the warnings, or leave \(name(.strict)) out."
          : "Nothing was issued. Correct the URL or the registry, or add \(name(.unregistered)).")
    }
  }

  /// Prints the warnings about a payload that is issued.
  func warn(of approval: Approval) {
    if !approval.isRegistered {
      say(
        "\(error.yellow("warning:")) the check reports \(approval.verification.state.rawValue), and "
          + "\(name(.unregistered)) overrides it; the code is recorded as not registered")
    }
    for finding in approval.warnings { warn(of: finding, "") }
  }

  /// Prints the check's warnings about many rows: each kind once, with the first row that has it.
  ///
  /// - Parameter rows: The number of each row and its findings.
  func warn(of rows: [(number: Int, findings: [Finding])]) {
    var kinds: [(finding: Finding, first: Int, count: Int)] = []
    for row in rows {
      for finding in row.findings where finding.severity >= .warning {
        if let index = kinds.firstIndex(where: { $0.finding.code == finding.code }) {
          kinds[index].count += 1
        } else {
          kinds.append((finding, row.number, 1))
        }
      }
    }
    for kind in kinds {
      let others = kind.count > 1 ? " (\(rowCount(kind.count)) in all)" : ""
      warn(of: kind.finding, "row \(kind.first)\(others): ")
    }
  }

  private func warn(of finding: Finding, _ place: String) {
    say("\(error.yellow("warning:")) \(place)\(finding.advice.own) [\(finding.code)]")
  }
}
