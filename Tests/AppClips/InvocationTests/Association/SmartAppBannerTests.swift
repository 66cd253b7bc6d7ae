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
    _ content: String?, inHead: Bool = true, wanted: [AppClip] = [], clips: [AppClip]? = nil
  ) -> [String] {
    let tag = SmartAppBannerCheck.Tag(
      content: content, position: .init(line: 7, column: 5), isInHead: inHead)
    let review = SmartAppBannerCheck(
      clips: clips ?? [fruta, rewards], wanted: wanted.map(\.bundleID)
    ).review([tag])
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
      ("app-id=1234567890; app-clip-bundle-id=com.example.fruta.Clip", ["banner-item"]),
      ("app-id=1234567890 app-clip-bundle-id=com.example.fruta.Clip", ["banner-item"]),
      ("app-clip-bundle-id=com.example.fruta.Clip\tapp-id =1234567890", ["banner-item"]),
      ("app-id=1234567890app-clip-bundle-id=com.example.fruta.Clip", ["banner-item"]),
      (
        "app-id=1234567890, app-clip-bundle-id=ZZZZZ12345.com.example.fruta.Clip",
        ["banner-team-prefix"]
      ),
      ("app-id=1234567890, app-clip-bundle-id=com.example.fruta", ["banner-app-as-clip"]),
      ("app-id=1234567890, app-clip-bundle-id=a", ["banner-clip-form"]),
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

  @Test("the comma that is missing is named, and what follows it is read")
  func missingComma() throws {
    let reading = SmartAppBanner.read(
      "app-id=1; app-clip-bundle-id=a.b.c app-clip-display=card", at: .init(line: 1, column: 1))
    #expect(reading.banner == SmartAppBanner(appID: "1", clip: "a.b.c", display: "card"))
    #expect(reading.findings.count == 2)
    #expect(
      reading.findings[0].finding.message.contains("comma is missing before “app-clip-bundle-id”"))
    let url = "app-argument=https://a.b/?x;app-id=3&app-clip-display=4"
    #expect(SmartAppBanner.read(url, at: .init(line: 1, column: 1)).findings == [])
  }

  @Test("without a registry the form is checked, and the clip that was named is wanted")
  func withoutRegistry() {
    #expect(codes(good, clips: []) == ["unknown-clip"])
    #expect(codes(good, wanted: [fruta], clips: []) == [])
    #expect(codes(good, wanted: [rewards], clips: []) == ["banner-other-clip"])
    let prefixed = good.replacing("com.", with: "ABCDE12345.com.")
    #expect(codes(prefixed, wanted: [fruta], clips: []) == ["banner-team-prefix"])
    let app = good.replacing(".Clip", with: "")
    #expect(codes(app, wanted: [fruta], clips: []) == ["banner-app-as-clip"])
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
