import CliptagBasics
import Foundation
import TagTypes
import Testing

@testable import SimulatedReader

@Suite("Decks of tags", .timeLimit(.minutes(10)))
struct DeckTests {
  static let uids: [[UInt8]] = (1...3).map { [0x04, 0xA1, 0xB2, 0xC3, 0, 0, $0] }

  private func host(
    _ cards: [(any SimulatedCard)?], faults: [Fault] = []
  ) -> SimulatedHost {
    var host = SimulatedHost(deck: SimulatedDeck(cards), faults: faults)
    host.searchBriefly()
    return host
  }

  private static func tags() throws -> [(any SimulatedCard)?] {
    try uids.map { try SimulatedTag(.ntag213, uid: $0) }
  }

  @Test(
    "a tag leaves when it is released or deselected after a command, and one search sees it gone",
    arguments: [0x44, 0x52] as [UInt8])
  func swap(code: UInt8) throws {
    var host = host(try Self.tags())
    for uid in Self.uids {
      #expect(host.select() == uid)
      #expect(host.exchange([0xA2, 0x04, uid[6], 0, 0, 0]) == [0x00])
      #expect(host.send([code, 0x00]) == [code + 1, 0x00])
      #expect(host.select() == nil)
    }
    #expect(host.select() == nil, "behind the last tag nothing comes")
    let left = try #require(host.chip.field.deckNow)
    #expect(left.leftCount == 3)
    let kept = left.cards.compactMap { card in (card as? SimulatedTag)?.page(4)[0] }
    #expect(kept == [1, 2, 3], "every tag keeps what was written to it")
  }

  @Test("a tag stays while it was only looked at, and through a field that goes off and on")
  func stays() throws {
    var host = host(try Self.tags())
    #expect(host.select() == Self.uids[0])
    #expect(host.send([0x52, 0x00]) == [0x53, 0x00])
    #expect(host.send([0x32, 0x01, 0x00]) == [0x33])
    #expect(host.select() == Self.uids[0])
    #expect(host.exchange([0x30, 0x00])?.first == 0)
    #expect(host.send([0x32, 0x01, 0x00]) == [0x33])
    #expect(host.select() == Self.uids[0])
    host.chip.lineClosed()
    host.wake()
    #expect(host.select() != Self.uids[1])
  }

  @Test("a pause is one more search that finds nothing, also at the beginning")
  func pauses() throws {
    var host = host([nil, try SimulatedTag(.ntag213), nil, nil, try Self.tags()[0]])
    #expect(host.select() == nil)
    #expect(host.select() == SimulatedTag.defaultUID)
    #expect(host.exchange([0x30, 0x00])?.first == 0)
    #expect(host.send([0x52, 0x01]) == [0x53, 0x00])
    for _ in 0..<3 { #expect(host.select() == nil) }
    #expect(host.select() == Self.uids[0])
  }

  @Test("a search without end finds the next tag by itself")
  func endlessSearch() throws {
    var host = SimulatedHost(deck: SimulatedDeck(try Self.tags()))
    for uid in Self.uids {
      #expect(host.select() == uid)
      #expect(host.exchange([0x30, 0x00])?.first == 0)
      #expect(host.send([0x52, 0x00]) == [0x53, 0x00])
    }
  }

  @Test("a tag that a fault took away is back after one search, torn as it was")
  func tornTagComesBack() throws {
    var host = host(try Self.tags(), faults: [.tearWrite(1, halfWritten: true)])
    host.select()
    #expect(host.exchange([0xA2, 0x06, 1, 2, 3, 4]) == [0x01])
    #expect(host.send([0x52, 0x00]) == [0x53, 0x00])
    #expect(host.select() == nil)
    #expect(host.select() == Self.uids[0])
    #expect(host.exchange([0x30, 0x06])?.prefix(5) == [0, 1, 2, 0, 0])
  }

  @Test("a tag that took another's place leaves, and the other comes back")
  func visitorLeaves() throws {
    let stranger: [UInt8] = [4, 9, 9, 9, 9, 9, 9]
    var host = host(try Self.tags(), faults: [.swapTag(afterCommands: 1, uid: stranger)])
    host.select()
    #expect(host.exchange([0x30, 0x00])?.first == 0)
    #expect(host.exchange([0x30, 0x00]) == [0x01])
    #expect(host.select() == stranger)
    #expect(host.exchange([0x30, 0x00])?.first == 0)
    #expect(host.send([0x52, 0x00]) == [0x53, 0x00])
    #expect(host.select() == nil)
    #expect(host.select() == Self.uids[0])
  }

  @Test("the same UID twice is the same tag, put there again")
  func sameTagTwice() throws {
    var host = host([try Self.tags()[0], try Self.tags()[0]])
    host.select()
    #expect(host.exchange([0xA2, 0x06, 1, 2, 3, 4]) == [0x00])
    #expect(host.send([0x52, 0x00]) == [0x53, 0x00])
    #expect(host.select() == nil)
    #expect(host.select() == Self.uids[0])
    #expect(host.exchange([0x30, 0x06])?.prefix(5) == [0, 1, 2, 3, 4])
  }

  @Test("a number of blank tags count up from the first UID, over the end of three bytes")
  func counted() throws {
    let deck = try SimulatedDeck(.ntag213, count: 3, firstUID: [4, 1, 2, 3, 0xFF, 0xFF, 0xFF])
    let uids = deck.cards.compactMap { card in card?.uid }
    let expected: [[UInt8]] = [
      [4, 1, 2, 3, 0xFF, 0xFF, 0xFF], [4, 1, 2, 3, 0, 0, 0], [4, 1, 2, 3, 0, 0, 1],
    ]
    #expect(uids == expected)
    let many = try SimulatedDeck(.ntag213, count: 1000).cards.compactMap { card in card?.uid }
    #expect(Set(many).count == 1000)
  }

  @Test("a deck file names kinds, UIDs and files; the rest is counted up")
  func file() throws {
    let deck = try SimulatedDeck(
      parsing: """
        # a batch
        ntag215

        -   # somebody looks for the next one
        ntag213 04:A1:B2:C3:D4:E5:F6
        ntag424 04A1B2C3D4E5F7 special.bin
        ultralight
        """, memoryFolder: "tags")
    let uids = deck.cards.map { card in card?.uid.hexadecimal ?? "-" }
    #expect(
      uids == [
        "04E10CDA993C80", "-", "04A1B2C3D4E5F6", "04A1B2C3D4E5F7", "04E10CDA993C84",
      ])
    #expect(deck.cards.last??.name == "MIFARE Ultralight")
  }

  @Test(
    "a deck file that cannot be read names the line",
    arguments: ["ntag999", "ntag213 04A1B2C3D4E5F6 a b", "none", "ntag213 04A1B2C3", "-  ntag213"])
  func badFile(line: String) {
    let error = #expect(throws: SimulatedReaderError.self) {
      try SimulatedDeck(parsing: "ntag213\n\(line)\n")
    }
    #expect(error?.code == .malformedDeck)
    #expect(error?.message.contains("Line 2") == true)
  }

  @Test("every tag of a deck is kept in a file of its own, and taken from it again")
  func memories() throws {
    let folder = try MemoryFileTests.Folder()
    let names = Self.uids.map { "\($0.hexadecimal).bin" }
    for round in 1...2 as ClosedRange<UInt8> {
      let deck = try SimulatedDeck(
        .ntag213, count: 3, firstUID: Self.uids[0], memoryFolder: folder.url.path)
      let reader = try SimulatedReader(deck: deck)
      let client = try PlainClient(reader)
      for name in names {
        #expect(client.command(SimulatedReaderTests.select).count == 14)
        let path = folder.path(name)
        #expect(FileManager.default.fileExists(atPath: path))
        if round == 2 {
          #expect(client.command([0x40, 1, 0x30, 4]).prefix(4) == [0x41, 0, 1, 7])
        }
        #expect(client.command([0x40, 1, 0xA2, 4, round, 7, 7, 7]) == [0x41, 0x00])
        #expect([UInt8](try Data(contentsOf: URL(filePath: path)))[16] == round)
        #expect(client.command([0x52, 0x00]) == [0x53, 0x00])
      }
    }
  }
}
