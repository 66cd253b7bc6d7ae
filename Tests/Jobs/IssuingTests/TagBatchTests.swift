import CliptagBasics
import JourneyFixtures
import Foundation
import Invocation
@testable import Issuing
import NDEF
import Registry
import SimulatedReader
import Synchronization
import TagTypes
import Testing

/// One tag after another over the ledger, without reader and wire.
@Suite("Serving the tags of a batch") struct TagBatchTests {
  let registry: any RegistryStore

  init() async throws {
    registry = try Fixtures.registry()
    try await registry.begin(BatchFixtures.orders(3))
  }

  @Test("a fresh tag takes the row that was asked for, and both are on record together")
  func fresh() async throws {
    let batch = BatchFixtures.batch(in: registry)
    let tag = try BatchFixtures.tag(1)
    let row = try #require(try await batch.claimNext())
    let served = try await batch.serve(tag, asked: row)
    guard case .finished(let done, let report) = served else {
      Issue.record("\(served)")
      return
    }
    #expect(report.pagesWritten > 0)
    #expect(done.state == .done)
    #expect(done.number == 1)
    #expect(done.tag?.uid == tag.target.uid.hexadecimal)
    #expect(done.tag?.signature == "not-genuine", "the UID was made up")
    let code = try #require(done.tag?.code)
    #expect(try registry.code(id: code)?.payload == row.order.url)
    #expect(try await tag.url() == row.order.url)
    // SHA-256 of D1 01 1A 55 04 and "fruta.example.com/order/1", computed with Python's hashlib.
    #expect(done.tag?.hash == BatchFixtures.hashOfRow1)
  }

  @Test("a tag that holds the right URL already is verified and left alone")
  func alreadyRight() async throws {
    let batch = BatchFixtures.batch(in: registry)
    let row = try #require(try await batch.claimNext())
    let tag = try BatchFixtures.tag(1) { $0.hold(message: NDEFMessage(uri: row.order.url).bytes) }
    let before = await tag.memory
    guard case .finished(let done, let report) = try await batch.serve(tag, asked: row) else {
      Issue.record("not finished")
      return
    }
    #expect(report.wasAlreadyCorrect)
    #expect(done.state == .done)
    #expect(await tag.memory == before)
  }

  @Test("the tag of a row that is done is verified, and takes no other row")
  func laidAgain() async throws {
    let batch = BatchFixtures.batch(in: registry)
    let tag = try BatchFixtures.tag(1)
    _ = try await batch.serve(tag, asked: try await batch.claimNext())
    let next = try #require(try await batch.claimNext())
    #expect(next.number == 2)
    guard case .alreadyDone(let row) = try await batch.serve(tag, asked: next) else {
      Issue.record("not recognised")
      return
    }
    #expect(row.number == 1)
    #expect(try batch.rows(in: [.done]).map(\.number) == [1])
  }

  @Test("a tag that was written and holds something else since is told, not taken")
  func differs() async throws {
    let batch = BatchFixtures.batch(in: registry)
    let tag = try BatchFixtures.tag(1)
    _ = try await batch.serve(tag, asked: try await batch.claimNext())
    let other = try BatchFixtures.tag(1) {
      $0.hold(message: NDEFMessage(uri: "https://x.y/").bytes)
    }
    #expect(try await refusal(batch.serve(other, asked: nil)) == "tag-differs")
  }

  @Test("data that is not ours is kept unless overwriting was asked for")
  func foreign() async throws {
    let foreign = NDEFMessage(uri: Fixtures.foreign).bytes
    let tag = try BatchFixtures.tag(1) { $0.hold(message: foreign) }
    let batch = BatchFixtures.batch(in: registry)
    let row = try #require(try await batch.claimNext())
    #expect(try await refusal(batch.serve(tag, asked: row)) == "foreign-data")
    #expect(try batch.rows(in: [.pending]).count == 3)
    let bold = BatchFixtures.batch(in: registry) { $0.overwrites = true }
    guard case .finished = try await bold.serve(tag, asked: try await bold.claimNext()) else {
      Issue.record("not written")
      return
    }
  }

  @Test("a tag that carries another code is taken only to be reused, and that code is retired")
  func reuse() async throws {
    let tag = try BatchFixtures.tag(1)
    let issuer = TagIssuer(ledger: registry.ledger(), check: registry.check)
    let approval = try registry.approve(Fixtures.sanFrancisco)
    let plan = try await issuer.plan(approval, on: tag, overwriting: false)
    let code = try await issuer.execute(plan, for: approval, on: tag, reader: "r").code
    let batch = BatchFixtures.batch(in: registry)
    let served = try await batch.serve(tag, asked: try await batch.claimNext())
    #expect(try refusal(served) == "tag-in-use")
    guard case .refused(_, _, let error) = served else { return }
    #expect((error as? IssuingError)?.message.contains(code.description) == true)
    let reusing = BatchFixtures.batch(in: registry) { $0.reuses = true }
    guard case .finished = try await reusing.serve(tag, asked: try await reusing.claimNext()) else {
      Issue.record("not written")
      return
    }
    #expect(try registry.code(id: code)?.status == .retired)
  }

  @Test("what another changes between two tags counts for the second")
  func changedBetween() async throws {
    let batch = BatchFixtures.batch(in: registry)
    _ = try await batch.serve(try BatchFixtures.tag(1), asked: try await batch.claimNext())
    let row = try #require(try await batch.claimNext())
    try await registry.write { registry in
      for one in try registry.experiences() { try registry.removeExperience(link: one.link) }
    }
    await #expect(throws: IssueRefusal.self) {
      try await batch.serve(try BatchFixtures.tag(2), asked: row)
    }
    #expect(try batch.counts()[.done] == 1)
  }

  @Test("the rows are counted on the way as they are")
  func counted() async throws {
    let batch = BatchFixtures.batch(in: registry)
    let (row, before) = try await batch.claimNextCounting()
    #expect(before == (try batch.counts()))
    let counted = Mutex(BatchCounts?.none)
    _ = try await batch.serve(try BatchFixtures.tag(1), asked: row) { _ in
    } counting: { counts in
      counted.withLock { $0 = counts }
    }
    let after = try batch.counts()
    #expect(after[.done] == 1 && after[.pending] == 2)
    for state in BatchRow.State.allCases {
      #expect(counted.withLock(\.self)?[state] == after[state])
    }
  }

  @Test("each tag fills its own UID and counter into a row's URL, and is known by that again")
  func templates() async throws {
    let registry = try Fixtures.registry()
    let text = "\(Fixtures.cupertino)?t={uid}x{counter}"
    let file = BatchFile(Array("url\n\(text)\n\(text)\n".utf8))
    #expect(file.problems == [], "the same line is another URL on each tag")
    try await registry.begin(file.orders)
    let batch = BatchFixtures.batch(in: registry)
    #expect(try batch.objections(to: file).isEmpty)
    for number: UInt8 in [1, 2] {
      let tag = try BatchFixtures.tag(number)
      guard
        case .finished(let row, _) = try await batch.serve(tag, asked: try await batch.claimNext())
      else {
        Issue.record("not written")
        return
      }
      let uid = tag.target.uid.hexadecimal
      let code = try #require(row.tag?.code)
      #expect(try registry.code(id: code)?.payload == "\(Fixtures.cupertino)?t=\(uid)x000000")
      #expect(try await tag.url()?.hasPrefix("\(Fixtures.cupertino)?t=\(uid)x") == true)
      for _ in 0..<3 {
        try await tag.reselect(fieldCycle: true)
        _ = try await tag.url()
      }
      guard case .alreadyDone = try await batch.serve(tag, asked: nil) else {
        Issue.record("not known again")
        return
      }
    }
    let plain = try BatchFixtures.tag(1) {
      $0.hold(message: NDEFMessage(uri: "\(Fixtures.cupertino)?t=04").bytes)
    }
    #expect(try await refusal(batch.serve(plain, asked: nil)) == "tag-differs")
  }

  @Test(
    "tags that have the batch's password are opened with it, others with a password are not taken")
  func passwords() async throws {
    let guarded = try TagInMemory(.ntag213, uid: [0x04, 1, 2, 3, 4, 5, 1]) {
      $0.place([0x04, 0x00, 0x00, 0x04], atPage: 0x29)
      $0.place([0xA1, 0xB2, 0xC3, 0xD4, 0x01, 0x02], atPage: 0x2B)
      $0.fieldOff()
      $0.fieldOn()
    }
    let plain = BatchFixtures.batch(in: registry)
    #expect(
      try await refusal(plain.serve(guarded, asked: try await plain.claimNext())) == "tag-password")
    for (text, opens) in [("00000000", false), ("A1B2C3D4:*", true)] {
      let batch = BatchFixtures.batch(in: registry) { $0.password = TagPassword(text) }
      let served = try await batch.serve(guarded, asked: try await batch.claimNext())
      if case .finished = served {
        #expect(opens)
      } else {
        #expect(!opens)
        #expect(try refusal(served) == "tag-password")
      }
    }
  }

  @Test(
    "a password is put in force on each tag, and a tag that leaves anywhere is finished later",
    arguments: [false, true])
  func setsPassword(losesAnswer: Bool) async throws {
    for count in stride(from: 0, to: 90, by: 3) {
      let registry = try Fixtures.registry()
      try await registry.begin(BatchFixtures.orders(1))
      let batch = BatchFixtures.batch(in: registry) {
        $0.password = TagPassword("A1B2C3D4:0102")
        $0.setsPassword = true
      }
      let tag = try BatchFixtures.tag(1)
      let losing = LosingChannel(tag, after: count, losesAnswer: losesAnswer)
      let served = try await batch.serve(losing, asked: try await batch.claimNext())
      if case .finished = served {
      } else {
        #expect(try batch.counts()[.done] == 0, "\(count)")
        _ = try await batch.serve(tag, asked: try await batch.claimNext())
      }
      let rows = try batch.rows(in: [.done])
      #expect(rows.count == 1, "\(count)")
      let held = try await Type2Tag.identify(over: tag, includingConfiguration: true)
      #expect(held.passwordRule == PasswordRule(), "\(count)")
      #expect(try await tag.url() == BatchFixtures.url(1))
      let code = try #require(rows.first?.tag?.code)
      #expect(try registry.history(of: code).map(\.kind).contains(.passwordSet))
    }
  }

  @Test("a tag that takes no password is not written when each shall have one")
  func takesNoPassword() async throws {
    let batch = BatchFixtures.batch(in: registry) {
      $0.password = TagPassword("A1B2C3D4:0102")
      $0.setsPassword = true
    }
    let tag = try TagInMemory(.ultralight, uid: [0x04, 1, 2, 3, 4, 5, 9])
    let before = await tag.memory
    #expect(
      try await refusal(batch.serve(tag, asked: try await batch.claimNext())) == "tag-unsupported")
    #expect(await tag.memory == before)
    #expect(try batch.rows(in: [.pending]).count == 3)
  }

  @Test("a tag of another product than was asked for is not taken")
  func product() async throws {
    let batch = BatchFixtures.batch(in: registry) { $0.type = "ntag215" }
    let tag = try BatchFixtures.tag(1)
    #expect(
      try await refusal(batch.serve(tag, asked: try await batch.claimNext())) == "wrong-tag-type")
    let right = BatchFixtures.batch(in: registry) { $0.type = "ntag213" }
    guard case .finished = try await right.serve(tag, asked: try await right.claimNext()) else {
      Issue.record("not written")
      return
    }
  }

  @Test("only a genuine tag is taken when that is required")
  func genuine() async throws {
    let batch = BatchFixtures.batch(in: registry) { $0.requiresGenuine = true }
    let copy = try BatchFixtures.tag(1)
    #expect(
      try await refusal(batch.serve(copy, asked: try await batch.claimNext())) == "not-genuine")
    let tag = try TagInMemory()  // its signature is a published vector
    guard
      case .finished(let row, _) = try await batch.serve(tag, asked: try await batch.claimNext())
    else {
      Issue.record("not written")
      return
    }
    #expect(row.tag?.signature == "genuine")
  }

  @Test("a row that names its tag is written to that one, whatever was asked for")
  func wanted() async throws {
    let tag = try BatchFixtures.tag(7)
    let orders =
      BatchFixtures.orders(3) + [
        BatchRow.Order(url: BatchFixtures.url(4), wantedUID: tag.target.uid.hexadecimal)
      ]
    try await registry.begin(orders)
    let batch = BatchFixtures.batch(in: registry)
    let row = try #require(try await batch.claimNext())
    guard case .finished(let done, _) = try await batch.serve(tag, asked: row) else {
      Issue.record("not written")
      return
    }
    #expect(done.number == 4)
    #expect(try batch.rows(in: [.pending]).map(\.number) == [1, 2, 3])
  }

  @Test("a tag for which no row is left is not written")
  func unasked() async throws {
    let batch = BatchFixtures.batch(in: registry)
    let tag = try BatchFixtures.tag(1)
    let before = await tag.memory
    guard case .unasked = try await batch.serve(tag, asked: nil) else {
      Issue.record("taken")
      return
    }
    #expect(await tag.memory == before)
  }

  @Test("a tag that refuses a page is given up, and its row is asked for again")
  func spoiled() async throws {
    let batch = BatchFixtures.batch(in: registry)
    let tag = LosingChannel(try BatchFixtures.tag(1), after: .max, refusing: 0xA2)
    guard
      case .spoiled(let row, let error) = try await batch.serve(
        tag, asked: try await batch.claimNext())
    else {
      Issue.record("not spoiled")
      return
    }
    #expect(error.code == .writeRefused)
    #expect(row.state == .pending)
    let again = try await batch.serve(try BatchFixtures.tag(1), asked: row)
    #expect(try refusal(again) == "tag-in-use", "a tag given up is not taken again")
  }

  @Test("a tag that leaves at any exchange is finished for its own row when it comes back")
  func tornAnywhere() async throws {
    var kinds: Set<String> = []
    for count in 0..<60 {
      let registry = try Fixtures.registry()
      try await registry.begin(BatchFixtures.orders(2))
      let batch = BatchFixtures.batch(in: registry)
      let tag = try BatchFixtures.tag(1)
      let row = try #require(try await batch.claimNext())
      switch try await batch.serve(LosingChannel(tag, after: count), asked: row) {
      case .finished: kinds.insert("finished")
      case .left:
        kinds.insert("left")
        #expect(try batch.rows(in: [.pending]).count == 2)
      case .torn(let torn, _):
        kinds.insert("torn")
        #expect(torn.number == 1)
        #expect(try batch.rowsForOneTag().map(\.number) == [1])
        // Another tag in between takes the next row.
        let next = try #require(try await batch.claimNext())
        #expect(next.number == 2)
        _ = try await batch.serve(try BatchFixtures.tag(2), asked: next)
      case let other: Issue.record("\(count): \(other)")
      }
      _ = try await batch.serve(tag, asked: try await batch.claimNext())
      if try batch.counts().remaining > 0 {
        _ = try await batch.serve(try BatchFixtures.tag(2), asked: try await batch.claimNext())
      }
      try expectComplete(batch, [try await tag.url(): tag.target.uid])
    }
    #expect(kinds == ["finished", "left", "torn"])
  }

  @Test("a station that dies at any exchange or record leaves what another one finishes")
  func diesAnywhere() async throws {
    for count in 0..<60 {
      for dyingInRegistry in [false, true] {
        let registry = try Fixtures.registry()
        try await registry.begin(BatchFixtures.orders(2))
        let dying = BatchFixtures.batch(
          in: dyingInRegistry ? FailingRegistry(registry, after: count) : registry)
        let tag = try BatchFixtures.tag(1)
        let channel = LosingChannel(tag, after: dyingInRegistry ? .max : count, with: .readerFailed)
        let died: Bool
        do {
          let row = try await dying.claimNext()
          if case .refused = try await dying.serve(channel, asked: row) {
            died = true
          } else {
            died = false
          }
        } catch {
          died = true
        }
        if dyingInRegistry && count > 8 { #expect(!died) }
        // The next station sees that the first has gone.
        let batch = BatchFixtures.batch(in: registry, station: 2, dead: [1])
        let row = try await batch.claimNext()
        _ = try await batch.serve(tag, asked: row)
        if try batch.counts().remaining > 0 {
          _ = try await batch.serve(try BatchFixtures.tag(2), asked: try await batch.claimNext())
        }
        try expectComplete(batch, [try await tag.url(): tag.target.uid])
      }
    }
  }

  @Test("a station does not finish the row that another one is working on")
  func busy() async throws {
    let first = BatchFixtures.batch(in: registry, station: 1)
    let second = BatchFixtures.batch(in: registry, station: 2)
    let tag = try BatchFixtures.tag(1)
    let row = try #require(try await first.claimNext())
    let torn = LosingChannel(tag, after: 6)
    guard case .torn = try await first.serve(torn, asked: row) else {
      Issue.record("not torn")
      return
    }
    #expect(try await refusal(second.serve(tag, asked: try await second.claimNext())) == "row-busy")
  }

  @Test("an operator's decision frees a torn row, and the tag it had stays out")
  func givenUp() async throws {
    let batch = BatchFixtures.batch(in: registry)
    let tag = try BatchFixtures.tag(1)
    _ = try await batch.serve(LosingChannel(tag, after: 6), asked: try await batch.claimNext())
    #expect(try await batch.decide(reason: "lost", torn: true).map(\.number) == [1])
    #expect(try await refusal(batch.serve(tag, asked: try await batch.claimNext())) == "tag-in-use")
    guard
      case .finished(let row, _) = try await batch.serve(
        try BatchFixtures.tag(2), asked: try await batch.claimNext())
    else {
      Issue.record("not written")
      return
    }
    #expect(row.number == 1)
  }

  @Test("a row that is done again takes another tag; a skipped one takes none")
  func decisions() async throws {
    let batch = BatchFixtures.batch(in: registry)
    _ = try await batch.serve(try BatchFixtures.tag(1), asked: try await batch.claimNext())
    try await batch.release()
    try await batch.decide(redo: [1], reason: "broken")
    try await batch.decide(skip: [2], reason: "no table")
    #expect(try await batch.claimNext()?.number == 1)
    #expect(try batch.counts()[.skipped] == 1)
    await #expect(throws: RegistryError(.notFound, "", hint: "")) {
      try await batch.decide(redo: [9])
    }
    let other = BatchFixtures.batch(in: registry, station: 2)
    await #expect(throws: RegistryError(.rowNotFree, "", hint: "")) {
      try await other.decide(skip: [1])
    }
  }

  /// Expects that every row is done, each by a separate tag, and that the tags hold the URLs of the
  /// ledger.
  private func expectComplete(
    _ batch: TagBatch, _ tags: [String?: [UInt8]],
    sourceLocation: SourceLocation = #_sourceLocation
  ) throws {
    let rows = try batch.rows(in: [.done])
    #expect(rows.map(\.number) == [1, 2], sourceLocation: sourceLocation)
    #expect(Set(rows.compactMap(\.tag?.uid)).count == 2, sourceLocation: sourceLocation)
    for (url, uid) in tags {
      let row = rows.first { $0.tag?.uid == uid.hexadecimal }
      #expect(row?.order.url == url, sourceLocation: sourceLocation)
    }
    let codes = try batch.registry.codes(CodeFilter(status: .issued))
    #expect(codes.count == 2, sourceLocation: sourceLocation)
  }
}

/// The code of a refusal.
private func refusal(_ served: TagBatch.Served) throws -> String? {
  guard case .refused(_, _, let error) = served else { return "\(served)" }
  return (error as? IssuingError)?.code.rawValue ?? (error as? TagError)?.code.rawValue
}
