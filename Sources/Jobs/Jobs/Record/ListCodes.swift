public import Registry

/// Lists the codes that were issued, oldest first, and perhaps goes on with every code whose history
/// goes on.
public struct ListCodes: Job {
  /// The codes to list.
  public var filter: CodeFilter
  /// Only codes whose name, URL, place or tag contains this text, in any case; `nil` for all.
  public var text: String?
  /// Whether to go on until the task is cancelled, and to report a code again after each new event
  /// of it, wherever that happens.
  public var follows = false

  /// Makes a job for the codes that match a filter; without one, for those in use.
  public init(_ filter: CodeFilter = CodeFilter(status: .issued)) { self.filter = filter }

  /// A part of the list.
  public enum Event: Sendable {
    /// The codes of one piece, oldest first.
    case codes([ListedCode])
    /// The list is complete, with a number of codes; those that follow have new events.
    case listed(count: Int)
  }

  /// Lists the codes in pieces, because there may be millions.
  ///
  /// - Returns: The number of codes in the list.
  /// - Throws: `RegistryError`.
  public func run(
    in workplace: Workplace, reporting report: @Sendable (Event) -> Void
  ) async throws -> Int {
    let registry = workplace.registry
    // Events that occur during the listing are reported behind the list.
    var heads = follows ? try await registry.read { try $0.chainHeads() } : []
    var count = 0
    try registry.forEachPiece(of: filter) { piece in
      let codes = piece.filter(holdsText)
      count += codes.count
      if !codes.isEmpty { report(.codes(try ListedCode.list(codes, in: registry))) }
    }
    report(.listed(count: count))
    while follows, !Task.isCancelled {
      let codes: [IssuedCode]
      (codes, heads) = try await registry.codesTold(after: heads)
      // A code that was retired meanwhile is reported as well: it was in the list.
      var filter = filter
      filter.status = nil
      let found = codes.filter { filter.admits($0) && holdsText($0) }
      if !found.isEmpty { report(.codes(try ListedCode.list(found, in: registry))) }
    }
    return count
  }

  private func holdsText(_ code: IssuedCode) -> Bool {
    guard let text = text?.lowercased(), !text.isEmpty else { return true }
    return [code.id.description, code.payload, code.placeID ?? "", code.tagUID ?? ""].contains {
      $0.lowercased().contains(text)
    }
  }
}

/// A code in a list, with its items.
public struct ListedCode: Sendable {
  /// The code.
  public let code: IssuedCode
  /// The items of the code.
  public let items: [CodeItem]

  /// The `code` object of the command's contract, without a history.
  public var result: CodeResult { CodeResult(code, items: items) }

  fileprivate static func list(
    _ codes: [IssuedCode], in registry: any RegistryStore
  ) throws(RegistryError) -> [ListedCode] {
    let items = try registry.items(of: codes)
    return codes.map { ListedCode(code: $0, items: items[$0.id] ?? []) }
  }
}
