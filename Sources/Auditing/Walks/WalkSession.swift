import CodeScanning
public import Foundation
public import Invocation
public import Registry
public import Verifying

/// A walk that goes on: takes what is seen at each stop, compares it with the record, and keeps it.
///
/// Each stop is kept in one transaction with the entries of the codes' histories, so that nothing
/// seen is lost and nothing counted twice, whatever ends the program. Several programs may add to
/// one walk at once, one with the camera and one with the reader.
public struct WalkSession: Sendable {
  /// The walk.
  public let walk: Walk
  /// The registry that keeps it.
  package let registry: any RegistryStore
  private let sign: String?
  private let statedPlace: Place?
  private let note: String?
  private let isRehearsal: Bool
  private let keepsAllPictures: Bool
  private let readsAgain: Bool
  private let now: @Sendable () -> Date

  /// Begins a walk, or goes on with the one of this name.
  ///
  /// - Parameters:
  ///   - name: What people call the walk.
  ///   - who: Who walks.
  ///   - registry: The registry that keeps it.
  ///   - sign: What everything that is read now hangs on; it has to agree then.
  ///   - statedPlace: Where whoever walks says they are.
  ///   - note: Words to keep with each stop.
  ///   - isRehearsal: Whether everything is only compared, and nothing kept.
  ///   - keepsAllPictures: Whether a small copy is kept of every picture, not only of those with
  ///     findings.
  ///   - isOwn: Whether somebody else's walk of this name is none to go on with: each has one then.
  ///   - readsAgain: Whether pictures that the walk has already are read once more, even when
  ///     nothing that is said of them has changed.
  ///   - now: The clock.
  public init(
    named name: String, by who: String, in registry: any RegistryStore, sign: String? = nil,
    statedPlace: Place? = nil, note: String? = nil, isRehearsal: Bool = false,
    keepsAllPictures: Bool = false, readsAgain: Bool = false,
    isOwn: Bool = false,
    now: @escaping @Sendable () -> Date = { Date() }
  ) throws(RegistryError) {
    if isRehearsal {
      let known = try registry.walks().filter { $0.name == name }
      walk =
        known.last { $0.who == who } ?? (isOwn ? nil : known.last)
        ?? Walk(name: name, who: who, started: now(), recorder: Recorder())
    } else {
      walk = try registry.begin(name, by: who, at: now(), isOwn: isOwn)
    }
    self.registry = registry
    self.sign = sign
    self.statedPlace = statedPlace
    self.note = note
    self.isRehearsal = isRehearsal
    self.keepsAllPictures = keepsAllPictures
    self.readsAgain = readsAgain
    self.now = now
  }

  /// A verifier whose observations are stops of this walk: what it has already is not decoded again,
  /// prints are graded, and each observation is compared with the record and kept before it is
  /// delivered.
  ///
  /// - Parameter verifier: How codes are read and verified.
  public func verifier(_ verifier: Verifier) -> Verifier {
    var verifier = verifier
    verifier.options.record = registry
    verifier.options.gradesPrints = true
    verifier.options.keeper = self
    return verifier
  }

  /// Observes small print that somebody typed in: a URL, with or without its scheme, or the name of
  /// a code. It is no place to look for a position or a message.
  ///
  /// - Parameters:
  ///   - text: What was typed.
  ///   - source: What to call where it came from.
  ///   - verifier: How it is verified.
  public func observe(
    print text: String, source: String, by verifier: Verifier
  ) async -> Observation {
    var verifier = self.verifier(verifier)
    verifier.options.positions = nil
    verifier.options.messages = nil
    let text = text.trimmingPrefix { $0.isWhitespace }
    let name = CodeID(String(text))
    return await verifier.observe(
      .print, on: .url, source: source,
      payload: {
        let named = try name.flatMap { id in try registry.code(id: id) }
        return named?.payload ?? (text.contains("://") ? String(text) : "https://\(text)")
      })
  }

  private func compare(
    _ seen: Observation, at time: Date, in registry: borrowing RegistryTransaction
  ) throws(RegistryError) -> Observation {
    var kept = seen
    if let known = try lastStop(of: seen, in: registry) {
      let fix = seen.fix ?? seen.codes.lazy.compactMap(\.measuredFix).first
      guard readsAgain || circumstances(fix).correct(known) else {
        kept.isKnown = true
        return kept
      }
      kept.supersededStop = known.number
    }
    if seen.isEmpty {
      guard try isVisit(seen, in: registry) else {
        kept.supersededStop = nil
        return kept
      }
    }
    kept.codes = try judge(registry, reading: seen).judged(seen.codes, in: registry)
    kept.stop = WalkStop(
      walk: walk.id, number: try registry.lastStop(of: walk.id) + 1, time: time,
      kind: seen.kind, source: seen.source, page: seen.page, digest: seen.digest, sign: sign,
      fix: seen.fix ?? kept.codes.lazy.compactMap(\.measuredFix).first,
      statedPlace: statedPlace?.id, note: note, unreadCount: seen.unread.count,
      readings: kept.codes.map(WalkReading.init))
    if !isWorthAPicture(judged: kept) { kept.picture = nil }
    return kept
  }

  /// Whether something at a stop is worth a picture: a warning, an error, or a symbol that gave no
  /// text.
  private func isWorthAPicture(judged seen: Observation) -> Bool {
    keepsAllPictures || seen.isEmpty || !seen.unread.isEmpty
      || seen.codes.contains { $0.findings.contains { $0.severity >= .warning } }
  }

  /// Whether a picture on which there is nothing says that somebody was at a place.
  private func isVisit(
    _ seen: Observation, in registry: borrowing RegistryTransaction
  ) throws(RegistryError) -> Bool {
    if statedPlace != nil { return true }
    guard let fix = seen.fix else { return false }
    return try registry.places().contains {
      LocationConfirmation.confirm(fix, in: $0.region).result == .inside
    }
  }

  /// - Parameter seen: What is compared now, of which an earlier reading counts no longer.
  private func judge(
    _ registry: borrowing RegistryTransaction, reading seen: Observation
  ) throws(RegistryError) -> WalkJudge {
    var onSign: [WalkStop] = []
    if let sign {
      for stop in try registry.stops(onSign: sign, of: walk.id) {
        if stop.kind == .picture, let digest = stop.digest {
          if digest == seen.digest, stop.page == seen.page { continue }
          let last = try registry.lastStop(of: walk.id, digest: digest, page: stop.page)
          guard last == stop.number else { continue }
        }
        onSign.append(stop)
      }
    }
    return WalkJudge(statedPlace: statedPlace, onSign: onSign)
  }

  /// The last stop at which the same page was read.
  private func lastStop(
    of seen: Observation, in registry: borrowing RegistryTransaction
  ) throws(RegistryError) -> WalkStop? {
    guard seen.kind == .picture, let digest = seen.digest,
      let number = try registry.lastStop(of: walk.id, digest: digest, page: seen.page)
    else { return nil }
    return try registry.stop(number, of: walk.id)
  }

  private func circumstances(_ fix: LocationFix?, isLocating: Bool = false) -> Circumstances {
    Circumstances(place: statedPlace?.id, sign: sign, fix: fix, isLocating: isLocating)
  }
}

/// What is said of a picture besides what is in it.
private struct Circumstances {
  let place: String?
  let sign: String?
  let fix: LocationFix?
  /// Whether a receiver will say where it is.
  let isLocating: Bool

  /// Whether a reading under these circumstances corrects an earlier one of the same picture: it
  /// names another place, position or sign. One that says nothing of where it was corrects nothing,
  /// and a receiver, which says something else each time, does not contradict itself.
  func correct(_ earlier: WalkStop) -> Bool {
    if let sign, sign != earlier.sign { return true }
    guard place != nil || fix != nil || isLocating else { return false }
    if place != earlier.statedPlace { return true }
    guard let known = earlier.fix else { return fix != nil || isLocating }
    if isLocating || fix?.isFromReceiver == true { return !known.isFromReceiver }
    return fix?.coordinate != known.coordinate || fix?.accuracy != known.accuracy
  }
}

extension LocationFix {
  fileprivate var isFromReceiver: Bool { origin?.kind == .gpsd || origin?.kind == .nmea }
}

extension WalkSession: ObservationKeeper {
  /// Whether a page was taken in before, under the same circumstances.
  package func holds(_ page: Observation, isLocating: Bool) throws(RegistryError) -> Bool {
    guard !readsAgain else { return false }
    let known = try registry.read { registry throws(RegistryError) in
      try lastStop(of: page, in: registry)
    }
    return known.map { !circumstances(page.fix, isLocating: isLocating).correct($0) } ?? false
  }

  package func isWorthAPicture(_ seen: Observation) throws(RegistryError) -> Bool {
    if seen.isEmpty {
      return try registry.read { [seen] registry throws(RegistryError) in
        try isVisit(seen, in: registry)
      }
    }
    if isWorthAPicture(judged: seen) { return true }
    var seen = seen
    seen.codes = try registry.read { [seen] registry in
      try judge(registry, reading: seen).judged(seen.codes, in: registry)
    }
    return isWorthAPicture(judged: seen)
  }

  /// Compares and keeps what was seen at a stop, unless the walk has the picture already.
  package func keep(_ seen: Observation) throws(RegistryError) -> Observation {
    let time = now()
    if isRehearsal {
      return try registry.read { registry in
        try compare(seen, at: time, in: registry)
      }
    }
    return try registry.write { registry in
      let kept = try compare(seen, at: time, in: registry)
      if let stop = kept.stop {
        try registry.add(stop, picture: kept.picture, by: walk.who)
      }
      return kept
    }
  }
}

extension WalkReading {
  init(_ code: VerifiedCode) {
    let found = code.verification
    let measured = found.region.flatMap { region in
      code.fix.map { LocationConfirmation.confirm($0, in: region) }
    }
    let isElsewhere = code.findings.contains { $0.code == .wrongPlace }
    self.init(
      carrier: found.carrier, payload: found.payload, uid: code.tag?.uid,
      tagType: code.tag?.type, isLocked: code.tag?.locked,
      corners: code.corners.map { [$0.x, $0.y] },
      grade: code.grade?.decimal ?? code.appClipCodeGrade?.decimal,
      code: code.identity?.code?.id, placeID: found.place?.id ?? code.identity?.code?.placeID,
      verdict: code.verdict, state: found.state,
      // A clip that does not ask is no reason not to look.
      location: measured?.result ?? found.location?.result,
      distance: measured?.distance ?? found.location?.distance,
      // Where it hangs instead says more than how far that is.
      findings: isElsewhere ? code.findings.filter { $0.code != .outsideRegion } : code.findings)
  }
}

extension VerifiedCode {
  /// The position it was compared with, if there was one.
  var fix: LocationFix? { verification.location?.fix }
  /// The same, unless it only stands for a place.
  fileprivate var measuredFix: LocationFix? { fix.map(LocationEvidence.fix)?.measured }
}
