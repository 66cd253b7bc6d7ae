import NDEF
import Testing

@testable import TagTypes

/// An NTAG 424 DNA lays a new message over its URL at each reading, where its settings say.
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
    // A message that ends before lies under nothing.
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
