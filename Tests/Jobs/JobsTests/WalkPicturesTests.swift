import Auditing
import CliptagBasics
import CodeScanning
import Foundation
import Invocation
import Issuing
import Jobs
import JourneyFixtures
import Pictures
import Registry
import Synchronization
import Testing
import Verifying

/// A walk and notes as a program of one's own makes them.
@Suite("Jobs: walks and notes") struct WalkPicturesTests {
  private let registry: any RegistryStore
  private let workplace: Workplace
  private let folder: ScratchFolder

  init() throws {
    registry = try Fixtures.registry()
    workplace = Workplace(registry: registry, person: "ada")
    folder = try #require(ScratchFolder())
  }

  private func picture(of url: String) throws -> PictureInput {
    let path = "\(folder.path)/wall.png"
    try Fixtures.picture(of: [url], module: 4).write(to: URL(filePath: path))
    return PictureInput(path: path)
  }

  private func verifier() -> Verifier {
    Verifier(check: InvocationCheck(directory: registry), location: .waived)
  }

  @Test("pictures become stops of the day's walk, and known ones are left out the next time")
  func walk() async throws {
    let job = WalkPictures([try picture(of: Fixtures.cupertino)], with: verifier())
    let known = Mutex<[Bool]>([])
    for _ in 1...2 {
      _ = try await job.run(in: workplace) { event in
        if case .observed(let seen) = event, seen.end == nil || seen.isKnown || seen.stop != nil {
          known.withLock { $0.append(seen.isKnown) }
        }
      }
    }
    #expect(known.withLock(\.self).contains(false) && known.withLock(\.self).last == true)
    let walk = try #require(try registry.walks().first)
    #expect(try registry.walks().count == 1 && walk.who == "ada")
    #expect(try registry.lastStop(of: walk.id) == 1)
  }

  private func wall(_ name: String = "wall.png") throws -> PictureInput {
    let path = "\(folder.path)/\(name)"
    let grey = GreyPicture(
      width: 1_200, height: 900, pixels: [UInt8](repeating: 160, count: 1_200 * 900))
    try Data(try PNGWriter.colour(ColourPicture(grey))).write(to: URL(filePath: path))
    return PictureInput(path: path)
  }

  private func addPlace() throws {
    let circle = try #require(Region(latitude: 37.323, longitude: -122.0322, radius: 100))
    try registry.add(Place(id: "cupertino", region: circle))
  }

  private func stops(_ job: WalkPictures) async throws -> [WalkStop] {
    let session = try await job.run(in: workplace) { _ in }
    return try registry.stops(of: session.walk.id)
  }

  @Test(
    "a picture of an empty wall is a visit at every budget",
    arguments: [.milliseconds(1), .milliseconds(20), .milliseconds(400), nil] as [Duration?])
  func emptyWall(budget: Duration?) async throws {
    try addPlace()
    var job = WalkPictures([try wall()], with: verifier())
    job.verifier.options.scanner.budget = budget
    job.circumstances.place = "cupertino"
    let stops = try await stops(job)
    #expect(stops.count == 1 && stops.first?.readings == [])
    if budget == nil { #expect(stops.first?.findings == []) }
  }

  @Test("a search that ended at its budget is said, and a whole one replaces it once")
  func unfinished() async throws {
    try addPlace()
    var job = WalkPictures([try wall()], with: verifier())
    job.circumstances.place = "cupertino"
    job.verifier.options.scanner.budget = .milliseconds(1)
    for _ in 1...2 {
      #expect(try await stops(job).map { $0.findings.map(\.code) } == [[.unfinishedSearch]])
    }
    job.verifier.options.scanner.budget = nil
    for _ in 1...2 {
      let all = try await stops(job).map { $0.findings.map(\.code) }
      #expect(all == [[.unfinishedSearch], []])
    }
  }

  @Test("a place that is not on record is named, and no walk is begun")
  func unknownPlace() async throws {
    var job = WalkPictures([try picture(of: Fixtures.cupertino)], with: verifier())
    job.circumstances.place = "atlantis"
    let wrong = job
    let error = await #expect(throws: NotOnRecord.self) { _ = try await wrong.run(in: workplace) }
    #expect(error == NotOnRecord(kind: .place, name: "atlantis"))
    #expect(try registry.walks().isEmpty)
  }

  @Test("a note goes into the history of its code, and a rehearsal leaves it as it was")
  func note() async throws {
    let issuer = Issuer(registry: registry, who: "ada")
    let path = "\(folder.path)/code.svg"
    let code = try #require(try await issuer.issue(Fixtures.cupertino, to: path).id)
    var job = NoteCode(code.description, .installed)
    job.note = "at the door"
    job.dryRun = true
    let rehearsed = try await job.run(in: workplace)
    job.dryRun = false
    let noted = try await job.run(in: workplace)
    #expect(noted.history.count == rehearsed.history.count + 1)
    #expect(noted.history.last?.kind == .installed && noted.history.last?.who == "ada")
  }

  @Test("a code that is not on record is named")
  func unknownCode() async throws {
    await #expect(throws: NotOnRecord(kind: .code, name: "c-nothing")) {
      _ = try await NoteCode("c-nothing", .read).run(in: workplace)
    }
  }
}
