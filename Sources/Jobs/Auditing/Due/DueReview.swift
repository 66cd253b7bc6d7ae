import CliptagBasics
public import Foundation
public import Invocation
public import Registry

/// A code that needs a visit.
public struct DueCode: Hashable, Sendable {
  /// The reason for a visit.
  public enum Reason: String, Hashable, Sendable, CaseIterable {
    /// It was retired, and was read since: it is still in place.
    case retired
    /// Its experience was deactivated: it must be taken down.
    case inactive
    /// The check accepted it once, and no longer does: it must be taken down.
    case notCovered = "not-covered"
    /// Its URL names a place that the registry does not contain: it opens the clip at no place.
    case unknownPlace = "unknown-place"
    /// Its URL names a place that was added after its issue: no list of that place contains it.
    case placeAdded = "place-added"
    /// It was not read for a long time.
    case notSeen = "not-seen"
    /// It was read for fewer times than it has prints.
    case partlySeen = "partly-seen"
  }

  /// The code.
  public let code: IssuedCode
  /// The reason for the visit.
  public let reason: Reason
  /// The place it belongs to, if the registry contains it.
  public let place: Place?
  /// The time of the last reading at its place; `nil` if there was none.
  public let lastSeen: Date?
  /// The time of the last reading at any place; `nil` if there was none.
  public let lastRead: Date?
  /// Whole days since ``lastSeen``, or since it was issued.
  public let days: Int
  /// The state of its URL according to the registry.
  public let state: InvocationState
  /// The message for the person who visits it, in one sentence.
  package let message: String
  /// Its prints and tags; empty if it has only one, which is that of the code's record.
  public let items: [CodeItem]

  /// The number of its prints or tags, with all copies.
  public var pieces: Int { max(1, items.pieceCount) }
}

/// Finds the codes that need a visit.
public struct DueReview: Sendable {
  private let registry: any RegistryStore
  private let days: Int
  private let now: Date
  private let engine: PrefixEngine
  /// The number of codes in a piece that is looked up at once.
  package var pieceSize = 5000

  /// Makes a review.
  ///
  /// - Parameters:
  ///   - registry: The registry.
  ///   - days: The number of days without a reading after which a code is due.
  ///   - now: The time to count from.
  ///   - engine: The engine that compares links.
  public init(
    of registry: any RegistryStore, days: Int, now: Date, engine: PrefixEngine = .segment
  ) {
    self.registry = registry
    self.days = days
    self.now = now
    self.engine = engine
  }

  /// The codes that are due, in the order of ``forEachDueCode(_:)``.
  ///
  /// - Throws: The errors of the registry.
  public func dueCodes() throws -> [DueCode] {
    var due: [DueCode] = []
    try forEachDueCode { due.append($0) }
    return due
  }

  /// Gives the codes that are due: by place, those without a place last; at each place, first those
  /// to take down, then those not read for longest.
  ///
  /// Only their order is held in memory, so that there may be millions. A code that is no longer due
  /// when its turn comes, because another process recorded a reading, is left out.
  ///
  /// - Parameter body: Receives each code.
  /// - Throws: The errors of the registry, and of `body`.
  public func forEachDueCode(_ body: (DueCode) throws -> Void) throws {
    let check = try InvocationCheck(directory: registry, engine: engine)
      .inMemory(of: registry, for: registry.counts().codes)
    let places = Dictionary(
      try registry.places().map { ($0.id, $0) }, uniquingKeysWith: { first, _ in first })
    func due(among codes: [IssuedCode], areConsecutive: Bool) throws -> [DueCode] {
      let sightings = try registry.sightings(of: codes)
      var several = codes
      if areConsecutive, let first = codes.first, let last = codes.last {
        let found = try registry.codesWithSeveralItems(from: first.id, through: last.id)
        several = codes.filter { found.contains($0.id) }
      }
      let items = try registry.items(of: several)
      return try codes.compactMap { code in
        try self.due(
          code, sightings[code.id], items[code.id] ?? [],
          place: code.placeID.flatMap { places[$0] }, check: check)
      }
    }
    var order: [DueOrder] = []
    var names = PlaceNames()
    // Codes that fit into one piece are not looked up again.
    var only: [DueCode]? = []
    try registry.forEachPiece(size: pieceSize) { codes in
      let found = try due(among: codes, areConsecutive: true)
      order += found.map { DueOrder($0, place: names.number(of: $0.code.placeID)) }
      only = order.count <= pieceSize ? only.map { $0 + found } : nil
    }
    let ranks = names.ranks
    order.sort { $0.isBefore($1, ranks) }
    var rest = order[...]
    while !rest.isEmpty {
      let piece = rest.prefix(pieceSize).map(\.id)
      rest = rest.dropFirst(pieceSize)
      // The sightings of codes are those from the first to the last.
      let found =
        try only
        ?? due(
          among: registry.codes(named: piece).sorted { $0.id.description < $1.id.description },
          areConsecutive: false)
      let byID = Dictionary(found.map { ($0.code.id, $0) }) { first, _ in first }
      for id in piece {
        if let code = byID[id] { try body(code) }
      }
    }
  }

  private func due(
    _ code: IssuedCode, _ sighting: Sighting?, _ items: [CodeItem], place: Place?,
    check: InvocationCheck
  ) throws -> DueCode? {
    let last = sighting?.last
    let passed = max(0, now.timeIntervalSince(last ?? code.created))
    let days = Int(bounded: passed / 86_400)
    let isPlain = items.pieceCount == 1 && items[0].output == code.output
    func due(
      _ reason: DueCode.Reason, _ state: InvocationState, _ message: String
    ) -> DueCode {
      DueCode(
        code: code, reason: reason, place: place, lastSeen: last, lastRead: sighting?.lastRead,
        days: days, state: state, message: message, items: isPlain ? [] : items)
    }
    // An App Clip Code is checked as its own carrier.
    let carrier: Carrier = code.carrier == .appClipCode ? .appClipCode : .url
    if code.status == .retired {
      // A reading at any place shows that it was not taken down.
      guard let read = sighting?.lastRead, let retired = sighting?.retired, read > retired
      else { return nil }
      let found = try check.examine(payload: code.payload, carrier: carrier)
      return due(.retired, found.state, "It was retired and has been read since: remove it.")
    }
    let found = try check.examine(payload: code.payload, carrier: carrier)
    if found.state == .inactive {
      return due(.inactive, found.state, "Its experience was deactivated: remove it.")
    }
    // A registered code was accepted once, for which the default experience alone does not suffice.
    if code.registered, found.verdict == .rejected || found.state == .defaultOnly {
      let why = found.findings.first { $0.severity != .note }?.message
      return due(
        .notCovered, found.state,
        "The registry no longer accepts it: remove it, or register its link again."
          + (why.map { " \($0)" } ?? ""))
    }
    if let place = found.findings.first(where: { $0.code == .unknownPlace }) {
      return due(
        .unknownPlace, found.state,
        "It opens the clip at no known place: add the place, or replace the code. \(place.message)")
    }
    if let id = code.placeID, place == nil {
      return due(
        .unknownPlace, found.state,
        "It belongs to the place “\(id.printable)”, which the registry does not have: add the place, or "
          + "replace the code.")
    }
    if code.placeID == nil, let place = found.place {
      return due(.placeAdded, found.state, place.message(aboutIssueBefore: code))
    }
    guard days >= self.days else {
      return try partlySeen(code, items).map { due(.partlySeen, found.state, $0) }
    }
    let since = last == nil ? "since it was issued" : "at its place"
    var message = "It was not read \(since) for \(Counted.text(days, "day")): visit and read it."
    if let read = sighting?.lastRead, read > last ?? .distantPast {
      message +=
        " It was read on \(read.registryTimestamp.prefix(10)), at another or unknown place."
    }
    return due(.notSeen, found.state, message)
  }

  /// The message about a code with several prints that was read for fewer times within the days than
  /// it has prints, so that some print was certainly not read; `nil` for any other code.
  ///
  /// Prints of one code cannot be distinguished by reading them.
  private func partlySeen(
    _ code: IssuedCode, _ items: [CodeItem]
  ) throws(RegistryError) -> String? {
    let since = now.addingTimeInterval(Double(-days) * 86_400)
    let pieces = items.filter { $0.made < since }.pieceCount
    guard pieces > 1, code.tagUID == nil else { return nil }
    let seen = try registry.history(of: code.id).count {
      [.read, .installed, .replaced].contains($0.kind) && $0.time > since
    }
    guard seen < pieces else { return nil }
    return
      "Within \(days) days, at most \(seen) of \(pieces) prints were seen: visit and read each. "
      + items.map { "\($0.name) (\($0.words))" }.joined(separator: "; ") + "."
  }
}

/// The position of a due code among the others.
private struct DueOrder {
  let id: CodeID
  private let place: Int32
  private let days: Int32
  private let reason: UInt8

  /// - Parameter place: The number of its place in ``PlaceNames``.
  init(_ due: DueCode, place: Int32) {
    id = due.code.id
    self.place = place
    days = Int32(clamping: due.days)
    reason = UInt8(DueCode.Reason.allCases.firstIndex(of: due.reason) ?? 0)
  }

  func isBefore(_ other: DueOrder, _ ranks: [Int]) -> Bool {
    let (mine, others) = (ranks[Int(place)], ranks[Int(other.place)])
    if mine != others { return mine < others }
    if reason != other.reason { return reason < other.reason }
    if days != other.days { return days > other.days }
    return id.description < other.id.description
  }
}

/// The places of due codes by number; 0 is none.
private struct PlaceNames {
  private var numbers: [String: Int32] = [:]

  mutating func number(of place: String?) -> Int32 {
    guard let place else { return 0 }
    if let known = numbers[place] { return known }
    let number = Int32(numbers.count + 1)
    numbers[place] = number
    return number
  }

  /// The rank of each number, by the bytes of the places; none comes last.
  var ranks: [Int] {
    let sorted = numbers.sorted { $0.key.utf8.lexicographicallyPrecedes($1.key.utf8) }
    var ranks = [Int](repeating: numbers.count, count: numbers.count + 1)
    for (rank, place) in sorted.enumerated() { ranks[Int(place.value)] = rank }
    return ranks
  }
}
