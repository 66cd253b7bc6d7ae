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

  @Test("an NTAG I2C reaches its session registers and second sector by SECTOR SELECT alone")
  func sectors() throws {
    var tag = try SimulatedTag.active(.ntagI2C2K)
    let first = try #require(tag.receive([0x30, 0x00]).bytes)
    #expect(Array(first.prefix(10)) == SimulatedTag.defaultUID + [0, 0x44, 0])
    #expect(tag.receive([0xC2, 0xFF]) == .acknowledged)
    #expect(tag.receive([0x03, 0, 0, 0]) == .silence)
    #expect(
      tag.receive([0x30, 0xF8])
        == .data([1, 0, 0xF8, 0x48, 8, 1, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0]))
    #expect(tag.receive([0x30, 0x00]) == .refused(0), "sector 3 has two pages")
    tag.reselect()
    #expect(tag.receive([0xC2, 0xFF]) == .acknowledged)
    #expect(tag.receive([0x01, 0, 0, 0]) == .silence)
    #expect(tag.receive([0xA2, 0x10, 1, 2, 3, 4]) == .acknowledged)
    #expect(tag.page(0x110) == [1, 2, 3, 4])
    #expect(tag.receive([0x30, 0xE1]) == .refused(0))
    tag.reselect()
    #expect(tag.receive([0xC2, 0xFF]) == .acknowledged)
    #expect(tag.receive([0x02, 0, 0, 0]) == .refused(0), "there is no sector 2")
    #expect(tag.receive([0x30, 0x04]) == .silence)
  }

  @Test(
    "an NTAG I2C plus has registers in sector 0, a password and a signature; an NTAG I2C has none")
  func interfaces() throws {
    var plus = try SimulatedTag.active(.ntagI2CPlus1K) { $0.place([0, 0, 0, 0x10], atPage: 0xE3) }
    #expect(plus.receive([0x60]) == .data([0, 4, 4, 5, 2, 2, 0x13, 3]))
    let session = try #require(plus.receive([0x30, 0xEC]).bytes)
    #expect(Array(session.prefix(4)) == [1, 0, 0xF8, 0x48])
    #expect(plus.receive([0x3C, 0x00]).bytes?.count == 32)
    #expect(plus.receive([0xA2, 0x10, 1, 1, 1, 1]) == .refused(0))
    plus.reselect()
    #expect(plus.receive([0x1B, 0xFF, 0xFF, 0xFF, 0xFF]) == .data([0, 0]))
    #expect(plus.receive([0xA2, 0x10, 1, 1, 1, 1]) == .acknowledged)
    for command: [UInt8] in [[0x3C, 0x00], [0x1B, 0xFF, 0xFF, 0xFF, 0xFF]] {
      var tag = try SimulatedTag.active(.ntagI2C1K)
      #expect(tag.receive(command) == .silence)
    }
    var tag = try SimulatedTag.active(.ntagI2C1K)
    #expect(tag.receive([0x30, 0xE3]) == .refused(0))
  }

  @Test(
    "a MIFARE Ultralight AES proves its key, and opens what AUTH0 closes for the first key alone")
  func ultralightAES() throws {
    let key = try SecretKey([UInt8](repeating: 0, count: 16))
    for number in [0, 1] as [UInt8] {
      var tag = try SimulatedTag.active(.ultralightAES) { $0.place([0, 0, 0, 0x10], atPage: 0x29) }
      guard let challenge = tag.receive([0x1A, number]).bytes else {
        Issue.record("no challenge")
        return
      }
      #expect(challenge.count == 17 && challenge.first == 0xAF)
      let theirs = try AES.decrypt(Array(challenge.dropFirst()), key: key)
      let mine = Array(1...16) as [UInt8]
      let proof = try AES.encrypt(mine + theirs[1...] + [theirs[0]], key: key)
      let answer = try #require(tag.receive([0xAF] + proof).bytes)
      #expect(try AES.decrypt(Array(answer.dropFirst()), key: key) == Array(mine[1...]) + [1])
      #expect(
        tag.receive([0xA2, 0x10, 1, 1, 1, 1]) == (number == 0 ? .acknowledged : .refused(0)))
    }
    var tag = try SimulatedTag.active(.ultralightAES)
    #expect(tag.receive([0x1A, 0x02]) == .refused(0))
    tag.reselect()
    #expect(tag.receive([0x1B, 0, 0, 0, 0]) == .silence, "it has no password")
  }

  @Test(
    "products of 48-byte signatures return theirs",
    arguments: [SimulatedTagKind.ultralightAES, .ntag223, .ntag224])
  func longSignatures(kind: SimulatedTagKind) throws {
    let layout = try #require(kind.layout)
    let card = try #require(try kind.card() as? SimulatedTag)
    var tag = try SimulatedTag(layout, uid: card.uid)
    tag.fieldOn()
    tag.reselect()
    let signature = try #require(tag.receive([0x3C, 0x00]).bytes)
    #expect(signature.count == 48)
    let verdict = OriginalitySignature.verdict(
      uid: tag.uid, signature: signature, product: layout.name)
    #expect((verdict == .genuine) == (kind != .ntag224))
  }
}

extension TagAnswer {
  fileprivate var bytes: [UInt8]? { if case .data(let bytes) = self { bytes } else { nil } }
}
