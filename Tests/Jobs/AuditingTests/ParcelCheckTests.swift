import CliptagBasics
@testable import Auditing
import CodeDrawing
import CodeScanning
import JourneyFixtures
import Foundation
import Invocation
import Registry
import Testing
import Verifying

@Suite("Parcels")
struct ParcelCheckTests {
  private static let noon = Date(timeIntervalSince1970: 1_795_262_400)

  private static func place(_ id: String, name: String? = nil, at latitude: Double) -> Place {
    let centre = Coordinate(latitude: latitude, longitude: -122)
    let circle = centre.flatMap { Region.Circle(centre: $0, radius: 100) }
    return Place(id: id, name: name ?? "Fruta \(id)", region: .circle(circle!))
  }

  /// Two places, the first with a printed code and two tags, the second with a printed code.
  private struct Scene {
    let registry: any RegistryStore
    let list: PackingList

    init(name: String? = nil) throws {
      registry = try RegistryLocation.memory.open()
      let cupertino = ParcelCheckTests.place("cupertino", name: name, at: 37.3)
      try registry.add(cupertino)
      try registry.add(ParcelCheckTests.place("san-francisco", at: 37.7))
      try Self.issue(Fixtures.cupertino, in: registry)
      try Self.issue(Fixtures.cupertino, uid: "04A1", in: registry)
      try Self.issue(Fixtures.cupertino, uid: "04A2", in: registry)
      try Self.issue(Fixtures.sanFrancisco, place: "san-francisco", in: registry)
      list = try PackingList(of: cupertino, in: registry)
    }

    @discardableResult
    static func issue(
      _ url: String, uid: String? = nil, place: String? = "cupertino",
      in registry: any RegistryStore
    ) throws -> CodeID {
      // Codes are listed by their time, which their names begin with.
      let time = noon.addingTimeInterval(Double(try registry.codes().count))
      let id = CodeID(at: time)
      let code = IssuedCode(
        id: id, payload: url, carrier: uid == nil ? .qr : .nfc, placeID: place, created: time,
        registered: true, output: uid == nil ? "sign.pdf" : nil, tagUID: uid)
      try registry.issue([code], by: "tester")
      return id
    }

    func check(copies: Int = 1) -> ParcelCheck {
      ParcelCheck(list, in: registry, copies: copies)
    }
  }

  private func printed(_ url: String, _ source: String = "a.jpg") throws -> VerifiedCode {
    try Verifier(check: Fixtures.registry().check).examine(url, on: .qr, source: source)
  }

  private func tag(_ url: String, _ uid: String) throws -> VerifiedCode {
    VerifiedCode(
      source: "reader",
      verification: try Verifier(check: Fixtures.registry().check)
        .examine(url, on: .nfc, source: "reader").verification,
      tag: TagFacts(
        uid: uid, type: "NTAG213", capacity: 137, used: 38, locked: false,
        passwordProtected: false))
  }

  @Test("print and tag of one URL are two codes, and so are two tags")
  func carriers() throws {
    let scene = try Scene()
    var check = scene.check()
    #expect(try check.take(printed(Fixtures.cupertino)).result == .expected)
    #expect(check.missing.map(\.code.tagUID) == ["04A1", "04A2"])
    #expect(try check.take(tag(Fixtures.cupertino, "04A2")).result == .expected)
    #expect(check.missing.map(\.code.tagUID) == ["04A1"])
    #expect(!check.isComplete)
    #expect(try check.take(tag(Fixtures.cupertino, "04A1")).result == .expected)
    #expect(check.isComplete && check.readCount == 3)
  }

  @Test("a tag read again is the same tag, a print read again is a second one")
  func again() throws {
    let scene = try Scene()
    var check = scene.check()
    _ = try check.take(tag(Fixtures.cupertino, "04A1"))
    #expect(try check.take(tag(Fixtures.cupertino, "04A1")).result == .again)
    #expect(check.troubleCount == 0)
    _ = try check.take(printed(Fixtures.cupertino))
    let second = try check.take(printed(Fixtures.cupertino, "b.jpg"))
    #expect(second.result == .duplicate)
    #expect(second.findings.map(\.code) == [.parcelDuplicate])
    #expect(second.findings[0].message.contains("in a.jpg before"))
    #expect(check.troubleCount == 1)
  }

  @Test("as many copies may be in as were asked for, and not one more")
  func copies() throws {
    var check = try Scene().check(copies: 3)
    let results = try (0..<4).map { _ in try check.take(printed(Fixtures.cupertino)).result }
    #expect(results == [.expected, .again, .again, .duplicate])
  }

  /// A place with one code, printed for the door and, in a number of copies, for the counter.
  private func twins(copies: Int = 1) throws -> (registry: any RegistryStore, list: PackingList) {
    let registry = try RegistryLocation.memory.open()
    let place = Self.place("cupertino", at: 37.3)
    try registry.add(place)
    let time = Self.noon
    func code(_ output: String) -> IssuedCode {
      IssuedCode(
        id: CodeID(at: time), payload: Fixtures.cupertino, carrier: .qr, placeID: place.id,
        created: time, registered: true, output: output)
    }
    let door = code("door.pdf")
    try registry.issue(door, by: "tester", details: ["output": "door.pdf"])
    try registry.reissue(
      IssuedCode(
        id: door.id, payload: door.payload, carrier: .qr, placeID: place.id, created: time,
        registered: true, output: "counter.pdf"), at: time, by: "tester",
      details: copies > 1 ? ["copies": "\(copies)"] : [:])
    return (registry, try PackingList(of: place, in: registry))
  }

  private func picture(_ source: String, _ count: Int) throws -> CodeObservation {
    var seen = CodeObservation(.picture, source: source)
    seen.codes = try (0..<count).map { _ in try printed(Fixtures.cupertino, source) }
    return seen
  }

  @Test("a parcel of two prints of one code is complete when both were read")
  func twoPrints() throws {
    let (registry, list) = try twins()
    #expect(list.pieceCount == 2 && list.summary == "1 code: 1 printed, 0 tags; 2 items")
    var check = ParcelCheck(list, in: registry)
    let first = try check.take(picture("a.jpg", 1))
    #expect(first.map(\.result) == [.expected])
    #expect(first[0].count == ParcelCheck.Count(seen: 1, pieces: 2))
    #expect(check.missing.isEmpty && !check.isComplete && check.pieceCount == 1)
    #expect(check.incomplete.map(\.count) == [ParcelCheck.Count(seen: 1, pieces: 2)])
    #expect(check.apart.isEmpty)

    let second = try check.take(picture("b.jpg", 1))
    #expect(second.map(\.result) == [.again] && second[0].count?.seen == 2)
    #expect(check.isComplete && check.incomplete.isEmpty && check.apart.count == 1)
    let third = try check.take(picture("c.jpg", 1))
    #expect(third.map(\.result) == [.duplicate])
    #expect(third[0].findings[0].message.contains("2 times before, and has 2 prints"))
    #expect(!check.isComplete)
  }

  @Test("two places in one picture are two prints, and copies count")
  func together() throws {
    let (registry, list) = try twins(copies: 3)
    #expect(list.items.map(\.pieceCount) == [4])
    var check = ParcelCheck(list, in: registry)
    #expect(try check.take(picture("a.jpg", 3)).map(\.result) == [.expected, .again, .again])
    #expect(check.incomplete.map(\.count.seen) == [3])
    check = ParcelCheck(list, in: registry)
    #expect(try check.take(picture("a.jpg", 5)).last?.result == .duplicate)
    #expect(check.incomplete.isEmpty && check.apart.isEmpty && check.troubleCount == 1)
  }

  @Test("a print that was thrown away is no longer expected")
  func discarded() throws {
    let (registry, list) = try twins()
    try registry.discard(list.items[0].items[1].name, at: Self.noon + 60, by: "tester")
    let rest = try PackingList(of: list.place, in: registry)
    #expect(rest.items.map { $0.items.map(\.output) } == [["counter.pdf"]])
    var check = ParcelCheck(rest, in: registry)
    _ = try check.take(picture("a.jpg", 1))
    #expect(check.isComplete)
  }

  @Test("each print of a code has a box on the page, and its name")
  func pageOfPrints() throws {
    let list = try twins().list
    let html = PackingPage(list).html
    #expect(html.components(separatedBy: "type=\"checkbox\"").count == 4)
    for item in list.items[0].items { #expect(html.contains(item.name)) }
  }

  @Test("a code of another place is named with its place")
  func swapped() throws {
    var check = try Scene().check()
    let answer = try check.take(printed(Fixtures.sanFrancisco))
    #expect(answer.result == .swapped)
    #expect(answer.findings.map(\.code) == [.parcelSwapped])
    #expect(answer.findings[0].message.contains("belongs to Fruta san-francisco (san-francisco)"))
    #expect(check.troubleCount == 1 && check.missing.count == 3)
  }

  @Test("what is not ours is foreign, a copy of our tag too")
  func foreign() throws {
    var check = try Scene().check()
    #expect(try check.take(printed(Fixtures.foreign)).result == .foreign)
    let copy = try check.take(tag(Fixtures.cupertino, "04FF"))
    #expect(copy.result == .foreign)
    #expect(copy.findings[0].message.contains("this one is a copy"))
    // The San Francisco URL was printed, and never put on a tag.
    let onTag = try check.take(tag(Fixtures.sanFrancisco, "04FF"))
    #expect(onTag.result == .foreign)
    #expect(onTag.findings[0].message.contains("in print only"))
    #expect(check.troubleCount == 3)
  }

  @Test("a retired code must not travel, unless the same was issued anew")
  func retired() throws {
    let scene = try Scene()
    let old = try Scene.issue(Fixtures.cupertino + "/old", in: scene.registry)
    try scene.registry.retire(old, at: Self.noon, by: "tester")
    var check = scene.check()
    let answer = try check.take(printed(Fixtures.cupertino + "/old"))
    #expect(answer.result == .retired && answer.code?.id == old)
    #expect(!scene.list.items.contains { $0.code.id == old })
    try Scene.issue(Fixtures.cupertino + "/old", in: scene.registry)
    let list = try PackingList(of: scene.list.place, in: scene.registry)
    check = ParcelCheck(list, in: scene.registry)
    #expect(try check.take(printed(Fixtures.cupertino + "/old")).result == .expected)
  }

  @Test("a symbol that resembles a QR code is trouble, and a barcode of goods is not")
  func otherKinds() throws {
    var check = try Scene().check()
    let barcode = try Verifier(check: Fixtures.registry().check)
      .examine(Fixtures.cupertino, on: .barcode, source: "a.jpg")
    var seen = CodeObservation(.picture, source: "a.jpg")
    seen.codes = [barcode]
    #expect(try check.take(seen).isEmpty && check.troubleCount == 0)
    let finding = try #require(Finding.about(.microQR))
    seen.codes = [barcode.adding([finding])]
    let answer = try #require(try check.take(seen).first)
    #expect(answer.result == .foreign && answer.findings.map(\.message) == [finding.message])
    #expect(check.troubleCount == 1)
  }

  @Test("a code of no place does not belong into any parcel")
  func placeless() throws {
    let scene = try Scene()
    try Scene.issue(Fixtures.foreign, place: nil, in: scene.registry)
    var check = scene.check()
    #expect(try check.take(printed(Fixtures.foreign)).result == .swapped)
  }

  @Test("packing is recorded for every code of the list, once for each time")
  func recorded() throws {
    let scene = try Scene()
    var check = scene.check()
    _ = try check.take(printed(Fixtures.cupertino))
    #expect(try check.unrecordedCount() == 1)
    try scene.registry.recordPacked(scene.list, at: Self.noon, by: "packer")
    #expect(try check.unrecordedCount() == 0)
    for item in scene.list.items {
      let last = try #require(try scene.registry.history(of: item.code.id).last)
      #expect(last.kind == .packed && last.who == "packer")
      #expect(last.details == ["place": "cupertino"])
    }
  }

  @Test("the CSV has its columns, the latest at the end, with quotes where they are needed")
  func csv() throws {
    let list = try Scene().list
    #expect(
      PackingList.csvHeader
        == "code,carrier,uid,url,place,where,label,sheet,position,copies,pieces,items\r\n")
    let lines = list.items.map(list.csvLine)
    #expect(
      lines[0]
        == "\(list.items[0].code.id),qr,,\(Fixtures.cupertino),cupertino,sign.pdf,,,,1,1,"
        + "\(list.items[0].items[0].name)\r\n")
    #expect(lines[1].contains(",nfc,04A1,"))
  }

  @Test("a long list has many pages, every code once, and the same bytes each time")
  func pages() async throws {
    let scene = try Scene(name: "フルータ渋谷 · فروتا")
    for number in 0..<100 {
      try Scene.issue("\(Fixtures.cupertino)/table/\(number)", in: scene.registry)
    }
    let list = try PackingList(of: scene.list.place, in: scene.registry)
    let paper = try PaperSize("A4")
    let made = try await PackingPage(list).pdf(on: paper, creationTime: nil)
    let again = try await PackingPage(list).pdf(on: paper, creationTime: nil)
    #expect(made.bytes == again.bytes)
    #expect((4...9).contains(made.pages))
  }

  @Test("the list as a web page shows every name as text")
  func webPage() throws {
    let scene = try Scene(name: "Fruta & <b>Söhne</b>")
    let html = PackingPage(scene.list, scanning: "pack verify").html
    #expect(html.contains("<h1><bdi>\(xmlEscaped("Fruta & <b>Söhne</b>"))</bdi></h1>"), "\(html)")
    #expect(!html.contains("<b>S"))
    #expect(html.ranges(of: "type=\"checkbox\"").count == scene.list.items.count)
    for item in scene.list.items { #expect(html.contains(item.code.id.description)) }
  }
}
