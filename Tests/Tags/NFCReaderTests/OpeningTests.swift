import CliptagPlatform
import SimulatedReader
import TagTypes
import TestSupport
import Testing

@testable import NFCReader

extension OverLibNFC {
  @Suite("Opening")
  struct Opening {
    @Test("two readers are opened one after another, and the first again")
    func oneAfterAnother() async throws {
      let simulated = [
        try SimulatedReader(tag: SimulatedTag(.ntag213)),
        try SimulatedReader(tag: SimulatedTag(.ultralight)),
      ]
      for index in [0, 1, 0] {
        let reader = try await NFCReader.open(simulated[index].connectionString)
        _ = try await reader.waitForTag(timeout: .seconds(10))
        await reader.close()
      }
    }

    @Test(
      "an answer that is lost while the reader opens costs a second try, not the process",
      arguments: [
        Fault.dropResponse(3), .corruptResponse(3), .dropResponse(6), .corruptResponse(7),
      ])
    func lostAtOpening(fault: Fault) async throws {
      let simulator = try SimulatedReader(tag: SimulatedTag(.ntag215), faults: [fault])
      let reader = try await NFCReader.open(simulator.connectionString)
      let tag = try await reader.waitForTag(timeout: .seconds(5))
      #expect(tag.target.uid == SimulatedTag.defaultUID)
      await reader.close()
    }

    @Test("two readers work side by side")
    func sideBySide() async throws {
      let uid: [UInt8] = [0x04, 1, 2, 3, 4, 5, 6]
      let other = try SimulatedReader(tag: SimulatedTag(.ntag216, uid: uid))
      try await OverLibNFC.withTag { _, _, tag in
        let reader = try await NFCReader.open(other.connectionString)
        let second = try await reader.waitForTag(timeout: .seconds(10))
        #expect(try await tag.exchange([0x60])[6] == 0x0F)
        #expect(try await second.exchange([0x60])[6] == 0x13)
        await reader.close()
      }
    }

    @Test("a port that is in use is busy, names the process, and is free after closing")
    func busy() async throws {
      let simulated = try SimulatedReader(tag: nil)
      let first = try await NFCReader.open(simulated.connectionString)
      let error = await #expect(throws: NFCReaderError.self) {
        _ = try await NFCReader.open(simulated.connectionString)
      }
      #expect(error?.code == .readerBusy)
      let own = SystemView.live.resolve("/proc/self").split(separator: "/").last ?? ""
      #expect(error?.message.contains("process \(own)") == true)
      #expect(error?.connectionString == simulated.connectionString)
      await first.close()
      await (try NFCReader.open(simulated.connectionString)).close()
    }

    @Test("a reader that is forgotten frees its port")
    func forgotten() async throws {
      let simulated = try SimulatedReader(tag: nil)
      let executor = try await NFCReader.open(simulated.connectionString).executor
      // Closing is queued on the reader's executor; work queued after it finds the port free.
      let isFree = await executor.run { (try? PortLock(path: simulated.devicePath)) != nil }
      #expect(isFree)
    }

    @Test(
      "an opening that fails says so and leaves the port free",
      arguments: [(LibNFCCall.open, "no-reader"), (.initiatorInitialize, "reader-failed")])
    func failed(call: LibNFCCall, code: String) async throws {
      let simulated = try SimulatedReader(tag: nil)
      let trace = CallTrace()
      let library = try trace.libraryOverSystem()
      trace.fail(call, with: -1, -1)
      let thrown = await codeThrown {
        _ = try await NFCReader.open(
          simulated.connectionString, library: library, system: .live, clock: ManualClock())
      }
      #expect(thrown == code)
      #expect(throws: Never.self) { try PortLock(path: simulated.devicePath) }
    }

    @Test("a copy of the descriptor in a process being forked does not keep the port")
    func forked() throws {
      let simulated = try SimulatedReader(tag: nil)
      var lock: PortLock? = try PortLock(path: simulated.devicePath)
      let copy = dup(try #require(lock).descriptor)
      defer { close(copy) }
      lock = nil
      #expect(throws: Never.self) { try PortLock(path: simulated.devicePath) }
    }

    @Test("a node that seems forbidden is left to libnfc, and blamed only when that fails")
    func forbiddenNode() async throws {
      let simulated = try SimulatedReader(tag: nil)
      let trace = CallTrace()
      let library = try trace.libraryOverSystem()
      trace.fail(.open, with: -1, -1)
      var system = SystemView.live
      system.mayUse = { _ in false }
      let error = await #expect(throws: NFCReaderError.self) {
        _ = try await NFCReader.open(
          "pn532_i2c:\(simulated.devicePath)", library: library, system: system,
          clock: ManualClock())
      }
      #expect(trace.calls.contains(.open))
      #expect(error?.message.contains("permission denied") == true)
    }

    @Test("a serial reader that does not answer at first gets a second chance")
    func secondChance() async throws {
      let simulated = try SimulatedReader(tag: nil)
      let trace = CallTrace()
      let library = try trace.libraryOverSystem()
      trace.fail(.open, with: -1)
      let reader = try await NFCReader.open(
        simulated.connectionString, library: library, system: .live, clock: ManualClock())
      #expect(trace.calls.count { $0 == .open } == 2)
      await reader.close()
    }

    @Test("a reader unplugged while it is opened is no reader")
    func unplugged() async throws {
      let simulated = try SimulatedReader(tag: nil, faults: [.unplug(afterCommands: 0)])
      let code = await codeThrown { _ = try await NFCReader.open(simulated.connectionString) }
      #expect(code == "no-reader")
    }

    @Test(
      "what is not a reader is refused with the reason",
      arguments: [
        ("pn532_uart:/nowhere/ttyUSB0", "does not exist"),
        ("pn532_uart:/dev/null", "is not a serial device"),
        ("pn532_i2c:/nowhere/i2c-1", "does not exist"),
        ("/dev/ttyUSB0", "path without a driver"),
        ("pn532_uart", "has no device path"),
        ("pn532_uart:/dev/ttyUSB0:1234", "invalid speed"),
        ("", "has no driver"),
        ("no_such_driver:1", "no such driver"),
      ])
    func reasons(connectionString: String, reason: String) async throws {
      let error = await #expect(throws: NFCReaderError.self) {
        _ = try await NFCReader.open(connectionString)
      }
      #expect(error?.code == .noReader)
      #expect(error?.message.contains(reason) == true, "\(error?.message ?? "")")
      #expect(error?.hint != nil)
    }

    @Test("the environment's reader is used when none is given, and found when asked")
    func environment() async throws {
      let simulated = try SimulatedReader(tag: nil)
      var system = SystemView.live
      let text = simulated.connectionString
      system.environment = { $0 == "LIBNFC_DEVICE" ? text : nil }
      let reader = try await NFCReader.open(
        nil, library: .shared, system: system, clock: ContinuousClock())
      #expect(reader.connectionString == text)
      await reader.close()
      let found = await NFCReader.discover(probing: true, library: .shared, system: system)
      #expect(
        found.first
          == FoundReader(
            connectionString: text, source: .environment, answer: .opened(name: "PN532 v1.6")))
    }

    @Test("the doctor opens the reader it was asked about, and says what it found")
    func examined() async throws {
      let simulated = try SimulatedReader(tag: nil)
      let checks = await NFCReader.examine(simulated.connectionString)
      #expect(checks.last == ReaderCheck(.opening, .fine, "opens and responds as PN532 v1.6"))
      #expect(checks.contains { $0.subject == .deviceNode && $0.verdict == .fine })
    }
  }
}
