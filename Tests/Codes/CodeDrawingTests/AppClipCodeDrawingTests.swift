import AppClipCodeFixtures
import AppClipCodes
import CliptagBasics
import Foundation
import Pictures
import Testing

@testable import CodeDrawing

@Suite("App Clip Codes on paper")
struct AppClipCodeDrawingTests {
  /// As large as librsvg draws the file itself: 800 pixels at 96 dots per inch.
  private static let wholeDiameter = 800 * 25.4 / 96

  private func code(
    _ badge: AppClipCode.Kind = .camera, lockup: Bool = false, template: Int = 0
  ) throws -> AppClipCode {
    try DrawnAppClipCode(sampleURL, badge: badge, lockup: lockup, template: template).code
  }

  @Test(
    "librsvg, poppler and Ghostscript draw the same pixels of it as librsvg does of Apple's file",
    arguments: DrawingFormat.allCases, [0, 3, 12])
  func pixels(format: DrawingFormat, template: Int) async throws {
    let drawn = DrawnAppClipCode(sampleURL, template: template)
    let renderer = DocumentRenderer(limits: .ownDrawing)
    let expected = try await renderer.render(
      drawn.bytes, as: .svg, dotsPerInch: 96, named: "Apple's")[0]
    try #require(expected.width == 800 && expected.height == 800)
    let drawing = try AppClipCodeDrawing(drawn.code, diameter: Self.wholeDiameter)
    let picture = try await Self.picture(of: drawing, as: format, by: renderer)
    #expect(abs(picture.width - 960) <= 1 && abs(picture.height - 960) <= 1)
    // The disc: outside of it Apple's file shows nothing, as the clear space does.
    let differing = Self.differing(expected, picture)
    // Only pixels that an edge passes differ: each renderer rounds them in its own way, and
    // Ghostscript draws them without any tone between.
    #expect(differing < 800 * 800 / (format == .eps ? 30 : 200), "\(differing)")
    for corner in [0, picture.width - 1] {
      #expect(picture.pixels[corner] == 255)
      #expect(picture.pixels[picture.width * 40 + corner] == 255)
    }
  }

  /// A drawing at 96 dots per inch, as a renderer or the decoder of its pixels shows it.
  private static func picture(
    of drawing: AppClipCodeDrawing, as format: DrawingFormat, by renderer: DocumentRenderer
  ) async throws -> GreyPicture {
    let bytes = try await drawing.data(as: format, dotsPerInch: 96)
    guard let kind = DocumentRenderer.Format(rawValue: format.rawValue) else {
      return try await PictureLoader(firstLookPixels: .max).open(bytes, named: "ours").page(1)
        .firstLook
    }
    return try await renderer.render(bytes, as: kind, dotsPerInch: 96, named: "ours")[0]
  }

  /// The number of pixels of a file's picture that differ from ours, which has clear space around it.
  private static func differing(_ expected: GreyPicture, _ picture: GreyPicture) -> Int {
    var differing = 0
    for row in 0..<expected.height {
      for column in 0..<expected.width {
        let its = Int(expected.pixels[row * expected.width + column])
        let ours = Int(picture.pixels[(row + 80) * picture.width + column + 80])
        if abs(its - ours) > 40 { differing += 1 }
      }
    }
    return differing
  }

  @Test(
    "the design with badge is drawn as librsvg draws the file, with the words below the disc",
    arguments: DrawingFormat.allCases, [AppClipCode.Kind.camera, .nfc])
  func lockup(format: DrawingFormat, kind: AppClipCode.Kind) async throws {
    let drawn = DrawnAppClipCode(sampleURL, badge: kind, lockup: true, template: 9)
    let renderer = DocumentRenderer(limits: .ownDrawing)
    let expected = try await renderer.render(
      drawn.bytes, as: .svg, dotsPerInch: 96, named: "Apple's")[0]
    try #require(expected.width == 900 && expected.height == 1100)
    let drawing = try AppClipCodeDrawing(drawn.code, diameter: Self.wholeDiameter)
    let picture = try await Self.picture(of: drawing, as: format, by: renderer)
    #expect(abs(picture.width - 1060) <= 1 && abs(picture.height - 1260) <= 1)
    let differing = Self.differing(expected, picture)
    #expect(differing < 900 * 1100 / (format == .eps ? 30 : 200), "\(differing)")
  }

  @Test("a code with badge is 900 × 1100 units of which the disc takes 800, and fits its square")
  func lockupSize() throws {
    let drawing = try AppClipCodeDrawing(code(lockup: true), diameter: 40)
    #expect(abs(drawing.width - 53) < 1e-9 && abs(drawing.height - 63) < 1e-9)
    let fitted = try AppClipCodeDrawing(code(lockup: true), side: 63)
    #expect(abs(fitted.diameter - 40) < 1e-9)
    let box = fitted.box(in: DrawingBox(x: 10, y: 20, width: 63, height: 63))
    #expect(abs(box.x - 15) < 1e-9 && abs(box.y - 20) < 1e-9)
    let centre = fitted.discCentre(in: box)
    // 80 units of clear space, 50 of the drawing, and 400 of the disc, moved by its offset.
    #expect(abs(centre.x - (15 + (530 - 0.99) / 20)) < 1e-9)
    #expect(abs(centre.y - (20 + (530 - 3.8) / 20)) < 1e-9)
    #expect(throws: CodeDrawingError.self) {
      try AppClipCodeDrawing(code(lockup: true), diameter: 18.9)
    }
    let least = #expect(throws: CodeDrawingError.self) {
      try AppClipCodeDrawing(code(.nfc, lockup: true), diameter: 34)
    }
    #expect(
      least?.hint.contains("34.8 mm or more; it then needs 54.81") == true, "\(least?.hint ?? "")")
  }

  @Test("arcs are strokes with round ends, outlines stay curves, and no colour is changed")
  func vectors() async throws {
    let code = try code(template: 12)
    let drawing = try AppClipCodeDrawing(code, diameter: 40)
    let arcs = code.pattern.arcs
    let svg = String(decoding: try await drawing.data(as: .svg), as: UTF8.self)
    #expect(svg.matches(of: /stroke-linecap="round"/).count == arcs.count)
    #expect(svg.contains("stroke-width=\"1.175\""))
    #expect(svg.contains(#"width="48mm" height="48mm""#))
    #expect(svg.contains("App Clip Code, to scan with the camera: \(sampleURL)</title>"))
    let colours = code.colours
    for (colour, count) in [
      (colours.foreground, arcs.count { !$0.hasThirdColour }),
      (colours.third, arcs.count { $0.hasThirdColour }),
    ] {
      let name = colour == .white ? "#fff" : colour.hexadecimal
      #expect(svg.matches(of: try Regex("stroke=\"\(name)\"")).count == count)
    }
    #expect(svg.contains("<path fill=\"\(colours.background.hexadecimal)\" d=\"M44"))

    let eps = String(decoding: try await drawing.data(as: .eps), as: UTF8.self)
    #expect(eps.matches(of: /\n1 setlinecap\n/).count == arcs.count)
    #expect(eps.matches(of: /\n0 setlinecap\n/).count == arcs.count)

    var writer = try PDFWriter(
      to: MemorySink(), information: .init(title: "Code"), compresses: false)
    try writer.add(drawing.page)
    let pdf = String(decoding: try writer.finished().bytes, as: UTF8.self)
    #expect(pdf.matches(of: /\n1 J\n/).count == arcs.count)
    #expect(pdf.contains("/Alt (App Clip Code, to scan with the camera: \(sampleURL))"))
    // One figure and no decoration: nothing else is on the page.
    #expect(pdf.matches(of: /\/S \/Figure/).count == 1 && !pdf.contains("/Artifact"))
  }

  @Test("arcs and badge lie where Apple's file has them, to a thousandth of a millimetre")
  func geometry() throws {
    let code = try code()
    let drawing = try AppClipCodeDrawing(code, diameter: 40)
    let elements = drawing.elements(at: DrawingPoint(x: 10, y: 20))
    let lines = elements.compactMap { element -> (DrawingPath, PageDrawing.LineStyle)? in
      if case .line(let path, let style) = element { (path, style) } else { nil }
    }
    #expect(lines.count == code.pattern.arcs.count)
    let centre = DrawingPoint(x: 34, y: 44)
    for (line, arc) in zip(lines, code.pattern.arcs) {
      let ring = AppClipCodeRing.all[arc.ring]
      #expect(abs(line.1.width - 23.5 / 20) < 1e-9 && line.1.hasRoundEnds)
      for step in line.0.steps {
        let point: DrawingPoint
        switch step {
        case .move(let end), .line(let end), .curve(_, _, let end): point = end
        case .close: continue
        }
        #expect(abs(point.distance(to: centre) - ring.radius / 20) < 1e-3)
      }
    }
    #expect(drawing.width == 48 && drawing.clearSpace == 4)
  }

  @Test("a curve of a circle stays within two millionths of the radius")
  func circle() {
    let path = DrawingPath.arc(
      centre: DrawingPoint(x: 0, y: 0), radius: 1, from: 0, to: 360, isClosed: true)
    var start = DrawingPoint(x: 0, y: 0)
    for step in path.steps {
      switch step {
      case .move(let point), .line(let point): start = point
      case .curve(let first, let second, let end):
        for part in stride(from: 0.0, through: 1, by: 0.05) {
          let rest = 1 - part
          let weights = [
            rest * rest * rest, 3 * rest * rest * part, 3 * rest * part * part, part * part * part,
          ]
          let points = [start, first, second, end]
          let x = zip(weights, points).reduce(0) { $0 + $1.0 * $1.1.x }
          let y = zip(weights, points).reduce(0) { $0 + $1.0 * $1.1.y }
          #expect(abs((x * x + y * y).squareRoot() - 1) < 2e-6)
        }
        start = end
      case .close: break
      }
    }
  }

  @Test("what is smaller than Apple's guidelines allow is refused with the size that would do")
  func least() throws {
    #expect(try AppClipCodeDrawing(code(), diameter: 19).readingDistance == 380)
    #expect(try AppClipCodeDrawing(code(), diameter: 19).largestReadingDistance == 760)
    #expect(try AppClipCodeDrawing(code(.nfc), diameter: 34.8).diameter == 34.8)
    let scanned = #expect(throws: CodeDrawingError.self) {
      try AppClipCodeDrawing(code(), diameter: 18.99)
    }
    #expect(scanned?.code == .appClipCodeTooSmall)
    #expect(
      scanned?.message.contains("18.99 mm") == true && scanned?.message.contains("19 mm") == true)
    #expect(scanned?.hint.contains("22.8 mm") == true)
    let around = #expect(throws: CodeDrawingError.self) {
      try AppClipCodeDrawing(code(.nfc), diameter: 34.7)
    }
    #expect(around?.message.contains("34.8 mm or more around a tag") == true)
    #expect(throws: CodeDrawingError.self) { try AppClipCodeDrawing(code(), side: 22.7) }
    #expect(throws: CodeDrawingError.self) { try AppClipCodeDrawing(code(), diameter: .nan) }
    #expect(throws: CodeDrawingError.self) { try AppClipCodeDrawing(code(), diameter: 5_000) }
  }

  @Test("the same code gives the same bytes")
  func reproducible() async throws {
    for format in [DrawingFormat.svg, .pdf, .eps] {
      let first = try await AppClipCodeDrawing(code(), diameter: 30).data(as: format)
      let second = try await AppClipCodeDrawing(code(), diameter: 30).data(as: format)
      #expect(first == second)
    }
  }
}
