import CodeDrawing
import Foundation
import Invocation
import Registry
import Testing

@testable import Auditing

@Suite("Reports of walks as pages to print")
struct WalkPagesTests {
  private typealias Make = WalkReports

  /// Returns the output of a program about a file, with its exit status.
  private func output(
    _ program: String, _ arguments: [String], of pdf: [UInt8]
  ) throws -> (text: String, status: Int32) {
    let file = FileManager.default.temporaryDirectory.appending(path: "\(UUID()).pdf")
    try Data(pdf).write(to: file)
    defer { try? FileManager.default.removeItem(at: file) }
    let process = Process()
    process.executableURL = URL(filePath: "/usr/bin/env")
    process.arguments = [program] + arguments.map { $0 == "FILE" ? file.path : $0 }
    let pipe = Pipe()
    process.standardOutput = pipe
    process.standardError = FileHandle.nullDevice
    try process.run()
    let data = try pipe.fileHandleForReading.readToEnd() ?? Data()
    process.waitUntilExit()
    return (String(decoding: data, as: UTF8.self), process.terminationStatus)
  }

  /// The answer and the pages of a full report, made once for the tests that look at them.
  private static let fruta = Task {
    let (report, material) = try Make.full("Fruta")
    return (answer: report.answer, pdf: try await Make.pdf(report, material))
  }

  private func words(of pdf: [UInt8]) throws -> String {
    try output("pdftotext", ["FILE", "-"], of: pdf).text
  }

  private func pages(of pdf: [UInt8]) throws -> Int {
    let text = try output("pdfinfo", ["FILE"], of: pdf).text
    return try #require(text.firstMatch(of: /Pages: +([0-9]+)/).flatMap { Int($0.1) })
  }

  @Test(
    "whatever texts hold, the pages are a clean PDF file",
    arguments: [
      WalkReports.hostile.filter { $0.utf8.count < 100 }.joined(separator: " "),
      "فروتا القاهرة פרוטה חיפה フルータ渋谷",
    ] + WalkReports.hostile.filter { $0.utf8.count >= 100 })
  func hostile(text: String) async throws {
    let (report, material) = try Make.full(text)
    let pdf = try await Make.pdf(report, material)
    let check = try output("qpdf", ["--check", "FILE"], of: pdf)
    #expect(check.status == 0 && check.text.contains("No syntax or stream encoding errors"))
    #expect(try pages(of: pdf) < 10)
  }

  @Test("a walk without any stop is a page, too")
  func empty() async throws {
    let pdf = try await Make.pdf(Make.report(walks: [], stops: 0, period: nil))
    #expect(try pages(of: pdf) == 1)
    #expect(try words(of: pdf).contains("Nothing was read."))
  }

  @Test("the pages say what the web page says, in its order")
  func order() async throws {
    let (answer, pdf) = try await Self.fruta.value
    let text = try words(of: pdf)
    let parts = [
      String(answer.prefix(20)), "What to do now", "\nMap\n", "\nPlaces\n", "\nPictures\n",
      "\nNot visited\n", "\nAll stops\n",
    ]
    let places = try parts.map { try #require(text.range(of: $0), "\($0): \(text)").lowerBound }
    #expect(places == places.sorted())
  }

  @Test("with several places, all are listed first, the worst first, and each begins a page")
  func severalPlaces() async throws {
    let names = ["Fruta b", "Fruta a", "Fruta c"]
    let report = Make.report(
      sections: names.map { name in
        Make.section(
          Make.place(name), items: [Make.item(.retiredCode, .error, stop: Make.stop(1))])
      })
    let pages = try words(of: try await Make.pdf(report, Make.material([Make.stop(1)])))
      .split(separator: "\u{C}").map(String.init)
    let order = try names.map { try #require(pages[0].range(of: $0)).lowerBound }
    #expect(order == order.sorted())
    let sheets = pages.filter { $0.contains("Done by") }
    #expect(sheets.count == 3)
    for (name, sheet) in zip(names, sheets) {
      #expect(sheet.contains("\(name)\n") && sheet.contains("Take it down."), "\(sheet)")
    }
  }

  @Test("the same report at the same time gives the same bytes, which name the time")
  func reproducible() async throws {
    let (report, material) = try Make.full("Fruta")
    let pdf = try await Make.pdf(report, material)
    #expect(try await Make.pdf(report, material) == pdf)
    let facts = try output("pdfinfo", ["-isodates", "FILE"], of: pdf).text
    for fact in [
      /Title: +Fruta: walk report/, /Subject: +1 of 2 codes/, /Creator: +cliptag/, /Tagged: +yes/,
      /CreationDate: +1970-01-01T00:00:00/,
    ] { #expect(facts.contains(fact), "\(facts)") }
    // Newer versions of WeasyPrint compress it.
    let plain = try output("qpdf", ["--qdf", "--object-streams=disable", "FILE", "-"], of: pdf)
    #expect(plain.text.contains("/Lang (en)"))
  }

  @Test("a picture is in the file once, with words for those who cannot see it")
  func photograph() async throws {
    let pdf = try await Self.fruta.value.pdf
    #expect(String(decoding: pdf, as: UTF8.self).ranges(of: "/DCTDecode").count == 1)
    #expect(try words(of: pdf).contains("Photograph with 1 code, 1 of them with findings"))
  }

  @Test("every page of a long report has its number")
  func long() async throws {
    let stops = (1...100).map { Make.stop($0, digest: nil) }
    let report = Make.report(
      stops: stops.count,
      sections: [
        Make.section(
          Make.place("a", "Fruta"), items: stops.prefix(30).map { Make.item(stop: $0, reading: 0) })
      ])
    let pdf = try await Make.pdf(report, Make.material(stops, picture: try Make.picture()))
    let text = try words(of: pdf)
    let count = try pages(of: pdf)
    #expect(count > 10)
    for page in 1...count { #expect(text.contains("Page \(page)\n")) }
    #expect(!text.contains("Page \(count + 1)\n"))
    // Each is named at its place, and where its contents are described.
    #expect(text.matches(of: /Picture [0-9]+( ·|\n)/).count == 60)
  }

  @Test("a stop with more codes than a page has room for goes on over the next")
  func manyCodes() async throws {
    let readings = (0..<150).map { Make.reading("https://fruta.example.com/order?table=\($0)") }
    let stop = Make.stop(1, readings: readings)
    let pdf = try await Make.pdf(Make.report(), Make.material([stop]))
    #expect(try pages(of: pdf) > 2)
    let text = try words(of: pdf)
    for number in 0..<150 { #expect(text.contains("table=\(number)\n")) }
  }

  @Test("the sheet has the size that was asked for", arguments: ["A4", "letter", "A5"])
  func paper(name: String) async throws {
    let pdf = try await Make.pdf(Make.report(), on: name)
    let text = try output("pdfinfo", ["FILE"], of: pdf).text
    let size = try #require(text.firstMatch(of: /Page size: +([0-9.]+) x ([0-9.]+) pts/))
    let paper = try PaperSize(name)
    #expect(abs(try #require(Double(size.1)) / 72 * 25.4 - paper.width) < 0.1)
    #expect(abs(try #require(Double(size.2)) / 72 * 25.4 - paper.height) < 0.1)
  }

  @Test("a sheet without room for a report is refused")
  func smallPaper() async throws {
    let error = await #expect(throws: CodeDrawingError.self) {
      try await Make.pdf(Make.report(), on: "a6")
    }
    #expect(error?.code == .invalidPaper)
  }
}
