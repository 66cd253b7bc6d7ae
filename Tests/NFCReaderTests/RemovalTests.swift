import CNFC
import SimulatedReader
import TagTypes
import Testing

@testable import NFCReader

extension OverLibNFC {
  @Suite("Waiting for a tag to be taken away")
  struct Removal {
    @Test("a tag that stays is still there when the time is up, and is served no more")
    func stays() async throws {
      let simulated = try SimulatedReader(tag: SimulatedTag(.ntag213))
      let clock = ManualClock()
      let reader = try await NFCReader.open(simulated.connectionString, clock: clock)
      let tag = try await reader.waitForTag(timeout: .zero)
      #expect(try await !reader.waitForRemoval(of: tag, timeout: .seconds(1)))
      #expect(clock.now.offset == .seconds(1))
      #expect(await codeThrown { _ = try await tag.exchange([0x30, 4]) } == "tag-lost")
      #expect(try await reader.waitForTag(timeout: .zero).target.uid == tag.target.uid)
      await reader.close()
    }

    @Test("a tag that is taken away is noticed without having been read")
    func taken() async throws {
      let simulated = try SimulatedReader(tag: SimulatedTag(.ntag213))
      let clock = ManualClock { sleeps in
        if sleeps == 3 { simulated.replaceTag(with: nil) }
      }
      let reader = try await NFCReader.open(simulated.connectionString, clock: clock)
      let tag = try await reader.waitForTag(timeout: .zero)
      let before = simulated.exchanges.count
      #expect(try await reader.waitForRemoval(of: tag))
      #expect(clock.now.offset == .milliseconds(320))
      let codes = Set(simulated.exchanges.dropFirst(before).map { $0.command[0] })
      #expect(codes.isDisjoint(with: [0x40, 0x42]), "no command reaches the tag itself")
      await reader.close()
    }

    @Test("another tag in its place means that it is gone, and is found by the next wait")
    func replaced() async throws {
      let simulated = try SimulatedReader(tag: SimulatedTag(.ntag213))
      let reader = try await NFCReader.open(simulated.connectionString, clock: ManualClock())
      let tag = try await reader.waitForTag(timeout: .zero)
      let other: [UInt8] = [0x04, 1, 2, 3, 4, 5, 6]
      simulated.replaceTag(with: try SimulatedTag(.ntag215, uid: other))
      #expect(try await reader.waitForRemoval(of: tag, timeout: .zero))
      #expect(try await reader.waitForTag(timeout: .zero).target.uid == other)
      await reader.close()
    }

    @Test("one look that misses the tag does not mean that it is gone")
    func flutter() async throws {
      let simulated = try SimulatedReader(tag: SimulatedTag(.ntag213))
      let trace = CallTrace()
      let reader = try await NFCReader.open(
        simulated.connectionString, library: trace.libraryOverSystem(), system: .live,
        clock: ManualClock())
      let tag = try await reader.waitForTag(timeout: .zero)
      trace.fail(.select, with: 0)
      #expect(try await !reader.waitForRemoval(of: tag, timeout: .milliseconds(200)))
      await reader.close()
    }

    @Test("a look that failed says nothing about the tag")
    func failedLook() async throws {
      let simulated = try SimulatedReader(tag: SimulatedTag(.ntag213))
      let trace = CallTrace()
      let reader = try await NFCReader.open(
        simulated.connectionString, library: trace.libraryOverSystem(), system: .live,
        clock: ManualClock())
      let tag = try await reader.waitForTag(timeout: .zero)
      trace.fail(.select, with: NFC_ECHIP, NFC_ECHIP)
      #expect(
        await codeThrown { _ = try await reader.waitForRemoval(of: tag, timeout: .zero) }
          == "reader-failed")
      await reader.close()
    }

    @Test("cancelling the task ends the wait, and a tag of an earlier wait is not waited for")
    func cancelled() async throws {
      let simulated = try SimulatedReader(tag: SimulatedTag(.ntag213))
      let (looks, looked) = AsyncStream.makeStream(of: Void.self)
      let reader = try await NFCReader.open(
        simulated.connectionString, clock: GatedClock(onSleep: { looked.yield() }))
      let tag = try await reader.waitForTag(timeout: .zero)
      let wait = Task { await codeThrown { _ = try await reader.waitForRemoval(of: tag) } }
      for await _ in looks { break }
      wait.cancel()
      #expect(await wait.value == "cancelled")
      #expect(await codeThrown { _ = try await reader.waitForRemoval(of: tag) } == "cancelled")
      await reader.close()
    }
  }
}
