import CliptagBasics
import Issuing
import NDEF
import JourneyFixtures
import Registry
import SimulatedReader
import TagTypes
import Testing
import Verifying

@Suite("Issuing tags") struct TagIssuerTests {
  private let registry: any RegistryStore
  private let issuer: TagIssuer

  init() throws {
    registry = try Fixtures.registry()
    issuer = TagIssuer(ledger: registry.ledger(), check: registry.check)
  }

  private func write(
    _ payload: String, on tag: TagInMemory, overwriting: Bool = false
  ) async throws -> TagIssuer.Outcome {
    let approval = try registry.approve(payload)
    let plan = try await issuer.plan(approval, on: tag, overwriting: overwriting)
    return try await issuer.execute(plan, for: approval, on: tag, reader: "r")
  }

  @Test("a planned write changes nothing; an executed one is on the tag and on record")
  func planAndExecute() async throws {
    let tag = try TagInMemory()
    let before = await tag.memory
    let approval = try registry.approve(Fixtures.cupertino)
    let plan = try await issuer.plan(approval, on: tag, overwriting: false)
    #expect(await tag.memory == before)
    #expect(try registry.codes().isEmpty)
    let outcome = try await issuer.execute(plan, for: approval, on: tag, reader: "r")
    #expect(try TagPayload(try await tag.identified()).uri == Fixtures.cupertino)
    #expect(try registry.codes().map(\.id) == [outcome.code])
    #expect(try registry.codes().first?.tagUID == "04E10CDA993C80")
  }

  @Test("a URL of ours with a stranger's record beside it is not ours to replace")
  func recordBeside() async throws {
    let ours = NDEFMessage(uri: Fixtures.cupertino).records[0]
    let text = try TextRecord("Hi", language: "en").record
    let message = try NDEFMessage([ours, text]).bytes
    let tag = try TagInMemory { $0.hold(message: message) }
    await #expect(throws: IssuingError(.foreignData, "", hint: "")) {
      try await write(Fixtures.sanFrancisco, on: tag)
    }
    _ = try await write(Fixtures.sanFrancisco, on: tag, overwriting: true)
    #expect(try TagPayload(try await tag.identified()).uri == Fixtures.sanFrancisco)
  }

  @Test("data that is not ours is refused and stays, for writing and for erasing")
  func foreignData() async throws {
    let messages: [[UInt8]] = [
      NDEFMessage(uri: "https://elsewhere.example.net/menu").bytes,
      NDEFMessage(uri: "tel:+14085550100").bytes,
      [0xD1, 0x01, 0x05, 0x54, 0x02] + Array("enHi".utf8),
      [0xFF, 0xFF, 0xFF],
    ]
    for message in messages {
      let tag = try TagInMemory { $0.hold(message: message) }
      let before = await tag.memory
      await #expect(throws: IssuingError(.foreignData, "", hint: "")) {
        try await write(Fixtures.cupertino, on: tag)
      }
      await #expect(throws: IssuingError(.foreignData, "", hint: "")) {
        try await issuer.planErase(on: tag, overwriting: false)
      }
      #expect(await tag.memory == before)
      _ = try await write(Fixtures.cupertino, on: tag, overwriting: true)
      #expect(try TagPayload(try await tag.identified()).uri == Fixtures.cupertino)
    }
  }

  @Test("data that is no NDEF message is refused and stays, for writing and for erasing")
  func otherData() async throws {
    for blocks: [UInt8] in [[0x77, 0xF0, 1, 2], [0xFE, 0, 0, 9, 9], [0x42, 2, 1, 2, 0xFE]] {
      let tag = try TagInMemory { $0.hold(blocks: blocks) }
      let before = await tag.memory
      await #expect(throws: IssuingError(.foreignData, "", hint: "")) {
        try await write(Fixtures.cupertino, on: tag)
      }
      await #expect(throws: IssuingError(.foreignData, "", hint: "")) {
        try await issuer.planErase(on: tag, overwriting: false)
      }
      #expect(await tag.memory == before)
      _ = try await write(Fixtures.cupertino, on: tag, overwriting: true)
      #expect(try TagPayload(try await tag.identified()).uri == Fixtures.cupertino)
    }
  }

  @Test("a message whose length went wrong is finished; for another URL it is refused")
  func damagedLength() async throws {
    let tag = try TagInMemory(.ntag215)
    _ = try await write(Fixtures.cupertino, on: tag)
    _ = try await tag.exchange([0xA2, 4, 0x03, 0x21, 0x91, 0x01])
    await #expect(throws: IssuingError(.foreignData, "", hint: "")) {
      try await write(Fixtures.sanFrancisco, on: tag)
    }
    _ = try await write(Fixtures.cupertino, on: tag)
    #expect(try TagPayload(try await tag.identified()).uri == Fixtures.cupertino)
  }

  @Test("a URL written unregistered and registered later leaves one live code on the tag")
  func registeredLater() async throws {
    let tag = try TagInMemory()
    let forced = try registry.approve(Fixtures.foreign, unregistered: true)
    let plan = try await issuer.plan(forced, on: tag, overwriting: false)
    let first = try await issuer.execute(plan, for: forced, on: tag, reader: "r")
    try registry.addClip(for: "elsewhere.example.net", link: Fixtures.foreign)
    let second = try await write(Fixtures.foreign, on: tag)
    #expect(second.report.wasAlreadyCorrect)
    #expect(try registry.codes(CodeFilter(status: .issued)).map(\.id) == [second.code])
    #expect(try registry.code(id: first.code)?.status == .retired)
    #expect(try registry.code(id: second.code)?.registered == true)
  }

  @Test("the outcome knows every lock, also those that the written pages are not under")
  func completeLocks() async throws {
    let tag = try TagInMemory { $0.place([0x00, 0x08], atPage: 0x28) }
    let outcome = try await write(Fixtures.cupertino, on: tag)
    #expect(outcome.report.tag.isLocked)
    #expect(try await write(Fixtures.cupertino, on: tag).report.tag.isLocked)
  }

  @Test("a URL on a host of the registry is ours, and so is what we wrote ourselves")
  func ourData() async throws {
    let tag = try TagInMemory {
      $0.hold(message: NDEFMessage(uri: Fixtures.sanFrancisco).bytes)
    }
    _ = try await write(Fixtures.cupertino, on: tag)
    #expect(try TagPayload(try await tag.identified()).uri == Fixtures.cupertino)

    let forced = try registry.approve(Fixtures.foreign, unregistered: true)
    let plan = try await issuer.plan(forced, on: tag, overwriting: false)
    _ = try await issuer.execute(plan, for: forced, on: tag, reader: "r")
    _ = try await write(Fixtures.cupertino, on: tag)
    #expect(try TagPayload(try await tag.identified()).uri == Fixtures.cupertino)
  }

  @Test("the foreign payload that is asked for again is no reason to refuse")
  func sameForeignPayload() async throws {
    let tag = try TagInMemory { $0.hold(message: NDEFMessage(uri: Fixtures.foreign).bytes) }
    let forced = try registry.approve(Fixtures.foreign, unregistered: true)
    let plan = try await issuer.plan(forced, on: tag, overwriting: false)
    let outcome = try await issuer.execute(plan, for: forced, on: tag, reader: "r")
    #expect(outcome.report.wasAlreadyCorrect)
    #expect(try registry.code(id: outcome.code)?.registered == false)
  }

  @Test("an erased tag is empty and its code retired")
  func erase() async throws {
    let tag = try TagInMemory()
    let outcome = try await write(Fixtures.cupertino, on: tag)
    let plan = try await issuer.planErase(on: tag, overwriting: false)
    _ = try await issuer.executeErase(plan, on: tag, reader: "r")
    #expect(try TagPayload(try await tag.identified()).uri == nil)
    #expect(try registry.code(id: outcome.code)?.status == .retired)
  }

  @Test("an erased or written tag that cannot be recorded says so, and the next run records it")
  func notRecorded() async throws {
    let tag = try TagInMemory()
    let full = ReadOnlyRegistry(registry: registry)
    let failing = TagIssuer(ledger: full.ledger(), check: full.check)
    let approval = try registry.approve(Fixtures.cupertino)
    let writing = try await failing.plan(approval, on: tag, overwriting: false)
    await #expect(throws: IssuingError(.notRecorded, "", hint: "")) {
      try await failing.execute(writing, for: approval, on: tag, reader: "r")
    }
    let code = try await write(Fixtures.cupertino, on: tag).code

    let erasing = try await failing.planErase(on: tag, overwriting: false)
    do {
      _ = try await failing.executeErase(erasing, on: tag, reader: "r")
      Issue.record("recorded")
    } catch let error as IssuingError {
      #expect(error.code == .notRecorded)
      #expect(error.message.contains("is erased and verified, but not recorded"))
    }
    let again = try await issuer.planErase(on: tag, overwriting: false)
    #expect(again.isAlreadyCorrect)
    _ = try await issuer.executeErase(again, on: tag, reader: "r")
    #expect(try registry.code(id: code)?.status == .retired)
  }

  @Test("no message is left where the length read back wrong, though so it did when withdrawn")
  func lyingLength() async throws {
    let tag = try TagInMemory { $0.hold(blocks: [0x03, 0x00]) }
    let approval = try registry.approve(Fixtures.cupertino)
    let lying = LyingLengthTag(tag: tag, lies: 2)
    let plan = try await issuer.plan(approval, on: lying, overwriting: false)
    await #expect(throws: TagError(.verifyFailed, "", hint: "")) {
      try await issuer.execute(plan, for: approval, on: lying, reader: "r")
    }
    #expect(try await tag.identified().content == .empty)
  }
}

/// A tag that keeps a wrong bit in the length byte of its message, a given number of times.
private actor LyingLengthTag: TagChannel {
  let tag: TagInMemory
  nonisolated var target: TagTarget { tag.target }
  private var lies: Int

  init(tag: TagInMemory, lies: Int) {
    self.tag = tag
    self.lies = lies
  }

  func exchange(_ command: [UInt8]) async throws(TagChannelError) -> [UInt8] {
    let answer = try await tag.exchange(command)
    // Behind the lock control TLV, page 5 is its last byte, 03, the length and the message's first.
    if command.starts(with: [0xA2, 0x05]), lies > 0 {
      lies -= 1
      await tag.alter { $0.place([0x34, 0x03, command[4] ^ 0x01, command[5]], atPage: 5) }
    }
    return answer
  }

  func reselect(fieldCycle: Bool) async throws(TagChannelError) {
    try await tag.reselect(fieldCycle: fieldCycle)
  }
}
