import Foundation
import Invocation
import Testing

/// The processing of a payload by a phone: Apple's table, the versions of iOS, and the order of
/// steps.
@Suite("The phone")
struct PhoneTests {
  static let order = "https://fruta.example.com/order/cupertino"
  static let now = Date(timeIntervalSince1970: 1_790_000_000)

  private func play(
    _ payload: String = order, on situation: PhoneSituation = PhoneSituation(),
    clip: AppClip = Fixture.clip(hasDefault: true),
    _ experiences: [AdvancedExperience]? = nil, location: LocationEvidence = .notAsked
  ) throws -> PhoneAnswer {
    let order = try Fixture.experience(
      "https://fruta.example.com/order", place: .path(template: try PathTemplate("/order/{place}")))
    let catalog = Fixture.catalog(clips: [clip], experiences ?? [order])
    return try PhoneSimulator(check: InvocationCheck(directory: catalog), now: Self.now)
      .play(payload, on: situation, location: location)
  }

  // MARK: Versions

  @Test("versions of iOS that never existed are none", arguments: 18...27)
  func versions(major: Int) {
    #expect((IOSVersion("\(major)") == nil) == (19...25).contains(major))
    #expect((IOSVersion("\(major).1.2") == nil) == (19...25).contains(major))
  }

  @Test(
    "App Clip Codes are read from iOS 14.3 on, and an older phone sees nothing in one",
    arguments: [
      (IOSVersion(14), false), (IOSVersion(14, 2), false), (IOSVersion(14, 3), true),
      (IOSVersion(27), true),
    ])
  func appClipCodes(version: IOSVersion, isRead: Bool) throws {
    let situation = PhoneSituation(channel: .appClipCode, version: version)
    let answer = try play(on: situation, clip: Fixture.clip(confirms: false))
    #expect(answer.start == (isRead ? .clip : .nothing))
    #expect(answer.reasons.map(\.stage) == (isRead ? [] : [.payload]))
    var installed = situation
    installed.installed = .app
    #expect(try play(on: installed).start == (isRead ? .app : .nothing))
  }

  @Test(
    "links in other apps start clips from iOS 17 on, whatever serves them",
    arguments: ["/order/cupertino", "/gift"])
  func linksInApps(path: String) throws {
    func start(_ version: IOSVersion) throws -> PhoneAnswer.Start {
      try play(
        "https://fruta.example.com" + path,
        on: PhoneSituation(channel: .appLink, version: version)
      ).start
    }
    #expect(try start(IOSVersion(16, 4)) == .browser)
    #expect(try start(IOSVersion(17)) == .clip)
  }

  // MARK: Apple's table (Choosing the right App Clip experience)

  /// For each way: advanced, default with associated site, default link, demo link.
  static let table: [(InvocationChannel, [Bool])] = [
    (.banner, [true, true, false, false]), (.messages, [true, true, true, true]),
    (.qr, [true, true, true, true]), (.nfc, [true, true, true, true]),
    (.appClipCode, [true, false, false, true]), (.maps, [true, false, false, false]),
    (.siri, [true, false, false, false]), (.spotlight, [true, true, true, true]),
    (.appLink, [true, true, true, true]), (.notification, [true, true, false, false]),
  ]

  @Test("every kind of experience is served on the ways of Apple's table", arguments: table)
  func support(channel: InvocationChannel, served: [Bool]) throws {
    let kinds: [ServingKind] = [.advanced, .defaultSite, .defaultLink, .demoLink]
    #expect(kinds.map { $0.isServed(by: channel) } == served)
  }

  @Test(
    "what the table serves starts the clip, and what it does not starts none", arguments: table)
  func starts(channel: InvocationChannel, served: [Bool]) throws {
    var place = try Fixture.experience("https://fruta.example.com/order")
    place.listing.placeStatus = .matched
    var clip = Fixture.clip(confirms: false, hasDefault: true)
    clip.listing.isReleased = true
    let situation = PhoneSituation(
      channel: channel, installed: channel == .notification ? .clip : .none)
    let payloads = [
      Self.order, "https://fruta.example.com/gift",
      "https://appclip.apple.com/id?p=com.example.fruta.Clip",
    ]
    for (payload, served) in zip(payloads, served) {
      let answer = try play(payload, on: situation, clip: clip, [place])
      #expect((answer.start == .clip) == served, "\(payload): \(answer.steps)")
      #expect((answer.verdict == .rejected) == !served)
    }
  }

  @Test(
    "a version of iOS serves what it is documented to serve",
    arguments: [
      ("/order/cupertino", InvocationChannel.qr, IOSVersion(14), true),
      ("/gift", .qr, IOSVersion(16, 3), false), ("/gift", .qr, IOSVersion(16, 4), true),
      ("/gift", .nfc, IOSVersion(16, 3), false), ("/gift", .banner, IOSVersion(14), true),
      ("/gift", .messages, IOSVersion(14), true), ("/order/cupertino", .qr, IOSVersion(13), false),
    ])
  func versions(path: String, channel: InvocationChannel, version: IOSVersion, starts: Bool) throws
  {
    let answer = try play(
      "https://fruta.example.com" + path, on: PhoneSituation(channel: channel, version: version))
    #expect((answer.start == .clip) == starts, "\(answer.steps)")
  }

  @Test(
    "a default link needs iOS 16.4, and 17 from other apps",
    arguments: [
      (InvocationChannel.qr, IOSVersion(16, 3), false), (.qr, IOSVersion(16, 4), true),
      (.appLink, IOSVersion(16, 4), false), (.appLink, IOSVersion(17), true),
    ])
  func defaultLinks(channel: InvocationChannel, version: IOSVersion, starts: Bool) throws {
    let answer = try play(
      "https://appclip.apple.com/id?p=com.example.fruta.Clip",
      on: PhoneSituation(channel: channel, version: version))
    #expect((answer.start == .clip) == starts)
  }

  @Test(
    "a code that only the default experience serves is never simply accepted",
    arguments: [IOSVersion(16, 4), IOSVersion(17), IOSVersion(18, 1), IOSVersion(27)])
  func defaultOnly(version: IOSVersion) throws {
    let answer = try play(
      "https://fruta.example.com/gift", on: PhoneSituation(version: version),
      clip: Fixture.clip(confirms: false, hasDefault: true))
    #expect(answer.verdict == .undecided)
    let step = try #require(answer.steps.first { $0.stage == .support })
    #expect(step.result == .doubtful && step.evidence == .observed)
    #expect(step.source.contains("764545") == (version == IOSVersion(18, 1)))
  }

  @Test("a banner with the default experience is accepted: it is documented to work")
  func banner() throws {
    let answer = try play(
      "https://fruta.example.com/gift", on: PhoneSituation(channel: .banner),
      clip: Fixture.clip(confirms: false, hasDefault: true))
    #expect(answer.verdict == .accepted)
    #expect(answer.verification.state == .defaultOnly)
  }

  @Test(
    "what no code carries is not warned of with what codes lack",
    arguments: [InvocationChannel.banner, .messages, .spotlight, .appLink])
  func noCode(channel: InvocationChannel) throws {
    let clip = Fixture.clip(confirms: false, hasDefault: true)
    let gift = "https://fruta.example.com/gift"
    let answer = try play(gift, on: PhoneSituation(channel: channel), clip: clip)
    #expect(!answer.findings.contains { $0.severity > .note })
    #expect(!answer.findings.contains { $0.message.contains("code") })
    let code = try play(gift, on: PhoneSituation(channel: .qr), clip: clip)
    #expect(code.findings.first?.severity == .warning)
  }

  @Test("an answer that is not accepted says why")
  func reasons() throws {
    let answer = try play("https://fruta.example.com/gift", on: PhoneSituation())
    #expect(answer.verdict == .undecided)
    #expect(answer.reasons.map(\.stage) == [.support])
    let foreign = try play("https://other.example.com/")
    #expect(foreign.reasons.map(\.stage) == [.host])
    #expect(try play().reasons.isEmpty)
  }

  @Test("where an experience is switched off, the card is that of the default which is left")
  func deactivatedCard() throws {
    let summer = AdvancedExperience(
      clip: "com.example.fruta.Clip", link: try InvocationURL("https://fruta.example.com/summer"),
      card: ExperienceCard(title: "Summer", subtitle: "Two for one", action: .view),
      status: .deactivated)
    let clip = Fixture.clip(confirms: false, hasDefault: true)
    let answer = try play("https://fruta.example.com/summer/1", clip: clip, [summer])
    #expect(answer.verification.state == .inactive)
    #expect(answer.start == .clip)
    #expect(answer.card?.title == clip.defaultExperience?.title)
    #expect(answer.card?.action == clip.defaultExperience?.action)
    #expect(answer.experience?.kind == .default)
    #expect(!answer.steps.contains { $0.stage == .card && $0.text.contains("Summer") })
    let none = try play(
      "https://fruta.example.com/summer", clip: Fixture.clip(confirms: false), [summer])
    #expect(none.start != .clip && none.card == nil && none.experience == nil)
  }

  @Test("where only the other reading of prefixes matches, the card is that of the default")
  func ambiguousCard() throws {
    let answer = try play(
      "https://fruta.example.com/order10", clip: Fixture.clip(confirms: false, hasDefault: true))
    #expect(answer.verification.state == .ambiguous)
    #expect(answer.start == .clip && answer.verdict == .undecided)
    #expect(answer.experience?.kind == .default)
    #expect(answer.card?.title == Fixture.card.title)
  }

  @Test("a default experience is that of a clip which has the host")
  func defaultOfHost() throws {
    let summer = try Fixture.experience(
      "https://fruta.example.com/summer", clip: "com.example.other.Clip", status: .deactivated)
    let other = Fixture.clip(
      "com.example.other.Clip", domains: ["other.example.com"], hasDefault: true)
    let catalog = Fixture.catalog(
      clips: [other, Fixture.clip(confirms: false, hasDefault: true)], [summer])
    let answer = try PhoneSimulator(check: InvocationCheck(directory: catalog), now: Self.now)
      .play("https://fruta.example.com/summer", on: PhoneSituation())
    #expect(answer.program == "com.example.fruta.Clip")
    #expect(answer.experience?.clip == "com.example.fruta.Clip")
  }

  // MARK: Ends of the path

  @Test("an unclaimed host ends in the browser, a clip's host without experience at a dead end")
  func ends() throws {
    let foreign = try play("https://other.example.com/")
    #expect(foreign.start == .browser && foreign.verdict == .rejected)
    #expect(foreign.steps.last?.stage == .host)
    let orphan = try play("https://fruta.example.com/gift", clip: Fixture.clip())
    #expect(orphan.start == .unavailable && orphan.verdict == .rejected)
    #expect(orphan.card == nil && orphan.handedOver == nil && orphan.program == nil)
    let text = try play("Order at the counter")
    #expect(text.start == .browser && text.steps.map(\.stage) == [.payload, .url])
  }

  @Test("a host whose association file Apple refused serves no clip, and the error is named")
  func domainStatus() throws {
    var clip = Fixture.clip(hasDefault: true)
    clip.listing.domainStatuses = [
      DomainStatus(domain: "fruta.example.com", isValid: false, errorCode: "BAD_JSON_CONTENT")
    ]
    let answer = try play(clip: clip)
    #expect(answer.start == .browser)
    #expect(answer.steps.last?.text.contains("BAD_JSON_CONTENT") == true)
    #expect(answer.verification.state == .unassociated)
    #expect(answer.verification.findings.first?.code == .domainStatus)
    let other = try play("https://fruta.example.com/elsewhere", clip: clip)
    #expect(other.verification.state == .unassociated, "nor does its default experience serve")
  }

  // MARK: The host's file

  private func playWithFile(
    _ text: String, installed: InstalledSoftware = .none
  ) throws -> PhoneAnswer {
    try play(
      on: PhoneSituation(installed: installed, association: SiteAssociation.read(text)))
  }

  @Test("a file that lists the clip lets its host invoke it, one that does not ends in the browser")
  func association() throws {
    let listed = try playWithFile(
      #"{"appclips":{"apps":["ABCDE12345.com.example.fruta.Clip"]}}"#)
    #expect(listed.start == .clip)
    #expect(listed.steps.contains { $0.stage == .host && $0.text.contains("lists ABCDE12345") })
    let other = try playWithFile(#"{"appclips":{"apps":["ABCDE12345.com.example.fruta"]}}"#)
    #expect(other.start == .browser && other.steps.last?.stage == .host)
    #expect(other.verdict == .rejected)
    let broken = try playWithFile("<html>")
    #expect(broken.start == .browser)
    #expect(broken.steps.last?.text.contains("cannot be read") == true)
  }

  @Test("an installed app opens what its applinks take, though the file does not list the clip")
  func universalLink() throws {
    func file(_ pattern: String) -> String {
      """
      {"appclips":{"apps":[]},
       "applinks":{"details":[{"appIDs":["ABCDE12345.com.example.fruta"],
         "components":[{"/":"\(pattern)"}]}]}}
      """
    }
    let answer = try playWithFile(file("/order/*"), installed: .app)
    #expect(answer.start == .app && answer.program == "com.example.fruta")
    #expect(answer.verdict == .accepted && answer.handedOver == Self.order)
    #expect(answer.card == nil && answer.experience == nil, "no experience serves it")
    #expect(!answer.steps.contains { $0.result == .stops })
    #expect(answer.steps.contains { $0.text.contains("does not list com.example.fruta.Clip") })
    let other = try playWithFile(file("/help/*"), installed: .app)
    #expect(other.start == .browser && other.verdict == .rejected)
    #expect(other.steps.last?.text.contains("does not open the link") == true)
    let bare = try playWithFile(file("/order/*"))
    #expect(bare.start == .browser, "nothing is installed that could open it")
  }

  @Test("an installed app opens what no experience covers, if its applinks take it")
  func universalLinkOfOrphan() throws {
    let gift = "https://fruta.example.com/gift"
    let file = SiteAssociation.read(
      """
      {"appclips":{"apps":["ABCDE12345.com.example.fruta.Clip"]},
       "applinks":{"details":[{"appIDs":["ABCDE12345.com.example.fruta"],
         "components":[{"/":"/gift"}]}]}}
      """)
    let known = PhoneSituation(installed: .app, association: file)
    #expect(try play(gift, on: known, clip: Fixture.clip()).start == .app)
    let early = PhoneSituation(version: IOSVersion(16, 3), installed: .app, association: file)
    #expect(try play(gift, on: early).start == .app, "the default experience needs iOS 16.4")
    let unknown = try play(gift, on: PhoneSituation(installed: .app), clip: Fixture.clip())
    #expect(unknown.start == .unavailable)
    #expect(unknown.steps.last?.text.contains("was not read") == true)
  }

  @Test("with the app installed, applinks decide what the URL does as an ordinary link")
  func appLinks() throws {
    let file = """
      {"appclips":{"apps":["ABCDE12345.com.example.fruta.Clip"]},
       "applinks":{"details":[{"appIDs":["ABCDE12345.com.example.fruta"],
         "components":[{"/":"/help/*"}]}]}}
      """
    let answer = try playWithFile(file, installed: .app)
    #expect(answer.start == .app, "a code that is scanned asks no applinks")
    #expect(
      answer.steps.contains {
        $0.stage == .launch && $0.result == .note && $0.text.contains("does not open the URL")
      })
  }

  @Test("the link that lacks p names no clip")
  func withoutP() throws {
    let answer = try play("https://appclip.apple.com/id?=com.example.fruta.Clip")
    #expect(answer.start == .browser && answer.steps.last?.stage == .host)
  }

  // MARK: Started targets

  @Test("the app starts instead of the clip, gets the URL, and cannot confirm a location")
  func app() throws {
    let answer = try play(on: PhoneSituation(installed: .app))
    #expect(answer.start == .app && answer.program == "com.example.fruta")
    #expect(answer.handedOver == Self.order)
    #expect(answer.steps.last?.stage == .location && answer.steps.last?.result == .note)
  }

  @Test(
    "a clip larger than its minimum version allows is not downloaded, but starts where it is installed",
    arguments: [
      (IOSVersion(15), 10_000_000, true), (IOSVersion(15), 10_000_001, false),
      (IOSVersion(16), 15_000_000, true), (IOSVersion(16), 15_000_001, false),
      (IOSVersion(17), 15_000_001, false),
    ])
  func size(minimum: IOSVersion, bytes: Int, starts: Bool) throws {
    var clip = Fixture.clip()
    clip.listing.installBytes = bytes
    clip.listing.minimumIOS = minimum
    let empty = try play(on: PhoneSituation(), clip: clip)
    #expect((empty.start == .clip) == starts)
    let held = try play(on: PhoneSituation(installed: .clip), clip: clip)
    #expect(held.start == .clip)
    let digital = try play(on: PhoneSituation(channel: .messages), clip: clip)
    #expect((digital.start == .clip) == (starts || minimum.major >= 17))
  }

  @Test("a clip built for a newer iOS does not start on an older one")
  func minimum() throws {
    var clip = Fixture.clip()
    clip.listing.minimumIOS = IOSVersion(17)
    #expect(try play(on: PhoneSituation(version: IOSVersion(16, 4)), clip: clip).start != .clip)
    #expect(try play(on: PhoneSituation(version: IOSVersion(17)), clip: clip).start == .clip)
  }

  // MARK: Delivered URLs

  @Test(
    "Maps and Siri hand over the registered link itself",
    arguments: [InvocationChannel.maps, .siri])
  func registeredLink(channel: InvocationChannel) throws {
    var order = try Fixture.experience("https://fruta.example.com/order")
    order.listing.placeStatus = .matched
    let answer = try play(on: PhoneSituation(channel: channel), [order])
    #expect(answer.handedOver == "https://fruta.example.com/order")
    order.listing.placeStatus = .noMatch
    #expect(try play(on: PhoneSituation(channel: channel), [order]).start == .nothing)
    order.listing.placeStatus = .pending
    #expect(try play(on: PhoneSituation(channel: channel), [order]).verdict == .undecided)
  }

  @Test("a notification needs an installed clip, and hands over no URL")
  func notification() throws {
    #expect(try play(on: PhoneSituation(channel: .notification)).start == .nothing)
    let answer = try play(on: PhoneSituation(channel: .notification, installed: .clip))
    #expect(answer.start == .clip && answer.handedOver == nil && answer.card == nil)
  }

  @Test("the URL is handed over byte for byte")
  func verbatim() throws {
    let payload = "HTTPS://Fruta.example.com/order/cupertino?B=%7e&a=1#x"
    #expect(try play(payload).handedOver == payload)
  }

  // MARK: Cards and changes

  @Test("the card speaks the phone's language, or the experience's own")
  func language() throws {
    var order = try Fixture.experience("https://fruta.example.com/order")
    order.listing.localizations = [
      CardLocalization(language: "DE", title: nil, subtitle: "Smoothie bestellen")
    ]
    func card(_ language: String?) throws -> PhoneAnswer.Card? {
      try play(on: PhoneSituation(language: language), [order]).card
    }
    #expect(try card("DE")?.subtitle == "Smoothie bestellen")
    #expect(try card("DE")?.title == "Fruta")
    #expect(try card("DE")?.language == "DE")
    #expect(try card("FR")?.subtitle == "Order a smoothie")
    #expect(try card("EN")?.language == "EN")
  }

  @Test("a change of the last 48 hours is told, and changes no answer: phones in general have it")
  func settling() throws {
    var order = try Fixture.experience("https://fruta.example.com/order")
    let clip = Fixture.clip(confirms: false)
    order.listing.changed = Self.now.addingTimeInterval(-48 * 3600 + 1)
    let recent = try play(clip: clip, [order])
    #expect(recent.verdict == .accepted && recent.steps.contains { $0.stage == .settling })
    order.listing.changed = Self.now.addingTimeInterval(-48 * 3600)
    #expect(try !play(clip: clip, [order]).steps.contains { $0.stage == .settling })
  }

  @Test("a Local Experience comes before the registry, where the clip is on the phone")
  func localExperience() throws {
    let local = try InvocationURL("https://fruta.example.com/gift")
    let payload = "https://fruta.example.com/gift/7"
    let tester = PhoneSituation(installed: .clip, localExperiences: [local])
    let answer = try play(
      payload, on: tester, clip: Fixture.clip(confirms: false, hasDefault: true))
    #expect(answer.start == .clip && answer.verdict == .accepted)
    #expect(answer.steps.contains { $0.stage == .localExperience && $0.result == .passes })
    #expect(answer.localExperience == local && answer.experience == nil)
    #expect(answer.findings.map(\.code) == [.defaultOnly])
    #expect(answer.findings.allSatisfy { $0.severity == .note }, "it concerns other phones")
    let bare = PhoneSituation(installed: .none, localExperiences: [local])
    #expect(try play(payload, on: bare).localExperience == nil)
    #expect(try play(payload, on: bare).steps.contains { $0.stage == .support })
  }

  // MARK: The location

  @Test("the verdict of a phone is never better than its location confirmation")
  func location() throws {
    let there = Fixture.fix(37.7749, -122.4194, accuracy: 5)
    #expect(try play(location: .fix(there)).verdict == .rejected)
    #expect(try play(location: .missing).verdict == .undecided)
    #expect(try play(location: .waived).verdict == .accepted)
  }

  @Test("every step says where it is known from")
  func sources() throws {
    for channel in InvocationChannel.allCases {
      for installed in InstalledSoftware.allCases {
        let answer = try play(on: PhoneSituation(channel: channel, installed: installed))
        #expect(!answer.steps.isEmpty)
        #expect(answer.steps.allSatisfy { !$0.source.isEmpty && $0.text.hasSuffix(".") })
        let order = InvocationStep.Stage.allCases
        let places = answer.steps.compactMap { order.firstIndex(of: $0.stage) }
        #expect(places == places.sorted(), "the stages come in a phone's order")
      }
    }
  }
}
