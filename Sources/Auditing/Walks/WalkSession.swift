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
  /// A stop that was kept, and what is worth telling right there.
  public struct Kept: Sendable {
    /// The stop.
    public let stop: WalkStop
    /// Its codes, with the findings of the comparison.
    public let codes: [VerifiedCode]
  }

  /// The walk.
  public let walk: Walk
  /// The registry that keeps it.
  package let registry: any RegistryStore
  private let sign: String?
  private let statedPlace: Place?
  private let note: String?
  private let isRehearsal: Bool
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
  ///   - now: The clock.
  public init(
    named name: String, by who: String, in registry: any RegistryStore, sign: String? = nil,
    statedPlace: Place? = nil, note: String? = nil, isRehearsal: Bool = false,
    now: @escaping @Sendable () -> Date = { Date() }
  ) throws(RegistryError) {
    if isRehearsal {
      let known = try registry.walks().last { $0.name == name }
      walk = known ?? Walk(name: name, who: who, started: now(), recorder: Recorder())
    } else {
      walk = try registry.begin(name, by: who, at: now())
    }
    self.registry = registry
    self.sign = sign
    self.statedPlace = statedPlace
    self.note = note
    self.isRehearsal = isRehearsal
    self.now = now
  }

  /// Whether a picture was taken in before.
  ///
  /// - Parameters:
  ///   - digest: The SHA-256 of the file.
  ///   - page: The page, from 1, of a document.
  package func holds(_ digest: EntryHash, page: Int? = nil) throws(RegistryError) -> Bool {
    try registry.read { registry in
      try registry.hasStop(in: walk.id, digest: digest, page: page)
    }
  }

  /// Whether something at a stop is worth a picture: a warning, an error, or a symbol that gave no
  /// text.
  package func isWorthAPicture(_ sight: WalkSight) throws(RegistryError) -> Bool {
    guard sight.unreadCount == 0 else { return true }
    let answers = try registry.read { registry in
      try judge(registry).answers(to: sight, in: registry)
    }
    return answers.contains { $0.verified.findings.contains { $0.severity >= .warning } }
  }

  /// Compares and keeps what was seen at a stop.
  ///
  /// - Parameters:
  ///   - sight: What was seen.
  ///   - picture: A small copy of the picture.
  /// - Returns: `nil` for a picture that this walk has already.
  public func take(
    _ sight: WalkSight, picture: WalkPicture? = nil
  ) throws(RegistryError) -> Kept? {
    let time = now()
    if isRehearsal {
      return try registry.read { registry in
        try compare(sight, at: time, in: registry)
      }
    }
    return try registry.write { registry in
      guard let kept = try compare(sight, at: time, in: registry) else { return nil }
      try registry.add(kept.stop, picture: picture, by: walk.who)
      return kept
    }
  }

  private func compare(
    _ sight: WalkSight, at time: Date, in registry: borrowing RegistryTransaction
  ) throws(RegistryError) -> Kept? {
    if sight.kind == .picture, let digest = sight.digest,
      try registry.hasStop(in: walk.id, digest: digest, page: sight.page)
    {
      return nil
    }
    let answers = try judge(registry).answers(to: sight, in: registry)
    let stop = WalkStop(
      walk: walk.id, number: try registry.lastStop(of: walk.id) + 1, time: time,
      kind: sight.kind, source: sight.source, page: sight.page, digest: sight.digest, sign: sign,
      fix: sight.fix ?? answers.lazy.compactMap(\.verified.measuredFix).first,
      statedPlace: statedPlace?.id, note: note, unreadCount: sight.unreadCount,
      readings: answers.map(WalkReading.init))
    return Kept(stop: stop, codes: answers.map(\.verified))
  }

  private func judge(
    _ registry: borrowing RegistryTransaction
  ) throws(RegistryError) -> WalkJudge {
    let onSign =
      if let sign { try registry.stops(onSign: sign, of: walk.id) } else { [WalkStop]() }
    return WalkJudge(statedPlace: statedPlace, onSign: onSign)
  }
}

extension WalkReading {
  init(_ answer: WalkJudge.Answer) {
    let found = answer.verified.verification
    let measured = found.region.flatMap { region in
      answer.verified.fix.map { LocationConfirmation.confirm($0, in: region) }
    }
    let isElsewhere = answer.verified.findings.contains { $0.code == .wrongPlace }
    self.init(
      carrier: found.carrier, payload: found.payload, uid: answer.verified.tag?.uid,
      tagType: answer.verified.tag?.type, isLocked: answer.verified.tag?.locked,
      corners: answer.verified.symbol?.corners ?? [], grade: answer.seen.grade,
      code: answer.code?.id, placeID: found.place?.id ?? answer.code?.placeID,
      verdict: answer.verified.verdict, state: found.state,
      // A clip that does not ask is no reason not to look.
      location: measured?.result ?? found.location?.result,
      distance: measured?.distance ?? found.location?.distance,
      // Where it hangs instead says more than how far that is.
      findings: isElsewhere
        ? answer.verified.findings.filter { $0.code != .outsideRegion } : answer.verified.findings)
  }
}
