import CliptagBasics
import CodeDrawing
import CodeScanning
import Foundation
import Invocation
import Issuing
import Jobs
import JourneyFixtures
import Pictures
import QRSymbol
import Registry
import Synchronization
import TestSupport
import Testing

/// Posters on a page that was made elsewhere.
@Suite("Job: print on an artwork") struct PrintOnArtworkTests {
  private static func workplace() throws -> Workplace {
    Workplace(registry: try Fixtures.registry(), person: "ada")
  }

  /// Prints a poster and returns its file and its layout.
  private static func printed(
    on artwork: String, named name: String = "art.pdf", fields: [String] = [],
    changes: (inout PrintPoster) -> Void = { _ in }
  ) async throws -> (pdf: [UInt8], poster: Poster, result: IssueResult, notes: [PrintNote]) {
    let folder = try #require(ScratchFolder())
    var job = PrintPoster(url: Fixtures.cupertino)
    job.artwork = PosterArtworkFile(
      Array(artwork.utf8), named: name, fields: try fields.map { try ArtworkField($0) })
    job.outputs = [try PrintOutput(path: folder.path + "/sign.pdf")]
    changes(&job)
    let failure = Mutex<(any Error)?>(nil)
    let notes = Mutex<[PrintNote]>([])
    let files = try await job.run(in: workplace()) { event in
      if case .failed(_, let error) = event { failure.withLock { $0 = error } }
      if case .note(let note) = event { notes.withLock { $0.append(note) } }
    }
    if let error = failure.withLock({ $0 }) { throw error }
    let file = try #require(files.first)
    let poster = try #require(file.issued.printed.content.poster)
    return (file.issued.printed.bytes, poster, file.result, notes.withLock(\.self))
  }

  private static func texts(on pdf: [UInt8]) async throws -> [[String]] {
    let file = try await PictureLoader().open(pdf, named: "sign.pdf")
    var pages: [[String]] = []
    for page in 1...file.pageCount {
      pages.append(try await CodeScanner().scan(file.page(page)).map(\.text))
    }
    return pages
  }

  @Test("the code takes the place of the QR code on the artwork, which is on it no more")
  func placeholder() async throws {
    let art = Artwork(width: 105, height: 148)
    let printed = try await Self.printed(on: art.pdf(art.placeholder(x: 30, y: 60, side: 42)))
    #expect(try await Self.texts(on: printed.pdf) == [[Fixtures.cupertino]])
    let (box, code) = (try #require(printed.poster.codeBox), try #require(printed.poster.code))
    let quiet = code.size.moduleSize * 4
    // A code has whole dots, and fills the place but for less than a dot of each module.
    #expect(abs(box.centre.x - 51) < 0.15 && abs(box.centre.y - 81) < 0.15, "\(box)")
    #expect((40.5...42.2).contains(box.width - 2 * quiet), "\(box.width - 2 * quiet)")
    #expect(printed.result.verified)
  }

  @Test(
    "the code on an artwork has its text alternative, which the artwork's own tags do not reach")
  func alternative() async throws {
    let art = Artwork(width: 105, height: 148)
    let printed = try await Self.printed(on: art.pdf(art.placeholder(x: 30, y: 60, side: 42)))
    let text = try standardOutput(
      of: "qpdf", ["--qdf", "--object-streams=disable", "FILE", "-"], about: printed.pdf)
    #expect(text.contains("/Span << /Alt (QR code, version 3"))
    #expect(!text.contains("/MCID"))
  }

  @Test("a placeholder with little space around it gives a smaller code with its quiet zone")
  func tightPlaceholder() async throws {
    let art = Artwork(width: 105, height: 148, ground: "0.1 0.3 0.2 rg")
    let printed = try await Self.printed(
      on: art.pdf(art.placeholder(x: 30, y: 60, side: 42, margin: 2)))
    let box = try #require(printed.poster.codeBox)
    #expect((44.0...46.2).contains(box.width), "\(box.width)")
    #expect(try await Self.texts(on: printed.pdf) == [[Fixtures.cupertino]])
  }

  @Test("a light colour around the placeholder is the ground of the code")
  func ground() async throws {
    let art = Artwork(width: 105, height: 148, ground: "1 0.95 0.8 rg")
    let printed = try await Self.printed(
      on: art.pdf(art.placeholder(x: 30, y: 60, side: 42, margin: nil)))
    #expect(printed.poster.code?.colours.background == Colour("#fff2cc"))
  }

  @Test("boxes, rotation, inks and further pages of the artwork stay")
  func kept() async throws {
    var art = Artwork(width: 111, height: 154, ground: "0.8 0.1 0.45 0 k")
    art.entries = "/TrimBox \(art.box(3, 3, 108, 151)) /BleedBox \(art.box(0, 0, 111, 154))"
    art.resources = """
      /ColorSpace << /Spot [/Separation /PANTONE#20186#20C /DeviceCMYK \
      << /FunctionType 2 /Domain [0 1] /C0 [0 0 0 0] /C1 [0 1 0.8 0.04] /N 1 >>] >>
      """
    let content = "/Spot cs 1 scn 20 20 100 30 re f\n" + art.placeholder(x: 33, y: 63, side: 42)
    let printed = try await Self.printed(on: art.pdf("0 g 50 50 20 20 re f", content))
    let facts = try standardOutput(
      of: "qpdf", ["--qdf", "--object-streams=disable", "--no-original-object-ids", "FILE", "-"],
      about: printed.pdf)
    #expect(facts.contains("/Separation"))
    #expect(facts.contains("0.8 0.1 0.45 0 k"))
    let listing = ["-box", "-f", "1", "-l", "9", "FILE"]
    let boxes = try standardOutput(of: "pdfinfo", listing, about: printed.pdf)
    let original = try standardOutput(of: "pdfinfo", listing, about: Data(art.pdf(content).utf8))
    func lines(_ text: String) -> [Substring] {
      text.split(separator: "\n").filter { $0.contains("Page    1") }
    }
    #expect(lines(boxes) == lines(original) && !lines(boxes).isEmpty)
    #expect(boxes.contains("Pages:           2"))
    #expect(try await Self.texts(on: printed.pdf) == [[], [Fixtures.cupertino]])
    #expect(abs(printed.poster.page.width - 105) < 0.01, "measures are those of the trimmed page")
    #expect(
      try standardOutput(of: "qpdf", ["--check", "FILE"], about: printed.pdf).contains("No syntax"))
  }

  @Test("a page with a rotation gets its code upright, where viewers show the placeholder")
  func rotation() async throws {
    var art = Artwork(width: 105, height: 148)
    art.entries = "/Rotate 90"
    let printed = try await Self.printed(on: art.pdf(art.placeholder(x: 10, y: 20, side: 42)))
    #expect(abs(printed.poster.page.width - 148) < 0.01)
    let box = try #require(printed.poster.codeBox)
    // A quarter turn clockwise: the left edge becomes the top, and the bottom the left edge.
    #expect(abs(box.centre.x - (148 - 41)) < 0.2 && abs(box.centre.y - 31) < 0.2, "\(box)")
    #expect(try await Self.texts(on: printed.pdf) == [[Fixtures.cupertino]])
  }

  @Test("form fields are the places of words in their font size, colour and alignment")
  func form() async throws {
    var art = Artwork(width: 105, height: 148)
    art.fields = [
      (name: "headline", box: art.box(10, 120, 95, 140), more: "/DA (/HeBo 20 Tf 1 0 0 rg) /Q 1"),
      (name: "table", box: art.box(10, 100, 95, 115), more: "/DA (/Helv 0 Tf 0 g)"),
      (name: "code", box: art.box(30, 30, 75, 75), more: ""),
    ]
    let printed = try await Self.printed(on: art.pdf("0.9 g 0 0 10 10 re f")) {
      $0.headline = "Bestellen"
      $0.texts = ["table": "Tisch 12"]
    }
    let words = printed.poster.page.words
    #expect(words.map(\.text.text) == ["Bestellen", "Tisch 12"])
    #expect(words.first?.colour == Colour("#f00"))
    #expect(words.first?.role == .heading)
    let box = try #require(words.first?.box)
    #expect(abs(box.centre.x - 52.5) < 0.1, "centred: \(box)")
    let size = try #require(words.first?.text.lines.first?.runs.first?.size)
    #expect(abs(size - 20 * 25.4 / 72) < 0.01)
    let text = try standardOutput(of: "pdftotext", ["FILE", "-"], about: printed.pdf)
    #expect(text.contains("Bestellen") && text.contains("Tisch 12"))
    let forms = try standardOutput(of: "pdfinfo", ["FILE"], about: printed.pdf)
    #expect(forms.contains("Form:            none"), "fields would cover what is printed")
  }

  /// An entry of the document or of its page, or an annotation, that does something.
  struct ActiveContent: Sendable, CustomTestStringConvertible {
    var document = "", page = "", annotation: String?
    let kinds: [String]
    var testDescription: String { document + page + (annotation ?? "") }

    private static let script = "<< /S /JavaScript /JS (MARK) >>"
    private static let file = "<< /Type /Filespec /F (MARK) >>"
    private static let acts = "scripts or other actions"
    private static let unprinted = "annotations that are not printed"
    private static let none = ActiveContent(document: "/Lang (en)", kinds: [])

    private static func link(_ action: String) -> ActiveContent {
      ActiveContent(
        annotation: "/Link /Border [0 0 0] /Rect [0 0 297 420] /A << \(action) >>",
        kinds: ["links"])
    }

    static let all =
      [
        none,
        ActiveContent(document: "/OpenAction \(script)", kinds: [acts]),
        ActiveContent(document: "/OpenAction [10 0 R /Fit]", kinds: []),
        ActiveContent(document: "/AA << /WC \(script) >>", kinds: [acts]),
        ActiveContent(
          document: "/Names << /JavaScript << /Names [(a) \(script)] >> >>", kinds: [acts]),
        ActiveContent(
          document: "/Names << /EmbeddedFiles << /Names [(a) \(file)] >> >>", kinds: ["attachments"]
        ),
        ActiveContent(document: "/AF [\(file)]", kinds: ["attachments"]),
        ActiveContent(
          document: "/AcroForm << /Fields [60 0 R] /XFA (MARK) >>",
          annotation: "/Widget /FT /Btn /T (MARK) /Rect [0 0 9 9]", kinds: [acts]),
        ActiveContent(
          document: "/Outlines << /First << /Title (MARK) /A \(script) >> >>", kinds: []),
        ActiveContent(
          document: "/StructTreeRoot << /K << /S /Link /K << /Type /OBJR /Obj 60 0 R >> >> >>",
          annotation: "/Link /Rect [0 0 9 9] /A \(script)", kinds: ["links"]),
        ActiveContent(page: "/AA << /O \(script) >>", kinds: [acts]),
        ActiveContent(page: "/AF [\(file)]", kinds: ["attachments"]),
        ActiveContent(page: "/PieceInfo << /X (MARK) >>", kinds: []),
        ActiveContent(
          annotation: "/FileAttachment /Rect [0 0 9 9] /FS \(file)", kinds: ["attachments"]),
        ActiveContent(
          annotation: "/Screen /Rect [0 0 9 9] /A << /S /Rendition /JS (MARK) >>",
          kinds: [acts, unprinted]),
        ActiveContent(
          annotation: "/Widget /FT /Btn /T (MARK) /Rect [0 0 9 9] /AA << /U \(script) >>",
          kinds: [acts]),
        link("/S /URI /URI (https://evil.example/MARK)"), link("/S /Launch /F (MARK)"),
        link("/S /GoToR /F (MARK) /D [0 /Fit]"), link("/S /SubmitForm /F (MARK)"),
        link("/S /ImportData /F (MARK)"), link("/S /JavaScript /JS (MARK)"),
      ]
      + ["RichMedia", "Movie", "3D", "Sound", "Text"].map {
        ActiveContent(
          annotation: "/\($0) /Rect [0 0 9 9] /Contents (MARK) /F 4", kinds: [unprinted])
      }
  }

  @Test(
    "a poster has what its artwork shows in print; whatever acts is not in it, and is named",
    arguments: ActiveContent.all)
  func activeContent(_ content: ActiveContent) async throws {
    let art = Artwork(width: 105, height: 148)
    let page = art.pdf(art.placeholder(x: 30, y: 60, side: 42))
      .replacing("/Type /Catalog", with: "/Type /Catalog \(content.document)")
      .replacing(
        "/Annots []", with: content.page + (content.annotation == nil ? "" : " /Annots [60 0 R]")
      )
      .replacing(
        "2 0 obj\n",
        with:
          "60 0 obj\n<< /Type /Annot /Subtype \(content.annotation ?? "/Text") >>\nendobj\n2 0 obj\n"
      )
    let printed = try await Self.printed(on: page)
    let text = try standardOutput(
      of: "qpdf", ["--qdf", "--object-streams=disable", "FILE", "-"], about: printed.pdf)
    #expect(!text.contains("MARK") && !text.contains("/Annot"))
    #expect(
      printed.notes
        == (content.kinds.isEmpty ? [] : [.leftOut(content.kinds.sorted(), of: "art.pdf")]))
    #expect(try await Self.texts(on: printed.pdf) == [[Fixtures.cupertino]])
  }

  @Test("scripts and links of an SVG drawing are not in the poster, and are named")
  func activeDrawing() async throws {
    let svg = """
      <svg xmlns="http://www.w3.org/2000/svg" width="105mm" height="148mm" viewBox="0 0 105 148"
       onload="MARK()"><script>MARK()</script><rect id="code" x="30" y="60" width="42" height="42" fill="none"/>
      <a href="javascript:MARK"><rect width="105" height="9" fill="#eee"/></a></svg>
      """
    let printed = try await Self.printed(on: svg, named: "art.svg")
    let text = try standardOutput(
      of: "qpdf", ["--qdf", "--object-streams=disable", "FILE", "-"], about: printed.pdf)
    #expect(!text.contains("MARK") && !text.contains("/Annot"))
    #expect(printed.notes == [.leftOut(["scripts", "links"], of: "art.svg")])
  }

  @Test("a stamp that is printed is a part of the page, and may be the placeholder")
  func stamp() async throws {
    let art = Artwork(width: 105, height: 148)
    let content = art.placeholder(x: 30, y: 60, side: 42)
    let media = art.box(0, 0, 105, 148)
    let page = art.pdf("").replacing("/Annots []", with: "/Annots [60 0 R]").replacing(
      "2 0 obj\n",
      with: """
        60 0 obj
        << /Type /Annot /Subtype /Stamp /Rect \(media) /F 4 /AP << /N 61 0 R >> >>
        endobj
        61 0 obj
        << /Type /XObject /Subtype /Form /BBox \(media) /Length \(content.utf8.count) >>
        stream
        \(content)
        endstream
        endobj
        2 0 obj

        """)
    let printed = try await Self.printed(on: page)
    #expect(printed.notes == [])
    #expect(try await Self.texts(on: printed.pdf) == [[Fixtures.cupertino]])
  }

  @Test(
    "a page or place of no size, or of any that is no paper's, is refused",
    arguments: [
      "/MediaBox [0 0 0 0]", "/MediaBox [0 0 1e-300 1e-300]", "/MediaBox [0 0 -0.00001 500]",
      "/MediaBox [0 0 99999999 99999999]",
      "/MediaBox [-1\(String(repeating: "0", count: 300)) 0 9 9]",
      "/MediaBox [0 0 1\(String(repeating: "0", count: 400)) 9]",
      "/CropBox [10 10 10.0001 300]", "/TrimBox [10 10 200 10.00001]",
    ])
  func sizes(entry: String) async throws {
    let art = Artwork(width: 105, height: 148)
    let page = art.pdf("").replacing(
      #//MediaBox \[[^\]]*\]/#,
      with: entry.hasPrefix("/MediaBox") ? entry : "/MediaBox [0 0 300 400] \(entry)")
    let error = await #expect(throws: PictureError.self) {
      try await Self.printed(on: page, fields: ["code=1,1,20"])
    }
    #expect(error?.code == .malformed, "\(error.map { "\($0)" } ?? "none")")
  }

  @Test(
    "a place of a drawing that is on no page is refused",
    arguments: ["0 0 1e-300 1e-300", "-1e9 0 105 148", "0 0 1e-10 1e-10"])
  func places(box: String) async throws {
    let svg = """
      <svg xmlns="http://www.w3.org/2000/svg" width="105mm" height="148mm" viewBox="\(box)">
      <rect id="headline" x="1" y="1" width="50" height="20"/></svg>
      """
    let error = await #expect(throws: (any Error).self) {
      try await Self.printed(on: svg, named: "art.svg", fields: ["code=30,60,42"])
    }
    #expect(error is any CodedError, "\(error.map { "\($0)" } ?? "none")")
  }

  @Test("words that do not fit are set smaller, and refused below 5.5 points")
  func fitting() async throws {
    let art = Artwork(width: 105, height: 148)
    let page = art.pdf(art.placeholder(x: 30, y: 80, side: 42))
    let printed = try await Self.printed(
      on: page, fields: ["headline=10,10,40,8,size=24pt,lines=1"]
    ) { $0.headline = "Smoothies bestellen" }
    let words = try #require(printed.poster.page.words.first)
    #expect(words.text.width <= 40 && words.text.height <= 8)
    let error = await #expect(throws: TextError.self) {
      try await Self.printed(on: page, fields: ["headline=10,10,20,3,lines=1"]) {
        $0.headline = "Smoothies bestellen und bezahlen"
      }
    }
    #expect(error?.code == .textTooLarge)
  }

  @Test("rectangles of an SVG drawing are the places of what they are named after")
  func namedRectangles() async throws {
    // A user unit is half a millimetre, and the drawing is 10 mm below the upper edge.
    let svg = """
      <svg xmlns="http://www.w3.org/2000/svg" xmlns:i="urn:i" width="100mm" height="120mm"
       viewBox="0 0 200 200"><g transform="translate(20, 10) scale(2)">
      <rect id="code" x="5" y="10" width="40" height="40" fill="none"/></g>
      <rect id="r1" i:label="Headline" x="20" y="0" width="160" height="20" fill="none"/>
      <rect id="field-table" x="2cm" y="160" width="100" height="20" fill="#e00"/>
      <rect id="rect4" x="0" y="0" width="5" height="5"/>
      <rect id="brand" x="0" y="0" width="50" height="5" transform="rotate(20)"/>
      <defs><rect id="address" x="0" y="0" width="50" height="5"/></defs></svg>
      """
    let printed = try await Self.printed(on: svg, named: "card.svg") {
      $0.headline = "Order"
      $0.texts = ["table": "12"]
    }
    func isNear(_ box: DrawingBox?, _ x: Double, _ y: Double, _ width: Double) -> Bool {
      guard let box else { return false }
      return abs(box.x - x) < 0.1 && abs(box.y - y) < 0.1 && abs(box.width - width) < 0.1
    }
    let fields = try #require(printed.poster.artwork).fields
    #expect(fields.map(\.name) == ["code", "headline", "table"])
    #expect(isNear(fields.first?.box, 15, 25, 40), "\(fields)")
    #expect(isNear(fields[1].box, 10, 10, 80))
    #expect(isNear(fields[2].box, 37.8, 90, 50), "2 cm are 75.6 user units: \(fields[2])")
    #expect(try await Self.texts(on: printed.pdf) == [[Fixtures.cupertino]])
  }

  @Test("letters are black or white where the colour of the words is hard to read on the artwork")
  func legible() async throws {
    let art = Artwork(width: 105, height: 148, ground: "0.1 0.1 0.3 rg")
    let page = art.pdf(art.placeholder(x: 30, y: 80, side: 42))
    let printed = try await Self.printed(on: page, fields: ["headline=10,10,80,12"]) {
      $0.headline = "Order"
    }
    let words = try #require(printed.poster.page.words.first)
    #expect(words.colour == .white)
    let error = await #expect(throws: CodeDrawingError.self) {
      try await Self.printed(on: page, fields: ["headline=10,10,80,12,colour=#222"]) {
        $0.headline = "Order"
      }
    }
    #expect(error?.code == .lowContrast)
  }

  struct Mistake: Sendable, CustomTestStringConvertible {
    let testDescription: String
    let code: String
    var fields: [String] = []
    var content: @Sendable (Artwork) -> String = { $0.placeholder(x: 30, y: 60, side: 40) }
    var change: @Sendable (inout PrintPoster) -> Void = { _ in }

    static let all = [
      Mistake(
        testDescription: "no place for the code", code: "no-place-on-artwork",
        content: { _ in "0 g 10 10 20 20 re f" }),
      Mistake(
        testDescription: "words without a place", code: "no-place-on-artwork",
        change: { $0.headline = "Order" }),
      Mistake(
        testDescription: "texts without a place", code: "no-place-on-artwork",
        change: { $0.texts = ["price": "3 €"] }),
      Mistake(
        testDescription: "a place without words", code: "no-place-on-artwork",
        fields: ["price=10,10,30,8"]),
      Mistake(
        testDescription: "a ring without a place", code: "no-place-on-artwork",
        change: { $0.nfcTarget = true }),
      Mistake(
        testDescription: "a place beside the page", code: "invalid-field",
        fields: ["headline=90,10,30,8"]),
      Mistake(
        testDescription: "two places of one name", code: "invalid-field",
        fields: ["headline=10,10,30,8", "headline=10,30,30,8"]),
      Mistake(
        testDescription: "two codes", code: "unusable-artwork",
        content: {
          $0.placeholder(x: 10, y: 60, side: 30) + $0.placeholder(x: 60, y: 60, side: 30, "other")
        }),
      Mistake(
        testDescription: "a slanted code", code: "unusable-artwork",
        content: { "0.966 0.259 -0.259 0.966 60 -20 cm\n" + $0.placeholder(x: 30, y: 60, side: 40) }
      ),
      Mistake(testDescription: "a wish without room", code: "no-room", change: { $0.width = 90 }),
      Mistake(
        testDescription: "another kind of file", code: "unusable-artwork",
        change: { $0.outputs = [PrintOutput($0.outputs[0].destination, as: .svg)] }),
    ]
  }

  @Test("an artwork and a poster that do not fit each other are refused", arguments: Mistake.all)
  func mistakes(_ mistake: Mistake) async throws {
    let art = Artwork(width: 105, height: 148)
    let error = await #expect(throws: (any Error).self) {
      _ = try await Self.printed(
        on: art.pdf(mistake.content(art)), fields: mistake.fields, changes: mistake.change)
    }
    let code = (error as? any CodedError).map { "\($0.code.rawValue)" }
    #expect(code == mistake.code, "\(error.map { "\($0)" } ?? "none")")
  }

  @Test("a page that shows anything else than the artwork beside the code is refused")
  func comparison() async throws {
    let art = Artwork(width: 105, height: 148, ground: "0.9 0.9 0.9 rg")
    let content = art.placeholder(x: 30, y: 80, side: 42)
    let bytes = Array(art.pdf(content).utf8)
    let artwork = try await PosterArtwork(bytes, named: "art.pdf", paper: PaperSize("A6"))
    let symbol = try QRSymbol(Fixtures.cupertino)
    var request = Poster.Request(
      content: PosterContent(headline: "", callToAction: ""), paper: try PaperSize("A6"))
    request.artwork = artwork
    let poster = try Poster(symbol, request, shaper: TextShaper())
    func proof(_ art: Artwork, _ content: String) async throws {
      let other = try await PosterArtwork(
        Array(art.pdf(content).utf8), named: "other.pdf", paper: PaperSize("A6"))
      var request = request
      request.artwork = other
      let overlaid = try await PrintedCode(
        .poster(Poster(symbol, request, shaper: TextShaper()), .init(title: "")), as: .pdf,
        named: "other.pdf"
      ).bytes
      _ = try await PrintedCode(
        proving: overlaid, of: .poster(poster, .init(title: "")), as: .pdf, named: "sign.pdf")
    }
    try await proof(art, content)
    for (name, change) in [
      ("a thin line", content + "0 g 20 400 200 0.6 re f\n"),
      ("a faint area", content + "0.8 g 20 300 60 60 re f\n"),
      ("a mark at the corner", content + "0 g 2 2 3 3 re f\n"),
    ] {
      let error = await #expect(throws: IssuingError.self, "\(name)") {
        try await proof(art, change)
      }
      #expect(error?.code == .artworkChanged, "\(name)")
    }
  }

  @Test(
    "a paper that is not the artwork's is refused with the artwork's size, in both ways of giving it"
  )
  func otherPaper() async throws {
    let art = Artwork(width: 105, height: 148)
    let page = art.pdf(art.placeholder(x: 30, y: 60, side: 42))
    let error = await #expect(throws: IssuingError.self) {
      try await Self.printed(on: page) { $0.paper = "A5" }
    }
    #expect(error?.code == .unusableArtwork)
    #expect(error?.message == "art.pdf is a page of 105 × 148 mm, not of 148 × 210 mm.")
    _ = try await Self.printed(on: page) { $0.paper = "148x105" }
    let folder = try #require(ScratchFolder())
    var job = PrintPosters(
      try LabelRows(
        Array("url,paper\n\(Fixtures.cupertino),A6\n\(Fixtures.cupertino),A5\n".utf8),
        named: "r.csv"),
      to: .pages(.file(folder.path + "/run.pdf")))
    job.poster.artwork = PosterArtworkFile(Array(page.utf8), named: "art.pdf")
    let run = job
    let refusal = await #expect(throws: LabelRefusal.self) {
      try await run.run(in: Self.workplace())
    }
    #expect(refusal?.problems.map(\.line) == [3])
    #expect(refusal?.problems.first?.message.contains("105 × 148 mm") == true)
  }

  @Test("a picture with few pixels for its paper is noted with its resolution")
  func fewPixels() async throws {
    let art = Artwork(width: 105, height: 148)
    let pdf = Array(art.pdf(art.placeholder(x: 30, y: 60, side: 42)).utf8)
    let page = try await PictureLoader().open(pdf, named: "art.pdf").page(1)
    let small = try await page.smallCopy(longestSide: 700).picture
    let png = Array(try PNGWriter.colour(small))
    for (paper, notes) in [
      ("A6", [PrintNote.fewPixels("art.png", dotsPerInch: 120, least: 150)]), ("A7", []),
    ] {
      var job = PrintPoster(url: Fixtures.cupertino)
      job.artwork = PosterArtworkFile(png, named: "art.png")
      job.paper = paper
      let found = Mutex<[PrintNote]>([])
      _ = try await job.run(in: Self.workplace()) { event in
        if case .note(let note) = event { found.withLock { $0.append(note) } }
      }
      #expect(found.withLock(\.self) == notes)
    }
  }

  @Test("SVG stays vectors, and a picture fills the paper of its proportions")
  func otherFormats() async throws {
    let symbol = try QRSymbol("placeholder")
    let modules = (0..<symbol.size * symbol.size).filter {
      symbol.isDark(x: $0 % symbol.size, y: $0 / symbol.size)
    }.map { "M\(30 + 2 * ($0 % symbol.size)) \(60 + 2 * ($0 / symbol.size))h2v2h-2z" }
    let svg = """
      <svg xmlns="http://www.w3.org/2000/svg" width="105mm" height="148mm" viewBox="0 0 105 148">
      <rect width="105" height="148" fill="#eef"/><text x="10" y="20" font-size="9">Agency</text>
      <path d="\(modules.joined())"/></svg>
      """
    let printed = try await Self.printed(on: svg, named: "art.svg")
    #expect(try await Self.texts(on: printed.pdf) == [[Fixtures.cupertino]])
    #expect(
      try standardOutput(of: "pdftotext", ["FILE", "-"], about: printed.pdf).contains("Agency"))
    let png = try await DocumentRenderer().convert(Array(svg.utf8), to: .png, named: "art.svg")
    let artwork = try await PosterArtwork(png, named: "art.png", paper: PaperSize("A6"))
    #expect(artwork.width == 105 && artwork.placeholder != nil)
    let error = await #expect(throws: IssuingError.self) {
      try await PosterArtwork(png, named: "art.png", paper: PaperSize("100x100"))
    }
    #expect(error?.code == .unusableArtwork)
  }

  @Test("a run lays each row over a copy of all pages, with the words of its columns")
  func run() async throws {
    let folder = try #require(ScratchFolder())
    let art = Artwork(width: 105, height: 148)
    let csv = """
      url,table,copies
      \(Fixtures.cupertino),Table 1,2
      \(Fixtures.sanFrancisco),,1
      """
    var job = PrintPosters(
      try LabelRows(Array(csv.utf8), named: "rows.csv"), to: .pages(.file(folder.path + "/run.pdf"))
    )
    job.poster.artwork = PosterArtworkFile(
      Array(art.pdf(art.placeholder(x: 30, y: 60, side: 42), "0 g 50 50 20 20 re f").utf8),
      named: "art.pdf", fields: [try ArtworkField("table=10,10,80,10")])
    let made = try await job.run(in: Self.workplace())
    #expect(made.issued.posters.map(\.label.position?.page) == [1, 3, 5])
    let pdf = try Data(contentsOf: URL(fileURLWithPath: folder.path + "/run.pdf"))
    #expect(
      try await Self.texts(on: Array(pdf)) == [
        [Fixtures.cupertino], [], [Fixtures.cupertino], [], [Fixtures.sanFrancisco], [],
      ])
    let text = try standardOutput(of: "pdftotext", ["FILE", "-"], about: Array(pdf))
    #expect(text.ranges(of: "Table 1").count == 2)
  }

  @Test("each row may have its own artwork, by a path from the folder of the rows")
  func artworkOfRow() async throws {
    let folder = try #require(ScratchFolder())
    let small = Artwork(width: 85, height: 55)
    let large = Artwork(width: 105, height: 148)
    try small.pdf(small.placeholder(x: 30, y: 15, side: 22, margin: 5)).write(
      toFile: folder.path + "/small.pdf", atomically: true, encoding: .utf8)
    try large.pdf("0 g 9 9 9 9 re f", large.placeholder(x: 30, y: 60, side: 42)).write(
      toFile: folder.path + "/large.pdf", atomically: true, encoding: .utf8)
    func job(_ second: String) throws -> PrintPosters {
      let csv = """
        url,artwork,headline,copies
        \(Fixtures.cupertino),large.pdf,,2
        \(Fixtures.sanFrancisco),\(second),,1
        \(Fixtures.cupertino),,Order,1
        """
      return PrintPosters(
        try LabelRows(Array(csv.utf8), named: "rows.csv", in: folder.path),
        to: .pages(.file(folder.path + "/run.pdf")))
    }
    let made = try await job("small.pdf").run(in: Self.workplace())
    #expect(made.issued.posters.map(\.label.position?.page) == [2, 4, 5, 6])
    #expect(made.issued.posters.map { $0.poster.page.width } == [105, 105, 85, 210])
    let pdf = try Data(contentsOf: URL(fileURLWithPath: folder.path + "/run.pdf"))
    let (one, two) = (Fixtures.cupertino, Fixtures.sanFrancisco)
    #expect(try await Self.texts(on: Array(pdf)) == [[], [one], [], [one], [two], [one]])
    let refusal = await #expect(throws: LabelRefusal.self) {
      try await job("nowhere.pdf").run(in: Self.workplace())
    }
    #expect(refusal?.problems.map(\.line) == [3])
    #expect(refusal?.problems.first?.message.contains("cannot be read") == true)
  }
}

extension PageDrawing {
  fileprivate var words: [Words] {
    elements.compactMap { element in if case .text(let words) = element { words } else { nil } }
  }
}

/// A small PDF file, written by hand; qpdf adds the cross-reference table.
struct Artwork: Sendable {
  let width, height: Double
  /// The operators of the ground's colour.
  var ground = "1 g"
  /// Further entries of the page.
  var entries = ""
  /// Entries of the resources.
  var resources = ""
  /// Form fields on the last page.
  var fields: [(name: String, box: String, more: String)] = []

  init(width: Double, height: Double, ground: String = "1 g") {
    (self.width, self.height, self.ground) = (width, height, ground)
  }

  /// A box by its edges in millimetres from the bottom left.
  func box(_ left: Double, _ bottom: Double, _ right: Double, _ top: Double) -> String {
    "[\([left, bottom, right, top].map { "\($0 * 72 / 25.4)" }.joined(separator: " "))]"
  }

  /// The operators of a QR code, in millimetres from the top left.
  ///
  /// - Parameter margin: The white border; `nil` for none, which leaves the ground.
  func placeholder(
    x: Double, y: Double, side: Double, margin: Double? = 8, _ text: String = "placeholder"
  ) -> String {
    guard let symbol = try? QRSymbol(text) else { return "" }
    let unit = 72 / 25.4
    let module = side / Double(symbol.size)
    var operators = ""
    func add(_ x: Double, _ y: Double, _ side: Double) {
      operators +=
        "\(x * unit) \((height - y - side) * unit) \(side * unit) \(side * unit) re f\n"
    }
    if let margin {
      operators += "1 g\n"
      add(x - margin, y - margin, side + 2 * margin)
    }
    operators += "0 g\n"
    for row in 0..<symbol.size {
      for column in 0..<symbol.size where symbol.isDark(x: column, y: row) {
        add(x + Double(column) * module, y + Double(row) * module, module)
      }
    }
    return operators
  }

  /// The file with a page for each content.
  func pdf(_ contents: String...) -> String {
    let media = box(0, 0, width, height)
    var text = "%PDF-1.4\n"
    var number = 10
    var kids = ""
    let widgets = fields.enumerated().map { index, field in
      """
      \(100 + index) 0 obj
      << /Type /Annot /Subtype /Widget /FT /Tx /T (\(field.name)) /Rect \(field.box) /F 4 \
      \(field.more) >>
      endobj

      """
    }
    let references = fields.indices.map { "\(100 + $0) 0 R" }.joined(separator: " ")
    for content in contents {
      let whole = "\(ground) 0 0 \(width * 72 / 25.4) \(height * 72 / 25.4) re f\n\(content)"
      text += """
        \(number) 0 obj
        << /Type /Page /Parent 2 0 R /MediaBox \(media) \(entries) /Contents \(number + 1) 0 R \
        /Resources << \(resources) >> /Annots [\(references)] >>
        endobj
        \(number + 1) 0 obj
        << /Length \(whole.utf8.count) >>
        stream
        \(whole)
        endstream
        endobj

        """
      kids += "\(number) 0 R "
      number += 2
    }
    return text + widgets.joined() + """
      2 0 obj
      << /Type /Pages /Kids [\(kids)] /Count \(contents.count) >>
      endobj
      1 0 obj
      << /Type /Catalog /Pages 2 0 R\(fields.isEmpty ? "" : " /AcroForm << /Fields [\(references)] >>") >>
      endobj
      trailer
      << /Root 1 0 R /Size \(200) >>
      %%EOF
      """
  }
}
