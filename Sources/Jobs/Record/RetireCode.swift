import Foundation
import Invocation
public import Registry

/// Withdraws a code, which cannot be undone; its history stays.
public struct RetireCode: Job {
  /// The name of the code.
  public var code: String
  /// The reason, kept in the history.
  public var reason: String?
  /// Whether nothing is recorded.
  public var dryRun = false

  /// Makes a job.
  public init(_ code: String) { self.code = code }

  /// Withdraws the code.
  ///
  /// - Returns: The code as it is afterwards, with its history.
  /// - Throws: ``NotOnRecord``, or `RegistryError`, also for a code that was retired before.
  public func run(
    in workplace: Workplace, reporting report: @Sendable (Never) -> Void
  ) async throws -> CodeWithHistory {
    let registry = workplace.registry
    guard let id = CodeID(code), let known = try registry.code(id: id) else {
      throw NotOnRecord(kind: .code, name: code)
    }
    if dryRun {
      guard known.status == .issued else { throw RegistryError.alreadyRetired(id) }
    } else {
      try registry.retire(
        id, at: workplace.now(), by: workplace.person,
        details: reason.map { ["reason": $0] } ?? [:])
    }
    return CodeWithHistory(
      code: dryRun ? known : try registry.code(id: id) ?? known,
      history: try registry.history(of: id))
  }
}

/// A code on record, with what happened to it.
public struct CodeWithHistory: Sendable {
  /// The code.
  public let code: IssuedCode
  /// The events of the code, oldest first.
  public let history: [CodeEvent]

  /// The `code` object of the command's contract.
  public var result: CodeResult { CodeResult(code, history: history) }
}
