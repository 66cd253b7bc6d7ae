import Foundation
import Invocation

/// `applinks` once more, as plainly as it can be said: it tries every way that the words of the
/// rules leave open, one after the other. For short patterns only.
struct AppLinksReference {
  let links: SiteAssociation.AppLinks
  let host: String

  /// Outcome, entry and rule.
  struct Answer: Equatable {
    var outcome: AppLinkDecision.Outcome
    var detail: Int?
    var origin: SiteAssociation.LinkRule.Origin?
  }

  func answer(for url: InvocationURL, app: String) -> Answer {
    if url.host != host { return Answer(outcome: .foreignHost) }
    var isListed = false
    for (index, detail) in links.details.enumerated() where detail.appIDs.contains(app) {
      isListed = true
      for rule in detail.rules where fits(rule, [rule, detail.defaults, links.defaults], url) {
        let excludes = rule.exclude ?? detail.defaults.exclude ?? links.defaults.exclude ?? false
        return Answer(
          outcome: excludes ? .excluded : .matched, detail: index, origin: rule.origin)
      }
    }
    return Answer(outcome: isListed ? .noRule : .notListed)
  }

  private func fits(
    _ rule: SiteAssociation.LinkRule, _ levels: [SiteAssociation.LinkRule], _ url: InvocationURL
  ) -> Bool {
    let ignoresCase = levels.compactMap(\.caseSensitive).first == false
    let decodes = levels.compactMap(\.percentEncoded).first == false
    func view(_ text: String) -> String { decodes ? text.removingPercentEncoding ?? text : text }
    func matches(_ pattern: String, _ text: String) -> Bool {
      fit(Array(pattern.unicodeScalars), Array(text.unicodeScalars), ignoresCase, true)
    }

    let rest = url.payload.drop { $0 != "/" }.dropFirst(2).drop { !"/?#".contains($0) }
    let parts = rest.split(separator: "#", maxSplits: 1, omittingEmptySubsequences: false)
    let fragment = parts.count > 1 ? String(parts[1]) : ""
    let front = (parts.first ?? "").split(
      separator: "?", maxSplits: 1, omittingEmptySubsequences: false)
    let path = front.first.map(String.init) ?? ""
    let query = front.count > 1 ? String(front[1]) : ""

    if let pattern = levels.compactMap(\.path).first {
      guard pathForms(pattern).contains(where: { matches($0, trimmed(view(path))) }) else {
        return false
      }
    }
    switch levels.compactMap(\.query).first {
    case .whole(let pattern): guard matches(pattern, view(query)) else { return false }
    case .items(let items):
      var pairs: [(name: String, value: String)] = []
      for pair in query.components(separatedBy: "&") where !query.isEmpty {
        let ends = pair.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
        pairs.append((view(String(ends[0])), ends.count > 1 ? view(String(ends[1])) : ""))
      }
      for item in items {
        let values = pairs.filter {
          ignoresCase ? $0.name.lowercased() == item.name.lowercased() : $0.name == item.name
        }.map(\.value)
        guard (values.isEmpty ? [""] : values).allSatisfy({ matches(item.pattern, $0) }) else {
          return false
        }
      }
    case .unreadable, nil: break
    }
    if let pattern = levels.compactMap(\.fragment).first {
      guard matches(pattern, view(fragment)) else { return false }
    }
    return true
  }

  /// A path without the slashes at its end.
  private func trimmed(_ path: String) -> String {
    path.hasSuffix("/") ? trimmed(String(path.dropLast())) : path
  }

  private func pathForms(_ pattern: String) -> [String] {
    var pattern = pattern
    while pattern.contains("**") { pattern = pattern.replacingOccurrences(of: "**", with: "*") }
    let isRooted = pattern.hasPrefix("/")
    let rooted = "/" + pattern.drop { $0 == "/" }
    return (isRooted ? [rooted] : [pattern, rooted]).map(trimmed).flatMap {
      $0.hasSuffix("/*") ? [$0, String($0.dropLast(2))] : [$0]
    }
  }

  private func fit(
    _ pattern: [Unicode.Scalar], _ text: [Unicode.Scalar], _ ignoresCase: Bool,
    _ hasVariables: Bool
  ) -> Bool {
    guard let first = pattern.first else { return text.isEmpty }
    let rest = Array(pattern.dropFirst())
    func tail(_ count: Int) -> [Unicode.Scalar] { Array(text.dropFirst(count)) }
    if first == "*" {
      return (0...text.count).contains { fit(rest, tail($0), ignoresCase, hasVariables) }
    }
    if hasVariables, first == "$", rest.first == "(", let end = pattern.firstIndex(of: ")") {
      let name = String(String.UnicodeScalarView(pattern[2..<end]))
      let behind = Array(pattern[(end + 1)...])
      return values(of: name).contains { value in
        (0...text.count).contains { count in
          fit(Array(value.unicodeScalars), Array(text.prefix(count)), ignoresCase, false)
            && fit(behind, tail(count), ignoresCase, true)
        }
      }
    }
    guard let character = text.first else { return false }
    let isSame =
      first == character
      || ignoresCase && String(first).lowercased() == String(character).lowercased()
    return (first == "?" || isSame) && fit(rest, tail(1), ignoresCase, hasVariables)
  }

  /// Own variables, and two of the predefined ones.
  private func values(of name: String) -> [String] {
    if let values = links.substitutionVariables[name] { return values }
    switch name {
    case "digit": return (0...9).map { "\($0)" }
    case "upper": return "ABCDEFGHIJKLMNOPQRSTUVWXYZ".map { String($0) }
    default: return []
    }
  }
}
