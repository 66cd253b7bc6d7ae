import CliptagBasics
import Foundation
import Invocation
import Issuing
import Jobs
import JourneyFixtures
import NFCReader
import Registry
import SimulatedReader
import Synchronization
import TagTypes
import Testing
import Verifying

/// A tag that a program of one's own writes, without a command.
@Suite("Jobs: tags") struct TagJobTests {
  /// A workplace with a blank tag on its reader.
  private static func workplace(
    _ faults: [Fault] = []
  ) throws -> (Workplace, SimulatedReader) {
    let reader = try SimulatedReader(.ntag215, faults: faults)
    var workplace = Workplace(registry: try Fixtures.registry(), person: "ada")
    workplace.reader = TagReader(reader.connectionString)
    return (workplace, reader)
  }

  private static func kinds(_ code: String?, in workplace: Workplace) throws -> [CodeEvent.Kind] {
    let id = try #require(code.flatMap { CodeID($0) })
    return try workplace.registry.history(of: id).map(\.kind)
  }

  @Test("a tag is written, then locked, and both are on record under one name")
  func writtenAndLocked() async throws {
    let (workplace, reader) = try Self.workplace()
    var job = WriteTag(url: Fixtures.cupertino)
    job.lock = true
    let written = try await job.run(in: workplace)
    #expect(written.result.verified && written.result.locked && !written.result.alreadyCorrect)
    #expect(written.result.reader == reader.connectionString)
    #expect(written.lock?.result.code == written.result.code)
    let kinds = try Self.kinds(written.result.code, in: workplace)
    #expect(kinds.contains(.locked), "\(kinds)")
  }

  @Test("a tag that was written and then not locked is reported as both")
  func notLocked() async throws {
    let (rehearsal, blank) = try Self.workplace()
    var job = WriteTag(url: Fixtures.cupertino)
    job.dryRun = true
    let plan = try await job.run(in: rehearsal).plan
    blank.stop()
    // The first write of the lock is torn.
    let (workplace, reader) = try Self.workplace([.tearWrite(plan.steps.count + 1)])
    (job.dryRun, job.lock) = (false, true)
    let wanted = job
    let error = await #expect(throws: WriteTag.NotLocked.self) {
      _ = try await wanted.run(in: workplace)
    }
    let written = try #require(error?.written)
    #expect(written.result.verified && !written.result.locked && written.lock == nil)
    let cause = try #require(error?.underlying as? TagReader.Failed)
    #expect(cause.reader == reader.connectionString && cause.underlying is TagError)
    #expect(try !Self.kinds(written.result.code, in: workplace).contains(.locked))
  }

  @Test("a rehearsal says what would be written and locked, and changes nothing")
  func rehearsal() async throws {
    let (workplace, reader) = try Self.workplace()
    let before = reader.tag?.memory
    var job = WriteTag(url: Fixtures.cupertino)
    (job.lock, job.dryRun) = (true, true)
    let result = try await job.run(in: workplace).result
    #expect(result.dryRun && result.plan?.isEmpty == false)
    #expect(result.irreversible?.isEmpty == false && result.code == nil)
    #expect(reader.tag?.memory == before && before != nil)
    #expect(try workplace.registry.codes(CodeFilter()).isEmpty)
  }

  @Test("a lock without consent writes nothing and has no result")
  func consent() async throws {
    let (workplace, reader) = try Self.workplace()
    _ = try await WriteTag(url: Fixtures.cupertino).run(in: workplace)
    let before = reader.tag?.memory
    var job = LockTag()
    job.consent = { job in
      #expect(job.url == Fixtures.cupertino)
      return false
    }
    #expect(try await job.run(in: workplace) == nil)
    #expect(reader.tag?.memory == before && before != nil)
  }

  @Test("an erased tag holds nothing, and its code is retired")
  func erased() async throws {
    let (workplace, reader) = try Self.workplace()
    let code = try await WriteTag(url: Fixtures.cupertino).run(in: workplace).result.code
    let erased = try await EraseTag().run(in: workplace)
    #expect(erased.result.verified && !erased.result.alreadyCorrect)
    #expect(try Self.kinds(code, in: workplace).contains(.retired))
    #expect(try await EraseTag().run(in: workplace).result.alreadyCorrect)
    reader.stop()
  }

  @Test("a tag is read and verified by the registry of the workplace, and so is its dump")
  func read() async throws {
    let (workplace, reader) = try Self.workplace()
    _ = try await WriteTag(url: Fixtures.cupertino).run(in: workplace)
    var job = ReadTag()
    job.location = .waived
    let code = try await job.run(in: workplace)
    #expect(code.verdict == .accepted && code.result.payload == Fixtures.cupertino)
    #expect(code.result.source == reader.connectionString && code.result.tag?.type == "NTAG215")
    let memory = try #require(reader.tag?.memory)
    reader.stop()
    job.dump = NamedTagDump(try SavedTag(reading: memory), named: "tag.bin")
    let dumped = try await job.run(in: workplace)
    #expect(dumped.result.payload == Fixtures.cupertino && dumped.result.source == "tag.bin")
  }

  @Test("tags are read one after another, and one that no iPhone reads does not end it")
  func readSeries() async throws {
    let reader = try SimulatedReader(tag: try SimulatedTagKind.felica.card())
    var workplace = Workplace(registry: try Fixtures.registry(), person: "ada")
    workplace.reader = TagReader(reader.connectionString)
    var job = ReadTags()
    job.count = 1
    let events = Mutex<[ReadTags.Event]>([])
    let read = try await job.run(in: workplace) { event in
      events.withLock { $0.append(event) }
      guard case .observed(let seen) = event, seen.failure != nil else { return }
      reader.replaceTag(with: try? SimulatedTag(.ntag213))
    }
    reader.stop()
    #expect(read == 1)
    let steps = events.withLock { events in
      events.map { event in
        switch event {
        case .opened(let name): name == reader.connectionString ? "opened" : name
        case .presence(.met): "met"
        case .presence(.gone): "gone"
        case .observed(let seen): seen.failure == nil ? "read" : "unreadable"
        }
      }
    }
    #expect(steps == ["opened", "unreadable", "gone", "met", "read"])
  }

  @Test("a series of tags on a reader without one ends with an error that names the reader")
  func emptySeries() async throws {
    let reader = try SimulatedReader(tag: nil as SimulatedTag?)
    var workplace = Workplace(registry: try Fixtures.registry(), person: "ada")
    workplace.reader = TagReader(reader.connectionString, timeout: .zero)
    let wanted = workplace
    let error = await #expect(throws: TagReader.Failed.self) {
      _ = try await ReadTags().run(in: wanted)
    }
    reader.stop()
    #expect(error?.reader == reader.connectionString)
    #expect((error?.underlying as? NFCReaderError)?.code == .noTag)
  }

  @Test("a tag whose originality is not proven is not accepted where that is required")
  func notGenuine() async throws {
    let (workplace, reader) = try Self.workplace()
    _ = try await WriteTag(url: Fixtures.cupertino).run(in: workplace)
    var job = ReadTag()
    job.location = .waived
    #expect(try await job.run(in: workplace).result.tag?.originality == nil)
    job.requiresGenuine = true
    #expect(try await job.run(in: workplace).result.tag?.originality != nil)
    reader.stop()
  }

  @Test("the description of a tag states its memory and its records, and needs no registry")
  func described() async throws {
    let (workplace, reader) = try Self.workplace()
    #expect(try await DescribeTag().run(on: workplace.reader).result.content == "empty")
    _ = try await WriteTag(url: Fixtures.cupertino).run(in: workplace)
    var job = DescribeTag()
    #expect(try await job.run(in: workplace).result.records.map(\.payload) == [nil])
    job.showsBytes = true
    let result = try await job.run(in: workplace).result
    #expect(result.records.map(\.type) == ["URI"] && result.records.first?.payload != nil)
    guard case .type2(let details) = result.details else {
      Issue.record("\(String(describing: result.details))")
      return
    }
    #expect(details.pages == 135 && details.lockedPages.isEmpty)
    reader.stop()
  }

  @Test("a password is put in force, changed and removed, and each is on record without the secret")
  func password() async throws {
    let (workplace, reader) = try Self.workplace()
    let code = try await WriteTag(url: Fixtures.cupertino).run(in: workplace).result.code
    let (old, new) = (try #require(TagPassword("0BADCAFE")), try #require(TagPassword("FEEDF00D")))
    var job = ChangeTagPassword(.set(old))
    job.dryRun = true
    let planned = try await job.run(in: workplace)
    #expect(planned.report == nil && planned.result.plan?.isEmpty == false)
    #expect(planned.result.plan?.contains { "\($0)".contains("0BADCAFE") } == false)
    job.dryRun = false
    let set = try await job.run(in: workplace).result
    #expect(set.verified && set.fromPage == 4 && set.protect == "write" && set.codes == [code])
    // What is not named stays as it is.
    job.change = .change(from: old, to: new)
    job.wrongPasswordLimit = 0
    #expect(try await job.run(in: workplace).result.fromPage == 4)
    let removed = try await ChangeTagPassword(.remove(new)).run(in: workplace).result
    #expect(removed.action == "remove" && removed.fromPage == nil && removed.verified)
    let kinds = try Self.kinds(code, in: workplace)
    #expect(kinds.suffix(3) == [.passwordSet, .passwordChanged, .passwordRemoved], "\(kinds)")
    reader.stop()
  }

  @Test("a tag with another password is not set, and the error says what to do")
  func otherPassword() async throws {
    let (workplace, reader) = try Self.workplace()
    _ = try await ChangeTagPassword(.set(try #require(TagPassword("0BADCAFE")))).run(in: workplace)
    let job = ChangeTagPassword(.set(try #require(TagPassword("FEEDF00D"))))
    let error = await #expect(throws: TagReader.Failed.self) {
      _ = try await job.run(in: workplace)
    }
    let cause = try #require(error?.underlying as? TagError)
    #expect(cause.code == .tagPassword && cause.hint.contains("risk attempts"), "\(cause.hint)")
    reader.stop()
  }

  @Test("a dump is put back on a tag that was erased since, and the tag carries its URL again")
  func dumpAndRestore() async throws {
    let folder = try #require(ScratchFolder())
    let (workplace, reader) = try Self.workplace()
    _ = try await WriteTag(url: Fixtures.cupertino).run(in: workplace)
    let path = "\(folder.path)/tag.json"
    let dumped = try await DumpTag(to: path).run(in: workplace)
    #expect(dumped.result.output == path && dumped.result.unreadablePages.isEmpty)
    let bytes = Array(try Data(contentsOf: URL(filePath: path)))
    #expect(bytes == dumped.bytes && bytes.count == dumped.result.bytes)
    _ = try await EraseTag().run(in: workplace)
    var job = RestoreTag(NamedTagDump(try SavedTag(reading: bytes), named: path))
    job.dryRun = true
    let planned = try await job.run(in: workplace).result
    #expect(planned.dryRun && planned.plan?.isEmpty == false && planned.code == nil)
    job.dryRun = false
    let restored = try await job.run(in: workplace).result
    #expect(restored.verified && restored.url == Fixtures.cupertino && restored.source == path)
    let kinds = try Self.kinds(restored.code, in: workplace)
    #expect(kinds.contains(.written), "\(kinds)")
    reader.stop()
  }

  @Test("a dump in a rehearsal, and one without a file, writes none")
  func dumpWithoutFile() async throws {
    let folder = try #require(ScratchFolder())
    let (workplace, reader) = try Self.workplace()
    var job = DumpTag(to: "\(folder.path)/tag.bin")
    job.dryRun = true
    let rehearsed = try await job.run(in: workplace)
    #expect(rehearsed.result.dryRun && rehearsed.bytes.count == 540)
    #expect(try await DumpTag().run(on: workplace.reader).bytes == rehearsed.bytes)
    #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path).isEmpty)
    reader.stop()
  }

  @Test("the image of a Type 5 tag is recorded with its file, and a rehearsal writes none")
  func image() async throws {
    let folder = try #require(ScratchFolder())
    let workplace = Workplace(registry: try Fixtures.registry(), person: "ada")
    let path = "\(folder.path)/tag.txt"
    var job = MakeTagImage(url: Fixtures.cupertino, byteCount: 112, to: .file(path))
    job.dryRun = true
    #expect(try await job.run(in: workplace).result.code == nil)
    #expect(!FileManager.default.fileExists(atPath: path))
    job.dryRun = false
    let result = try await job.run(in: workplace).result
    #expect(try Self.kinds(result.code, in: workplace).isEmpty == false && result.size == 112)
    #expect(try Data(contentsOf: URL(filePath: path)).count > 224, "hexadecimal, a block a line")
    job.url = Fixtures.foreign
    let refused = job
    await #expect(throws: IssueRefusal.self) { _ = try await refused.run(in: workplace) }
  }

  @Test("inputs that exclude each other are named before the reader is opened")
  func inputs() async throws {
    var job = WriteTag(url: Fixtures.cupertino)
    (job.unregistered, job.strict) = (true, true)
    let wanted = job
    let error = await #expect(throws: InputError.self) {
      _ = try await wanted.run(
        in: Workplace(registry: try Fixtures.registry(), person: "ada"))
    }
    #expect(error == .exclude(.unregistered, .strict))
  }
}
