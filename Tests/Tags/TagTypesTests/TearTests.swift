import NDEF
import Testing

@testable import TagTypes

/// A tag is pulled away after every possible number of commands.
@Suite("Torn writes")
struct TearTests {
  struct Start: CustomTestStringConvertible, Sendable {
    let testDescription: String
    let layout: Type2Layout
    /// The pages from 4 on, in place of the factory's.
    var data: [UInt8]?

    func makeModel() async -> ModelTag {
      let model = ModelTag(layout)
      if let data { await model.store(data, at: 4) }
      return model
    }
  }

  private static let short = NDEFMessage(uri: "https://www.example.org/").bytes
  private static let long = NDEFMessage(
    uri: "https://example.org/" + String(repeating: "lorem/", count: 42)
  ).bytes

  /// Returns a data area: other TLV blocks, a message, a terminator.
  private static func area(_ prefix: [UInt8], _ message: [UInt8]) -> [UInt8] {
    let count = UInt16(message.count)
    let length =
      count < 255 ? [UInt8(count)] : [0xFF, UInt8(count >> 8), UInt8(count & 0xFF)]
    var area = prefix + [0x03] + length + message + [0xFE]
    while !area.count.isMultiple(of: 4) { area.append(0xAA) }
    return area
  }

  static let starts: [Start] =
    [
      Start(testDescription: "new NTAG213", layout: .ntag213),
      Start(
        testDescription: "NTAG213 with a message", layout: .ntag213,
        data: Array(Type2Layout.ntag213.factoryData[..<5]) + area([], short)),
      Start(testDescription: "new NTAG215", layout: .ntag215),
      Start(testDescription: "blank Ultralight", layout: .ultralight),
      Start(
        testDescription: "an Ultralight half formatted", layout: .ultralight,
        data: [0x03, 0x00, 0xFE, 0x00]),
      Start(testDescription: "no message TLV", layout: .ntag215, data: [0xFE, 1, 2, 3]),
      Start(testDescription: "nothing but padding", layout: .ntag215, data: [0, 0, 0, 0]),
      Start(
        testDescription: "a message torn by another writer", layout: .ntag215,
        data: [0x03, 0xFF, 0x02, 0x00]),
    ]
    + (0..<5).flatMap { shift in
      // Foreign blocks shift type and length over the page boundary.
      let prefix: [UInt8] =
        shift == 0 ? [] : [0xFD, UInt8(shift)] + Array(repeating: 9, count: shift)
      return [
        Start(
          testDescription: "short message at offset \(prefix.count)", layout: .ntag215,
          data: area(prefix, short)),
        Start(
          testDescription: "long message at offset \(prefix.count)", layout: .ntag215,
          data: area(prefix, long)),
        Start(
          testDescription: "empty at offset \(prefix.count)", layout: .ntag216,
          data: area(prefix, [])),
        Start(
          testDescription: "no message behind a block of \(prefix.count)", layout: .ntag216,
          data: Array((prefix + [0xFE, 7, 7, 7, 7, 7, 7, 7]).prefix(8))),
      ]
    }

  static let messages = [
    NDEFMessage.empty, example, NDEFMessage(uri: "https://www.example.org/?"),
    NDEFMessage(uri: "https://example.com/" + String(repeating: "ipsum/", count: 42)),
  ]

  /// Every number of commands; of a long write, where one data page after the other is written,
  /// all at both ends and a few between, unless `all` are wanted.
  private static func counts(upTo last: Int, all: Bool) -> [Int] {
    (0...last).filter { all || $0 < 10 || $0 > last - 8 || $0.isMultiple(of: 8) }
  }

  @Test(
    """
    a tag pulled away after any command reads as the old message, empty or the new one, and the \
    next run finishes it
    """,
    arguments: starts, messages)
  func tear(start: Start, message: NDEFMessage) async throws {
    let fresh = await start.makeModel()
    let old = await messageByAnotherReader(fresh.memory) ?? []
    let tag = try await Type2Tag.identify(over: fresh)
    guard message.bytes.count <= tag.capacity else { return }
    let plan = try await tag.planWrite(message, over: fresh)
    for count in Self.counts(
      upTo: plan.expectedExchanges, all: start.testDescription == "new NTAG215")
    {
      let model = await start.makeModel()
      var faults = ModelTag.Faults()
      faults.vanishesAfter = count
      faults.lastCommandCounts = count.isMultiple(of: 2)
      await model.setFaults(faults)
      do throws(TagError) {
        _ = try await plan.execute(over: model)
        #expect(count == plan.expectedExchanges)
      } catch {
        #expect(error.code == .tornWrite)
        #expect(error.page == (count < plan.steps.count ? plan.steps[count].page : nil))
        #expect(!error.message.contains("nothing was written"))
        #expect(error.hint.contains("run the command again"))
      }
      let seen = await messageByAnotherReader(model.memory) ?? []
      #expect(seen == old || seen.isEmpty || seen == message.bytes, "after \(count)")
      await model.setFaults(.init())
      let again = try await Type2Tag.identify(over: model)
      let report = try await again.planWrite(message, over: model).execute(over: model)
      #expect(report.tag.content == .message(message.bytes))
      #expect(await messageByAnotherReader(model.memory) == message.bytes)
    }
  }

  @Test(
    "a page half written by any step is finished by the next run, which sees whose it was",
    arguments: starts, messages)
  func halfWritten(start: Start, message: NDEFMessage) async throws {
    let fresh = await start.makeModel()
    let old = await messageByAnotherReader(fresh.memory) ?? []
    let tag = try await Type2Tag.identify(over: fresh)
    guard message.bytes.count <= tag.capacity else { return }
    let holdsOtherData = if case .otherData = tag.content { true } else { false }
    let plan = try await tag.planWrite(message, over: fresh)
    let counts = Self.counts(upTo: plan.steps.count - 1, all: false)
    for (count, byteCount) in counts.flatMap({ step in (1...3).map { (step, $0) } }) {
      let model = await start.makeModel()
      var faults = ModelTag.Faults()
      faults.vanishesAfter = count
      faults.lastWriteByteCount = byteCount
      await model.setFaults(faults)
      _ = try? await plan.execute(over: model)
      await model.setFaults(.init())
      let again = try await Type2Tag.identify(over: model)
      let next = try await again.planWrite(message, over: model)
      // On a tag with other data the job was to overwrite whatever is there.
      if !holdsOtherData {
        switch again.content {
        case .message(let bytes):
          #expect(bytes == old || bytes == message.bytes, "\(count)")
        case .otherData: Issue.record("own bytes taken for others' after \(count)")
        default: break
        }
      }
      _ = try await next.execute(over: model)
      #expect(await messageByAnotherReader(model.memory) == message.bytes, "\(count)")
    }
  }

  @Test("erasing torn at any command leaves the old message or none", arguments: starts)
  func tornErase(start: Start) async throws {
    let fresh = await start.makeModel()
    let old = await messageByAnotherReader(fresh.memory)
    let plan = try await Type2Tag.identify(over: fresh).planErase(over: fresh)
    for count in 0...plan.expectedExchanges {
      let model = await start.makeModel()
      var faults = ModelTag.Faults()
      faults.vanishesAfter = count
      await model.setFaults(faults)
      _ = try? await plan.execute(over: model)
      let seen = await messageByAnotherReader(model.memory)
      #expect(seen == old || seen == [])
    }
  }

  @Test("a tag swapped at any command is never written, and the error says tag-changed")
  func swapped() async throws {
    let model = ModelTag(.ntag215)
    let plan = try await Type2Tag.identify(over: model).planWrite(example, over: model)
    for count in 0..<plan.expectedExchanges {
      let model = ModelTag(.ntag215)
      var faults = ModelTag.Faults()
      faults.swappedAfter = count
      await model.setFaults(faults)
      await #expect(throws: TagError.Code.tagChanged) {
        try await codeOf { () async throws(TagError) in _ = try await plan.execute(over: model) }
      }
      #expect(await model.commands.count == min(count, plan.steps.count))
    }
  }

  @Test("a reader that fails at any command is reported as that")
  func readerFails() async throws {
    let model = ModelTag(.ntag215)
    let plan = try await Type2Tag.identify(over: model).planWrite(example, over: model)
    for count in 0..<11 {
      let model = ModelTag(.ntag215)
      var faults = ModelTag.Faults()
      faults.readerFailsAt = count
      await model.setFaults(faults)
      await #expect(throws: TagError.Code.readerFailed) {
        try await codeOf { () async throws(TagError) in _ = try await plan.execute(over: model) }
      }
      #expect(await messageByAnotherReader(model.memory) == [])
    }
  }

  @Test("an answer lost once at any command does not stop the write")
  func lostAnswers() async throws {
    for count in 0..<14 {
      var faults = ModelTag.Faults()
      faults.lostAnswers = [count]
      let model = ModelTag(.ntag215, faults: faults)
      let plan = try await Type2Tag.identify(over: model).planWrite(example, over: model)
      let report = try await plan.execute(over: model)
      #expect(report.tag.content == .message(example.bytes))
    }
  }
}
