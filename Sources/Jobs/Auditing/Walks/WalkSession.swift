import CodeScanning
public import Foundation
public import Invocation
public import Registry
public import Verifying

/// A walk in progress: compares the codes seen at each stop with the record, and stores the stop.
///
/// Each stop is stored in one transaction with the entries of the codes' histories, so that no
/// reading is lost or counted twice, however the program ends. Several programs may add to one walk
/// at the same time, one with the camera and one with the reader.
public struct WalkSession: Sendable {
  /// The walk.
  public let walk: Walk
  /// The registry that stores it.
  package let registry: any RegistryStore
  private let sign: String?
  private let statedPlace: Place?
  /// The places of the registry when the session began.
  private let places: PlaceIndex
  private let note: String?
  private let isRehearsal: Bool
  private let keepsAllPictures: Bool
  private let readsAgain: Bool
  private let now: @Sendable () -> Date

  /// Begins a walk, or continues the one with this name.
  ///
  /// - Parameters:
  ///   - name: The name of the walk.
  ///   - who: The person who walks.
  ///   - registry: The registry that stores it.
  ///   - sign: The sign of all codes that are read now, which must then agree.
  ///   - statedPlace: The place that the walker states.
  ///   - note: A note to store with each stop.
  ///   - isRehearsal: Whether codes are only compared, and nothing is stored.
  ///   - keepsAllPictures: Whether a small copy is stored of every picture, not only of those with
  ///     findings.
  ///   - isOwn: Whether another person's walk of this name is not continued: each person has their
  ///     own walk then.
  ///   - readsAgain: Whether pictures that the walk already has are read again, even if their
  ///     circumstances have not changed.
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
    places = PlaceIndex(try registry.places())
    self.note = note
    self.isRehearsal = isRehearsal
    self.keepsAllPictures = keepsAllPictures
    self.readsAgain = readsAgain
    self.now = now
  }

  /// A verifier for this walk: known pictures are not decoded again, prints are graded, and codes
  /// are looked up in the record. Each of its observations becomes a stop by
  /// ``take(_:by:)``.
  ///
  /// - Parameter verifier: The verifier that reads and verifies codes.
  public func verifier(_ verifier: Verifier) -> Verifier {
    var verifier = verifier
    verifier.options.record = registry
    verifier.options.gradesPrints = true
    verifier.options.keeping = ObservationKeeping(
      holds: { try self.holds($0, isLocating: $1) },
      isWorthAPicture: { try self.isWorthAPicture($0) })
    return verifier
  }

  /// Observes small print that was typed in: a URL, with or without its scheme, or the name of a
  /// code or its tail. No position and no message is looked for.
  ///
  /// - Parameters:
  ///   - text: The text that was typed.
  ///   - source: The name of its source in the result.
  ///   - verifier: The verifier for the text.
  public func observe(
    print text: String, source: String, by verifier: Verifier
  ) async -> WalkObservation {
    var verifier = self.verifier(verifier)
    verifier.options.positions = nil
    verifier.options.messages = nil
    let text = String(text.trimmingPrefix { $0.isWhitespace })
    let seen = await verifier.observe(
      .print, on: .url, source: source,
      payload: {
        try registry.code(called: text)?.payload
          ?? (text.contains("://") ? text : "https://\(text)")
      })
    return await take(seen, by: verifier)
  }

  /// Compares an observation with the record and stores it as a stop, unless it shows nothing or
  /// the walk already has it. Observations are taken in the order in which they are made.
  ///
  /// - Parameters:
  ///   - seen: An observation of this walk's verifier.
  ///   - verifier: The verifier, for the position of a reading that belongs to no region.
  /// - Returns: The observation with its stop; with a failure of its `seen` if it could not
  ///   be stored.
  public func take(_ seen: CodeObservation, by verifier: Verifier) async -> WalkObservation {
    var taken = WalkObservation(seen)
    guard seen.failure == nil, seen.isLook else { return taken }
    taken.seen.failure = seen.codes.lazy.compactMap(\.failure).first
    guard taken.seen.failure == nil else { return taken }
    do {
      try await locate(&taken.seen, by: verifier)
      return try keep(taken.seen)
    } catch {
      taken.seen.failure = error
      return taken
    }
  }

  /// Gets the position of a reading that belongs to no region, such as an empty tag; it is kept
  /// with its position as well.
  private func locate(_ seen: inout CodeObservation, by verifier: Verifier) async throws {
    guard let positions = verifier.options.positions, seen.fix == nil, !seen.isSkipped,
      seen.codes.allSatisfy({ $0.verification.region == nil })
    else { return }
    let reading = try await positions.reading()
    seen.fix = reading.evidence.measured
    if !seen.codes.isEmpty { seen.codes[0] = seen.codes[0].adding(reading.findings) }
  }

  private func compare(
    _ seen: CodeObservation, at time: Date, in registry: borrowing RegistryTransaction
  ) throws(RegistryError) -> WalkObservation {
    var kept = WalkObservation(seen)
    if let known = try lastStop(of: seen, in: registry) {
      let fix = seen.fix ?? seen.codes.lazy.compactMap(\.measuredFix).first
      let completes = known.isUnfinished && !seen.wasCutShort && seen.unsearched == nil
      guard readsAgain || completes || circumstances(fix).correct(known) else {
        kept.isKnown = true
        return kept
      }
      kept.supersededStop = known.number
    }
    if seen.isEmpty {
      guard isVisit(seen) else {
        kept.supersededStop = nil
        return kept
      }
    }
    let codes = try judge(registry, reading: seen).judged(seen.codes, in: registry)
    kept.seen.codes = codes
    let about = WalkStopJudge(walk: walk, statedPlace: statedPlace, places: places, time: time)
    kept.stop = WalkStop(
      walk: walk.id, number: try registry.lastStop(of: walk.id) + 1, time: time, taken: seen.taken,
      kind: seen.kind, source: seen.source, page: seen.page, digest: seen.digest, sign: sign,
      fix: seen.fix ?? codes.lazy.compactMap(\.measuredFix).first,
      statedPlace: statedPlace?.id, note: note, unreadCount: seen.unread.count,
      readings: codes.map(WalkReading.init),
      findings: try about.findings(of: kept.seen, in: registry))
    if !isWorthAPicture(judged: kept.seen) { kept.seen.picture = nil }
    return kept
  }

  /// Whether a stop justifies storing a picture: for a warning, an error, or a symbol that gave no
  /// text.
  private func isWorthAPicture(judged seen: CodeObservation) -> Bool {
    keepsAllPictures || seen.isEmpty || !seen.unread.isEmpty
      || seen.codes.contains { $0.findings.contains { $0.severity >= .warning } }
  }

  /// Whether a picture without codes shows a visit of a place: certainly, or of the only one that its
  /// position leaves open.
  private func isVisit(_ seen: CodeObservation) -> Bool {
    if statedPlace != nil { return true }
    guard let fix = seen.fix else { return false }
    let candidates = places.candidates(at: fix)
    return candidates.count == 1 || candidates.contains(where: \.isInside)
  }

  /// - Parameter seen: The present observation; an earlier reading of its picture no longer counts.
  private func judge(
    _ registry: borrowing RegistryTransaction, reading seen: CodeObservation
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
    return WalkJudge(
      places: places, statedPlace: statedPlace, taken: seen.taken, onSign: onSign)
  }

  /// The last stop at which the same page was read.
  private func lastStop(
    of seen: CodeObservation, in registry: borrowing RegistryTransaction
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

/// The circumstances of a picture besides its contents.
private struct Circumstances {
  let place: String?
  let sign: String?
  let fix: LocationFix?
  /// Whether a receiver will determine the position.
  let isLocating: Bool

  /// Whether a reading under these circumstances corrects an earlier one of the same picture: it
  /// names another place, position or sign. One without a place and a position corrects nothing,
  /// and a receiver, whose positions always differ, does not contradict itself.
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

extension WalkSession {
  /// Whether a page was read before, under the same circumstances.
  package func holds(_ page: CodeObservation, isLocating: Bool) throws(RegistryError) -> Bool {
    guard !readsAgain else { return false }
    let known = try registry.read { registry throws(RegistryError) in
      try lastStop(of: page, in: registry)
    }
    return known.map {
      !$0.isUnfinished && !circumstances(page.fix, isLocating: isLocating).correct($0)
    } ?? false
  }

  /// Whether a small copy of the picture is kept with the observation.
  package func isWorthAPicture(_ seen: CodeObservation) throws(RegistryError) -> Bool {
    if seen.isEmpty { return isVisit(seen) }
    if isWorthAPicture(judged: seen) { return true }
    var seen = seen
    seen.codes = try registry.read { [seen] registry in
      try judge(registry, reading: seen).judged(seen.codes, in: registry)
    }
    return isWorthAPicture(judged: seen)
  }

  /// Compares and stores an observation, unless the walk already has the picture.
  package func keep(_ seen: CodeObservation) throws(RegistryError) -> WalkObservation {
    let time = now()
    if isRehearsal {
      return try registry.read { registry in
        try compare(seen, at: time, in: registry)
      }
    }
    return try registry.write { registry in
      let kept = try compare(seen, at: time, in: registry)
      if let stop = kept.stop {
        try registry.add(stop, picture: kept.seen.picture, by: walk.who)
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
      // The location is recorded even if the clip does not ask for it.
      location: measured?.result ?? found.location?.result,
      distance: measured?.distance ?? found.location?.distance,
      // The actual place is more informative than the distance.
      findings: isElsewhere ? code.findings.filter { $0.code != .outsideRegion } : code.findings)
  }
}

extension VerifiedCode {
  /// The position it was compared with, if any.
  var fix: LocationFix? { verification.location?.fix }
  /// The same position, unless it is derived from a place.
  fileprivate var measuredFix: LocationFix? { fix.map(LocationEvidence.fix)?.measured }
}
