import Testing

@testable import Invocation

/// The properties of the clip itself that keep phones from starting it, by every channel of its
/// codes.
@Suite("What of a clip keeps phones from starting it")
struct ReadinessTests {
  private static let order = "https://fruta.example.com/order"

  private func examine(
    _ listing: ClipListing, _ payload: String = order, by channel: InvocationChannel? = nil
  ) throws -> Verification {
    var clip = Fixture.clip(confirms: false, hasDefault: true)
    clip.listing = listing
    let check = InvocationCheck(
      directory: Fixture.catalog(clips: [clip], [try Fixture.experience(Self.order)]))
    return try check.lookUp(payload, by: InvocationWay(channel: channel))
      .verification(at: .notAsked)
  }

  @Test("a clip whose app is not in the App Store is rejected, one of which nobody knows is not")
  func released() throws {
    let found = try examine(ClipListing(isReleased: false))
    #expect(found.verdict == .rejected && found.state == .ok)
    #expect(found.findings.first?.code == .clipNotReleased)
    #expect(try examine(ClipListing(isReleased: nil)).verdict == .accepted)
    #expect(try examine(ClipListing(isReleased: true)).verdict == .accepted)
  }

  @Test(
    "the limit of size goes by the clip's minimum version of iOS, and by codes or links",
    arguments: [
      (10, "14", nil, Verdict.accepted), (11, "14", nil, .rejected), (15, "16", nil, .accepted),
      (17, "16.4", nil, .rejected), (60, "17", nil, .rejected), (60, "17", .banner, .accepted),
      (60, "16", .banner, .rejected), (101, "17", .banner, .rejected), (12, nil, nil, .accepted),
      (16, nil, nil, .rejected), (60, nil, .messages, .accepted),
    ] as [(Int, String?, InvocationChannel?, Verdict)])
  func size(
    megabytes: Int, minimum: String?, channel: InvocationChannel?, verdict: Verdict
  ) throws {
    let found = try examine(
      ClipListing(
        minimumIOS: minimum.flatMap(IOSVersion.init), installBytes: megabytes * 1_000_000),
      by: channel)
    #expect(found.verdict == verdict, "\(found.findings)")
    let isToBeLookedAt = minimum == nil && megabytes > 10
    #expect(
      found.findings.contains { $0.code == .clipTooLarge }
        == (verdict == .rejected || isToBeLookedAt))
  }

  @Test("a demo link may start a clip of up to 100 MB from codes, too")
  func demoLink() throws {
    let link = try InvocationURL("https://appclip.apple.com/demo/xYz12")
    let listing = ClipListing(
      minimumIOS: IOSVersion(17), isReleased: true, installBytes: 60_000_000, demoLink: link)
    #expect(try examine(listing, link.payload).verdict == .accepted)
    let withParameters = try examine(listing, link.payload + "?a=1")
    #expect(withParameters.verdict == .undecided)
    #expect(withParameters.findings.first?.code == .demoLinkParameters)
    #expect(withParameters.clip != nil)
  }

  @Test(
    "a clip for newer phones than most is warned of, one for phones that do not exist is rejected",
    arguments: [
      (IOSVersion(26), Verdict.accepted, nil), (IOSVersion(27), .accepted, .warning),
      (IOSVersion(28), .rejected, .error),
    ] as [(IOSVersion, Verdict, Finding.Severity?)])
  func version(minimum: IOSVersion, verdict: Verdict, severity: Finding.Severity?) throws {
    let found = try examine(ClipListing(minimumIOS: minimum))
    #expect(found.verdict == verdict)
    #expect(found.findings.first { $0.code == .clipNeedsNewerIOS }?.severity == severity)
  }
}

/// Several clips on one host.
@Suite("Several clips on one host")
struct SeveralClipsTests {
  private static let page = "https://portfolio.com/OrangesApp"

  private func play(
    _ channel: InvocationChannel, page: SmartAppBanner? = nil, links: [String: String] = [:]
  ) throws -> PhoneAnswer {
    let clips = ["Bananas", "Oranges"].map { (name: String) -> AppClip in
      AppClip(
        bundleID: "com.ex.\(name).Clip", appBundleID: "com.ex.\(name)", team: "ABCDE12345",
        domains: ["portfolio.com"],
        defaultExperience: ExperienceCard(title: name, subtitle: "s", action: .open))
    }
    let experiences = try links.map { (link: String, name: String) in
      try Fixture.experience(link, clip: "com.ex.\(name).Clip")
    }
    return try PhoneSimulator(
      check: InvocationCheck(directory: ExperienceCatalog(clips: clips, experiences: experiences))
    ).play(Self.page, on: PhoneSituation(channel: channel, page: page))
  }

  @Test("in Safari and Messages it is open which clip is meant, until the page says it")
  func page() throws {
    for channel in [InvocationChannel.banner, .messages] {
      let open = try play(channel)
      #expect(open.verdict == .undecided && open.program == nil && open.card == nil)
      #expect(open.findings.contains { $0.code == .severalClips })
      let oranges = try play(channel, page: SmartAppBanner(clip: "com.ex.Oranges.Clip"))
      #expect(oranges.verdict == .accepted && oranges.program == "com.ex.Oranges.Clip")
      #expect(oranges.card?.title == "Oranges")
    }
  }

  @Test("a page that offers another clip, or none, starts none")
  func foreignPage() throws {
    for clip in [nil, "com.ex.Pears.Clip"] {
      let answer = try play(.banner, page: SmartAppBanner(appID: "1", clip: clip))
      #expect(answer.verdict == .rejected && answer.start == .browser)
      #expect(answer.findings.first?.code == .pageOfOtherClip)
    }
  }

  @Test("a page's clip shows its own experience, not one of the other clip")
  func ownExperience() throws {
    let links = ["https://portfolio.com/": "Bananas"]
    let oranges = SmartAppBanner(clip: "com.ex.Oranges.Clip")
    #expect(try play(.banner, page: oranges, links: links).program == "com.ex.Oranges.Clip")
    #expect(try play(.qr, links: links).program == "com.ex.Bananas.Clip")
    #expect(try play(.qr, links: links).verdict == .accepted)
  }

  @Test("for a code that no experience covers it stays open, and no clip is named")
  func code() throws {
    let answer = try play(.qr)
    #expect(answer.verdict == .undecided && answer.verification.clip == nil)
    #expect(answer.verification.experience == nil)
    #expect(answer.findings.contains { $0.code == .severalClips })
  }
}

/// The nearest mistake is reported.
@Suite("Near misses")
struct NearMissTests {
  private func findings(_ payload: String, _ links: [String]) throws -> [Finding] {
    let check = InvocationCheck(
      directory: Fixture.catalog(
        clips: [Fixture.clip(confirms: false, hasDefault: true)],
        try links.map { try Fixture.experience($0) }))
    return try check.examine(payload: payload, carrier: .url).findings
  }

  @Test(
    "a registered query that another order or an item in front makes miss is named",
    arguments: ["?utm=1&type=x", "?a=1&type=x&b=2"])
  func query(query: String) throws {
    let links = ["https://fruta.example.com/subpath", "https://fruta.example.com/subpath?type=x"]
    let found = try findings("https://fruta.example.com/subpath" + query, links)
    let miss = try #require(found.first { $0.code == .queryMismatch })
    #expect(miss.message.contains("/subpath?type=x"))
    #expect(
      try !findings("https://fruta.example.com/subpath?type=x&utm=1", links)
        .contains { $0.code == .queryMismatch })
    #expect(
      try !findings("https://fruta.example.com/subpath?utm=1&type=xy", links)
        .contains { $0.code == .queryMismatch })
  }

  @Test("two items of a registered query in the other order are named")
  func order() throws {
    let found = try findings(
      "https://fruta.example.com/p?b=2&a=1", ["https://fruta.example.com/p?a=1&b=2"])
    #expect(found.contains { $0.code == .queryMismatch })
  }

  @Test("a doubled slash that hides an experience is named")
  func slashes() throws {
    let links = ["https://fruta.example.com/", "https://fruta.example.com/card1"]
    let found = try findings("https://fruta.example.com//card1", links)
    let miss = try #require(found.first { $0.code == .doubleSlash })
    #expect(miss.message.contains("https://fruta.example.com/card1"))
    #expect(
      try !findings("https://fruta.example.com/card1//x", links).contains {
        $0.code == .doubleSlash
      })
  }

  @Test(
    "a host that is nearly a claimed one is compared with it",
    arguments: [
      ("www.fruta.example.com", "subdomain"), ("example.com", "subdomain"),
      ("frutta.example.com", "one letter"), ("furta.example.com", "one letter"),
      ("fruta.exampel.com", "one letter"),
    ])
  func host(host: String, word: String) throws {
    let found = try findings("https://\(host)/", [])
    let unknown = try #require(found.first { $0.code == .unknownHost })
    #expect(unknown.message.contains("fruta.example.com is claimed"))
    #expect(unknown.message.contains(word) && unknown.message.contains("redirect"))
  }

  @Test("a host that is another one altogether is compared with none")
  func otherHost() throws {
    let found = try findings("https://citrus.example.com/", [])
    #expect(found.first?.message.contains("is claimed") == false)
  }

  @Test(
    "a default link with the app's identifier, or with a team, is told what to write",
    arguments: ["com.example.fruta", "ABCDE12345.com.example.fruta.Clip"])
  func defaultLink(id: String) throws {
    let found = try findings("https://appclip.apple.com/id?p=\(id)", [])
    #expect(found.first?.code == .unknownClip)
    #expect(found.first?.message.contains("p=com.example.fruta.Clip") == true)
  }

  @Test("a code that the default experience alone serves is told the default link")
  func suggestion() throws {
    let found = try findings("https://fruta.example.com/gift", [])
    let only = try #require(found.first { $0.code == .defaultOnly })
    #expect(only.message.contains("https://appclip.apple.com/id?p=com.example.fruta.Clip"))
  }
}

/// Whether an App Clip Code can carry a URL.
@Suite("The fit of URLs in App Clip Codes")
struct AppClipCodeFitTests {
  private func findings(_ url: String) throws -> [Finding] {
    AppClipCodeFit(url: try InvocationURL(url)).findings.filter { $0.severity > .note }
  }

  @Test(
    "URLs that Apple's generator takes fit",
    arguments: [
      "https://ericd.net/?id=123", "https://example.com/?p=0", "https://appclip.example.com?id=1",
      "https://appclip.example.com/menu?p=12", "https://www.example.com/view/restaurant",
      "https://www.apple.com/MacBook", "https://example.com/path/to/page",
    ])
  func fits(url: String) throws { #expect(try findings(url) == []) }

  @Test(
    "an estimate between what is known to fit and what is refused says its evidence",
    arguments: [
      ("https://fruta.example.com/order/cupertino", Finding.Severity.note, "Evidence: fair"),
      ("https://fruta.example.com/order/cupertino/1", .warning, "Evidence: weak"),
      ("https://fruta.example.com/order/cupertino/table/1", .error, "Evidence: good"),
    ])
  func evidence(url: String, severity: Finding.Severity, words: String) throws {
    let found = AppClipCodeFit(url: try InvocationURL(url)).findings
    #expect(found.map(\.severity) == [severity])
    #expect(found.first?.message.contains(words) == true)
  }

  @Test(
    "URLs that its generator refuses do not fit",
    arguments: [
      "https://www.example.com/1234567890ABCD", "https://fruta.example.com/order/cupertino/table/1",
    ])
  func tooLong(url: String) throws {
    let found = try findings(url)
    #expect(found.map(\.code) == [.appClipCodeLength] && found.first?.severity == .error)
    #expect(found.first?.message.contains("estimate") == true)
  }

  @Test(
    "characters beside the documented ones are errors",
    arguments: [
      "https://example.com/a~b", "https://example.com/(a)", "https://example.com/é",
      "https://example.com/a@b", "HTTPS://example.com/a", "https://Example.com/a",
    ])
  func characters(url: String) throws {
    let found = try findings(url)
    #expect(found.first?.code == .appClipCodeCharacters && found.first?.severity == .error)
  }

  @Test("the way of an App Clip Code asks for the fit, that of a QR code does not")
  func ways() throws {
    var clip = Fixture.clip(domains: ["www.example.com"], confirms: false, hasDefault: true)
    clip.listing.isReleased = true
    let check = InvocationCheck(
      directory: Fixture.catalog(clips: [clip], [try Fixture.experience("https://www.example.com")])
    )
    let simulator = PhoneSimulator(check: check)
    let payload = "https://www.example.com/1234567890ABCD"
    let code = try simulator.play(payload, on: PhoneSituation(channel: .appClipCode))
    #expect(code.verdict == .rejected && code.start == .nothing)
    #expect(try simulator.play(payload, on: PhoneSituation(channel: .qr)).verdict == .accepted)
  }
}
