import CliptagBasics
import CodeScanning
import Foundation
import Invocation
import Registry
import Verifying

/// Compares the codes at a stop with the record: whether each code is as issued, and at its place.
struct WalkJudge {
  /// The places of the registry.
  let places: PlaceIndex
  /// The place that the walker stated.
  let statedPlace: Place?
  /// The time at which the picture was taken, as it states.
  var taken: Date?
  /// The earlier readings on the same sign.
  let onSign: [WalkStop]

  /// Returns the codes with their identities and the findings of the comparison.
  func judged(
    _ codes: [VerifiedCode], in registry: borrowing RegistryTransaction
  ) throws(RegistryError) -> [VerifiedCode] {
    var judged: [VerifiedCode] = []
    try registry.lookAhead(payloads: codes.filter { $0.identity == nil }.map(\.recordedPayload))
    let domains = Set(try registry.clips().flatMap(\.domains))
    for code in codes {
      let seen = try code.identified(in: registry)
      var findings = worn(seen)
      findings += threat(seen, amid: domains)
      findings += identify(seen)
      if let code = seen.identity?.code {
        try compareRetirement(of: code, in: registry, &findings)
        try compareLocks(of: seen, with: code, in: registry, &findings)
      }
      try comparePlace(of: seen, in: registry, &findings)
      try compareLanguage(of: seen, in: registry, &findings)
      compareSign(of: seen, &findings)
      judged.append(seen.adding(findings))
    }
    return judged
  }

  // MARK: The code itself

  /// Finds wear that a better picture would show as well. Blur and light, which lower other grades,
  /// come from the picture.
  private func worn(_ seen: VerifiedCode) -> [Finding] {
    guard let wear = seen.grade?.wear else { return [] }
    let fault =
      switch wear {
      case .damaged(let grade): "damaged: its modules are grade \(PrintGrade.letter(grade))"
      case .faded(let contrast):
        "faded: its contrast is \(Int(bounded: contrast * 100)) % at most"
      }
    return [
      Finding(
        .wornPrint, .warning,
        "The print is \(fault) (\(PrintGrade.caveat)); print it again before it fails.")
    ]
  }

  /// Finds a payment, a password form or an imitation in place of a code of ours.
  private func threat(_ seen: VerifiedCode, amid domains: Set<String>) -> [Finding] {
    let found = seen.verification
    guard seen.identity?.code?.payload != found.payload,
      let foreign = ForeignCode(found.payload, on: found.carrier, amid: domains)
    else { return [] }
    return [foreign.threat(found.payload)].compactMap(\.self)
  }

  /// Finds a sign of which no print is in the language of the place where it belongs.
  private func compareLanguage(
    of seen: VerifiedCode, in registry: borrowing RegistryTransaction, _ findings: inout [Finding]
  ) throws(RegistryError) {
    guard let code = seen.identity?.code else { return }
    var home = statedPlace ?? seen.verification.place
    if home == nil, let id = code.placeID { home = try registry.place(id: id) }
    guard let home, let wanted = home.language,
      !findings.contains(where: { $0.code == .wrongPlace }),
      case let made = try registry.history(of: code.id).languages, let last = made.last,
      !made.contains(where: { $0.mainLanguage == wanted.mainLanguage })
    else { return }
    findings.append(
      Finding(
        .otherLanguage, .warning,
        "The sign was made in the language \(last.printable), and signs at \(home.name.printable) are in "
          + "\(wanted): print it again with the words of the place."))
  }

  /// The findings about its identity.
  private func identify(_ seen: VerifiedCode) -> [Finding] {
    guard let identity = seen.identity else { return [] }
    let uid = seen.tag?.uid ?? ""
    switch (identity.standing, identity.code) {
    case (.issued, _): return []
    case (.retired, let code?):
      return [
        Finding(
          .retiredCode, .error,
          "The code \(code.id) was retired but is still in place: remove it.")
      ]
    case (.overwritten, let code?):
      return [
        Finding(
          .overwrittenTag, .error,
          "The tag \(uid) (\(code.id)) was issued with \(code.payload.printable); it has "
            + (seen.verification.payload.isEmpty ? "no URL now." : "other data now."))
      ]
    case (.copied, _):
      let uids = identity.alike.compactMap(\.tagUID).joined(separator: ", ")
      return [
        Finding(
          .foreignUID, .error,
          "The tag \(uid) is foreign: the text was issued on \(uids). The text was copied, or "
            + "the tag was replaced.")
      ]
    case (.retired, nil), (.overwritten, nil), (.unissued, _):
      // Reported only for codes that a clip of the registry claims.
      guard seen.verification.clip != nil else { return [] }
      return [
        Finding(
          .unissuedCode, .warning,
          seen.tag == nil
            ? "This registry issued no printed code with this text: its origin is another "
              + "registry, or it is foreign."
            : "This registry issued no tag with this text: its origin is another registry, or it is "
              + "foreign.")
      ]
    }
  }

  /// Makes a note of a retired code in a picture that was taken before its retirement.
  private func compareRetirement(
    of code: IssuedCode, in registry: borrowing RegistryTransaction, _ findings: inout [Finding]
  ) throws(RegistryError) {
    guard let taken, let index = findings.firstIndex(where: { $0.code == .retiredCode }),
      let event = try registry.history(of: code.id).last(where: { $0.kind == .retired }),
      taken.addingTimeInterval(WalkStop.clockError) < event.time
    else { return }
    findings[index] = Finding(
      .retiredCode, .note,
      "The code \(code.id) was retired on \(event.timestamp.prefix(10)), after the picture was taken."
    )
  }

  private func compareLocks(
    of seen: VerifiedCode, with code: IssuedCode, in registry: borrowing RegistryTransaction,
    _ findings: inout [Finding]
  ) throws(RegistryError) {
    guard let tag = seen.tag, code.tagUID == tag.uid, !tag.locked else { return }
    let history = try registry.history(of: code.id)
    if let event = history.last(where: { $0.kind == .locked }) {
      findings.append(
        Finding(
          .unlockedTag, .error,
          "The tag was locked on \(event.timestamp.prefix(10)), which is permanent, but it can "
            + "be changed: it is another tag with a copied UID."))
      return
    }
    let protection: [CodeEvent.Kind] = [.passwordSet, .passwordChanged, .passwordRemoved]
    if let event = history.last(where: { protection.contains($0.kind) }),
      event.kind != .passwordRemoved, !tag.passwordProtected
    {
      findings.append(
        Finding(
          .unlockedTag, .error,
          "The tag was given a password on \(event.timestamp.prefix(10)) and has none now: the password was "
            + "removed, or it is another tag."))
    }
  }

  // MARK: The place

  private func comparePlace(
    of seen: VerifiedCode, in registry: borrowing RegistryTransaction, _ findings: inout [Finding]
  ) throws(RegistryError) {
    let found = seen.verification
    // A retired code is taken down, wherever it hangs.
    guard seen.identity?.standing != .retired,
      let belongs = found.place?.id ?? seen.identity?.code?.placeID
    else { return }
    var home = found.place
    if home == nil { home = try registry.place(id: belongs) }
    func add(_ here: Place) {
      findings.append(
        Finding(
          .wrongPlace, .error,
          "It belongs to \(home?.name.printable ?? belongs) and is mounted at "
            + "\(here.name.printable); the report of the walk says what to do."))
    }
    if let statedPlace {
      if statedPlace.id != belongs { add(statedPlace) }
      return
    }
    // For a position outside its place, the actual place is reported.
    guard let region = found.region ?? home?.region, let fix = seen.fix,
      LocationConfirmation.confirm(fix, in: region).result == .outside
    else { return }
    if let here = places.containing(fix).first(where: { $0.id != belongs }) { add(here) }
  }

  // MARK: The sign

  private func compareSign(of seen: VerifiedCode, _ findings: inout [Finding]) {
    let mine = seen.verification
    guard let link = SignLink(payload: mine.payload, carrier: mine.carrier) else { return }
    for stop in onSign {
      for other in stop.readings {
        guard let theirs = SignLink(payload: other.payload, carrier: other.carrier),
          !link.agrees(with: theirs)
        else { continue }
        findings.append(
          Finding(
            .signDisagrees, .error,
            "The sign's \(theirs.carrierName) leads to \(other.payload.printable), and its "
              + "\(link.carrierName) to \(mine.payload.printable)."))
        return
      }
    }
  }
}

extension [CodeEvent] {
  /// The languages of all prints with words, in order.
  fileprivate var languages: [String] {
    filter { $0.kind == .issued }.compactMap { $0.details[CodeEvent.Fact.language] }
  }
}

extension String {
  /// The language of a tag, without the script and the region.
  fileprivate var mainLanguage: Substring { prefix { $0 != "-" } }
}
