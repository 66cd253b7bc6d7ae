import CliptagBasics
import Foundation
import NDEF
import Testing

@testable import TagTypes

@Suite("Type 4 tags: identification and reading")
struct Type4Tests {
  /// Returns an NDEF file with a message.
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

  @Test(
    "a container that denies reading is neither written nor locked, although the file can be read",
    arguments: [UInt8(0x01), 0x80, 0xFE, 0xFF])
  func readingDenied(access: UInt8) async throws {
    let model = ModelType4Tag(
      container: ModelType4Tag.container(size: 0x100, readAccess: access),
      file: Self.file(example.bytes), version: [])
    let tag = TagTypes.Tag.type4(try await identify(model))
    #expect(tag.content == .message(example.bytes))
    #expect(tag.containerThatDeniesReading?.isEmpty == false)
    for message in [example, NDEFMessage(uri: "https://other.example")] {
      await #expect(throws: TagError.Code.notNDEF) {
        try await codeOf { () async throws(TagError) in
          _ = try await tag.planWrite(message, over: model)
        }
      }
    }
    await #expect(throws: TagError.Code.notNDEF) {
      try await codeOf { () async throws(TagError) in
        _ = try await tag.planLock(of: example.bytes, over: model)
      }
    }
    #expect(await model.sent(0xD6) == [])
  }

  @Test("what a key guards is unreadable, by the tag's status")
  func guarded() async throws {
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

/// An NTAG 424 DNA mirrors a new message over its URL at each reading, at the positions in its
/// settings.
@Suite("Type 4 tags: settings of the NDEF file")
struct Type4MirrorTests {
  /// 32 characters for PICCData, and 16 for the code.
  private static func url(_ host: String, _ fill: Character = "0") -> NDEFMessage {
    func run(_ count: Int) -> String { String(repeating: fill, count: count) }
    return NDEFMessage(uri: "https://\(host)/p?e=\(run(32))&c=\(run(16))")
  }
  /// The settings that AN12196 writes, with PICCData at 15h and the code at 38h.
  private static let settings: [UInt8] = [
    0x00, 0x40, 0xE0, 0xEE, 0x00, 0x01, 0x00, 0xC1, 0xF1, 0x21, 0x15, 0x00, 0x00, 0x38, 0x00, 0x00,
    0x38, 0x00, 0x00,
  ]
  private static let ranges = [0x15..<0x35, 0x38..<0x48]

  private static func model(_ message: NDEFMessage) async -> ModelType4Tag {
    let bytes = message.bytes
    let model = ModelType4Tag(file: [0x00, UInt8(bytes.count)] + bytes)
    await model.mirror(ranges, settings: settings)
    return model
  }

  @Test("a dump says what its tag mirrored, and restoring that never freezes it unasked")
  func restore() async throws {
    let model = await Self.model(Self.url("a.example"))
    let type4 = try #require(try await Tag.identify(over: model).type4)
    let taken = try await type4.dump(over: model)
    guard case .files(let dump) = try SavedTag(reading: taken.text(time: Date())) else {
      Issue.record("not a dump of files")
      return
    }
    #expect(dump.mirrored == Self.ranges)
    // The same tag, emptied: the file holds zeros below the mirrored characters.
    let erase = try await Tag.identify(over: model).planErase(over: model)
    _ = try await erase.execute(over: model)
    let plan = try await Tag.identify(over: model).planRestore(
      dump, options: RestoreOptions(), overwritingForeignData: false, over: model)
    #expect(plan.notes == [.zerosUnderMirror])
    _ = try await plan.write.execute(over: model)
    #expect(await model.message == Self.url("a.example").bytes)
    // A tag without mirrored ranges: refused, or frozen by request.
    let plain = ModelType4Tag(file: [0, 0])
    let other = try await Tag.identify(over: plain)
    await #expect(throws: TagError(.mirroredText, "", hint: "", uid: nil)) {
      try await other.planRestore(
        dump, options: RestoreOptions(), overwritingForeignData: false, over: plain)
    }
    let frozen = try await other.planRestore(
      dump, options: RestoreOptions(freezesMirror: true), overwritingForeignData: false, over: plain
    )
    #expect(frozen.notes == [.messageFrozen])
    _ = try await frozen.write.execute(over: plain)
    #expect(await plain.message?.count == Self.url("a.example").bytes.count)
    #expect(await plain.message != Self.url("a.example").bytes)
  }

  @Test("an empty tag's dump empties the tag")
  func restoreEmpty() async throws {
    let empty = ModelType4Tag(file: [0, 0])
    let dump = try await #require(try await Tag.identify(over: empty).type4).dump(over: empty)
    let model = ModelType4Tag(
      file: [0, UInt8(Self.url("a.example").bytes.count)] + Self.url("a.example").bytes)
    let plan = try await Tag.identify(over: model).planRestore(
      dump, options: RestoreOptions(), overwritingForeignData: false, over: model)
    _ = try await plan.write.execute(over: model)
    #expect(await model.message == [])
  }

  @Test("in LRP mode UID and counter take 48 digits, where the file shows so many")
  func longIdentity() throws {
    let settings = try #require(
      Type4FileSettings([
        0x00, 0x40, 0xE0, 0xEE, 0x00, 0x01, 0x00, 0xC1, 0xF1, 0x21, 0x15, 0x00, 0x00, 0x48, 0x00,
        0x00, 0x48, 0x00, 0x00,
      ]))
    let long = [UInt8](repeating: 0x41, count: 0x80)
    #expect(settings.seen(in: long).mirrored == [0x15..<0x45, 0x48..<0x58])
    var short = long
    short[0x35] = UInt8(ascii: "&")
    #expect(settings.seen(in: short).mirrored == [0x15..<0x35, 0x48..<0x58])
  }

  @Test("offsets are found by options and access rights")
  func parsing() throws {
    let found = try #require(Type4FileSettings(Self.settings))
    #expect(found.mirrored == Self.ranges)
    #expect(found.isWriteFree && !found.isWriteDenied)
    // UID, counter and code in clear, with encrypted data of 32 characters.
    let plain: [UInt8] = [
      0x00, 0x40, 0x00, 0xE0, 0x00, 0x01, 0x00, 0xD1, 0xF1, 0xE1, 0x10, 0x00, 0x00, 0x20, 0x00,
      0x00, 0x30, 0x00, 0x00, 0x40, 0x00, 0x00, 0x20, 0x00, 0x00, 0x70, 0x00, 0x00,
    ]
    let clear = try #require(Type4FileSettings(plain))
    #expect(clear.mirrored == [0x10..<0x1E, 0x20..<0x26, 0x40..<0x60, 0x70..<0x80])
    #expect(clear.encrypted == 0x40..<0x60)
    #expect(!clear.isWriteFree)
    let factory = try #require(Type4FileSettings([0x00, 0x00, 0xE0, 0xEE, 0x00, 0x01, 0x00]))
    #expect(factory.mirrored == [])
    for count in Self.settings.indices {
      #expect(Type4FileSettings(Array(Self.settings[..<count])) == nil, "\(count)")
    }
  }

  @Test("a URL with zeros where the tag shows its own is written and verified around them")
  func writes() async throws {
    let (old, new) = (Self.url("a.example"), Self.url("b.example"))
    #expect(old.bytes.count + 2 == Self.ranges[1].upperBound)
    let model = await Self.model(old)
    let plan = try await Tag.identify(over: model).planWrite(new, over: model)
    let report = try await plan.execute(over: model)
    #expect(report.tag.content == .message(new.bytes))
    #expect(await model.message == new.bytes)
  }

  @Test("a tag that holds the URL below what it shows is not written")
  func alreadyCorrect() async throws {
    let model = await Self.model(Self.url("a.example"))
    let plan = try await Tag.identify(over: model).planWrite(Self.url("a.example"), over: model)
    #expect(plan.isAlreadyCorrect)
    #expect(plan.tag.content == .message(Self.url("a.example").bytes))
  }

  @Test("a URL that the tag would cover is refused, with the offset, before anything is written")
  func covered() async throws {
    let model = await Self.model(Self.url("a.example"))
    let tag = try await Tag.identify(over: model)
    do {
      _ = try await tag.planWrite(Self.url("a.example", "x"), over: model)
      Issue.record("planned")
    } catch {
      #expect(error.code == .mirroredText)
      #expect(error.offset == 0x15)
    }
    #expect(await model.sent(0xD6).isEmpty)
    // A message that ends before the mirrored ranges is unaffected.
    _ = try await tag.planWrite(NDEFMessage(uri: "https://b.example"), over: model)
    _ = try await tag.planErase(over: model)
  }

  @Test(
    "rights that keep everybody or strangers from writing are told and respected",
    arguments: [
      ([0x00, 0xE0], TagError.Code.tagPassword), ([0xF0, 0xEF], .tagLocked),
    ] as [([UInt8], TagError.Code)])
  func rights(rights: [UInt8], code: TagError.Code) async throws {
    let model = ModelType4Tag()
    await model.mirror([], settings: [0x00, 0x00] + rights + [0x00, 0x01, 0x00])
    let tag = try await Tag.identify(over: model, includingConfiguration: true)
    #expect(tag.isLocked == (code == .tagLocked))
    #expect(tag.isPasswordProtected == (code == .tagPassword))
    await #expect(throws: code) {
      try await codeOf { () async throws(TagError) in
        _ = try await tag.planWrite(example, over: model)
      }
    }
    #expect(await model.sent(0xD6).isEmpty)
  }
}

/// A Type 4 tag that answers Read_Sig with given bytes.
private struct SignedTag: TagChannel {
  let base: ModelType4Tag
  let answer: [UInt8]

  init(answering answer: [UInt8]) {
    base = ModelType4Tag()
    self.answer = answer
  }

  var target: TagTarget { base.target }

  func exchange(_ command: [UInt8]) async throws(TagChannelError) -> [UInt8] {
    command == [0x90, 0x3C, 0x00, 0x00, 0x01, 0x00, 0x00]
      ? answer : try await base.exchange(command)
  }

  func reselect(fieldCycle: Bool) async throws(TagChannelError) {
    try await base.reselect(fieldCycle: fieldCycle)
  }
}

@Suite("Originality signatures of Type 4 tags") struct SignatureTests {
  private func signature(_ answer: [UInt8]) async throws -> [UInt8]? {
    let channel = SignedTag(answering: answer)
    let tag = try #require(try await TagTypes.Tag.identify(over: channel).type4)
    return try await tag.readSignature(over: channel)
  }

  @Test("the signature comes with either status of success, as it is")
  func given() async throws {
    let bytes = (1...56).map { UInt8($0) }
    #expect(try await signature(bytes + [0x91, 0x90]) == bytes)
    #expect(try await signature(bytes + [0x91, 0x00]) == bytes)
    #expect(try await signature([1, 2, 0x91, 0x90]) == [1, 2], "its length is the judge's affair")
  }

  @Test("a tag that does not know the command has none")
  func refused() async throws {
    for answer: [UInt8] in [[0x91, 0x1C], [0x6D, 0x00], [0x91], [], [0x90, 0x00]] {
      #expect(try await signature(answer) == nil)
    }
  }
}
