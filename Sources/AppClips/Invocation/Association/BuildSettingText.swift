/// A value of an entitlements file of Xcode, which may hold build settings: `$(NAME)`, `${NAME}` or
/// `$(NAME:operator)`. Xcode replaces them when it builds.
struct BuildSettingText {
  /// The text with settings for the prefix of the clip's team replaced.
  let text: String
  /// The text as written.
  private let written: String
  /// The names of the settings whose value is unknown.
  let settings: [String]
  /// The text between the settings, from its beginning to its end.
  private let fixed: [Substring]

  /// Reads a value.
  ///
  /// - Parameters:
  ///   - text: The value.
  ///   - clip: The clip whose team is the application identifier prefix.
  init(_ text: String, of clip: AppClip) {
    written = text
    var expanded = text
    for name in ["AppIdentifierPrefix", "TeamIdentifierPrefix"] {
      for setting in ["$(\(name))", "${\(name)}"] {
        expanded = expanded.replacingEach(setting, by: clip.team + ".")
      }
    }
    self.text = expanded
    var settings: [String] = []
    var fixed: [Substring] = []
    var rest = expanded[...]
    while let (before, name, after) = Self.split(rest) {
      fixed.append(before)
      settings.append(name)
      rest = after
    }
    self.settings = settings
    self.fixed = fixed + [rest]
  }

  /// Whether the text may equal another one after Xcode has replaced the settings.
  func canBe(_ wanted: String) -> Bool {
    guard !settings.isEmpty else { return text == wanted }
    guard let first = fixed.first, let last = fixed.last, wanted.hasPrefix(first) else {
      return false
    }
    var rest = wanted.dropFirst(first.count)
    for part in fixed.dropFirst().dropLast() where !part.isEmpty {
      guard let range = rest.firstRange(of: part) else { return false }
      rest = rest[range.upperBound...]
    }
    return rest.hasSuffix(last)
  }

  /// Whether the text may be the `appclips:` entry of a host, with or without a mode.
  func isDomain(_ host: String) -> Bool { canBe("appclips:\(host)\(mode)") }

  /// The `?mode=…` at the end of an associated domain, or an empty text.
  var mode: String { text.firstIndex(of: "?").map { String(text[$0...]) } ?? "" }

  /// The finding that only Xcode knows the value, if it holds a setting.
  ///
  /// - Parameters:
  ///   - what: The subject with the value, and a verb.
  ///   - wanted: The required value.
  func finding(_ what: String, wanted: String) -> AssociationFinding? {
    guard !settings.isEmpty else { return nil }
    let names = settings.map(\.quotedForMessage).joined(separator: " and ")
    return AssociationFinding(
      .entitlementBuildSetting, .warning,
      "\(what) \(written.quotedForMessage), with the build "
        + "\(settings.count == 1 ? "setting" : "settings") \(names), which Xcode replaces: it must "
        + "become \(wanted). Check the signed app too (codesign -d --entitlements - --xml).")
  }

  /// Whether a text contains a build setting.
  static func holdsSetting(_ text: String) -> Bool { split(text[...]) != nil }

  /// The rest of a text after the setting that it begins with; `nil` if it does not begin with one.
  static func afterSetting(_ text: String) -> Substring? {
    guard let (before, _, after) = split(text[...]), before.isEmpty else { return nil }
    return after
  }

  /// The longest text that is searched for settings, in bytes.
  private static let maximumLength = 2048
  private static let closing: [Character: Character] = ["(": ")", "{": "}"]

  /// The first setting of a text, and the text before and after it.
  private static func split(
    _ text: Substring
  ) -> (before: Substring, name: String, after: Substring)? {
    guard text.utf8.count <= maximumLength else { return nil }
    var start = text.startIndex
    while let dollar = text[start...].firstIndex(of: "$") {
      let open = text.index(after: dollar)
      start = open
      guard open < text.endIndex, let close = closing[text[open]],
        let end = text[open...].firstIndex(of: close)
      else { continue }
      let inside = text[text.index(after: open)..<end]
      let name = inside.prefix { $0 != ":" }
      return (text[..<dollar], String(name), text[text.index(after: end)...])
    }
    return nil
  }
}

extension String {
  fileprivate func replacingEach(_ part: String, by other: String) -> String {
    split(separator: part, omittingEmptySubsequences: false).joined(separator: other)
  }
}
