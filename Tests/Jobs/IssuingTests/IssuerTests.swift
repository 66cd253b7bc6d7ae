import CliptagBasics
import CodeDrawing
import Foundation
import Invocation
import Issuing
import JourneyFixtures
import QRSymbol
import Registry
import TagTypes
import Testing

/// A separate folder for each test, removed with the test.
private final class Folder {
  let path = NSTemporaryDirectory() + "issuer-tests-" + UUID().uuidString

  init() throws {
    try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
  }

  deinit { try? FileManager.default.removeItem(atPath: path) }

  func file(_ name: String) -> String { "\(path)/\(name)" }
  func text(_ name: String) throws -> String {
    String(decoding: try #require(FileManager.default.contents(atPath: file(name))), as: UTF8.self)
  }
  func names() throws -> [String] {
    try FileManager.default.contentsOfDirectory(atPath: path).sorted()
  }
}

@Suite("The issuing transaction") struct IssuerTests {
  private let registry: any RegistryStore
  private let folder: Folder
  private let issuer: Issuer

  init() throws {
    registry = try Fixtures.registry()
    folder = try Folder()
    issuer = Issuer(registry: registry, who: "tester")
  }

  private static let csv = """
    url,copies,table
    https://fruta.example.com/order/1,2,One
    https://fruta.example.com/order/2,1,Two
    https://fruta.example.com/order/3,1,Three

    """

  private func labels(_ text: String = Self.csv) throws -> ApprovedLabels {
    try issuer.approve(LabelFile(Array(text.utf8)))
  }

  private func sheet() throws -> LabelSheetOptions {
    LabelSheetOptions(stock: try LabelStockLibrary().stock(named: "60x40,3x6,15,20,60,42,A4"))
  }

  /// Another program that prints the same code.
  private func anotherProgramPrints(_ payload: String) async throws -> CodeID {
    let drawing = try CodeDrawing(QRSymbol(payload))
    return try await registry.ledger().recordPrinted(
      registry.approve(payload), output: "theirs.pdf", symbol: IssuedCode.Symbol(drawing))
  }

  @Test("a code is printed, proven and recorded in one call")
  func code() async throws {
    let code = try await issuer.issue(Fixtures.cupertino, to: folder.file("a.png"), width: 40)
    let recorded = try #require(try registry.codes().first)
    #expect(code.id == recorded.id && recorded.payload == Fixtures.cupertino)
    #expect(recorded.output == folder.file("a.png"))
    #expect(code.printed.drawing?.size.width ?? .infinity <= 40)
    #expect(try folder.names() == ["a.png"])
  }

  @Test("what the check does not accept leaves neither a file nor a record")
  func refused() async throws {
    await #expect(throws: IssueRefusal.self) {
      try await issuer.issue(Fixtures.foreign, to: folder.file("a.png"))
    }
    #expect(try folder.names().isEmpty && registry.codes().isEmpty)
  }

  @Test("a rehearsal makes and proves everything, and leaves neither a file nor a record")
  func rehearsal() async throws {
    let rehearsal = Issuer(registry: registry, who: "tester", isRehearsal: true)
    let code = try await rehearsal.issue(Fixtures.cupertino, to: folder.file("a.svg"))
    #expect(code.id == nil && !code.printed.bytes.isEmpty)
    let rows = try rehearsal.approve(LabelFile(Array(Self.csv.utf8)))
    let printed = try await rehearsal.issue(
      rows, in: folder.file("codes"), as: CodeFileOptions(format: .png))
    #expect(printed.labels.map(\.id) == [nil, nil, nil] && printed.manifestPath == nil)
    let sheet = try await rehearsal.issue(rows, to: .file(folder.file("s.pdf")), on: sheet())
    #expect(sheet.labels.count == 4 && sheet.manifestPath == nil)
    #expect(try folder.names().isEmpty && registry.codes().isEmpty)
  }

  @Test("a registry that takes no record keeps the old file, and leaves nothing new")
  func notRecorded() async throws {
    try Data("old".utf8).write(to: URL(fileURLWithPath: folder.file("a.png")))
    let full = Issuer(registry: ReadOnlyRegistry(registry: registry), who: "tester")
    await #expect(throws: RegistryError.self) {
      try await full.issue(Fixtures.cupertino, to: folder.file("a.png"))
    }
    let rows = try labels()
    await #expect(throws: RegistryError.self) {
      try await full.issue(rows, in: folder.file("codes"), as: CodeFileOptions(format: .png))
    }
    let options = try sheet()
    await #expect(throws: RegistryError.self) {
      try await full.issue(rows, to: .file(folder.file("s.pdf")), on: options)
    }
    #expect(try folder.names() == ["a.png"])
    #expect(try folder.text("a.png") == "old")
  }

  @Test("a poster has the name that the record gives, though another program began the code since")
  func posterNamedByRecord() async throws {
    let approval = try issuer.approve(Fixtures.cupertino)
    let design = try issuer.design(
      of: approval, showing: .tail,
      poster: Poster.Request(
        content: PosterContent(headline: "Order", callToAction: "Scan"),
        paper: try PaperSize("A6")))
    let theirs = try await anotherProgramPrints(Fixtures.cupertino)
    let poster = try await issuer.issue(design, as: .svg, to: .file(folder.file("p.svg")))
    #expect(poster.id == theirs)
    let names = [design.content, poster.printed.content].map { content in
      content.poster?.page.elements.compactMap { element in
        if case .text(let words) = element { words.text.text } else { nil }
      }.last
    }
    #expect(names[0] != theirs.tail && names[1] == theirs.tail)
    #expect(try registry.codes().map(\.id) == [theirs])
  }

  @Test("sheet, list and answer have the names that the record gives")
  func sheetNamedByRecord() async throws {
    let rows = try labels()
    let theirs = try await anotherProgramPrints("https://fruta.example.com/order/2")
    let printed = try await issuer.issue(rows, to: .file(folder.file("s.pdf")), on: sheet())
    #expect(printed.labels.map(\.row.number) == [1, 1, 2, 3])
    #expect(printed.labels[2].id == theirs)
    let recorded = Set(try registry.codes().map(\.id.description))
    let list = try folder.text("s-manifest.csv").split(separator: "\r\n").dropFirst()
      .map { String($0.split(separator: ",", omittingEmptySubsequences: false)[5]) }
    #expect(list == printed.labels.map { $0.id?.description })
    #expect(recorded == Set(list))
  }

  @Test("a sheet shows the names of items that the record gives, though another program was faster")
  func sheetWithItemNames() async throws {
    var options = try sheet()
    options.hasItemNames = true
    let destination = FileDestination.file(folder.file("s.pdf"))
    let design = try issuer.design(of: labels(), options, for: destination)
    let expected = design.names.map { $0?.item }
    #expect(Set(expected).count == 3 && !expected.contains(nil))
    let theirs = try await anotherProgramPrints("https://fruta.example.com/order/2")
    var passes = 0
    let printed = try await issuer.issue(design, to: destination, look: { _ in passes += 1 })
    #expect(passes == 2)
    let items = try registry.items(of: registry.codes()).values.flatMap(\.self)
    #expect(Set(printed.labels.map(\.item)).isSubset(of: items.map(\.name)))
    #expect(
      printed.labels.map(\.item) == [expected[0], expected[0]] + printed.labels[2...].map(\.item))
    #expect(printed.labels[2].item?.hasPrefix("\(theirs)-") == true)
    // A file that is printed again has the same names at once.
    passes = 0
    let again = try await issuer.issue(
      issuer.design(of: labels(), options, for: destination), to: destination,
      look: { _ in passes += 1 })
    #expect(passes == 1 && again.labels.map(\.item) == printed.labels.map(\.item))
  }

  @Test("files of a folder have the names that the record gives, and a list beside them")
  func filesNamedByRecord() async throws {
    let rows = try labels()
    let theirs = try await anotherProgramPrints("https://fruta.example.com/order/3")
    let printed = try await issuer.issue(
      rows, in: folder.file("codes"), as: CodeFileOptions(format: .png))
    #expect(printed.labels[2].id == theirs)
    #expect(try folder.text("codes/manifest.csv").contains(theirs.description))
    #expect(
      try FileManager.default.contentsOfDirectory(atPath: folder.file("codes")).sorted()
        == ["1.png", "2.png", "3.png", "manifest.csv"])
  }

  @Test(
    "many files are drawn by one process, and each is read back", arguments: DrawingFormat.allCases)
  func manyFiles(format: DrawingFormat) async throws {
    let rows = (1...40).map {
      "https://fruta.example.com/order/\($0)" + String(repeating: "x", count: $0 % 3 * 40)
    }
    let text =
      "url,code\n"
      + rows.enumerated()
      .map { "\($1),t&b 50% #\($0) é\n" }.joined()
    let printed = try await issuer.issue(
      labels(text), in: folder.file("codes"),
      as: CodeFileOptions(format: format, size: CodeSize.Request(width: 25)))
    #expect(printed.labels.count == 40)
    #expect(Set(printed.labels.compactMap { $0.drawing?.size.moduleSize }).count > 1)
    #expect(
      try FileManager.default.contentsOfDirectory(atPath: folder.file("codes")).count == 41)
  }

  @Test("a tag is written, verified and recorded in one call")
  func tag() async throws {
    let tag = try TagInMemory()
    let written = try await issuer.write(Fixtures.cupertino, on: tag)
    #expect(try registry.codes().map(\.id) == [written.code])
    #expect(try registry.codes().map(\.tagUID) == [try await tag.identified().uid.hexadecimal])
  }
}
