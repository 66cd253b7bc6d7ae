public import CodeDrawing
public import Invocation
public import Registry

/// The rows of a file of labels, each approved: only an approved row can be printed.
public struct ApprovedLabels: Sendable {
  /// One row, and on what ground its code is issued.
  public struct Row: Sendable {
    /// The row of the file.
    public let row: LabelFile.Row
    /// On what ground its code is issued.
    public let approval: Approval
  }

  /// The file.
  public let file: LabelFile
  /// All of its rows, in their order.
  public let rows: [Row]

  fileprivate init(_ file: LabelFile, _ rows: [Row]) {
    self.file = file
    self.rows = rows
  }
}

/// Why a file of labels is not printed: everything that is wrong with it, at once.
public struct LabelRefusal: Error {
  /// Mistakes of the file.
  public let problems: [DocumentProblem]
  /// Rows that may not be issued.
  public let objections: [BatchObjection]

  package init(problems: [DocumentProblem] = [], objections: [BatchObjection] = []) {
    self.problems = problems
    self.objections = objections
  }
}

extension Issuer {
  /// Approves every row of a file, each once, before anything is drawn.
  ///
  /// - Parameters:
  ///   - file: The file.
  ///   - unregistered: Whether codes are issued although the check does not accept them.
  ///   - refusingWarnings: Whether rows are refused that the check accepts and warns of.
  /// - Throws: ``LabelRefusal`` when the file has mistakes or a row may not be issued, or what the
  ///   directory throws.
  public func approve(
    _ file: LabelFile, unregistered: Bool = false, refusingWarnings: Bool = false
  ) throws -> ApprovedLabels {
    guard file.problems.isEmpty else { throw LabelRefusal(problems: file.problems) }
    let check = try check.inMemory(of: ledger.registry)
    var rows: [ApprovedLabels.Row] = []
    rows.reserveCapacity(file.rows.count)
    var objections: [BatchObjection] = []
    for row in file.rows {
      try Task.checkCancellation()
      do {
        let approval = try check.approve(
          row.url, unregistered: unregistered, refusingWarnings: refusingWarnings)
        let order = BatchRow.Order(url: row.url, placeID: row.placeID)
        if let problem = order.placeProblem(approval.verification) {
          objections.append(file.objection(to: row, in: "place", .wrongPlace(problem)))
        } else {
          rows.append(ApprovedLabels.Row(row: row, approval: approval))
        }
      } catch let refusal as IssueRefusal {
        objections.append(file.objection(to: row, in: "url", .refused(refusal.verification)))
      }
    }
    guard objections.isEmpty else { throw LabelRefusal(objections: objections) }
    return ApprovedLabels(file, rows)
  }
}

extension LabelFile {
  fileprivate func objection(
    to row: Row, in column: String, _ reason: BatchObjection.Reason
  ) -> BatchObjection {
    let place = position(ofColumn: self.column(named: column) ?? 0, in: row)
    return BatchObjection(row: row.number, line: place.line, column: place.column, reason: reason)
  }
}

/// A code of a file of labels that was printed, proven and recorded.
public struct IssuedLabel: Sendable {
  /// The row that it was printed for.
  public let row: LabelFile.Row
  /// What the check found in its URL.
  public let findings: [Finding]
  /// What was drawn.
  public let drawing: CodeDrawing
  /// The code's name in the registry; `nil` in a rehearsal.
  public let id: CodeID?
  /// The file that holds it.
  public let output: String
  /// The sheet and the label on it, both from 1; `nil` for a file of one code.
  public let position: (page: Int, label: Int)?
}
