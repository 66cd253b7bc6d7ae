import CliptagBasics
public import Invocation

/// A payload that may be issued, with the result of its check.
public struct Approval: Hashable, Sendable {
  /// The result of the check of the payload.
  public let verification: Verification
  /// Whether the check accepted it; `false` for what is issued although it did not.
  public var isRegistered: Bool { verification.verdict == .accepted }
  /// The findings against issuing it all the same: every finding that is not a note.
  public var warnings: [Finding] { verification.warnings }
}

/// The refusal of a payload: the check did not accept it, or warned of it and warnings are refused.
public struct IssueRefusal: Error, Hashable, Sendable, CustomStringConvertible {
  /// The result of the check, with its findings.
  public let verification: Verification
  /// Whether the check accepted the payload and only its warnings speak against it.
  public var isForWarnings: Bool {
    verification.verdict == .accepted && !verification.namesUnknownPlace
  }

  /// The payload and the findings against it, as sentences.
  public var description: String {
    let reasons = verification.warnings.map(\.message)
    return "\(verification.payload.printable) is not issued: \(reasons.joined(separator: " "))"
  }
}

extension Verification {
  /// The findings other than notes.
  var warnings: [Finding] { findings.filter { $0.severity >= .warning } }

  /// Whether the experience wants a known place in the payload, and it names none: a misspelt one
  /// opens the clip at no place at all.
  package var namesUnknownPlace: Bool { findings.contains { $0.code == .unknownPlace } }

  /// Whether a payload may be issued.
  func permits(unregistered: Bool, refusingWarnings: Bool) -> Bool {
    guard verdict == .accepted, !namesUnknownPlace else { return unregistered }
    return !refusingWarnings || warnings.isEmpty
  }
}

extension InvocationCheck {
  /// Returns the approval of a payload, if it may be issued.
  ///
  /// - Parameters:
  ///   - payload: The text that the code will carry, exactly.
  ///   - carrier: The carrier of the payload, which can have its own rules.
  ///   - unregistered: Whether to issue it although the check does not accept it, or although it
  ///     names a place that the registry does not hold.
  ///   - refusingWarnings: Whether to refuse what the check accepts and warns of.
  /// - Throws: ``IssueRefusal``, or an error of the directory.
  public func approve(
    _ payload: String, carrier: Carrier = .url, unregistered: Bool = false,
    refusingWarnings: Bool = false
  ) throws -> Approval {
    let verification = try examine(payload: payload, carrier: carrier, location: .notAsked)
    guard verification.permits(unregistered: unregistered, refusingWarnings: refusingWarnings)
    else {
      throw IssueRefusal(verification: verification)
    }
    return Approval(verification: verification)
  }
}
