import AppClipCodeFixtures
import AppClipCodes
import CliptagBasics
import CodeDrawing
import Foundation
import Invocation
import Issuing
import JourneyFixtures
import Pictures
import QRSymbol
import Registry
import Testing

@Suite("App Clip Codes that are issued") struct AppClipCodePrintTests {
  private let registry: any RegistryStore
  private let issuer: Issuer
  private let folder: Folder

  /// A separate folder for each test, removed with the test.
  private final class Folder: Sendable {
    let path = NSTemporaryDirectory() + "app-clip-prints-" + UUID().uuidString

    init() throws {
      try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
    }

    deinit { try? FileManager.default.removeItem(atPath: path) }

    func file(_ name: String) -> String { "\(path)/\(name)" }
    func put(_ code: DrawnAppClipCode, _ name: String) throws {
      try Data(code.bytes).write(to: URL(fileURLWithPath: file(name)))
    }
    func names() throws -> [String] {
      try FileManager.default.contentsOfDirectory(atPath: path).sorted()
    }
  }

  init() throws {
    registry = try Fixtures.registry()
    folder = try Folder()
    issuer = Issuer(registry: registry, who: "tester")
  }

  private func design(
    _ code: DrawnAppClipCode, alone: Bool = false, id: CodeID? = nil, paper: String = "A5",
    design: PosterDesign = .classic, accent: String = "000000"
  ) throws -> PrintDesign {
    let request = Poster.Request(
      content: PosterContent(
        headline: "Order", callToAction: "Scan to open the App Clip",
        address: PosterContent.Address(url: Fixtures.cupertino)),
      design: design, paper: try PaperSize(paper),
      colours: PosterColours(accent: try #require(Colour(accent))),
      codeSize: CodeSize.Request(dotsPerInch: 300))
    return try issuer.design(
      of: issuer.approve(Fixtures.cupertino),
      appClipCode: PrintedAppClipCode(
        AppClipCodeFile(try code.code, id: id), replacesQRCode: alone), showing: .code,
      poster: request)
  }

  @Test(
    "posters of every format, light and dark, are read back to the last of 128 positions",
    arguments: DrawingFormat.allCases, [0, 1, 5, 8, 13])
  func formats(format: DrawingFormat, template: Int) async throws {
    let code = DrawnAppClipCode(
      Fixtures.cupertino, badge: template.isMultiple(of: 2) ? .camera : .nfc, template: template)
    for alone in [false, true] {
      let design = try design(code, alone: alone, design: .bold, accent: "123040")
      let issued = try await issuer.issue(
        design, as: format, to: .file(folder.file("\(alone).\(format.rawValue)")))
      #expect(issued.printed.appClipCode?.code == (try code.code))
      #expect((issued.printed.drawing == nil) == alone)
      // A code alone that was not taken in has no name.
      #expect((issued.id == nil) == alone)
    }
    #expect(try registry.codes().count == 1)
  }

  @Test(
    "all four designs on posters and alone are read back, and the labels' discs by two renderers",
    arguments: [AppClipCode.Kind.camera, .nfc], [false, true])
  func designs(kind: AppClipCode.Kind, hasLockup: Bool) async throws {
    let code = DrawnAppClipCode(Fixtures.cupertino, badge: kind, lockup: hasLockup, template: 9)
    let drawing = try AppClipCodeDrawing(code.code, diameter: 40)
    for format in DrawingFormat.allCases {
      let content = PrintContent.appClipCode(drawing, PrintContent.FileInformation(title: "Code"))
      let printed = try await PrintedCode(content, as: format, named: "a.\(format.rawValue)")
      let proof = try #require(try await printed.appClipCodeProof(named: "a"))
      #expect(proof.warnings.isEmpty, "\(format) \(proof.warnings)")
      for alone in [false, true] {
        let design = try design(code, alone: alone)
        let issued = try await issuer.issue(
          design, as: format, to: .file(folder.file("\(alone).\(format.rawValue)")))
        #expect(issued.printed.appClipCode?.code == (try code.code))
        guard case .poster(let poster, _) = issued.printed.content else {
          Issue.record("no poster")
          return
        }
        let box = try #require(poster.appClipCodeBox)
        let ratio = box.height / box.width
        #expect(abs(ratio - (hasLockup ? 1260.0 / 1060 : 1)) < 1e-6)
      }
    }
    for (index, table) in Self.tables.enumerated() {
      var row = code
      row.payload = table
      row.pattern = DrawnAppClipCode(table).pattern
      try folder.put(row, "\(index).svg")
    }
    let text =
      "url,table,app-clip-code\n"
      + Self.tables.enumerated().map { "\($1),Table \($0),\($0).svg\n" }.joined()
    for alone in [false, true] {
      let labels = try approve(text, LabelAppClipCodes(replacesQRCodes: alone))
      let sheet = try await issuer.issue(
        LabelSheetDesign(labels, options("120x90,1x3,15,10,120,95,A4")),
        to: .file(folder.file("\(alone).pdf")))
      #expect(sheet.labels.count == 3)
      #expect(sheet.labels.allSatisfy { $0.appClipCode?.diameter ?? 0 >= 34.8 })
    }
  }

  @Test("a label too small for the badge is refused, although the disc alone fits")
  func smallForBadge() throws {
    for (index, table) in Self.tables.enumerated() {
      try folder.put(DrawnAppClipCode(table, lockup: index == 1), "\(index).svg")
    }
    let text =
      "url,table,app-clip-code\n"
      + Self.tables.enumerated().map { "\($1),\($0),\($0).svg\n" }.joined()
    let labels = try approve(text, LabelAppClipCodes(replacesQRCodes: true))
    let refusal = #expect(throws: LabelRefusal.self) {
      try LabelSheetDesign(labels, options("25,4x6,15,20,45,42,A4"))
    }
    #expect(refusal?.objections.map(\.row) == [2])
  }

  /// The same code with one beginning of an arc moved by a position.
  private func moved(_ code: DrawnAppClipCode) throws -> DrawnAppClipCode {
    for index in 1..<17 where !code.pattern.continues(at: index) {
      let (bit, before) = (UInt128(1) << (127 - index), UInt128(1) << (128 - index))
      guard code.pattern.continues & before != 0 else { continue }
      var third = code.pattern.third & ~before
      if code.pattern.third & bit != 0 { third |= before }
      guard
        let pattern = AppClipCodePattern(
          continues: code.pattern.continues & ~before | bit, third: third)
      else { continue }
      var changed = code
      changed.pattern = pattern
      return changed
    }
    throw CancellationError()
  }

  /// The same code with one arc in the other colour.
  private func recoloured(_ code: DrawnAppClipCode) throws -> DrawnAppClipCode {
    let arc = try #require(code.pattern.arcs.last { $0.length == 1 })
    let ring = AppClipCodeRing.all[arc.ring]
    var changed = code
    changed.pattern = try #require(
      AppClipCodePattern(
        continues: code.pattern.continues,
        third: code.pattern.third ^ UInt128(1) << (127 - ring.first - arc.start)))
    return changed
  }

  @Test(
    "a file in which one arc was moved or has another colour is not written",
    arguments: DrawingFormat.allCases)
  func damaged(format: DrawingFormat) async throws {
    let code = DrawnAppClipCode(Fixtures.cupertino)
    func content(_ code: DrawnAppClipCode) throws -> PrintContent {
      .appClipCode(
        try AppClipCodeDrawing(code.code, diameter: 40), PrintContent.FileInformation(title: "Code")
      )
    }
    let expected = try content(code)
    _ = try await PrintedCode(expected, as: format, named: "whole")
    for (changed, words) in [
      (try moved(code), "2 of the 128 beginnings"), (try recoloured(code), "1 of the 128 colours"),
    ] {
      let bytes = try await PrintedCode(content(changed), as: format, named: "changed").bytes
      let error = await #expect(throws: IssuingError.self) {
        try await PrintedCode(proving: bytes, of: expected, as: format, named: "a")
      }
      #expect(error?.code == .unreadableRendering)
      #expect(error?.message.contains(words) == true, "\(error?.message ?? "")")
    }
  }

  @Test("a drawing that lacks one arc, or is not there at all, is not written")
  func missing() async throws {
    let code = DrawnAppClipCode(Fixtures.cupertino)
    let content = try design(code).content
    let svg = String(
      decoding: try await PrintedCode(content, as: .svg, named: "a").bytes, as: UTF8.self)
    let arc = try #require(
      svg.firstMatch(of: /<path fill="none" [^>]*stroke-linecap="round"[^>]*\/>\n/))
    let group = try #require(
      svg.firstMatch(of: /<g role="img">\n<title>App Clip Code[^§]*?<\/g>\n/))
    for part in [arc.range, group.range] {
      let changed = svg.replacingCharacters(in: part, with: "")
      let error = await #expect(throws: IssuingError.self) {
        try await PrintedCode(proving: Array(changed.utf8), of: content, as: .svg, named: "a.svg")
      }
      #expect(error?.code == .unreadableRendering)
    }
  }

  @Test(
    "every bit is read through the blur, ink, fading and distance of the field, the same each time",
    arguments: [0, 1, 4, 17])
  func margins(template: Int) async throws {
    let code = DrawnAppClipCode(Fixtures.cupertino, template: template)
    let content = PrintContent.appClipCode(
      try AppClipCodeDrawing(code.code, diameter: 19), PrintContent.FileInformation(title: "Code"))
    let printed = try await PrintedCode(content, as: .pdf, named: "a.pdf")
    let proof = try #require(try await printed.appClipCodeProof(named: "a.pdf"))
    #expect(proof.margins.map(\.trouble) == DesignProof.Trouble.allCases.filter { $0 != .dirt })
    #expect(proof.warnings.isEmpty, "\(proof.warnings)")
    // What is worse at each step is not read for ever.
    for margin in proof.margins where margin.trouble == .blur || margin.trouble == .distance {
      #expect(margin.scanner ?? 0 < margin.needed * 3, "\(margin)")
    }
    #expect(try await printed.appClipCodeProof(named: "a.pdf") == proof)
  }

  @Test("a code on record is found by its URL and by its name, and its history tells of the print")
  func onRecord() async throws {
    let code = DrawnAppClipCode(Fixtures.cupertino)
    let first = folder.file("codes")
    try FileManager.default.createDirectory(atPath: first, withIntermediateDirectories: true)
    try folder.put(code, "codes/c.svg")
    let found = try issuer.examine(AppClipCodeCollection([first]))
    let id = try #require(try await issuer.take(found.candidates).first?.id)
    #expect(try issuer.appClipCode(.automatic, carrying: Fixtures.cupertino).id == id)
    #expect(try issuer.appClipCode(.code(id.description), carrying: Fixtures.cupertino).id == id)
    try folder.put(code, "c.svg")
    let file = try issuer.appClipCode(
      .file("c.svg"), carrying: Fixtures.cupertino, relativeTo: folder.path)
    #expect(file.id == id, "a file that was taken in has its name")
    for alone in [true, false] {
      let output = folder.file("\(alone).svg")
      let issued = try await issuer.issue(
        design(code, alone: alone, id: id), as: .svg, to: .file(output))
      #expect((issued.id == id) == alone)
      let history = try registry.history(of: id)
      #expect(history.last?.kind == .verified && history.last?.details["output"] == output)
    }
    let none = #expect(throws: IssuingError.self) {
      try issuer.appClipCode(.automatic, carrying: Fixtures.sanFrancisco)
    }
    #expect(none?.code == .noAppClipCode)
    let other = #expect(throws: CodeDrawingError.self) {
      try issuer.appClipCode(.code(id.description), carrying: Fixtures.sanFrancisco)
    }
    #expect(other?.code == .differentPayloads)
  }

  @Test("a choice is auto, the name of a code or its tail, or a file")
  func choices() {
    #expect(AppClipCodeChoice("auto") == .automatic)
    for name in ["c-01HF8Z3V9Q4T6W2X8Y0B1C3D5E", "1c3d5e"] {
      #expect(AppClipCodeChoice(name) == .code(name))
    }
    #expect(AppClipCodeChoice("codes/auto.svg") == .file("codes/auto.svg"))
  }

  // MARK: Labels

  private func approve(
    _ text: String, _ codes: LabelAppClipCodes = LabelAppClipCodes()
  ) throws -> ApprovedLabels {
    var codes = codes
    codes.folder = folder.path
    return try issuer.approve(LabelFile(Array(text.utf8)), appClipCodes: codes)
  }

  private func options(_ template: String = "60x40,3x6,15,20,60,42,A4") throws -> LabelSheetOptions
  {
    var options = LabelSheetOptions(stock: try LabelStockLibrary().stock(named: template))
    options.captions = [1]
    return options
  }

  private static let tables = (1...3).map { "https://fruta.example.com/order/\($0)" }

  @Test("labels have the App Clip Codes of their rows, beside QR codes or instead of them")
  func sheet() async throws {
    for (index, table) in Self.tables.enumerated() {
      try folder.put(DrawnAppClipCode(table, template: index), "\(index).svg")
    }
    let text =
      "url,table,app-clip-code,copies\n"
      + Self.tables.enumerated().map { "\($1),Table \($0),\($0).svg,2\n" }.joined()
    for alone in [false, true] {
      let labels = try approve(text, LabelAppClipCodes(replacesQRCodes: alone))
      let design = try LabelSheetDesign(labels, options())
      let name = folder.file("\(alone).pdf")
      let sheet = try await issuer.issue(design, to: .file(name))
      #expect(sheet.labels.count == 6)
      #expect(sheet.labels.map { $0.appClipCode?.code.payload } == sheet.labels.map(\.row.url))
      #expect(Set(sheet.labels.compactMap { $0.appClipCode?.diameter }).count == 1)
      #expect(sheet.labels.allSatisfy { ($0.drawing == nil) == alone && ($0.id == nil) == alone })
      #expect((design.codeSize == nil) == alone && design.appClipCodeDiameter ?? 0 >= 19)
      #expect(FileManager.default.fileExists(atPath: name))
    }
    #expect(try registry.codes().count == 3)
  }

  @Test("labels with an App Clip Code on record are an item of it, with their copies")
  func labelItems() async throws {
    let codes = folder.file("codes")
    try FileManager.default.createDirectory(atPath: codes, withIntermediateDirectories: true)
    try folder.put(DrawnAppClipCode(Fixtures.cupertino), "codes/c.svg")
    let found = try issuer.examine(AppClipCodeCollection([codes]))
    let id = try #require(try await issuer.take(found.candidates).first?.id)
    var options = try options()
    options.hasItemNames = true
    let labels = try approve(
      "url,table,copies\n\(Fixtures.cupertino),A,4\n\(Fixtures.cupertino),B,\n",
      LabelAppClipCodes(usual: .automatic, replacesQRCodes: true))
    let sheet = try await issuer.issue(labels, to: .file(folder.file("s.pdf")), on: options)
    let items = try registry.items(of: #require(try registry.code(id: id)))
    #expect(items.map(\.copies) == [4, 1] && items.map(\.caption) == ["A", "B"])
    let names = items.flatMap { Array(repeating: $0.name, count: $0.copies) }
    #expect(sheet.labels.map(\.item) == names)
  }

  @Test("a row without a code of its own has none, or is refused where it would have nothing")
  func rowsWithout() async throws {
    try folder.put(DrawnAppClipCode(Self.tables[0]), "0.svg")
    let text = "url,table,app-clip-code\n\(Self.tables[0]),A,0.svg\n\(Self.tables[1]),B,\n"
    let sheet = try await issuer.issue(
      approve(text), to: .file(folder.file("s.pdf")), on: options())
    #expect(sheet.labels.map { $0.appClipCode == nil } == [false, true])
    let refusal = #expect(throws: LabelRefusal.self) {
      try approve(text, LabelAppClipCodes(replacesQRCodes: true))
    }
    #expect(refusal?.objections.map(\.row) == [2])
  }

  @Test(
    "every row whose code is missing, altered or another's is named at once, and nothing is made")
  func objections() async throws {
    try folder.put(DrawnAppClipCode(Self.tables[0]), "0.svg")
    let whole = DrawnAppClipCode(Self.tables[2]).svg
    try Data(whole.replacing("a 4", with: "b 4").replacing("400.000000", with: "401").utf8)
      .write(to: URL(fileURLWithPath: folder.file("2.svg")))
    let text =
      "url,table,app-clip-code\n\(Self.tables[0]),A,nowhere.svg\n\(Self.tables[1]),B,0.svg\n"
      + "\(Self.tables[2]),C,2.svg\n\(Self.tables[0]),D,auto\n\(Self.tables[0]),E,0.svg\n"
    let refusal = try #require(throws: LabelRefusal.self) { try approve(text) }
    #expect(refusal.objections.map(\.row) == [1, 2, 3, 4])
    #expect(refusal.objections.map(\.line) == [2, 3, 4, 5])
    let sentences = refusal.objections.map { objection in
      if case .appClipCode(let sentence) = objection.reason { sentence } else { "" }
    }
    #expect(sentences[0].contains("nowhere.svg"))
    #expect(sentences[1].contains(Self.tables[0]) && sentences[1].contains(Self.tables[1]))
    #expect(sentences[2].contains("disc"), "\(sentences[2])")
    #expect(sentences[3].contains("on record"))
    #expect(try registry.codes().isEmpty)
    #expect(try folder.names() == ["0.svg", "2.svg"])
  }

  @Test("labels too small for 19 mm are refused with every row")
  func small() throws {
    for (index, table) in Self.tables.enumerated() {
      let kind: AppClipCode.Kind = index == 1 ? .nfc : .camera
      try folder.put(DrawnAppClipCode(table, badge: kind), "\(index).svg")
    }
    let text =
      "url,table,app-clip-code\n"
      + Self.tables.enumerated().map { "\($1),\($0),\($0).svg\n" }.joined()
    let labels = try approve(text, LabelAppClipCodes(replacesQRCodes: true))
    let all = #expect(throws: LabelRefusal.self) {
      try LabelSheetDesign(labels, options("22,5x8,15,20,30,30,A4"))
    }
    #expect(all?.objections.map(\.row) == [1, 2, 3])
    let tags = #expect(throws: LabelRefusal.self) {
      try LabelSheetDesign(labels, options("40,4x6,15,20,45,42,A4"))
    }
    #expect(tags?.objections.map(\.row) == [2])
  }
}
