import Invocation
import Testing

@Suite("Apple's default links")
struct DefaultLinkTests {
  private func examine(
    _ payload: String, hasDefault: Bool = true, carrier: Carrier = .qr,
    location: LocationEvidence = .notAsked
  ) throws -> Verification {
    let catalog = Fixture.catalog(clips: [Fixture.clip(hasDefault: hasDefault)], [])
    return try InvocationCheck(directory: catalog)
      .examine(payload: payload, carrier: carrier, location: location)
  }

  @Test(
    "a default link of a known clip with a default experience is accepted, with a note",
    arguments: [
      "https://appclip.apple.com/id?p=com.example.fruta.Clip",
      "https://appclip.apple.com/id?p=com.example.fruta.Clip&shortId=42",
      "https://AppClip.Apple.com/id?key=1&p=com.example.fruta.Clip",
    ])
  func accepted(payload: String) throws {
    let answer = try examine(payload)
    #expect(answer.state == .ok)
    #expect(answer.verdict == .accepted)
    #expect(answer.experience?.kind == .default)
    #expect(answer.experience?.clip == "com.example.fruta.Clip")
    #expect(answer.severity(.defaultLink) == .note)
  }

  @Test("a demo link is known from the registry, also in an App Clip Code, and only as it is")
  func demoLink() throws {
    var clip = Fixture.clip(hasDefault: true)
    clip.listing.demoLink = try InvocationURL("https://appclip.apple.com/demo/Ab12")
    let check = InvocationCheck(directory: Fixture.catalog(clips: [clip], []))
    let found = try check.examine(
      payload: "https://appclip.apple.com/demo/Ab12", carrier: .appClipCode)
    #expect(found.state == .ok && found.clip == clip)
    #expect(found.severity(.demoLink) == .note)
    let longer = try check.examine(
      payload: "https://appclip.apple.com/demo/Ab12?table=4", carrier: .qr)
    #expect(longer.verdict == .undecided && longer.severity(.demoLinkParameters) == .warning)
    let other = try check.examine(payload: "https://appclip.apple.com/demo/Ab1", carrier: .qr)
    #expect(other.state == .unregistered && other.severity(.unknownHost) == .error)
  }

  @Test("a demo link starts a clip of up to 100 MB from a code, if it needs iOS 17")
  func largeDemo() throws {
    var clip = Fixture.clip(hasDefault: true)
    clip.listing.demoLink = try InvocationURL("https://appclip.apple.com/demo/Ab12")
    clip.listing.installBytes = 90_000_000
    clip.listing.isReleased = true
    for (minimum, start) in [(17, PhoneAnswer.Start.clip), (16, .unavailable)] {
      clip.listing.minimumIOS = IOSVersion(minimum)
      let phone = PhoneSimulator(
        check: InvocationCheck(directory: Fixture.catalog(clips: [clip], [])))
      let answer = try phone.play("https://appclip.apple.com/demo/Ab12", on: PhoneSituation())
      #expect(answer.start == start)
    }
  }

  @Test(
    "a default link without p is flagged",
    arguments: [
      "https://appclip.apple.com/id?=com.example.fruta.Clip", "https://appclip.apple.com/id",
      "https://appclip.apple.com/id?p=", "https://appclip.apple.com/id?p",
    ])
  func withoutP(payload: String) throws {
    let answer = try examine(payload)
    #expect(answer.verdict == .rejected)
    #expect(answer.state == .malformed)
    #expect(answer.url != nil)
    #expect(answer.codes == [.defaultLinkWithoutP])
  }

  @Test("a default link of an unknown clip is unregistered")
  func unknownClip() throws {
    let answer = try examine("https://appclip.apple.com/id?p=com.evil.Clip")
    #expect(answer.state == .unregistered)
    #expect(answer.codes == [.unknownClip])
  }

  @Test("a default link needs a default experience")
  func withoutExperience() throws {
    let answer = try examine(
      "https://appclip.apple.com/id?p=com.example.fruta.Clip", hasDefault: false)
    #expect(answer.verdict == .rejected)
    #expect(answer.codes == [.defaultLinkWithoutExperience])
  }

  @Test("an App Clip Code cannot carry a default link")
  func inAppClipCode() throws {
    let answer = try examine(
      "https://appclip.apple.com/id?p=com.example.fruta.Clip", carrier: .appClipCode)
    #expect(answer.verdict == .rejected)
    #expect(answer.codes == [.defaultLinkInAppClipCode])
  }

  @Test("another path on Apple's host belongs to nobody")
  func otherPath() throws {
    let answer = try examine("https://appclip.apple.com/menu?p=com.example.fruta.Clip")
    #expect(answer.state == .unregistered)
    #expect(answer.codes == [.unknownHost])
  }

  @Test("a default link names no place, so a confirmation cannot be decided")
  func location() throws {
    let answer = try examine(
      "https://appclip.apple.com/id?p=com.example.fruta.Clip", location: .missing)
    #expect(answer.location?.result == .noPlace)
    #expect(answer.verdict == .undecided)
  }
}
