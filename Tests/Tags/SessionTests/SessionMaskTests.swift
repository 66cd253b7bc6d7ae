import CliptagBasics
import TagTypes
import Testing

/// The bytes that a recording leaves out.
@Suite("Secrets in recorded sessions") struct SessionMaskTests {
  private static func bytes(_ text: String) throws -> [UInt8] {
    try #require([UInt8](separatedHexadecimal: text))
  }

  private static func masked(
    _ carrier: SessionMask.Carrier, _ family: SessionMask.Family, _ exchanges: [String]
  ) throws -> [String] {
    var mask = SessionMask(carrier)
    mask.family = family
    return try exchanges.enumerated().map { index, text in
      let bytes = try bytes(text)
      return (index.isMultiple(of: 2) ? mask.command(bytes) : mask.answer(bytes))
        .hexadecimal(.small)
    }
  }

  @Test(
    "passwords and their acknowledgement are zeros in every form of a command",
    arguments: [
      (.chip, ["d4421ba1b2c3d4", "d543000102"], ["d4421b00000000", "d543000000"]),
      (
        .reader, ["ff00000007d4421ba1b2c3d4", "d5430001029000"],
        ["ff00000007d4421b00000000", "d5430000009000"]
      ),
      (.reader, ["ff000000051ba1b2c3d4", "01029000"], ["ff000000051b00000000", "00009000"]),
      (
        .reader, ["ffc200010e5f4604400d030095051ba1b2c3d400", "c00300900097020102 9000"],
        ["ffc200010e5f4604400d030095051b0000000000", "c003009000970200009000"]
      ),
      (.tag, ["1ba1b2c3d4", "0102"], ["1b00000000", "0000"]),
      (.reader, ["ff82000006ffffffffffff", "9000"], ["ff82000006000000000000", "9000"]),
    ] as [(SessionMask.Carrier, [String], [String])])
  func password(carrier: SessionMask.Carrier, sent: [String], kept: [String]) throws {
    #expect(try Self.masked(carrier, .type2, sent) == kept)
  }

  @Test("a page of a password is zeros on its product, and on any if the product is not known")
  func pages() throws {
    let write = ["a22ba1b2c3d4", "0a"]
    #expect(try Self.masked(.tag, .type2, write) == ["a22b00000000", "0a"])
    let ntag215 = ["60", "0004040201001103"]
    #expect(try Self.masked(.tag, .type2, ntag215 + write).suffix(2) == write[...])
    let own = ["a285a1b2c3d4", "0a", "a28601020000", "0a"]
    #expect(
      try Self.masked(.tag, .type2, ntag215 + own).suffix(4)
        == ["a28500000000", "0a", "a28600000000", "0a"])
    #expect(
      try Self.masked(.reader, .type2, ["ffd6002b04a1b2c3d4", "9000"])
        == ["ffd6002b0400000000", "9000"])
  }

  @Test("keys and authentications of ISO/IEC 7816 and DESFire are zeros; GetVersion is not")
  func applications() throws {
    #expect(
      try Self.masked(.reader, .isoDEP, ["90c400000301aabb00", "9100"])
        == ["90c400000301000000", "9100"])
    #expect(
      try Self.masked(
        .reader, .isoDEP, ["9071000002000000", "aabb91af", "90af000002ccdd00", "eeff9100"])
        == ["9071000002000000", "000091af", "90af000002000000", "00009100"])
    let version = ["9060000000", "0401013391af", "90af000000", "0401010391af"]
    #expect(try Self.masked(.reader, .isoDEP, version) == version)
    #expect(
      try Self.masked(.chip, .isoDEP, ["d4400100200000021234", "d541009000"])
        == ["d4400100200000020000", "d541009000"])
  }

  @Test("passwords of ISO/IEC 15693 and keys of MIFARE Classic are zeros")
  func others() throws {
    #expect(
      try Self.masked(.tag, .vicinity, ["02b30402a1b2c3d4", "00"]) == ["02b3040200000000", "00"])
    #expect(
      try Self.masked(.tag, .vicinity, ["22b404838ed22a080104e002a1b2c3d4", "00"])
        == ["22b404838ed22a080104e00200000000", "00"])
    #expect(
      try Self.masked(.chip, .classic, ["d4400160 04 a0a1a2a3a4a5 01020304", "d54100"])
        == ["d440016004000000000000" + "01020304", "d54100"])
    #expect(
      try Self.masked(
        .chip, .type2,
        ["d4421a00", "d54300af0102", "d442af" + String(repeating: "11", count: 16), "d543000022"])
        == [
          "d4421a00", "d54300af0000", "d442af" + String(repeating: "00", count: 16), "d543000000",
        ])
  }

  @Test("a UID is another one everywhere, with check bytes that fit")
  func uids() throws {
    var uids = SessionUIDs()
    uids.add(try Self.bytes("04e10cda993c80"))
    let old = try Self.bytes("04e10cda993c80")
    let new = uids.replaced(old)
    #expect(new.count == 7 && new[0] == 4 && new != old)
    let pages = uids.replaced(try Self.bytes("04e10c61da993c80ff480000e1103e00"))
    #expect(Array(pages[0..<3] + pages[4..<8]) == new)
    #expect(pages[3] == 0x88 ^ pages[0] ^ pages[1] ^ pages[2])
    #expect(pages[8] == pages[4] ^ pages[5] ^ pages[6] ^ pages[7])
    #expect(Array(uids.replaced(try Self.bytes("ff480000"), readFrom: 2)).first == pages[8])
    let cascade = uids.replaced(try Self.bytes("d44a01008804e10cda993c80"))
    #expect(cascade == [0xD4, 0x4A, 0x01, 0x00, 0x88] + new)
    let text = uids.replaced(Array("?u=04E10CDA993C80".utf8))
    #expect(text == Array("?u=\(new.hexadecimal)".utf8))
    uids.add(try Self.bytes("e00401082ad28e83"))
    let reversed = uids.replaced(try Self.bytes("000f838ed22a080104e000"))
    #expect(Array(reversed[6..<10]) == [0x08, 0x01, 0x04, 0xE0])
    #expect(reversed[2] != 0x83)
  }

  @Test("without its message, a tag keeps the headers and loses the text")
  func message() throws {
    var mask = SessionMask(.tag)
    let page4 = try Self.bytes("0103a00c340326d1") + Array("\u{1}\"U\u{4}frut".utf8)
    _ = mask.command([0x30, 0x04])
    #expect(
      mask.answerWithoutMessage(page4).hexadecimal == page4.prefix(12).hexadecimal + "78787878")
    let written = mask.command([0xA2, 0x08] + "exam".utf8)
    #expect(mask.commandWithoutMessage(written) == [0xA2, 0x08] + "xxxx".utf8)
    _ = mask.command([0x30, 0x00])
    let first = try Self.bytes("04e10c61da993c80ff480000e1103e00")
    #expect(mask.answerWithoutMessage(first) == first)
  }

  @Test("a signature that was read is noticed")
  func signature() throws {
    var mask = SessionMask(.chip)
    _ = mask.command([0xD4, 0x42, 0x3C, 0x00])
    _ = mask.answer([0xD5, 0x43, 0x00] + [UInt8](repeating: 1, count: 32))
    #expect(mask.hasSeenSignature)
  }
}
