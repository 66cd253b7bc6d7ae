import CliptagBasics
import Foundation
import Testing

@testable import CodeDrawing

/// A folder of template files that goes away with the value.
private final class Templates {
  let folder: URL

  init(_ files: [String: String]) throws {
    folder = FileManager.default.temporaryDirectory.appending(path: "templates-\(UUID())")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    for (name, text) in files {
      try Data(text.utf8).write(to: folder.appending(path: name))
    }
  }

  deinit { try? FileManager.default.removeItem(at: folder) }

  var library: LabelStockLibrary { LabelStockLibrary(folders: [folder.path]) }

  func stock(_ name: String) throws -> LabelStock { try library.stock(named: name) }

  func error(_ name: String) -> CodeDrawingError? {
    do {
      _ = try library.stock(named: name)
      return nil
    } catch {
      return error
    }
  }
}

@Suite("Names of label stock on its box") struct BoxNameTests {
  private static let templates = """
    <Glabels-templates>
      <Template brand="Avery" part="7160" size="A4"><Label-rectangle width="60mm" height="38mm">
        <Layout nx="3" ny="7" x0="7mm" y0="15mm" dx="66mm" dy="38mm"/></Label-rectangle></Template>
      <Template brand="Avery" part="L7160" equiv="7160"/>
      <Template brand="Avery" part="L7163" equiv="7160"/>
      <Template brand="Avery" part="5160" size="US-Letter"><Label-rectangle width="60mm" height="25mm">
        <Layout nx="3" ny="10" x0="4mm" y0="12mm" dx="70mm" dy="25mm"/></Label-rectangle></Template>
      <Template brand="Avery" part="8160" equiv="5160"/>
      <Template brand="Avery" part="6460" equiv="5160"/>
      <Template brand="Avery" part="C32011-10" equiv="7160"/>
    </Glabels-templates>
    """
  private static let zweckform = """
    <Glabels-templates>
      <Template brand="Zweckform" part="4760" size="A4"><Label-rectangle width="60mm" height="38mm">
        <Layout nx="1" ny="1" x0="7mm" y0="15mm" dx="0" dy="0"/></Label-rectangle></Template>
    </Glabels-templates>
    """
  private static let brother = """
    <Glabels-templates>
      <Template brand="Brother" part="DK-1202" size="Other" width="62mm" height="100mm">
        <Label-rectangle width="62mm" height="100mm">
        <Layout nx="1" ny="1" x0="0" y0="0" dx="0" dy="0"/></Label-rectangle></Template>
    </Glabels-templates>
    """

  private func box() throws -> Templates {
    try Templates([
      "avery-templates.xml": Self.templates, "zweckform-templates.xml": Self.zweckform,
      "brother-templates.xml": Self.brother,
    ])
  }

  @Test(
    "a name is read as it is on the box",
    arguments: [
      ("Avery L7160-100", "Avery L7160"), ("L7160REV", "Avery L7160"),
      ("avery zweckform L7160REV-25", "Avery L7160"), ("Avery-Zweckform 7160", "Avery 7160"),
      ("J8160", "Avery L7160"), ("Avery J8163-25", "Avery L7163"), ("US Avery 5160", "Avery 5160"),
      ("5160-template", "Avery 5160"), ("8160", "Avery 8160"), ("Avery 5160 labels", "Avery 5160"),
      ("L4760-20", "Zweckform 4760"), ("Avery L4760", "Zweckform 4760"),
      ("C32011-10", "Avery C32011-10"), ("DK-11202", "Brother DK-1202"),
      ("Brother DK11202", "Brother DK-1202"), ("Avery Zweckform L4731REV-25", "Avery L4731"),
      ("L4731", "Avery L4731"), ("Herma 4345", "Herma 4345"), ("herma 10003", "Herma 10003"),
      ("Herma 4200", "Herma 4200"),
    ])
  func box(name: String, stock: String) throws {
    #expect(try box().stock(name).name == stock)
  }

  @Test(
    "a number is not taken for that of another die, and near names are suggested",
    arguments: [
      // Letter paper; the letter L is that of A4.
      ("L6460", "Avery 6460"),
      // J8414 and L7414 are different dies, as are those behind other letters.
      ("J8299", nil), ("L7160X", "Avery L7160"), ("Sigel 5160", "Avery 5160"),
      ("Avery 71600", "Avery 7160"),
    ])
  func otherDie(name: String, near: String?) throws {
    let error = try box().error(name)
    #expect(error?.code == .unknownStock)
    if let near { #expect(error?.hint.contains(near) == true, "\(error?.hint ?? "")") }
  }

  @Test("the stocks of the same die as one of the system's have its measures")
  func measures() throws {
    let system = LabelStockLibrary()
    let four = try #require(try? system.stock(named: "Avery L4732"), "glabels-data is missing")
    let herma = try system.stock(named: "Herma 4345")
    #expect(herma.count == four.count)
    for (own, other) in zip(herma.frames, four.frames) {
      #expect(abs(own.x - other.x) < 0.1 && abs(own.y - other.y) < 0.6)
    }
  }
}

@Suite("Label templates of the system") struct LabelStockLibraryTests {
  private static let papers = """
    <?xml version="1.0"?>
    <Glabels-paper-sizes>
      <Paper-size id="A4" _name="A4" pwg_size="iso_a4" width="210mm" height="29.7cm"/>
      <Paper-size id="US-Letter" _name="US Letter" pwg_size="na" width="8.5in" height="66pc"/>
    </Glabels-paper-sizes>
    """

  private static let templates = """
    <?xml version="1.0"?>
    <g:Glabels-templates xmlns:g="http://glabels.org/xmlns/3.0/">
      <g:Template brand="Acme" part="L-100" size="A4" _description="Little labels">
        <Label-rectangle id="0" width="72" height="1in" round="2mm" x_waste="1mm">
          <Markup-margin size="1"/><Layout nx="2" ny="3" x0="36pt" y0="0.5in" dx="8cm" dy="72"/>
        </Label-rectangle>
      </g:Template>
      <Template brand="Acme" part="L200" equiv="L-100"/>
      <Template brand="Other Ltd" part="L200" size="US-Letter" description="Rounds">
        <Label-round id="0" radius="12.5mm" waste="1">
          <Layout nx="2" ny="1" x0="10mm" y0="10mm" dx="60mm" dy="0"/>
          <Layout nx="1" ny="1" x0="40mm" y0="30mm" dx="0" dy="0"/>
        </Label-round>
      </Template>
      <Template brand="Acme" part="Roll 7" size="Other" width="62mm" height="100mm">
        <Label-ellipse id="0" width="40mm" height="30mm">
          <Layout nx="1" ny="1" x0="10mm" y0="10mm" dx="0" dy="0"/></Label-ellipse>
      </Template>
      <Template brand="Acme" part="CD1" size="A4">
        <Label-cd id="0" radius="58.5mm" hole="20.5mm">
          <Layout nx="1" ny="1" x0="46mm" y0="20mm" dx="0" dy="0"/></Label-cd>
      </Template>
      <Template brand="Acme" part="Wide9" size="A4">
        <Label-rectangle id="0" width="20mm" height="20mm">
          <Layout nx="9" ny="2" x0="5mm" y0="5mm" dx="210mm" dy="21mm"/></Label-rectangle>
      </Template>
      <Template brand="Acme" part="Bad3" size="A4">
        <Label-rectangle id="0" width="wide" height="20mm">
          <Layout nx="1" ny="1" x0="0" y0="0" dx="0" dy="0"/></Label-rectangle>
      </Template>
      <Template brand="Acme" part="Lost4" equiv="L999"/>
      <Template brand="Acme" part="Loop5" equiv="Loop6"/>
      <Template brand="Acme" part="Loop6" equiv="Loop5"/>
      <Template brand="Acme" part="Paper8" size="Z9"><Label-round id="0" radius="1"/></Template>
    </g:Glabels-templates>
    """

  private func sample() throws -> Templates {
    try Templates(["paper-sizes.xml": Self.papers, "acme-templates.xml": Self.templates])
  }

  @Test("a name of 900,000 bytes is cut before it is compared with any other")
  func longName() throws {
    let templates = try Templates([
      "paper-sizes.xml": Self.papers, "acme-templates.xml": Self.templates,
    ])
    for name in ["a", "1", "L-100 ", "60x40,3x6,"].map({ String(repeating: $0, count: 900_000) }) {
      let error = templates.error(name)
      #expect(error?.code == .unknownStock)
      #expect((error?.message ?? name).count < 300)
      #expect(try templates.library.listing(matching: name).isEmpty)
    }
  }

  @Test("lengths are read in every unit, and without one as points")
  func units() throws {
    let stock = try sample().stock("L-100")
    #expect(stock.name == "Acme L-100" && stock.summary == "Little labels")
    #expect(stock.paper == .init("A4", width: 210, height: 297))
    #expect(stock.shape == .rectangle(width: 25.4, height: 25.4, cornerRadius: 2))
    let grid = try #require(stock.grids.first)
    #expect(abs(grid.left - 12.7) < 1e-9 && abs(grid.top - 12.7) < 1e-9)
    #expect(abs(grid.pitchX - 80) < 1e-9 && abs(grid.pitchY - 25.4) < 1e-9)
    #expect(stock.source.hasSuffix("acme-templates.xml:3"))
  }

  @Test(
    "a stock is found by its part or by maker and part, in any case and spelling",
    arguments: ["acme l200", "ACME L-200", "Acme L 200", "acme/l200"])
  func names(name: String) throws {
    let stock = try sample().stock(name)
    #expect(stock.name == "Acme L200", "it keeps the name it was asked for by")
    #expect(stock.count == 6)
  }

  @Test("a part that two makers use is asked back for, with both names")
  func ambiguous() throws {
    let error = try #require(sample().error("L200"))
    #expect(error.code == .ambiguousStock)
    #expect(error.hint.contains("Acme L200, Other Ltd L200"))
  }

  @Test("staggered grids, rounds, ellipses, CDs and other papers are read")
  func kinds() throws {
    let templates = try sample()
    let round = try templates.stock("other ltd l200")
    #expect(round.shape == .round(diameter: 25) && round.count == 3)
    #expect(abs(round.paper.width - 215.9) < 1e-9 && abs(round.paper.height - 279.4) < 1e-9)
    let roll = try templates.stock("roll 7")
    #expect(roll.shape == .ellipse(width: 40, height: 30) && roll.paper.height == 100)
    let disc = try templates.stock("cd1")
    #expect(disc.shape == .disc(diameter: 117, hole: 41))
  }

  @Test(
    "a template that cannot be printed on says why, with file and line",
    arguments: [
      ("Wide9", "invalid-stock", "Label 2 runs 25 mm off the paper"),
      ("Bad3", "malformed-stock", "acme-templates.xml:28: width is not a length: “wide”"),
      ("Lost4", "malformed-stock", "refers to L999, which the file does not contain"),
      ("Loop5", "malformed-stock", "refers to itself in a cycle"),
      ("Paper8", "malformed-stock", "no paper size is named Z9"),
    ])
  func broken(name: String, code: String, words: String) throws {
    let error = try #require(sample().error(name))
    #expect(error.code.rawValue == code)
    #expect(error.message.contains(words), "\(error)")
  }

  @Test("an unknown name gets names that are near")
  func near() throws {
    let error = try #require(sample().error("L101"))
    #expect(error.code == .unknownStock)
    #expect(error.hint.contains("Acme L-100"))
  }

  @Test("without any templates the package to install is named")
  func none() throws {
    let library = LabelStockLibrary(folders: ["/nonexistent"])
    let error = try #require(throws: CodeDrawingError.self) { try library.stock(named: "L9999") }
    #expect(error.code == .noStock && error.hint.contains("glabels-data"))
    #expect(try library.stock(named: "avery 22806").count == 12)
  }

  static let torn: [(String, String)] = [
    ("<Glabels-templates>\n<Template part=\"Q1\"", "2:1: it is not complete XML: unclosed token"),
    ("<Glabels-templates>\n</Template part=\"Q1\">", "2:"),
    ("part 1", "1:1: it is not complete XML"),
    ("", "1:1: it is not complete XML"), ("<Other part=\"Q1\"/>", "1: it contains <Other>"),
    (
      "<!DOCTYPE x [\n<!ENTITY a \"aaaaaaaaaa\">\n]><Glabels-templates>&a;1</Glabels-templates>",
      "2:"
    ),
    (
      String(repeating: "<Glabels-templates part=\"1\">", count: 5_000),
      "elements nested too deeply"
    ),
    ("<Glabels-templates part=\"1\u{0}\"/>", "1:"),
  ]

  @Test("a torn or hostile file is an error with its line, never a crash", arguments: torn.indices)
  func hostile(index: Int) throws {
    let (text, words) = Self.torn[index]
    let templates = try Templates(["torn-templates.xml": text, "paper-sizes.xml": Self.papers])
    // The name has no digits, so that every file is read for it.
    let error = try #require(templates.error("Q"))
    #expect(error.code == .malformedStock)
    #expect(error.message.contains("torn-templates.xml:"))
    #expect(error.message.contains(words), "\(error)")
  }

  @Test("only files that can hold the name are read")
  func selective() throws {
    let templates = try Templates([
      "paper-sizes.xml": Self.papers, "acme-templates.xml": Self.templates,
      "torn-templates.xml": "<Glabels-templates>",
    ])
    #expect(try templates.stock("L-100").count == 6)
  }

  @Test("a pipe among the templates is an error, and is not waited for")
  func pipe() throws {
    let templates = try Templates(["paper-sizes.xml": Self.papers])
    try #require(mkfifo(templates.folder.path + "/acme-templates.xml", 0o600) == 0)
    let error = #expect(throws: CodeDrawingError.self) { try templates.stock("L-100") }
    #expect(error?.code == .malformedStock && error?.message.contains("not a plain file") == true)
  }

  /// The templates of the package glabels-data, where it is installed.
  private static let system = LabelStockLibrary(environment: [:])
  private static let hasSystem = system.folders.contains {
    FileManager.default.fileExists(atPath: $0 + "/avery-iso-templates.xml")
  }

  @Test(
    "well-known stock of the system's templates has the measures it is sold with",
    .enabled(if: hasSystem, "the package glabels-data is not installed"),
    arguments: [
      ("L7160", 21, 64.0, 38.1, 0.6), ("avery l7163", 14, 99.1, 38.1, 0.1),
      ("Avery L7651", 65, 38.1, 21.2, 0.1), ("avery 5160", 30, 66.675, 25.4, 0.1),
      ("Rayfilm 2525K", 70, 25, 25, 0.01), ("Avery 5163", 10, 101.6, 50.8, 0.1),
    ])
  func wellKnown(name: String, count: Int, width: Double, height: Double, near: Double) throws {
    let stock = try Self.system.stock(named: name)
    #expect(stock.count == count)
    #expect(abs(stock.shape.width - width) < near && abs(stock.shape.height - height) < near)
  }

  @Test(
    "every template of the system is a stock or says why not",
    .enabled(if: hasSystem, "the package glabels-data is not installed"))
  func all() throws {
    let listing = try Self.system.listing()
    #expect(listing.count > 1_700)
    let broken = listing.filter { $0.stock == nil }
    #expect(broken.count < 40)
    #expect(broken.contains { $0.name == "Rayfilm 7001" })
    #expect(broken.contains { $0.name == "Hisago OP3010" })
    #expect(try Self.system.listing(matching: "avery L7163").map(\.name) == ["Avery L7163"])
  }
}
