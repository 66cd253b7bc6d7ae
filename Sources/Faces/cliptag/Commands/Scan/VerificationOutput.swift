import AppClipCodes
import CliptagBasics
import Foundation
import Invocation
import Jobs
import Registry
import TagAuthenticity
import Verifying

extension VerifiedCode {
  /// Returns the lines that people read: the verdict first, then the reasons.
  ///
  /// - Parameter isRepeating: Whether an earlier code of the run had the same remark about
  ///   pictures without the accuracy of their position, which is left out then.
  func text(_ style: Style, isRepeating: Bool = false) -> ConsoleText {
    let found = verification
    let nothing = appClipCode == nil ? "(no URL)" : "(an App Clip Code)"
    let payload = found.payload.isEmpty ? nothing : found.payload.printable
    var lines: [ConsoleText] = ["\(verdict.label(style)) \(style.bold("\(payload)"))"]
    if source != VerifiedCode.argument {
      lines.append("  from      \(source.onPage(page)) (\(found.carrier.rawValue))")
    }
    let isOverridden = phone?.localExperience != nil
    lines.append(
      "  state     \(found.state.rawValue)"
        + (isOverridden ? " in the registry, overridden by the Local Experience" : ""))
    lines += openings
    if let place = found.place { lines.append("  place     \(place.name) (\(place.id))") }
    if let location = found.location { lines.append("  location  \(location.text)") }
    if let tag { lines.append("  tag       \(tag.text)") }
    if let appClipCode { lines.append("  symbol    \(appClipCode.text)") }
    lines += reasons
    for finding in findings where !(isRepeating && finding.code == .inexactPicture) {
      let label = finding.severity.rawValue.padding(to: 8)
      lines.append(
        "  \(finding.severity.colored("\(label)", style))  \(finding.advice.own) [\(finding.code)]"
      )
      // Its sentence is the library's, which names no options.
      if finding.code == .noPosition {
        lines.append("            Give one with --at, --gpsd or --nmea, or use --no-location.")
      }
    }
    if let phone { lines.append(phone.text(style)) }
    return lines.joined(separator: "\n")
  }

  /// The match of the payload in the registry and the experience that opens, which can differ. For
  /// a rejected payload nothing is shown to open, even if only the place is wrong.
  private var openings: [ConsoleText] {
    let matched = verification.experience
    if let local = phone?.localExperience, verdict != .rejected {
      return ["  opens     the Local Experience \(local.normalized)"]
    }
    let opened = verdict == .rejected ? nil : phone.map(\.experience) ?? opensInGeneral
    var lines: [ConsoleText] = []
    if let matched, matched != opened { lines.append("  matches   \(matched.text)") }
    if let opened {
      let label = mayOpenOnly ? "may open" : "opens   "
      lines.append("  \(label)  \(opened.text)")
    } else if let phone, phone.start == .app, let app = phone.program, verdict != .rejected {
      lines.append("  opens     the app \(app)")
    }
    return lines
  }

  /// The reasons that a certain phone's answer is not accepted, if no finding states them.
  private var reasons: [ConsoleText] {
    guard let phone, phone.verdict == verdict,
      verdict == .undecided || !findings.contains(where: { $0.severity == .error })
    else { return [] }
    let isPlaceTold = findings.contains { $0.code == .noPlace }
    return phone.reasons.filter { !(isPlaceTold && $0.stage == .location) }
      .map { "  because   \($0.text)" }
  }

  /// The experience that phones in general open: none by a barcode other than a QR code.
  private var opensInGeneral: MatchedExperience? {
    verification.carrier == .barcode ? nil : verification.experience
  }

  /// Whether it is not sure that something opens; that its place is not known does not count.
  private var mayOpenOnly: Bool {
    guard let phone else {
      return verification.state == .defaultOnly || verification.state == .ambiguous
    }
    return phone.steps.contains { $0.result == .doubtful && $0.stage != .location }
  }

  /// The source of a payload given on the command line.
  static let argument = "argument"
}

/// The remark about pictures without the accuracy of their position, which is said once a run.
struct SaidRemarks {
  private var isSaid = false

  /// Whether an earlier code had the remark; this one is an earlier code from now on.
  mutating func isSaid(of code: VerifiedCode) -> Bool {
    defer { isSaid = isSaid || code.findings.contains { $0.code == .inexactPicture } }
    return isSaid
  }
}

extension MatchedExperience {
  /// One line for people.
  var text: String {
    let card = [card.title, card.subtitle].compactMap { $0 }.joined(separator: ": ")
    let registered =
      link.map { "\(kind.rawValue) experience \($0.payload)" } ?? "default experience"
    return "\(card) [\(self.card.action.rawValue)], \(registered), clip \(clip)"
  }
}

extension LocationOutcome {
  fileprivate var text: String {
    var parts: [String] = []
    if let distance { parts.append("\(distance.asDistance) away") }
    if let radius { parts.append("radius \(radius.asDistance)") }
    if let accuracy, accuracy > 0 { parts.append("accuracy \(accuracy.asDistance)") }
    if let origin = fix?.origin?.text { parts.append(origin) }
    return ([result.words] + (parts.isEmpty ? [] : [parts.joined(separator: ", ")]))
      .joined(separator: ": ")
  }
}

extension LocationOutcome.Result {
  /// The result in a few words.
  fileprivate var words: String {
    switch self {
    case .inside, .outside, .undecided, .waived: rawValue
    case .disallowed: "not confirmed by phones"
    case .doesNotMatch: "not confirmed, because no experience covers the URL"
    case .noPosition: "unknown position"
    case .noPlace: "no known place"
    }
  }
}

extension PositionOrigin {
  /// The way in which the position was determined; `nil` if it was simply entered.
  fileprivate var text: String? {
    let words: String
    switch kind {
    case .given: return note.map { "note: \($0.printable)" }
    case .gpsd: words = "from gpsd at \(name ?? "")"
    case .nmea: words = "from the receiver \(name ?? "")"
    case .exif: return "from the picture"
    case .place: return "from the given position"
    }
    return words + (reportCount == 1 ? "" : " (\(reportCount) reports)")
  }
}

extension Finding.Severity {
  func colored(_ text: ConsoleText, _ style: Style) -> ConsoleText {
    switch self {
    case .note: style.dim(text)
    case .warning: style.yellow(text)
    case .error: style.red(text)
    }
  }
}

extension AppClipCodeSighting {
  /// One line for people.
  fileprivate var text: String {
    "App Clip Code\(code.map { " \($0.id)" } ?? ""), \(match.known) of 128 bits read"
      + (code == nil ? "" : ", \(match.wrong) of them wrong")
  }
}

extension TagFacts {
  /// One line for people.
  var text: String {
    var parts = ["\(type) \(uid)"]
    if let capacity {
      parts.append(
        used.map { "\($0) of \(capacity) bytes used" }
          ?? "\(capacity) bytes, usage unknown")
    }
    if locked { parts.append("locked") }
    if passwordProtected { parts.append("password-protected") }
    if let originality { parts.append(originality.text) }
    return parts.joined(separator: ", ")
  }
}

extension Originality {
  /// The verdict in a few words.
  var text: String {
    switch self {
    case .genuine: "genuine by its signature, which can be copied"
    case .notGenuine: "SIGNATURE NOT VERIFIED by a key known here"
    case .unverified(let reason), .notCheckable(let reason): "originality not checkable (\(reason))"
    }
  }
}

extension Double {
  /// A length in metres as people say it.
  var asDistance: String {
    switch abs(self) {
    case 1_000_000...: String(format: "%.0f km", self / 1000)
    case 1000...: String(format: "%.1f km", self / 1000)
    case 100...: String(format: "%.0f m", self)
    default: self == rounded() ? String(format: "%.0f m", self) : String(format: "%.1f m", self)
    }
  }
}

extension String {
  /// The text followed by spaces up to a width.
  func padding(to width: Int) -> String {
    self + String(repeating: " ", count: Swift.max(0, width - count))
  }
}
