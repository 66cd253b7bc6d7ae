import CliptagBasics
import TagTypes
import TestSupport
import Testing

@testable import SimulatedReader

@Suite("What a tag holds and answers (NTAG21x rev. 3.2, section 10; MF0ICU1, section 7.6)")
struct SimulatedTagTests {
  static let family: [Type2Layout] = [.ntag213, .ntag215, .ntag216]

  @Test("pages 0 to 2 hold the UID with its check bytes, page 3 the capability container")
  func identity() throws {
    let tag = try SimulatedTag(.ntag215)
    #expect(tag.page(0) == [0x04, 0xE1, 0x0C, 0x61])
    #expect(tag.page(1) == [0xDA, 0x99, 0x3C, 0x80])
    let checkByte: UInt8 = 0xDA ^ 0x99 ^ 0x3C ^ 0x80
    #expect(tag.page(2) == [checkByte, 0x48, 0x00, 0x00])
    #expect(tag.page(3) == [0xE1, 0x10, 0x3E, 0x00])
    #expect(tag.page(0x82) == [0, 0, 0, 0xBD])
    #expect(tag.page(0x83) == [0x04, 0, 0, 0xFF])
    #expect(tag.page(0x85) == [0xFF, 0xFF, 0xFF, 0xFF])
    #expect(tag.uid == SimulatedTag.defaultUID)
    #expect(try SimulatedTag(.ultralight).page(3) == [0, 0, 0, 0], "blank from the factory")
    #expect(throws: SimulatedReaderError.self) { try SimulatedTag(.ntag213, uid: [1, 2, 3, 4]) }
  }

  @Test("GET_VERSION tells the product", arguments: family)
  func version(layout: Type2Layout) throws {
    var tag = try SimulatedTag.active(layout)
    #expect(tag.receive([0x60]) == .data(try #require(layout.version)))
  }

  @Test("READ goes on at page 0 behind the last page it may read", arguments: Type2Layout.all)
  func rollOver(layout: Type2Layout) throws {
    var tag = try SimulatedTag.active(layout)
    // The key of a MIFARE Ultralight C, four pages after AUTH1, is never read.
    let last = layout.tripleDESPage.map { $0 + 1 } ?? layout.pageCount - 1
    guard case .data(let bytes) = tag.receive([0x30, UInt8(last)]) else {
      Issue.record("no data")
      return
    }
    #expect(bytes.count == 16)
    #expect(Array(bytes[4...]) == tag.page(0) + tag.page(1) + tag.page(2))
    #expect(tag.receive([0x30, UInt8(last + 1)]) == .refused(0))
  }

  @Test("FAST_READ sends any run of pages and refuses a run that is none")
  func fastRead() throws {
    var tag = try SimulatedTag.active(.ntag213)
    #expect(tag.receive([0x3A, 0x00, 0x2A]) == .data(Array(tag.memory[0..<172])))
    #expect(tag.receive([0x3A, 0x05, 0x04]) == .refused(0))
    tag.reselect()
    #expect(tag.receive([0x3A, 0x00, 0x2D]) == .refused(0))
  }

  @Test("PWD and PACK read as zero and work nevertheless")
  func secrets() throws {
    var tag = try SimulatedTag.active(.ntag215)
    #expect(tag.receive([0xA2, 0x85, 1, 2, 3, 4]) == .acknowledged)
    #expect(tag.receive([0xA2, 0x86, 5, 6, 0, 0]) == .acknowledged)
    #expect(tag.receive([0x3A, 0x85, 0x86]) == .data([UInt8](repeating: 0, count: 8)))
    #expect(tag.receive([0x1B, 1, 2, 3, 4]) == .data([5, 6]))
    #expect(tag.receive([0x1B, 0, 0, 0, 0]) == .refused(0))
  }

  @Test("the published UIDs have their published signatures, another UID has one that differs")
  func signature() throws {
    var tag = try SimulatedTag.active(.ntag213)
    guard case .data(let bytes) = tag.receive([0x3C, 0x00]) else {
      Issue.record("no data")
      return
    }
    #expect(bytes.hexadecimal == "8B76052EE42F5567BEB53238B3E3F9950707C0DCC956B5C5EFCFDB709B2D82B3")
    var other = try SimulatedTag(.ntag213, uid: [0x04, 0xE1, 0x0C, 0xDA, 0x99, 0x3C, 0x81])
    other.activate()
    guard case .data(let others) = other.receive([0x3C, 0x00]) else {
      Issue.record("no data")
      return
    }
    #expect(others.count == 32 && others != bytes)
  }

  @Test(
    "a command of the wrong length, or one it does not know, silences the tag",
    arguments: [
      [], [0x60, 0x00], [0x30], [0x30, 0, 0], [0x3A, 0], [0xA2, 4, 1], [0x1A, 0], [0xFF],
    ]
      as [[UInt8]])
  func silence(command: [UInt8]) throws {
    var tag = try SimulatedTag.active(.ntag213)
    #expect(tag.receive(command) == .silence)
    #expect(tag.receive([0x30, 0]) == .silence)
    tag.reselect()
    #expect(tag.receive([0x30, 0]) != .silence)
  }

  @Test(
    "an Ultralight knows no command of the NTAG family", arguments: [0x60, 0x3A, 0x39, 0x3C, 0x1B])
  func ultralight(code: UInt8) throws {
    var tag = try SimulatedTag.active(.ultralight)
    #expect(tag.receive([code]) == .silence)
    tag.reselect()
    #expect(tag.receive([code, 0, 0]) == .silence)
  }

  @Test("COMPATIBILITY_WRITE takes two steps and stores the first four bytes")
  func compatibilityWrite() throws {
    var tag = try SimulatedTag.active(.ultralight)
    #expect(tag.receive([0xA0, 0x04]) == .acknowledged)
    #expect(tag.receive([0xA0, 2, 3, 4] + [UInt8](repeating: 9, count: 12)) == .acknowledged)
    #expect(tag.page(4) == [0xA0, 2, 3, 4])
    #expect(tag.page(5) == [0, 0, 0, 0])
    #expect(tag.receive([0xA0, 0x01]) == .refused(0))
  }

  @Test("READ_CNT works only when enabled, and the first read after power-up counts")
  func counter() throws {
    var tag = try SimulatedTag.active(.ntag213)
    #expect(tag.receive([0x39, 0x02]) == .refused(0))
    tag.place([0x10], atPage: 0x2A)
    for _ in 0..<3 {
      tag.activate()
      _ = tag.receive([0x30, 0x04])
      _ = tag.receive([0x3A, 0x04, 0x05])
    }
    #expect(tag.receive([0x39, 0x02]) == .data([3, 0, 0]))
    tag.place([0x18], atPage: 0x2A)
    #expect(tag.receive([0x39, 0x02]) == .refused(0), "NFC_CNT_PWD_PROT")
  }

  @Test("the mirror lies over what is read and leaves memory alone")
  func mirror() throws {
    var tag = try SimulatedTag.active(.ntag213)
    // Both mirrors, from the second byte of page 6 on; counter enabled.
    tag.place([0xD4, 0x00, 0x06, 0xFF, 0x10], atPage: 0x29)
    let text = Array("04E10CDA993C80x000001".utf8)
    #expect(tag.receive([0x3A, 0x06, 0x0B]) == .data([0] + text + [0, 0]))
    #expect(tag.page(6) == [0, 0, 0, 0])
    tag.place([0x44], atPage: 0x29)
    #expect(tag.receive([0x30, 0x06]) == .data(Array("04E10CDA993C80".utf8) + [0, 0]))
  }

  @Test("a mirror that would leave the user's pages is cut off there")
  func mirrorAtTheEnd() throws {
    var tag = try SimulatedTag.active(.ntag213)
    tag.place([0x44, 0x00, 0x27, 0xFF], atPage: 0x29)
    #expect(tag.receive([0x3A, 0x27, 0x28]) == .data(Array("04E1".utf8) + [0, 0, 0, 0xBD]))
  }

  @Test("no frame at all makes a tag trap or change its UID", arguments: 0..<12 as Range<UInt64>)
  func noise(seed: UInt64) throws {
    var generator = SeededGenerator(seed: seed)
    let codes: [UInt8] = [0x30, 0x3A, 0xA2, 0xA0, 0x60, 0x39, 0x3C, 0x1B, 0x50]
    for layout in Type2Layout.all {
      var tag = try SimulatedTag.active(layout)
      for _ in 0..<300 {
        if !tag.isActive { tag.activate() }
        let rest = (0..<Int.random(in: 0...17, using: &generator)).map { _ in
          UInt8.random(in: 0...255, using: &generator)
        }
        _ = tag.receive([codes.randomElement(using: &generator) ?? 0] + rest)
      }
      #expect(tag.uid == SimulatedTag.defaultUID)
      #expect(tag.memory.count == layout.pageCount * 4)
    }
  }
}
