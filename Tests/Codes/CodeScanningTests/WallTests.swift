import ScanFixtures
import CQREncode
import Testing

@testable import CodeScanning
@testable import Pictures

@Suite("Several codes, colours and budgets")
struct WallTests {
  private func symbol(_ text: String, modulePixels: Int) throws -> GreyPicture {
    try #require(drawSymbol(Array(text.utf8), modulePixels: modulePixels))
  }

  @Test("a small code beside a large one is read too")
  func smallBesideLarge() async throws {
    let full = wall(
      width: 2000, height: 1000,
      [
        (try symbol("https://large.example", modulePixels: 16), 60, 60),
        (try symbol("https://small.example", modulePixels: 4), 1500, 500),
      ])
    let first = Scaling.reduced(full, longSide: 1000)
    let picture = LoadedPicture(
      source: "wall", width: full.width, height: full.height, firstLook: first,
      closer: { () throws(PictureError) in full })
    let texts = try await CodeScanner().scan(picture).map(\.text).sorted()
    #expect(texts == ["https://large.example", "https://small.example"])
  }

  @Test("eight codes on a wall are all read, from the top to the bottom")
  func many() throws {
    let symbols = try (0..<8).map { index in
      (
        picture: try symbol("https://a.example/\(index)", modulePixels: 4),
        x: index % 4 * 150 + 20, y: index / 4 * 150 + 20
      )
    }
    let codes = try CodeScanner().scan(wall(width: 640, height: 340, symbols))
    #expect(codes.map(\.text) == (0..<8).map { "https://a.example/\($0)" })
  }

  @Test("ink and paper of the same brightness are told apart by their colour")
  func equalBrightness() async throws {
    let code = try symbol("https://colour.example", modulePixels: 5)
    func plane(_ ink: UInt8, _ paper: UInt8) -> GreyPicture {
      GreyPicture(
        width: code.width, height: code.height, pixels: code.pixels.map { $0 == 0 ? ink : paper })
    }
    // ITU-R BT.601: 0.299 × 235 + 0.587 × 60 and 0.587 × 180 are the same grey.
    let colour = ColourPicture(red: plane(235, 0), green: plane(60, 180), blue: plane(0, 0))
    let grey = plane(105, 105)
    let picture = LoadedPicture(
      source: "sign", width: grey.width, height: grey.height, firstLook: grey,
      colour: { () throws(PictureError) in colour })
    #expect(try await CodeScanner().scan(picture).map(\.text) == ["https://colour.example"])
  }

  @Test("what does not fit into the budget is not begun, and the result says so")
  func budget() async throws {
    let code = try symbol("https://late.example", modulePixels: 4)
    let picture = LoadedPicture(
      source: "wall", width: code.width, height: code.height, firstLook: code)
    let scanner = CodeScanner(budget: .microseconds(1))
    let result = try await scanner.examine(picture)
    #expect(result.codes.isEmpty && result.wasCutShort)
    let whole = try await CodeScanner().examine(picture)
    #expect(whole.codes.count == 1 && !whole.wasCutShort)
  }

  @Test("where the one code that was wanted is read, nothing was cut short")
  func budgetOfFirst() async throws {
    let code = try symbol("https://first.example", modulePixels: 3)
    let wall = wall(width: 700, height: 500, [(code, 500, 300)])
    let picture = LoadedPicture(
      source: "wall", width: wall.width, height: wall.height, firstLook: wall)
    var read = 0
    for milliseconds in 2...20 {
      let scanner = CodeScanner(effort: .firstCode, budget: .milliseconds(milliseconds))
      let result = try await scanner.examine(picture)
      #expect(result.codes.isEmpty == result.wasCutShort, "\(milliseconds) ms")
      read += result.codes.count
    }
    #expect((1..<19).contains(read))
  }

  @Test("a budget for one code reads a sheet of them, for each allows work for more")
  func sheet() throws {
    let symbols = try (0..<60).map { index in
      (
        picture: try symbol("https://a.example/\(index)", modulePixels: 4),
        x: index % 10 * 150 + 20, y: index / 10 * 150 + 20
      )
    }
    let sheet = wall(width: 1540, height: 940, symbols)
    let codes = try CodeScanner(budget: .milliseconds(75)).scan(sheet)
    #expect(codes.map(\.text) == (0..<60).map { "https://a.example/\($0)" })
  }

  @Test("a reading tells the side of a module, and what error correction is left after damage")
  func correction() throws {
    let clean = try #require(
      drawSymbol(Array("https://worn.example/a".utf8), level: QR_ECLEVEL_H, modulePixels: 6))
    let fresh = try #require(
      try CodeScanner().scan(wall(width: 900, height: 900, [(clean, 99, 77)])).first)
    #expect(abs((fresh.modulePixels ?? 0) - 6) < 0.1)
    #expect(fresh.correction?.correctedCodewords == 0 && fresh.correction?.unused == 1)
    // A light scratch over three modules of the data, away from every pattern.
    var pixels = clean.pixels
    for y in 0..<clean.height {
      for x in 20 * 6..<21 * 6 where (16 * 6..<24 * 6).contains(y) {
        pixels[y * clean.width + x] = 255
      }
    }
    let scratched = GreyPicture(width: clean.width, height: clean.height, pixels: pixels)
    let worn = try #require(
      try CodeScanner().scan(wall(width: 900, height: 900, [(scratched, 99, 77)])).first)
    let use = try #require(worn.correction)
    #expect(worn.text == fresh.text && use.correctedCodewords > 0 && use.unused < 1)
  }

  @Test("only the symbologies that were asked for are read")
  func symbologies() async throws {
    let picture = linearCode("5901234123457")
    #expect(try CodeScanner().scan(picture).isEmpty)
    let codes = try CodeScanner(symbologies: [.qr, .ean13]).scan(picture)
    #expect(codes.map(\.text) == ["5901234123457"] && codes.first?.symbology == .ean13)
  }

  @Test("a linear code is read beside a QR code, and each of both without the other")
  func symbologiesTogether() throws {
    let (linear, square) = (
      linearCode("5901234123457"), try symbol("HTTPS://A.EXAMPLE/1", modulePixels: 4)
    )
    let picture = wall(
      width: linear.width + square.width + 60, height: max(linear.height, square.height) + 40,
      [(linear, 20, 20), (square, linear.width + 40, 20)])
    func read(_ symbologies: Set<DecodedCode.Symbology>) throws -> Set<String> {
      Set(try CodeScanner(symbologies: symbologies).scan(picture).map(\.text))
    }
    #expect(try read([.qr, .ean13]) == ["5901234123457", "HTTPS://A.EXAMPLE/1"])
    #expect(try read([.ean13]) == ["5901234123457"])
    #expect(try read([.qr]) == ["HTTPS://A.EXAMPLE/1"])
    #expect(try read([.appClipCode]).isEmpty)
  }

  /// EAN-13 as ISO/IEC 15420 draws it: guards, six digits by odd or even parity, six by their
  /// complement; three pixels a module.
  private func linearCode(_ digits: String) -> GreyPicture {
    let odd = [
      "0001101", "0011001", "0010011", "0111101", "0100011", "0110001", "0101111", "0111011",
      "0110111", "0001011",
    ]
    let parity = ["LLLLLL", "LLGLGG", "LLGGLG", "LLGGGL", "LGLLGG", "LGGLLG", "LGGGLL", "LGLGLG"]
    let values = digits.compactMap(\.wholeNumberValue)
    func flipped(_ bits: String) -> String { String(bits.map { $0 == "0" ? "1" : "0" }) }
    let left = zip(values[1...6], parity[values[0]]).map {
      $1 == "L" ? odd[$0] : String(flipped(odd[$0]).reversed())
    }
    let bits =
      "101" + left.joined() + "01010" + values[7...].map { flipped(odd[$0]) }.joined() + "101"
    let quiet = String(repeating: "0", count: 11)
    let row = (quiet + bits + quiet).flatMap { [UInt8](repeating: $0 == "1" ? 0 : 255, count: 3) }
    return GreyPicture(
      width: row.count, height: 100, pixels: (0..<100).flatMap { _ in row })
  }
}
