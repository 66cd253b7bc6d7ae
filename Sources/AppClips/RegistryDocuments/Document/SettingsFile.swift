import CliptagBasics
public import Foundation
import Invocation

/// A file with settings: defaults for options of the command.
public struct SettingsFile: Hashable, Sendable {
  /// A value of a file.
  public struct Value: Hashable, Sendable {
    /// The value as the option takes it.
    public let text: String
    /// The line of its key, from 1.
    public let line: Int
  }

  /// The values by key.
  public let values: [String: Value]

  /// The size of the largest readable file, in bytes.
  package static let maximumSize = 64 * 1024

  /// Reads a file of settings in YAML: one mapping from keys to texts. An empty file has none.
  ///
  /// - Parameters:
  ///   - data: The file's bytes, UTF-8.
  ///   - known: The keys that may occur.
  ///   - name: The file's name, for messages.
  /// - Throws: ``RegistryError/Code/invalidDocument`` with every problem.
  public init(_ data: Data, known: [String], name: String) throws(RegistryError) {
    let shape = DocumentShape(
      "settings file", "Defaults for options.",
      known.map { .optional($0, .text(), "The value of the option.") })
    var problems: [DocumentProblem] = []
    var reader = DocumentReader()
    var values: [String: Value] = [:]
    if let text = RegistryDocument.text(of: data, problems: &problems),
      let root = YAMLSource.parse(text, problems: &problems), !root.isNothing
    {
      for (key, node) in reader.fields(root, of: shape) ?? [:] {
        guard let text = reader.text(node, key) else { continue }
        values[key] = Value(text: text, line: node.position.line)
      }
    }
    try DocumentProblem.refuse(problems + reader.problems, in: name, hint: "Correct the file.")
    self.values = values
  }
}

extension DocumentNode {
  fileprivate var isNothing: Bool {
    if case .nothing = value { true } else { false }
  }
}
