import Invocation
import NDEF
import SimulatedReader
import TagTypes
import JourneyFixtures
import Testing
import Verifying

/// What a phone would take from a tag, and what is said about the rest.
@Suite("The payload of a tag") struct TagPayloadTests {
  private static let uri: [UInt8] =
    [0xD1, 0x01, 0x0C, 0x55, 0x04] + Array("fruta.test/".utf8)
  private static let text: [UInt8] = [0xD1, 0x01, 0x05, 0x54, 0x02] + Array("enHi".utf8)
  private static let url = "https://fruta.test/"

  private func payload(
    _ layout: Type2Layout = .ntag213, prepare: @Sendable (inout SimulatedTag) -> Void
  ) async throws -> TagPayload {
    try TagPayload(try await TagInMemory(layout, prepare: prepare).identified())
  }

  @Test("how much of a tag is used is not claimed where it cannot be read, or is torn")
  func unknownUse() async throws {
    let closed = try TagInMemory(.ntag215) {
      $0.hold(message: Self.uri)
      $0.place([0x04, 0x00, 0x00, 0x04, 0x80], atPage: 0x83)
      $0.fieldOff()
      $0.fieldOn()
    }
    let facts = TagFacts(try await closed.identified())
    #expect(facts.passwordProtected)
    #expect(facts.capacity != nil)
    #expect(facts.used == nil)
    let torn = try TagInMemory { $0.place([0x03, 0xFE, 0xD1], atPage: 4) }
    #expect(TagFacts(try await torn.identified()).used == nil)
    let empty = try TagInMemory()
    #expect(TagFacts(try await empty.identified()).used == 0)
  }

  @Test("a tag that shows nothing at all is not said to have a password")
  func mute() async throws {
    let tag = try await Tag.identify(over: MuteTag(), includingConfiguration: true)
    #expect(tag.isPasswordProtected == nil)
    #expect(!TagFacts(tag).passwordProtected)
    let error = #expect(throws: TagError.self) { try TagPayload(tag) }
    #expect(error?.code == .tagUnsupported)
    #expect(error?.message.contains("password") == false)
  }

  @Test("one URI record is the payload, with nothing to say")
  func uriRecord() async throws {
    let found = try await payload { $0.hold(message: Self.uri) }
    #expect(found.uri == Self.url)
    #expect(found.findings == [])
    #expect(found.holdsData)
  }

  @Test("a Smart Poster alone is no payload, but its URL is told")
  func smartPoster() async throws {
    let found = try await payload {
      $0.hold(message: [0xD1, 0x02, UInt8(Self.uri.count), 0x53, 0x70] + Self.uri)
    }
    #expect(found.holdsData)
    #expect(found.uri == nil)
    #expect(found.soleURI == Self.url)
    #expect(found.findings.map(\.code) == [.smartPoster])
  }

  @Test("the empty message that formatters leave is an empty tag")
  func emptyMessage() async throws {
    let found = try await payload { $0.hold(message: [0xD0, 0x00, 0x00]) }
    #expect(!found.holdsData)
    #expect(found.findings.map(\.code) == [.emptyTag])
  }

  @Test("a text record before the URI is told, for a phone may stop at the first record")
  func textFirst() async throws {
    let first = [Self.text[0] & ~0x40] as [UInt8] + Self.text.dropFirst()
    let second = [Self.uri[0] & ~0x80] + Self.uri.dropFirst()
    let found = try await payload { $0.hold(message: first + second) }
    #expect(found.uri == Self.url)
    #expect(found.findings.map(\.code) == [.uriRecordNotFirst])
    #expect(found.findings.first?.severity == .warning)
  }

  @Test("further records behind the URI are told as a note")
  func severalRecords() async throws {
    let first = [Self.uri[0] & ~0x40] + Self.uri.dropFirst()
    let second = [Self.text[0] & ~0x80] + Self.text.dropFirst()
    let found = try await payload { $0.hold(message: first + second) }
    #expect(found.uri == Self.url)
    #expect(found.findings.map(\.code) == [.severalRecords])
    #expect(found.findings.first?.severity == .note)
  }

  @Test("a message without a URI has no payload")
  func textOnly() async throws {
    let found = try await payload { $0.hold(message: Self.text) }
    #expect(found.uri == nil)
    #expect(found.findings.map(\.code) == [.noURIRecord])
    #expect(found.holdsData)
  }

  @Test("a malformed message has no payload, and is still somebody's data")
  func malformed() async throws {
    for message: [UInt8] in [[0xD1], [0xD1, 0x01, 0xFF, 0x55], [0xFF, 0xFF, 0xFF]] {
      let found = try await payload { $0.hold(message: message) }
      #expect(found.uri == nil)
      #expect(found.findings.first?.code == .malformedNDEF)
      #expect(found.findings.first?.severity == .error)
      #expect(found.holdsData)
    }
  }

  @Test("empty, blank and torn tags hold nothing, each for its own reason")
  func withoutMessage() async throws {
    let empty = try await payload { _ in }
    #expect(empty.uri == nil && !empty.holdsData)
    #expect(empty.findings.map(\.code) == [.emptyTag])
    let blank = try await payload(.ultralight) { _ in }
    #expect(blank.uri == nil && !blank.holdsData)
    #expect(blank.findings.map(\.code) == [.emptyTag])
    #expect(blank.findings != empty.findings, "blank and empty are told apart")
    let torn = try await payload { $0.hold(blocks: [0x03, 0xC8] + Self.uri) }
    #expect(torn.uri == nil && !torn.holdsData)
    #expect(torn.findings.map(\.code) == [.tornTag])
  }

  @Test("blocks of others and bytes behind the terminator are data, and said to be no message")
  func otherData() async throws {
    for blocks: [UInt8] in [[0x77, 0xF0, 1, 2], [0xFE, 0, 0, 9, 9], [0x42, 2, 1, 2, 0xFE]] {
      let found = try await payload { $0.hold(blocks: blocks) }
      #expect(found.uri == nil)
      #expect(found.holdsData)
      #expect(found.findings.map(\.code) == [.otherData])
    }
  }

  @Test("what is no NDEF tag, and what a password hides, are errors of their own")
  func notReadable() async throws {
    await #expect(throws: TagError.self) {
      try await payload(.ultralight) { $0.place([0x12, 0x34, 0x56, 0x78], atPage: 3) }
    }
    do {
      _ = try await payload {
        $0.place([0x80], atPage: 0x2A)
        $0.place([0x04, 0x00, 0x00, 0x04], atPage: 0x29)
      }
      Issue.record("a hidden message was read")
    } catch let error as TagError {
      #expect(error.code == .tagPassword)
    }
  }

  @Test("a tag without a payload is judged as malformed, and says only the one reason")
  func verdict() async throws {
    let registry = try Fixtures.registry()
    let tag = try await TagInMemory().identified()
    let code = try await Verifier(check: registry.check, location: .waived).verify(
      tag, source: "reader")
    #expect(code.verification.verdict == .rejected)
    #expect(code.verification.state == .malformed)
    #expect(code.findings.map(\.code) == [.emptyTag])
    #expect(code.tag?.uid == "04E10CDA993C80")
    #expect(code.tag?.used == 0)
  }
}

/// A tag that is selected, and refuses every command.
private struct MuteTag: TagChannel {
  let target = TagTarget(atqa: [0x00, 0x44], sak: 0, uid: [0x04, 1, 2, 3, 4, 5, 6])

  func exchange(_ command: [UInt8]) async throws(TagChannelError) -> [UInt8] {
    throw TagChannelError(.refused, "NAK")
  }

  func reselect(fieldCycle: Bool) async throws(TagChannelError) {}
}
