import Invocation
import Registry
import Verifying

/// Compares what is seen at a stop with the record: which code of ours it is, and whether it is as
/// we made it and where it belongs.
struct WalkJudge {
  /// A code with what the record says of it.
  struct Answer {
    let seen: WalkSight.Code
    /// The same code with the findings of the comparison.
    let verified: VerifiedCode
    /// The code of ours that it is, or claims to be.
    let code: IssuedCode?
  }

  /// Where whoever walks says they are.
  let statedPlace: Place?
  /// What hangs on the same sign and was read before.
  let onSign: [WalkStop]

  func answers(
    to sight: WalkSight, in registry: borrowing RegistryTransaction
  ) throws(RegistryError) -> [Answer] {
    var answers: [Answer] = []
    for seen in sight.codes {
      var findings: [Finding] = []
      let code = try identify(seen, in: registry, &findings)
      if let code { try compareLocks(of: seen, with: code, in: registry, &findings) }
      try comparePlace(of: seen, code, in: registry, &findings)
      compareSign(of: seen, &findings)
      answers.append(
        Answer(seen: seen, verified: seen.verified.adding(findings), code: code))
    }
    return answers
  }

  // MARK: Which code it is

  private func identify(
    _ seen: WalkSight.Code, in registry: borrowing RegistryTransaction, _ findings: inout [Finding]
  ) throws(RegistryError) -> IssuedCode? {
    let found = seen.verified.verification
    switch found.carrier {
    case .qr: break
    case .nfc: return try identifyTag(seen, in: registry, &findings)
    case .url, .appClipCode, .barcode: return nil
    }
    let known = try registry.codes(CodeFilter(carrier: .qr, payload: found.payload))
    if let code = known.last(where: { $0.status == .issued }) { return code }
    if let code = known.last {
      findings.append(.retired(code))
    } else if found.isOurs {
      findings.append(
        Finding(
          .unissuedCode, .warning,
          "This registry never issued a printed code with this text: another one did, or somebody "
            + "else made it."))
    }
    return known.last
  }

  private func identifyTag(
    _ seen: WalkSight.Code, in registry: borrowing RegistryTransaction, _ findings: inout [Finding]
  ) throws(RegistryError) -> IssuedCode? {
    guard let tag = seen.verified.tag else { return nil }
    let found = seen.verified.verification
    let same = try registry.codes(CodeFilter(carrier: .nfc, payload: seen.recordedPayload))
    // One that was made as a file has no UID in the record.
    if let code = same.last(where: {
      $0.status == .issued && ($0.tagUID == tag.uid || $0.tagUID == nil)
    }) {
      return code
    }
    if let code = same.last(where: { $0.tagUID == tag.uid }) {
      findings.append(.retired(code))
      return code
    }
    let ours = try registry.codes(CodeFilter(status: .issued, carrier: .nfc, tagUID: tag.uid))
    if let code = ours.last {
      findings.append(
        Finding(
          .overwrittenTag, .error,
          "We wrote \(code.payload.printable) to the tag \(tag.uid) (\(code.id)); it holds "
            + (found.payload.isEmpty ? "no URL now." : "something else now.")))
      return code
    }
    if let code = same.last {
      let uids = same.compactMap(\.tagUID).joined(separator: ", ")
      findings.append(
        Finding(
          .foreignUID, .error,
          "The tag \(tag.uid) is not ours: we wrote this text to \(uids). Somebody copied it, or "
            + "put another tag here."))
      return code
    }
    if found.isOurs {
      findings.append(
        Finding(
          .unissuedCode, .warning,
          "This registry never wrote a tag with this text: another one did, or somebody else made "
            + "it."))
    }
    return nil
  }

  private func compareLocks(
    of seen: WalkSight.Code, with code: IssuedCode, in registry: borrowing RegistryTransaction,
    _ findings: inout [Finding]
  ) throws(RegistryError) {
    guard let tag = seen.verified.tag, code.tagUID == tag.uid, !tag.locked else { return }
    let history = try registry.history(of: code.id)
    if let event = history.last(where: { $0.kind == .locked }) {
      findings.append(
        Finding(
          .unlockedTag, .error,
          "The tag was locked on \(event.timestamp.prefix(10)), which cannot be undone, and it can "
            + "be changed: this is another tag that copies its UID."))
      return
    }
    let protection: [CodeEvent.Kind] = [.passwordSet, .passwordChanged, .passwordRemoved]
    if let event = history.last(where: { protection.contains($0.kind) }),
      event.kind != .passwordRemoved, !tag.passwordProtected
    {
      findings.append(
        Finding(
          .unlockedTag, .error,
          "The tag was given a password on \(event.timestamp.prefix(10)) and has none now: somebody "
            + "removed it, or this is another tag."))
    }
  }

  // MARK: Where it belongs

  private func comparePlace(
    of seen: WalkSight.Code, _ code: IssuedCode?, in registry: borrowing RegistryTransaction,
    _ findings: inout [Finding]
  ) throws(RegistryError) {
    let found = seen.verified.verification
    guard let belongs = found.place?.id ?? code?.placeID else { return }
    var home = found.place
    if home == nil { home = try registry.place(id: belongs) }
    func add(_ here: Place) {
      findings.append(
        Finding(
          .wrongPlace, .error,
          "It belongs to \(home?.name.printable ?? belongs) and hangs at "
            + "\(here.name.printable): bring it back, and look for its counterpart there."))
    }
    if let statedPlace {
      if statedPlace.id != belongs { add(statedPlace) }
      return
    }
    // Where a position says that it is elsewhere, people want to know where that is.
    guard let region = found.region ?? home?.region, let fix = seen.verified.fix,
      LocationConfirmation.confirm(fix, in: region).result == .outside
    else { return }
    for place in try registry.places() where place.id != belongs {
      if LocationConfirmation.confirm(fix, in: place.region).result == .inside {
        return add(place)
      }
    }
  }

  // MARK: What else hangs on the sign

  private func compareSign(of seen: WalkSight.Code, _ findings: inout [Finding]) {
    let mine = seen.verified.verification
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

extension VerifiedCode {
  /// The position it was compared with, if there was one.
  var fix: LocationFix? { verification.location?.fix }
  /// The same, unless it only stands for a place.
  var measuredFix: LocationFix? { fix.map(LocationEvidence.fix)?.measured }

  /// The same code with more to tell of its carrier.
  func adding(_ findings: [Finding]) -> VerifiedCode {
    VerifiedCode(
      source: source, page: page, verification: verification,
      carrierFindings: carrierFindings + findings, symbol: symbol, tag: tag,
      secureMessage: secureMessage, phone: phone)
  }
}

extension Verification {
  /// Whether a clip of the registry claims the host.
  fileprivate var isOurs: Bool { clip != nil }
}

extension Finding {
  fileprivate static func retired(_ code: IssuedCode) -> Finding {
    Finding(.retiredCode, .error, "The code \(code.id) was retired, and still hangs: take it down.")
  }
}
