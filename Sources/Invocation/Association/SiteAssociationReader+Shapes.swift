// The shapes of JSON that an association file is made of.

extension SiteAssociationReader {
  /// The values of an object by key, the last of each. Other keys are reported and left out.
  ///
  /// - Parameters:
  ///   - name: What the object is, in a sentence.
  ///   - known: The keys that have a meaning here.
  ///   - dead: Keys that people put here although they mean nothing here.
  mutating func fields(
    of node: DocumentNode, named name: String, known: [String], dead: Set<String> = []
  ) -> [String: DocumentNode] {
    guard case .mapping(let entries) = node.value else { return [:] }
    var fields: [String: DocumentNode] = [:]
    for entry in entries {
      if known.contains(entry.key) {
        fields[entry.key] = entry.value
      } else if !isFull {
        reportKey(entry, in: name, known: known, dead: dead)
      }
    }
    return fields
  }

  private mutating func reportKey(
    _ entry: DocumentNode.Entry, in name: String, known: [String], dead: Set<String>
  ) {
    let shown = entry.key.quotedForMessage
    let homes = [
      "apps": "“appclips” and “webcredentials”", "details": "“applinks”",
      "components": "an entry "
        + "of “details”", "paths": "an entry of “details”", "appIDs": "an entry of “details”",
      "substitutionVariables": "“applinks”", "applinks": "the file itself",
      "appclips": "the file itself", "webcredentials": "the file itself",
      "activitycontinuation": "the file itself",
    ]
    if dead.contains(entry.key) {
      report(
        .associationDeadKey, .warning, at: entry.position,
        "\(shown) means nothing in \(name) and is not looked at; remove it.")
    } else if let near = Self.nearMiss(of: entry.key, among: known) {
      report(
        .associationMisspelledKey, .warning, at: entry.position,
        "\(shown) is not looked at in \(name); the key is spelled “\(near)”, in exactly this case.")
    } else if let home = homes[entry.key] {
      report(
        .associationMisplacedKey, .warning, at: entry.position,
        "\(shown) is not looked at in \(name); it belongs in \(home).")
    } else {
      report(
        .associationUnknownKey, .note, at: entry.position,
        "\(shown) has no known meaning in \(name).")
    }
  }

  /// The known key that another one was probably meant to be.
  static func nearMiss(of key: String, among known: [String]) -> String? {
    let letters = key.lowercased().filter { $0 != "-" && $0 != "_" && $0 != " " }
    return known.first { $0.lowercased() == letters }
      ?? (letters.utf8.count > 3 ? letters.nearest(among: known) : nil)
  }

  /// A text, or `nil` when the value is none, which is reported.
  mutating func text(_ node: DocumentNode, _ name: String) -> String? {
    if case .text(let text) = node.value { return text }
    wrongType(node, name, "a text in double quotes")
    return nil
  }

  /// `true` or `false`, or `nil` when the value is neither, which is reported.
  mutating func flag(_ node: DocumentNode, _ name: String) -> Bool? {
    if case .flag(let flag) = node.value { return flag }
    wrongType(node, name, "true or false without quotes")
    return nil
  }

  mutating func wrongType(_ node: DocumentNode, _ name: String, _ right: String) {
    report(
      .associationWrongType, .error, at: node.position, as: .badJSONContent,
      "\(name) is \(right), not \(node.kind); it is not looked at.")
  }
}
