import Pictures
import Testing

@testable import CodeScanning

@Suite("Preparing a picture")
struct StageTests {
  private func picture(_ width: Int, _ pixels: [UInt8]) -> GreyPicture {
    GreyPicture(width: width, height: pixels.count / width, pixels: pixels)
  }

  @Test("shrinking averages areas, with parts of pixels by their part")
  func shrinking() {
    #expect(Scaling.reduced(picture(4, [0, 100, 200, 100]), longSide: 2).pixels == [50, 150])
    // Three pixels to two: each takes one and a half.
    #expect(Scaling.reduced(picture(3, [0, 90, 255]), longSide: 2).pixels == [30, 200])
    let square = Scaling.reduced(
      picture(4, [0, 0, 255, 255, 0, 0, 255, 255, 80, 80, 0, 0, 80, 80, 0, 0]), longSide: 2)
    #expect(square.pixels == [0, 255, 80, 0] && square.height == 2)
  }

  @Test("shrinking keeps flat pictures flat and never makes a side of 0", arguments: 1...40)
  func shrinkingKeepsFlat(longSide: Int) {
    let flat = picture(97, [UInt8](repeating: 201, count: 97 * 3))
    let small = Scaling.reduced(flat, longSide: longSide)
    #expect(small.width == longSide && small.height >= 1)
    #expect(small.pixels.allSatisfy { $0 == 201 })
  }

  @Test("a graphic with some blur has two tones, and a ramp of greys has not")
  func twoTones() {
    let graphic = (0..<1000).map { [UInt8(10), 10, 20, 235, 245, 245][$0 % 6] }
    #expect(Threshold.showsTwoTones(picture(10, graphic)))
    #expect(!Threshold.showsTwoTones(picture(10, (0..<1000).map { UInt8($0 % 250) })))
    #expect(!Threshold.showsTwoTones(picture(10, [UInt8](repeating: 255, count: 1000))))
  }

  @Test("rings are searched for on the parts of a line outside of codes, if they have room")
  func gaps() {
    let square = [(40.0, 40.0), (140, 40), (140, 140), (40, 140)].map {
      PicturePoint(x: $0.0, y: $0.1)
    }
    func gaps(_ line: Double, scale: Double = 1, isVertical: Bool = false) -> [Range<Int>] {
      let known = KnownPlaces(places: [Quadrilateral(square, enlargedBy: 1)], scale: scale)
      var found: [Range<Int>] = []
      known.forEachGap(on: line, isVertical: isVertical, length: 160) { found.append($0) }
      return found
    }
    #expect(gaps(20) == [0..<160])
    #expect(gaps(90) == [0..<40])
    #expect(gaps(90, isVertical: true) == [0..<40])
    #expect(gaps(45, scale: 2) == [70..<160])
  }

  @Test("a picture that is small enough stays as it is")
  func noShrinking() {
    let small = picture(2, [1, 2, 3, 4])
    #expect(Scaling.reduced(small, longSide: 2) == small)
  }

  @Test("doubling keeps flat pictures flat and edges in their place")
  func doubling() {
    let flat = Scaling.doubled(picture(3, [UInt8](repeating: 77, count: 9)))
    #expect(flat.width == 6 && flat.height == 6 && flat.pixels.allSatisfy { $0 == 77 })
    let edge = Scaling.doubled(picture(4, [0, 0, 255, 255]))
    #expect(edge.width == 8 && edge.height == 2)
    #expect(edge.pixels[0...2].allSatisfy { $0 < 30 } && edge.pixels[3] < 128)
    #expect(edge.pixels[4] > 127 && edge.pixels[5...7].allSatisfy { $0 > 225 })
  }

  @Test("doubling goes on beyond an edge as at the edge, however small the picture")
  func doublingEdges() {
    for width in 1...6 {
      for height in 1...6 {
        let small = picture(width, (0..<width * height).map { UInt8($0 * 89 % 256) })
        // The same picture with its edges repeated is the same in its middle.
        let border = 3
        let wide = picture(
          width + 2 * border,
          (-border..<height + border).flatMap { y in
            (-border..<width + border).map { x in
              small.pixels[min(height - 1, max(0, y)) * width + min(width - 1, max(0, x))]
            }
          })
        let expected = Scaling.doubled(wide)
        let doubled = Scaling.doubled(small)
        for y in 0..<height * 2 {
          let start = (y + border * 2) * expected.width + border * 2
          let row = doubled.pixels[y * width * 2..<(y + 1) * width * 2]
          #expect(Array(row) == Array(expected.pixels[start..<start + width * 2]))
        }
      }
    }
  }

  @Test("Otsu's level lies between two groups of grey")
  func otsu() {
    let level = Threshold.otsuLevel([10, 12, 14, 10, 200, 210, 205])
    #expect((14..<200).contains(level))
    let split = Threshold.otsu.applied(to: picture(2, [10, 200, 14, 210]))
    #expect(split.pixels == [0, 255, 0, 255])
  }

  @Test("the local mean finds dark in the light and light in the dark")
  func localMean() {
    // A ramp from 0 to 252 with a dip of 20 at each fourth pixel.
    let ramp = (0..<64).map { (x: Int) -> UInt8 in
      let light = x * 4
      return UInt8(x % 4 == 2 ? max(0, light - 20) : light)
    }
    let split = Threshold.localMean(window: 5, offset: 2).applied(to: picture(64, ramp))
    for x in 8..<60 { #expect((split.pixels[x] == 0) == (x % 4 == 2), "\(x)") }
  }

  @Test(
    "the local mean is that of the window as far as it lies in the picture",
    arguments: [1, 3, 5, 25, 61, 201])
  func localMeanByDefinition(window: Int) {
    var state: UInt32 = 7
    let (width, height) = (23, 17)
    let grey = picture(
      width,
      (0..<width * height).map { _ in
        state = state &* 1_664_525 &+ 1_013_904_223
        return UInt8(state >> 24)
      })
    let split = Threshold.localMean(window: window, offset: 3).applied(to: grey)
    let reach = window / 2
    for y in 0..<height {
      for x in 0..<width {
        let rows = max(0, y - reach)...min(height - 1, y + reach)
        let columns = max(0, x - reach)...min(width - 1, x + reach)
        let sum = rows.reduce(0) { sum, row in
          columns.reduce(sum) { $0 + Int(grey.pixels[row * width + $1]) }
        }
        let isDark = (Int(grey.pixels[y * width + x]) + 3) * rows.count * columns.count <= sum
        #expect(split.pixels[y * width + x] == (isDark ? 0 : 255), "\(x), \(y)")
      }
    }
  }

  @Test("a picture at the loader's limit is copied for zbar only where it becomes small")
  func largePicture() {
    let large = Look(picture(10_000, [UInt8](repeating: 0, count: 10_000)))
    let stages = (ScanPlan.usual + ScanPlan.close + ScanPlan.rare).compactMap { $0 as? ZBarStage }
    #expect(stages.count > 4)
    for stage in stages where stage.applies(to: large) {
      #expect(stage.prepared(large.picture).width <= 1400, "\(stage.name)")
    }
  }

  @Test("stages that would repeat another are left out")
  func applies() {
    let small = Look(picture(100, [UInt8](repeating: 0, count: 100)))
    #expect(!ZBarStage(name: "", size: .longSide(450)).applies(to: small))
    #expect(ZBarStage(name: "", size: .doubled).applies(to: small))
    #expect(ZBarStage.fullFrame.applies(to: small))
    let large = Look(picture(3000, [UInt8](repeating: 0, count: 3000)))
    #expect(ZBarStage(name: "", size: .longSide(450)).applies(to: large))
    #expect(!ZBarStage(name: "", size: .doubled).applies(to: large))
    #expect(!ZBarStage(name: "", largestSide: 2999).applies(to: large))
  }
}

@Suite("Uniting what stages read")
struct CodeCollectionTests {
  private func code(_ text: String, at x: Double, side: Double, version: Int? = nil) -> DecodedCode
  {
    let corners = [(x, 0), (x + side, 0), (x + side, side), (x, side)]
    return DecodedCode(
      text: text, bytes: Array(text.utf8), corners: corners.map { PicturePoint(x: $0.0, y: $0.1) },
      version: version, stage: "test")
  }

  private func united(_ codes: [DecodedCode]) -> [String] {
    var collection = CodeCollection()
    for code in codes { collection.add(code) }
    return collection.codes.map(\.text)
  }

  @Test("the same place is the same code; another place is another")
  func places() {
    #expect(united([code("a", at: 0, side: 100), code("a", at: 4, side: 96)]) == ["a"])
    #expect(united([code("a", at: 0, side: 100), code("a", at: 101, side: 100)]) == ["a", "a"])
  }

  @Test("of two texts at one place the first stays, unless one is a small code in a large one")
  func nested() {
    #expect(united([code("a", at: 0, side: 100), code("b", at: 2, side: 100)]) == ["a"])
    let large = code("large", at: 0, side: 100)
    #expect(united([large, code("small", at: 40, side: 20)]).sorted() == ["large", "small"])
  }

  @Test("a reading that is sure of the symbol replaces one that was not")
  func surer() {
    var collection = CodeCollection()
    collection.add(code("a", at: 0, side: 100))
    #expect(!collection.knowsAll(of: Array("a".utf8), at: code("a", at: 0, side: 99).corners))
    collection.add(code("a", at: 1, side: 100, version: 5))
    #expect(collection.count == 1 && collection.codes[0].version == 5)
    #expect(collection.knowsAll(of: Array("a".utf8), at: code("a", at: 0, side: 99).corners))
  }
}
