import AppClipCodeFixtures
import AppClipCodes
import CliptagBasics
import QRSymbol
import Testing

@testable import CodeDrawing

/// What a poster carries.
enum Carriers: CaseIterable {
  case code, codeAndRing, codes, all

  var hasRing: Bool { self == .codeAndRing || self == .all }
  var hasAppClipCode: Bool { self == .codes || self == .all }
}

/// A poster for a layout test, without small print.
private func poster(
  _ design: PosterDesign, _ paper: String, _ carriers: Carriers = .code,
  headline: String = "Order a smoothie", language: String? = nil
) throws -> Poster {
  let content = PosterContent(
    headline: headline, brand: "Fruta", callToAction: "Scan with your camera",
    placeName: "Fruta Cupertino", address: PosterContent.Address(url: sampleURL),
    codeName: "c-01M80GHYZEWP7ASZB613G85AH9",
    targetCaption: carriers.hasRing ? "Or hold your iPhone here" : nil, language: language)
  var request = Poster.Request(
    content: content, design: design, paper: try PaperSize(paper),
    colours: PosterColours(accent: Colour("0b6e4f") ?? .black))
  if carriers.hasAppClipCode {
    request.appClipCode = PosterAppClipCode(try DrawnAppClipCode(sampleURL, template: 1).code)
  }
  return try Poster(QRSymbol(sampleURL), request, shaper: TextShaper())
}

extension Poster {
  fileprivate var words: [PageDrawing.Words] {
    page.elements.compactMap { if case .text(let words) = $0 { words } else { nil } }
  }

  fileprivate func words(_ text: String) throws -> PageDrawing.Words {
    try #require(words.first { $0.text.text == text })
  }

  /// The modules of the QR code.
  fileprivate var modules: DrawingBox {
    get throws {
      let quiet = 4 * (try #require(code)).size.moduleSize
      return try #require(codeBox).grown(by: -quiet)
    }
  }

  /// The boxes of what is seen of codes, ring and caption.
  fileprivate var seen: [DrawingBox] {
    get throws {
      var boxes = [try modules]
      if let box = appClipCodeBox, let clear = appClipCode?.clearSpace {
        boxes.append(box.grown(by: -clear))
      }
      if let targetBox { boxes.append(targetBox) }
      return boxes + words.filter { $0.text.text.contains("hold your iPhone") }.map(\.ink)
    }
  }

  fileprivate var plates: [DrawingBox] {
    page.elements.compactMap {
      guard case .shape(let path, .white) = $0, case .move(let start) = path.steps[0] else {
        return nil
      }
      let ends = path.steps.compactMap { step -> DrawingPoint? in
        switch step {
        case .move(let end), .line(let end), .curve(_, _, let end): end
        case .close: nil
        }
      }
      let left = ends.map(\.x).min() ?? start.x
      let top = ends.map(\.y).min() ?? start.y
      return DrawingBox(
        x: left, y: top, width: (ends.map(\.x).max() ?? left) - left,
        height: (ends.map(\.y).max() ?? top) - top)
    }
  }
}

extension PageDrawing.Words {
  fileprivate var ink: DrawingBox {
    let left = text.lines.map(\.x).min() ?? 0
    let right = text.lines.map { $0.x + $0.width }.max() ?? 0
    return DrawingBox(
      x: corner.x + left, y: corner.y, width: right - left, height: text.height)
  }

  fileprivate var size: Double { text.lines.first?.runs.first?.size ?? 0 }
}

@Suite("Layouts of posters")
struct PosterLayoutTests {
  /// The least side of the QR code in hundredths of the square root of the page's area.
  static let least: [(paper: String, sides: [Carriers: Double])] = [
    ("A4", [.code: 54, .codeAndRing: 36, .codes: 33, .all: 38]),
    ("A6", [.code: 54, .codeAndRing: 36, .codes: 33, .all: 38]),
    ("100x100", [.code: 42, .codeAndRing: 38, .codes: 38, .all: 27]),
    ("60x200", [.code: 44, .codeAndRing: 44, .codes: 44, .all: 43]),
    ("200x60", [.code: 44, .codeAndRing: 43, .codes: 40, .all: 30]),
    ("85x55", [.code: 58, .codeAndRing: 33, .codes: 31]),
    ("297x210", [.code: 56, .codeAndRing: 31, .codes: 28, .all: 35]),
  ]

  @Test(
    "codes fill their page in every format, alone and with others", arguments: PosterDesign.allCases
  )
  func sizes(design: PosterDesign) throws {
    for (paper, sides) in Self.least {
      for (carriers, least) in sides {
        let made = try poster(design, paper, carriers)
        let side = try #require(made.codeBox).width
        let share = 100 * side / (made.page.width * made.page.height).squareRoot()
        #expect(share >= least, "\(design) \(paper) \(carriers): \(side) mm, \(share)")
      }
    }
  }

  @Test(
    "codes are above each other on tall pages and beside each other on strips",
    arguments: PosterDesign.allCases)
  func direction(design: PosterDesign) throws {
    for carriers in [Carriers.codeAndRing, .codes, .all] {
      let column = try poster(design, "60x200", carriers).seen
      for (one, next) in zip(column, column.dropFirst()) { #expect(one.bottom <= next.y) }
      let wide = try poster(design, "200x60", carriers)
      let boxes = [wide.codeBox, wide.appClipCodeBox, wide.targetBox].compactMap { $0 }
      for (one, next) in zip(boxes, boxes.dropFirst()) { #expect(one.right <= next.x + 0.05) }
    }
  }

  @Test("the call to action is at the code", arguments: PosterDesign.allCases)
  func callToAction(design: PosterDesign) throws {
    for (paper, _) in Self.least {
      let made = try poster(design, paper)
      let call = try made.words("Scan with your camera").ink
      let code = try #require(made.codeBox)
      let limit = 0.03 * min(made.page.width, made.page.height)
      #expect(
        (0...limit).contains(code.y - call.bottom) || (0...limit).contains(code.x - call.right),
        "\(paper): \(call) \(code)")
    }
  }

  @Test(
    "what is seen of the codes is in the middle of a classic page", arguments: Carriers.allCases)
  func centre(carriers: Carriers) throws {
    for paper in ["A4", "A6", "100x100", "60x200"] {
      let made = try poster(.classic, paper, carriers)
      let seen = try made.seen
      let left = seen.map(\.x).min() ?? 0
      let right = seen.map(\.right).max() ?? 0
      #expect(abs((left + right - made.page.width) / 2) < 0.3, "\(paper): \(left) to \(right)")
    }
  }

  @Test("a plate is as large as what it holds", arguments: Carriers.allCases)
  func plate(carriers: Carriers) throws {
    for paper in ["A4", "60x200", "200x60", "297x210"] {
      let made = try poster(.bold, paper, carriers)
      let plate = try #require(made.plates.first)
      let inside = try made.seen + [made.words("Scan with your camera").ink]
      let unit: Double = min(made.page.width, made.page.height) / 100
      let quiet: Double = 4 * (try #require(made.code)).size.moduleSize
      let most: Double = max(quiet, 3 * unit) + 1.5 * unit
      let margins: [Double] = [
        (inside.map(\.x).min() ?? 0) - plate.x, (inside.map(\.y).min() ?? 0) - plate.y,
        plate.right - (inside.map(\.right).max() ?? 0),
        plate.bottom - (inside.map(\.bottom).max() ?? 0),
      ]
      for margin in margins {
        #expect((0...most).contains(margin), "\(paper) \(carriers): \(margin)")
      }
      let code = try #require(made.codeBox)
      // Its ground leaves the round corners.
      #expect(code.x > plate.x + unit / 2 && code.bottom < plate.bottom - unit / 2)
    }
  }

  @Test("the sizes of words are steps of one scale", arguments: PosterDesign.allCases)
  func scale(design: PosterDesign) throws {
    for (paper, _) in Self.least {
      for words in try poster(design, paper, .codeAndRing).words {
        let step = TypeScale.step(atMost: words.size)
        #expect(abs(words.size - TypeScale.size(step)) < 1e-9, "\(paper): \(words.text.text)")
      }
    }
  }

  @Test("short words are larger than long ones", arguments: PosterDesign.allCases)
  func growth(design: PosterDesign) throws {
    for (paper, _) in Self.least {
      let short = try poster(design, paper, headline: "Menu").words("Menu").size
      let text = "Order your smoothie at the table and skip the whole queue"
      let long =
        try poster(design, paper, headline: text).words
        .first { $0.role == .heading }?.size ?? 0
      #expect(short > long, "\(paper)")
    }
  }

  @Test(
    "no letter is smaller than 5.5 points, whatever the paper", arguments: PosterDesign.allCases)
  func smallestLetters(design: PosterDesign) throws {
    var made = 0
    for paper in ["30x40", "50x50", "A7", "25x80", "85x55", "80x25", "A4", "A0"] {
      // A page without room is refused.
      guard let poster = try? poster(design, paper) else { continue }
      made += 1
      for words in poster.words {
        for run in words.text.lines.flatMap(\.runs) {
          #expect(run.size >= 5.5 * 25.4 / 72 - 1e-9, "\(paper): \(words.text.text)")
        }
      }
    }
    #expect(made >= 5)
  }

  @Test(
    "a file is read as the page is: the headline first, the codes after their words, small print last",
    arguments: PosterDesign.allCases, ["A4", "100x100", "60x200", "200x60", "297x210"])
  func readingOrder(design: PosterDesign, paper: String) throws {
    let made = try poster(design, paper, .all)
    let read = made.page.elements.compactMap(\.description)
    #expect(read.first == "Order a smoothie")
    func position(_ text: String) throws -> Int {
      try #require(read.firstIndex { $0.contains(text) }, "\(text)")
    }
    let order = try [
      "Order a smoothie", "Fruta", "Scan with your camera", "QR code", "App Clip Code",
      "hold your iPhone", "Fruta Cupertino", "c-01",
    ].map(position)
    #expect(order == order.sorted())
    let svg = String(decoding: try made.page.svg(title: "A"), as: UTF8.self)
    #expect(svg.contains("<desc>Order a smoothie\nFruta\nScan with your camera\nQR code"))
  }
}
