import Deployment
import Invocation

extension Console {
  /// Prints the review of a page and takes its verdict into the exit status.
  func show(_ review: BannerReview, of source: String) {
    result(review.json(source), text: review.text(source, output))
    note(review.verdict == .accepted ? .done : .notAccepted)
  }
}

extension BannerReview {
  fileprivate func json(_ source: String) -> JSONValue {
    .object([
      ("type", "banner-report"), ("source", .string(source)),
      ("verdict", .string(verdict.rawValue)), ("url", JSONValue(url)),
      ("status", JSONValue(status)), ("banner", banner.map(json(of:)) ?? .null),
      ("experience", experience?.json ?? .null), ("findings", .array(findings.map(\.json))),
    ])
  }

  private func json(of banner: SmartAppBanner) -> JSONValue {
    .object([
      ("line", JSONValue(position?.line)), ("column", JSONValue(position?.column)),
      ("appID", JSONValue(banner.appID)), ("clip", JSONValue(banner.clip)),
      ("display", JSONValue(banner.display)), ("argument", JSONValue(banner.argument)),
      ("affiliateData", JSONValue(banner.affiliateData)),
    ])
  }

  fileprivate func text(_ source: String, _ style: Style) -> String {
    var lines = ["\(verdict.label(style)) \(style.bold(source.printable))"]
    if let url, url != source { lines.append("  page      \(url.printable)") }
    if let banner {
      let place = position.map { "\($0.line):\($0.column): " } ?? ""
      lines.append("  banner    \(place)\(banner.content.printable)")
    }
    if let experience { lines.append("  opens     \(experience.text)") }
    lines += findings.map { $0.line(style) }
    return lines.joined(separator: "\n")
  }
}
