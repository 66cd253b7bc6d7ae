public import Invocation
public import Registry
public import Verifying

/// Compares the codes read from a parcel with the packing list of its place.
///
/// A printed code and a tag with the same URL are two codes, and so are two tags. All lookups use
/// the registry; no network is needed.
public struct ParcelCheck: Sendable {
  /// The relation of a code that was read to the parcel.
  public enum Result: String, Hashable, Sendable, CaseIterable {
    /// A code of the list, read for the first time.
    case expected
    /// A tag that was read before and is the same one, or a further copy that is allowed.
    case again
    /// A printed code of the list that was read before.
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

    fileprivate init(
      _ read: VerifiedCode, _ result: Result, _ code: IssuedCode?, _ finding: Finding? = nil
    ) {
      self.read = read
      self.result = result
      self.code = code
      findings = finding.map { [$0] } ?? []
    }
  }

  /// The list.
  public let list: PackingList
  private let registry: any RegistryStore
  private let copies: Int
  /// The source of the first reading of each code of the list, and the number of its readings.
  private var read: [CodeID: (source: String, times: Int)] = [:]
  /// The number of readings that do not belong to the parcel.
  public private(set) var troubleCount = 0

  /// Begins with an empty parcel.
  ///
  /// - Parameters:
  ///   - list: The expected contents.
  ///   - registry: The registry in which every code is looked up.
  ///   - copies: The allowed number of copies of a printed code, as on a sheet of labels.
  public init(_ list: PackingList, in registry: any RegistryStore, copies: Int = 1) {
    self.list = list
    self.registry = registry
    self.copies = copies
  }

  /// The number of codes of the list that were read.
  public var readCount: Int { read.count }

  /// The codes of the list that were not read.
  public var missing: [PackingList.Item] { list.items.filter { read[$0.code.id] == nil } }

  /// Whether every code of the list was read, and no other.
  public var isComplete: Bool { troubleCount == 0 && missing.isEmpty }

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
  /// - Returns: The answers to its printed codes and tags. Other barcodes are skipped: no iPhone
  ///   takes them for an invocation, and parcels have those of carriers.
  /// - Throws: The errors of the registry.
  public mutating func take(_ seen: CodeObservation) throws(RegistryError) -> [Answer] {
    var answers: [Answer] = []
    for code in seen.codes where code.verification.carrier != .barcode {
      answers.append(try take(code))
    }
    if seen.failure == nil { troubleCount += seen.unread.count }
    return answers
  }

  /// Takes one code that was read.
  ///
  /// - Parameter read: A code verified by ``verifier``.
  /// - Throws: The errors of the registry.
  public mutating func take(_ read: VerifiedCode) throws(RegistryError) -> Answer {
    let answer = try answer(to: read)
    switch answer.result {
    case .expected, .again:
      if let code = answer.code { self.read[code.id, default: (read.place, 0)].times += 1 }
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
    // A tag is identified by its UID; it is the same one.
    if code.tagUID != nil || before.times < copies { return Answer(read, .again, code) }
    let place = before.source == read.place ? "before" : "in \(before.source) before"
    return Answer(
      read, .duplicate, code,
      Finding(
        .parcelDuplicate, .error,
        "The code \(code.id) was read \(place): it is an extra copy, or was read twice."))
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
    "parcel-duplicate", "A printed code of the parcel was read twice.")
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
    .parcelMissing, .parcelForeign, .parcelDuplicate, .parcelSwapped, .parcelRetired,
    .parcelUnread, .parcelNotPacked,
  ]
}
