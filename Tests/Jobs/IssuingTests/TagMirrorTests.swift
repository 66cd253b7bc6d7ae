import CliptagBasics
import Invocation
import Issuing
import NDEF
import JourneyFixtures
import Registry
import SimulatedReader
import TagTypes
import Testing
import Verifying

@Suite("Issuing tags that fill in their UID or counter") struct TagMirrorTests {
  private let registry: any RegistryStore
  private let issuer: TagIssuer

  init() throws {
    registry = try Fixtures.registry()
    issuer = TagIssuer(ledger: registry.ledger(), check: registry.check)
  }

  private func write(
    _ text: String, on tag: TagInMemory, overwriting: Bool = false
  ) async throws -> TagIssuer.Outcome {
    let template = try MirrorTemplate(text)
    let approval = try registry.approve(template?.filled(uid: tag.target.uid) ?? text)
    let plan = try await issuer.plan(
      approval, filling: template, on: tag, overwriting: overwriting)
    return try await issuer.execute(plan, for: approval, on: tag, reader: "r")
  }

  private func seen(_ tag: TagInMemory) async throws -> String? {
    try TagPayload(try await tag.identified()).uri
  }

  /// Returns an NTAG213 that another party set to show its UID from a page on.
  private func mirrored(from page: UInt8, holding payload: String? = nil) throws -> TagInMemory {
    try TagInMemory(.ntag213) {
      if let payload { $0.hold(message: NDEFMessage(uri: payload).bytes) }
      $0.place([0x44, 0x00, page, 0xFF], atPage: 0x29)
      $0.fieldOff()
      $0.fieldOn()
    }
  }

  @Test("the record has the tag's UID in the place, and zeros for its counter")
  func record() async throws {
    let tag = try TagInMemory()
    let outcome = try await write("\(Fixtures.cupertino)?t={uid}x{counter}", on: tag)
    let recorded = "\(Fixtures.cupertino)?t=04E10CDA993C80x000000"
    #expect(try registry.code(id: outcome.code)?.payload == recorded)
    let shown = try #require(try await seen(tag))
    #expect(shown.hasPrefix("\(Fixtures.cupertino)?t=04E10CDA993C80x"))
    #expect(shown != recorded, "the counter counts")
  }

  @Test("a counter that has moved on is still the same code, and not somebody else's data")
  func movedOn() async throws {
    // Not on a host of the registry, so that only the record says whose it is.
    let tag = try TagInMemory()
    let template = try #require(try MirrorTemplate("https://elsewhere.example.net/?{counter}"))
    let approval = try registry.approve(
      template.filled(uid: tag.target.uid), unregistered: true)
    let plan = try await issuer.plan(approval, filling: template, on: tag, overwriting: false)
    let first = try await issuer.execute(plan, for: approval, on: tag, reader: "r")
    for _ in 0..<3 {
      try await tag.reselect(fieldCycle: true)
      _ = try await seen(tag)
    }
    let again = try await issuer.plan(approval, filling: template, on: tag, overwriting: false)
    #expect(again.isAlreadyCorrect)
    let second = try await issuer.execute(again, for: approval, on: tag, reader: "r")
    #expect(second.code == first.code)
    _ = try await write(Fixtures.cupertino, on: tag)
    #expect(try await seen(tag) == Fixtures.cupertino)
  }

  @Test("a plain URL over our own mirror switches it off, and back on")
  func switchesOff() async throws {
    let tag = try TagInMemory()
    _ = try await write("\(Fixtures.cupertino)?t={uid}", on: tag)
    _ = try await write(Fixtures.sanFrancisco, on: tag)
    #expect(try await seen(tag) == Fixtures.sanFrancisco)
    #expect(try await tag.identified().type2?.mirror == nil)
    _ = try await write("\(Fixtures.cupertino)?t={uid}", on: tag)
    #expect(try await seen(tag) == "\(Fixtures.cupertino)?t=04E10CDA993C80")
  }

  @Test("a mirror left on a tag that we erased is ours to change")
  func erased() async throws {
    let tag = try TagInMemory()
    _ = try await write("\(Fixtures.cupertino)?t={uid}", on: tag)
    let plan = try await issuer.planErase(on: tag, overwriting: false)
    _ = try await issuer.executeErase(plan, on: tag, reader: "r")
    _ = try await write(Fixtures.cupertino, on: tag)
    #expect(try await seen(tag) == Fixtures.cupertino)
  }

  @Test("a mirror on an empty tag that is not ours is changed only when asked")
  func foreign() async throws {
    let tag = try mirrored(from: 8)
    let before = await tag.memory
    for text in [Fixtures.cupertino, "\(Fixtures.cupertino)?t={uid}"] {
      await #expect(throws: IssuingError(.foreignData, "", hint: "")) {
        try await write(text, on: tag)
      }
    }
    #expect(await tag.memory == before)
    _ = try await write(Fixtures.cupertino, on: tag, overwriting: true)
    #expect(try await seen(tag) == Fixtures.cupertino)
  }

  @Test("a mirror over a URL on a host of ours is switched off")
  func overOurURL() async throws {
    // From page 12 on, which holds the end of the path: the host stays ours.
    let tag = try mirrored(from: 12, holding: Fixtures.cupertino)
    #expect(try await seen(tag) != Fixtures.cupertino)
    _ = try await write(Fixtures.cupertino, on: tag)
    #expect(try await seen(tag) == Fixtures.cupertino)
  }

  @Test("a mirror where the URL does not reach stays")
  func elsewhere() async throws {
    let tag = try mirrored(from: 0x20)
    _ = try await write(Fixtures.cupertino, on: tag)
    #expect(try await seen(tag) == Fixtures.cupertino)
    #expect(try await tag.identified().type2?.mirror?.page == 0x20)
  }

  @Test("a template that the check does not accept for this tag is not issued")
  func refused() throws {
    let template = try #require(try MirrorTemplate("https://elsewhere.example.net/{uid}"))
    #expect(throws: IssueRefusal.self) {
      try registry.approve(template.filled(uid: [4, 1, 2, 3, 4, 5, 6]))
    }
  }
}
