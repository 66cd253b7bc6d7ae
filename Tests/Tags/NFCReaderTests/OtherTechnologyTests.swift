import CNFC
import Synchronization
import TagTypes
import TestSupport
import Testing

@testable import NFCReader

/// Targets other than type A tags on the reader, over a simulated libnfc.
@Suite("Other technologies", .timeLimit(.minutes(10)))
struct OtherTechnologyTests {
  let trace = CallTrace()

  /// A reader without a type A tag; `other` returns the answer to a modulation.
  func open(
    other: @escaping @Sendable (nfc_modulation_type, nfc_baud_rate) -> Int32,
    clock: ManualClock = ManualClock()
  ) async throws -> NFCReader {
    var calls = FakeLibNFC.calls()
    calls.select = { _, _, _ in 0 }
    calls.selectOther = { _, type, baud, identifier in
      let result = other(type, baud)
      guard result > 0 else { return result }
      identifier.pointee.bytes = (1, 2, 3, 4, 5, 6, 7, 8)
      identifier.pointee.length = type == NMT_FELICA ? 8 : 4
      return result
    }
    return try await NFCReader.open(
      FakeLibNFC.connectionString, library: NFCLibrary(calls: trace.calls(over: calls)),
      system: .fake(), clock: clock)
  }

  @Test(
    "what cannot be served is named with its type and what to use instead",
    arguments: [
      (NMT_FELICA, NBR_212, "FeliCa tag (NFC Type 3, 0102030405060708)"),
      (NMT_FELICA, NBR_424, "FeliCa tag (NFC Type 3, 0102030405060708)"),
      (NMT_JEWEL, NBR_106, "Topaz or Jewel tag (NFC Type 1, 01020304)"),
      (NMT_ISO14443B, NBR_106, "type B card (ISO/IEC 14443-4 B, 01020304)"),
    ])
  func named(type: nfc_modulation_type, baud: nfc_baud_rate, name: String) async throws {
    let reader = try await open { $0 == type && $1 == baud ? 1 : 0 }
    let error = await #expect(throws: NFCReaderError.self) {
      _ = try await reader.waitForTag(timeout: .zero)
    }
    #expect(error?.code == .tagUnsupported)
    #expect(error?.message.contains(name) == true)
    #expect(error?.message.contains("NFC Type 2, Type 4 (of type A) and Type 5") == true)
    #expect(error?.hint.contains("NTAG215") == true)
  }

  @Test("the ordinary wait is interrupted for other technologies once a second, and at its end")
  func rhythm() async throws {
    let clock = ManualClock()
    let looks = Mutex<[Duration]>([])
    let reader = try await open(
      other: { type, _ in
        if type == NMT_JEWEL { looks.withLock { $0.append(clock.now.offset) } }
        return 0
      }, clock: clock)
    #expect(
      await codeThrown { _ = try await reader.waitForTag(timeout: .milliseconds(2500)) }
        == "no-tag")
    #expect(
      looks.withLock { $0 } == [.seconds(1), .seconds(2), .milliseconds(2500)])
  }

  @Test("a wait without an end names what lies there after a second")
  func endless() async throws {
    let clock = ManualClock()
    let reader = try await open(other: { type, _ in type == NMT_FELICA ? 1 : 0 }, clock: clock)
    #expect(await codeThrown { _ = try await reader.waitForTag() } == "tag-unsupported")
    #expect(clock.now.offset == .seconds(1))
  }

  @Test("what was told of is passed over while it stays, and told again when it comes anew")
  func toldOf() async throws {
    for type in [NMT_FELICA, NMT_ISO14443B] {
      let isThere = Mutex(true)
      let clock = ManualClock()
      let reader = try await open(
        other: { asked, _ in isThere.withLock { $0 } && asked == type ? 1 : 0 }, clock: clock)
      let error = await #expect(throws: NFCReaderError.self) {
        _ = try await reader.waitForTag(timeout: .zero)
      }
      let told = try #require(error?.foreignTag)
      #expect(told.identifier.count == (type == NMT_FELICA ? 8 : 4))
      #expect(
        await codeThrown {
          _ = try await reader.waitForTag(timeout: .seconds(3), ignoring: told)
        } == "no-tag")
      // Absent at one look, then present again.
      let looks = Mutex(0)
      let other = try await open(
        other: { asked, _ in
          guard asked == type else { return 0 }
          return looks.withLock { count in
            count += 1
            // FeliCa is polled at two speeds.
            return count <= 2 ? 0 : 1
          }
        }, clock: clock)
      #expect(
        await codeThrown {
          _ = try await other.waitForTag(timeout: .seconds(9), ignoring: told)
        } == "tag-unsupported")
    }
  }

  @Test("a tag that cannot be served is waited for until it is taken away")
  func removal() async throws {
    let isThere = Mutex(true)
    let clock = ManualClock()
    let looks = Mutex(0)
    let reader = try await open(
      other: { asked, _ in
        guard asked == NMT_ISO14443B else { return 0 }
        if looks.withLock({
          $0 += 1; return $0
        }) == 5 {
          isThere.withLock { $0 = false }
        }
        return isThere.withLock { $0 } ? 1 : 0
      }, clock: clock)
    let error = await #expect(throws: NFCReaderError.self) {
      _ = try await reader.waitForTag(timeout: .zero)
    }
    let told = try #require(error?.foreignTag)
    #expect(try await !reader.waitForRemoval(of: told, timeout: .seconds(2)))
    #expect(clock.now.offset == .seconds(2))
    #expect(try await reader.waitForRemoval(of: told, timeout: .seconds(9)))
  }

  @Test("a type A tag that comes beside one that cannot be served ends the wait for its removal")
  func servedBeside() async throws {
    let reader = try await open { type, _ in type == NMT_FELICA ? 1 : 0 }
    trace.fail(.select, with: 0, 0, 1)
    let error = await #expect(throws: NFCReaderError.self) {
      _ = try await reader.waitForTag(timeout: .zero)
    }
    let told = try #require(error?.foreignTag)
    #expect(try await reader.waitForRemoval(of: told, timeout: .zero))
  }

  @Test("a type A tag that comes at the same time, as a telephone does, goes first")
  func both() async throws {
    let reader = try await open { type, _ in type == NMT_FELICA ? 1 : 0 }
    trace.fail(.select, with: 0, 1)
    #expect(try await reader.waitForTag(timeout: .zero).reader === reader)
  }

  @Test("a chip that does not know a technology is asked for it once, and goes on")
  func unknownToTheChip() async throws {
    let asked = Mutex<[nfc_modulation_type: Int]>([:])
    let reader = try await open { type, _ in
      asked.withLock { $0[type, default: 0] += 1 }
      return type == NMT_ISO14443B ? NFC_EIO : type == NMT_JEWEL ? NFC_EINVARG : 0
    }
    for _ in 0..<3 {
      #expect(await codeThrown { _ = try await reader.waitForTag(timeout: .zero) } == "no-tag")
    }
    #expect(asked.withLock { $0[NMT_ISO14443B] } == 1)
    #expect(asked.withLock { $0[NMT_FELICA] } == 6)
  }

  @Test("an absent tag is no reason to say that Type 5 is broken: no-tag says that it is unseen")
  func type5() async throws {
    let reader = try await open { _, _ in 0 }
    let error = await #expect(throws: NFCReaderError.self) {
      _ = try await reader.waitForTag(timeout: .zero)
    }
    #expect(error?.hint.contains("Type 5") == true)
  }
}
