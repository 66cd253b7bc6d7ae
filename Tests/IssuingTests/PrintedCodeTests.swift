import CodeDrawing
import Issuing
import QRSymbol
import Testing

@Suite("Printed codes are read back") struct PrintedCodeTests {
  @Test(
    "every format, from the smallest symbol to the largest, decodes from its own pixels",
    arguments: DrawingFormat.allCases, [10, 41, 300, 2000])
  func formats(format: DrawingFormat, length: Int) async throws {
    let text = String(
      ("https://fruta.example.com/" + String(repeating: "aB3/", count: 600)).prefix(length))
    let symbol = try QRSymbol(text)
    let drawing = try CodeDrawing(symbol, size: CodeSize.Request(moduleSize: 0.5))
    let printed = try await PrintedCode(drawing, as: format, named: "a.\(format.rawValue)")
    #expect(printed.bytes == (try drawing.data(as: format)))
    #expect(printed.format == format)
    try PrintedCode.prove(drawing, named: "the code")
  }
}
