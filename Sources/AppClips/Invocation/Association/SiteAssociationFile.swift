public import CliptagBasics

/// An association file to serve, which lets a host's URLs invoke its clips.
public struct SiteAssociationFile: Hashable, Sendable {
  /// The file's text, in UTF-8 with a final line break.
  public let text: String
  /// The application identifiers that were added, in the order of the file. Empty if the given file
  /// lists every clip: then ``text`` is that file, byte for byte.
  public let added: [String]

  /// Makes a file for the clips of a host.
  ///
  /// The same clips give the same bytes in any order. The contents of a given file are kept in
  /// order: other services, other clips and keys without a meaning. Only the layout changes, and
  /// only if something is added.
  ///
  /// - Parameters:
  ///   - clips: The clips; those without the host among their domains are left out.
  ///   - host: The host that will serve the file, an A-label in lower case.
  ///   - existing: The file that the host serves at present.
  /// - Throws: ``SiteAssociationFileError`` when no clip has the host, when the given file cannot
  ///   be kept faithfully, or when the result would be larger than iOS reads.
  public init(
    listing clips: [AppClip], on host: String, keeping existing: [UInt8]? = nil
  ) throws(SiteAssociationFileError) {
    let own = Set(clips.filter { $0.domains.contains(host) }.map(\.applicationIdentifier)).sorted()
    guard !own.isEmpty else {
      throw SiteAssociationFileError(
        "No clip has \(host) among its domains",
        hint: "add the host to the clip's domains, and to its entitlements")
    }
    var entries: [DocumentNode.Entry] = []
    var before: String?
    if let existing { (entries, before) = try Self.contents(of: existing) }
    let merged = try Self.merged(own, into: entries)
    added = merged.added
    if let before, merged.added.isEmpty {
      text = before
    } else {
      text = DocumentNode(.mapping(merged.entries)).json + "\n"
    }
    guard text.utf8.count <= SiteAssociation.maximumSize else {
      throw SiteAssociationFileError(
        "The file would have \(text.utf8.count) bytes, and iOS reads at most "
          + "\(SiteAssociation.maximumSize)",
        hint: "shorten the rules of “applinks” with wildcards and substitution variables")
    }
  }

  // MARK: Merging

  /// The keys of a file, and its text.
  private static func contents(
    of bytes: [UInt8]
  ) throws(SiteAssociationFileError) -> ([DocumentNode.Entry], String) {
    var reader = SiteAssociationReader()
    guard let text = reader.text(of: bytes) else {
      throw SiteAssociationFileError(reader.findings.first)
    }
    let reading = JSONSource.read(text)
    if let problem = reading.fault ?? reading.duplicates.first {
      throw SiteAssociationFileError(problem.message, at: problem.position)
    }
    guard let root = reading.root, case .mapping(let entries) = root.value else {
      throw SiteAssociationFileError(
        "The file is not an object", at: DocumentPosition(line: 1, column: 1))
    }
    try checkNumbers(in: root)
    // Only a text that equals the file byte for byte can be returned unchanged.
    return (entries, String(decoding: bytes, as: UTF8.self))
  }

  /// Refuses whole numbers over 2^53, which would be written inexactly.
  private static func checkNumbers(in node: DocumentNode) throws(SiteAssociationFileError) {
    switch node.value {
    case .number(let number) where abs(number) >= 0x1p53:
      throw SiteAssociationFileError(
        "This number has too many digits to preserve", at: node.position)
    case .list(let items): for item in items { try checkNumbers(in: item) }
    case .mapping(let entries): for entry in entries { try checkNumbers(in: entry.value) }
    default: break
    }
  }

  private static func merged(
    _ identifiers: [String], into entries: [DocumentNode.Entry]
  ) throws(SiteAssociationFileError) -> (entries: [DocumentNode.Entry], added: [String]) {
    let service = SiteAssociation.Service.appClips.rawValue
    let section = entries.first { $0.key == service }?.value
    var keys: [DocumentNode.Entry] = []
    if let section {
      guard case .mapping(let found) = section.value else {
        throw SiteAssociationFileError("“appclips” is not an object", at: section.position)
      }
      keys = found
    }
    let apps = keys.first { $0.key == "apps" }?.value
    var items: [DocumentNode] = []
    if let apps {
      guard case .list(let found) = apps.value else {
        throw SiteAssociationFileError("“apps” of “appclips” is not a list", at: apps.position)
      }
      items = found
    }
    let listed = Set(items.compactMap { if case .text(let text) = $0.value { text } else { nil } })
    let added = identifiers.filter { !listed.contains($0) }
    items += added.map { DocumentNode(.text($0)) }
    keys = replacing("apps", in: keys, by: DocumentNode(.list(items)))
    return (replacing(service, in: entries, by: DocumentNode(.mapping(keys))), added)
  }

  /// Returns the entries with another value for a key, which is appended if it is new.
  private static func replacing(
    _ key: String, in entries: [DocumentNode.Entry], by value: DocumentNode
  ) -> [DocumentNode.Entry] {
    let entry = DocumentNode.Entry(
      key: key, position: DocumentPosition(line: 1, column: 1), value: value)
    guard let index = entries.firstIndex(where: { $0.key == key }) else { return entries + [entry] }
    var entries = entries
    entries[index] = entry
    return entries
  }
}

/// An error in making an association file.
public struct SiteAssociationFileError: CodedError {
  // swift-format-ignore: AllPublicDeclarationsHaveDocumentation
  /// The kind of failure.
  public struct Code: FailureCode {
    public let definition: CodeDefinition
    public var rawValue: String { definition.name }

    public init(_ definition: CodeDefinition) { self.definition = definition }

    public static let notMade = Self(
      "association-not-made", [.usage, .malformedInput],
      "The association file could not be made (65: from the existing file).")

    public static let all: [Self] = [.notMade]
  }

  /// The kind of failure; there is only one.
  public var code: Code { .notMade }
  /// The fault, in one sentence.
  public let message: String
  /// The next step, in one sentence.
  public let hint: String
  /// The position of the fault in the given file, if it is there.
  public let position: DocumentPosition?

  init(_ message: String, hint: String) {
    self.message = message.asSentence
    self.hint = hint.asSentence
    position = nil
  }

  init(_ message: String, at position: DocumentPosition) {
    self.message = message.asSentence
    self.position = position
    hint = "Correct the file, or make a new one without it."
  }

  init(_ finding: AssociationFinding?) {
    self.init(
      finding?.finding.message ?? "The file cannot be read",
      at: finding?.position ?? DocumentPosition(line: 1, column: 1))
  }

  /// The sentence with its position and the next step.
  public var description: String {
    let place = position.map { "\($0.line):\($0.column): " } ?? ""
    return "\(place)\(message) \(hint)"
  }
}
