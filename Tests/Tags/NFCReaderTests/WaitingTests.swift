import CNFC
@testable import NFCReader
import SimulatedReader
import TagTypes
import TestSupport
import Testing

extension OverLibNFC {
  @Suite("Waiting for a tag")
  struct Waiting {
    @Test("a wait without a tag ends when the injected clock says so")
    func timeout() async throws {
      let simulated = try SimulatedReader(tag: nil)
      let clock = ManualClock()
      let reader = try await NFCReader.open(simulated.connectionString, clock: clock)
      let code = await codeThrown { _ = try await reader.waitForTag(timeout: .seconds(1)) }
      #expect(code == "no-tag")
      #expect(clock.now.offset == .seconds(1))
      await reader.close()
    }

    @Test("a wait of no time looks once")
    func zero() async throws {
      let simulated = try SimulatedReader(tag: SimulatedTag(.ntag216))
      let reader = try await NFCReader.open(simulated.connectionString, clock: ManualClock())
      #expect(try await reader.waitForTag(timeout: .zero).target.uid == SimulatedTag.defaultUID)
      await reader.close()
    }

    @Test("a tag that is laid down during the wait is found")
    func laidDown() async throws {
      let simulated = try SimulatedReader(tag: nil)
      let clock = ManualClock { _, sleeps in
        if sleeps == 3 { simulated.replaceTag(with: try? SimulatedTag(.ntag213)) }
        return true
      }
      let reader = try await NFCReader.open(simulated.connectionString, clock: clock)
      #expect(try await reader.waitForTag().target.uid == SimulatedTag.defaultUID)
      await reader.close()
    }

    @Test("cancelling the task ends a wait that has no end of its own")
    func cancelled() async throws {
      let simulated = try SimulatedReader(tag: nil)
      let (looks, looked) = AsyncStream.makeStream(of: Void.self)
      let reader = try await NFCReader.open(
        simulated.connectionString,
        clock: ManualClock { _, _ in
          looked.yield()
          return false
        })
      let wait = Task { await codeThrown { _ = try await reader.waitForTag() } }
      for await _ in looks { break }
      wait.cancel()
      #expect(await wait.value == "cancelled")
      #expect(await codeThrown { _ = try await reader.waitForTag(timeout: .zero) } == "no-tag")
      await reader.close()
    }

    @Test("a second wait finds the tag at once, and the first wait's tag is no longer served")
    func again() async throws {
      try await withTag { _, reader, first in
        let second = try await reader.waitForTag(timeout: .zero)
        #expect(second.target == first.target)
        #expect(await codeThrown { _ = try await first.exchange([0x30, 4]) } == "tag-lost")
        #expect(try await second.exchange([0x30, 4]).count == 16)
      }
    }

    @Test("a second wait takes over from the first")
    func takenOver() async throws {
      let simulated = try SimulatedReader(tag: nil)
      let (looks, looked) = AsyncStream.makeStream(of: Void.self)
      let (ends, ended) = AsyncStream.makeStream(of: Void.self)
      let reader = try await NFCReader.open(
        simulated.connectionString,
        clock: ManualClock { _, _ in
          looked.yield()
          for await _ in ends {}
          return true
        })
      let first = Task { await codeThrown { _ = try await reader.waitForTag() } }
      for await _ in looks { break }
      #expect(await codeThrown { _ = try await reader.waitForTag(timeout: .zero) } == "no-tag")
      ended.finish()
      #expect(await first.value == "cancelled")
      await reader.close()
    }

    @Test("a cancelled task starts no exchange")
    func cancelledExchange() async throws {
      try await withTag { simulated, _, tag in
        let before = simulated.commandCount
        let code = await Task {
          withUnsafeCurrentTask { $0?.cancel() }
          return await codeThrown { _ = try await tag.exchange([0xA2, 4, 1, 2, 3, 4]) }
        }.value
        #expect(code == "cancelled")
        #expect(simulated.commandCount == before)
      }
    }

    @Test("a closed reader and its tag say so")
    func closed() async throws {
      try await withTag { _, reader, tag in
        await reader.close()
        await reader.close()
        #expect(await codeThrown { _ = try await tag.exchange([0x30, 4]) } == "reader-failed")
        #expect(await codeThrown { _ = try await reader.waitForTag() } == "reader-failed")
      }
    }
  }
}

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
      let clock = ManualClock { _, sleeps in
        if sleeps == 3 { simulated.replaceTag(with: nil) }
        return true
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
      trace.fail(.selectPatiently, with: 0)
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
      trace.fail(.selectPatiently, with: NFC_ECHIP, NFC_ECHIP)
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
        simulated.connectionString,
        clock: ManualClock { _, _ in
          looked.yield()
          return false
        })
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
