import Invocation
import Testing

private func makeClip(_ name: String, number: String? = "1234567890") -> AppClip {
  AppClip(
    bundleID: "com.example.\(name).Clip", appBundleID: "com.example.\(name)", team: "ABCDE12345",
    appStoreID: number, domains: ["fruta.example.com"])
}

@Suite("Smart App Banners")
struct SmartAppBannerTests {
  private let fruta = makeClip("fruta")
  private let rewards = makeClip("rewards", number: nil)
  private let good = "app-id=1234567890, app-clip-bundle-id=com.example.fruta.Clip"

  private func codes(
    _ content: String?, inHead: Bool = true, wanted: [AppClip] = []
  ) -> [String] {
    let tag = SmartAppBannerCheck.Tag(
      content: content, position: .init(line: 7, column: 5), isInHead: inHead)
    let review = SmartAppBannerCheck(clips: [fruta, rewards], wanted: wanted).review([tag])
    for finding in review.findings { #expect(finding.position?.line == 7) }
    return review.findings.map(\.finding.code.rawValue)
  }

  @Test("a tag as Apple documents it is right, with or without the card")
  func documented() {
    #expect(codes(good) == [])
    #expect(codes(good + ", app-clip-display=card") == [])
    #expect(codes(" app-clip-bundle-id = com.example.fruta.Clip ,app-id=1234567890,") == [])
    #expect(codes(good + ", affiliate-data=at=1&ct=2") == [])
  }

  @Test(
    "each fault has its code",
    arguments: [
      ("app-id=1234567890", ["banner-no-clip"]),
      ("app-clip-bundle-id=com.example.fruta.Clip", ["banner-app-id"]),
      ("app-id=id123, app-clip-bundle-id=com.example.fruta.Clip", ["banner-app-id"]),
      ("app-id=999, app-clip-bundle-id=com.example.fruta.Clip", ["banner-app-id"]),
      ("app-id=999, app-clip-bundle-id=com.example.rewards.Clip", []),
      ("app-id=1234567890, app-clip-bundle-id=com.example.fruta.clip", ["unknown-clip"]),
      ("app-id=1234567890; app-clip-bundle-id=a", ["banner-no-clip", "banner-app-id"]),
      (
        "app-id=1234567890, app-clip-bundle-id=com.example.fruta.Clip, app-clip-display=full",
        ["banner-display"]
      ),
      (
        "app-id=1234567890, app-clip-bundle-id=com.example.fruta.Clip, app-argument=https://a.b",
        ["banner-argument"]
      ),
      (
        "app-id=1234567890, app-clip-bundle-id=com.example.fruta.Clip, app-clip-bundleid=x",
        ["banner-key"]
      ),
      (
        "app-id=1234567890, app-id=1, app-clip-bundle-id=com.example.fruta.Clip, word",
        ["banner-repeated-key", "banner-item"]
      ),
      ("", ["banner-item"]), (" ", ["banner-item"]),
    ])
  func faults(content: String, expected: [String]) {
    #expect(codes(content) == expected)
  }

  @Test("a tag outside the head, without content or for another clip is told")
  func others() {
    #expect(codes(good, inHead: false) == ["banner-not-in-head"])
    #expect(codes(nil) == ["banner-item"])
    #expect(codes(good, wanted: [rewards]) == ["banner-other-clip"])
    #expect(codes(good, wanted: [rewards, fruta]) == [])
  }

  @Test("no tag is an error, and several are a warning")
  func number() {
    let check = SmartAppBannerCheck(clips: [fruta])
    #expect(check.review([]).findings.map(\.finding.code) == [.bannerMissing])
    let tags = (1...2).map {
      SmartAppBannerCheck.Tag(
        content: good, position: .init(line: $0, column: 1), isInHead: true)
    }
    #expect(check.review(tags).findings.map(\.finding.code) == [.bannerRepeated])
  }

  @Test("a misspelled key is told with the right one")
  func suggestion() {
    let reading = SmartAppBanner.read("app_id=1", at: .init(line: 1, column: 1))
    #expect(reading.findings.first?.finding.message.contains("“app-id”") == true)
  }

  @Test("a tag that is made is read back as the same banner")
  func making() {
    let banner = SmartAppBanner(
      appID: "1234567890", clip: "com.example.fruta.Clip", display: "card")
    #expect(
      banner.tag == """
        <meta name="apple-itunes-app" content="app-id=1234567890, \
        app-clip-bundle-id=com.example.fruta.Clip, app-clip-display=card">
        """)
    #expect(SmartAppBanner.read(banner.content, at: .init(line: 1, column: 1)).banner == banner)
    let quoted = SmartAppBanner(appID: "1", argument: "https://a.b/?c=\"d\"&e=<f>")
    #expect(quoted.tag.contains("c=&quot;d&quot;&amp;e=&lt;f&gt;"))
  }
}
