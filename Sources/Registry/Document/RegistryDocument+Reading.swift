public import Foundation
public import Invocation

extension RegistryDocument {
  /// A document that was read, and what is doubtful in it.
  public struct Reading: Sendable {
    /// What the file says.
    public let document: RegistryDocument
    /// What works but should be looked at, sorted by line.
    public let warnings: [DocumentProblem]
  }

  /// The largest file that is read, in bytes.
  package static let maximumSize = 256 * 1024 * 1024

  /// Reads a registry file.
  ///
  /// The shape is fixed: unknown keys, wrong types, duplicates and broken rules are all refused, and
  /// all reported at once. Only a fault of the YAML or JSON itself hides what follows it.
  ///
  /// - Parameters:
  ///   - data: The file's bytes, UTF-8 with or without byte-order mark.
  ///   - format: How they are to be read.
  ///   - name: The file's name, for messages.
  ///   - knownPlaces: Ids of places that `place: { id: … }` may name although the file does not hold
  ///     them, because the registry does.
  /// - Returns: The document, in the order of the file, and warnings.
  /// - Throws: ``RegistryError/Code/invalidDocument`` with every problem.
  public static func read(
    _ data: Data, as format: Format, name: String = "the document",
    knownPlaces: Set<String> = []
  ) throws(RegistryError) -> Reading {
    var problems: [DocumentProblem] = []
    var reader = DocumentReader(knownPlaces: knownPlaces)
    if let text = text(of: data, problems: &problems) {
      let root =
        switch format {
        case .json: JSONSource.parse(text, problems: &problems)
        case .yaml: YAMLSource.parse(text, problems: &problems)
        }
      if let root { reader.read(root) }
    }
    try DocumentProblem.refuse(
      problems + reader.problems, in: name,
      hint: "Correct the file and repeat; nothing was changed.")
    return Reading(document: reader.document, warnings: reader.warnings.sorted())
  }

  static func text(of data: Data, problems: inout [DocumentProblem]) -> String? {
    func refuse(_ message: String, line: Int = 1, column: Int = 1) -> String? {
      problems.append(DocumentProblem(line: line, column: column, message))
      return nil
    }
    guard data.count <= maximumSize else {
      return refuse(
        "The file has \(data.count) bytes; at most \(maximumSize) are read. Split it, and import "
          + "the parts one after the other.")
    }
    guard let text = String(validating: data, as: UTF8.self) else {
      let whole = String(decoding: data, as: UTF8.self)
      let valid = whole.unicodeScalars.prefix { $0 != "\u{FFFD}" }
      let line = valid.count { $0 == "\n" } + 1
      let column = valid.reversed().prefix { $0 != "\n" }.count + 1
      return refuse(
        "The file is not UTF-8 from here on; save it as UTF-8.", line: line, column: column)
    }
    return text.hasPrefix("\u{FEFF}") ? String(text.unicodeScalars.dropFirst()) : text
  }
}

extension DocumentProblem {
  /// Throws what a file is refused with, unless there is nothing wrong with it.
  static func refuse(
    _ found: [DocumentProblem], in name: String, hint: String
  ) throws(RegistryError) {
    let problems = Set(found).sorted()
    guard let first = problems.first else { return }
    let count = problems.count == 1 ? "1 problem" : "\(problems.count) problems"
    throw RegistryError(
      .invalidDocument, "\(name) has \(count), first in line \(first.line): \(first.message)",
      hint: hint, problems: problems)
  }
}
