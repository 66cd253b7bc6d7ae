import TagAuthenticity
import TagTypes
import Testing

@testable import SimulatedReader

@Suite("Type 4 tags")
struct Type4TagTests {
  static let uid = SimulatedTag.defaultUID
  static let selectApplication: [UInt8] =
    [0x00, 0xA4, 0x04, 0x00, 0x07, 0xD2, 0x76, 0x00, 0x00, 0x85, 0x01, 0x01, 0x00]
  static func selectFile(_ low: UInt8) -> [UInt8] { [0x00, 0xA4, 0x00, 0x0C, 0x02, 0xE1, low] }

  /// Returns a host in front of a selected tag.
  static func host(
    _ product: SimulatedType4Product, faults: [Fault] = [], file: UInt8? = nil
  ) throws -> SimulatedHost {
    var host = SimulatedHost(try SimulatedType4Tag(product), faults: faults)
    host.searchBriefly()
    #expect(host.select() != nil)
    if let file {
      #expect(host.exchange(selectApplication) == [0x00, 0x90, 0x00])
      #expect(host.exchange(selectFile(file)) == [0x00, 0x90, 0x00])
    }
    return host
  }

  @Test("selection reports ATQA 0344, SAK 20, the UID and the ATS, unless RATS is switched off")
  func selection() throws {
    var host = SimulatedHost(try SimulatedType4Tag(.ntag424))
    let description = [0x03, 0x44, 0x20, 0x07] + Self.uid
    #expect(
      host.send([0x4A, 0x01, 0x00])
        == [0x4B, 0x01, 0x01] + description + [0x06, 0x77, 0x77, 0x71, 0x02, 0x80])
    #expect(host.send([0x44, 0x01]) == [0x45, 0x00])
    #expect(host.send([0x12, 0x04]) == [0x13])
    #expect(
      host.send([0x4A, 0x01, 0x00, 0x88] + Self.uid) == [0x4B, 0x01, 0x01] + description)
  }

  @Test("InAutoPoll reports it as type 20 and never as 10")
  func autoPoll() throws {
    var host = SimulatedHost(try SimulatedType4Tag(.desfire))
    let answer = host.send([0x60, 0x01, 0x01, 0x10, 0x20])
    let found = try #require(answer)
    #expect(found.prefix(4) == [0x61, 0x01, 0x20, 18])
    #expect(found.count == 4 + 18)
  }

  @Test("the container of an NTAG 424 DNA is the data sheet's")
  func container() throws {
    var host = try Self.host(.ntag424, file: 0x03)
    #expect(
      host.exchange([0x00, 0xB0, 0x00, 0x00, 0x17])
        == [
          0x00, 0x00, 0x17, 0x20, 0x01, 0x00, 0x00, 0xFF, 0x04, 0x06, 0xE1, 0x04, 0x01, 0x00, 0x00,
          0x00, 0x05, 0x06, 0xE1, 0x05, 0x00, 0x80, 0x82, 0x83, 0x90, 0x00,
        ])
  }

  @Test("what is written is read back, over as many blocks as it takes")
  func longExchange() throws {
    var host = try Self.host(.ntag424, file: 0x04)
    let data = (0..<255).map { UInt8($0) }
    #expect(host.exchange([0x00, 0xD6, 0x00, 0x01, 0xFF] + data) == [0x00, 0x90, 0x00])
    #expect(host.exchange([0x00, 0xB0, 0x00, 0x00, 0x00]) == [0x00, 0x00] + data + [0x90, 0x00])
    #expect(
      host.exchange([0x00, 0xB0, 0x00, 0xFE, 0x10]) == [0x00, 0xFD, 0xFE, 0x90, 0x00],
      "a read past the end gives what there is")
  }

  @Test("a command that comes in pieces with the MI bit is one command")
  func moreInformation() throws {
    var host = try Self.host(.ntag424, file: 0x04)
    #expect(host.send([0x40, 0x41, 0x00, 0xD6, 0x00, 0x00]) == [0x41, 0x00])
    #expect(host.send([0x40, 0x01, 0x02, 0xAB, 0xCD]) == [0x41, 0x00, 0x90, 0x00])
    #expect(host.exchange([0x00, 0xB0, 0x00, 0x00, 0x02]) == [0x00, 0xAB, 0xCD, 0x90, 0x00])
  }

  @Test(
    "a command that cannot be done is answered with the data sheet's status word",
    arguments: [
      ([0x00, 0xA4, 0x04, 0x00, 0x07, 0xD2, 0x76, 0x00, 0x00, 0x85, 0x01, 0x02], 0x6A82),
      ([0x00, 0xA4, 0x00, 0x0C, 0x02, 0xE1, 0x06], 0x6A82),
      ([0x00, 0xA4, 0x00, 0x0C, 0x01, 0xE1], 0x6A87),
      ([0x00, 0xA4, 0x05, 0x00, 0x02, 0xE1, 0x04], 0x6A86),
      ([0x00, 0xB0, 0x01, 0x00, 0x01], 0x6A86),
      ([0x00, 0xB0, 0x00, 0x00], 0x6700),
      ([0x00, 0xD6, 0x00, 0xFF, 0x02, 0x01, 0x02], 0x6700),
      ([0x00, 0xD6, 0x00, 0x00, 0x02, 0x01, 0x02, 0x00], 0x6700),
      ([0x00, 0xD6, 0x00, 0x00, 0x05, 0x01, 0x02], 0x6700),
      ([0x00], 0x6700), ([0x00, 0xCA, 0x00, 0x00], 0x6D00), ([0x80, 0xB0, 0x00, 0x00], 0x6E00),
      ([0x90, 0x71, 0x00, 0x00], 0x917E),
      ([0x00, 0xD6, 0x83, 0x00, 0x01, 0x00], 0x6982),
      ([0x00, 0xB0, 0x85, 0x00, 0x01], 0x6982), ([0x00, 0xD6, 0x85, 0x00, 0x01, 0x00], 0x6982),
      ([0x00, 0xB0, 0x89, 0x00, 0x01], 0x6A82),
    ] as [([UInt8], Int)])
  func refusals(command: [UInt8], status: Int) throws {
    var host = try Self.host(.ntag424, file: 0x04)
    #expect(
      host.exchange(command) == [0x00, UInt8(status >> 8), UInt8(status & 0xFF)])
  }

  @Test("without an application or a file nothing is read")
  func nothingSelected() throws {
    var host = try Self.host(.ntag424)
    #expect(host.exchange(Self.selectFile(0x04)) == [0x00, 0x6A, 0x82])
    #expect(host.exchange([0x00, 0xB0, 0x00, 0x00, 0x02]) == [0x00, 0x69, 0x85])
  }

  @Test("GetVersion comes in three frames")
  func version() throws {
    var host = try Self.host(.ntag424)
    #expect(
      host.exchange([0x90, 0x60, 0x00, 0x00, 0x00])
        == [0x00, 0x04, 0x04, 0x02, 0x30, 0x00, 0x11, 0x05, 0x91, 0xAF])
    #expect(host.exchange([0x90, 0xAF, 0x00, 0x00, 0x00])?.suffix(2) == [0x91, 0xAF])
    let answer = host.exchange([0x90, 0xAF, 0x00, 0x00, 0x00])
    let last = try #require(answer)
    #expect(last.count == 1 + 14 + 2)
    #expect(Array(last[1..<8]) == Self.uid)
    #expect(host.exchange([0x90, 0xAF, 0x00, 0x00, 0x00]) == [0x00, 0x91, 0x1C])
  }

  @Test("MLe, MLc and write access are what the container of a generic tag says")
  func generic() throws {
    var host = try Self.host(
      .generic(maximumRead: 15, maximumWrite: 13, fileSize: 64), file: 0x04)
    #expect(host.exchange([0x00, 0xB0, 0x00, 0x00, 0x0F])?.count == 18)
    #expect(host.exchange([0x00, 0xB0, 0x00, 0x00, 0x10]) == [0x00, 0x67, 0x00])
    let data = [UInt8](repeating: 1, count: 14)
    #expect(host.exchange([0x00, 0xD6, 0x00, 0x00, 0x0E] + data) == [0x00, 0x67, 0x00])
    #expect(host.exchange([0x00, 0xD6, 0x00, 0x00, 0x0D] + data[1...]) == [0x00, 0x90, 0x00])
    #expect(host.exchange([0x00, 0xB0, 0x00, 0x40, 0x01]) == [0x00, 0x6B, 0x00])
    for access in [0xFF, 0x80] as [UInt8] {
      var closed = try Self.host(.generic(writeAccess: access), file: 0x04)
      #expect(closed.exchange([0x00, 0xD6, 0x00, 0x00, 0x01, 0x00]) == [0x00, 0x69, 0x82])
      #expect(closed.exchange([0x00, 0xB0, 0x00, 0x00, 0x01]) == [0x00, 0x00, 0x90, 0x00])
    }
  }

  @Test("a large file is told by the extended control TLV of mapping version 3")
  func extendedContainer() throws {
    let product = SimulatedType4Product.generic(version: 0x30, fileSize: 70_000)
    #expect(
      product.files.first?.bytes
        == [
          0x00, 0x11, 0x30, 0x00, 0x3B, 0x00, 0x34, 0x06, 0x08, 0xE1, 0x04, 0x00, 0x01, 0x11, 0x70,
          0x00, 0x00,
        ])
  }

  @Test("with mapping version 3 an offset data object reaches behind byte 32767")
  func offsetObject() throws {
    var host = try Self.host(.generic(version: 0x30, fileSize: 40_000), file: 0x04)
    let offset: [UInt8] = [0x54, 0x03, 0x00, 0x9C, 0x3C]
    #expect(
      host.exchange([0x00, 0xD7, 0x00, 0x00, 0x09] + offset + [0x53, 0x02, 0xAB, 0xCD])
        == [0x00, 0x90, 0x00])
    #expect(
      host.exchange([0x00, 0xB1, 0x00, 0x00, 0x05] + offset + [0x06])
        == [0x00, 0x53, 0x04, 0xAB, 0xCD, 0x00, 0x00, 0x90, 0x00])
    #expect(
      host.exchange([0x00, 0xD7, 0x00, 0x00, 0x09] + offset + [0x53, 0x03, 0xAB, 0xCD])
        == [0x00, 0x6A, 0x80])
    #expect(
      host.exchange([0x00, 0xB1, 0x00, 0x00, 0x05, 0x54, 0x03, 0x00, 0x9C, 0x40, 0x06])
        == [0x00, 0x6B, 0x00])
    var older = try Self.host(.generic(), file: 0x04)
    #expect(
      older.exchange([0x00, 0xB1, 0x00, 0x00, 0x05] + offset + [0x06]) == [0x00, 0x6D, 0x00])
  }

  @Test("mapping version 1 has an application of its own name")
  func firstMapping() throws {
    var host = try Self.host(.generic(version: 0x10))
    #expect(host.exchange(Self.selectApplication) == [0x00, 0x6A, 0x82])
    var name = Self.selectApplication
    name[11] = 0x00
    #expect(host.exchange(name) == [0x00, 0x90, 0x00])
  }

  @Test(
    "an NTAG 424 DNA tells NXP's signature where it was published, and others know no such command")
  func signature() throws {
    let command: [UInt8] = [0x90, 0x3C, 0x00, 0x00, 0x01, 0x00, 0x00]
    for (uid, verdict) in [
      (SimulatedType4Tag.genuineUID, Originality.genuine), (Self.uid, .notGenuine),
    ] {
      var host = SimulatedHost(try SimulatedType4Tag(.ntag424, uid: uid))
      host.select()
      let answer = host.exchange(command)
      let bytes = try #require(answer)
      #expect(bytes.suffix(2) == [0x91, 0x90])
      #expect(
        OriginalitySignature.verdict(
          uid: uid, signature: Array(bytes.dropFirst().dropLast(2)), product: "NTAG 424 DNA")
          == verdict)
    }
    var other = try Self.host(.desfire)
    #expect(other.exchange(command) == [0x00, 0x91, 0x1C])
  }

  @Test("an activated tag hears no request; deselected it is woken by its UID and activated anew")
  func deselection() throws {
    var host = try Self.host(.ntag424, file: 0x04)
    #expect(host.send([0x44, 0x01]) == [0x45, 0x00])
    #expect(host.exchange([0x00, 0xB0, 0x00, 0x00, 0x02]) == [0x00, 0x69, 0x85], "woken, afresh")
    #expect(host.select() == nil, "it speaks ISO/IEC 14443-4 and does not answer REQA")
    #expect(host.send([0x32, 0x01, 0x00]) == [0x33])
    #expect(host.select() != nil)
  }

  @Test("Diagnose 06 and a raw R(NAK) find the tag as long as it is there")
  func presence() throws {
    var host = try Self.host(.ntag424, file: 0x04)
    #expect(host.send([0x00, 0x06]) == [0x01, 0x00])
    #expect(host.through([0xB2])?.first == 0x00)
    #expect(host.exchange([0x00, 0xB0, 0x00, 0x00, 0x02]) == [0x00, 0x00, 0x00, 0x90, 0x00])
    #expect(host.chip.replaceTag(with: nil).isEmpty)
    #expect(host.send([0x00, 0x06]) == [0x01, 0x01])
    #expect(host.through([0xB2]) == [0x01])
  }

  @Test("a lost block is sent again on R(NAK), and the next one asked for with R(ACK)")
  func rawBlocks() throws {
    var host = SimulatedHost(try SimulatedType4Tag(.generic()))
    #expect(host.send([0x12, 0x04]) == [0x13])
    #expect(host.select() != nil)
    // FSDI 0: frames of 16 bytes, 13 of them payload; CID 1.
    #expect(host.through([0xE0, 0x01]) == [0x00, 0x05, 0x78, 0x77, 0x81, 0x02])
    #expect(host.through([0xD1, 0x11, 0x00]) == [0x00, 0xD1])
    #expect(host.through([0x0A, 0x01] + Self.selectApplication) == [0x00, 0x0A, 0x01, 0x90, 0x00])
    #expect(host.through([0x1B, 0x01, 0x00, 0xA4, 0x00, 0x0C]) == [0x00, 0xAB, 0x01])
    #expect(host.through([0x0A, 0x01, 0x02, 0xE1, 0x03]) == [0x00, 0x0A, 0x01, 0x90, 0x00])
    let first = host.through([0x0B, 0x01, 0x00, 0xB0, 0x00, 0x00, 0x0F])
    #expect(first?.prefix(3) == [0x00, 0x1B, 0x01])
    #expect(first?.count == 1 + 2 + 12)
    #expect(host.through([0xBB, 0x01]) == first)
    #expect(host.through([0xAA, 0x01]) == [0x00, 0x0A, 0x01, 0x00, 0x00, 0x00, 0x90, 0x00])
    #expect(host.through([0xCA, 0x01]) == [0x00, 0xCA, 0x01])
    #expect(host.through([0xBA, 0x01]) == [0x01], "halted")
  }

  @Test("an update that is torn leaves the file as it was, or half of it new")
  func torn() throws {
    let update: [UInt8] = [0x00, 0xD6, 0x00, 0x02, 0x04, 1, 2, 3, 4]
    for (fault, atomic, expected) in [
      (Fault.tearWrite(1), 0, [0, 0, 0, 0, 0, 0]),
      (.tearWrite(1, halfWritten: true), 0, [0, 0, 1, 2, 0, 0]),
      (.tearWrite(1, halfWritten: true), 4, [0, 0, 0, 0, 0, 0]),
    ] as [(Fault, Int, [UInt8])] {
      var product = SimulatedType4Product.ntag424
      product.atomicWriteByteCount = atomic
      var host = try Self.host(product, faults: [fault], file: 0x04)
      #expect(host.exchange(update) == [0x01])
      let tag = try #require(host.chip.field.card as? SimulatedType4Tag)
      #expect(Array(tag.ndefFile.prefix(6)) == expected)
    }
  }

  @Test(
    "places in faults are offsets: a refused update answers 6581, a spoiled one stores a bit wrong")
  func faults() throws {
    let update: [UInt8] = [0x00, 0xD6, 0x00, 0x02, 0x04, 1, 2, 3, 4]
    var refusing = try Self.host(.ntag424, faults: [.refusePage(5, times: 1)], file: 0x04)
    #expect(refusing.exchange(update) == [0x00, 0x65, 0x81])
    #expect(refusing.exchange(update) == [0x00, 0x90, 0x00])
    var spoiling = try Self.host(.ntag424, faults: [.storeWrong(page: 5, times: 1)], file: 0x04)
    #expect(spoiling.exchange(update) == [0x00, 0x90, 0x00])
    #expect(
      spoiling.exchange([0x00, 0xB0, 0x00, 0x02, 0x04]) == [0x00, 1, 2, 3, 5, 0x90, 0x00])
  }

  @Test("a random UID is four bytes, 08 first, another with every field, and hidden in GetVersion")
  func randomUID() throws {
    var product = SimulatedType4Product.ntag424
    product.usesRandomUID = true
    var tag = try SimulatedType4Tag(product)
    var seen: Set<[UInt8]> = []
    for _ in 0..<4 {
      tag.fieldOn()
      seen.insert(tag.uid)
      #expect(tag.uid.count == 4)
      #expect(tag.uid.first == 0x08)
      #expect(tag.targetData(for: [])?.prefix(3) == [0x03, 0x04, 0x20])
      tag.fieldOff()
    }
    #expect(seen.count > 1)
    #expect(tag.chipUID == Self.uid)
  }

  @Test("a memory file holds UID and files, and anything else is refused with its place")
  func memoryFile() throws {
    var tag = try SimulatedType4Tag(.ntag424, uid: [4, 1, 2, 3, 4, 5, 6])
    tag.place([0x00, 0x03, 0xD0, 0x00, 0x00], inFile: 0xE104)
    let memory = tag.memory
    #expect(memory.count == 2 + 7 + 3 * 6 + 32 + 256 + 128)
    #expect(try SimulatedType4Tag(.ntag424).holding(memory) == tag)
    for (damaged, place) in [
      ([], "T4"), (Array(memory.dropLast()), "byte 309"), (memory + [0], "byte 443"),
      (Array(memory.prefix(9)), "byte 9"),
    ] as [([UInt8], String)] {
      let error = #expect(throws: SimulatedReaderError.self) {
        try SimulatedType4Tag(.ntag424).holding(damaged)
      }
      #expect(error?.code == .malformedMemory)
      #expect(error?.message.contains(place) == true, "\(error?.message ?? "")")
    }
    #expect(throws: SimulatedReaderError.self) {
      try SimulatedType4Tag(.desfire).holding(memory)
    }
  }
}
