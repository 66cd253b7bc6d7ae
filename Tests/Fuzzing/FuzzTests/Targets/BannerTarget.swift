import Invocation
import WebFetching

extension FuzzTarget {
  /// Web pages: libxml2's reading of them, and what is said of the banner.
  static let banner = FuzzTarget(name: "banner") { bytes in
    let page = try WebPage(bytes)
    try require(page.metas.count <= WebPage.maximumTags, "tags are bounded")
    let lines = bytes.count { $0 == 0x0A } + 1
    var last = (line: 1, column: 1)
    for meta in page.metas {
      try require(
        (1...lines).contains(meta.line) && (1...bytes.count * 3 + 1).contains(meta.column),
        "the place of a tag is in the page: \(meta)")
      try require(
        (meta.line, meta.column) >= last, "tags stand in their order: \(meta) after \(last)")
      last = (meta.line, meta.column)
    }
    let clip = AppClip(
      bundleID: "com.example.Clip", appBundleID: "com.example", team: "ABCDE12345",
      appStoreID: "12", domains: ["example.com"])
    let tags = page.metas.filter { $0.attributes["name"] == SmartAppBanner.name }.map { meta in
      SmartAppBannerCheck.Tag(
        content: meta.attributes["content"],
        position: DocumentPosition(line: meta.line, column: meta.column), isInHead: meta.isInHead)
    }
    let (banner, findings) = SmartAppBannerCheck(clips: [clip]).review(tags)
    try require(findings.count < 120, "findings are bounded")
    let isRight = banner?.appID == "12" && banner?.clip == clip.bundleID
    let hasError = findings.contains {
      $0.finding.severity == .error && $0.finding.code != .bannerItem
    }
    try require(
      isRight || findings.contains { $0.finding.severity == .error }, "no fault is missed")
    try require(!isRight || !hasError, "what is right has no error")
    guard let banner else { return }
    let again = SmartAppBanner.read(banner.content, at: DocumentPosition(line: 1, column: 1))
    try require(again.banner == banner, "\(banner) is written as it is read")
  }
}
