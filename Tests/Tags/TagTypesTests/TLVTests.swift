import CliptagBasics
import NDEF
import TestSupport
import Testing

@testable import TagTypes

@Suite("TLV blocks")
struct TLVTests {
  /// Identifies a tag of 888 usable bytes whose data area begins with these bytes.
  private func identify(
    _ data: [UInt8], _ layout: Type2Layout = .ntag216
  ) async throws -> (ModelTag, Type2Tag) {
    let model = ModelTag(layout)
    await model.store(data + [UInt8](repeating: 0, count: (4 - data.count % 4) % 4), at: 4)
    return (model, try await Type2Tag.identify(over: model))
  }

  @Test("padding, control, proprietary and unknown blocks before the message are skipped and kept")
  func skipped() async throws {
    let foreign: [UInt8] =
      [0x00, 0x00, 0x01, 0x03, 0xE2, 0x0E, 0x66, 0xFD, 0x02, 0xAB, 0xCD, 0x00, 0x42, 0x01, 0x07]
    let (model, tag) = try await identify(foreign + [0x03, 0x03, 0xD0, 0x00, 0x00, 0xFE])
    #expect(tag.content == .message([0xD0, 0x00, 0x00]))
    #expect(tag.used == 3)
    let plan = try await tag.planWrite(example, over: model)
    _ = try await plan.execute(over: model)
    let memory = await model.memory
    #expect(Array(memory[16..<16 + foreign.count]) == foreign)
    #expect(messageByAnotherReader(memory) == example.bytes)
  }

  @Test(
    "a tag without a message is told from one with an empty message",
    arguments: [
      ([0xFE] as [UInt8], TagContent.noMessage), ([0x00, 0x00, 0xFE], .noMessage),
      ([0x03, 0x00], .empty), ([0x03, 0xFF, 0x00, 0x00, 0xFE], .empty),
      ([0x03, 0x03, 0xD0, 0x00, 0x00], .message([0xD0, 0x00, 0x00])),
      // Left by a write that was interrupted before it set the type, one page earlier.
      ([0xFD, 0x01, 0x09, 0xFE, 0x00, 0xFE], .noMessage),
    ])
  func contents(data: [UInt8], content: TagContent) async throws {
    #expect(try await identify(data).1.content == content)
  }

  @Test(
    "bytes behind the terminator, unknown blocks and such that do not end are data of others",
    arguments: [
      ([0xFE, 0x03, 0x03, 0xD0, 0x00, 0x00] as [UInt8], 4), ([0x00, 0x00, 0xFE, 0x00, 0x09], 5),
      ([0xFD, 0x02, 0x09, 0x09, 0x42, 0x01, 0x07], 5), ([0x77, 0xFF, 0xFF, 0xFF, 0x03, 0x00], 4),
      ([0xFD, 0xFF, 0xFF, 0xFF], 4), ([0x01, 0x03, 0xA0, 0x0C, 0x34, 0x77, 0xF0, 0xFE], 5),
    ])
  func otherData(data: [UInt8], page: Int) async throws {
    let (model, tag) = try await identify(data)
    #expect(tag.content == .otherData(page: page))
    let report = try await tag.planErase(over: model).execute(over: model)
    #expect(report.tag.content == .empty)
  }

  @Test("a control block of another length than 3 is other data, and gives way when that is asked")
  func accidentalControl() async throws {
    // NTAG213: 144 bytes, of which the block takes all but two.
    let (model, tag) = try await identify([0x02, 0x8C, 0xD1, 0x01], .ntag213)
    #expect(tag.content == .otherData(page: 4))
    await #expect(throws: TagError(.tagTooSmall, "", hint: "")) {
      try await tag.planWrite(example, over: model)
    }
    let plan = try await tag.planWrite(example, over: model, overwritingForeignData: true)
    #expect(try await plan.execute(over: model).tag.content == .message(example.bytes))
  }

  @Test(
    "a message that runs past the data area is torn, and writing replaces it",
    arguments: [
      ([0x03, 0xFF, 0x10, 0x00, 0xD1] as [UInt8], 4),
      ([0x00, 0x00, 0x00, 0x00, 0x03, 0xFF, 0xFF, 0xFF], 5),
    ])
  func torn(data: [UInt8], page: Int) async throws {
    let (model, tag) = try await identify(data)
    #expect(tag.content == .torn(page: page))
    let report = try await tag.planWrite(example, over: model).execute(over: model)
    #expect(report.tag.content == .message(example.bytes))
  }

  @Test("a length field cut off by the end of the area is torn, never a trap")
  func cutLength() async throws {
    for count in 1...4 {
      let model = ModelTag(.ultralight)
      await model.store([0xE1, 0x10, 0x06, 0x00], at: 3)
      let tail = Array([0x03, 0xFF, 0x00, 0x01].prefix(count) as ArraySlice<UInt8>)
      let padding = [UInt8](repeating: 0, count: 48 - tail.count)
      await model.store(padding + tail, at: 4)
      let tag = try await Type2Tag.identify(over: model)
      #expect(tag.content == .torn(page: 15))
      #expect(tag.capacity == max(0, count - 2))
      await #expect(throws: TagError.Code.tagTooSmall) {
        try await codeOf { () async throws(TagError) in
          _ = try await tag.planWrite(example, over: model)
        }
      }
    }
  }

  @Test("lock bytes and reserved memory inside the data area are read and written around")
  func reservedAreas() async throws {
    // Lock bits: 16 of them at byte 40 (page 10). Reserved: 6 bytes from byte 50 (page 12) on.
    let controls: [UInt8] = [0x01, 0x03, 0xA0, 0x10, 0x32, 0x02, 0x03, 0xC2, 0x06, 0x02]
    let (model, tag) = try await identify(controls + [0x03, 0x00, 0xFE], .ntag215)
    #expect(tag.capacity == 496 - 10 - 8 - 4)
    await model.store([0xEE, 0xEE, 0x11, 0x22], at: 10)
    await model.store([0x33, 0x44, 0xEE, 0xEE, 0xEE, 0xEE, 0xEE, 0xEE], at: 12)
    let again = try await Type2Tag.identify(over: model)
    let report = try await again.planWrite(example, over: model).execute(over: model)
    #expect(report.tag.content == .message(example.bytes))
    let memory = await model.memory
    #expect(Array(memory[40..<42]) == [0xEE, 0xEE])
    #expect(Array(memory[50..<56]) == [UInt8](repeating: 0xEE, count: 6))
    let around = Array(memory[28..<40] + memory[42..<50] + memory[56..<76])
    #expect(around.starts(with: example.bytes))
  }

  @Test("blocks of others behind the message survive writing and erasing")
  func trailingBlocks() async throws {
    let block: [UInt8] = [0xFD, 0x03, 0x0A, 0x0B, 0x0C]
    let (model, tag) = try await identify([0x03, 0x03, 0xD0, 0x00, 0x00] + block + [0xFE])
    _ = try await tag.planWrite(example, over: model).execute(over: model)
    let end = 16 + 2 + example.bytes.count
    #expect(Array(await model.memory[end..<end + 6]) == block + [0xFE])
    let written = try await Type2Tag.identify(over: model)
    #expect(written.capacity == tag.capacity)
    _ = try await written.planErase(over: model).execute(over: model)
    #expect(Array(await model.memory[16..<24]) == [0x03, 0x00] + block + [0xFE])
  }

  @Test("blocks of others with a length of three bytes are skipped and kept, before and behind")
  func longBlocks() async throws {
    let block = [0xFD, 0xFF, 0x01, 0x04] + [UInt8](repeating: 0x5A, count: 0x104)
    let (model, tag) = try await identify(block + [0x03, 0x00] + block + [0xFE])
    #expect(tag.content == .empty)
    let report = try await tag.planWrite(example, over: model).execute(over: model)
    #expect(report.tag.content == .message(example.bytes))
    let memory = await model.memory
    #expect(Array(memory[16..<16 + block.count]) == block)
    let behind = 16 + block.count + 2 + example.bytes.count
    #expect(Array(memory[behind..<behind + block.count]) == block)
    #expect(memory[behind + block.count] == 0xFE)
  }

  @Test("a short message behind a length of three bytes is read, and written anew with one byte")
  func longFormOfShortLength() async throws {
    let message = NDEFMessage(uri: "https://example.org/").bytes
    let (model, tag) = try await identify(
      [0x03, 0xFF, 0x00, UInt8(message.count)] + message + [0xFE])
    #expect(tag.content == .message(message))
    let report = try await tag.planWrite(example, over: model).execute(over: model)
    #expect(report.tag.content == .message(example.bytes))
    #expect(await Array(model.memory[16..<18]) == [0x03, UInt8(example.bytes.count)])
  }

  @Test("remains of a longer message behind the terminator are not taken for blocks")
  func remains() async throws {
    let (model, tag) = try await identify([0x03, 0x00, 0xD1, 0x01, 0x22, 0x55, 0x04, 0x65])
    #expect(tag.capacity == 868)
    let report = try await tag.planWrite(example, over: model).execute(over: model)
    #expect(report.tag.content == .message(example.bytes))
  }

  @Test("5,000 random memories never trap, and whatever can be written reads back")
  func fuzz() async throws {
    var random = SeededGenerator(seed: 5)
    let kinds: [UInt8] = [0x00, 0x01, 0x02, 0x03, 0xFD, 0xFE, 0xFF, 0x10]
    for round in 0..<5000 {
      var data: [UInt8] = []
      for _ in 0..<48 {
        let byte = UInt8.random(in: 0...255, using: &random)
        data.append(Bool.random(using: &random) ? byte : kinds[Int(byte & 7)])
      }
      var memory = TagMemory()
      memory.store(data, from: 4)
      let map = try TLVScan.run(memory, area: DataArea(byteCount: 48))
      guard let image = TLVImage(map, [0xD0, 0x00, 0x00]) else {
        #expect(map.capacity < 3, "round \(round)")
        continue
      }
      for (page, bytes) in image.finished(on: memory) { memory.store(bytes, from: page) }
      let written = try TLVScan.run(memory, area: DataArea(byteCount: 48))
      #expect(written.content == .message([0xD0, 0x00, 0x00]), "round \(round)")
    }
  }
}
