package import Registry

/// The list of what was printed where, as CSV beside the file: what a print shop and whoever hangs
/// the labels need.
package struct LabelManifest {
  private let columns: [String]
  private let captions: [Int]

  /// A manifest of a file.
  ///
  /// - Parameters:
  ///   - file: The file of labels.
  ///   - captions: The columns that are repeated.
  package init(_ file: LabelFile, captions: [Int]) {
    columns = captions.map { file.columns[$0] }
    self.captions = captions
  }

  /// The first line.
  package var header: String {
    Self.line(["file", "page", "position", "row", "url", "code", "place"] + columns)
  }

  /// The line of a label.
  ///
  /// - Parameters:
  ///   - row: The row that was printed.
  ///   - file: The file that holds the label.
  ///   - place: The sheet and the label on it; nil for a file of one code.
  ///   - code: The code's name in the registry.
  ///   - placeID: The place that the code belongs to.
  package func line(
    _ row: LabelFile.Row, in file: String, at place: (page: Int, position: Int)?, code: CodeID?,
    placeID: String?
  ) -> String {
    Self.line(
      [
        file, place.map { "\($0.page)" } ?? "", place.map { "\($0.position)" } ?? "",
        "\(row.number)", row.url, code?.description ?? "", placeID ?? row.placeID ?? "",
      ] + captions.map { row.values[$0] })
  }

  private static func line(_ fields: [String]) -> String {
    fields.map(\.csvField).joined(separator: ",") + "\r\n"
  }
}
