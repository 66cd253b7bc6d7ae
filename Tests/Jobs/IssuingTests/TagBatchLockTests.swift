import Invocation
@testable import Issuing
import NDEF
import JourneyFixtures
import Registry
import SimulatedReader
import TagTypes
import Testing

/// Rows whose tags are locked for good.
@Suite("Locking the tags of a batch") struct TagBatchLockTests {
  private static func batch(
    in registry: any RegistryStore, station: Int = 1, dead: Set<Int> = [], locks: Bool = true
  ) -> TagBatch {
    BatchFixtures.batch(in: registry, station: station, dead: dead) { $0.locks = locks }
  }

  private static func registry() async throws -> any RegistryStore {
    let registry = try Fixtures.registry()
    try await registry.begin(BatchFixtures.orders(2))
    return registry
  }

  private func isLocked(_ tag: TagInMemory) async throws -> Bool {
    try await Type2Tag.identify(over: tag, includingConfiguration: true).lockState == .permanent
  }

  @Test("a row is done when its tag was written and locked, and both are on record")
  func locked() async throws {
    let registry = try await Self.registry()
    let batch = Self.batch(in: registry)
    let tag = try BatchFixtures.tag(1)
    guard
      case .finished(let row, _) = try await batch.serve(tag, asked: try await batch.claimNext())
    else {
      Issue.record("not finished")
      return
    }
    #expect(row.state == .done)
    #expect(row.tag?.isLocked == true)
    #expect(row.tag?.hash == BatchFixtures.hashOfRow1)
    #expect(try await isLocked(tag))
    let code = try #require(row.tag?.code)
    #expect(try registry.history(of: code).map(\.kind).contains(.locked))
  }

  @Test("nothing is locked unasked")
  func unasked() async throws {
    let batch = Self.batch(in: try await Self.registry(), locks: false)
    let tag = try BatchFixtures.tag(1)
    guard
      case .finished(let row, _) = try await batch.serve(tag, asked: try await batch.claimNext())
    else {
      Issue.record("not finished")
      return
    }
    #expect(row.tag?.isLocked == false)
    #expect(try await Type2Tag.identify(over: tag, includingConfiguration: true).lockState == .open)
  }

  @Test(
    "a tag that leaves at any exchange is written and locked when it comes back",
    arguments: [false, true])
  func tornAnywhere(losesAnswer: Bool) async throws {
    var kinds: Set<String> = []
    for count in 0..<80 {
      let registry = try await Self.registry()
      let batch = Self.batch(in: registry)
      let tag = try BatchFixtures.tag(1)
      let losing = LosingChannel(tag, after: count, losesAnswer: losesAnswer)
      switch try await batch.serve(losing, asked: try await batch.claimNext()) {
      case .finished(let row, _):
        kinds.insert("finished")
        #expect(row.tag?.isLocked == true)
        #expect(try await isLocked(tag), "\(count)")
      case .left:
        kinds.insert("left")
        #expect(try batch.rows(in: [.pending]).count == 2)
      case .torn(let row, _):
        kinds.insert("torn \(row.state)")
        #expect(try batch.rowsForOneTag().map(\.number) == [1])
      case let other: Issue.record("\(count): \(other)")
      }
      #expect(try batch.counts()[.done] == (kinds.contains("finished") ? 1 : 0))
      _ = try await batch.serve(tag, asked: try await batch.claimNext())
      try await expectLocked(batch, tag, "\(count)")
    }
    #expect(kinds == ["finished", "left", "torn intended", "torn written"])
  }

  @Test("a station that dies at any exchange or record leaves what another one locks")
  func diesAnywhere() async throws {
    for count in 0..<70 {
      for dyingInRegistry in [false, true] where !dyingInRegistry || count < 10 {
        let registry = try await Self.registry()
        let dying = Self.batch(
          in: dyingInRegistry ? FailingRegistry(registry, after: count) : registry)
        let tag = try BatchFixtures.tag(1)
        let channel = LosingChannel(tag, after: dyingInRegistry ? .max : count, with: .readerFailed)
        var isFinished = false
        if let row = try? await dying.claimNext(),
          let served = try? await dying.serve(channel, asked: row),
          case .finished = served
        {
          isFinished = true
        }
        let next = Self.batch(in: registry, station: 2, dead: [1])
        #expect(try next.counts()[.done] == (isFinished ? 1 : 0))
        _ = try await next.serve(tag, asked: try await next.claimNext())
        try await expectLocked(next, tag, "\(count) \(dyingInRegistry)")
      }
    }
  }

  @Test("a row left to be locked ends unlocked, and is recorded so, where no lock is asked for")
  func resumedWithoutLock() async throws {
    let registry = try await Self.registry()
    let locking = Self.batch(in: registry)
    // Refuses what locks: no page of data is written after the first refusal.
    var count = 0
    let tag = try BatchFixtures.tag(1)
    while try locking.rows(in: [.written]).isEmpty, count < 80 {
      count += 1
      _ = try await locking.serve(
        LosingChannel(tag, after: count), asked: try await locking.claimNext())
    }
    #expect(try locking.rows(in: [.written]).map(\.number) == [1])
    let batch = Self.batch(in: registry, locks: false)
    guard
      case .finished(let row, _) = try await batch.serve(tag, asked: try await batch.claimNext())
    else {
      Issue.record("not finished")
      return
    }
    #expect(row.number == 1)
    #expect(row.tag?.isLocked == false)
    #expect(try await !isLocked(tag))
  }

  @Test("a tag whose locks are refused is given up, and its row is asked for again")
  func refusedLock() async throws {
    let registry = try await Self.registry()
    let batch = Self.batch(in: registry)
    let tag = try BatchFixtures.tag(1) {
      $0.hold(message: NDEFMessage(uri: BatchFixtures.url(1)).bytes)
    }
    let refusing = LosingChannel(tag, after: .max, refusing: 0xA2)
    guard
      case .spoiled(let row, let error) = try await batch.serve(
        refusing, asked: try await batch.claimNext())
    else {
      Issue.record("not spoiled")
      return
    }
    #expect(error.code == .writeRefused)
    #expect(row.state == .pending)
    #expect(try registry.codes(CodeFilter(status: .issued)).isEmpty, "its code is retired")
  }

  @Test("a tag that cannot be locked is refused before anything is written")
  func cannotBeLocked() async throws {
    let batch = Self.batch(in: try await Self.registry())
    // The bit that would lock page 4 is frozen open (block-locking bit BL9-4).
    let tag = try BatchFixtures.tag(1) {
      $0.place(Array($0.memory[8..<10]) + [0x02, 0], atPage: 2)
    }
    let before = await tag.memory
    let served = try await batch.serve(tag, asked: try await batch.claimNext())
    guard case .refused(_, _, let error) = served else {
      Issue.record("\(served)")
      return
    }
    #expect((error as? TagError)?.code == .tagLocked)
    #expect(await tag.memory == before)
    #expect(try batch.rows(in: [.pending]).count == 2)
  }

  private func expectLocked(
    _ batch: TagBatch, _ tag: TagInMemory, _ comment: Comment,
    sourceLocation: SourceLocation = #_sourceLocation
  ) async throws {
    let rows = try batch.rows(in: [.done])
    #expect(rows.map(\.number) == [1], comment, sourceLocation: sourceLocation)
    #expect(rows.first?.tag?.isLocked == true, comment, sourceLocation: sourceLocation)
    #expect(try await isLocked(tag), comment, sourceLocation: sourceLocation)
    #expect(
      try await tag.url() == rows.first?.order.url, comment, sourceLocation: sourceLocation)
    let codes = try batch.registry.codes(CodeFilter(status: .issued))
    #expect(codes.count == 1, comment, sourceLocation: sourceLocation)
  }
}
