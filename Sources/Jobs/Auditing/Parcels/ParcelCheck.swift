public import Invocation
public import Registry
public import Verifying

/// Compares the codes read from a parcel with the packing list of its place.
///
/// A printed code and a tag with the same URL are two codes, and so are two tags. The prints of one
/// code cannot be distinguished by reading them, so they are counted: each place in a picture, each
/// picture and each scan counts as one print. All lookups use the registry; no network is needed.
public struct ParcelCheck: Sendable {
  /// The relation of a code that was read to the parcel.
  public enum Result: String, Hashable, Sendable, CaseIterable {
    /// A code of the list, read for the first time.
    case expected
    /// A tag that was read before and is the same one, or a further print that belongs in or is
    /// allowed.
    case again
    /// A printed code of the list that was read more often than it has prints.
    case duplicate
    /// A code of this registry that belongs to another place.
    case swapped
    /// A code of this registry that was retired.
    case retired
    /// A code that is not in this registry.
    case foreign
  }

  /// The result for one code that was read.
  public struct Answer: Sendable {
    /// The code that was read.
    public let read: VerifiedCode
    /// Its relation to the parcel.
    public let result: Result
    /// The issued code, if it is in this registry.
    public let code: IssuedCode?
    /// The findings about it; empty for a code that belongs to the parcel.
    public let findings: [Finding]
    /// The number of prints or tags of the code that were read so far, and that belong in; `nil` for
    /// a code that is not on the list.
    public fileprivate(set) var count: Count?

    fileprivate init(
      _ read: VerifiedCode, _ result: Result, _ code: IssuedCode?, _ finding: Finding? = nil
    ) {
      self.read = read
      self.result = result
      self.code = code
      findings = finding.map { [$0] } ?? []
    }
  }

  /// The prints or tags of one code.
  public struct Count: Hashable, Sendable {
    /// The number that was read, up to ``pieces``.
    public let seen: Int
    /// The number that belongs in, with all copies.
    public let pieces: Int
  }

  /// The list.
  public let list: PackingList
  private let registry: any RegistryStore
  private let copies: Int
  /// The source of the first reading of each code of the list, and the number of its readings.
  private var read: [CodeID: (source: String, times: Int)] = [:]
  /// The largest number of readings of each code in one picture, page or scan.
  private var together: [CodeID: Int] = [:]
  private let pieces: [CodeID: Int]
  /// The number of readings that do not belong to the parcel.
  public private(set) var troubleCount = 0

  /// Begins with an empty parcel.
  ///
  /// - Parameters:
  ///   - list: The expected contents.
  ///   - registry: The registry in which every code is looked up.
  ///   - copies: The allowed number of copies of a printed code, if it is larger than the number of
  ///     its prints on record.
  public init(_ list: PackingList, in registry: any RegistryStore, copies: Int = 1) {
    self.list = list
    self.registry = registry
    self.copies = copies
    pieces = Dictionary(
      list.items.map { ($0.code.id, $0.pieceCount) }, uniquingKeysWith: { first, _ in first })
  }

  /// The number of codes of the list that were read.
  public var readCount: Int { read.count }

  /// The codes of the list that were not read.
  public var missing: [PackingList.Item] { list.items.filter { read[$0.code.id] == nil } }

  /// The codes of the list of which fewer prints were read than belong in, but at least one, with
  /// their numbers.
  public var incomplete: [(item: PackingList.Item, count: Count)] {
    list.items.compactMap { item in
      guard read[item.code.id] != nil, let count = count(of: item.code),
        count.seen < count.pieces
      else { return nil }
      return (item, count)
    }
  }

  /// The codes of the list with several prints that were never read together: the pictures or scans
  /// may be of the same print.
  package var apart: [PackingList.Item] {
    list.items.filter { item in
      read[item.code.id] != nil && item.pieceCount > 1
        && together[item.code.id, default: 0] < item.pieceCount
        && count(of: item.code).map { $0.seen == $0.pieces } ?? false
    }
  }

  /// The number of prints and tags that were read, each code's up to those that belong in.
  package var pieceCount: Int {
    list.items.reduce(0) { $0 + (count(of: $1.code)?.seen ?? 0) }
  }

  private func count(of code: IssuedCode) -> Count? {
    pieces[code.id].map { Count(seen: min($0, read[code.id]?.times ?? 0), pieces: $0) }
  }

  /// Whether every print and tag of the list was read, and no other.
  public var isComplete: Bool { troubleCount == 0 && missing.isEmpty && incomplete.isEmpty }

  /// A verifier for the contents of the parcel: looks up the identity of each code, and asks for no
  /// position.
  public var verifier: Verifier {
    var options = Verifier.Options()
    options.record = registry
    options.place = list.place.id
    return Verifier(
      check: InvocationCheck(directory: registry), location: .notAsked, options: options)
  }

  /// Takes an observation of the parcel.
  ///
  /// - Parameter seen: An observation by ``verifier``.
  /// - Returns: The answers to its printed codes and tags. Barcodes that do not resemble QR codes are
  ///   skipped: no iPhone takes them for an invocation, and parcels have those of carriers.
  /// - Throws: The errors of the registry.
  public mutating func take(_ seen: CodeObservation) throws(RegistryError) -> [Answer] {
    var answers: [Answer] = []
    for code in seen.codes
    where code.verification.carrier != .barcode || code.unsupportedSymbol != nil {
      answers.append(try take(code))
    }
    let belonging = answers.compactMap { $0.count == nil ? nil : $0.code?.id }
    for (code, times) in Dictionary(grouping: belonging, by: \.self).mapValues(\.count) {
      together[code] = max(together[code] ?? 0, times)
    }
    if seen.failure == nil { troubleCount += seen.unread.count }
    return answers
  }

  /// Takes one code that was read.
  ///
  /// - Parameter read: A code verified by ``verifier``.
  /// - Throws: The errors of the registry.
  public mutating func take(_ read: VerifiedCode) throws(RegistryError) -> Answer {
    var answer = try answer(to: read)
    switch answer.result {
    case .expected, .again:
      if let code = answer.code {
        let times = self.read[code.id]?.times ?? 0
        // A tag is identified by its UID; it is the same one.
        self.read[code.id, default: (read.place, 0)].times = code.tagUID == nil ? times + 1 : 1
        answer.count = count(of: code)
      }
    case .duplicate, .swapped, .retired, .foreign: troubleCount += 1
    }
    return answer
  }

  /// The number of codes of the list that were read and have no record of packing.
  ///
  /// - Throws: The errors of the registry.
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

  private func answer(to read: VerifiedCode) throws(RegistryError) -> Answer {
    let identity = try registry.read { registry in
      try read.identified(in: registry, preferring: list.place.id).identity
    }
    switch (identity?.standing, identity?.code) {
    case (.issued, let code?):
      guard code.placeID == list.place.id else {
        return Answer(
          read, .swapped, code, Finding(.parcelSwapped, .error, try swappedMessage(code)))
      }
      return expected(code, read)
    case (.retired, let code?):
      return Answer(
        read, .retired, code,
        Finding(
          .parcelRetired, .error,
          "The code \(code.id) was retired and must not be mounted: remove it."))
    default:
      let message = foreignMessage(read, alike: identity?.alike ?? [])
      return Answer(read, .foreign, nil, Finding(.parcelForeign, .error, message))
    }
  }

  private func expected(_ code: IssuedCode, _ read: VerifiedCode) -> Answer {
    guard let before = self.read[code.id] else { return Answer(read, .expected, code) }
    let made = pieces[code.id] ?? 1
    if code.tagUID != nil || before.times < max(made, copies) { return Answer(read, .again, code) }
    let place = before.source == read.place ? "before" : "in \(before.source) before"
    let words =
      made == 1
      ? "was read \(place): it is an extra copy, or was read twice."
      : "was read \(before.times) times before, and has \(made) prints: one is an extra copy, or was "
        + "read twice."
    return Answer(
      read, .duplicate, code,
      Finding(.parcelDuplicate, .error, "The code \(code.id) \(words)"))
  }

  private func swappedMessage(_ code: IssuedCode) throws(RegistryError) -> String {
    guard let id = code.placeID else {
      return "The code \(code.id) belongs to no place, and therefore not to this parcel."
    }
    let place = try registry.read { registry in try registry.place(id: id) }
    let name = place.map { "\($0.name) (\(id))" } ?? "the place \(id)"
    return "The code \(code.id) belongs to \(name), not to \(list.place.name) (\(list.place.id))."
  }

  private func foreignMessage(_ read: VerifiedCode, alike: [IssuedCode]) -> String {
    if read.appClipCode != nil { return "The App Clip Code is not on record." }
    if let finding = read.unsupportedSymbol { return finding.message }
    guard let uid = read.tag?.uid else {
      let tag = alike.last { $0.carrier == .nfc }
      return "This registry has printed no code with this text"
        + (tag.map { "; it was issued on a tag only (\($0.id))." } ?? ".")
    }
    if let own = alike.last(where: { $0.carrier == .nfc })?.tagUID {
      return
        "The tag \(uid) has the URL of this registry's tag \(own): this one is "
        + "a copy, or was written without the registry."
    }
    let print = alike.last { $0.carrier == .qr }
    return "The tag \(uid) is not in this registry"
      + (print.map { "; its URL was issued in print only (\($0.id))." } ?? ".")
  }
}

extension VerifiedCode {
  /// The source of the reading, for display.
  package var place: String { source.onPage(page) }
}

// swift-format-ignore: AllPublicDeclarationsHaveDocumentation
extension Finding.Code {
  public static let parcelMissing = Self(
    "parcel-missing", "A code of the packing list was not read from the parcel.")
  public static let parcelForeign = Self(
    "parcel-foreign", "The parcel contains a code that is not in this registry.")
  public static let parcelDuplicate = Self(
    "parcel-duplicate", "A printed code of the parcel was read more often than it has prints.")
  public static let parcelIncomplete = Self(
    "parcel-incomplete", "Fewer prints of a code were read from the parcel than belong in.")
  public static let parcelReadApart = Self(
    "parcel-read-apart",
    "The prints of one code were read in separate pictures or scans, which may be of the same print."
  )
  public static let parcelSwapped = Self(
    "parcel-swapped", "The parcel contains a code that belongs to another place.")
  public static let parcelRetired = Self(
    "parcel-retired", "The parcel contains a retired code.")
  public static let parcelUnread = Self(
    "parcel-unread", "A symbol in the parcel resembles a code but does not decode.")
  public static let parcelNotPacked = Self(
    "parcel-not-packed", "Codes of the parcel were never recorded as packed.")

  /// The codes above, in the order of the documentation.
  package static let ofParcels: [Self] = [
    .parcelMissing, .parcelIncomplete, .parcelForeign, .parcelDuplicate, .parcelReadApart,
    .parcelSwapped, .parcelRetired,
    .parcelUnread, .parcelNotPacked,
  ]
}

extension VerifiedCode {
  /// The finding that the symbol is of a kind that no iPhone reads.
  fileprivate var unsupportedSymbol: Finding? {
    findings.first { $0.code == .unsupportedSymbol }
  }
}
