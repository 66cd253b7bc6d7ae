import CliptagBasics
import CodeDrawing
import Foundation
import Pictures
import QRSymbol
import TestSupport
import Testing

/// Files for a printing condition: PDF/X-4 with its profile.
@Suite("Printing conditions") struct PrintingConditionTests {
  /// A profile of Ghostscript for a press in CMYK.
  private static func profile(_ name: String = "default_cmyk") throws -> [UInt8] {
    [UInt8](try Data(contentsOf: URL(filePath: "/usr/share/color/icc/ghostscript/\(name).icc")))
  }

  private static func condition() throws -> PrintingCondition {
    try PrintingCondition(profile(), named: "press.icc")
  }

  private static func pdf(
    _ page: PageDrawing, _ condition: PrintingCondition? = nil
  ) throws -> [UInt8] {
    var writer = try PDFWriter(
      to: MemorySink(),
      information: .init(
        title: "Größe (1)", creationTime: 1_700_000_000, condition: condition ?? self.condition()))
    try writer.add(page)
    return try writer.finished().bytes
  }

  /// A page with an area, black words over it that are a link, a code, and crop marks.
  private static func page(_ colours: String...) throws -> PageDrawing {
    var page = PageDrawing(width: 100, height: 60, bleed: 3, hasCropMarks: true)
    for (index, colour) in colours.enumerated() {
      page.elements.append(
        .shape(
          .rectangle(DrawingBox(x: 40, y: Double(index) * 12, width: 60, height: 10)),
          try #require(Colour(colour))))
    }
    let text = try TextShaper().shape("Fruta", TextStyle(size: 6), width: 50)
    page.elements.append(
      .text(.init(text: text, corner: DrawingPoint(x: 42, y: 2), link: "https://example.com")))
    page.elements.append(
      .code(
        try CodeDrawing(QRSymbol("https://example.com"), size: .init(width: 36)),
        DrawingPoint(x: 2, y: 2)))
    return page
  }

  @Test("independent programs find PDF/X-4, sound, with its boxes, dates, fonts and tags")
  func file() throws {
    let pdf = try Self.pdf(Self.page("cmyk:0,100,81,4", "spot:Gold=0,20,60,20", "#999"))
    let information = try standardOutput(of: "pdfinfo", ["-box", "-isodates", "FILE"], about: pdf)
    #expect(information.contains(/PDF subtype: +PDF\/X-4/))
    #expect(information.contains(/Tagged: +yes/))
    #expect(information.contains(/CreationDate: +2023-11-14T22:13:20Z/))
    #expect(information.contains(/ModDate: +2023-11-14T22:13:20Z/))
    #expect(information.contains(/Title: +Größe \(1\)/))
    #expect(information.contains(/TrimBox: +22.68 +22.68 +306.14 +192.76/))
    #expect(information.contains(/BleedBox: +14.17 +14.17 +314.65 +201.26/))
    #expect(try standardOutput(of: "qpdf", ["--check", "FILE"], about: pdf).contains("No syntax"))
    let fonts = try standardOutput(of: "pdffonts", ["FILE"], about: pdf).split(separator: "\n")
    #expect(fonts.count == 3 && fonts.dropFirst(2).allSatisfy { $0.contains(" yes yes ") })
    let metadata = try standardOutput(of: "pdfinfo", ["-meta", "FILE"], about: pdf)
    for property in [
      "<pdfxid:GTS_PDFXVersion>PDF/X-4<", "<pdf:Trapped>False<", "<xmpMM:VersionID>1<",
      "<xmp:CreateDate>2023-11-14T22:13:20Z<", "<xmp:ModifyDate>2023-11-14T22:13:20Z<",
      "<xmp:MetadataDate>2023-11-14T22:13:20Z<", ">Größe (1)<",
      "<xmpMM:RenditionClass>default<",
    ] { #expect(metadata.contains(property), "\(property)") }
    #expect(metadata.contains(#/DocumentID>uuid:[0-9A-F]{8}(-[0-9A-F]{4}){3}-[0-9A-F]{12}</#))
    let text = try standardOutput(
      of: "qpdf", ["--qdf", "--object-streams=disable", "FILE", "-"], about: pdf)
    #expect(pdf.starts(with: Array("%PDF-1.6".utf8)))
    #expect(text.contains("/Trapped /False"))
    #expect(!text.contains("/Annots") && !text.contains("/DeviceRGB"))
    #expect(!text.contains(#/ (rg|RG)\n/#))
  }

  @Test("the output intent has the profile as it is, and its own name")
  func intent() throws {
    let pdf = try Self.pdf(Self.page())
    let json = try standardOutput(
      of: "qpdf", ["--json=2", "--json-stream-data=inline", "--decode-level=generalized", "FILE"],
      about: pdf)
    #expect(json.contains(Data(try Self.profile()).base64EncodedString()))
    #expect(json.contains("\"/S\": \"/GTS_PDFX\"") && json.contains("\"/N\": 4"))
    let name = try Self.condition().name
    #expect(!name.isEmpty && name != "press.icc")
    #expect(json.contains("\"/OutputConditionIdentifier\": \"u:\(name)\""))
  }

  @Test("a file without a printing condition is no PDF/X and has its links")
  func without() throws {
    var writer = try PDFWriter(to: MemorySink(), information: .init(title: "Plain"))
    try writer.add(Self.page("#d81f26"))
    let pdf = String(decoding: try writer.finished().bytes, as: UTF8.self)
    #expect(!pdf.contains("GTS_PDFX") && !pdf.contains("OutputIntent") && !pdf.contains("Trapped"))
    #expect(pdf.contains("/Annots"))
  }

  @Test("colours of screens are refused with the inks to write instead")
  func screenColours() throws {
    let error = #expect(throws: CodeDrawingError.self) {
      try Self.pdf(Self.page("#d81f26", "navy", "cmyk:0,0,100,0"))
    }
    #expect(error?.code == .screenColour)
    #expect(error?.message.contains("#d81f26, #000080 of screens") == true)
    #expect(error?.hint.contains("cmyk:0,86,82,15 for #d81f26") == true)
  }

  @Test("pictures in colours of screens are refused by name; in black and in inks they are not")
  func pictures() async throws {
    func drawn(_ logo: LogoPicture) throws {
      var page = try Self.page("cmyk:0,0,100,0")
      page.elements.append(.picture(logo, DrawingBox(x: 50, y: 40, width: 10, height: 10)))
      let pdf = try Self.pdf(page)
      let text = try standardOutput(
        of: "qpdf", ["--qdf", "--object-streams=disable", "FILE", "-"], about: pdf)
      #expect(!text.contains("/DeviceRGB") && !text.contains(#/ (rg|RG)\n/#))
    }
    func svg(_ colour: String) -> [UInt8] {
      Array(
        "<svg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 9 9'><path fill='\(colour)' d='M1 1h7v7z'/></svg>"
          .utf8)
    }
    for logo in [
      try await LogoPicture(svg("#c8102e"), named: "logo.svg"),
      testLogo(colour: Colour(red: 200, green: 16, blue: 46)),
      // A PDF logo whose only colour is in its operators.
      try await LogoPicture(
        DocumentRenderer().convert(svg("#c8102e"), to: .pdf, named: "a"), named: "logo.pdf"),
    ] {
      let error = #expect(throws: CodeDrawingError.self) { try drawn(logo) }
      #expect(error?.message.contains(logo.source) == true)
    }
    try drawn(try await LogoPicture(svg("#333"), named: "black.svg"))
    try drawn(testLogo(colour: Colour(red: 90, green: 90, blue: 90)))
    var page = PageDrawing(width: 30, height: 10)
    page.elements = [
      .shape(
        .rectangle(DrawingBox(x: 0, y: 0, width: 9, height: 9)),
        try #require(Colour("cmyk:100,0,0,0")))
    ]
    var writer = try PDFWriter(to: MemorySink(), information: .init(title: "Logo"))
    try writer.add(page)
    try drawn(try await LogoPicture(writer.finished().bytes, named: "inks.pdf"))
  }

  @Test(
    "only a complete ICC profile of a press in CMYK is taken",
    arguments: [("default_rgb", "CMYK"), ("srgb", "printer"), ("default_gray", "printer")])
  func otherProfiles(_ example: (name: String, word: String)) throws {
    let error = #expect(throws: CodeDrawingError.self) {
      try PrintingCondition(Self.profile(example.name), named: "a.icc")
    }
    #expect(error?.code == .unusableProfile)
    #expect(error?.message.contains("a.icc is not") == true)
    for damaged in [[], Array(try Self.profile().prefix(5000)), Array("hello".utf8)] {
      #expect(throws: CodeDrawingError.self) { try PrintingCondition(damaged, named: "a.icc") }
    }
    // Names in both versions of the format.
    for name in ["default_cmyk", "ps_cmyk"] {
      #expect(try PrintingCondition(Self.profile(name), named: "a.icc").name != "a.icc")
    }
  }

  @Test("a profile without a tag that its press needs is refused with the tag's name")
  func incompleteProfiles() throws {
    let profile = try Self.profile()
    func error(_ profile: [UInt8]) -> CodeDrawingError? {
      #expect(throws: CodeDrawingError.self) { try PrintingCondition(profile, named: "a.icc") }
    }
    var none = Array(profile[..<128]) + [UInt8](repeating: 0, count: 8)
    none[0...3] = [0, 0, 0, 136]
    #expect(error(none)?.message.contains("lacks the tag desc") == true)
    for entry in 0..<9 {
      let start = 132 + 12 * entry
      let name = String(decoding: profile[start..<start + 4], as: UTF8.self)
      guard !["A2B1", "A2B2", "B2A1", "B2A2"].contains(name) else { continue }
      // Named otherwise, beyond the end of the file, empty, and of a type that is none.
      for (offset, byte) in [(0, UInt8(ascii: "x")), (4, 0xFF), (8, 0xFF)] {
        var damaged = profile
        damaged[start + offset] = byte
        let error = error(damaged)
        #expect(error?.code == .unusableProfile)
        #expect(error?.message.contains("lacks the tag \(name)") == true, "\(offset)")
      }
      var damaged = profile
      damaged.replaceSubrange(start + 8..<start + 12, with: [0, 0, 0, 0])
      #expect(error(damaged)?.message.contains("lacks the tag \(name)") == true)
      let place = profile[start + 4..<start + 8].reduce(0) { $0 << 8 | Int($1) }
      damaged = profile
      damaged[place] = UInt8(ascii: "x")
      #expect(error(damaged)?.message.contains("lacks the tag \(name)") == true)
    }
  }
}
