import Foundation
import Invocation
public import Registry

/// Withdraws a code, which cannot be undone, or one of its items; the history stays.
public struct RetireCode: Job {
  /// The name of the code or its tail, or that of an item.
  public var code: String
  /// The reason, kept in the history.
  public var reason: String?
  /// Whether nothing is recorded.
  public var dryRun = false

  /// Makes a job.
  public init(_ code: String) { self.code = code }

  /// Withdraws the code or the item.
  ///
  /// - Returns: The code as it is afterwards, with its history.
  /// - Throws: ``NotOnRecord``, or `RegistryError`, also for a code that was retired before, and for
  ///   the only item of a code.
  public func run(
    in workplace: Workplace, reporting report: @Sendable (Never) -> Void
  ) async throws -> CodeWithHistory {
    let registry = workplace.registry
    let details = reason.map { ["reason": $0] } ?? [:]
    if CodeID(code) == nil, CodeItem.parts(of: code) != nil {
      let item =
        dryRun
        ? try registry.itemToDiscard(code)
        : try registry.discard(code, at: workplace.now(), by: workplace.person, details: details)
      guard let known = try registry.code(id: item.code) else {
        throw NotOnRecord(kind: .code, name: code)
      }
      return try CodeWithHistory(known, in: registry, retiredItem: item)
    }
    guard let known = try registry.code(meantBy: code) else {
      throw NotOnRecord(kind: .code, name: code)
    }
    let id = known.id
    if dryRun {
      // A code that another program retired lacks the event.
      let isTold = try registry.history(of: id).contains { $0.kind == .retired }
      guard known.status == .issued || !isTold else { throw RegistryError.alreadyRetired(id) }
    } else {
      try registry.retire(
        id, at: workplace.now(), by: workplace.person, details: details)
    }
    return try CodeWithHistory(
      dryRun ? known : try registry.code(id: id) ?? known, in: registry)
  }
}

/// A code on record, with what happened to it.
public struct CodeWithHistory: Sendable {
  /// The code.
  public let code: IssuedCode
  /// The items of the code.
  public let items: [CodeItem]
  /// The events of the code, oldest first.
  public let history: [CodeEvent]
  /// The item that was retired; `nil` for the code itself.
  public let retiredItem: CodeItem?

  /// Looks up the items and the history of a code.
  init(
    _ code: IssuedCode, in registry: any RegistryStore, retiredItem: CodeItem? = nil
  ) throws(RegistryError) {
    self.code = code
    self.retiredItem = retiredItem
    (items, history) = try registry.read { registry throws(RegistryError) in
      (try registry.items(of: code), try registry.history(of: code.id))
    }
  }

  /// The `code` object of the command's contract.
  public var result: CodeResult { CodeResult(code, items: items, history: history) }
}
