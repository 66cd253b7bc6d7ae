import NDEF
import Testing

@testable import TagTypes

@Suite("Type 4 tags: identification and reading")
struct Type4Tests {
  /// An NDEF file with a message.
  private static func file(_ message: [UInt8]) -> [UInt8] {
    [UInt8(message.count >> 8), UInt8(message.count & 0xFF)] + message
  }

  private func identify(_ model: ModelType4Tag) async throws(TagError) -> Type4Tag {
    try await Type4Tag.identify(over: model)
  }

  @Test("an NTAG 424 DNA is named by GetVersion and read in eight exchanges")
  func ntag424() async throws {
    let model = ModelType4Tag(file: Self.file(example.bytes))
    let tag = try await identify(model)
    #expect(tag.name == "NTAG 424 DNA")
    #expect(tag.content == .message(example.bytes))
    #expect(tag.capacity == 254)
    #expect(tag.exchanges == 8)
    #expect(await model.commands.count == 8)
    #expect(!tag.isLocked && !tag.isPasswordProtected)
    #expect(tag.capabilityContainer?.fileID == 0xE104)
  }

  @Test(
    "products are told by hardware type and version",
    arguments: [
      (0x04, 0x10, "NTAG 413 DNA"), (0x01, 0x01, "MIFARE DESFire EV1"),
      (0x01, 0x12, "MIFARE DESFire EV2"), (0x01, 0x33, "MIFARE DESFire EV3"),
      (0x77, 0x01, "Type 4"),
    ] as [(UInt8, UInt8, String)])
  func products(type: UInt8, major: UInt8, name: String) async throws {
    let part: [UInt8] = [0x04, type, 0x01, major, 0x00, 0x18, 0x05]
    let model = ModelType4Tag(version: [part, part, [0, 0, 0, 0, 0, 0, 0]])
    #expect(try await identify(model).name == name)
  }

  @Test("a tag that does not know GetVersion is a Type 4 tag all the same")
  func unknownProduct() async throws {
    let model = ModelType4Tag(file: Self.file(example.bytes), version: [])
    let tag = try await identify(model)
    #expect(tag.name == "Type 4")
    #expect(tag.version == nil)
    #expect(tag.content == .message(example.bytes))
  }

  @Test("the length says whether the file is empty, holds a message, or is torn")
  func contents() async throws {
    #expect(try await identify(ModelType4Tag()).content == .empty)
    let torn = try await identify(ModelType4Tag(file: [0x01, 0x00, 0xD1]))
    #expect(torn.content == .torn(page: nil))
    let full = [UInt8](repeating: 0xD1, count: 254)
    #expect(try await identify(ModelType4Tag(file: Self.file(full))).content == .message(full))
  }

  @Test(
    "no READ BINARY asks for more than MLe or than the reader carries", arguments: [0x0F, 0x3B])
  func pieces(limit: Int) async throws {
    let message = NDEFMessage(uri: "https://" + String(repeating: "x", count: 300)).bytes
    for carried in [16, 60, 240] {
      let model = ModelType4Tag(
        container: ModelType4Tag.container(read: limit, size: 0x400), file: Self.file(message),
        size: 0x400, maximumAnswerByteCount: carried)
      #expect(try await identify(model).content == .message(message))
      let largest = await model.sent(0xB0).map { Int($0[4]) }.max() ?? 0
      // The container itself is read before MLe is known: 15 bytes, which every tag allows.
      #expect(largest <= max(15, min(limit, carried - 5)))
    }
  }

  @Test("an extended file of version 3 has a length of four bytes, and offsets above 7FFF")
  func extended() async throws {
    let message = [UInt8](repeating: 0x5A, count: 0x8123)
    let container = ModelType4Tag.container(
      version: 0x30, read: 0xFF, write: 0xFF, size: 0x9000, extended: true)
    let model = ModelType4Tag(
      container: container, file: [0, 0, 0x81, 0x23] + message, size: 0x9000)
    let tag = try await identify(model)
    #expect(tag.content == .message(message))
    #expect(tag.capacity == 0x8FFC)
    #expect(await !model.sent(0xB1).isEmpty)
    #expect(await model.sent(0xB0).allSatisfy { $0[2] < 0x80 })
  }

  @Test("a length field of four bytes that lies does not keep the reader busy")
  func lyingLength() async throws {
    let container = ModelType4Tag.container(
      version: 0x30, read: 0xFF, write: 0xFF, size: 0x7FFF_FFFF, extended: true)
    let model = ModelType4Tag(container: container, file: [0x7F, 0xFF, 0xFF, 0x00, 0xD1])
    do {
      _ = try await identify(model)
      Issue.record("read")
    } catch {
      #expect(error.code == .tagUnsupported)
      #expect(error.message.contains("2147483392 bytes"), "\(error.message)")
    }
    #expect(await model.commands.count < 12)
  }

  @Test("a message that reaches where no command of the tag does is refused with that reason")
  func unreachable() async throws {
    let message = [UInt8](repeating: 0x5A, count: 0x8123)
    let model = ModelType4Tag(
      container: ModelType4Tag.container(read: 0xFF, size: 0x9000),
      file: Array(Self.file(message).prefix(0x8000)), size: 0x8000)
    do {
      _ = try await identify(model)
      Issue.record("read")
    } catch {
      #expect(error.code == .tagUnsupported)
      #expect(error.message.contains("33059 bytes"))
      #expect(error.message.contains("6B00"))
    }
  }

  @Test("a block of another file before that of the NDEF file is skipped")
  func otherBlockFirst() async throws {
    var container = Array(ModelType4Tag.container424[..<7])
    container += ModelType4Tag.container424[15...] + ModelType4Tag.container424[7..<15]
    let model = ModelType4Tag(container: container, file: Self.file(example.bytes))
    #expect(try await identify(model).content == .message(example.bytes))
  }

  @Test("a card without NDEF application is no NDEF tag, and says so with the status")
  func noApplication() async throws {
    let tag = try await identify(ModelType4Tag(version: [], application: 0x77))
    #expect(tag.content == .notNDEF)
    #expect(tag.name == "ISO-DEP card")
    #expect(tag.problem.contains("6A82, file not found"))
    let smart = try await identify(ModelType4Tag(version: [], application: 0x77, sak: 0x28))
    #expect(smart.name == "MIFARE Classic (SmartMX)")
  }

  @Test(
    "a malformed capability container is no NDEF tag",
    arguments: [
      [0x00, 0x0F, 0x20], [], [UInt8](repeating: 0, count: 15), [UInt8](repeating: 0xFF, count: 64),
      ModelType4Tag.container(read: 0x0E, size: 0x100), ModelType4Tag.container(size: 2),
      ModelType4Tag.container(version: 0x50, size: 0x100),
      ModelType4Tag.container(write: 1, size: 0x100),
      Array(ModelType4Tag.container424[..<7]) + [0x05, 0x06, 0xE1, 0x05, 0x00, 0x80, 0x82, 0x83],
    ] as [[UInt8]])
  func malformedContainer(container: [UInt8]) async throws {
    let tag = try await identify(ModelType4Tag(container: container))
    #expect(tag.content == .notNDEF)
    #expect(tag.problem.contains("capability container"))
    await #expect(throws: TagError.Code.notNDEF) {
      try await codeOf { () async throws(TagError) in
        _ = try await tag.planWrite(example, over: ModelType4Tag(container: container))
      }
    }
  }

  @Test("missing files are named with their status")
  func missingFiles() async throws {
    for file: UInt16 in [0xE103, 0xE104] {
      let model = ModelType4Tag()
      await model.removeFile(file)
      let tag = try await identify(model)
      #expect(tag.content == .notNDEF)
      #expect(tag.problem.contains("6A82"))
    }
  }

  @Test("what a key guards is unreadable, by the container or by the tag's status")
  func guarded() async throws {
    let closed = ModelType4Tag(
      container: ModelType4Tag.container(size: 0x100, readAccess: 0x80))
    #expect(try await identify(closed).content == .unreadable(page: nil))
    // Version takes three commands; then application, container (2), file, and the read.
    for command in [5, 7] {
      let model = ModelType4Tag(file: Self.file(example.bytes))
      var faults = ModelType4Tag.Faults()
      faults.statuses = [command: 0x6982]
      await model.setFaults(faults)
      let tag = try await identify(model)
      #expect(tag.content == .unreadable(page: nil))
      #expect(tag.isPasswordProtected)
      #expect(tag.problem.contains("key"))
    }
  }

  @Test("mapping version 1.0 is read, and not written")
  func firstMapping() async throws {
    let container = ModelType4Tag.container(version: 0x10, size: 0x100)
    let model = ModelType4Tag(
      container: container, file: Self.file(example.bytes), application: 0x00)
    let tag = try await identify(model)
    #expect(tag.content == .message(example.bytes))
    await #expect(throws: TagError.Code.tagUnsupported) {
      try await codeOf { () async throws(TagError) in
        _ = try await tag.planErase(over: model)
      }
    }
  }

  @Test("a lost or refused answer at any command does not change what is read")
  func transientFaults() async throws {
    for position in 0..<8 {
      var lost = ModelType4Tag.Faults()
      lost.lostAnswers = [position]
      var refused = ModelType4Tag.Faults()
      refused.refusals = [position]
      var failing = ModelType4Tag.Faults()
      failing.statuses = [position: 0x6F00]
      var garbled = ModelType4Tag.Faults()
      garbled.statuses = [position: 0x1200]
      for faults in [lost, refused, failing, garbled] {
        let model = ModelType4Tag(file: Self.file(example.bytes))
        await model.setFaults(faults)
        let tag = try await identify(model)
        #expect(tag.content == .message(example.bytes), "\(position) \(faults)")
      }
    }
  }

  @Test("a tag that leaves or is swapped is reported as that, at any command")
  func leaves() async throws {
    for position in 0..<8 {
      var gone = ModelType4Tag.Faults()
      gone.vanishesAfter = position
      var swapped = ModelType4Tag.Faults()
      swapped.swappedAfter = position
      for (faults, code) in [(gone, TagError.Code.tagLost), (swapped, .tagChanged)] {
        let model = ModelType4Tag(file: Self.file(example.bytes))
        await model.setFaults(faults)
        await #expect(throws: code) {
          try await codeOf { () async throws(TagError) in
            _ = try await identify(model)
          }
        }
      }
    }
  }
}
