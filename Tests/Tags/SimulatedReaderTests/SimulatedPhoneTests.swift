import TagTypes
import Testing

@testable import SimulatedReader

@Suite("A phone reads a Type 2 tag")
struct SimulatedPhoneTests {
  /// `https://example.com/menu/dinner/item/1234`.
  private static let message: [UInt8] =
    [0xD1, 0x01, 0x22, 0x55, 0x04] + Array("example.com/menu/dinner/item/1234".utf8)

  private func tag(
    _ layout: Type2Layout, _ prepare: (inout SimulatedTag) -> Void = { _ in }
  ) throws -> SimulatedTag {
    var tag = try SimulatedTag(layout)
    tag.place(layout.capabilityContainer, atPage: 3)
    tag.place([0x03, UInt8(Self.message.count)] + Self.message + [0xFE], atPage: 4)
    prepare(&tag)
    return tag
  }

  @Test("it sends READ alone: container, TLV blocks, lock bytes, message")
  func order() throws {
    let (outcome, commands) = SimulatedPhone.read(try tag(.ntag213))
    #expect(outcome == .message(Self.message))
    #expect(commands == [[0x30, 0], [0x30, 4], [0x30, 0x28], [0x30, 8], [0x30, 12]])
    let small = SimulatedPhone.read(try tag(.ultralight))
    #expect(small.outcome == .message(Self.message))
    #expect(small.commands == [[0x30, 0], [0x30, 4], [0x30, 8], [0x30, 12]])
  }

  @Test("a message behind a Lock Control block and around reserved memory is found")
  func controlBlocks() throws {
    var generic = try SimulatedTag.generic()
    let long: [UInt8] =
      [0xC1, 0x01, 0, 0, 0, 90, 0x55, 0x04] + [UInt8](repeating: 0x61, count: 89)
    // Fourteen bytes of other blocks are in front; bytes 96 to 111 hold no message.
    let bytes: [UInt8] = [0x03, UInt8(long.count)] + long + [0xFE]
    var address = 30
    for byte in bytes {
      if (96..<112).contains(address) { address = 112 }
      let page = address / 4
      var content = generic.page(page)
      content[address % 4] = byte
      generic.place(content, atPage: page)
      address += 1
    }
    #expect(SimulatedPhone.read(generic).outcome == .message(long))
  }

  @Test("a password that guards reading hides the message, and one that guards writing does not")
  func passwords() throws {
    let hidden = try tag(.ntag213) { tag in
      tag.place([0, 0, 0, 4, 0x80], atPage: 0x29)
    }
    #expect(SimulatedPhone.read(hidden).outcome == .nothing(refusedPage: 4))
    let guarded = try tag(.ntag213) { tag in
      tag.place([0, 0, 0, 4, 0x00], atPage: 0x29)
    }
    #expect(SimulatedPhone.read(guarded).outcome == .message(Self.message))
  }

  @Test("a tag that is empty, torn, or denies reading has no message")
  func nothing() throws {
    for (bytes, page) in [
      ([0x03, 0x00, 0xFE], 4), ([0x03, 0xFF, 0x0F, 0xFF], 4), ([0xE1, 0x10, 0x12, 0xF0], 3),
      ([0x00, 0x00, 0x00, 0x00], 3),
    ] as [([UInt8], Int)] {
      let tag = try tag(.ntag213) { $0.place(bytes, atPage: page) }
      #expect(SimulatedPhone.read(tag).outcome == .nothing(refusedPage: nil))
    }
  }
}
