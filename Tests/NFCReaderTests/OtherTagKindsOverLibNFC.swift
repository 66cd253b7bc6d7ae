import NFCReader
import SimulatedReader
import TagTypes
import Testing

extension OverLibNFC {
  @Suite("Tags of APDUs and MIFARE Classic")
  struct OtherTagKinds {
    static let selectApplication: [UInt8] =
      [0x00, 0xA4, 0x04, 0x00, 0x07, 0xD2, 0x76, 0x00, 0x00, 0x85, 0x01, 0x01, 0x00]
    static let selectContainer: [UInt8] = [0x00, 0xA4, 0x00, 0x0C, 0x02, 0xE1, 0x03]
    static let readContainer: [UInt8] = [0x00, 0xB0, 0x00, 0x00, 0x0F]

    /// Opens a simulated reader with this on it and selects it.
    static func with(
      _ kind: SimulatedTagKind, _ faults: Fault...,
      body: (SimulatedReader, NFCReader, NFCTag) async throws -> Void
    ) async throws {
      let simulated = try SimulatedReader(tag: kind.card(), faults: faults)
      let reader = try await NFCReader.open(simulated.connectionString)
      do {
        let tag = try await reader.waitForTag(timeout: .seconds(10))
        try await body(simulated, reader, tag)
      } catch {
        await reader.close()
        throw error
      }
      await reader.close()
    }

    @Test(
      "a Type 4 tag answers APDUs, error status words included",
      arguments: [SimulatedTagKind.ntag424, .ntag413, .desfire, .type4])
    func apdus(kind: SimulatedTagKind) async throws {
      try await Self.with(kind) { _, _, tag in
        #expect(tag.target.speaksISODEP)
        let early = try await tag.exchange(Self.readContainer)
        #expect(early.count == 2 && early != [0x90, 0x00], "nothing is selected yet")
        #expect(try await tag.exchange(Self.selectApplication).suffix(2) == [0x90, 0x00])
        #expect(try await tag.exchange(Self.selectContainer) == [0x90, 0x00])
        let container = try await tag.exchange(Self.readContainer)
        #expect(container.count == 17 && container.suffix(2) == [0x90, 0x00])
      }
    }

    @Test("a tag of APDUs that is selected again, with and without the field, has nothing selected")
    func reselected() async throws {
      for fieldCycle in [false, true] {
        try await Self.with(.ntag424) { _, _, tag in
          #expect(try await tag.exchange(Self.selectApplication).suffix(2) == [0x90, 0x00])
          try await tag.reselect(fieldCycle: fieldCycle)
          #expect(try await tag.exchange(Self.readContainer).count == 2)
          #expect(try await tag.exchange(Self.selectApplication).suffix(2) == [0x90, 0x00])
        }
      }
    }

    @Test("a long APDU and a long answer get through in one exchange")
    func long() async throws {
      try await Self.with(.ntag424) { simulated, _, tag in
        _ = try await tag.exchange(Self.selectApplication)
        _ = try await tag.exchange([0x00, 0xA4, 0x00, 0x0C, 0x02, 0xE1, 0x04])
        let data = [UInt8](repeating: 0x5A, count: 240)
        #expect(
          try await tag.exchange([0x00, 0xD6, 0x00, 0x02, 240] + data) == [0x90, 0x00])
        let before = simulated.commandCount
        let answer = try await tag.exchange([0x00, 0xB0, 0x00, 0x02, 240])
        #expect(answer == data + [0x90, 0x00])
        #expect(simulated.commandCount == before + 1)
      }
    }

    @Test("a tag of APDUs that is taken away is lost, and its removal is noticed")
    func removed() async throws {
      try await Self.with(.ntag424) { simulated, reader, tag in
        _ = try await tag.exchange(Self.selectApplication)
        simulated.replaceTag(with: nil)
        #expect(await codeThrown { _ = try await tag.exchange(Self.readContainer) } == "tag-lost")
        #expect(try await reader.waitForRemoval(of: tag, timeout: .seconds(5)))
      }
    }

    @Test("a tag of APDUs that stays is found by the next wait")
    func stays() async throws {
      try await Self.with(.desfire) { _, reader, tag in
        #expect(try await !reader.waitForRemoval(of: tag, timeout: .zero))
        let again = try await reader.waitForTag(timeout: .zero)
        #expect(again.target == tag.target)
        #expect(try await again.exchange(Self.selectApplication).suffix(2) == [0x90, 0x00])
      }
    }

    @Test("a MIFARE Classic opens a sector for the right key and refuses a wrong one")
    func classic() async throws {
      try await Self.with(.classic1k) { _, _, tag in
        let uid = tag.target.uid
        let wrong: [UInt8] = [0x60, 4, 1, 2, 3, 4, 5, 6] + uid
        #expect(await codeThrown { _ = try await tag.exchange(wrong) } == "refused")
        #expect(await codeThrown { _ = try await tag.exchange([0x30, 4]) } == "refused")
        let right: [UInt8] = [0x60, 4, 0xD3, 0xF7, 0xD3, 0xF7, 0xD3, 0xF7] + uid
        let opened = try await tag.exchange(right)
        let block = try await tag.exchange([0x30, 4])
        #expect(opened == [] && block.count == 16)
      }
    }
  }
}

extension OverLibNFC {
  @Suite("Technologies that are not served")
  struct NotServed {
    @Test(
      "a tag of another technology is named over the real libnfc",
      arguments: [
        (SimulatedTagKind.felica, "FeliCa"), (.jewel, "Jewel"), (.typeb, "ISO/IEC 14443-4 B"),
      ])
    func named(kind: SimulatedTagKind, name: String) async throws {
      let simulated = try SimulatedReader(tag: kind.card())
      let reader = try await NFCReader.open(simulated.connectionString)
      let error = await #expect(throws: NFCReaderError.self) {
        _ = try await reader.waitForTag(timeout: .zero)
      }
      await reader.close()
      #expect(error?.code == .tagUnsupported)
      #expect(error?.message.contains(name) == true)
    }

    @Test("looking for other technologies loses no type A tag that comes later")
    func afterwards() async throws {
      let simulated = try SimulatedReader(tag: nil)
      let reader = try await NFCReader.open(simulated.connectionString)
      #expect(await codeThrown { _ = try await reader.waitForTag(timeout: .zero) } == "no-tag")
      simulated.replaceTag(with: try SimulatedTag(.ntag213))
      let tag = try await reader.waitForTag(timeout: .zero)
      let version = try await tag.exchange([0x60])
      await reader.close()
      #expect(version.count == 8)
    }
  }
}
