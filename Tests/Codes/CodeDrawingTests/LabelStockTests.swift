import Testing

@testable import CodeDrawing

@Suite("Label stock") struct LabelStockTests {
  private static let l7163 = LabelStock(
    brand: "Avery", part: "L7163", paper: .a4,
    shape: .rectangle(width: 99.1, height: 38.1, cornerRadius: 1.5),
    grids: [
      .init(columns: 2, rows: 7, left: 4.65, top: 15.15, pitchX: 101.6, pitchY: 38.1)
    ])

  private static func round(_ diameter: Double, grids: [LabelStock.Grid]) -> LabelStock {
    LabelStock(part: "round", paper: .a4, shape: .round(diameter: diameter), grids: grids)
  }

  @Test("labels are counted row by row, each row from the left")
  func order() {
    let frames = Self.l7163.frames
    #expect(Self.l7163.count == 14 && frames.count == 14)
    #expect(frames[0] == DrawingBox(x: 4.65, y: 15.15, width: 99.1, height: 38.1))
    #expect(abs(frames[1].x - 106.25) < 1e-9 && frames[1].y == frames[0].y)
    #expect(frames[2].x == 4.65 && abs(frames[2].y - 53.25) < 1e-9)
  }

  @Test("the grids of a staggered sheet are counted as one, row by row")
  func staggered() {
    let stock = Self.round(
      30,
      grids: [
        .init(columns: 2, rows: 2, left: 10, top: 10, pitchX: 60, pitchY: 60),
        .init(columns: 1, rows: 1, left: 40, top: 40, pitchX: 0, pitchY: 0),
      ])
    #expect(stock.frames.map(\.x) == [10, 70, 40, 10, 70])
    #expect(stock.frames.map(\.y) == [10, 10, 40, 70, 70])
  }

  @Test(
    "a code on a round label stays a millimetre inside the circle",
    arguments: [(25.0, 16.26), (30, 19.8), (1.5, 0)])
  func round(diameter: Double, side: Double) {
    let square = LabelShape.round(diameter: diameter).codeSquare
    #expect(abs(square.width - side) < 0.01)
    #expect(abs(square.centre.x - diameter / 2) < 1e-9)
  }

  static let shapes: [LabelShape] = [
    .rectangle(width: 99.1, height: 38.1, cornerRadius: 1.5),
    .rectangle(width: 50.8, height: 50.8, cornerRadius: 6), .round(diameter: 25),
    .ellipse(width: 60, height: 30), .ellipse(width: 20, height: 50),
    .disc(diameter: 117, hole: 41),
  ]

  @Test("the square for a code lies on the label, and no larger one does", arguments: shapes)
  func squares(shape: LabelShape) {
    let square = shape.codeSquare
    func corners(_ box: DrawingBox) -> [DrawingPoint] {
      [(box.x, box.y), (box.right, box.y), (box.x, box.bottom), (box.right, box.bottom)].map {
        DrawingPoint(x: $0.0 - shape.width / 2, y: $0.1 - shape.height / 2)
      }
    }
    #expect(square.width > 10 && square.width == square.height)
    #expect(corners(square).allSatisfy { shape.holds($0, inset: -1e-9) })
    let larger = square.grown(by: 1.2)
    #expect(!corners(larger).allSatisfy { shape.holds($0, inset: 0) })
  }

  @Test("labels off the paper are refused with the numbers")
  func offThePaper() throws {
    let stock = LabelStock(
      part: "7001", paper: .a4, shape: .rectangle(width: 20, height: 20, cornerRadius: 0),
      grids: [.init(columns: 9, rows: 2, left: 5, top: 10, pitchX: 210, pitchY: 21)])
    let error = try #require(throws: CodeDrawingError.self) { try stock.check() }
    #expect(error.code == .invalidStock)
    #expect(error.message.contains("Label 2 runs 25 mm off the paper"))
  }

  @Test("labels on each other are refused; staggered circles are not on each other")
  func overlapping() throws {
    let grids: [LabelStock.Grid] = [
      .init(columns: 3, rows: 1, left: 10, top: 10, pitchX: 40, pitchY: 0),
      .init(columns: 2, rows: 1, left: 30, top: 37, pitchX: 40, pitchY: 0),
    ]
    try Self.round(33, grids: grids).check()
    let error = try #require(throws: CodeDrawingError.self) {
      try Self.round(35, grids: grids).check()
    }
    #expect(error.message.contains("Labels 1 and 4 overlap by 1.4 mm"))
  }

  @Test("margins that differ by more than a millimetre are warned about")
  func asymmetric() {
    #expect(Self.l7163.warnings.isEmpty)
    let stock = LabelStock(
      part: "x", paper: .a4, shape: Self.l7163.shape,
      grids: [.init(columns: 2, rows: 7, left: 3.35, top: 15.15, pitchX: 103.01, pitchY: 38.1)])
    #expect(stock.warnings.first?.contains("3.35 mm on the left and 4.54 mm on the right") == true)
  }

  @Test("every stock of our own fills its sheet evenly")
  func own() throws {
    for stock in LabelStock.own {
      try stock.check()
      let frames = stock.frames
      let right = stock.paper.width - (frames.map(\.right).max() ?? 0)
      let bottom = stock.paper.height - (frames.map(\.bottom).max() ?? 0)
      #expect(abs(frames[0].x - right) < 0.01, "\(stock.name)")
      #expect(abs(frames[0].y - bottom) < 0.01, "\(stock.name)")
      #expect(!stock.source.isEmpty)
    }
  }
}

@Suite("A custom label stock") struct CustomStockTests {
  @Test("a line of numbers describes a sheet")
  func line() throws {
    let stock = try LabelStock(custom: "99.1x38.1,2x7,4.65,15.15,101.6,38.1")
    #expect(stock.paper == .a4 && stock.count == 14)
    #expect(stock.shape == .rectangle(width: 99.1, height: 38.1, cornerRadius: 0))
    #expect(abs(stock.frames[13].right - 205.35) < 1e-9)
  }

  @Test("one number is the diameter of round labels, and the paper may be named or measured")
  func roundLabels() throws {
    let stock = try LabelStock(custom: "25, 7x9, 8.5, 10, 28, 28, Letter")
    #expect(stock.shape == .round(diameter: 25) && stock.paper == .letter)
    let roll = try LabelStock(custom: "62x100,1x1,0,0,0,0,62x100")
    #expect(roll.paper.width == 62 && roll.paper.height == 100)
  }

  @Test("lengths have units, so that a sheet of inches is written as its maker states it")
  func inches() throws {
    let stock = try LabelStock(custom: "2.625x1in,3x10,0.19in,0.5in,2.75in,1in,letter")
    #expect(stock.shape == .rectangle(width: 66.675, height: 25.4, cornerRadius: 0))
    #expect(stock.paper == .letter && stock.count == 30)
    #expect(abs(stock.frames[29].right - (0.19 + 2 * 2.75 + 2.625) * 25.4) < 1e-6)
    let roll = try LabelStock(custom: "100x150,1x1,0,0,0,0,4x6in")
    #expect(roll.paper.width == 101.6 && roll.paper.height == 152.4)
    #expect(try LabelStock(custom: "60x40,1x1,0,0,0,0,B5").paper.name == "B5")
  }

  @Test(
    "what is wrong with the line is said",
    arguments: [
      ("99x38,2x7,4,15,101", "5 fields"), ("axb,2x7,4,15,101,38", "“axb” is not two lengths"),
      ("99x38,2,4,15,101,38", "“2” is not a number of columns and rows"),
      ("99x38,0x7,4,15,101,38", "not a number of columns"),
      ("99x38,2x7,4,15,101,38,B9", "no paper is named “b9”"),
      ("99x38,2x8,4,15,101,38", "off the paper"), ("99x38,2x7,4,15,90,38", "overlap by 9 mm"),
      ("nanx38,2x7,4,15,101,38", "“nanx38” is not two lengths"),
      ("99x38,2x7,4,1e9,101,38", "“1e9” is not a length"),
      ("99x38,1e3x7,4,15,101,38", "“1e3x7” is not a number of columns"),
      ("0x0,1x1,0,0,0,0", "are not a valid sheet"),
    ])
  func wrong(line: String, words: String) throws {
    let error = try #require(throws: CodeDrawingError.self) { try LabelStock(custom: line) }
    #expect(error.code == .invalidStock)
    #expect(error.message.contains(words), "\(error)")
  }
}

@Suite("Labels of rolls as paper") struct RollLabelTests {
  @Test(
    "a label of a roll has its size by the maker's name, the same on both continents",
    arguments: [
      ("DK-11202", 62.0, 100.0), ("dk-1202", 62, 100), ("DK-11201", 29, 90), ("Dymo-99012", 36, 89),
      ("4x6in", 101.6, 152.4), ("a6", 105, 148),
    ])
  func names(name: String, width: Double, height: Double) throws {
    let paper = try PaperSize(name)
    #expect(paper.width == width && paper.height == height)
  }

  @Test("an unknown name is answered with the known ones and examples")
  func unknown() {
    let error = #expect(throws: CodeDrawingError.self) { try PaperSize("DK-99999") }
    #expect(error?.code == .invalidPaper)
    #expect(error?.hint.contains("DK-11202") == true && error?.hint.contains("4x6in") == true)
  }
}

@Suite("Positions, marks and calibration of a sheet") struct SheetGeometryTests {
  @Test("labels go on where the first sheet was left, and over to the next")
  func positions() {
    var positions = LabelPositions(labelsPerPage: 3, start: 3)
    let labels = (0..<5).map { _ in positions.next() }
    #expect(labels.map(\.page) == [1, 2, 2, 2, 3])
    #expect(labels.map(\.position) == [3, 1, 2, 3, 1])
    #expect(positions.pages(for: 5) == 3 && positions.pages(for: 4) == 2)
    #expect(positions.pages(for: 0) == 0)
  }

  @Test("cut marks stand in the margins at each edge, and touch no label")
  func cutMarks() throws {
    let stock = try LabelStock(custom: "60x40,2x3,30,40,80,60")
    let marks = stock.cutMarks
    // Four edges of columns above and below, six of rows on both sides.
    #expect(marks.count == 4 * 2 + 6 * 2)
    for mark in marks {
      for frame in stock.frames {
        let isOutside =
          max(mark.start.x, mark.end.x) <= frame.x || min(mark.start.x, mark.end.x) >= frame.right
          || max(mark.start.y, mark.end.y) <= frame.y
          || min(mark.start.y, mark.end.y) >= frame.bottom
        #expect(isOutside)
      }
    }
  }

  @Test("labels that touch share their mark, and a margin without room has none")
  func sharedMarks() throws {
    let stock = try LabelStock(custom: "70x37,3x8,0,0.5,70,37")
    #expect(stock.cutMarks.isEmpty)
    let touching = try LabelStock(custom: "50x50,2x2,30,30,50,50")
    #expect(touching.cutMarks.count == 3 * 4)
  }

  @Test("a calibration sheet has every outline, and rulers with a tick each millimetre")
  func calibrationSheet() throws {
    let sheet = CalibrationSheet(try LabelStock(custom: "60x40,2x3,30,40,80,60"))
    #expect(sheet.outlines.count == 6)
    #expect(sheet.rulerAcross == 190 && sheet.rulerDown == 200)
    #expect(sheet.rulers.count == 2 + 191 + 201)
    #expect(sheet.rulers[0].start == DrawingPoint(x: 10, y: 148.5))
    #expect(sheet.rulers[0].end == DrawingPoint(x: 200, y: 148.5))
    #expect(sheet.numerals.contains { $0.text == "190" })
  }

  @Test("a calibration stretches from the top left corner, then moves")
  func calibration() throws {
    let calibration = try #require(PrinterCalibration(offsetX: 1, offsetY: -2, scaleX: 1.01))
    let box = calibration.applied(to: DrawingBox(x: 100, y: 50, width: 20, height: 10))
    #expect(abs(box.x - 102) < 1e-9 && box.y == 48 && abs(box.width - 20.2) < 1e-9)
    #expect(PrinterCalibration(offsetX: 25) == nil && PrinterCalibration(scaleY: 1.2) == nil)
    #expect(PrinterCalibration(offsetX: .nan) == nil)
  }
}
