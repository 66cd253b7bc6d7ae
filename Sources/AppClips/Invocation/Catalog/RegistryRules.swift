// The requirements of App Store Connect on a clip's data, as checks for input. Each returns one
// sentence with the fault and the correct form, or `nil`.

extension ExperienceCard {
  /// The maximum length of a title in App Store Connect, in user-perceived characters.
  package static let maximumTitleLength = 30
  /// The maximum length of a subtitle in App Store Connect, in user-perceived characters.
  package static let maximumSubtitleLength = 56

  /// The fault of a title, or `nil`.
  package static func problem(withTitle title: String) -> String? {
    problem(with: title, named: "title", atMost: maximumTitleLength)
  }

  /// The fault of a subtitle, or `nil`.
  package static func problem(withSubtitle subtitle: String) -> String? {
    problem(with: subtitle, named: "subtitle", atMost: maximumSubtitleLength)
  }

  private static func problem(with text: String, named name: String, atMost limit: Int) -> String? {
    if text.allSatisfy(\.isWhitespace) { return "The \(name) is empty." }
    if text.unicodeScalars.contains(where: { $0.properties.generalCategory == .control }) {
      return "The \(name) \(text.quotedForMessage) contains a control character."
    }
    guard text.count > limit else { return nil }
    return "The \(name) \(text.quotedForMessage) has \(text.count) characters; "
      + "App Store Connect accepts at most \(limit)."
  }
}

extension AdvancedExperience {
  /// The languages of a card's text: the 32 codes of App Store Connect
  /// (`AppClipAdvancedExperienceLanguage`).
  package static let languages = [
    "AR", "CA", "CS", "DA", "DE", "EL", "EN", "ES", "FI", "FR", "HE", "HI", "HR", "HU", "ID", "IT",
    "JA", "KO", "MS", "NL", "NO", "PL", "PT", "RO", "RU", "SK", "SV", "TH", "TR", "UK", "VI", "ZH",
  ]

  /// The fault of a language, or `nil`.
  package static func problem(withLanguage language: String) -> String? {
    if languages.contains(language) { return nil }
    let known = languages.joined(separator: " ")
    return "\(language.quotedForMessage) is not a language of App Store Connect; "
      + "write one of \(known)."
  }
}

extension Place {
  /// The fault of a language of signs, or `nil`: a tag of BCP 47 begins with the two or three small
  /// letters of ISO 639, and further parts follow after hyphens.
  package static func problem(withLanguage tag: String) -> String? {
    let parts = tag.utf8.split(separator: UInt8(ascii: "-"), omittingEmptySubsequences: false)
    let isSound =
      (2...3).contains(parts[0].count) && parts[0].allSatisfy { (0x61...0x7A).contains($0) }
      && parts.dropFirst().allSatisfy { part in
        (1...8).contains(part.count) && part.allSatisfy { $0.isASCIILetter || $0.isASCIIDigit }
      }
    if isSound { return nil }
    return "\(tag.quotedForMessage) is not the tag of a language; write one such as de or pt-BR."
  }
}

extension AppClip {
  /// The fault of a bundle identifier, or `nil`.
  ///
  /// A bundle identifier consists of letters, digits and hyphens, in at least two parts separated
  /// by dots (`CFBundleIdentifier`).
  package static func problem(withBundleID identifier: String) -> String? {
    let parts = identifier.utf8.split(
      separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
    let isSound = parts.allSatisfy { part in
      !part.isEmpty
        && part.allSatisfy { $0.isASCIILetter || $0.isASCIIDigit || $0 == UInt8(ascii: "-") }
    }
    if parts.count > 1, isSound { return nil }
    return "\(identifier.quotedForMessage) is not a bundle identifier; write letters, digits and "
      + "hyphens with dots between them, such as com.example.fruta.Clip."
  }

  /// The fault of a clip's bundle identifier in relation to its app's, or `nil`.
  ///
  /// A clip's identifier is its app's, a dot and a suffix.
  package static func problem(withBundleID clip: String, ofApp app: String) -> String? {
    if let problem = problem(withBundleID: clip) ?? problem(withBundleID: app) { return problem }
    if clip.hasPrefix(app + ".") { return nil }
    return "The clip \(clip.quotedForMessage) does not belong to the app \(app.quotedForMessage); "
      + "a clip's identifier is its app's, a dot and a suffix, such as \(app).Clip."
  }

  /// The fault of an application identifier prefix, or `nil`.
  package static func problem(withTeam team: String) -> String? {
    let isSound = team.utf8.allSatisfy {
      $0.isASCIIDigit || (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains($0)
    }
    if isSound, team.utf8.count == 10 { return nil }
    return "\(team.quotedForMessage) is not an application identifier prefix; write the ten "
      + "capital letters and digits of the team identifier, such as ABCDE12345."
  }

  /// The fault of an app's number in the App Store, or `nil`.
  package static func problem(withAppStoreID number: String) -> String? {
    if !number.isEmpty, number.utf8.allSatisfy(\.isASCIIDigit) { return nil }
    return "\(number.quotedForMessage) is not an App Store number; write digits only."
  }

  /// The fault of an associated domain, or `nil`.
  ///
  /// A domain is an exact host: no wildcard, scheme, path or port. ``HostName/parse(_:)`` gives the
  /// form to store.
  package static func problem(withDomain domain: String) -> String? {
    let shown = domain.quotedForMessage
    if domain.contains("*") {
      return "The domain \(shown) is a pattern; list each host separately."
    }
    if domain.hasPrefix("appclips:") {
      return "The domain \(shown) is an entitlement entry; leave out appclips: in front."
    }
    if domain.contains("/") || domain.contains("?") || domain.contains(":") {
      return "The domain \(shown) is not only a host; leave out scheme, port, path and mode."
    }
    do throws(InvocationURLError) {
      _ = try HostName.parse(domain)
      return nil
    } catch {
      return error.description
    }
  }
}

extension PlaceRule {
  /// The fault of the rule for an experience with this link, or `nil`.
  package func problem(under link: InvocationURL) -> String? {
    switch self {
    case .fixed(let id):
      return id.isEmpty ? "The place rule names a place without an id." : nil
    case .query(let item):
      return item.isEmpty ? "The place rule names a query item without a name." : nil
    case .coordinates(let latitude, let longitude, let radius):
      if latitude.isEmpty || longitude.isEmpty || latitude == longitude {
        return "The place rule needs two different query items for latitude and longitude."
      }
      return Region.Circle.problem(withRadius: radius)
    case .path(let template):
      if !template.namesPlace {
        return "The path template \(template.text.quotedForMessage) has no {place}."
      }
      if template.canMatch(below: link.path) { return nil }
      return "The path template \(template.text.quotedForMessage) matches no URL under "
        + "\(link.normalized)."
    }
  }
}

extension Region.Circle {
  /// The fault of a radius in metres, or `nil`.
  package static func problem(withRadius radius: Double) -> String? {
    radius > 0 && radius <= maximumRadius ? nil : refusal(ofRadius: radius)
  }

  static func refusal(ofRadius radius: Double) -> String {
    "A radius of \(radius) m cannot be confirmed; it must be greater than 0 and at most "
      + "\(Int(maximumRadius)) m."
  }
}
