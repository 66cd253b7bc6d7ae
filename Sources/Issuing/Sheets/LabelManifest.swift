import Invocation
import Registry

/// The list of what was printed where, as CSV beside the file: what a print shop and whoever hangs
/// the labels need.
struct LabelManifest {
  private let columns: [String]
  private let captions: [Int]

  /// A list for a file.
  ///
  /// - Parameters:
  ///   - file: The file of labels.
  ///   - captions: The columns that are repeated.
  init(_ file: LabelFile, captions: [Int]) {
    columns = captions.map { file.columns[$0] }
    self.captions = captions
  }

  /// The first line.
  var header: [UInt8] {
    Self.line(["file", "page", "position", "row", "url", "code", "place"] + columns)
  }

  /// The line of a label.
  ///
  /// - Parameters:
  ///   - row: The row that was printed.
  ///   - file: The file that holds the label.
  ///   - position: The sheet and the label on it; `nil` for a file of one code.
  ///   - code: The code's name in the registry.
  func line(
    _ approved: ApprovedLabels.Row, in file: String, at position: (page: Int, label: Int)?,
    code: CodeID
  ) -> [UInt8] {
    let row = approved.row
    return Self.line(
      [
        file, position.map { "\($0.page)" } ?? "", position.map { "\($0.label)" } ?? "",
        "\(row.number)", row.url, code.description,
        approved.approval.verification.place?.id ?? row.placeID ?? "",
      ] + captions.map { row.values[$0] })
  }

  private static func line(_ fields: [String]) -> [UInt8] {
    Array((fields.map(\.csvField).joined(separator: ",") + "\r\n").utf8)
  }
}
