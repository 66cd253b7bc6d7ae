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

  private func words(of pdf: [UInt8]) throws -> String {
    try output("mutool", ["draw", "-q", "-F", "txt", "FILE"], of: pdf).text
  }

  @Test(
    "whatever texts hold, the pages are a clean PDF file",
    arguments: WalkReports.hostile + ["فروتا القاهرة", "פרוטה חיפה", "フルータ渋谷"])
  func hostile(text: String) throws {
    let (report, material) = try Make.full(text)
    let pdf = try Make.pdf(report, material)
    let check = try output("qpdf", ["--check", "FILE"], of: pdf.bytes)
    #expect(check.status == 0 && check.text.contains("No syntax or stream encoding errors"))
    #expect(pdf.pages < 10)
  }

  @Test("a walk without any stop is a page, too")
  func empty() throws {
    let pdf = try Make.pdf(Make.report(walks: [], stops: 0, period: nil))
    #expect(pdf.pages == 1)
    #expect(try words(of: pdf.bytes).contains("Nothing was read."))
  }

  @Test("the pages say what the web page says, in its order")
  func order() throws {
    let (report, material) = try Make.full("Fruta")
    let text = try words(of: try Make.pdf(report, material).bytes)
    let parts = [
      String(report.answer.prefix(20)), "What to do now", "Map\n", "\nPlaces\n", "Pictures",
      "Not visited",
      "All stops",
    ]
    let places = try parts.map { try #require(text.range(of: $0), "\($0)").lowerBound }
    #expect(places == places.sorted())
  }

  @Test("the same report at the same time gives the same bytes")
  func reproducible() throws {
    let (report, material) = try Make.full("Fruta")
    #expect(try Make.pdf(report, material).bytes == Make.pdf(report, material).bytes)
  }

  @Test("a picture is in the file as it came, with words for those who cannot see it")
  func photograph() throws {
    let (report, material) = try Make.full("Fruta")
    let pdf = try Make.pdf(report, material).bytes
    let jpeg = try Make.picture().jpeg
    #expect(pdf.indices.contains { pdf[$0...].starts(with: jpeg) })
    let text = String(decoding: pdf, as: UTF8.self)
    #expect(text.contains("/Filter /DCTDecode"))
    #expect(text.contains("/Alt (Photograph with 1 code, 1 of them with findings)"))
  }

  @Test("every page of a long report has its number, and pictures go out one by one")
  func long() throws {
    let stops = (1...300).map { Make.stop($0, digest: nil) }
    let report = Make.report(
      stops: stops.count,
      sections: [
        Make.section(
          Make.place("a", "Fruta"), items: stops.prefix(30).map { Make.item(stop: $0, reading: 0) })
      ])
    let pdf = try Make.pdf(report, Make.material(stops, picture: try Make.picture()))
    let text = try words(of: pdf.bytes)
    for page in 1...pdf.pages { #expect(text.contains("Page \(page)\n")) }
    #expect(!text.contains("Page \(pdf.pages + 1)\n"))
    // Each is named at its place, and where its contents are described.
    #expect(text.matches(of: /Picture [0-9]+\n/).count == 60)
  }

  @Test("a stop with more codes than a page has room for goes on over the next")
  func manyCodes() throws {
    let readings = (0..<300).map { Make.reading("https://fruta.example.com/order?table=\($0)") }
    let stop = Make.stop(1, readings: readings)
    let pdf = try Make.pdf(Make.report(), Make.material([stop]))
    #expect(pdf.pages > 2)
    let text = try words(of: pdf.bytes)
    #expect(text.contains("table=0\n") && text.contains("table=299"))
  }

  @Test("a sheet without room for a report is refused")
  func smallPaper() throws {
    let error = #expect(throws: CodeDrawingError.self) {
      try WalkPages(Make.report(), material: Make.material(), on: PaperSize("a6"))
    }
    #expect(error?.code == .invalidPaper)
  }

  @Test("characters that no font has become squares, and the rest of the text stays")
  func squares() throws {
    let text = PageText()
    #expect(try text.text("Café 🍓 \u{10FFFD}!", size: 3, width: 100).text == "Café □ □!")
    #expect(try text.line("👩‍👧", size: 3).text == "□□")
  }

  @Test("text that is read from right to left begins at the left edge, as the page around it does")
  func rightToLeft() throws {
    let set = try PageText().text("פרוטה", size: 3, width: 100)
    #expect(try #require(set.lines.first).x < 1)
  }
}
