import Auditing
import CliptagBasics
import Foundation
import Invocation
import Issuing
import Jobs
import JourneyFixtures
import Publishing
import Registry
import Synchronization
import Testing
import Verifying

/// Jobs about codes on record, parcels, reports and the registry's file.
@Suite("Jobs: the record, parcels and reports") struct RecordJobTests {
  private let registry: any RegistryStore
  private let workplace: Workplace
  private let folder: ScratchFolder

  init() throws {
    registry = try Fixtures.registry()
    let link = try InvocationURL("https://fruta.example.com/order")
    var experience = try #require(try registry.experience(link: link))
    experience.place = .path(template: try PathTemplate("/order/{place}"))
    try registry.replace(experience)
    for (id, latitude) in [("cupertino", 37.323), ("san-francisco", 37.7749)] {
      let centre = try #require(Coordinate(latitude: latitude, longitude: -122.0322))
      let circle = try #require(Region.Circle(centre: centre, radius: 100))
      try registry.add(Place(id: id, name: id, region: .circle(circle)))
    }
    workplace = Workplace(registry: registry, person: "ada")
    folder = try #require(ScratchFolder())
  }

  private func issue(_ urls: String...) async throws -> [CodeID] {
    let issuer = Issuer(registry: registry, who: "ada")
    var ids: [CodeID] = []
    for url in urls {
      let issued = try await issuer.issue(url, to: "\(folder.path)/\(ids.count).svg")
      ids.append(try #require(issued.id))
    }
    return ids
  }

  private func listed(_ job: ListCodes) async throws -> (ids: [CodeID], count: Int) {
    let found = Mutex<[CodeID]>([])
    let count = try await job.run(in: workplace) { event in
      if case .codes(let codes) = event { found.withLock { $0 += codes.map(\.code.id) } }
    }
    return (found.withLock(\.self), count)
  }

  @Test("the list of codes has those in use that hold a text, oldest first, with their number")
  func listOfCodes() async throws {
    let ids = try await issue(Fixtures.cupertino, Fixtures.sanFrancisco)
    var job = ListCodes()
    #expect(try await listed(job) == (ids, 2))
    job.text = "SAN-FRANCISCO"
    #expect(try await listed(job) == ([ids[1]], 1))
    _ = try await RetireCode(ids[1].description).run(in: workplace)
    #expect(try await listed(job) == ([], 0))
    job.filter.status = nil
    #expect(try await listed(job) == ([ids[1]], 1))
  }

  @Test("a list that is followed reports a code again when its history goes on")
  func followed() async throws {
    let ids = try await issue(Fixtures.cupertino)
    var job = ListCodes()
    job.follows = true
    let run = job.start(in: workplace)
    var seen: [CodeID] = []
    for await event in run {
      switch event {
      case .codes(let codes): seen += codes.map(\.code.id)
      case .listed: _ = try await NoteCode(ids[0].description, .installed).run(in: workplace)
      }
      if seen.count == 2 { break }
    }
    run.cancel()
    #expect(seen == [ids[0], ids[0]])
  }

  @Test("the item of a code is retired alone, by its name, and a list has the others")
  func retiredItem() async throws {
    let id = try await issue(Fixtures.cupertino)[0]
    let registry = workplace.registry
    let code = try #require(try registry.code(id: id))
    try registry.reissue(
      IssuedCode(
        id: id, payload: code.payload, carrier: .qr, created: code.created, registered: true,
        output: "counter.pdf", symbol: code.symbol), at: code.created + 60, by: "ada")
    let names = try registry.items(of: code).map(\.name)
    #expect(names.count == 2)
    _ = try await NoteCode(names[1].lowercased(), .installed).run(in: workplace)
    #expect(try registry.history(of: id).last?.details["item"] == names[1])
    await #expect(throws: NotOnRecord.self) {
      _ = try await NoteCode("\(id)-ZZZZZ", .installed).run(in: workplace)
    }
    var job = RetireCode(names[1])
    job.reason = "torn"
    for dryRun in [true, false] {
      job.dryRun = dryRun
      let retired = try await job.run(in: workplace)
      #expect(retired.code.status == .issued && retired.retiredItem?.name == names[1])
      #expect(retired.items.map(\.name) == (dryRun ? names : [names[0]]))
    }
    #expect(try registry.history(of: id).last?.details["reason"] == "torn")
    let items = Mutex<[[String]]>([])
    _ = try await ListCodes().run(in: workplace) { event in
      if case .codes(let codes) = event {
        items.withLock { $0 += codes.map { $0.items.map(\.name) } }
      }
    }
    #expect(items.withLock(\.self) == [[names[0]]])
    for name in [names[0], names[1], "c-x"] {
      let job = RetireCode(name)
      await #expect(throws: (any Error).self) { _ = try await job.run(in: workplace) }
    }
  }

  @Test(
    "a code is retired once, with the reason in its history, and a rehearsal leaves it as it is")
  func retired() async throws {
    let id = try await issue(Fixtures.cupertino)[0]
    var job = RetireCode(id.description)
    job.reason = "moved"
    job.dryRun = true
    #expect(try await job.run(in: workplace).code.status == .issued)
    job.dryRun = false
    let retired = try await job.run(in: workplace)
    #expect(retired.code.status == .retired && retired.result.status == "retired")
    #expect(retired.history.last?.details["reason"] == "moved")
    #expect(retired.history.last?.who == "ada")
    for dryRun in [true, false] {
      job.dryRun = dryRun
      let again = job
      let error = await #expect(throws: RegistryError.self) {
        _ = try await again.run(in: workplace)
      }
      #expect(error?.code == .alreadyRetired)
    }
  }

  @Test("a code that nobody read for the given days is due")
  func due() async throws {
    let id = try await issue(Fixtures.cupertino)[0]
    #expect(try await ListDue(afterDays: 30).run(in: workplace) == 0)
    var later = workplace
    later.now = { Date(timeIntervalSinceNow: 31 * 86_400) }
    let found = Mutex<[DueCodeResult]>([])
    let count = try await ListDue(afterDays: 30).run(in: later) { due in
      found.withLock { $0.append(DueCodeResult(due)) }
    }
    #expect(count == 1 && found.withLock(\.self).map(\.code) == [id.description])
  }

  @Test("a registry's file is taken in, and one with a mistake changes nothing")
  func imported() async throws {
    let text = registryText(of: "berkeley")
    var job = ImportRegistry(Data(text.utf8), as: .yaml, named: "registry.yaml")
    job.dryRun = true
    #expect(try await job.run(in: workplace).report.places.added == 1)
    #expect(try registry.place(id: "berkeley") == nil)
    job.dryRun = false
    let made = try await job.run(in: workplace)
    #expect(made.result.places.added == 1 && made.result.type == "import")
    #expect(try registry.place(id: "berkeley") != nil)
    let places = try registry.places().count
    let wrong = ImportRegistry(
      Data((registryText(of: "oakland") + "nonsense: true\n").utf8), as: .yaml, named: "x.yaml")
    await #expect(throws: RegistryError.self) { _ = try await wrong.run(in: workplace) }
    #expect(try registry.places().count == places)
  }

  @Test(
    "a file says how many codes in use it leaves without an experience, whatever it leaves out",
    arguments: ImportRegistry.Mode.allCases)
  func orphaned(mode: ImportRegistry.Mode) async throws {
    _ = try await issue(Fixtures.cupertino, Fixtures.sanFrancisco)
    var document = try registry.document()
    var job = ImportRegistry(
      Data(document.text(as: .yaml).utf8), as: .yaml, named: "registry.yaml")
    (job.mode, job.dryRun) = (mode, true)
    #expect(try await job.run(in: workplace).result.orphanedCodes == 0)
    if mode == .replaceAll { document.experiences = [] }
    let text = document.text(as: .yaml)
      .replacing("RECEIVED", with: "DEACTIVATED")
    job.bytes = Data(text.utf8)
    for isRehearsal in [true, false] {
      job.dryRun = isRehearsal
      let made = try await job.run(in: workplace)
      #expect(made.result.orphanedCodes == 2 && made.orphans.count == 2)
      #expect(made.orphans.allSatisfy { $0.code == .orphanedCode && $0.severity == .error })
    }
    let found = try RegistryReview(of: registry).orphans(engine: .segment)
    #expect(found.count == 2 && found[0].message.contains(Fixtures.cupertino))
  }

  private func registryText(of place: String) -> String {
    """
    places:
      - id: \(place)
        name: Somewhere
        region: { latitude: 37.87, longitude: -122.27, radius: 80 }

    """
  }

  @Test("a packing list names what belongs to a place, and records it only when asked to")
  func packed() async throws {
    let id = try await issue(Fixtures.cupertino, Fixtures.sanFrancisco)[0]
    var job = PackParcel("cupertino")
    #expect(try await job.run(in: workplace).items.map(\.code.id) == [id])
    #expect(try !registry.history(of: id).contains { $0.kind == .packed })
    job.records = true
    _ = try await job.run(in: workplace)
    #expect(try registry.history(of: id).last?.kind == .packed)
  }

  @Test("a place that is not on record, or has no codes, is named")
  func nothingToPack() async throws {
    await #expect(throws: NotOnRecord(kind: .place, name: "atlantis")) {
      _ = try await PackParcel("atlantis").run(in: workplace)
    }
    let place = try #require(try registry.place(id: "cupertino"))
    await #expect(throws: PackParcel.NothingToPack(place: place)) {
      _ = try await VerifyParcel("cupertino").run(in: workplace)
    }
  }

  @Test("a parcel is complete when its codes were read and no other, from pictures and from texts")
  func parcel() async throws {
    _ = try await issue(Fixtures.cupertino, Fixtures.sanFrancisco)
    let path = "\(folder.path)/parcel.png"
    try Fixtures.picture(of: [Fixtures.cupertino], module: 4).write(to: URL(filePath: path))
    var job = VerifyParcel("cupertino")
    #expect(try await job.run(in: workplace).isComplete == false)
    job.pictures = [PictureInput(path: path)]
    #expect(try await job.run(in: workplace).isComplete)
    job.texts = [Fixtures.sanFrancisco]
    let answers = Mutex<[ParcelItemResult]>([])
    let check = try await job.run(in: workplace) { event in
      if case .read(let answer) = event { answers.withLock { $0.append(ParcelItemResult(answer)) } }
    }
    #expect(check.troubleCount == 1)
    #expect(answers.withLock(\.self).map(\.result).first == "expected")
    #expect(answers.withLock(\.self).last?.findings.isEmpty == false)
  }

  @Test("a report is about all walks of a name, and without one about the latest")
  func report() async throws {
    await #expect(throws: MakeReport.NoWalk()) {
      _ = try await MakeReport().run(in: workplace)
    }
    _ = try await issue(Fixtures.cupertino)
    let path = "\(folder.path)/wall.png"
    try Fixtures.picture(of: [Fixtures.cupertino], module: 4).write(to: URL(filePath: path))
    for name in ["Spring", "Autumn"] {
      var job = WalkPictures(
        [PictureInput(path: path)],
        with: Verifier(check: InvocationCheck(directory: registry), location: .waived))
      job.circumstances.name = name
      _ = try await job.run(in: workplace)
    }
    #expect(try await MakeReport().run(in: workplace).report.title == "Autumn")
    let report = try await MakeReport(ofWalk: "Spring").run(in: workplace).report
    #expect(report.title == "Spring" && report.stopCount == 1)
    await #expect(throws: NotOnRecord(kind: .walk, name: "Winter")) {
      _ = try await MakeReport(ofWalk: "Winter").run(in: workplace)
    }
  }
}
