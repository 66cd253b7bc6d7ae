import CliptagBasics
import TagAuthenticity
import TagTypes
import Testing

@testable import SimulatedReader

@Suite("Other Type 2 tags")
struct MoreType2Tests {
  @Test(
    "GET_VERSION tells the product, and UID mirror, counters and READ_SIG are those it has",
    arguments: [
      (.ntag210, 0x04, 0x0B, false), (.ntag212, 0x04, 0x0E, false),
      (.ultralightEV1Small, 0x03, 0x0B, true), (.ultralightEV1Large, 0x03, 0x0E, true),
    ] as [(Type2Layout, UInt8, UInt8, Bool)])
  func version(layout: Type2Layout, type: UInt8, storage: UInt8, counts: Bool) throws {
    var tag = try SimulatedTag.active(layout)
    #expect(tag.receive([0x60]) == .data([0x00, 0x04, type, 0x01, 0x01, 0x00, storage, 0x03]))
    if case .data(let signature) = tag.receive([0x3C, 0x00]) {
      #expect(signature.count == 32)
    } else {
      Issue.record("no signature")
    }
    #expect(tag.receive([0x39, 0x02]) == (counts ? .data([0, 0, 0]) : .silence))
  }

  @Test("a one-way counter of an EV1 grows by what it is told and never overflows")
  func counters() throws {
    var tag = try SimulatedTag.active(.ultralightEV1Small)
    #expect(tag.receive([0xA5, 0x00, 0x01, 0x02, 0x00, 0x00]) == .acknowledged)
    #expect(tag.receive([0xA5, 0x00, 0x01, 0x00, 0x00, 0x00]) == .acknowledged)
    #expect(tag.receive([0x39, 0x00]) == .data([0x02, 0x02, 0x00]))
    #expect(tag.receive([0x39, 0x01]) == .data([0, 0, 0]))
    #expect(tag.receive([0x3E, 0x00]) == .data([0xBD]))
    #expect(tag.receive([0xA5, 0x00, 0xFF, 0xFF, 0xFF, 0x00]) == .refused(4))
    tag.reselect()
    #expect(tag.receive([0x39, 0x00]) == .data([0x02, 0x02, 0x00]))
    #expect(tag.receive([0x39, 0x03]) == .refused(0))
  }

  @Test("the password of an EV1 opens what AUTH0 closes")
  func password() throws {
    var tag = try SimulatedTag.active(.ultralightEV1Large) { tag in
      tag.place([0x00, 0x00, 0x00, 0x04, 0x00, 0x05, 0, 0, 1, 2, 3, 4, 0xAA, 0xBB], atPage: 0x25)
    }
    #expect(tag.receive([0xA2, 0x04, 1, 1, 1, 1]) == .refused(0))
    tag.reselect()
    #expect(tag.receive([0x1B, 1, 2, 3, 4]) == .data([0xAA, 0xBB]))
    #expect(tag.receive([0xA2, 0x04, 1, 1, 1, 1]) == .acknowledged)
  }

  @Test("an NTAG210 mirrors its UID wherever the mirror page says, whatever the other bits are")
  func mirror() throws {
    var tag = try SimulatedTag.active(.ntag210) { tag in
      tag.place([0x14, 0x00, 0x05, 0xFF], atPage: 0x10)
    }
    #expect(
      tag.receive([0x30, 0x05]) == .data([0] + Array("04E10CDA993C80".utf8) + [0]))
  }

  @Test("no mirror is laid over an EV1, whose bytes in that place mean other things")
  func noMirror() throws {
    var tag = try SimulatedTag.active(.ultralightEV1Small) { tag in
      tag.place([0x40, 0x00, 0x05, 0xFF], atPage: 0x10)
    }
    #expect(tag.receive([0x30, 0x05]) == .data([UInt8](repeating: 0, count: 16)))
  }

  @Test("a MIFARE Ultralight C is silent to GET_VERSION, challenges, and takes no wrong proof")
  func ultralightC() throws {
    var tag = try SimulatedTag.active(.ultralightC)
    #expect(tag.receive([0x60]) == .silence)
    tag.reselect()
    guard case .data(let challenge) = tag.receive([0x1A, 0x00]) else {
      Issue.record("no challenge")
      return
    }
    #expect(challenge.count == 9)
    #expect(challenge.first == 0xAF)
    #expect(tag.receive([0xAF] + [UInt8](repeating: 1, count: 16)) == .refused(0))
    #expect(tag.receive([0x30, 0x00]) == .silence)
  }

  private func bytes(_ digits: String) -> [UInt8] { [UInt8](hexadecimal: digits.utf8) ?? [] }

  @Test("a MIFARE Ultralight C takes the default key, as the data sheet's example has it")
  func defaultKey() throws {
    // MF0ICU2, section 7.5.5.1: a numerical example of 3DES authentication.
    let key = bytes("49454D4B41455242214E4143554F5946")
    #expect(try TripleDES.encrypt(bytes("51E764602678DF2B"), key: key) == bytes("577293FD2F34CA51"))
    #expect(
      try TripleDES.encrypt(
        bytes("A8AF3B256C75ED40E764602678DF2B51"), key: key, vector: bytes("577293FD2F34CA51"))
        == bytes("0A638559FC7737F9F15D7862EBBE967A"))
    var tag = try SimulatedTag.active(.ultralightC) { $0.place([0x04], atPage: 0x2A) }
    #expect(tag.receive([0xA2, 0x05, 1, 2, 3, 4]) == .refused(0), "AUTH0 closes it")
    tag.reselect()
    guard case .data(let challenge) = tag.receive([0x1A, 0x00]) else {
      Issue.record("no challenge")
      return
    }
    let cipher = Array(challenge.dropFirst())
    let number = try TripleDES.decrypt(cipher, key: key)
    let mine: [UInt8] = [1, 2, 3, 4, 5, 6, 7, 8]
    let plain = mine + Array(number[1...]) + [number[0]]
    let proof = try TripleDES.encrypt(plain, key: key, vector: cipher)
    guard case .data(let answer) = tag.receive([0xAF] + proof) else {
      Issue.record("the key is refused")
      return
    }
    #expect(
      try TripleDES.decrypt(Array(answer.dropFirst()), key: key, vector: Array(proof[8...]))
        == [2, 3, 4, 5, 6, 7, 8, 1])
    #expect(tag.receive([0xA2, 0x05, 1, 2, 3, 4]) == .acknowledged)
  }

  @Test("the key of a MIFARE Ultralight C is written and never read")
  func key() throws {
    var tag = try SimulatedTag.active(.ultralightC)
    #expect(tag.receive([0xA2, 0x2C, 1, 2, 3, 4]) == .acknowledged)
    #expect(tag.receive([0x30, 0x2C]) == .refused(0))
    tag.reselect()
    guard case .data(let bytes) = tag.receive([0x30, 0x2B]) else {
      Issue.record("AUTH1 can be read")
      return
    }
    #expect(Array(bytes[4..<7]) == [0x04, 0xE1, 0x0C], "page 0 follows, not the key")
  }

  @Test("AUTH0 and AUTH1 of a MIFARE Ultralight C close pages to whoever has no key")
  func keyProtection() throws {
    for (auth1, readable) in [(0x01, true), (0x00, false)] as [(UInt8, Bool)] {
      var tag = try SimulatedTag.active(.ultralightC) { tag in
        tag.place([0x10, 0, 0, 0, auth1, 0, 0, 0], atPage: 0x2A)
      }
      #expect(tag.receive([0xA2, 0x0F, 1, 1, 1, 1]) == .acknowledged)
      #expect((tag.receive([0x30, 0x10]) != .refused(0)) == readable)
      if !readable { tag.reselect() }
      #expect(tag.receive([0xA2, 0x10, 1, 1, 1, 1]) == .refused(0))
    }
  }

  @Test(
    "a dynamic lock bit of a MIFARE Ultralight C closes its pages, a block bit freezes three bits",
    arguments: [(0x02, 0x10, 0x13), (0x08, 0x18, 0x1B), (0x20, 0x1C, 0x1F), (0x80, 0x24, 0x27)]
      as [(UInt8, UInt8, UInt8)])
  func ultralightCLocks(bit: UInt8, first: UInt8, last: UInt8) throws {
    var tag = try SimulatedTag.active(.ultralightC)
    #expect(tag.receive([0xA2, 0x28, bit, 0, 0, 0]) == .acknowledged)
    for page in first...last {
      #expect(tag.receive([0xA2, page, 1, 1, 1, 1]) == .refused(0))
      tag.reselect()
    }
    if last < 0x27 { #expect(tag.receive([0xA2, last + 1, 1, 1, 1, 1]) == .acknowledged) }
    #expect(tag.receive([0xA2, first - 1, 1, 1, 1, 1]) == .acknowledged)
    var frozen = try SimulatedTag.active(.ultralightC)
    #expect(frozen.receive([0xA2, 0x28, 0x11, 0x08, 0, 0]) == .acknowledged)
    #expect(frozen.receive([0xA2, 0x28, 0xEE, 0xFF, 0, 0]) == .acknowledged)
    #expect(frozen.page(0x28) == [0x11, 0x7F, 0, 0])
  }

  @Test("a generic tag keeps memory of its own in the middle, and locks as its TLV says")
  func generic() throws {
    var tag = try SimulatedTag.generic()
    tag.activate()
    #expect(tag.receive([0x60]) == .silence)
    tag.reselect()
    #expect(tag.page(3) == [0xE1, 0x10, 0x1E, 0x00])
    #expect(tag.receive([0xA2, 23, 1, 1, 1, 1]) == .acknowledged)
    #expect(tag.receive([0xA2, 24, 1, 1, 1, 1]) == .refused(0))
    tag.reselect()
    #expect(tag.receive([0xA2, 64, 0x00, 0x00, 0x80, 0xFF]) == .acknowledged)
    #expect(tag.page(64) == [0x00, 0x00, 0x80, 0x00])
    #expect(tag.receive([0xA2, 62, 1, 1, 1, 1]) == .refused(0))
    tag.reselect()
    #expect(tag.receive([0xA2, 61, 1, 1, 1, 1]) == .acknowledged)
  }

  @Test(
    "every kind makes a tag that its own memory file brings back",
    arguments: SimulatedTagKind.allCases)
  func kinds(kind: SimulatedTagKind) throws {
    guard let card = try kind.card() else {
      #expect(kind == .none)
      return
    }
    #expect(try card.holding(card.memory).memory == card.memory)
    let sister = try card.sister(uid: nil)
    #expect(sister.memory != card.memory)
    #expect(sister.name == card.name)
    #expect(sister.memory.count == card.memory.count)
  }
}
