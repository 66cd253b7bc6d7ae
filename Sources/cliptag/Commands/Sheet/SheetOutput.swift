import CodeDrawing
import Foundation
import Issuing
import Registry

extension Console {
  /// Shows what is wrong with a file of labels, and why nothing was made of it.
  func showingRefusal(of source: String, _ body: () async throws -> Void) async throws {
    do {
      try await body()
    } catch let refusal as LabelRefusal {
      _ = show(refusal.problems, refusal.objections, source: source)
      say(refusal.advice)
    }
  }

  /// Shows a printed sheet.
  func show(
    _ issued: IssuedSheet, of file: LabelFile, on stock: LabelStock, at output: String, dryRun: Bool
  ) {
    var warnings: [(code: String, text: String, count: Int)] = []
    var lastRow = 0
    for label in issued.labels {
      if json {
        print(label.json(output: output, dryRun: dryRun))
      } else if label.row.number != lastRow {
        for warning in label.drawing.warnings {
          if let index = warnings.firstIndex(where: { $0.code == warning.code }) {
            warnings[index].count += 1
          } else {
            warnings.append((warning.code, warning.text, 1))
          }
        }
      }
      lastRow = label.row.number
    }
    for warning in warnings {
      let others = warning.count > 1 ? " (\(rowCount(warning.count)) in all)" : ""
      say("\(error.yellow("warning:")) \(warning.text)\(others)")
    }
    guard !json else { return }
    let modules = issued.labels.map(\.drawing.size.moduleSize)
    let (least, most) = (modules.min() ?? 0, modules.max() ?? 0)
    let sizes =
      least == most
      ? "\(least.inThousandths) mm" : "\(least.inThousandths) to \(most.inThousandths) mm"
    result(
      .null,
      text: """
        \(dryRun ? "would write" : "wrote") \(output)
          labels    \(issued.labels.count) of \(rowCount(file.rows.count)), each read back from the \
        finished sheet
          sheets    \(issued.pageCount) of \(stock.name), \(stock.count) labels each
          modules   \(sizes)
          manifest  \(issued.manifestPath ?? "none")
        """)
  }

  /// Shows a folder of files.
  func show(_ issued: IssuedFiles, of file: LabelFile, in folder: String, dryRun: Bool) {
    var warned: Set<String> = []
    for label in issued.labels {
      if json { print(label.json(output: label.output, dryRun: dryRun)) }
      for warning in label.drawing.warnings where warned.insert(warning.code).inserted {
        say("\(error.yellow("warning:")) row \(label.row.number): \(warning.text)")
      }
    }
    guard !json else { return }
    result(
      .null,
      text: """
        \(dryRun ? "would write" : "wrote") \(rowCount(file.rows.count)) to \(folder), each \
        file read back from its own pixels
          manifest  \(issued.manifestPath ?? "none")
        """)
  }
}

extension IssuedLabel {
  fileprivate func json(output: String, dryRun: Bool) -> JSONValue {
    drawing.issueJSON(
      output: output, code: id, dryRun: dryRun,
      [
        ("row", .integer(row.number)),
        ("page", position.map { .integer($0.page) } ?? .null),
        ("position", position.map { .integer($0.label) } ?? .null),
      ])
  }
}

extension LabelRefusal {
  /// What to do next, besides what each mistake says.
  fileprivate var advice: String {
    objections.isEmpty
      ? "Nothing was printed. Correct the file."
      : "Nothing was printed. Correct the file or the registry, or add --unregistered."
  }
}
