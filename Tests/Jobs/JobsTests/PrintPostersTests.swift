import CliptagBasics
import CodeDrawing
import CodeScanning
import Foundation
import Invocation
import Issuing
import Jobs
import JourneyFixtures
import Pictures
import Registry
import Testing

/// The posters of many rows as a program of one's own prints them, without a command.
@Suite("Job: print the posters of rows") struct PrintPostersTests {
  private static func workplace() throws -> Workplace {
    Workplace(registry: try Fixtures.registry(), person: "ada")
  }

  private static func job(_ csv: String, in folder: String) throws -> PrintPosters {
    PrintPosters(
      try LabelRows(Array(csv.utf8), named: "rows.csv"), to: .pages(.file(folder + "/run.pdf")))
  }

  @Test("each row is a page, and its items are on record with file, page and copies")
  func pages() async throws {
    let folder = try #require(ScratchFolder())
    let workplace = try Self.workplace()
    let job = try Self.job(
      """
      url,headline,copies,design,paper
      \(Fixtures.cupertino),Order here,2,bold,A6
      \(Fixtures.sanFrancisco),,,,100x150
      \(Fixtures.cupertino),Second door,,,
      """, in: folder.path)
    let made = try await job.run(in: workplace)
    let posters = made.issued.posters
    #expect(posters.map(\.label.row.number) == [1, 1, 2, 3])
    #expect(posters.map(\.label.position?.page) == [1, 2, 3, 4])
    #expect(posters.map(\.poster.page.width) == [105, 105, 100, 210])
    #expect(made.results.allSatisfy { $0.verified && $0.code != nil && !$0.dryRun })
    let code = try #require(posters.first?.label.id)
    #expect(posters[3].label.id == code, "one payload is one code")
    let recorded = try #require(try workplace.registry.code(id: code))
    let items = try workplace.registry.items(of: recorded)
    #expect(items.map(\.sheet) == [1, 4] && items.map(\.copies) == [2, 1])
    #expect(items.map(\.row) == [1, 3])
    #expect(items.map(\.output) == [folder.path + "/run.pdf", folder.path + "/run.pdf"])
  }

  @Test("a second run of the same rows issues nothing anew: codes and items stay the same")
  func again() async throws {
    let folder = try #require(ScratchFolder())
    let workplace = try Self.workplace()
    let job = try Self.job(
      "url\n\(Fixtures.cupertino)\n\(Fixtures.sanFrancisco)\n", in: folder.path)
    let first = try await job.run(in: workplace)
    let second = try await job.run(in: workplace)
    #expect(first.results.map(\.code) == second.results.map(\.code))
    #expect(first.results.map(\.item) == second.results.map(\.item))
    #expect(try workplace.registry.codes(CodeFilter()).count == 2)
  }

  @Test("a row that is refused keeps all from being printed and recorded")
  func refused() async throws {
    let folder = try #require(ScratchFolder())
    let workplace = try Self.workplace()
    let job = try Self.job(
      "url,headline\n\(Fixtures.cupertino),Order\n\(Fixtures.foreign),Order\n", in: folder.path)
    let refusal = await #expect(throws: LabelRefusal.self) { try await job.run(in: workplace) }
    #expect(refusal?.objections.map(\.line) == [3])
    #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path).isEmpty)
    #expect(try workplace.registry.codes(CodeFilter()).isEmpty)
  }

  @Test("all fields without a valid value are named at once, by line and column")
  func fields() async throws {
    let folder = try #require(ScratchFolder())
    let job = try Self.job(
      """
      url,design,paper,accent,width
      \(Fixtures.cupertino),baroque,B17,greenish,8O
      \(Fixtures.cupertino),Bold,a5,navy,4cm
      \(Fixtures.cupertino),,,,-1
      """, in: folder.path)
    let refusal = await #expect(throws: LabelRefusal.self) {
      try await job.run(in: Self.workplace())
    }
    let problems = refusal?.problems ?? []
    #expect(problems.map(\.line) == [2, 2, 2, 2, 4])
    #expect(problems.map { $0.message.contains("not a valid") } == [true, true, true, true, true])
    #expect(problems.first?.message.contains("classic, bold, editorial") == true)
  }

  @Test("words without room are named by the lines of their rows, before anything is drawn")
  func room() async throws {
    let folder = try #require(ScratchFolder())
    let workplace = try Self.workplace()
    let long = String(repeating: "Smoothiebestellung", count: 12)
    let job = try Self.job(
      "url,headline,paper\n\(Fixtures.cupertino),Order,A6\n\(Fixtures.cupertino),\(long),A7\n",
      in: folder.path)
    let refusal = await #expect(throws: LabelRefusal.self) { try await job.run(in: workplace) }
    #expect(refusal?.problems.map(\.line) == [3])
    #expect(try workplace.registry.codes(CodeFilter()).isEmpty)
    #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path).isEmpty)
  }

  @Test("in a folder, each row is a file of its name, and its copies are on record")
  func folder() async throws {
    let folder = try #require(ScratchFolder())
    let workplace = try Self.workplace()
    let csv = "url,id,copies\n\(Fixtures.cupertino),door,3\n\(Fixtures.sanFrancisco),window,\n"
    let job = PrintPosters(
      try LabelRows(Array(csv.utf8), named: "rows.csv"),
      to: .folder(folder.path + "/signs", as: .svg))
    let made = try await job.run(in: workplace)
    let code = try #require(made.issued.posters.first?.label.id)
    let items = try workplace.registry.items(
      of: #require(try workplace.registry.code(id: code)))
    #expect(items.map(\.copies) == [3] && items.map(\.caption) == ["door"])
    #expect(items.map(\.output) == [folder.path + "/signs/door.svg"])
    #expect(
      try FileManager.default.contentsOfDirectory(atPath: folder.path + "/signs").sorted()
        == ["door.svg", "manifest.csv", "window.svg"])
  }

  @Test("a rehearsal makes and proves every page, and writes and records nothing")
  func rehearsal() async throws {
    let folder = try #require(ScratchFolder())
    let workplace = try Self.workplace()
    var job = try Self.job("url\n\(Fixtures.cupertino)\n", in: folder.path)
    job.dryRun = true
    let made = try await job.run(in: workplace)
    #expect(made.results.map(\.dryRun) == [true] && made.results.map(\.code) == [nil])
    #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path).isEmpty)
    #expect(try workplace.registry.codes(CodeFilter()).isEmpty)
  }

  @Test("the rows of places are their codes on record, else the URL that an experience gives")
  func places() async throws {
    let folder = try #require(ScratchFolder())
    let workplace = try Self.workplace()
    let registry = workplace.registry
    let link = try InvocationURL("https://fruta.example.com/order")
    var experience = try #require(try registry.experience(link: link))
    experience.place = .path(template: try PathTemplate("/order/{place}"))
    try registry.replace(experience)
    for id in ["cupertino", "san-francisco"] {
      let circle = try #require(Region(latitude: 37.323, longitude: -122.0322, radius: 100))
      try registry.add(Place(id: id, region: circle))
    }
    let before = try LabelRows.ofPlaces(in: workplace)
    #expect(before.placesLeftOut.isEmpty)
    #expect(before.rows?.file.rows.map(\.url) == [Fixtures.cupertino, Fixtures.sanFrancisco])
    let table = Fixtures.cupertino + "/table/4"
    _ = try await Self.job("url\n\(table)\n", in: folder.path).run(in: workplace)
    let rows = try LabelRows.ofPlaces(in: workplace, place: "cupertino").rows?.file.rows
    #expect(rows?.map(\.url) == [table] && rows?.map(\.name) == ["cupertino"])
    let none = try LabelRows.ofPlaces(in: workplace, clip: "com.example.other.Clip")
    #expect(none.rows == nil && none.placesLeftOut == ["cupertino", "san-francisco"])
    #expect(throws: NotOnRecord.self) { try LabelRows.ofPlaces(in: workplace, place: "paris") }
  }

  @Test("a row with a place and no URL has the place's, and is refused if there is none or several")
  func placeAlone() async throws {
    let folder = try #require(ScratchFolder())
    let workplace = try Self.workplace()
    let circle = try #require(Region(latitude: 37.323, longitude: -122.0322, radius: 100))
    for id in ["cupertino", "paris"] { try workplace.registry.add(Place(id: id, region: circle)) }
    let link = try InvocationURL("https://fruta.example.com/order")
    var experience = try #require(try workplace.registry.experience(link: link))
    experience.place = .path(template: try PathTemplate("/order/{place}"))
    try workplace.registry.replace(experience)
    func rows(_ csv: String) throws -> LabelRows {
      let places = try LabelRows.PlaceURLs(in: workplace)
      return try LabelRows(Array(csv.utf8), named: "rows.csv") { try places.urls(ofPlace: $0) }
    }
    let found = try rows("url,place\n,cupertino\n,paris\n")
    #expect(
      found.file.rows.map(\.url) == [Fixtures.cupertino, "https://fruta.example.com/order/paris"])
    _ = try await PrintPosters(found, to: .pages(.file(folder.path + "/run.pdf"))).run(
      in: workplace)
    _ = try await Self.job("url\n\(Fixtures.cupertino)/table/4\n", in: folder.path)
      .run(in: workplace)
    let refusal = #expect(throws: LabelRefusal.self) {
      try rows("url,place\n,cupertino\n,rome\n")
    }
    #expect(refusal?.problems.map(\.line) == [2, 3])
    #expect(refusal?.problems.first?.message.contains("has 2: give one") == true)
  }

  @Test("a row's own logo replaces the usual one, and one that cannot be read is named by its row")
  func rowLogos() async throws {
    let folder = try #require(ScratchFolder())
    // A code on the logo shows in the proof of its page.
    try Fixtures.picture(of: [Fixtures.foreign], module: 8)
      .write(to: URL(fileURLWithPath: folder.path + "/own.png"))
    func job(_ csv: String) throws -> PrintPosters {
      PrintPosters(
        try LabelRows(Array(csv.utf8), named: "rows.csv", in: folder.path),
        to: .pages(.file(folder.path + "/run.pdf")))
    }
    let run = try job(
      "url,logo,width\n\(Fixtures.cupertino),,25\n\(Fixtures.sanFrancisco),own.png,25\n")
    let error = await #expect(throws: IssuingError.self) {
      try await run.run(in: Self.workplace())
    }
    #expect(error?.code == .unreadableRendering && error?.message.contains("row 2") == true)
    let refused = try job("url,logo\n\(Fixtures.cupertino),missing.png\n")
    let refusal = await #expect(throws: LabelRefusal.self) {
      try await refused.run(in: Self.workplace())
    }
    #expect(refusal?.problems.first?.message.contains("the logo cannot be read") == true)
  }

  @Test("a name that another process gave to a code meanwhile is the one that is printed")
  func names() async throws {
    let folder = try #require(ScratchFolder())
    let registry = try Fixtures.registry()
    let issuer = Issuer(registry: registry, who: "ada")
    let labels = try issuer.approve(LabelFile(Array("url\n\(Fixtures.cupertino)\n".utf8)))
    let early = CodeID(at: Date(timeIntervalSince1970: 1_000_000))
    let design = try issuer.design(
      of: try #require(labels.rows.first).approval, named: early, showing: .code,
      poster: Poster.Request(
        content: PosterContent(headline: "Order", callToAction: "Scan"),
        paper: try PaperSize("A6")))
    let pages = PosterPages([design], of: labels, information: .init(title: "Posters"))
    let known = try await issuer.issue(Fixtures.cupertino, to: folder.path + "/a.svg")
    for issued in [
      try await issuer.issue(pages, to: .file(folder.path + "/b.pdf")),
      try await issuer.issue(pages, in: folder.path + "/c", as: .svg),
    ] {
      let poster = try #require(issued.posters.first)
      #expect(poster.label.id == known.id && known.id != early)
      let texts = poster.poster.page.elements.compactMap { element in
        if case .text(let words) = element { words.text.text } else { nil }
      }
      #expect(texts.contains { $0.contains(known.id?.description ?? "?") }, "\(texts)")
      #expect(!texts.contains { $0.contains(early.description) })
    }
  }

  @Test("a page that shows another code, too, is found in the finished file, and all stays undone")
  func proof() async throws {
    let folder = try #require(ScratchFolder())
    let workplace = try Self.workplace()
    var job = try Self.job("url,paper,width\n\(Fixtures.cupertino),A5,25\n", in: folder.path)
    job.poster.logo = PosterLogo(
      Array(try Fixtures.picture(of: [Fixtures.foreign], module: 8)), named: "logo.png")
    for target in [job.target, .folder(folder.path + "/signs", as: .pdf)] {
      job.target = target
      let run = job
      let error = await #expect(throws: IssuingError.self) { _ = try await run.run(in: workplace) }
      #expect(error?.code == .unreadableRendering)
      #expect(error?.message.contains(Fixtures.foreign) == true, "\(String(describing: error))")
    }
    #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path).isEmpty)
    #expect(try workplace.registry.codes(CodeFilter()).isEmpty)
  }

  @Test("on sheets, posters are beside and above each other, each read back at its place")
  func sheets() async throws {
    let folder = try #require(ScratchFolder())
    let workplace = try Self.workplace()
    var job = try Self.job(
      "url,copies\n\(Fixtures.cupertino),3\n\(Fixtures.sanFrancisco),2\n", in: folder.path)
    job.poster.paper = "A6"
    job.poster.bleed = 3
    job.sheet = "225x320"
    let made = try await job.run(in: workplace)
    let positions = made.issued.posters.compactMap(\.label.position)
    #expect(positions.map(\.page) == [1, 1, 1, 1, 2])
    #expect(positions.map(\.label) == [1, 2, 3, 4, 1])
    let code = try #require(made.issued.posters.last?.label.id)
    let recorded = try #require(try workplace.registry.code(id: code))
    let item = try #require(try workplace.registry.items(of: recorded).first)
    #expect(item.sheet == 1 && item.position == 4 && item.copies == 2)
    let pdf = try Data(contentsOf: URL(fileURLWithPath: folder.path + "/run.pdf"))
    let file = try await PictureLoader().open(Array(pdf), named: "run.pdf")
    let codes = try await CodeScanner().scan(file.page(1))
    #expect(file.pageCount == 2)
    #expect(
      codes.map(\.text).sorted() == [String](repeating: Fixtures.cupertino, count: 3)
        + [Fixtures.sanFrancisco])
  }

  @Test("a sheet is turned so that more posters fit, and marks are in its margins alone")
  func imposition() throws {
    let two = try PosterImposition(
      width: 148, height: 210, bleed: 0, on: PaperSize("A4"), dotsPerInch: 600)
    let turned = try PaperSize("A4").landscape
    #expect(two.cells.count == 2 && two.sheet == turned)
    let four = try PosterImposition(
      width: 105, height: 148, bleed: 3, on: PaperSize("235x330"), dotsPerInch: 600)
    #expect(four.cells.count == 4)
    #expect(abs(four.cells[1].x - four.cells[0].right - 6) < 0.05, "two bleeds apart")
    let page = four.page([])
    let marks = page.elements.compactMap { element -> DrawingPath? in
      if case .line(let path, _) = element { path } else { nil }
    }
    #expect(marks.count == 16, "\(marks.count)")
    let held = DrawingBox(
      x: four.cells[0].x - 2.9, y: four.cells[0].y - 2.9, width: 221.8, height: 307.8)
    for case .move(let start) in marks.flatMap(\.steps) {
      #expect(
        start.x < held.x || start.x > held.right || start.y < held.y || start.y > held.bottom)
    }
  }

  @Test("posters of two sizes, and what has no place on a sheet, are refused")
  func noSheet() async throws {
    let folder = try #require(ScratchFolder())
    var job = try Self.job(
      "url,paper\n\(Fixtures.cupertino),A6\n\(Fixtures.sanFrancisco),A7\n", in: folder.path)
    job.sheet = "A4"
    let refusal = await #expect(throws: LabelRefusal.self) {
      try await job.run(in: Self.workplace())
    }
    #expect(refusal?.problems.map(\.line) == [3])
    var large = try Self.job("url\n\(Fixtures.cupertino)\n", in: folder.path)
    large.poster.paper = "A3"
    large.sheet = "A4"
    let tooLarge = large
    let error = await #expect(throws: CodeDrawingError.self) {
      try await tooLarge.run(in: Self.workplace())
    }
    #expect(error?.code == .noRoom)
    large.poster.cropMarks = true
    let marked = large
    let mistake = await #expect(throws: InputError.self) {
      try await marked.run(in: Self.workplace())
    }
    #expect(mistake == .exclude(.sheet, .cropMarks))
  }
}
