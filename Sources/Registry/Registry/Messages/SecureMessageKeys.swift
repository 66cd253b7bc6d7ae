import CliptagBasics
public import Foundation
public import Invocation
package import TagAuthenticity

/// The URLs that carry Secure Unique NFC messages, with their format and keys: the contents of a
/// key file.
///
/// Keys are in no registry and in no export: they stay in a separate file, which the verifier names
/// and only its owner should be able to read.
public struct SecureMessageKeys: Sendable {
  /// The messages of the URLs under one prefix.
  public struct Entry: Sendable {
    /// The beginning of the URLs, by whole path segments.
    public let prefix: InvocationURL
    /// The positions of a message's parts, and the keys.
    package let configuration: SecureUniqueMessageConfiguration
    /// The keys that tags are given; `nil` if the entry only verifies messages.
    package let provisioning: Provisioning?
  }

  /// The keys that tags of one prefix are given.
  package struct Provisioning: Sendable {
    /// The keys.
    package let keys: TagKeySet
    /// The keys that tags were given before.
    package let former: [TagKeySet]
  }

  /// The entries, in the order of the file.
  public let entries: [Entry]

  /// Returns the entry for a URL: the one with the longest prefix that covers it.
  package func entry(for url: InvocationURL) -> Entry? {
    entries
      .filter {
        $0.prefix.host == url.host
          && PrefixEngine.segment.covers(
            link: $0.prefix.matchingKey, key: url.matchingKey)
      }
      .max { $0.prefix.matchingKey.utf8.count < $1.prefix.matchingKey.utf8.count }
  }

  /// The size of the largest readable file, in bytes.
  package static let maximumSize = 4 * 1024 * 1024

  /// Reads a key file: YAML, UTF-8 with or without byte-order mark.
  ///
  /// As with a registry file, unknown keys, wrong types, duplicates and broken rules are refused
  /// and all reported at once. No message repeats a key.
  ///
  /// - Parameters:
  ///   - data: The file's bytes.
  ///   - name: The file's name, for messages.
  /// - Throws: `RegistryError.Code.invalidDocument` with every problem.
  public static func read(
    _ data: Data, name: String = "the key file"
  ) throws(RegistryError) -> SecureMessageKeys {
    var problems: [DocumentProblem] = []
    var reader = KeyDocumentReader()
    if data.count > maximumSize {
      problems.append(
        DocumentProblem(
          line: 1, column: 1,
          "The file has \(data.count) bytes; the limit is \(maximumSize). It is not a key file."))
    } else if let text = RegistryDocument.text(of: data, problems: &problems),
      let root = YAMLSource.parse(text, problems: &problems)
    {
      reader.read(root)
    }
    try DocumentProblem.refuse(
      problems + reader.problems, in: name,
      hint: "Correct the key file and try again; nothing was verified.")
    return SecureMessageKeys(entries: reader.entries)
  }
}
