import AppClipCodeFixtures
import AppClipCodes
import QRSymbol
import Testing

@testable import CodeDrawing

extension LabelLayout {
  /// The QR code that these labels have.
  fileprivate var qr: CodeDrawing { code! }
}

@Suite("The layout of labels") struct LabelDesignerTests {
  private static func layout(
    _ shape: LabelShape, _ captions: [String] = [], url: String = "https://a.example/order/table/1"
  ) throws -> LabelLayout {
    try LabelDesigner(shape: shape, dotsPerInch: 600, shaper: TextShaper())
      .layout(QRSymbol(url), captions: captions)
  }

  /// The box of the code and, with captions, that of their ink lines, from the middle of the label.
  private static func boxes(_ layout: LabelLayout, on shape: LabelShape) -> [DrawingBox] {
    let code = DrawingBox(
      x: layout.codeCorner.x, y: layout.codeCorner.y, width: layout.qr.size.width,
      height: layout.qr.size.width)
    var boxes = [code]
    if let captions = layout.captions {
      boxes.append(
        DrawingBox(
          x: layout.captionCorner.x, y: layout.captionCorner.y, width: captions.width,
          height: captions.height))
    }
    return boxes.map { $0.moved(right: -shape.width / 2, down: -shape.height / 2) }
  }

  static let shapes: [LabelShape] = [
    .rectangle(width: 99.1, height: 38.1, cornerRadius: 1), .round(diameter: 25),
    .rectangle(width: 50.8, height: 50.8, cornerRadius: 1.6), .round(diameter: 50),
    .rectangle(width: 35, height: 60, cornerRadius: 0), .ellipse(width: 60, height: 40),
    .disc(diameter: 117, hole: 41),
  ]

  @Test("code and captions lie on the label and not on each other", arguments: shapes)
  func inside(shape: LabelShape) throws {
    for captions in [[], ["Table 1"], ["Table 1", "طاولة ١", "卓 1"]] {
      let layout = try Self.layout(shape, captions)
      let boxes = Self.boxes(layout, on: shape)
      for (index, box) in boxes.enumerated() {
        for x in [box.x, box.right] {
          for y in [box.y, box.bottom] {
            // The quiet zone may reach into the rounding of a corner.
            #expect(
              shape.holds(DrawingPoint(x: x, y: y), inset: index == 0 ? -0.5 : 0.4),
              "\(captions.count) captions")
          }
        }
      }
      if boxes.count == 2 {
        let (code, words) = (boxes[0], boxes[1])
        #expect(words.x >= code.right - 1e-6 || words.y >= code.bottom - 1e-6)
      }
    }
  }

  @Test(
    "the labels of a sheet are alike, whatever is on each", arguments: shapes.prefix(5))
  func alike(shape: LabelShape) throws {
    let urls = ["https://a.example/1", "https://a.example/order/cupertino/table/12/of/the/terrace"]
    let captions = [["Table 1"], ["The long table by the window", "Terrace"], []]
    let contents = try urls.flatMap { url in
      try captions.map { LabelDesigner.Content(symbol: try QRSymbol(url), captions: $0) }
    }
    let layouts = try LabelDesigner(shape: shape, dotsPerInch: 600, shaper: TextShaper())
      .layouts(of: contents)
    #expect(Set(layouts.map(\.qr.size.dotsPerModule)).count == 1)
    #expect(Set(layouts.compactMap { $0.captions?.lines.first?.runs.first?.size }).count == 1)
    let centres = layouts.map { layout in
      let half = layout.qr.size.width / 2
      return DrawingPoint(x: layout.codeCorner.x + half, y: layout.codeCorner.y + half)
    }
    for centre in centres {
      #expect(abs(centre.x - centres[0].x) < 1e-9 && abs(centre.y - centres[0].y) < 1e-9)
    }
    for layout in layouts {
      let boxes = Self.boxes(layout, on: shape)
      guard boxes.count == 2 else { continue }
      #expect(boxes[1].x >= boxes[0].right - 1e-6 || boxes[1].y >= boxes[0].bottom - 1e-6)
    }
  }

  @Test("captions stand beside the code on wide labels and under it on high ones")
  func arrangement() throws {
    let wide = try Self.layout(.rectangle(width: 99.1, height: 38.1, cornerRadius: 0), ["Table 1"])
    #expect(wide.captionCorner.x > wide.codeCorner.x + wide.qr.size.width - 1e-6)
    let plain = try Self.layout(.rectangle(width: 99.1, height: 38.1, cornerRadius: 0))
    #expect(wide.qr.size == plain.qr.size, "words beside it cost the code nothing")
    let high = try Self.layout(.rectangle(width: 35, height: 60, cornerRadius: 0), ["Table 1"])
    #expect(high.captionCorner.y > high.codeCorner.y + high.qr.size.width - 1e-6)
  }

  @Test("a word too wide is set in smaller letters, at the least of 5 points")
  func shrinks() throws {
    let shape = LabelShape.rectangle(width: 30, height: 40, cornerRadius: 0)
    func letters(_ caption: String) throws -> Double {
      try #require(try Self.layout(shape, [caption]).captions?.lines.first?.runs.first?.size)
    }
    let long = try letters("Sonnenterrassenplatz-12")
    #expect(try letters("T 1") > long)
    #expect(long >= LabelDesigner.smallestLetters * 25.4 / 72 - 1e-9)
  }

  @Test("a caption without room is named with its words, and nothing is drawn")
  func tooLong() throws {
    let caption = String(repeating: "unbreakable", count: 8)
    let problem = try #require(throws: CaptionProblem.self) {
      try Self.layout(.round(diameter: 25), ["A", caption])
    }
    #expect(problem.caption == 1)
    #expect(problem.message.contains("unbreakable") && problem.message.contains("25 × 25 mm"))
  }

  @Test(
    "small print is in letters of 5 points below the captions, on the label",
    arguments: shapes.filter { $0.width > 25 })
  func smallPrint(shape: LabelShape) throws {
    let name = "c-01HF8Z3V9Q4T6W2X8Y0B1C3D5E-0K7Q"
    let designer = LabelDesigner(shape: shape, dotsPerInch: 600, shaper: TextShaper())
    for captions in [[], ["Table 1", "طاولة ١"]] {
      let layout = try designer.layouts(of: [
        .init(
          symbol: try QRSymbol("https://a.example/order/table/1"), captions: captions,
          smallPrint: name)
      ])[0]
      let text = try #require(layout.captions)
      #expect(text.text == (captions + [name]).joined(separator: "\n"))
      let bytes = Array(text.text.utf8)
      let small = text.lines.filter { $0.range.lowerBound >= bytes.count - name.utf8.count }
      #expect(String(decoding: small.flatMap { bytes[$0.range] }, as: UTF8.self) == name)
      for run in small.flatMap(\.runs) {
        #expect(abs(run.size - LabelDesigner.smallestLetters * 25.4 / 72) < 1e-9)
        #expect(run.glyphs.allSatisfy { run.range.contains($0.cluster.lowerBound) })
      }
      #expect(text.lines.map(\.baseline) == text.lines.map(\.baseline).sorted())
      for box in Self.boxes(layout, on: shape).dropFirst() {
        for x in [box.x, box.right] {
          for y in [box.y, box.bottom] {
            #expect(shape.holds(DrawingPoint(x: x, y: y), inset: 0.4))
          }
        }
      }
    }
  }

  @Test("small print without room is named, and nothing is drawn")
  func smallPrintTooLong() throws {
    let name = "c-01HF8Z3V9Q4T6W2X8Y0B1C3D5E-0K7Q"
    let designer = LabelDesigner(
      shape: .round(diameter: 25), dotsPerInch: 600, shaper: TextShaper())
    let symbol = try QRSymbol("https://a.example/1")
    let problem = #expect(throws: CaptionProblem.self) {
      _ = try designer.layouts(of: [.init(symbol: symbol, smallPrint: name)])
    }
    #expect(problem?.caption == nil && problem?.message.contains(name) == true)
  }

  @Test("empty captions are none")
  func empty() throws {
    #expect(try Self.layout(.round(diameter: 25), ["", ""]).captions == nil)
  }

  @Test("on a sheet the code lies on the printer's dots")
  func snapped() throws {
    let layout = try Self.layout(.round(diameter: 25))
    let box = try #require(
      layout.codeBox(in: DrawingBox(x: 8.513, y: 10.071, width: 25, height: 25)))
    for edge in [box.x, box.y, box.width] {
      let dots = edge * 600 / 25.4
      #expect(abs(dots - dots.rounded()) < 1e-6)
    }
  }
}

@Suite("Labels with App Clip Codes") struct AppClipCodeLabelTests {
  private static let url = "https://a.example/order/table/1"

  private static func layouts(
    _ shape: LabelShape, _ captions: [String] = [], beside: Bool = false,
    kind: AppClipCode.Kind = .camera, rows: Int = 1
  ) throws -> [LabelLayout] {
    let code = try DrawnAppClipCode(url, badge: kind).code
    let content = LabelDesigner.Content(
      symbol: beside ? try QRSymbol(url) : nil, appClipCode: code, captions: captions)
    return try LabelDesigner(shape: shape, dotsPerInch: 600, shaper: TextShaper())
      .layouts(of: Array(repeating: content, count: rows))
  }

  @Test("a code, a QR code beside it and captions lie on the label and not on each other")
  func inside() throws {
    let shapes: [LabelShape] = [
      .rectangle(width: 99.1, height: 38.1, cornerRadius: 1),
      .rectangle(width: 63.5, height: 38.1, cornerRadius: 1),
      .rectangle(width: 50.8, height: 50.8, cornerRadius: 1.6),
      .rectangle(width: 35, height: 60, cornerRadius: 0),
    ]
    for shape in shapes {
      for beside in [true, false] {
        for captions in [[], ["Table 1"], ["Table 1", "طاولة ١"]] {
          let layout = try Self.layouts(shape, captions, beside: beside)[0]
          #expect((layout.code != nil) == beside)
          let frame = DrawingBox(x: 20, y: 30, width: shape.width, height: shape.height)
          let box = try #require(layout.appClipCodeBox(in: frame))
          #expect(try #require(layout.appClipCode).diameter >= 19)
          var boxes = [box]
          if let code = layout.codeBox(in: frame) { boxes.append(code) }
          if let words = layout.captions {
            boxes.append(
              DrawingBox(
                x: 20 + layout.captionCorner.x, y: 30 + layout.captionCorner.y,
                width: words.width, height: words.height))
          }
          #expect(boxes.count == (beside ? 2 : 1) + (captions.isEmpty ? 0 : 1))
          for (index, one) in boxes.enumerated() {
            // A QR code is moved to the nearest dot.
            let most = frame.grown(by: 0.05)
            #expect(one.x >= most.x && one.y >= most.y)
            #expect(one.right <= most.right && one.bottom <= most.bottom)
            for other in boxes[(index + 1)...] {
              let (one, other) = (one.grown(by: -0.05), other.grown(by: -0.05))
              #expect(
                one.right <= other.x || other.right <= one.x || one.bottom <= other.y
                  || other.bottom <= one.y, "\(shape) \(captions) \(one) \(other)")
            }
          }
        }
      }
    }
  }

  @Test("a round code fills a round label, so that stickers of 25 mm can have one")
  func round() throws {
    let layout = try Self.layouts(.round(diameter: 25))[0]
    let drawing = try #require(layout.appClipCode)
    #expect(abs(drawing.width - 23) < 1e-9 && drawing.diameter > 19)
    #expect(abs(layout.appClipCodeCorner.x - 1) < 1e-9)
    let disc = try Self.layouts(.disc(diameter: 117, hole: 41))[0]
    #expect(disc.appClipCodeCorner.y > 117 / 2 + 41 / 2)
  }

  @Test("all codes of a sheet have one size")
  func alike() throws {
    let layouts = try Self.layouts(
      .rectangle(width: 70, height: 40, cornerRadius: 0), ["Table"], beside: true, rows: 3)
    #expect(Set(layouts.compactMap { $0.appClipCode?.diameter }).count == 1)
    #expect(Set(layouts.map(\.appClipCodeCorner.x)).count == 1)
  }

  @Test("labels without room are refused: too small for a code, too small or curved for both")
  func refused() throws {
    func refusal(_ body: () throws -> [LabelLayout]) throws -> CodeDrawingError.Code {
      try #require(throws: CodeDrawingError.self) { try body() }.code
    }
    #expect(try refusal { try Self.layouts(.round(diameter: 24)) } == .appClipCodeTooSmall)
    #expect(
      try refusal {
        try Self.layouts(.rectangle(width: 60, height: 40, cornerRadius: 0), kind: .nfc)
      } == .appClipCodeTooSmall)
    #expect(try refusal { try Self.layouts(.round(diameter: 60), beside: true) } == .noRoom)
    #expect(
      try refusal {
        try Self.layouts(.rectangle(width: 33, height: 24, cornerRadius: 0), beside: true)
      } == .noRoom)
  }
}
