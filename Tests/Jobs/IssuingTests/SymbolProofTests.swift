import CliptagBasics
import CodeDrawing
import Foundation
import Pictures
import QRSymbol
import Testing

@testable import Issuing

@Suite("Many files of codes are proven from their pixels")
struct SymbolProofTests {
  @Test(
    "every format is proven, also small modules and files without a quiet zone",
    arguments: DrawingFormat.allCases)
  func right(format: DrawingFormat) async throws {
    let texts = ["https://a.co/1", "https://fruta.example.com/order/cupertino/table/7", long]
    let requests = [
      CodeSize.Request(), CodeSize.Request(moduleSize: 0.33),
      CodeSize.Request(moduleSize: 0.5, dotsPerInch: 203.2, quietZone: 0),
    ]
    var drawings: [CodeDrawing] = []
    for text in texts {
      for request in requests { drawings.append(try CodeDrawing(QRSymbol(text), size: request)) }
    }
    try await prove(drawings, as: format, try drawings.map { try $0.data(as: format) })
  }

  @Test(
    "the few pixels of the first look are enough for every format",
    arguments: DrawingFormat.allCases)
  func firstLook(format: DrawingFormat) async throws {
    let drawings = try [14, 41, 120].map { try drawing(String(long.prefix($0))) }
    let folder = try Folder(try drawings.map { try $0.data(as: format) }, as: format)
    let looks = try await PrintedCode.looks(
      at: drawings, as: format, folder.files, in: folder.path)
    for (look, drawing) in zip(looks, drawings) {
      let look = try #require(look)
      #expect(try SymbolProof(drawing).fault(in: look, pitch: 2) == nil)
    }
  }

  @Test("one wrong module, which readers would correct, is found in a PNG")
  func pngModule() async throws {
    let drawing = try drawing("https://a.co/1")
    let dots = drawing.size.dotsPerModule
    for (column, row) in [(4 + 10, 4 + 12), (1, 20)] {
      let picture = drawing.greyPicture(pixelsPerModule: dots)
      var pixels = picture.pixels
      for y in row * dots..<(row + 1) * dots {
        for x in column * dots..<(column + 1) * dots { pixels[y * picture.width + x] ^= 255 }
      }
      let changed = GreyPicture(width: picture.width, height: picture.height, pixels: pixels)
      #expect(
        try await fault(try PNGWriter.grey(changed), of: drawing, as: .png)
          .contains("1 of 841 modules wrong"))
    }
  }

  @Test("one wrong module, or a spot in the quiet zone, is found in drawings")
  func drawnModule() async throws {
    let drawing = try drawing("https://a.co/1")
    for (column, row) in [(4 + 10, 4 + 12), (1, 20)] {
      let isDark = drawing.symbol.isDark(x: column - 4, y: row - 4)
      let svg = String(decoding: try drawing.data(as: .svg), as: UTF8.self).replacing(
        "</svg>",
        with: "<rect x=\"\(column)\" y=\"\(row)\" width=\"1\" height=\"1\" fill=\""
          + (isDark ? "#fff" : "#000") + "\"/></svg>")
      let eps = String(decoding: try drawing.data(as: .eps), as: UTF8.self).replacing(
        "fill\ngrestore",
        with: "fill \(isDark ? 1 : 0) setgray \(column) \(row) 1 1 rectfill\ngrestore")
      for (text, format) in [(svg, DrawingFormat.svg), (eps, .eps)] {
        #expect(
          try await fault(Array(text.utf8), of: drawing, as: format)
            .contains("1 of 841 modules wrong"))
      }
    }
  }

  @Test(
    "a file of another size, quiet zone or text is found", arguments: DrawingFormat.allCases)
  func otherFile(format: DrawingFormat) async throws {
    let right = try drawing("https://a.co/1")
    let others = [
      try CodeDrawing(right.symbol, size: CodeSize.Request(moduleSize: 1)),
      try CodeDrawing(right.symbol, size: CodeSize.Request(quietZone: 3)),
      try drawing("https://a.co/2"),
    ]
    for other in others {
      #expect(!(try await fault(try other.data(as: format), of: right, as: format)).isEmpty)
    }
  }

  @Test("a code on a page is proven at its place only")
  func page() throws {
    let drawing = try drawing("https://fruta.example.com/order/cupertino/table/7")
    let resolution = 3 / drawing.size.moduleSize
    let code = drawing.greyPicture(pixelsPerModule: 3)
    var pixels = [UInt8](repeating: 255, count: 400 * 300)
    for row in 0..<code.height {
      pixels.replaceSubrange(
        (row + 50) * 400 + 100..<(row + 50) * 400 + 100 + code.width,
        with: code.pixels[row * code.width..<(row + 1) * code.width])
    }
    let page = GreyPicture(width: 400, height: 300, pixels: pixels)
    func fault(_ x: Double, _ y: Double) throws -> String? {
      let box = DrawingBox(
        x: x / resolution, y: y / resolution, width: drawing.size.width,
        height: drawing.size.width)
      return try SymbolProof(drawing).fault(in: page, at: box, resolution: resolution)
    }
    #expect(try fault(100, 50) == nil)
    #expect(try fault(103, 50)?.contains("modules wrong") == true)
    #expect(try fault(390, 50) != nil)
  }

  private let long = "https://fruta.example.com/" + String(repeating: "aB3/", count: 60)

  private func drawing(_ text: String) throws -> CodeDrawing { try CodeDrawing(QRSymbol(text)) }

  private func prove(
    _ drawings: [CodeDrawing], as format: DrawingFormat, _ contents: [[UInt8]]
  ) async throws {
    let folder = try Folder(contents, as: format)
    try await PrintedCode.prove(drawings, as: format, folder.files, in: folder.path)
  }

  /// Returns the message with which a file is refused; empty if it is not.
  private func fault(
    _ bytes: [UInt8], of drawing: CodeDrawing, as format: DrawingFormat
  ) async throws -> String {
    let right = try drawing.data(as: format)
    do {
      try await prove([drawing, drawing], as: format, [right, bytes])
      return ""
    } catch let error as IssuingError {
      #expect(error.code == .unreadableRendering)
      #expect(error.message.contains("2.\(format.fileEnding) "))
      return error.message
    }
  }

  /// Files in a folder of their own.
  private struct Folder {
    let files: [(name: String, bytes: [UInt8])]
    private let folder: ScratchFolder

    var path: String { folder.path }

    init(_ contents: [[UInt8]], as format: DrawingFormat) throws {
      folder = try #require(ScratchFolder())
      files = contents.enumerated().map { ("\($0 + 1).\(format.fileEnding)", $1) }
      for file in files {
        try Data(file.bytes).write(to: URL(filePath: "\(folder.path)/\(file.name)"))
      }
    }
  }
}
