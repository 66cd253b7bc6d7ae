import CliptagBasics
import Invocation
import Issuing
import SimulatedReader
import TagAuthenticity
import TagTypes
import JourneyFixtures
import Testing
import Verifying

/// The meaning of an originality signature for a tag that is read, and for one that will be
/// written.
@Suite("Originality of tags") struct OriginalityVerdictTests {
  /// The simulated tag has this UID, whose signature NXP's key makes.
  private func tag(_ layout: Type2Layout = .ntag213) async throws -> (TagTypes.Tag, TagInMemory) {
    let channel = try TagInMemory(layout)
    return (try await TagTypes.Tag.identify(over: channel, includingConfiguration: true), channel)
  }

  private func code() throws -> VerifiedCode {
    let registry = try Fixtures.registry()
    return VerifiedCode(
      source: "reader",
      verification: try registry.check.examine(
        payload: Fixtures.cupertino, carrier: .nfc, location: .waived),
      tag: TagFacts(
        uid: "04E10CDA993C80", type: "NTAG213", capacity: 137, used: 38, locked: false,
        passwordProtected: false))
  }

  @Test("a genuine tag is told so and changes nothing")
  func genuine() async throws {
    let (tag, channel) = try await tag()
    #expect(try await tag.originality(over: channel) == .genuine)
    try await tag.requireGenuine(over: channel)
    let code = try code().requiring(.genuine)
    #expect(code.verdict == .accepted && code.findings == [])
    #expect(code.tag?.originality == .genuine)
  }

  @Test("a counterfeit is rejected when it is read, and named")
  func counterfeit() throws {
    let code = try code().requiring(.notGenuine)
    #expect(code.verdict == .rejected)
    #expect(code.findings.map(\.code) == [.notGenuine])
  }

  @Test("a tag that cannot be checked is undecided for whoever asked, and never written")
  func unknown() async throws {
    let code = try code().requiring(.notCheckable(reason: "of a reason"))
    #expect(code.verdict == .undecided)
    #expect(code.findings.map(\.code) == [.originalityUnknown])
    let (tag, channel) = try await tag(.ultralight)
    #expect(try await tag.originality(over: channel).name == "not-checkable")
    await #expect(throws: IssuingError(.originalityUnknown, "", hint: "")) {
      try await tag.requireGenuine(over: channel)
    }
  }

  @Test("an ICODE SLIX2 is asked for its signature, too")
  func vicinity() async throws {
    for (end, isGenuine) in [([0x2A, 0xD2, 0x8E, 0x83] as [UInt8], true), ([1, 2, 3, 4], false)] {
      let channel = SimulatedVicinity(
        try SimulatedType5Tag(.slix2, uid: [0xE0, 0x04, 0x01, 0x08] + end))
      let tag = try await TagTypes.Tag.identify(over: channel)
      #expect(tag.name == "ICODE SLIX2")
      #expect(try await tag.originality(over: channel) == (isGenuine ? .genuine : .notGenuine))
    }
  }

  @Test("nobody asked: nothing is said, and no exchange is spent")
  func notAsked() throws {
    #expect(try code().tag?.originality == nil)
    #expect(try code().verdict == .accepted)
  }
}
