/// The source of clips, experiences and places for the check: a database, or values in memory.
///
/// The lookups are designed so that one check costs the same with ten experiences and with a
/// million.
public protocol ExperienceDirectory: Sendable {
  /// The clips with `host` among their domains.
  ///
  /// - Parameter host: An A-label host in lower case.
  func clips(associatedWith host: String) throws -> [AppClip]

  /// Every clip; called only for a URL that no clip claims, to name the nearest.
  func clips() throws -> [AppClip]

  /// The clip with a bundle identifier.
  func clip(bundleID: String) throws -> AppClip?

  /// The clip with a demo link: one that App Store Connect issued on Apple's own host. The default
  /// implementation has none.
  func clip(demoLink: InvocationURL) throws -> AppClip?

  /// Every experience, of any status, whose link has this host and whose
  /// ``InvocationURL/foldedKey`` is one of `foldedKeys`.
  func experiences(host: String, foldedKeys: Set<String>) throws -> [AdvancedExperience]

  /// Every experience, of any status, that covers `url`, or that would if case or the last slash of
  /// its path were ignored.
  ///
  /// Additional experiences in the result do no harm. The default implementation returns the
  /// experiences under the URL's ``InvocationURL/foldedPrefixKeys``.
  func experiences(near url: InvocationURL) throws -> [AdvancedExperience]

  /// The place with an id.
  func place(id: String) throws -> Place?
}

extension ExperienceDirectory {
  /// Returns `nil`: no demo links are kept.
  public func clip(demoLink: InvocationURL) throws -> AppClip? { nil }

  /// Every experience under one of the URL's ``InvocationURL/foldedPrefixKeys``.
  public func experiences(near url: InvocationURL) throws -> [AdvancedExperience] {
    try experiences(host: url.host, foldedKeys: url.foldedPrefixKeys)
  }
}

/// Clips, experiences and places in memory, compiled for checks: a million experiences take some
/// tens of bytes each, and a lookup among them takes as long as among ten.
public struct ExperienceCatalog: ExperienceDirectory {
  private let clipsByID: [String: AppClip]
  private let clipsByHost: [String: [AppClip]]
  private let links: CompiledLinks
  private let placesByID: [String: Place]

  /// Makes a catalog. Of two clips or two places with one id, the last is kept.
  public init(
    clips: [AppClip] = [], experiences: some Sequence<AdvancedExperience> = [AdvancedExperience](),
    places: [Place] = []
  ) {
    var links = CompiledLinks.Builder()
    for experience in experiences { links.append(experience) }
    self.init(clips: clips, links: links.compiled(), places: places)
  }

  /// Makes a catalog of experiences alone, which are read one after another.
  ///
  /// - Parameter read: Calls its argument for each experience.
  package init<Failure>(
    reading read: ((AdvancedExperience) -> Void) throws(Failure) -> Void
  ) throws(Failure) {
    var links = CompiledLinks.Builder()
    try read { links.append($0) }
    self.init(clips: [], links: links.compiled(), places: [])
  }

  private init(clips: [AppClip], links: CompiledLinks, places: [Place]) {
    let clipsByID = Dictionary(clips.map { ($0.bundleID, $0) }) { $1 }
    var clipsByHost: [String: [AppClip]] = [:]
    for clip in clipsByID.values.sorted(by: { $0.bundleID < $1.bundleID }) {
      for host in Set(clip.domains) { clipsByHost[host, default: []].append(clip) }
    }
    self.clipsByID = clipsByID
    self.clipsByHost = clipsByHost
    self.links = links
    self.placesByID = Dictionary(places.map { ($0.id, $0) }) { $1 }
  }

  /// The number of experiences.
  package var experienceCount: Int { links.count }

  /// The clips with `host` among their domains, by bundle identifier.
  public func clips(associatedWith host: String) -> [AppClip] { clipsByHost[host] ?? [] }

  /// Every clip, by bundle identifier.
  public func clips() -> [AppClip] { clipsByID.values.sorted { $0.bundleID < $1.bundleID } }

  /// The clip with a bundle identifier.
  public func clip(bundleID: String) -> AppClip? { clipsByID[bundleID] }

  /// The clip with a demo link; of several, the first by bundle identifier.
  public func clip(demoLink: InvocationURL) -> AppClip? {
    clipsByID.values.filter { $0.listing.demoLink?.normalized == demoLink.normalized }
      .min { $0.bundleID < $1.bundleID }
  }

  /// Every experience whose link has this host and one of these keys.
  public func experiences(host: String, foldedKeys: Set<String>) -> [AdvancedExperience] {
    foldedKeys.flatMap { links.experiences(host: host, key: Array($0.utf8)) }
  }

  /// Every experience that covers a URL, or nearly does.
  public func experiences(near url: InvocationURL) -> [AdvancedExperience] {
    let (key, toggled, shared) = url.foldedSpellings
    return links.experiences(host: url.host, prefixing: key, longerThan: 0)
      + links.experiences(host: url.host, prefixing: toggled, longerThan: shared)
  }

  /// The place with an id.
  public func place(id: String) -> Place? { placesByID[id] }
}

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// Experiences in few bytes, sorted by host and link, so that a binary search finds all that cover
/// a URL in a few steps.
///
/// An experience takes its link's path and query, its identifier and date in App Store Connect, and
/// 24 bytes more: values shared with others, its clip, card, language, status, place rule and the
/// rest of its listing, are stored once. A lookup reassembles it.
struct CompiledLinks: Sendable {
  /// The values that experiences share, except their places.
  private struct Face: Hashable {
    let clip: String
    let card: ExperienceCard
    let language: String
    let status: ExperienceStatus
    let listing: ExperienceListing
  }

  private struct Record {
    /// The start of the matching key in ``text``; payload, identifier and date follow it.
    var start: Int
    var keyLength: UInt16
    /// The length of the payload; 0 if it is the normal form.
    var payloadLength: UInt16
    /// The length of the identifier; 0 if it is kept with the face.
    var identifierLength: UInt8
    var hasDate: Bool
    var face: UInt32
    /// The number of the place rule; `UInt32.max` without one.
    var place: UInt32
  }

  private let text: [UInt8]
  /// The records by host, then by folded key.
  private let records: [Record]
  private let ranges: [String: Range<Int>]
  private let faces: [Face]
  private let places: [PlaceRule]

  /// Adds experiences one after another, so that they need not be in memory at once.
  struct Builder {
    private var text: [UInt8] = []
    private var records: [String: [Record]] = [:]
    private var faces = NumberedValues<Face>()
    private var places = NumberedValues<PlaceRule>()

    mutating func append(_ experience: AdvancedExperience) {
      let link = experience.link
      let start = text.count
      text.append(contentsOf: link.matchingBytes)
      let keyLength = text.count - start
      if link.payload != link.normalized { text.append(contentsOf: link.payload.utf8) }
      let payloadLength = text.count - start - keyLength
      var listing = experience.listing
      let identifierLength = moveIdentifier(of: &listing)
      let hasDate = moveDate(of: &listing)
      let face = Face(
        clip: experience.clip, card: experience.card, language: experience.language,
        status: experience.status, listing: listing)
      // A link has at most 2,048 bytes, which escapes may triple.
      records[link.host, default: []].append(
        Record(
          start: start, keyLength: UInt16(keyLength), payloadLength: UInt16(payloadLength),
          identifierLength: identifierLength, hasDate: hasDate, face: faces.number(of: face),
          place: experience.place.map { places.number(of: $0) } ?? .max))
    }

    // Hardly any two experiences have the same identifier, so sharing would save nothing.

    private mutating func moveIdentifier(of listing: inout ExperienceListing) -> UInt8 {
      guard let identifier = listing.identifier?.utf8,
        let length = UInt8(exactly: identifier.count)
      else { return 0 }
      text.append(contentsOf: identifier)
      if length > 0 { listing.identifier = nil }
      return length
    }

    private mutating func moveDate(of listing: inout ExperienceListing) -> Bool {
      guard let date = listing.changed else { return false }
      withUnsafeBytes(of: date.timeIntervalSinceReferenceDate.bitPattern) {
        text.append(contentsOf: $0)
      }
      listing.changed = nil
      return true
    }

    consuming func compiled() -> CompiledLinks {
      var sorted: [Record] = []
      var ranges: [String: Range<Int>] = [:]
      for host in Array(records.keys) {
        let ofHost = records.removeValue(forKey: host) ?? []
        let start = sorted.count
        sorted += text.withUnsafeBufferPointer { text in
          ofHost.sorted { CompiledLinks.isLess($0, $1, in: text) }
        }
        ranges[host] = start..<sorted.count
      }
      return CompiledLinks(
        text: text, records: sorted, ranges: ranges, faces: faces.values, places: places.values)
    }
  }

  /// The number of experiences.
  var count: Int { records.count }

  /// Every experience of a host whose folded key is a prefix of `key`, or equals it.
  ///
  /// - Parameters:
  ///   - key: A folded matching key.
  ///   - length: The length in bytes that links must exceed.
  func experiences(
    host: String, prefixing key: [UInt8], longerThan length: Int
  ) -> [AdvancedExperience] {
    guard let range = ranges[host] else { return [] }
    return prefixes(of: key, longerThan: length, in: range).map { experience(records[$0], host) }
  }

  /// Every experience of a host with exactly this folded key.
  func experiences(host: String, key: [UInt8]) -> [AdvancedExperience] {
    experiences(host: host, prefixing: key, longerThan: key.count - 1)
  }

  /// The records whose keys are prefixes of a key, longest first.
  ///
  /// The last record that does not sort after the key is a prefix of it, or differs from it at some
  /// byte. Every shorter prefix sorts before that record, and no prefix in between is longer than
  /// their common prefix. So the search continues with the common prefix, before that record.
  private func prefixes(
    of key: [UInt8], longerThan length: Int, in range: Range<Int>
  ) -> [Int] {
    var found: [Int] = []
    var limit = key.count
    var end = range.upperBound
    text.withUnsafeBufferPointer { text in
      key.withUnsafeBufferPointer { key in
        while limit > length {
          var low = range.lowerBound
          var high = end
          while low < high {
            let middle = low + (high - low) / 2
            if Self.comesAfter(records[middle], key[..<limit], in: text) {
              high = middle
            } else {
              low = middle + 1
            }
          }
          guard low > range.lowerBound else { return }
          end = low - 1
          let record = records[end]
          limit = Self.sharedLength(of: record, with: key[..<limit], in: text)
          if limit == Int(record.keyLength), limit > length { found.append(end) }
        }
      }
    }
    return found
  }

  private func experience(_ record: Record, _ host: String) -> AdvancedExperience {
    var rest = text[record.start...]
    let key = String(decoding: Self.take(Int(record.keyLength), of: &rest), as: UTF8.self)
    let payload = Self.take(Int(record.payloadLength), of: &rest)
    let face = faces[Int(record.face)]
    var listing = face.listing
    if record.identifierLength > 0 {
      let identifier = Self.take(Int(record.identifierLength), of: &rest)
      listing.identifier = String(decoding: identifier, as: UTF8.self)
    }
    if record.hasDate {
      let bits = rest.prefix(8).withUnsafeBytes { $0.loadUnaligned(as: UInt64.self) }
      listing.changed = Date(timeIntervalSinceReferenceDate: Double(bitPattern: bits))
    }
    return AdvancedExperience(
      clip: face.clip,
      link: InvocationURL(
        payload: payload.isEmpty ? nil : String(decoding: payload, as: UTF8.self), host: host,
        matchingKey: key),
      card: face.card, language: face.language, status: face.status,
      place: record.place == .max ? nil : places[Int(record.place)], listing: listing)
  }

  private static func take(_ count: Int, of bytes: inout ArraySlice<UInt8>) -> ArraySlice<UInt8> {
    defer { bytes.removeFirst(count) }
    return bytes.prefix(count)
  }

  // MARK: Comparing

  private typealias Bytes = UnsafeBufferPointer<UInt8>

  private static func isLess(_ left: Record, _ right: Record, in text: Bytes) -> Bool {
    let right = text[right.start..<(right.start + Int(right.keyLength))]
    return text[left.start..<(left.start + Int(left.keyLength))]
      .lexicographicallyPrecedes(right) { $0.folded < $1.folded }
  }

  private static func sharedLength(
    of record: Record, with key: Slice<Bytes>, in text: Bytes
  ) -> Int {
    let most = min(Int(record.keyLength), key.count)
    var length = 0
    while length < most, text[record.start + length].folded == key[length] { length += 1 }
    return length
  }

  private static func comesAfter(_ record: Record, _ key: Slice<Bytes>, in text: Bytes) -> Bool {
    let length = sharedLength(of: record, with: key, in: text)
    if length == Int(record.keyLength) { return false }
    return length == key.count || text[record.start + length].folded > key[length]
  }
}

/// Values that are stored once and referred to by number.
private struct NumberedValues<Value: Hashable> {
  private(set) var values: [Value] = []
  private var numbers: [Value: UInt32] = [:]

  mutating func number(of value: Value) -> UInt32 {
    if let number = numbers[value] { return number }
    let number = UInt32(values.count)
    values.append(value)
    numbers[value] = number
    return number
  }
}

extension UInt8 {
  /// The byte with an ASCII capital letter in lower case, any other unchanged.
  var folded: UInt8 { self &- 0x41 < 26 ? self | 0x20 : self }
}
