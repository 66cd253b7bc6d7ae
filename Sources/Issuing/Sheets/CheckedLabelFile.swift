package import Invocation
package import Registry

/// A file of labels beside the registry that decides which of them may be issued.
package struct CheckedLabelFile: Sendable {
  /// The file.
  package let file: LabelFile
  /// Whether codes are issued although the check does not accept them.
  package let unregistered: Bool
  private let check: InvocationCheck

  /// Takes a file without problems.
  ///
  /// - Parameters:
  ///   - file: The file of labels.
  ///   - check: What decides whether a payload is accepted.
  ///   - registry: What the check asks.
  ///   - unregistered: Whether codes are issued although the check does not accept them.
  /// - Throws: What the registry throws.
  package init(
    _ file: LabelFile, check: InvocationCheck, in registry: any RegistryStore, unregistered: Bool
  ) throws {
    self.file = file
    self.unregistered = unregistered
    self.check = try check.inMemory(of: registry)
  }

  /// What may not be issued: every row is checked before anything is drawn.
  ///
  /// - Returns: In the order of the rows.
  /// - Throws: What the directory throws.
  package func objections() throws -> [BatchObjection] {
    var objections: [BatchObjection] = []
    for row in file.rows() {
      try Task.checkCancellation()
      let found = try check.examine(payload: row.url, carrier: .url, location: .notAsked)
      let order = BatchRow.Order(url: row.url, placeID: row.placeID)
      if found.verdict != .accepted, !unregistered {
        objections.append(objection(to: row, in: "url", .refused(found)))
      } else if let problem = order.placeProblem(found) {
        objections.append(objection(to: row, in: "place", .wrongPlace(problem)))
      }
    }
    return objections
  }

  /// What ground a row's code is issued on.
  ///
  /// - Throws: ``IssueRefusal``, or what the directory throws.
  package func approval(of row: LabelFile.Row) throws -> Approval {
    try check.approve(row.url, unregistered: unregistered)
  }

  /// The codes' names, row by row; a URL that comes twice has one.
  ///
  /// - Throws: What the directory or the registry throws.
  package func names(in ledger: CodeLedger) throws -> [CodeID] {
    var known: [String: CodeID] = [:]
    return try file.rows().map { row in
      if let name = known[row.url] { return name }
      let name = try ledger.printedName(of: approval(of: row))
      known[row.url] = name
      return name
    }
  }

  private func objection(
    to row: LabelFile.Row, in column: String, _ reason: BatchObjection.Reason
  ) -> BatchObjection {
    let index = file.column(named: column) ?? 0
    let (line, column) = file.position(ofColumn: index, inRow: row.number)
    return BatchObjection(row: row.number, line: line, column: column, reason: reason)
  }
}
