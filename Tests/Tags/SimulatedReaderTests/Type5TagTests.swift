import CliptagBasics
import Testing

@testable import SimulatedReader

@Suite("Type 5 tags in memory")
struct Type5TagTests {
  private func active(
    _ product: SimulatedType5Tag.Product, uid: String? = nil
  ) throws -> SimulatedType5Tag {
    var tag = try SimulatedType5Tag(product, uid: uid.flatMap { [UInt8](hexadecimal: $0.utf8) })
    tag.fieldOn()
    _ = tag.select()
    return tag
  }

  @Test(
    "they answer GET SYSTEM INFORMATION as the recorded tags do",
    arguments: [
      (.icodeDNA, nil, "0FEE5F9B00180104E000003E0301"),
      (.icode3, nil, "0FDE0C1101200104E000004B0301"),
      (.slix, "E00401502026068C", "0F8C062620500104E000001B0301"),
      (.slix2, "E004010849D0DC81", "0F81DCD049080104E0013D4F0301"),
      (.slixS, nil, "0FF8350003500204E00000270302"),
      (.lri2k, nil, "0F03830050242202E00200370322"),
      (.tagIt, nil, "0F074214AFB88107E002003F038B"),
    ] as [(SimulatedType5Tag.Product, String?, String)])
  func systemInformation(product: SimulatedType5Tag.Product, uid: String?, answer: String) throws {
    var tag = try active(product, uid: uid)
    #expect(tag.receive([0x02, 0x2B]) == .data([UInt8](hexadecimal: answer.utf8) ?? []))
  }

  @Test("an ICODE 3 tells its features, an ICODE SLIX2 its signature")
  func makersCommands() throws {
    var icode3 = try active(.icode3)
    #expect(
      icode3.receive([0x02, 0xAB, 0x04])
        == .data([UInt8](hexadecimal: "00000000FFFD0000".utf8) ?? []))
    var slix2 = try active(.slix2, uid: "E004010849D0DC81")
    let signature = "A62554037424C43836F48970761A722754D9E73D38CB4C1B3EFD0EDF8AF67E3D"
    #expect(
      slix2.receive([0x02, 0xBD, 0x04]) == .data([UInt8](hexadecimal: signature.utf8) ?? []))
  }

  @Test("a Tag-it writes and locks with the OPTION flag only")
  func option() throws {
    var tag = try active(.tagIt)
    let write: [UInt8] = [0x21, 0x08, 0xAA, 0xBB, 0xCC, 0xDD]
    #expect(tag.receive([0x02] + write) == .refused(0x01))
    #expect(tag.blocks[8] == [0, 0, 0, 0])
    #expect(tag.receive([0x42] + write) == .acknowledged)
    #expect(tag.blocks[8] == [0xAA, 0xBB, 0xCC, 0xDD])
    #expect(tag.receive([0x02, 0x22, 0x08]) == .refused(0x01))
    #expect(tag.receive([0x42, 0x22, 0x08]) == .acknowledged)
    #expect(tag.lockedBlocks == [8])
    #expect(tag.receive([0x42] + write) == .refused(0x12))
    // Reading with the flag shows the locks.
    #expect(tag.receive([0x02, 0x23, 0x07, 0x01]) == .data([0, 0, 0, 0, 0xAA, 0xBB, 0xCC, 0xDD]))
    #expect(
      tag.receive([0x42, 0x23, 0x07, 0x01])
        == .data([0, 0, 0, 0, 0, 1, 0xAA, 0xBB, 0xCC, 0xDD]))
  }

  @Test("AFI and DSFID are written, shown, and locked for good")
  func identifiers() throws {
    var tag = try active(.slix)
    #expect(tag.receive([0x02, 0x27, 0x3D]) == .acknowledged)
    #expect(tag.receive([0x02, 0x29, 0x01]) == .acknowledged)
    guard case .data(let answer) = tag.receive([0x02, 0x2B]) else {
      Issue.record("no system information")
      return
    }
    #expect(Array(answer[9..<11]) == [0x01, 0x3D])
    #expect(tag.receive([0x02, 0x28]) == .acknowledged)
    #expect(tag.receive([0x02, 0x27, 0x00]) == .refused(0x12))
    #expect(tag.receive([0x02, 0x28]) == .refused(0x11))
    #expect(tag.receive([0x02, 0x29, 0x02]) == .acknowledged, "DSFID is open")
    #expect(tag.receive([0x02, 0x27]) == .silence)
  }

  @Test("a number of blocks in more bytes than the command has is no command")
  func longNumbers() throws {
    var tag = try active(.ntag5)
    let long = [UInt8](repeating: 0xFF, count: 9)
    #expect(tag.receive([0x02, 0x23, 0x00] + long) == .silence)
    #expect(tag.receive([0x02, 0x33, 0x00, 0x00] + long) == .silence)
    #expect(tag.receive([0x02, 0x2C, 0x00] + long) == .silence)
    #expect(tag.receive([0x02, 0x33, 0x00, 0x00, 0xFF, 0xFF]) == .refused(0x10))
  }

  @Test("the last block of an ICODE SLIX2 counts, and is not locked")
  func counter() throws {
    var tag = try active(.slix2)
    #expect(tag.receive([0x02, 0x21, 0x4F, 0xFF, 0x00, 0x00, 0x00]) == .acknowledged)
    #expect(tag.receive([0x02, 0x21, 0x4F, 0x01, 0x00, 0x00, 0x00]) == .acknowledged)
    #expect(tag.receive([0x02, 0x20, 0x4F]) == .data([0x00, 0x01, 0x00, 0x00]))
    #expect(tag.receive([0x02, 0x22, 0x4F]) == .refused(0x0F))
    #expect(tag.receive([0x02, 0x20, 0x50]) == .refused(0x10))
  }

  @Test("a memory file of an ICODE SLIX2 without its counter is taken")
  func olderFile() throws {
    var tag = try active(.slix2)
    tag.place([1, 2, 3, 4], atBlock: 78)
    let memory = tag.memory
    // Without the last lock, and without the last block.
    let older = Array(memory[..<99] + memory[100..<memory.count - 4])
    #expect(try tag.holding(older).memory == memory)
    #expect(throws: SimulatedReaderError.self) { try tag.holding(Array(older.dropLast())) }
  }
}
