import Basics

extension RegistryLookup {
  /// What is worth knowing about a URL whatever the registry holds.
  static func notes(on url: InvocationURL) -> [Finding] {
    var notes: [Finding] = []
    if let fragment = url.fragment {
      notes.append(
        Finding(
          .fragmentIgnored, .note,
          "The fragment \(("#" + fragment).quotedForMessage) takes no part in the choice of the "
            + "experience."))
    }
    if url.host.hasPrefix("xn--") || url.host.contains(".xn--") {
      notes.append(
        Finding(
          .internationalHost, .note,
          "The host is the international domain name \(url.host); compare it letter by letter "
            + "with the one that is meant."))
    }
    if let escape = firstControlEscape(in: url.matchingKey) {
      notes.append(
        Finding(
          .escapedControl, .warning,
          "The URL holds \(escape), the escape of a control character; check what wrote it."))
    }
    return notes
  }

  private static func firstControlEscape(in key: String) -> String? {
    let bytes = Array(key.utf8)
    for (index, byte) in bytes.enumerated() where byte == UInt8(ascii: "%") {
      let escape = bytes[index...].prefix(3)
      if let value = [UInt8](hexadecimal: escape.dropFirst())?.first, value < 0x20 || value == 0x7F
      {
        return String(decoding: escape, as: UTF8.self)
      }
    }
    return nil
  }

  /// Links that would cover the URL if it were written a little differently.
  func nearMisses(of matcher: ExperienceMatcher, url: InvocationURL) -> [Finding] {
    var findings: [Finding] = []
    if let experience = matcher.slashMismatch {
      findings.append(
        Finding(
          .trailingSlash, .warning,
          "\(experience.link.normalized) would cover the URL if the path's last slash were "
            + (url.path.hasSuffix("/") ? "left out." : "written.")))
    }
    if let experience = matcher.caseMismatch {
      findings.append(
        Finding(
          .caseMismatch, .warning,
          "\(experience.link.normalized) would cover the URL if case did not count; write both "
            + "alike."))
    }
    return findings
  }
}

extension MatchedExperience {
  init(advanced experience: AdvancedExperience) {
    self.init(
      kind: .advanced, link: experience.link, card: experience.card, clip: experience.clip)
  }

  /// - Returns: `nil` when the clip has no default experience.
  init?(defaultOf clip: AppClip) {
    guard let card = clip.defaultExperience else { return nil }
    self.init(kind: .default, link: nil, card: card, clip: clip.bundleID)
  }
}
