import CliptagBasics
import NDEF
import TestSupport
import Testing

@testable import TagTypes

@Suite("Hostile and broken tags")
struct HostileTagTests {
  @Test("a tag with a random memory is written and reads back, or is refused with a reason")
  func randomMemory() async throws {
    var random = SeededGenerator(seed: 6)
    var written = 0
    for round in 0..<200 {
      let layout =
        round.isMultiple(of: 4)
        ? Type2Layout.other(pageCount: 64, container: [0xE1, 0x10, 0x12, 0x00])
        : WritingTests.products[round % 4]
      let model = ModelTag(layout)
      var data = (0..<40).map { _ in UInt8.random(in: 0...255, using: &random) }
      if Bool.random(using: &random) { data[0] = 0xFD }
      if Bool.random(using: &random) { data[1] = UInt8.random(in: 0...30, using: &random) }
      await model.store(data, at: 4)
      if round.isMultiple(of: 3) {
        // A random container, of NDEF more often than not, and random lock bytes.
        let container: [UInt8] = [0xE1, 0x10, data[2], data[3] & 0x1F]
        await model.store(container, at: 3)
        await model.store([data[4], 0x48, data[5] & data[6], data[7] & data[8]], at: 2)
      }
      do throws(TagError) {
        let tag = try await Type2Tag.identify(over: model, includingConfiguration: true)
        let plan = try await tag.planWrite(example, over: model, overwritingForeignData: true)
        let report = try await plan.execute(over: model)
        #expect(report.tag.content == .message(example.bytes), "round \(round)")
        written += 1
      } catch {
        #expect(
          [.notNDEF, .tagLocked, .tagPassword, .tagTooSmall, .writeRefused].contains(error.code),
          "round \(round): \(error)")
      }
    }
    #expect(written > 50)
  }

  @Test("a tag that answers anything with random bytes never traps")
  func randomAnswers() async {
    for seed in 0..<100 {
      let channel = BabblingTag(seed: UInt64(seed))
      do throws(TagError) {
        let tag = try await Type2Tag.identify(over: channel, includingConfiguration: true)
        _ = try await tag.dump(over: channel)
        let plan = try await tag.planWrite(example, over: channel, overwritingForeignData: true)
        _ = try await plan.execute(over: channel)
        // The answers contradict the tag's claims.
        Issue.record("seed \(seed): verified")
      } catch {
        #expect(!error.message.isEmpty && !error.hint.isEmpty)
      }
    }
  }

  @Test("a reader with short answers is never asked for more")
  func shortAnswers() async throws {
    let channel = NarrowChannel(tag: ModelTag(.ntag215), maximumAnswerByteCount: 60)
    let long = NDEFMessage(uri: "https://" + String(repeating: "x", count: 400))
    let tag = try await Type2Tag.identify(over: channel)
    let plan = try await tag.planWrite(long, over: channel)
    let report = try await plan.execute(over: channel)
    #expect(report.exchanges == plan.expectedExchanges)
    #expect(report.tag.content == .message(long.bytes))
    let reads = await channel.tag.commands.filter { $0[0] == 0x3A }
    #expect(reads.count > 10)
    #expect(reads.allSatisfy { $0[2] - $0[1] < 15 })
  }

  @Test("a blank product that is not known is not formatted, and the error says why")
  func unknownBlank() async throws {
    let layout = Type2Layout.other(pageCount: 20, container: [0, 0, 0, 0])
    let model = ModelTag(layout)
    await model.store([0, 0, 0, 0], at: 3)
    let tag = try await Type2Tag.identify(over: model)
    #expect(tag.content == .notNDEF)
    do {
      _ = try await tag.planWrite(example, over: model)
      Issue.record("planned")
    } catch {
      #expect(error.code == .notNDEF)
      #expect(error.message.contains("page 3 (00000000)"))
    }
  }
}

/// A tag that answers every command with random bytes, often in the right number.
actor BabblingTag: TagChannel {
  nonisolated let target = TagTarget(atqa: [0x00, 0x44], sak: 0x00, uid: ModelTag.uid)
  private var random: SeededGenerator

  init(seed: UInt64) { random = SeededGenerator(seed: seed) }

  func exchange(_ command: [UInt8]) async throws(TagChannelError) -> [UInt8] {
    var count =
      switch command[0] {
      case 0x60: 8
      case 0x30: 16
      case 0x3A: (Int(command[2]) - Int(command[1]) + 1) * 4
      default: 0
      }
    if Int.random(in: 0..<8, using: &random) == 0 { count = Int.random(in: 0..<32, using: &random) }
    if Int.random(in: 0..<12, using: &random) == 0 { throw TagChannelError(.refused, "NAK") }
    var bytes = (0..<count).map { _ in UInt8.random(in: 0...255, using: &random) }
    if command == [0x60], Bool.random(using: &random) {
      bytes = Type2Layout.ntag215.version ?? []
    }
    if command[0] != 0x60, count >= 16, command[1] == 0 {
      bytes.replaceSubrange(12..<15, with: [0xE1, 0x10, bytes[14]])
    }
    return bytes
  }

  func reselect(fieldCycle: Bool) async throws(TagChannelError) {}
}

/// A reader that does not carry long answers.
struct NarrowChannel: TagChannel {
  let tag: ModelTag
  let maximumAnswerByteCount: Int

  var target: TagTarget { tag.target }

  func exchange(_ command: [UInt8]) async throws(TagChannelError) -> [UInt8] {
    try await tag.exchange(command)
  }

  func reselect(fieldCycle: Bool) async throws(TagChannelError) {
    try await tag.reselect(fieldCycle: fieldCycle)
  }
}
