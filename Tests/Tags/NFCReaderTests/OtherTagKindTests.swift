import CNFC
@testable import NFCReader
import NFCReader
import SimulatedReader
import Synchronization
import TagTypes
import TestSupport
import Testing

/// Tags of ISO/IEC 14443-4 over a simulated libnfc.
@Suite("APDUs", .timeLimit(.minutes(10)))
struct OtherTagKindTests {
  static let type4 = TagTarget(
    atqa: [0x03, 0x44], sak: 0x20, uid: [0x04, 1, 2, 3, 4, 5, 6], ats: [0x77, 0x77, 0x71, 0x02])
  static let random = TagTarget(
    atqa: [0x03, 0x04], sak: 0x20, uid: [0x08, 0x11, 0x22, 0x33], ats: [0x77, 0x77, 0x71, 0x02])

  let trace = CallTrace()
  let sent = Sent()

  /// Opens a reader on which a tag lies that answers every command with the same bytes.
  func tag(_ target: TagTarget, answering answer: [UInt8] = []) async throws -> NFCTag {
    var calls = FakeLibNFC.calls(target)
    calls.setFlag = { [sent] _, property, value in
      if property == NP_EASY_FRAMING { sent.isFramed = value }
      if property == NP_ACTIVATE_FIELD { sent.fields.append(value) }
      return 0
    }
    calls.transceive = { [sent] _, command, buffer, timeout in
      sent.add(Array(command), timeout)
      for (index, byte) in answer.enumerated() { buffer[index] = byte }
      return Int32(answer.count)
    }
    let reader = try await NFCReader.open(
      FakeLibNFC.connectionString, library: NFCLibrary(calls: trace.calls(over: calls)),
      system: .fake(), clock: ManualClock())
    let tag = try await reader.waitForTag(timeout: .zero)
    trace.forget()
    return tag
  }

  @Test("an APDU is framed by the reader, whatever its class byte, and keeps its status word")
  func apdu() async throws {
    let tag = try await tag(Self.type4, answering: [0x6A, 0x82])
    for command: [UInt8] in [[0x00, 0xA4, 0x04, 0x00], [0x60, 0, 0, 0], [0x90, 0x60, 0, 0, 0]] {
      #expect(try await tag.exchange(command) == [0x6A, 0x82])
    }
    #expect(sent.entries.allSatisfy { $0.isFramed })
    #expect(tag.maximumAnswerByteCount == 258)
  }

  @Test("an APDU gets 2 s and four frame waiting times; a command of a Type 2 tag the usual time")
  func timeouts() async throws {
    _ = try await tag(Self.type4).exchange([0x00, 0xB0, 0, 0, 2])
    // FWI 7: 302 µs · 2^7, four times, is 154 ms.
    #expect(sent.entries.last?.timeout == 2154)
    let plain = TagTarget(atqa: [0, 0x44], sak: 0, uid: [4, 1, 2, 3, 4, 5, 6])
    _ = try? await tag(plain).exchange([0x30, 0])
    #expect(sent.entries.last?.timeout == -1)
  }

  @Test(
    "the frame waiting time is taken from TB(1), and is that of FWI 4 when there is none",
    arguments: [
      ([], 2019), ([0x00], 2019), ([0x20, 0x80], 2309), ([0x70, 0x77, 0xE0], 2000 + 19791),
      ([0x60], 2019), ([0x20, 0xF0], 2019),
    ] as [([UInt8], Int32)])
  func waitingTime(ats: [UInt8], milliseconds: Int32) {
    let target = TagTarget(atqa: [3, 0x44], sak: 0x20, uid: [4, 1, 2, 3, 4, 5, 6], ats: ats)
    #expect(ExchangeRule([0x00, 0xA4], target: target).timeout == milliseconds)
  }

  @Test(
    "an APDU that fails is refused, never repeated, and the tag is deselected and selected again",
    arguments: [NFC_ERFTRANS, NFC_ECHIP, NFC_ETGRELEASED, NFC_EINVARG, NFC_EIO])
  func failedAPDU(status: Int32) async throws {
    let tag = try await tag(Self.type4)
    trace.fail(.transceive, with: status)
    #expect(await codeThrown { _ = try await tag.exchange([0x00, 0xD6, 0, 0]) } == "refused")
    #expect(trace.calls == [.setFlag, .transceive, .deselect, .select])
  }

  @Test("a tag that has lost the thread is found after the field was off")
  func muteTag() async throws {
    let tag = try await tag(Self.type4)
    trace.fail(.transceive, with: NFC_ERFTRANS)
    trace.fail(.select, with: 0)
    sent.fields = []
    #expect(await codeThrown { _ = try await tag.exchange([0x00, 0xD6, 0, 0]) } == "refused")
    #expect(sent.fields == [false, true])
    #expect(trace.calls.suffix(3) == [.setFlag, .setFlag, .select])
  }

  @Test("a tag of APDUs that is gone is lost, after two searches")
  func lost() async throws {
    let tag = try await tag(Self.type4)
    trace.fail(.transceive, with: NFC_ERFTRANS)
    trace.fail(.select, with: 0, 0)
    #expect(await codeThrown { _ = try await tag.exchange([0x00, 0xD6, 0, 0]) } == "tag-lost")
    #expect(trace.calls.count { $0 == .select } == 2)
  }

  @Test("a tag of APDUs that was off is not asked to deselect, which would cost its waiting time")
  func fieldCycle() async throws {
    let tag = try await tag(Self.type4)
    sent.fields = []
    try await tag.reselect(fieldCycle: true)
    #expect(sent.fields.first == false)
    #expect(!trace.calls.contains(.deselect))
    trace.forget()
    try await tag.reselect(fieldCycle: false)
    #expect(trace.calls.first == .deselect)
  }

  @Test("a tag with a random UID keeps the field, so that it keeps the UID")
  func randomUID() async throws {
    let tag = try await tag(Self.random)
    sent.fields = []
    try await tag.reselect(fieldCycle: true)
    #expect(sent.fields == [])
    #expect(trace.calls.first == .deselect)
  }

  @Test("a command longer than libnfc's buffer is refused and never sent")
  func tooLong() async throws {
    let tag = try await tag(Self.type4, answering: [0x90, 0])
    let longest = [UInt8](repeating: 0, count: 262)
    #expect(try await tag.exchange(longest) == [0x90, 0])
    #expect(await codeThrown { _ = try await tag.exchange(longest + [0]) } == "refused")
    #expect(sent.entries.count == 1)
  }
}

/// The commands that reached the tag, and the state of the field.
final class Sent: Sendable {
  struct Entry {
    var isFramed: Bool
    var command: [UInt8]
    var timeout: Int32
  }

  private struct State {
    var isFramed = true
    var entries: [Entry] = []
    var fields: [Bool] = []
  }

  private let state = Mutex(State())

  var entries: [Entry] { state.withLock { $0.entries } }
  var isFramed: Bool {
    get { state.withLock { $0.isFramed } }
    set { state.withLock { $0.isFramed = newValue } }
  }
  var fields: [Bool] {
    get { state.withLock { $0.fields } }
    set { state.withLock { $0.fields = newValue } }
  }

  func add(_ command: [UInt8], _ timeout: Int32) {
    state.withLock { state in
      state.entries.append(Entry(isFramed: state.isFramed, command: command, timeout: timeout))
    }
  }
}

extension OverLibNFC {
  @Suite("Tags of APDUs")
  struct OtherTagKinds {
    static let selectApplication: [UInt8] =
      [0x00, 0xA4, 0x04, 0x00, 0x07, 0xD2, 0x76, 0x00, 0x00, 0x85, 0x01, 0x01, 0x00]
    static let selectContainer: [UInt8] = [0x00, 0xA4, 0x00, 0x0C, 0x02, 0xE1, 0x03]
    static let readContainer: [UInt8] = [0x00, 0xB0, 0x00, 0x00, 0x0F]

    /// Opens a simulated reader with this tag on it and selects the tag.
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
