import SimulatedReader
import TagTypes
import TestSupport
import Testing

@testable import NFCReader

extension OverLibNFC {
  @Suite("Exchanges")
  struct Exchanges {
    @Test("a tag tells its UID, ATQA and SAK when it is selected")
    func target() async throws {
      try await withTag { _, reader, tag in
        #expect(tag.target.uid == SimulatedTag.defaultUID)
        #expect(tag.target.atqa == [0x00, 0x44])
        #expect(tag.target.sak == 0)
        #expect(await reader.name == "PN532 v1.6")
      }
    }

    @Test("each command takes the path on which the PN532 lets it through")
    func paths() async throws {
      try await withTag { simulated, _, tag in
        #expect(try await tag.exchange([0x60]) == [0, 4, 4, 2, 1, 0, 0x0F, 3])
        #expect(try await tag.exchange([0x3A, 3, 4]).count == 8)
        #expect(try await tag.exchange([0x3C, 0]).count == 32)
        #expect(try await tag.exchange([0x30, 3]).count == 16)
        #expect(try await tag.exchange([0xA2, 8, 1, 2, 3, 4]) == [])
        #expect(
          try await tag.exchange([0xA0, 9, 5, 6, 7, 8] + Array(repeating: 0, count: 12)) == [])
        let pages = try await tag.exchange([0x30, 8])
        #expect(pages.starts(with: [1, 2, 3, 4, 5, 6, 7, 8]))
        let codes = simulated.exchanges.suffix(7).map { $0.command[0] }
        #expect(codes == [0x42, 0x42, 0x42, 0x40, 0x40, 0x40, 0x40])
      }
    }

    @Test("opening, writing 11 pages, reading them back and closing takes at most 30 commands")
    func economy() async throws {
      let simulated = try SimulatedReader(tag: SimulatedTag(.ntag215))
      let reader = try await NFCReader.open(simulated.connectionString)
      let tag = try await reader.waitForTag(timeout: .seconds(10))
      let opened = simulated.commandCount
      _ = try await tag.exchange([0x60])
      _ = try await tag.exchange([0x3A, 0, 7])
      for page: UInt8 in 4..<15 { _ = try await tag.exchange([0xA2, page, page, 0, 0, 0]) }
      #expect(try await tag.exchange([0x3A, 4, 14]).count == 44)
      #expect(simulated.commandCount - opened == 14, "one command each, nothing in between")
      await reader.close()
      #expect(simulated.commandCount <= 30)
    }

    @Test("a refused page is told from a tag that left, and the tag answers on")
    func refused() async throws {
      try await withTag(.refusePage(9)) { _, _, tag in
        #expect(
          await codeThrown { _ = try await tag.exchange([0xA2, 9, 1, 2, 3, 4]) } == "refused")
        #expect(try await tag.exchange([0xA2, 10, 1, 2, 3, 4]) == [])
        let pages = try await tag.exchange([0x30, 9])
        #expect(pages.starts(with: [0, 0, 0, 0, 1, 2, 3, 4]))
      }
    }

    @Test("a command the tag does not know is refused, and the tag answers on")
    func unknown() async throws {
      try await withTag { _, _, tag in
        #expect(await codeThrown { _ = try await tag.exchange([0x60, 0x00]) } == "refused")
        let version = try await tag.exchange([0x60])
        #expect(version.count == 8)
      }
    }

    @Test("a tag that was taken away is lost, and comes back by itself when it lies there again")
    func removed() async throws {
      try await withTag { simulated, _, tag in
        let lying = simulated.tag
        simulated.replaceTag(with: nil)
        #expect(await codeThrown { _ = try await tag.exchange([0x30, 4]) } == "tag-lost")
        #expect(await codeThrown { try await tag.reselect(fieldCycle: true) } == "tag-lost")
        simulated.replaceTag(with: lying)
        let pages = try await tag.exchange([0x30, 0])
        #expect(pages.count == 16)
      }
    }

    @Test("another tag in the place of the first is never written to")
    func swapped() async throws {
      try await withTag(.swapTag(afterCommands: 1)) { simulated, _, tag in
        _ = try await tag.exchange([0x30, 4])
        for _ in 0..<3 {
          let code = await codeThrown { _ = try await tag.exchange([0xA2, 4, 9, 9, 9, 9]) }
          #expect(code == "tag-changed")
        }
        #expect(await codeThrown { try await tag.reselect(fieldCycle: true) } == "tag-changed")
        #expect(simulated.tag?.page(4) != [9, 9, 9, 9])
      }
    }

    @Test("the same tag is selected again, with and without the field", arguments: [true, false])
    func reselected(fieldCycle: Bool) async throws {
      try await withTag { _, _, tag in
        try await tag.reselect(fieldCycle: fieldCycle)
        #expect(try await tag.exchange([0x30, 0]).count == 16)
      }
    }

    @Test(
      "a response that is damaged on the line does not become a refusal",
      arguments: [[UInt8]]([[0x30, 4], [0xA2, 4, 1, 2, 3, 4], [0x3A, 4, 7], [0x60]]))
    func damaged(command: [UInt8]) async throws {
      try await withTag(.corruptResponse(try await responsesUntilTag() + 1)) { _, _, tag in
        let length = try await tag.exchange(command).count
        #expect(length == [0x30: 16, 0xA2: 0, 0x3A: 16, 0x60: 8][command[0]])
      }
    }

    @Test("a response that never arrives does not become a refusal")
    func dropped() async throws {
      try await withTag(.dropResponse(try await responsesUntilTag() + 1)) { _, _, tag in
        let length = try await tag.exchange([0xA2, 4, 1, 2, 3, 4]).count
        #expect(length == 0)
      }
    }

    @Test("a damaged response to a selection does not lose the tag")
    func selectionFault() async throws {
      let opening = try await responsesUntilTag()
      try await withTag(.refusePage(9), .corruptResponse(opening + 2)) { _, _, tag in
        #expect(
          await codeThrown { _ = try await tag.exchange([0xA2, 9, 1, 2, 3, 4]) } == "refused")
      }
    }

    @Test(
      "a selection asks the chip, with more time than libnfc gives it, and by UID where it is known"
    )
    func slowSelection() async throws {
      let simulated = try SimulatedReader(tag: SimulatedTag(.ntag213))
      let trace = CallTrace()
      let reader = try await NFCReader.open(
        simulated.connectionString, library: trace.libraryOverSystem(),
        system: .live, clock: ManualClock())
      let tag = try await reader.waitForTag(timeout: .zero)
      let expected = TagTarget(atqa: [0x00, 0x44], sak: 0, uid: SimulatedTag.defaultUID)
      #expect(tag.target == expected)
      let version = try await tag.exchange([0x60])
      #expect(version.count == 8)
      try await tag.reselect(fieldCycle: false)
      #expect(trace.calls.count { $0 == .selectPatiently } == 2)
      #expect(!trace.calls.contains(.select))
      #expect(
        simulated.exchanges.last?.command == [0x4A, 1, 0, 0x88] + SimulatedTag.defaultUID)
      await reader.close()
    }

    @Test("a reader unplugged during a command fails that command and all later ones")
    func unplugged() async throws {
      let opening = try await responsesUntilTag()
      try await withTag(.unplug(afterCommands: opening + 1)) { _, reader, tag in
        _ = try await tag.exchange([0x30, 4])
        for _ in 0..<2 {
          #expect(await codeThrown { _ = try await tag.exchange([0x30, 4]) } == "reader-failed")
        }
        #expect(await codeThrown { _ = try await reader.waitForTag() } == "reader-failed")
      }
    }

    /// Returns the number of responses that libnfc gets until a tag is selected: faults are counted
    /// from there.
    private func responsesUntilTag() async throws -> Int {
      var count = 0
      try await withTag { simulated, _, _ in count = simulated.commandCount }
      return count
    }
  }
}
