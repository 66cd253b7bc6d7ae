import CliptagBasics
import Foundation
import Invocation
import Issuing
import Jobs
import JourneyFixtures
import NDEF
import Registry
import SimulatedReader
import Synchronization
import TagTypes
import Testing

/// A batch of tags, written without a command.
@Suite("Job: run a batch") struct RunBatchTests {
  private static func workplace(_ reader: SimulatedReader) throws -> Workplace {
    var workplace = Workplace(registry: try Fixtures.registry(), person: "ada")
    workplace.reader = TagReader(reader.connectionString)
    return workplace
  }

  private static func file(_ urls: String...) -> BatchFile {
    BatchFile(Array(("url,label\n" + urls.map { "\($0),Table\n" }.joined()).utf8))
  }

  @Test("a batch is reviewed, begun and written, and its answer has the rows and the tag's result")
  func written() async throws {
    let reader = try SimulatedReader(.ntag215)
    let workplace = try Self.workplace(reader)
    let run = RunBatch("tables", Self.file(Fixtures.cupertino)).start(in: workplace)
    var (steps, results) = ([String](), [BatchTagResult]())
    for await event in run {
      switch event {
      case .reviewed: steps.append("reviewed")
      case .added(let count): steps.append("added \(count)")
      case .opened: steps.append("opened")
      case .tag(.wants, _): steps.append("wants")
      case .tag(.met, _): steps.append("met")
      case .tag(.writes, _): steps.append("writes")
      case .tag(.served(.finished, _), let result):
        steps.append("finished")
        results += [result].compactMap(\.self)
      default: steps.append("\(event)")
      }
    }
    #expect(
      steps == ["reviewed", "added 1", "opened", "wants", "met", "writes", "finished"])
    let output = try await run.output
    #expect(output.result.done == 1 && output.result.finished == 1 && output.result.rows == 1)
    guard case .wrote(let tag)? = results.first else {
      Issue.record("\(results)")
      return
    }
    #expect(tag.row == 1 && tag.batch == "tables" && tag.url == Fixtures.cupertino)
    #expect(tag.reader == reader.connectionString && tag.label == "Table")
    reader.stop()
  }

  @Test("a file with a row that may not be written begins no batch, and opens no reader")
  func refused() async throws {
    let workplace = Workplace(registry: try Fixtures.registry(), person: "ada")
    let job = RunBatch("tables", Self.file(Fixtures.cupertino, Fixtures.foreign))
    let refused = await #expect(throws: RunBatch.Refused.self) {
      _ = try await job.run(in: workplace)
    }
    #expect(refused?.review.objections.map(\.row) == [2] && refused?.review.isAccepted == false)
    let rows = try #require(try refused?.review.rows(atMost: 10))
    #expect(rows.map(\.row) == [2, 1] && rows[0].objection != nil && rows[1].state == "new")
    #expect(throws: RunBatch.NotBegun.self) { _ = try job.status(in: workplace) }
  }

  @Test("a rehearsal counts the rows that would be new, and records nothing")
  func rehearsal() async throws {
    let workplace = Workplace(registry: try Fixtures.registry(), person: "ada")
    var job = RunBatch("tables", Self.file(Fixtures.cupertino, Fixtures.sanFrancisco))
    job.dryRun = true
    let output = try await job.run(in: workplace)
    #expect(output.newRowCount == 2 && output.result.pending == 2 && output.result.dryRun)
    #expect(throws: RunBatch.NotBegun.self) { _ = try job.status(in: workplace) }
    // A batch on record is left as it is, too.
    (job.dryRun, job.options.limit) = (false, 0)
    _ = try await job.run(in: workplace)
    (job.file, job.dryRun, job.options.overwrites) = (nil, true, true)
    let known = try await job.run(in: workplace).result
    #expect(known.dryRun && known.pending == 2)
    #expect(try await ListBatches().run(in: workplace).first?.options?.overwrite == false)
  }

  @Test("a run that ends for want of a tag says how far the batch has come, and goes on later")
  func ended() async throws {
    let reader = try SimulatedReader(.ntag215)
    let workplace = try Self.workplace(reader)
    var job = RunBatch("tables", Self.file(Fixtures.cupertino, Fixtures.sanFrancisco))
    job.options.timeout = .zero
    let wanted = job
    let ended = await #expect(throws: RunBatch.Ended.self) {
      _ = try await wanted.run(in: workplace)
    }
    #expect(ended?.output.result.done == 1 && ended?.output.result.pending == 1)
    #expect(ended?.reader == reader.connectionString)
    // The decision alone needs no reader.
    reader.stop()
    job.file = nil
    (job.decisions.skip, job.options.limit) = ([2], 0)
    #expect(try await job.run(in: workplace).result.skipped == 1)
  }

  @Test("batches are listed with their progress, their options and the next row, the newest first")
  func listed() async throws {
    let now = Mutex(Date(timeIntervalSince1970: 0))
    let workplace = Workplace(registry: try Fixtures.registry(), person: "ada") {
      now.withLock { now in
        now += 60
        return now
      }
    }
    for name in ["first", "second"] {
      var job = RunBatch(name, Self.file(Fixtures.cupertino, Fixtures.sanFrancisco))
      (job.options.locks, job.options.limit, job.decisions.skip) = (true, 0, [1])
      _ = try await job.run(in: workplace)
    }
    let batches = try await ListBatches().run(in: workplace)
    #expect(batches.map(\.batch) == ["second", "first"] && batches.map(\.who) == ["ada", "ada"])
    #expect(batches[0].next == 2 && batches[0].skipped == 1 && batches[0].pending == 1)
    #expect(batches[0].options?.lock == true && batches[0].options?.setPassword == false)
  }

  @Test("a tag that is not taken is an attempt with the error's code and next step")
  func attempt() async throws {
    let reader = try SimulatedReader(.ntag215)
    let workplace = try Self.workplace(reader)
    var job = RunBatch("tables", Self.file(Fixtures.cupertino))
    (job.options.type, job.options.timeout) = ("ntag213", .zero)
    let wanted = job
    let attempts = Mutex<[AttemptResult]>([])
    await #expect(throws: RunBatch.Ended.self) {
      _ = try await wanted.run(in: workplace) { event in
        if case .tag(_, .attempted(let result)?) = event {
          attempts.withLock { $0.append(result) }
        }
      }
    }
    let attempt = try #require(attempts.withLock { $0 }.first)
    #expect(attempt.outcome == "refused" && attempt.code == "wrong-tag-type" && attempt.row == 1)
    #expect(attempt.hint?.text == "Use another tag, or request no product.")
    reader.stop()
  }

  @Test(
    "a tag that came instead of another is not written until it was lifted, whenever it came",
    arguments: 0..<6)
  func swapped(seed: UInt64) async throws {
    var generator = SeededGenerator(seed: seed)
    for _ in 0..<6 {
      // The first exchanges read the tag; what is worked on then is not on record yet.
      let last = Bool.random(using: &generator) ? 12 : 48
      let step = Int.random(in: 1...last, using: &generator)
      var stranger = try SimulatedTag(.ntag215, uid: [0x04, 1, 2, 3, 4, 5, 6])
      stranger.hold(message: NDEFMessage(uri: "https://example.com/keep").bytes)
      let reader = try SimulatedReader(
        tag: try SimulatedTag(.ntag215), stranger: stranger, faults: [.swapTag(afterCommands: step)]
      )
      let workplace = try Self.workplace(reader)
      var job = RunBatch("tables", Self.file(Fixtures.cupertino, Fixtures.sanFrancisco))
      (job.options.overwrites, job.options.timeout) = (true, .zero)
      job.options.locks = Bool.random(using: &generator)
      let wanted = job
      let first = Mutex(String?.none)
      _ = try? await wanted.run(in: workplace) { event in
        guard case .tag(_, let result?) = event else { return }
        first.withLock { first in
          if case .attempted(let attempt) = result { first = first ?? attempt.outcome }
          if case .wrote = result { first = first ?? "wrote" }
        }
      }
      // After a row is done, any tag may take the next.
      guard first.withLock(\.self) != "wrote" else { continue }
      let isKept = reader.stranger?.memory == stranger.memory
      #expect(isKept, "step \(step)")
      reader.stop()
    }
  }

  @Test("cancelling a run ends the wait for a tag")
  func cancelled() async throws {
    let reader = try SimulatedReader(tag: nil)
    let workplace = try Self.workplace(reader)
    let run = RunBatch("tables", Self.file(Fixtures.cupertino)).start(in: workplace)
    for await event in run {
      if case .tag(.wants, _) = event { run.cancel() }
    }
    await #expect(throws: RunBatch.Ended.self) { _ = try await run.output }
    reader.stop()
  }
}
