import CliptagBasics
import CodeDrawing
import CodeScanning
import Foundation
import Invocation
import Issuing
import Jobs
import JourneyFixtures
import Pictures
import Synchronization
import TestSupport
import Testing

/// Posters of the kinds that shops order.
@Suite("Job: print with a template") struct PrintTemplateTests {
  private struct Print {
    let bytes: [UInt8]
    let poster: Poster
    let result: IssueResult

    /// Renders the file by a program that made it not.
    func rendered(dotsPerInch: Int) throws -> [UInt8] {
      let folder = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
      try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
      defer { try? FileManager.default.removeItem(at: folder) }
      let file = folder.appending(path: "page")
      try Data(bytes).write(to: file)
      let child = try ChildProgram(
        ["pdftoppm", "-r", "\(dotsPerInch)", "-png", "-singlefile", file.path, file.path],
        output: "/dev/null")
      _ = child.wait()
      return try Array(Data(contentsOf: folder.appending(path: "page.png")))
    }

    func picture(dotsPerInch: Int = 100) async throws -> LoadedPicture {
      try await PictureLoader(firstLookPixels: .max).open(
        rendered(dotsPerInch: dotsPerInch), named: "page.png"
      ).page(1)
    }

    /// The colour of the page, in millimetres from the corner of the sheet with its bleed.
    func colour(x: Double, y: Double) async throws -> (UInt8, UInt8, UInt8) {
      let picture = try await picture()
      let colours = try #require(try await picture.colourLook())
      let index = Int(y / 25.4 * 100) * colours.width + Int(x / 25.4 * 100)
      return (colours.red.pixels[index], colours.green.pixels[index], colours.blue.pixels[index])
    }
  }

  private static func printed(
    _ template: PosterTemplate, changes: (inout PrintPoster) -> Void = { _ in }
  ) async throws -> Print {
    let folder = try #require(ScratchFolder())
    var job = PrintPoster(url: Fixtures.cupertino)
    job.template = template
    job.outputs = [try PrintOutput(path: folder.path + "/sign.pdf")]
    changes(&job)
    let failure = Mutex<(any Error)?>(nil)
    let workplace = Workplace(registry: try Fixtures.registry(), person: "ada")
    let files = try await job.run(in: workplace) { event in
      if case .failed(_, let error) = event { failure.withLock { $0 = error } }
    }
    if let error = failure.withLock({ $0 }) { throw error }
    let file = try #require(files.first)
    return Print(
      bytes: file.issued.printed.bytes, poster: try #require(file.issued.printed.content.poster),
      result: file.result)
  }

  /// A template with one face of these elements.
  private static func template(
    _ elements: String, size: (Int, Int) = (80, 80), more: String = ""
  ) throws -> PosterTemplate {
    let file = """
      {"width": \(size.0), "height": \(size.1), \(more) "faces": [{"elements": [\(elements)]}]}
      """
    return try PosterTemplate(Array(file.utf8), named: "own.json")
  }

  private static let code = #"{"kind": "code", "x": 20, "y": 30, "width": 40}"#

  @Test("each template prints, with a code on every face", arguments: PosterTemplate.names)
  func builtIn(_ name: String) async throws {
    let template = try PosterTemplate(named: name)
    let print = try await Self.printed(template) { job in
      for place in template.placeNames
      where !["code", "headline", "call-to-action", "place-name", "address", "image", "logo"]
        .contains(place)
      {
        job.texts[place] = "One | 1; Two | 2"
      }
      job.accent = Colour("0b6e4f") ?? .black
    }
    #expect(print.result.verified)
    let codes = try await CodeScanner().scan(print.picture())
    let count = name == "table-tent" ? 2 : 1
    #expect(codes.map(\.text) == Array(repeating: Fixtures.cupertino, count: count))
    // Apple's guidelines have 20 mm as the least for a code that is scanned by hand.
    #expect(try #require(print.poster.codeBox).width >= 20)
    let size = (print.poster.page.width, print.poster.page.height)
    #expect(size == (template.width, template.height))
  }

  @Test("a tent has its face twice, one of them upside down, and a line to fold along")
  func tent() async throws {
    let print = try await Self.printed(PosterTemplate(named: "table-tent")) { $0.bleed = 0 }
    let codes = try await CodeScanner().scan(print.picture())
    let tops = codes.map { code in (code.corners[0].y < code.corners[2].y) }
    #expect(Set(tops) == [true, false], "the first corner is the symbol's own top left")
    let text = try standardOutput(
      of: "qpdf", ["--qdf", "--object-streams=disable", "FILE", "-"], about: print.bytes)
    #expect(text.contains("/Fold CS 1 SCN"))
    #expect(!text.contains("CutContour"))
  }

  @Test("a page for a window is the mirror image of the plain page")
  func mirrored() async throws {
    let elements = #"{"kind": "code", "x": 2, "y": 30, "width": 40}"#
    let plain = try await Self.printed(Self.template(elements))
    let mirrored = try await Self.printed(
      Self.template(elements, more: #""mirrored": true,"#))
    let box = try #require(mirrored.poster.codeBox)
    #expect(abs(box.centre.x - 58) < 0.1 && abs(box.centre.y - 50) < 0.1, "\(box)")
    let look = try await plain.picture().firstLook
    let other = try await mirrored.picture().firstLook.upright(from: .mirrored)
    #expect((look.width, look.height) == (other.width, other.height))
    let different = zip(look.pixels, other.pixels).count { abs(Int($0) - Int($1)) > 128 }
    #expect(Double(different) < 0.002 * Double(look.pixels.count), "\(different) pixels")
  }

  @Test("areas and pictures at the edges of the page reach into the bleed, others do not")
  func bleed() async throws {
    let elements = """
      {"kind": "area", "x": 0, "y": 0, "width": 80, "height": 10},
      {"kind": "area", "x": 5, "y": 70, "width": 70, "height": 5},
      {"kind": "image", "x": 70, "y": 20, "width": 10, "height": 20}, \(Self.code)
      """
    let print = try await Self.printed(
      Self.template(elements, more: #""bleed": 3,"#)
    ) { job in
      job.accent = Colour("0b6e4f") ?? .black
      job.image = Self.photo
    }
    #expect(try await print.colour(x: 1, y: 1) == (11, 110, 79))
    #expect(try await print.colour(x: 85, y: 1) == (11, 110, 79))
    #expect(try await print.colour(x: 2, y: 75) == (255, 255, 255))
    let photo = try await print.colour(x: 85.5, y: 33)
    #expect(photo.0 > 150 && photo.1 < 80, "\(photo)")
  }

  /// Red in its middle, blue at its sides.
  private static let photo: PosterLogo = {
    let svg = """
      <svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 300 100" width="300" height="100">
      <rect width="300" height="100" fill="#00f"/>
      <rect x="100" width="100" height="100" fill="#d00"/></svg>
      """
    return PosterLogo(Array(svg.utf8), named: "photo.svg")
  }()

  @Test("a photo fills its box with its middle, without distortion")
  func photo() async throws {
    let print = try await Self.printed(
      Self.template(#"{"kind": "image", "x": 0, "y": 0, "width": 20}, \#(Self.code)"#)
    ) { $0.image = Self.photo }
    for x in [1.0, 10, 19] {
      let colour = try await print.colour(x: x, y: 10)
      #expect(colour.0 > 150 && colour.2 < 80, "\(x): \(colour)")
    }
    await #expect(throws: CodeDrawingError.self) {
      try await Self.printed(
        Self.template(#"{"kind": "image", "x": 0, "y": 0, "width": 20}, \#(Self.code)"#))
    }
  }

  @Test("lines to cut along are strokes in a spot ink of their own")
  func cut() async throws {
    let print = try await Self.printed(
      Self.template(
        Self.code,
        more: #""cut": [{"x": 40, "y": 40, "diameter": 80}], "cutInk": "Thru-cut","#))
    let text = try standardOutput(
      of: "qpdf", ["--qdf", "--object-streams=disable", "FILE", "-"], about: print.bytes)
    #expect(text.contains("/Separation\n"))
    // The circle is four curves, which are stroked and not filled.
    let stroke = text.components(separatedBy: "/Thru-cut CS 1 SCN\n")
    #expect(stroke.count == 2)
    let operators = stroke.last?.split(separator: "\n").prefix { $0 != "EMC" } ?? []
    #expect(operators.count { $0.hasSuffix(" c") } == 4 && operators.last == "S")
  }

  @Test(
    "words take the palette's colour, or a readable one if that is hard to read on their ground")
  func colours() async throws {
    func colour(_ ink: String, on area: String) async throws -> Colour? {
      let print = try await Self.printed(
        Self.template(
          """
          {"kind": "area", "x": 0, "y": 0, "width": 80, "height": 28, "colour": "\(area)"},
          {"kind": "text", "name": "headline", "x": 2, "y": 2, "width": 70, "height": 12,
           "colour": "\(ink)"}, \(Self.code)
          """)
      ) {
        $0.headline = "Order"
        $0.accent = Colour("0b6e4f") ?? .black
        $0.ink = Colour("navy") ?? .black
      }
      return print.poster.words.first { $0.text == "Order" }?.colour
    }
    #expect(try await colour("ink", on: "#ffffff") == Colour("navy"))
    #expect(try await colour("ink", on: "accent") == .white)
    #expect(try await colour("on-accent", on: "accent") == .white)
    #expect(try await colour("#ffcc00", on: "#000") == Colour("#ffcc00"))
    let error = await #expect(throws: CodeDrawingError.self) {
      _ = try await colour("#ffcc00", on: "#fff")
    }
    #expect(error?.code == .lowContrast)
  }

  @Test("a list has its last column at the other edge, and its rows below each other")
  func list() async throws {
    let list = #"{"kind": "list", "name": "menu", "x": 5, "y": 2, "width": 70, "height": 24}"#
    let print = try await Self.printed(Self.template("\(list), \(Self.code)")) {
      $0.texts["menu"] = "Green smoothie | 4.50;Berry | 3.20\n\nJuice|of the day|2"
    }
    let words = print.poster.words
    #expect(
      words.map(\.text) == [
        "Green smoothie", "4.50", "Berry", "3.20", "Juice of the day", "2",
      ])
    for index in [1, 3, 5] {
      #expect(abs(words[index].box.right - 75) < 0.1, "\(words[index])")
      #expect(abs(words[index - 1].box.x - 5) < 0.1)
    }
    let tops = [0, 2, 4].map { words[$0].box.y }
    #expect(tops == tops.sorted() && Set(tops).count == 3)
    #expect(words.allSatisfy { $0.box.bottom <= 26.1 })
  }

  @Test("on a page from right to left, words and the first column of a list begin at the right")
  func rightToLeft() async throws {
    let elements = """
      {"kind": "list", "name": "menu", "x": 5, "y": 2, "width": 70, "height": 14},
      {"kind": "text", "name": "table", "x": 5, "y": 18, "width": 70, "height": 8}, \(Self.code)
      """
    let print = try await Self.printed(Self.template(elements)) {
      $0.language = "ar"
      $0.texts = ["menu": "Juice | 3", "table": "Table"]
    }
    let words = print.poster.page.elements.flatMap(\.parts)
    func edges(_ text: String) throws -> (left: Double, right: Double) {
      for case .text(let words) in words where words.text.text == text {
        let line = try #require(words.text.lines.first)
        return (words.box.x + line.x, words.box.x + line.x + line.width)
      }
      throw CancellationError()
    }
    #expect(try abs(edges("Juice").right - 75) < 0.1 && abs(edges("3").left - 5) < 0.1)
    #expect(try abs(edges("Table").right - 75) < 0.1)
  }

  @Test("a long word is divided where that makes it half as large again")
  func division() async throws {
    func lines(width: Int) async throws -> [Int] {
      let text = """
        {"kind": "text", "name": "headline", "x": 2, "y": 2, "width": \(width), "height": 24,
         "lines": 3}, \(Self.code)
        """
      return try await Self.printed(Self.template(text)) {
        $0.language = "de"
        $0.headline = "Erdbeersmoothiebestellung"
      }.poster.words.map(\.lines)
    }
    #expect(try await lines(width: 30) == [2])
  }

  @Test("a list that does not fit at 5.5 points is refused, none of it is left away")
  func longList() async throws {
    let list = #"{"kind": "list", "name": "menu", "x": 5, "y": 2, "width": 70, "height": 24}"#
    let template = try Self.template("\(list), \(Self.code)")
    let error = await #expect(throws: TextError.self) {
      try await Self.printed(template) {
        $0.texts["menu"] = (1...20).map { "Smoothie \($0) | \($0)" }.joined(separator: ";")
      }
    }
    #expect(error?.code == .textTooLarge)
  }

  @Test("the rows of a numbered list have numbers")
  func numbered() async throws {
    let list = """
      {"kind": "list", "name": "steps", "numbered": true, "x": 5, "y": 2, "width": 70, "height": 24}
      """
    let print = try await Self.printed(Self.template("\(list), \(Self.code)")) {
      $0.texts["steps"] = "Scan;Pay"
    }
    #expect(print.poster.words.map(\.text) == ["1", "Scan", "2", "Pay"])
  }

  @Test("a place without words is refused unless it is optional, and words without a place too")
  func places() async throws {
    func print(_ optional: Bool, _ texts: [String: String]) async throws -> [String] {
      let text = """
        {"kind": "text", "name": "table", "x": 5, "y": 2, "width": 70, "height": 24,
         "optional": \(optional)}
        """
      return try await Self.printed(Self.template("\(text), \(Self.code)")) { $0.texts = texts }
        .poster.words.map(\.text)
    }
    #expect(try await print(false, ["table": "12"]) == ["12"])
    #expect(try await print(true, [:]) == [])
    for (optional, texts) in [(false, [:]), (true, ["tabel": "12"])] {
      let error = await #expect(throws: CodeDrawingError.self) {
        _ = try await print(optional, texts)
      }
      #expect(error?.code == .noPlace)
    }
  }

  @Test("words that were given have a place, or are refused")
  func givenWords() async throws {
    for change: @Sendable (inout PrintPoster) -> Void in [
      { $0.headline = "Order" }, { $0.nfcTarget = true },
      { $0.logo = Self.photo }, { $0.image = Self.photo },
    ] {
      let error = await #expect(throws: CodeDrawingError.self) {
        try await Self.printed(Self.template(Self.code), changes: change)
      }
      #expect(error?.code == .noPlace)
    }
  }

  @Test("the usual words of a second language have a place of their own")
  func secondLanguage() async throws {
    let print = try await Self.printed(PosterTemplate(named: "door-sticker")) {
      $0.secondLanguage = "de"
    }
    #expect(print.poster.words.map(\.text).contains("Mit der Kamera scannen"))
    await #expect(throws: InputError.noWordsInLanguage(.secondLanguage, language: "tlh")) {
      try await Self.printed(PosterTemplate(named: "door-sticker")) { $0.secondLanguage = "tlh" }
    }
  }

  @Test("every row of a run may have its template, and columns for its places")
  func rows() async throws {
    let folder = try #require(ScratchFolder())
    let own = #"{"kind": "text", "name": "table", "x": 1, "y": 1, "width": 70, "height": 20}"#
    try #"{"width": 80, "height": 80, "faces": [{"elements": [\#(own), \#(Self.code)]}]}"#.write(
      toFile: folder.path + "/own.json", atomically: true, encoding: .utf8)
    func job(_ template: String) throws -> PrintPosters {
      let csv = """
        url,template,table
        \(Fixtures.cupertino),\(template),12
        \(Fixtures.sanFrancisco),,13
        """
      var job = PrintPosters(
        try LabelRows(Array(csv.utf8), named: "rows.csv", in: folder.path),
        to: .pages(.file(folder.path + "/run.pdf")))
      job.poster.template = try PosterTemplate(named: "table-number")
      return job
    }
    let workplace = Workplace(registry: try Fixtures.registry(), person: "ada")
    let made = try await job("own.json").run(in: workplace)
    #expect(made.issued.posters.map { $0.poster.page.width } == [80, 100])
    #expect(made.results.count == 2)
    for (name, message) in [("tabel", "No template has the name"), ("none.json", "cannot be read")]
    {
      let refusal = await #expect(throws: LabelRefusal.self) {
        try await job(name).run(in: workplace)
      }
      #expect(refusal?.problems.map(\.line) == [2])
      #expect(refusal?.problems.first?.message.contains(message) == true)
    }
    let pdf = try Data(contentsOf: URL(fileURLWithPath: folder.path + "/run.pdf"))
    let words = try standardOutput(of: "pdftotext", ["FILE", "-"], about: pdf)
    #expect(words.contains("12") && words.contains("13"))
  }

  @Test("templates are imposed on larger sheets, each face read back at its place")
  func imposed() async throws {
    let folder = try #require(ScratchFolder())
    let csv = "url,copies\n\(Fixtures.cupertino),3\n"
    var job = PrintPosters(
      try LabelRows(Array(csv.utf8), named: "rows.csv", in: folder.path),
      to: .pages(.file(folder.path + "/run.pdf")))
    job.poster.template = try PosterTemplate(named: "window")
    job.poster.bleed = 0
    job.sheet = "A2"
    let made = try await job.run(in: Workplace(registry: try Fixtures.registry(), person: "ada"))
    #expect(made.issued.posters.count == 3)
    #expect(Set(made.issued.posters.compactMap(\.label.position?.page)) == [1])
  }
}

extension Poster {
  /// The texts on its faces, in reading order.
  fileprivate var words: [(text: String, colour: Colour, box: DrawingBox, lines: Int)] {
    (faces.isEmpty ? [self] : faces.map(\.poster)).flatMap(\.page.elements).compactMap { element in
      guard case .text(let words) = element else { return nil }
      return (words.text.text, words.colour, words.box, words.text.lines.count)
    }
  }
}
