public import AppClipCodeFiles
public import AppClipCodes
import CliptagBasics
public import CodeDrawing
public import Invocation
public import Registry

/// The rows of a file of labels, each approved: only an approved row can be printed.
public struct ApprovedLabels: Sendable {
  /// One row, with the approval of its code.
  public struct Row: Sendable {
    /// The row of the file.
    public let row: LabelFile.Row
    /// The approval of its code.
    public let approval: Approval
    /// The App Clip Code on its labels; `nil` without one.
    public let appClipCode: AppClipCodeFile?
  }

  /// The file.
  public let file: LabelFile
  /// All of its rows, in their order.
  public let rows: [Row]
  /// The App Clip Codes on the labels.
  public let appClipCodes: LabelAppClipCodes
}

/// The choice and arrangement of App Clip Codes on labels.
public struct LabelAppClipCodes: Hashable, Sendable {
  /// The choice for rows that make none in the column `app-clip-code`; `nil` for none.
  public var usual: AppClipCodeChoice?
  /// A Boolean value that indicates whether they replace QR codes instead of accompanying them.
  public var replacesQRCodes: Bool
  /// The folder from which rows name files, empty for the current one; `nil` if they name none,
  /// because the table came from elsewhere.
  public var folder: String?
  /// The deviations that are accepted when a file is read.
  public var options: AppClipCode.Options

  /// Describes App Clip Codes.
  public init(
    usual: AppClipCodeChoice? = nil, replacesQRCodes: Bool = false, folder: String? = nil,
    options: AppClipCode.Options = AppClipCode.Options()
  ) {
    self.usual = usual
    self.replacesQRCodes = replacesQRCodes
    self.folder = folder
    self.options = options
  }
}

/// The refusal of a file of labels: all mistakes in it, at once.
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
  ///   - appClipCodes: The choice and arrangement of App Clip Codes on the labels.
  /// - Throws: ``LabelRefusal`` when the file has mistakes or a row may not be issued, or an error
  ///   of the directory.
  public func approve(
    _ file: LabelFile, unregistered: Bool = false, refusingWarnings: Bool = false,
    appClipCodes: LabelAppClipCodes = LabelAppClipCodes()
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
          rows.append(
            ApprovedLabels.Row(
              row: row, approval: approval,
              appClipCode: try appClipCode(for: row, as: appClipCodes)))
        }
      } catch let mistake as RowMistake {
        objections.append(
          file.objection(
            to: row, in: LabelFile.appClipCodeColumn, .appClipCode(mistake.sentence)))
      } catch let refusal as IssueRefusal {
        objections.append(file.objection(to: row, in: "url", .refused(refusal.verification)))
      }
    }
    guard objections.isEmpty else { throw LabelRefusal(objections: objections) }
    return ApprovedLabels(file: file, rows: rows, appClipCodes: appClipCodes)
  }

  /// An objection to the App Clip Code of a row.
  private struct RowMistake: Error {
    let sentence: String
  }

  private func appClipCode(
    for row: LabelFile.Row, as wanted: LabelAppClipCodes
  ) throws -> AppClipCodeFile? {
    guard let choice = row.appClipCode ?? wanted.usual else {
      guard wanted.replacesQRCodes else { return nil }
      throw RowMistake(sentence: "The row has no App Clip Code.")
    }
    if case .file(let path) = row.appClipCode, wanted.folder == nil {
      throw RowMistake(
        sentence: "No App Clip Code is called “\(path)”, and a table that was sent names no files: "
          + "write auto, or the name of a code on record.")
    }
    do {
      // Paths of the command line are relative to the current folder, those of the file to its
      // folder.
      return try appClipCode(
        choice, carrying: row.url, relativeTo: row.appClipCode == nil ? nil : wanted.folder,
        options: wanted.options)
    } catch let error as any CodedError {
      throw RowMistake(sentence: error.message)
    }
  }
}

extension LabelFile {
  /// The column that selects the App Clip Code of a row's labels.
  static let appClipCodeColumn = "app-clip-code"

  /// Returns an objection to a row, at the position of a column.
  func objection(
    to row: Row, in column: String, _ reason: BatchObjection.Reason
  ) -> BatchObjection {
    let place = position(ofColumn: self.column(named: column) ?? 0, in: row)
    return BatchObjection(row: row.number, line: place.line, column: place.column, reason: reason)
  }
}

/// A code of a file of labels that was printed, proven and recorded.
public struct IssuedLabel: Sendable {
  /// The row for which it was printed.
  public let row: LabelFile.Row
  /// The findings of the check about its URL.
  public let findings: [Finding]
  /// The QR code that was drawn; `nil` if an App Clip Code replaces it.
  public let drawing: CodeDrawing?
  /// The App Clip Code that was drawn; `nil` without one.
  public let appClipCode: AppClipCodeDrawing?
  /// The code's name in the registry; `nil` in a rehearsal.
  public let id: CodeID?
  /// The name of the code's item to which the label belongs; the copies of a row are one item. `nil`
  /// where ``id`` is.
  public let item: String?
  /// The file that holds it.
  public let output: String
  /// The page and the label on it, both from 1: a page of one poster has no label; `nil` for a file
  /// of one code.
  public let position: (page: Int, label: Int?)?
}
