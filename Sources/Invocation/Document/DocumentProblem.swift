/// Something wrong, or doubtful, at one spot of a document.
public struct DocumentProblem: Hashable, Sendable {
  /// Line in the file, from 1.
  public let line: Int
  /// Column in the line, from 1, counted in Unicode scalars.
  public let column: Int
  /// What is wrong and what to write instead, as sentences.
  public let message: String

  /// Makes a problem.
  package init(line: Int, column: Int, _ message: String) {
    self.line = line
    self.column = column
    self.message = message
  }
}

extension DocumentProblem: Comparable {
  /// Orders by position, then by sentence.
  public static func < (left: DocumentProblem, right: DocumentProblem) -> Bool {
    (left.line, left.column, left.message) < (right.line, right.column, right.message)
  }
}

extension DocumentProblem: CustomStringConvertible {
  /// `line:column: message`, the form that editors can follow.
  public var description: String { "\(line):\(column): \(message)" }
}
