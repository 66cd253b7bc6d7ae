import Invocation
import NDEF
import SimulatedReader
import TagAuthenticity
import TagTypes
import JourneyFixtures
import Testing
import Verifying

/// The payload that a phone takes from a tag, and the findings about the rest.
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

  /// Returns the verdict on a message on a tag if its URL is accepted.
  private func judged(_ message: [UInt8], at layout: Type2Layout = .ntag213) async throws
    -> VerifiedCode
  {
    let registry = try Fixtures.registry()
    let tag = try await TagInMemory(layout) { $0.hold(message: message) }.identified()
    return try await Verifier(check: registry.check, location: .waived).verify(
      tag, source: "reader")
  }

  private static let cupertino = Array("fruta.example.com/order/cupertino".utf8)
  private static let accepted: [UInt8] = [0xD1, 0x01, 0x22, 0x55, 0x04] + cupertino

  @Test("what Android refuses as no message is rejected, though the URL in it would be accepted")
  func refused() async throws {
    #expect(try await judged(Self.accepted).verdict == .accepted)
    let text = [Self.text[0] & ~0x80] + Self.text.dropFirst()
    let messages: [(String, [UInt8])] = [
      ("a byte too many", Self.accepted + [0xFE]),
      ("without beginning", [0x51] + Self.accepted.dropFirst()),
      ("without end", [0x91] + Self.accepted.dropFirst()),
      ("two beginnings", [0x91] + Self.accepted.dropFirst() + [Self.text[0]] + text.dropFirst()),
      (
        "an empty record that is not",
        [0x91] + Self.accepted.dropFirst() + [0x50, 0x00, 0x01, 0x00]
      ),
      ("a type on what is unknown", [0x91] + Self.accepted.dropFirst() + [0x55, 0x01, 0x00, 0x41]),
    ]
    for (name, message) in messages {
      let code = try await judged(message)
      #expect(code.verdict == .rejected, "\(name)")
      #expect(
        code.findings.contains { $0.code == .malformedNDEF && $0.severity == .error }, "\(name)")
    }
  }

  @Test(
    "what no platform documents is undecided: a reserved type name format, a type that is missing")
  func undocumented() async throws {
    for record: [UInt8] in [[0x57, 0x00, 0x00], [0x51, 0x00, 0x00]] {
      let code = try await judged([0x91] + Self.accepted.dropFirst() + record)
      #expect(code.verdict == .undecided)
      #expect(code.findings.first?.severity == .warning)
    }
  }

  @Test("a URI record with a reserved prefix, or without one, is rejected and named")
  func prefixes() async throws {
    for (prefix, rest, words) in [
      ([0x24] as [UInt8], "https://fruta.example.com/order/cupertino", "24 to FF are reserved"),
      ([0xFF], "fruta.example.com/order/cupertino", "24 to FF are reserved"),
      ([], "https://fruta.example.com/order/cupertino", "the URI prefix byte is missing"),
    ] {
      let payload = prefix + Array(rest.utf8)
      let code = try await judged([0xD1, 0x01, UInt8(payload.count), 0x55] + payload)
      #expect(code.verdict == .rejected)
      #expect(code.findings.map(\.code) == [.malformedNDEF])
      #expect(code.findings.first?.message.contains(words) == true)
    }
  }

  @Test("a first URI record that is broken decides, whatever follows it")
  func brokenFirst() async throws {
    let broken: [UInt8] = [0x91, 0x01, 0x04, 0x55, 0x04, 0x61, 0x2F, 0xE9]
    let code = try await judged(broken + [0x51] + Self.accepted.dropFirst())
    #expect(code.verdict == .rejected)
    #expect(code.verification.payload == "")
    #expect(code.findings.map(\.code) == [.malformedNDEF])
  }

  @Test("a record in chunks is read, and warned of")
  func chunks() async throws {
    let chunked: [UInt8] =
      [0xB1, 0x01, 0x01, 0x55, 0x04, 0x56, 0x00, UInt8(Self.cupertino.count)] + Self.cupertino
    let code = try await judged(chunked)
    #expect(code.verification.payload == Fixtures.cupertino)
    #expect(code.findings.map(\.code) == [.chunkedRecord])
    #expect(code.findings.first?.severity == .warning)
  }

  @Test("a TLV block in a Type 4 tag's file, where its length belongs, is rejected and named")
  func blockInFile() async throws {
    let file = [0x03, UInt8(Self.accepted.count)] + Self.accepted
    let tag = try await Tag.identify(over: FileInMemory(file), includingConfiguration: true)
    let found = try TagPayload(tag)
    #expect(found.findings.map(\.severity) == [.error])
    #expect(found.findings.first?.message.contains("the type and length of a TLV block") == true)
  }

  @Test("a container that denies reading is rejected, with the message that it keeps from phones")
  func readingDenied() async throws {
    let registry = try Fixtures.registry()
    for access: UInt8 in [0x80, 0x88, 0xF0] {
      let tag = try await TagInMemory {
        $0.hold(message: Self.accepted)
        $0.place([0xE1, 0x10, 0x12, access], atPage: 3)
      }.identified()
      let code = try await Verifier(check: registry.check, location: .waived).verify(
        tag, source: "r")
      #expect(code.verdict == .rejected)
      #expect(code.findings.map(\.code) == [.readingDenied])
      #expect(try TagPayload(tag).uri == Fixtures.cupertino)
    }
  }

  @Test("what users report of iPhones and Type 5 tags is warned of, with its grade")
  func reports() async throws {
    func findings(_ memory: [UInt8]) async throws -> [Finding] {
      var card = try SimulatedType5Tag(.slix)
      card.place(memory, atBlock: 0)
      return try TagPayload(
        try await Tag.identify(over: SimulatedVicinity(card), includingConfiguration: true)
      ).findings
    }
    let message = [0x03, UInt8(Self.accepted.count)] + Self.accepted + [0xFE, 0x00, 0x00]
    #expect(try await findings([0xE1, 0x40, 0x0D, 0x00] + message) == [])
    let multiple = try await findings([0xE1, 0x40, 0x0D, 0x01] + message)
    #expect(multiple.map(\.code) == [.multipleBlocks])
    #expect(multiple.first?.severity == .warning)
    #expect(multiple.first?.message.contains("Apple does not document it") == true)
    let full = try await findings([0xE1, 0x40, 0x05, 0x00, 0x03, 38] + Self.accepted)
    #expect(full.map(\.code) == [.withoutTerminator])
  }

  @Test(
    "of an ICODE SLIX2 that a password hides, the password is asked for, which this program can give"
  )
  func hiddenVicinity() async throws {
    let card = try SimulatedType5Tag(.slix2)
    var memory = card.memory
    // Behind the name, the UID and two passwords: the whole memory needs the password to be read.
    memory.replaceSubrange(18..<20, with: [0x00, 0x33])
    let tag = try await Tag.identify(over: SimulatedVicinity(try card.holding(memory)))
    let error = #expect(throws: TagError.self) { try TagPayload(tag) }
    #expect(error?.code == .tagPassword)
    #expect(error?.hint == "Give the tag's password.")
  }

  @Test("a chip of another maker is told, and its message is judged as any other")
  func otherMaker() async throws {
    let tag = try await Tag.identify(
      over: TwinInMemory(message: Self.accepted), includingConfiguration: true)
    #expect(tag.name == "like NTAG213")
    let registry = try Fixtures.registry()
    let code = try await Verifier(check: registry.check, location: .waived).verify(tag, source: "r")
    #expect(code.verdict == .accepted)
    #expect(code.findings.map(\.code) == [.otherMaker])
    #expect(code.findings.first?.message.contains("Shanghai Feiju Microelectronics (53)") == true)
    #expect(code.findings.first?.message.contains("0053040201000F03") == true)
    let originality = try await tag.originality(over: TwinInMemory(message: Self.accepted))
    #expect(originality.reason?.contains("Shanghai Feiju Microelectronics") == true)
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

/// A Type 4 tag in memory, which selects and reads.
private actor FileInMemory: TagChannel {
  nonisolated let target = TagTarget(
    atqa: [0x03, 0x44], sak: 0x20, uid: [0x04, 0xE1, 0x0C, 0xDA, 0x99, 0x3C, 0x80],
    ats: [0x77, 0x77, 0x71, 0x02, 0x80])
  private let files: [[UInt8]: [UInt8]]
  private var selected: [UInt8] = []

  init(_ file: [UInt8]) {
    files = [
      [0xE1, 0x03]: [
        0x00, 0x0F, 0x20, 0x00, 0x3B, 0x00, 0x34, 0x04, 0x06, 0xE1, 0x04, 0x08, 0x00, 0x00, 0x00,
      ], [0xE1, 0x04]: file + [UInt8](repeating: 0, count: 0x800 - file.count),
    ]
  }

  func exchange(_ command: [UInt8]) async throws(TagChannelError) -> [UInt8] {
    guard command.count >= 5, command[0] == 0x00 else { return [0x6D, 0x00] }
    switch command[1] {
    case 0xA4:
      if command[2] == 0x00 { selected = Array(command[5..<7]) }
      return [0x90, 0x00]
    case 0xB0:
      let file = files[selected] ?? []
      let start = Int(command[2]) << 8 | Int(command[3])
      return file.dropFirst(start).prefix(Int(command[4])) + [0x90, 0x00]
    default: return [0x6D, 0x00]
    }
  }

  func reselect(fieldCycle: Bool) async throws(TagChannelError) {}
}

/// A tag like an NTAG213 whose maker is another.
private struct TwinInMemory: TagChannel {
  let target = TagTarget(
    atqa: [0x00, 0x44], sak: 0, uid: [0x53, 0x5C, 0x4D, 0xCA, 0xEE, 0x02, 0x1F])
  private let memory: [UInt8]

  init(message: [UInt8]) {
    let start: [UInt8] = [
      0x53, 0x5C, 0x4D, 0xCA, 0xEE, 0x02, 0x1F, 0x00, 0xF3, 0x48, 0x00, 0x00, 0xE1, 0x10, 0x12,
      0x00,
      0x03, UInt8(message.count),
    ]
    let used = start + message + [0xFE]
    memory = used + [UInt8](repeating: 0, count: 45 * 4 - used.count)
  }

  func exchange(_ command: [UInt8]) async throws(TagChannelError) -> [UInt8] {
    if command == [0x60] { return [0x00, 0x53, 0x04, 0x02, 0x01, 0x00, 0x0F, 0x03] }
    guard command.count == 3, command[0] == 0x3A, command[1] <= command[2], command[2] < 45 else {
      throw TagChannelError(.refused, "NAK")
    }
    return Array(memory[Int(command[1]) * 4..<Int(command[2]) * 4 + 4])
  }

  func reselect(fieldCycle: Bool) async throws(TagChannelError) {}
}

/// A tag that is selected, and refuses every command.
private struct MuteTag: TagChannel {
  let target = TagTarget(atqa: [0x00, 0x44], sak: 0, uid: [0x04, 1, 2, 3, 4, 5, 6])

  func exchange(_ command: [UInt8]) async throws(TagChannelError) -> [UInt8] {
    throw TagChannelError(.refused, "NAK")
  }

  func reselect(fieldCycle: Bool) async throws(TagChannelError) {}
}
