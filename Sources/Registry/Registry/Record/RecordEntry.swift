import CliptagBasics
public import Foundation
import TagAuthenticity

/// An entry of a recorder's chain: an event of a code, or a change of a setting, bound by its hash
/// to every earlier entry.
///
/// The hash is SHA-256 over these fields, in this order. Each field consists of its length in bytes
/// as four bytes, most significant first, and its bytes; text is UTF-8, numbers are decimal digits.
///
/// 1. the text `cliptag entry 1`, the version of this form
/// 2. the recorder, 3. the number, from 1
/// 4. the 32 bytes of the hash of the entry before; zeros for the first
/// 5. the code's name, or the setting (`place:cupertino`), 6. the time in milliseconds since 1970,
///    7. the kind, 8. who
/// 9. `adopted` for an entry adopted from before the chains, otherwise empty
/// 10. the number of details, and each one's name and text, sorted by the bytes of the names
/// 11. the number of facts of the code, and each one's name and text, likewise; 0 except for the
///     entry with which a code begins
///
/// The length of each field is explicit, so no two entries have the same form.
public struct RecordEntry: Hashable, Sendable {
  /// The recorder in whose chain the entry is.
  public let recorder: Recorder
  /// The entry's place in the chain, from 1.
  public let number: Int
  /// The hash of the entry before.
  public let previous: EntryHash
  /// The entry's hash, as stored.
  public let hash: EntryHash
  /// The subject of the entry.
  public let subject: RecordSubject
  /// The time, in milliseconds since 1970.
  package let milliseconds: Int64
  /// The kind of event.
  public let kind: CodeEvent.Kind
  /// The person or program that caused the event.
  public let who: String
  /// Further facts; see ``CodeEvent/Fact`` for names with the same meaning everywhere.
  public let details: [String: String]
  /// A Boolean value that indicates whether the event is older than the chain and was adopted at
  /// its beginning.
  package let isAdopted: Bool
  /// The facts of the issued code, in the entry with which a code begins; see ``IssuedCode/facts``.
  package let issued: [String: String]?
}

extension RecordEntry {
  /// Makes the entry that follows the last one of a chain.
  init(
    of event: CodeEvent, after head: ChainHead?, by recorder: Recorder,
    issuing code: IssuedCode? = nil, isAdopted: Bool = false
  ) throws(RegistryError) {
    let draft = RecordEntry(
      recorder: recorder, number: (head?.number ?? 0) + 1, previous: head?.hash ?? .none,
      hash: .none, subject: .code(event.code), milliseconds: event.time.millisecondsSince1970,
      kind: event.kind, who: event.who, details: event.details, isAdopted: isAdopted,
      issued: code?.facts)
    self = draft.with(hash: try draft.computedHash(), number: draft.number)
  }

  /// Makes the same entry for another chain.
  init(
    retelling entry: RecordEntry, after head: ChainHead?, by recorder: Recorder
  ) throws(RegistryError) {
    let draft = RecordEntry(
      recorder: recorder, number: (head?.number ?? 0) + 1, previous: head?.hash ?? .none,
      hash: .none, subject: entry.subject, milliseconds: entry.milliseconds, kind: entry.kind,
      who: entry.who, details: entry.details, isAdopted: true, issued: entry.issued)
    self = draft.with(hash: try draft.computedHash(), number: draft.number)
  }

  /// Makes the entry about a setting that follows the last one of a chain.
  init(
    of setting: Setting, _ kind: CodeEvent.Kind, at time: Date, by who: String,
    details: [String: String], after head: ChainHead?, recorder: Recorder, isAdopted: Bool = false
  ) throws(RegistryError) {
    let draft = RecordEntry(
      recorder: recorder, number: (head?.number ?? 0) + 1, previous: head?.hash ?? .none,
      hash: .none, subject: .setting(setting), milliseconds: time.millisecondsSince1970,
      kind: kind, who: who, details: details, isAdopted: isAdopted, issued: nil)
    self = draft.with(hash: try draft.computedHash(), number: draft.number)
  }

  /// The code of the event; `nil` for an entry about a setting.
  public var code: CodeID? {
    if case .code(let id) = subject { id } else { nil }
  }

  /// The time of the event.
  public var time: Date { Date(millisecondsSince1970: milliseconds) }

  /// The entry as the head of its chain.
  var head: ChainHead { ChainHead(recorder: recorder, number: number, hash: hash) }

  /// Returns the hash of the entry's contents.
  ///
  /// - Throws: `RegistryError.Code.failed` when OpenSSL fails.
  package func computedHash() throws(RegistryError) -> EntryHash {
    do {
      return EntryHash(unchecked: try SHA256.digest(of: form))
    } catch {
      throw RegistryError(
        .failed, "The hash of an entry cannot be computed: \(error.message)",
        hint: "Check the installation of OpenSSL's library.", underlying: error)
    }
  }

  /// Returns whether the stored hash would be correct under another number.
  func holds(as number: Int) throws(RegistryError) -> Bool {
    try with(hash: hash, number: number).computedHash() == hash
  }

  private func with(hash: EntryHash, number: Int) -> RecordEntry {
    RecordEntry(
      recorder: recorder, number: number, previous: previous, hash: hash, subject: subject,
      milliseconds: milliseconds, kind: kind, who: who, details: details, isAdopted: isAdopted,
      issued: issued)
  }

  /// The hashed bytes.
  var form: [UInt8] {
    var form: [UInt8] = []
    form.reserveCapacity(512)
    Self.append("cliptag entry 1", to: &form)
    Self.append(recorder.description, to: &form)
    Self.append(String(number), to: &form)
    Self.append(previous.bytes, to: &form)
    Self.append(subject.description, to: &form)
    Self.append(String(milliseconds), to: &form)
    Self.append(kind.rawValue, to: &form)
    Self.append(who, to: &form)
    Self.append(isAdopted ? "adopted" : "", to: &form)
    for facts in [details, issued ?? [:]] {
      Self.append(String(facts.count), to: &form)
      let ordered = facts.sorted { $0.key.utf8.lexicographicallyPrecedes($1.key.utf8) }
      for (name, text) in ordered {
        Self.append(name, to: &form)
        Self.append(text, to: &form)
      }
    }
    return form
  }

  private static func append(_ text: String, to form: inout [UInt8]) {
    var text = text
    text.withUTF8 { append($0, to: &form) }
  }

  private static func append(_ bytes: some Collection<UInt8>, to form: inout [UInt8]) {
    withUnsafeBytes(of: UInt32(bytes.count).bigEndian) { form.append(contentsOf: $0) }
    form.append(contentsOf: bytes)
  }
}

extension IssuedCode {
  /// The facts of the issue as the chain stores them: every fact except the status, as text.
  /// Numbers are in the shortest form that reads back, times in milliseconds since 1970.
  package var facts: [String: String] {
    var facts = [
      "url": payload, "carrier": carrier.rawValue, "created": "\(created.millisecondsSince1970)",
      "registered": registered ? "true" : "false",
    ]
    facts["place"] = placeID
    facts["output"] = output
    facts["uid"] = tagUID
    facts["tagType"] = tagType
    if let symbol {
      facts["version"] = "\(symbol.version)"
      facts["errorCorrection"] = symbol.errorCorrection
      facts["moduleSize"] = "\(symbol.moduleSize)"
      facts["width"] = "\(symbol.width)"
    }
    if let appClipCode { facts.merge(appClipCode.texts) { own, _ in own } }
    return facts
  }

  /// Reads ``facts``; `nil` if this version does not write such facts.
  init?(id: CodeID, facts: [String: String]) {
    guard let payload = facts["url"], let carrier = facts["carrier"].flatMap(Carrier.init),
      let created = facts["created"].flatMap({ Int64($0) }),
      let registered = facts["registered"].flatMap({ Bool($0) })
    else { return nil }
    var symbol: Symbol?
    if let version = facts["version"].flatMap({ Int($0) }),
      let errorCorrection = facts["errorCorrection"],
      let moduleSize = facts["moduleSize"].flatMap({ Double($0) }),
      let width = facts["width"].flatMap({ Double($0) })
    {
      symbol = Symbol(
        version: version, errorCorrection: errorCorrection, moduleSize: moduleSize, width: width)
    }
    self.init(
      id: id, payload: payload, carrier: carrier, placeID: facts["place"],
      created: Date(millisecondsSince1970: created), registered: registered,
      output: facts["output"], tagUID: facts["uid"], tagType: facts["tagType"], symbol: symbol,
      appClipCode: AppClipCodeFacts(texts: facts))
    guard FlatJSON.areSame(self.facts, facts) else { return nil }
  }
}

extension RecordEntry {
  /// The entry as one line of JSON, without the line feed. All hashed values are text.
  package var line: [UInt8] {
    var line: [UInt8] = []
    line.reserveCapacity(640)
    func add(_ name: StaticString, _ text: String) {
      line += ",\"\(name)\":".utf8
      line.append(jsonText: text)
    }
    line += "{\"type\":\"entry\"".utf8
    add("recorder", recorder.description)
    line += ",\"number\":\(number)".utf8
    add("previous", previous.description)
    add("hash", hash.description)
    add("code", subject.description)
    add("time", time.registryTimestamp)
    line += ",\"milliseconds\":\(milliseconds)".utf8
    add("kind", kind.rawValue)
    add("who", who)
    line += ",\"adopted\":\(isAdopted),\"details\":".utf8
    FlatJSON.write(details, to: &line)
    line += ",\"issued\":".utf8
    if let issued { FlatJSON.write(issued, to: &line) } else { line += "null".utf8 }
    line.append(UInt8(ascii: "}"))
    return line
  }

  /// The largest number of an entry, which JSON readers process without loss (RFC 8259, section 6).
  static let largestNumber = 1 << 53 - 1

  /// Reads ``line``; `nil` if a member is missing or has another type. Further members are ignored.
  package init?(line: some Sequence<UInt8>) {
    guard let object = FlatJSON.object(line) else { return nil }
    self.init(object)
  }

  /// Reads the members of ``line``.
  init?(_ object: [String: FlatJSON.Value]) {
    func text(_ name: String) -> String? {
      if case .text(let text) = object[name] { text } else { nil }
    }
    func number(_ name: String) -> Int? {
      if case .number(let number) = object[name] { number } else { nil }
    }
    /// Returns the hashed number; the time beside it is for people and must be equal.
    func milliseconds() -> Int64? {
      guard let milliseconds = number("milliseconds").map(Int64.init),
        text("time") == Date(millisecondsSince1970: milliseconds).registryTimestamp
      else { return nil }
      return milliseconds
    }
    guard text("type") == "entry", let recorder = text("recorder").flatMap(Recorder.init),
      let number = number("number"), (1...Self.largestNumber).contains(number),
      let previous = text("previous").flatMap(EntryHash.init(hexadecimal:)),
      let hash = text("hash").flatMap(EntryHash.init(hexadecimal:)),
      let subject = text("code").flatMap(RecordSubject.init),
      let milliseconds = milliseconds(), let kind = text("kind"), let who = text("who"),
      case .truth(let isAdopted) = object["adopted"],
      case .texts(let details) = object["details"]
    else { return nil }
    let issued: [String: String]?
    switch object["issued"] {
    case .texts(let facts):
      guard case .code = subject else { return nil }
      issued = facts
    case .nothing: issued = nil
    default: return nil
    }
    self.init(
      recorder: recorder, number: number, previous: previous, hash: hash, subject: subject,
      milliseconds: milliseconds, kind: CodeEvent.Kind(rawValue: kind), who: who,
      details: details, isAdopted: isAdopted, issued: issued)
  }
}
