import Testing

@testable import CodeDrawing

@Suite("Terminal text and file endings")
struct TerminalTests {
  /// Reads half blocks back into modules: 1 where a half is filled.
  private func filled(_ text: String, side: Int) -> [[Int]] {
    var rows: [[Int]] = []
    for line in text.split(separator: "\n") {
      rows.append(line.map { "█▀".contains($0) ? 1 : 0 })
      rows.append(line.map { "█▄".contains($0) ? 1 : 0 })
    }
    return rows
  }

  @Test("half blocks show the modules; on a dark ground the light ones are the blocks")
  func halfBlocks() throws {
    let drawing = try drawing()
    // 37 rows take 19 lines; the lower half of the last belongs to the quiet zone.
    let expected = drawing.expectedModules + [[Int](repeating: 0, count: 37)]
    #expect(filled(drawing.terminalText(style: .blocksOnLight), side: 37) == expected)
    #expect(
      filled(drawing.terminalText(style: .blocksOnDark), side: 37)
        == expected.map { $0.map { 1 - $0 } })
  }

  @Test("in colour every line sets black on white and puts the colours back")
  func colour() throws {
    let drawing = try drawing()
    let plain = drawing.terminalText(style: .blocksOnLight).split(separator: "\n")
    let lines = drawing.terminalText(style: .colour).split(separator: "\n")
    #expect(lines == plain.map { "\u{1B}[38;5;16;48;5;231m\($0)\u{1B}[0m" })
  }

  @Test("ASCII shows a module as two characters")
  func ascii() throws {
    let drawing = try drawing()
    let text = drawing.terminalText(style: .ascii)
    #expect(text.allSatisfy { " #\n".contains($0) })
    let rows = text.split(separator: "\n").map { line in
      stride(from: 0, to: line.count, by: 2).map { start in
        Array(line)[start] == "#" ? 1 : 0
      }
    }
    #expect(rows == drawing.expectedModules)
  }

  @Test(
    "the ending of a file name chooses the format, in capital or small letters",
    arguments: [
      ("a.svg", DrawingFormat.svg), ("A.PNG", .png), ("dir.x/a.b.Pdf", .pdf), (".eps", .eps),
      ("/tmp/é.eps", .eps),
    ])
  func endings(name: String, format: DrawingFormat) throws {
    #expect(try DrawingFormat(fileName: name) == format)
  }

  @Test(
    "any other ending is refused and the possible ones are listed",
    arguments: ["a.gif", "a", "", "svg", "a.svg/", "dir.svg/a", "a.svg ", "a."])
  func unknownEndings(name: String) {
    let error = #expect(throws: CodeDrawingError.self) { try DrawingFormat(fileName: name) }
    #expect(error?.code == .unknownFormat)
    #expect(error?.hint.contains(".svg, .png, .pdf or .eps") == true)
  }
}
