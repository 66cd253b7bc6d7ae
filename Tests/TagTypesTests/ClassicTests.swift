import NDEF
import Testing

@testable import TagTypes

@Suite("MIFARE Classic, which is read and not written")
struct ClassicTests {
  private static let data: [UInt8] = [0x03, UInt8(example.bytes.count)] + example.bytes + [0xFE]

  @Test("the directory's checksum is that of a tag that a phone formatted")
  func checksum() {
    // nfc.md: `DB 00 03 E1 00 …`, one NDEF sector.
    let directory: [UInt8] = [0xDB, 0x00, 0x03, 0xE1] + [UInt8](repeating: 0, count: 28)
    #expect(ClassicDirectory(sector0: directory)?.sectors == [1])
    #expect(ClassicDirectory(sector0: [0xDA] + directory.dropFirst()) == nil)
  }

  @Test("a message is read through the directory with the public keys")
  func message() async throws {
    let model = ModelClassicTag()
    await model.format(sectors: [1], data: Self.data)
    let tag = try await Tag.identify(over: model)
    #expect(tag.name == "MIFARE Classic 1K")
    #expect(tag.content == .message(example.bytes))
    #expect(tag.capacity == 46)
    #expect(!tag.isLocked)
    #expect(tag.isPasswordProtected == false)
    // Directory: AUTH and three blocks. Message: AUTH, the trailer and three blocks.
    #expect(tag.exchanges == 9)
    #expect(await model.commands.count == 9)
    #expect(await model.commands.allSatisfy { $0[0] == 0x60 || $0[0] == 0x30 })
  }

  @Test("a message goes on in the next sector of NDEF, wherever that is")
  func severalSectors() async throws {
    let long = NDEFMessage(uri: "https://example.org/" + String(repeating: "lorem/", count: 30))
    let count = long.bytes.count
    for sectors in [[1, 2, 3, 4, 5], [2, 5, 6, 9, 15]] {
      let model = ModelClassicTag(uid: [0x04, 0x11, 0x22, 0x33, 0x44, 0x55, 0x66])
      await model.format(sectors: sectors, data: [0x03, UInt8(count)] + long.bytes + [0xFE])
      #expect(try await Tag.identify(over: model).content == .message(long.bytes))
    }
  }

  @Test("the second directory of a 4K tag names sectors behind the first 16")
  func secondDirectory() async throws {
    let long = NDEFMessage(uri: "https://example.org/" + String(repeating: "lorem/", count: 40))
    let count = long.bytes.count
    let model = ModelClassicTag(sak: 0x18, sectorCount: 40)
    let data = [0x03, 0xFF, UInt8(count >> 8), UInt8(count & 0xFF)] + long.bytes + [0xFE]
    await model.format(sectors: [15, 17, 39], data: data, version: 2)
    let tag = try await Tag.identify(over: model)
    #expect(tag.name == "MIFARE Classic 4K")
    #expect(tag.content == .message(long.bytes))
    #expect(tag.capacity == 48 + 48 + 240 - 4)
  }

  @Test("a tag whose keys are not public is unreadable, and named")
  func otherKeys() async throws {
    let other = ModelClassicTag(sak: 0x09, sectorCount: 5)
    await other.setKey(0, [1, 2, 3, 4, 5, 6])
    let tag = try await Tag.identify(over: other)
    #expect(tag.name == "MIFARE Classic Mini")
    #expect(tag.content == .unreadable(page: nil))
    #expect(tag.problem?.contains("public key") == true)
    #expect(tag.isPasswordProtected == true)
    #expect(await other.commands.count == 4)
    let model = ModelClassicTag()
    await model.format(sectors: [1], data: Self.data)
    await model.setKey(1, [1, 2, 3, 4, 5, 6])
    let closed = try await Tag.identify(over: model)
    #expect(closed.content == .unreadable(page: nil))
    #expect(closed.isPasswordProtected == true)
  }

  @Test("a blank tag is guarded by nothing: everybody knows the key of the factory")
  func blank() async throws {
    let tag = try await Tag.identify(over: ModelClassicTag())
    #expect(tag.content == .notNDEF)
    #expect(tag.isPasswordProtected == false)
    #expect(tag.problem?.contains("key of the factory") == true)
  }

  @Test("a directory without NDEF, or with a wrong checksum, is no NDEF tag")
  func notNDEF() async throws {
    let model = ModelClassicTag()
    await model.format(sectors: [], data: [])
    #expect(try await Tag.identify(over: model).content == .notNDEF)
    await model.format(sectors: [1], data: Self.data)
    await model.store([0x00], from: 1)
    let tag = try await Tag.identify(over: model)
    #expect(tag.content == .notNDEF)
    #expect(tag.problem?.contains("CRC") == true)
    await model.setKey(0, [0xA0, 0xA1, 0xA2, 0xA3, 0xA4, 0xA5], generalPurpose: 0x01)
    #expect(try await Tag.identify(over: model).problem?.contains("no application") == true)
  }

  @Test("empty, torn and foreign data are told as on a Type 2 tag, without a page")
  func contents() async throws {
    let cases: [([UInt8], TagContent)] = [
      ([0x03, 0x00, 0xFE], .empty), ([0xFE], .noMessage), ([0x03, 0xF0, 0xD1], .torn(page: nil)),
      ([0x42, 0x01, 0x07, 0xFE], .otherData(page: nil)),
    ]
    for (data, content) in cases {
      let model = ModelClassicTag()
      await model.format(sectors: [1], data: data)
      #expect(try await Tag.identify(over: model).content == content)
    }
  }

  @Test("a general purpose byte without write access means locked")
  func locked() async throws {
    let model = ModelClassicTag()
    await model.format(sectors: [1], data: Self.data, generalPurpose: 0x43)
    #expect(try await Tag.identify(over: model).isLocked)
  }

  @Test("writing and erasing are refused with the reason, before anything is sent")
  func refused() async throws {
    let model = ModelClassicTag()
    await model.format(sectors: [1], data: Self.data)
    let tag = try await Tag.identify(over: model)
    await model.setFaults()
    for erases in [true, false] {
      do {
        _ =
          erases
          ? try await tag.planErase(over: model) : try await tag.planWrite(example, over: model)
        Issue.record("planned")
      } catch {
        #expect(error.code == .tagUnsupported)
        #expect(error.message.contains("iPhones do not read"))
        #expect(error.hint.contains("NTAG"))
      }
    }
    #expect(await model.commands.isEmpty)
  }

  @Test("an answer lost or refused once at any command does not change what is read")
  func transientFaults() async throws {
    for position in 0..<9 {
      let model = ModelClassicTag()
      await model.format(sectors: [1], data: Self.data)
      await model.setFaults(lost: [position])
      #expect(try await Tag.identify(over: model).content == .message(example.bytes))
      await model.setFaults(refused: [position])
      #expect(try await Tag.identify(over: model).content == .message(example.bytes))
      await model.setFaults(vanishesAfter: position)
      await #expect(throws: TagError.Code.tagLost) {
        try await codeOf { () async throws(TagError) in _ = try await Tag.identify(over: model) }
      }
    }
  }
}
