import CliptagBasics
import CodeDrawing
import Foundation
import Invocation
import Issuing
import Jobs
import JourneyFixtures
import Registry
import Testing

/// A poster as a program of one's own prints it, without a command.
@Suite("Job: print a poster") struct PrintPosterTests {
  private static func workplace() throws -> Workplace {
    Workplace(registry: try Fixtures.registry(), person: "ada")
  }

  @Test("the words come from the registry, the file is read back, and the record has its name")
  func words() async throws {
    let folder = try #require(ScratchFolder())
    let workplace = try Self.workplace()
    var poster = PrintPoster(url: Fixtures.cupertino)
    poster.outputs = [try PrintOutput(path: folder.path + "/sign.svg")]
    let files = try await poster.run(in: workplace)
    let file = try #require(files.first)
    let code = try #require(file.issued.id)
    #expect(file.result.code == code.description && file.result.verified && !file.result.dryRun)
    let text = try String(contentsOfFile: folder.path + "/sign.svg", encoding: .utf8)
    #expect(text.contains("<title>Fruta</title>"), "\(text.prefix(400))")
    let recorded = try #require(try workplace.registry.code(id: code))
    #expect(recorded.payload == Fixtures.cupertino)
  }

  @Test("a refused URL makes no file and no record, and the refusal holds the check's answer")
  func refused() async throws {
    let folder = try #require(ScratchFolder())
    let workplace = try Self.workplace()
    var poster = PrintPoster(url: Fixtures.foreign)
    poster.headline = "Order"
    poster.outputs = [try PrintOutput(path: folder.path + "/sign.pdf")]
    let refusal = await #expect(throws: IssueRefusal.self) {
      try await poster.run(in: workplace)
    }
    #expect(refusal?.verification.state == .unregistered)
    #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path).isEmpty)
    #expect(try workplace.registry.codes(CodeFilter()).isEmpty)
  }

  @Test("without a language, the poster is in that of the signs at its place")
  func placeLanguage() async throws {
    let workplace = try Self.workplace()
    let registry = workplace.registry
    let link = try InvocationURL("https://fruta.example.com/order")
    var experience = try #require(try registry.experience(link: link))
    experience.place = .path(template: try PathTemplate("/order/{place}"))
    try registry.replace(experience)
    let circle = try #require(Region(latitude: 37.323, longitude: -122.0322, radius: 100))
    try registry.add(Place(id: "cupertino", region: circle, language: "de"))
    func calls(_ change: (inout PrintPoster) -> Void) async throws -> [String] {
      let folder = try #require(ScratchFolder())
      var poster = PrintPoster(url: Fixtures.cupertino)
      poster.outputs = [try PrintOutput(path: folder.path + "/sign.svg")]
      change(&poster)
      let files = try await poster.run(in: workplace)
      return files.first?.issued.printed.content.poster?.page.elements.compactMap { element in
        if case .text(let words) = element { words.text.text } else { nil }
      } ?? []
    }
    #expect(try await calls { _ in }.contains("Mit der Kamera scannen"))
    #expect(try await calls { $0.language = "fr" }.contains("Scannez avec l’appareil photo"))
  }

  /// The words of a poster that was printed.
  private static func texts(_ file: PrintedFile?) -> [String] {
    file?.issued.printed.content.poster?.page.elements.compactMap { element in
      if case .text(let words) = element { words.text.text } else { nil }
    } ?? []
  }

  @Test("a sign has no name of its code, unless its tail or the name of the print is wanted")
  func shownName() async throws {
    let folder = try #require(ScratchFolder())
    let workplace = try Self.workplace()
    let address = "fruta.example.com/order/cupertino"
    func texts(_ change: (inout PrintPoster) -> Void) async throws -> (IssuedPrint, [String]) {
      var poster = PrintPoster(url: Fixtures.cupertino)
      poster.outputs = [try PrintOutput(path: folder.path + "/sign.svg")]
      change(&poster)
      let file = try #require(try await poster.run(in: workplace).first)
      return (file.issued, Self.texts(file))
    }
    let (usual, words) = try await texts { _ in }
    let code = try #require(usual.id)
    #expect(words.contains(address))
    #expect(!words.contains { $0.contains(code.tail) }, "\(words)")
    #expect(try await texts { $0.codeTail = true }.1.suffix(2) == [address, code.tail])
    #expect(try await texts { $0.itemName = true }.1.suffix(2) == [address, usual.item ?? "?"])
    let (_, alone) = try await texts {
      $0.codeTail = true
      $0.smallPrint = false
    }
    #expect(alone.contains(code.tail) && !alone.contains(address))
  }

  @Test("a print shows the name that the record gives it when another print has the short name")
  func itemNames() async throws {
    let folder = try #require(ScratchFolder())
    let workplace = try Self.workplace()
    let code = CodeID(at: Date(timeIntervalSince1970: 0))
    var files: [String: String] = [:]
    var pair: [String] = []
    for number in 0... {
      let file = "\(folder.path)/\(number).svg"
      if let other = files.updateValue(file, forKey: try CodeItem.name(of: code, printedTo: file)) {
        pair = [other, file]
        break
      }
    }
    var items: [String] = []
    for file in pair {
      var poster = PrintPoster(url: Fixtures.cupertino)
      poster.itemName = true
      poster.outputs = [try PrintOutput(path: file)]
      let printed = try await poster.run(in: workplace).first
      items.append(try #require(printed?.issued.item))
      #expect(Self.texts(printed).last == items.last)
    }
    #expect(items.last?.count == (items.first?.count ?? 0) + 1)
  }

  struct Mistake: Sendable {
    let sentence: String
    let make: @Sendable (inout PrintPoster) -> Void

    static let all = [
      Mistake(sentence: "bleed must be in millimetres from 0 to 50; printers usually require 3.") {
        $0.bleed = -1
      },
      Mistake(sentence: "unregistered and strict exclude each other.") {
        $0.unregistered = true
        $0.strict = true
      },
      Mistake(sentence: "codeTail and itemName exclude each other.") {
        $0.codeTail = true
        $0.itemName = true
      },
      Mistake(sentence: "appClipCodeOnly needs appClipCode.") { $0.appClipCodeOnly = true },
    ]
  }

  @Test("inputs that exclude each other are named, not as options", arguments: Mistake.all)
  func inputs(mistake: Mistake) async throws {
    var poster = PrintPoster(url: Fixtures.cupertino)
    mistake.make(&poster)
    let job = poster
    let error = await #expect(throws: InputError.self) {
      _ = try await job.run(in: Self.workplace())
    }
    #expect(error?.description == mistake.sentence)
  }

  @Test("a run reports its steps in order, and its answer comes at the end")
  func events() async throws {
    let folder = try #require(ScratchFolder())
    var poster = PrintPoster(url: Fixtures.cupertino)
    poster.outputs = [
      try PrintOutput(path: folder.path + "/sign.svg"),
      try PrintOutput(path: folder.path + "/missing/sign.svg"),
    ]
    poster.outputs.append(try PrintOutput(path: folder.path + "/sign.pdf"))
    var workplace = try Self.workplace()
    workplace.printer = PrinterQueue("office", copies: 2) { order in
      FileManager.default.fileExists(atPath: order.path) ? "\(order.copies)" : nil
    }
    let run = poster.start(in: workplace)
    var steps: [String] = []
    for await event in run {
      switch event {
      case .approved: steps.append("approved")
      case .note: steps.append("note")
      case .designed: steps.append("designed")
      case .printed: steps.append("printed")
      case .handedOver: steps.append("handed over")
      case .failed: steps.append("failed")
      }
    }
    #expect(
      steps == ["approved", "designed", "printed", "failed", "printed", "handed over"])
    #expect(
      try await run.output.map(\.output) == [folder.path + "/sign.svg", folder.path + "/sign.pdf"])
  }

  @Test("JSON describes a poster by the names of its inputs, and empty words as words not given")
  func decoded() throws {
    let json = """
      {"url": "https://fruta.example.com/order/cupertino", "design": "bold", "accent": "#0b6e4f",
       "headline": "", "smallPrint": false, "codeTail": true, "bleed": 3}
      """
    let poster = try JSONDecoder().decode(PrintPoster.self, from: Data(json.utf8))
    #expect(poster.design == .bold && poster.accent.hexadecimal == "#0b6e4f")
    #expect(poster.headline == nil && !poster.smallPrint && poster.codeTail && poster.bleed == 3)
    #expect(poster.outputs.isEmpty && !poster.dryRun)
  }

  @Test(
    "JSON with an unknown value is refused, and names no file of this computer",
    arguments: [
      #""design": "baroque""#, #""accent": "greenish""#, #""appClipCode": "/etc/passwd""#,
      #""bleed": "3""#,
    ])
  func unknownValues(member: String) {
    let json = #"{"url": "https://fruta.example.com/order", \#(member)}"#
    #expect(throws: DecodingError.self) {
      try JSONDecoder().decode(PrintPoster.self, from: Data(json.utf8))
    }
  }

  @Test("two posters of one URL that are made at once are two files, each with the code's name")
  func reservedNames() async throws {
    let folder = try #require(ScratchFolder())
    let first = try ReservedFile(in: folder.path, named: "sign", ending: "pdf")
    let second = try ReservedFile(in: folder.path, named: "sign", ending: "pdf")
    #expect(
      [first.path, second.path] == ["sign.pdf", "sign-2.pdf"].map { "\(folder.path)/\($0)" })
    try withExtendedLifetime((first, second)) {
      try Data("made".utf8).write(to: URL(filePath: second.path))
    }
    _ = consume first
    _ = consume second
    #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path) == ["sign-2.pdf"])
  }
}
