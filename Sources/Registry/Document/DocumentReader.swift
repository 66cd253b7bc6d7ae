import Invocation

/// Turns nodes into clips, experiences and places, and reports every rule that the file breaks.
///
/// The rules for clips, experiences and places stand in extensions; here is what they share. A
/// method that cannot make its value has reported why, and returns `nil`.
struct DocumentReader {
  /// Ids of places that may be named although the document does not hold them.
  let knownPlaces: Set<String>

  var problems: [DocumentProblem] = []
  var warnings: [DocumentProblem] = []
  var document = RegistryDocument()

  /// Where each key was defined, for duplicates.
  var clipLines: [String: Int] = [:]
  var linkLines: [String: Int] = [:]
  var placeLines: [String: Int] = [:]
  /// Places that rules name, to be looked for when all places are known.
  var namedPlaces: [(id: String, position: DocumentNode.Position)] = []

  init(knownPlaces: Set<String>) { self.knownPlaces = knownPlaces }

  /// Reads the root of a document.
  mutating func read(_ root: DocumentNode) {
    if case .nothing = root.value {
      problem(root, "The file is empty; begin with “clips:” or “places:”.")
      return
    }
    guard let fields = fields(root, of: "The registry", ["clips", "places"]) else { return }
    for clip in list(fields["clips"], "clips") { readClip(clip) }
    for place in list(fields["places"], "places") { readPlace(place) }
    for (id, position) in namedPlaces where placeLines[id] == nil && !knownPlaces.contains(id) {
      problems.append(
        DocumentProblem(
          at: position,
          "No place has the id “\(id)”.\(id.suggestion(among: Array(placeLines.keys)))"
            + " Add it under “places”, or correct the id."))
    }
  }

  // MARK: Reporting

  mutating func problem(_ node: DocumentNode, _ message: String) {
    problems.append(DocumentProblem(at: node.position, message))
  }

  /// Reports what a rule says about a value, if it says something.
  mutating func report(_ refusal: String?, _ node: DocumentNode?) {
    if let refusal, let node { problem(node, refusal) }
  }

  mutating func warning(_ node: DocumentNode, _ message: String) {
    warnings.append(DocumentProblem(at: node.position, message))
  }

  // MARK: Shapes

  /// The values of a mapping by key. Unknown keys are reported.
  ///
  /// - Parameter what: The mapping at the beginning of a sentence, for example `A place`.
  mutating func fields(
    _ node: DocumentNode, of what: String, _ known: [String]
  ) -> [String: DocumentNode]? {
    guard case .mapping(let entries) = node.value else {
      problem(
        node, "\(what) is a mapping with \(list(known)), not \(node.kind).")
      return nil
    }
    var fields: [String: DocumentNode] = [:]
    for entry in entries {
      guard known.contains(entry.key) else {
        let hint =
          entry.key.utf8.allSatisfy { (0x30...0x39).contains($0) }
          ? " If a decimal comma was meant, write a point."
          : entry.key.suggestion(among: known)
        problems.append(
          DocumentProblem(
            at: entry.position,
            "\(what) has no key “\(entry.key)”.\(hint) Its keys are \(list(known))."))
        continue
      }
      if fields[entry.key] == nil { fields[entry.key] = entry.value }
    }
    return fields
  }

  /// The items of a list; none when it is left out.
  mutating func list(_ node: DocumentNode?, _ key: String) -> [DocumentNode] {
    guard let node else { return [] }
    switch node.value {
    case .list(let items): return items
    case .nothing: return []
    default:
      problem(node, "“\(key)” is a list, not \(node.kind). Begin each item with “- ”.")
      return []
    }
  }

  /// A text that is not empty and holds no control characters.
  mutating func text(_ node: DocumentNode, _ key: String) -> String? {
    switch node.value {
    case .text(let text):
      guard !text.isEmpty else {
        problem(node, "“\(key)” is empty; write a text, or leave the key out.")
        return nil
      }
      // A byte-order mark cannot be seen, and YAML readers drop it.
      guard
        !text.unicodeScalars.contains(where: {
          $0.properties.generalCategory == .control || $0 == "\u{FEFF}"
        })
      else {
        problem(node, "“\(key)” holds a control character or a byte-order mark; remove it.")
        return nil
      }
      return text
    case .number, .flag:
      problem(node, "“\(key)” is a text, not \(node.kind); put it in double quotes.")
    case .nothing:
      problem(node, "“\(key)” has no value; write a text, or leave the key out.")
    case .list, .mapping:
      problem(node, "“\(key)” is a text, not \(node.kind).")
    }
    return nil
  }

  /// A text that must be there.
  mutating func required(
    _ fields: [String: DocumentNode], _ key: String, in node: DocumentNode, _ what: String
  ) -> String? {
    guard let value = fields[key] else {
      problem(node, "\(what) lacks “\(key)”; add it.")
      return nil
    }
    return text(value, key)
  }

  /// A finite number.
  mutating func number(_ node: DocumentNode, _ key: String) -> Double? {
    if case .number(let number) = node.value { return number }
    var hint = ""
    if case .text(let text) = node.value {
      if Double(text) != nil {
        hint = " Remove the quotes."
      } else if text.contains(","), Double(text.replacing(",", with: ".")) != nil {
        hint = " Write a decimal point, not a comma."
      }
    }
    problem(node, "“\(key)” is a number, not \(node.kind).\(hint)")
    return nil
  }

  /// One of a set of words; `nil` when it is left out or wrong.
  mutating func choice<Choice: RawRepresentable<String> & CaseIterable>(
    _ node: DocumentNode?, _ key: String, _ type: Choice.Type
  ) -> Choice? {
    guard let node, let word = text(node, key) else { return nil }
    if let choice = Choice(rawValue: word) { return choice }
    let words = Choice.allCases.map(\.rawValue)
    problem(
      node, "“\(key)” is \(list(words, last: "or")), not “\(word)”.")
    return nil
  }

  // MARK: Words

  /// `a, b and c`.
  func list(_ words: [String], last: String = "and") -> String {
    guard let final = words.last, words.count > 1 else { return words.first ?? "" }
    return words.dropLast().joined(separator: ", ") + " \(last) \(final)"
  }
}
