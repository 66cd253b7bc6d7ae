import CliptagBasics
package import Invocation

/// Converts nodes into clips, experiences and places, and reports every broken rule.
///
/// The rules for clips, experiences and places are in extensions; this type contains the parts they
/// share. A method that cannot make its value reports the reason and returns `nil`.
package struct DocumentReader {
  /// Ids of places that the document may name without containing them.
  let knownPlaces: Set<String>
  /// The known facts of the things in the document, which it may omit.
  let present: PresentFacts?

  package internal(set) var problems: [DocumentProblem] = []
  var warnings: [DocumentProblem] = []
  var document = RegistryDocument()
  /// The known facts that the document omits.
  var unstated: [UnstatedFacts] = []

  /// The line on which each key was defined, for duplicates.
  var clipLines: [String: Int] = [:]
  var linkLines: [String: Int] = [:]
  var placeLines: [String: Int] = [:]
  /// Places that rules name, checked when all places are known.
  var namedPlaces: [(id: String, position: DocumentNode.Position)] = []

  /// Makes a reader for parts of a document.
  package init() { self.init(knownPlaces: [], present: nil) }

  init(knownPlaces: Set<String>, present: PresentFacts?) {
    self.knownPlaces = knownPlaces
    self.present = present
  }

  /// Reads the root of a document.
  mutating func read(_ root: DocumentNode) {
    if case .nothing = root.value {
      problem(root, "The file is empty; begin with “clips:” or “places:”.")
      return
    }
    guard let fields = fields(root, of: .registry) else { return }
    for clip in list(fields["clips"], "clips") { readClip(clip) }
    for place in list(fields["places"], "places") { readPlace(place) }
    for (id, position) in namedPlaces where placeLines[id] == nil && !knownPlaces.contains(id) {
      problems.append(
        DocumentProblem(
          at: position,
          [
            "No place has the id “\(id)”.", placeLines.keys.question(about: id),
            "Add it under “places”, or correct the id.",
          ].sentences))
    }
  }

  // MARK: Reporting

  package mutating func problem(_ node: DocumentNode, _ message: String) {
    problems.append(DocumentProblem(at: node.position, message))
  }

  /// Reports the problem of a value with a rule, if there is one.
  mutating func report(_ refusal: String?, _ node: DocumentNode?) {
    if let refusal, let node { problem(node, refusal) }
  }

  mutating func warning(_ node: DocumentNode, _ message: String) {
    warnings.append(DocumentProblem(at: node.position, message))
  }

  // MARK: Shapes

  /// Returns the values of a mapping by key, and reports unknown keys.
  ///
  /// Required keys are not looked for.
  package mutating func fields(
    _ node: DocumentNode, of shape: DocumentShape
  ) -> [String: DocumentNode]? {
    let (what, known) = (shape.subject, shape.names)
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
          ? "For a decimal comma, write a point." : known.question(about: entry.key)
        problems.append(
          DocumentProblem(
            at: entry.position,
            ["\(what) has no key “\(entry.key)”.", hint, "Its keys are \(list(known))."].sentences))
        continue
      }
      if fields[entry.key] == nil { fields[entry.key] = entry.value }
    }
    return fields
  }

  /// Returns the items of a list; none if it is omitted.
  package mutating func list(_ node: DocumentNode?, _ key: String) -> [DocumentNode] {
    guard let node else { return [] }
    switch node.value {
    case .list(let items): return items
    case .nothing: return []
    default:
      problem(node, "“\(key)” is a list, not \(node.kind). Begin each item with “- ”.")
      return []
    }
  }

  /// Reads a text that is not empty and contains no control characters.
  package mutating func text(_ node: DocumentNode, _ key: String) -> String? {
    switch node.value {
    case .text(let text):
      guard !text.isEmpty else {
        problem(node, "“\(key)” is empty; write a text, or leave the key out.")
        return nil
      }
      // A byte-order mark is invisible, and YAML readers drop it.
      guard
        !text.unicodeScalars.contains(where: {
          $0.properties.generalCategory == .control || $0 == "\u{FEFF}"
        })
      else {
        problem(node, "“\(key)” contains a control character or a byte-order mark; remove it.")
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

  /// Reads a required text.
  package mutating func required(
    _ fields: [String: DocumentNode], _ key: String, in node: DocumentNode, _ what: String
  ) -> String? {
    guard let value = fields[key] else {
      problem(node, "\(what) lacks “\(key)”; add it.")
      return nil
    }
    return text(value, key)
  }

  /// Reads a finite number.
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

  /// Reads one of a set of words; `nil` if it is omitted or wrong.
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

  /// Joins words: `a, b and c`.
  func list(_ words: [String], last: String = "and") -> String {
    guard let final = words.last, words.count > 1 else { return words.first ?? "" }
    return words.dropLast().joined(separator: ", ") + " \(last) \(final)"
  }
}

/// The rules for clips.
extension DocumentReader {
  mutating func readClip(_ node: DocumentNode) {
    guard var fields = fields(node, of: .clip) else { return }
    let bundleID = required(fields, "clip", in: node, "The clip")
    if let bundleID, let left = present?.complete(&fields, ofClip: bundleID) {
      unstated.append(left)
    }
    let appBundleID = required(fields, "app", in: node, "The clip")
    checkIdentifiers(clip: bundleID, app: appBundleID, fields)
    let team = required(fields, "team", in: node, "The clip")
    if let team { report(AppClip.problem(withTeam: team), fields["team"]) }
    let appStoreID = appStoreID(fields["appStoreID"])
    let domains = domains(fields["domains"], in: node)
    let confirms = flag(fields["locationConfirmation"], "locationConfirmation")
    let cardFields = fields["defaultExperience"].map { defaultExperience($0) }
    let card = cardFields.map { self.card($0) }
    let listing = clipListing(fields, card: cardFields ?? [:])
    if let bundleID, let position = fields["clip"]?.position {
      if let line = clipLines[bundleID] {
        problems.append(
          DocumentProblem(
            at: position,
            "Duplicate clip “\(bundleID)”, first in line \(line); put its "
              + "experiences together and remove one."))
      } else {
        clipLines[bundleID] = position.line
      }
    }
    for experience in list(fields["experiences"], "experiences") {
      readExperience(experience, clip: bundleID ?? "", domains: domains)
    }
    guard let bundleID, let appBundleID, let team else { return }
    document.clips.append(
      AppClip(
        bundleID: bundleID, appBundleID: appBundleID, team: team, appStoreID: appStoreID,
        domains: domains, locationConfirmation: confirms, defaultExperience: card,
        listing: listing))
  }

  private mutating func checkIdentifiers(
    clip: String?, app: String?, _ fields: [String: DocumentNode]
  ) {
    let before = problems.count
    if let clip { report(AppClip.problem(withBundleID: clip), fields["clip"]) }
    if let app { report(AppClip.problem(withBundleID: app), fields["app"]) }
    if let clip, let app, problems.count == before {
      report(AppClip.problem(withBundleID: clip, ofApp: app), fields["clip"])
    }
  }

  private mutating func appStoreID(_ node: DocumentNode?) -> String? {
    guard let node, let id = text(node, "appStoreID") else { return nil }
    report(AppClip.problem(withAppStoreID: id), node)
    return id
  }

  /// Reads the exact hosts of a clip, in normal form.
  private mutating func domains(_ node: DocumentNode?, in clip: DocumentNode) -> [String] {
    guard let node else {
      problem(clip, "The clip lacks “domains”; list the hosts of its “appclips:” entries.")
      return []
    }
    var domains: [String] = []
    let items = list(node, "domains")
    if items.isEmpty, !problems.contains(where: { $0.line == node.position.line }) {
      warning(node, "The clip has no domains, so no code can invoke it.")
    }
    for item in items {
      guard let text = text(item, "domains"), let host = host(text, item) else { continue }
      if domains.contains(host) {
        problem(item, "The domain “\(host)” is listed twice; remove one.")
      } else {
        domains.append(host)
      }
    }
    return domains
  }

  private mutating func host(_ text: String, _ node: DocumentNode) -> String? {
    report(AppClip.problem(withDomain: text), node)
    return try? HostName.parse(text)
  }

  mutating func flag(_ node: DocumentNode?, _ key: String) -> Bool {
    guard let node else { return false }
    if case .flag(let flag) = node.value { return flag }
    problem(node, "“\(key)” is true or false, not \(node.kind).")
    return false
  }

  private mutating func defaultExperience(_ node: DocumentNode) -> [String: DocumentNode] {
    fields(node, of: .defaultExperience) ?? [:]
  }

  /// Reads the card's texts, within the lengths that App Store Connect permits.
  mutating func card(_ fields: [String: DocumentNode]) -> ExperienceCard {
    ExperienceCard(
      title: cardText(fields["title"], "title", ExperienceCard.problem(withTitle:)),
      subtitle: cardText(fields["subtitle"], "subtitle", ExperienceCard.problem(withSubtitle:)),
      action: choice(fields["action"], "action", CardAction.self) ?? .open)
  }

  private mutating func cardText(
    _ node: DocumentNode?, _ key: String, _ rule: (String) -> String?
  ) -> String? {
    guard let node, let text = text(node, key) else { return nil }
    report(rule(text), node)
    return text
  }
}

/// The rules of a registry file, applied to values from other sources.
///
/// A value added by hand must survive export and import, so it is checked as the contents of a file
/// are.
package enum ValueRules {
  /// Checks a clip.
  ///
  /// - Throws: ``RegistryError/Code/invalid`` with the first broken rule.
  package static func check(_ clip: AppClip) throws(RegistryError) {
    try check { $0.readClip(DocumentNode(OutputNode(clip))) }
  }

  /// Checks an experience, but not whether its clip and place exist.
  package static func check(_ experience: AdvancedExperience) throws(RegistryError) {
    try check {
      $0.readExperience(
        DocumentNode(OutputNode(experience)), clip: experience.clip,
        domains: [experience.link.host])
    }
  }

  /// Checks a place.
  package static func check(_ place: Place) throws(RegistryError) {
    try check { $0.readPlace(DocumentNode(OutputNode(place))) }
  }

  private static func check(
    _ read: (inout DocumentReader) -> Void
  ) throws(RegistryError) {
    var reader = DocumentReader()
    read(&reader)
    guard let problem = reader.problems.first else { return }
    throw RegistryError(
      .invalid, problem.message, hint: "Nothing was changed; correct the value and try again.")
  }
}
