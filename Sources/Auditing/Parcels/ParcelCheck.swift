public import Invocation
public import Registry

/// Compares what is read from a parcel with the packing list of its place.
///
/// A printed code and a tag with the same URL are two codes, and so are two tags. Everything is
/// looked up in the registry; nothing needs a network.
public struct ParcelCheck: Sendable {
  /// One code that was read from the parcel.
  public struct Reading: Hashable, Sendable {
    /// What carried it.
    public let carrier: IssuedCode.Carrier
    /// Its text.
    public let payload: String
    /// The text as it is recorded, where a tag changes it at each reading.
    public let recordedPayload: String
    /// The tag's UID.
    public let uid: String?
    /// Where it was read, for people.
    public let source: String

    /// Makes a reading of a printed code.
    public init(printed payload: String, source: String) {
      carrier = .qr
      self.payload = payload
      recordedPayload = payload
      uid = nil
      self.source = source
    }

    /// Makes a reading of a tag.
    ///
    /// - Parameters:
    ///   - payload: What a phone gets.
    ///   - recordedPayload: The same with zeros where the tag shows a counter; `nil` when equal.
    ///   - uid: In upper-case hexadecimal.
    ///   - source: The reader.
    public init(tag payload: String, recordedPayload: String? = nil, uid: String, source: String) {
      carrier = .nfc
      self.payload = payload
      self.recordedPayload = recordedPayload ?? payload
      self.uid = uid.uppercased()
      self.source = source
    }
  }

  /// What a reading is to the parcel.
  public enum Result: String, Hashable, Sendable, CaseIterable {
    /// A code of the list, read for the first time.
    case expected
    /// A tag that lay there before and is no second one, or a further copy that is wanted.
    case again
    /// A printed code of the list that was read before.
    case duplicate
    /// A code of ours that belongs elsewhere.
    case swapped
    /// A code of ours that was withdrawn.
    case retired
    /// No code of ours.
    case foreign
  }

  /// The answer to one reading.
  public struct Answer: Hashable, Sendable {
    /// What was read.
    public let reading: Reading
    /// What it is to the parcel.
    public let result: Result
    /// The code that it is, if it is one of ours.
    public let code: IssuedCode?
    /// What is wrong with it; none for what belongs there.
    public let findings: [Finding]
  }

  /// The list.
  public let list: PackingList
  private let registry: any RegistryStore
  private let copies: Int
  /// Where each code of the list was read first, and how often in all.
  private var read: [CodeID: (source: String, times: Int)] = [:]
  /// How many readings did not belong.
  public private(set) var troubleCount = 0

  /// Begins with an empty parcel.
  ///
  /// - Parameters:
  ///   - list: What belongs in.
  ///   - registry: Where every code is looked up.
  ///   - copies: How often a printed code may be in, as on a sheet of labels.
  public init(_ list: PackingList, in registry: any RegistryStore, copies: Int = 1) {
    self.list = list
    self.registry = registry
    self.copies = copies
  }

  /// How many codes of the list were read.
  public var readCount: Int { read.count }

  /// The codes of the list that were not read.
  public var missing: [PackingList.Item] { list.items.filter { read[$0.code.id] == nil } }

  /// Whether every code of the list was read, and nothing else.
  public var isComplete: Bool { troubleCount == 0 && missing.isEmpty }

  /// Takes one reading.
  ///
  /// - Throws: What the registry throws.
  public mutating func take(_ reading: Reading) throws(RegistryError) -> Answer {
    let answer = try answer(to: reading)
    switch answer.result {
    case .expected, .again:
      if let code = answer.code { read[code.id, default: (reading.source, 0)].times += 1 }
    case .duplicate, .swapped, .retired, .foreign: troubleCount += 1
    }
    return answer
  }

  /// How many codes of the list were read that no history says were packed.
  ///
  /// - Throws: What the registry throws.
  public func unrecordedCount() throws(RegistryError) -> Int {
    try registry.read { registry in
      var count = 0
      for id in read.keys {
        let history = try registry.history(of: id)
        if !history.contains(where: { $0.kind == .packed }) { count += 1 }
      }
      return count
    }
  }

  /// Takes in that something was seen that could not be read.
  public mutating func takeUnread() { troubleCount += 1 }

  private func answer(to reading: Reading) throws(RegistryError) -> Answer {
    let codes = try registry.codes(
      CodeFilter(carrier: reading.carrier, payload: reading.recordedPayload)
    ).filter { $0.tagUID == nil || $0.tagUID == reading.uid }
    let issued = codes.filter { $0.status == .issued }
    if let code = issued.last(where: { $0.placeID == list.place.id }) {
      return expected(code, reading)
    }
    if let code = issued.last {
      return Answer(
        reading: reading, result: .swapped, code: code,
        findings: [Finding(.parcelSwapped, .error, try swappedMessage(code))])
    }
    if let code = codes.last {
      return Answer(
        reading: reading, result: .retired, code: code,
        findings: [
          Finding(
            .parcelRetired, .error,
            "The code \(code.id) was retired and must not be hung up: take it out.")
        ])
    }
    return Answer(
      reading: reading, result: .foreign, code: nil,
      findings: [Finding(.parcelForeign, .error, try foreignMessage(reading))])
  }

  private func expected(_ code: IssuedCode, _ reading: Reading) -> Answer {
    guard let before = read[code.id] else {
      return Answer(reading: reading, result: .expected, code: code, findings: [])
    }
    // A tag is known by its UID; it is the same one.
    if code.tagUID != nil || before.times < copies {
      return Answer(reading: reading, result: .again, code: code, findings: [])
    }
    let place = before.source == reading.source ? "before" : "in \(before.source) before"
    return Answer(
      reading: reading, result: .duplicate, code: code,
      findings: [
        Finding(
          .parcelDuplicate, .error,
          "The code \(code.id) was read \(place): there is one too many, or one was read twice.")
      ])
  }

  private func swappedMessage(_ code: IssuedCode) throws(RegistryError) -> String {
    guard let id = code.placeID else {
      return "The code \(code.id) belongs to no place, so not into this parcel."
    }
    let place = try registry.read { registry in try registry.place(id: id) }
    let name = place.map { "\($0.name) (\(id))" } ?? "the place \(id)"
    return "The code \(code.id) belongs to \(name), not to \(list.place.name) (\(list.place.id))."
  }

  private func foreignMessage(_ reading: Reading) throws(RegistryError) -> String {
    let same = try registry.codes(CodeFilter(payload: reading.recordedPayload))
    let other = same.last { $0.carrier != reading.carrier }
    switch reading.carrier {
    case .nfc:
      if let uid = same.last(where: { $0.carrier == .nfc })?.tagUID {
        return "The tag \(reading.uid ?? "") carries a URL of ours, but we wrote that to the tag "
          + "\(uid): this one is a copy, or was written without the registry."
      }
      return "The tag \(reading.uid ?? "") is none of ours"
        + (other.map { "; its URL was issued in print only (\($0.id))." } ?? ".")
    case .qr:
      return "No code with this text was printed by us"
        + (other.map { "; it was issued on a tag only (\($0.id))." } ?? ".")
    }
  }
}
