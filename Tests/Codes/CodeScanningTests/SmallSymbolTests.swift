import ScanFixtures
import SymbolStructure
import Testing

@testable import CodeScanning
@testable import Pictures

@Suite("Symbols of other kinds")
struct SmallSymbolTests {
  private func examine(_ picture: GreyPicture) async throws -> ScanResult {
    try await CodeScanner().examine(
      LoadedPicture(
        source: "test", width: picture.width, height: picture.height, firstLook: picture))
  }

  private func sample(_ name: String) throws -> SymbolSample {
    try #require(SymbolSample.all.first { $0.name == name })
  }

  @Test("a symbol of another kind is read, whichever way it is turned", arguments: SymbolSample.all)
  func turned(sample: SymbolSample) async throws {
    for orientation in [PictureOrientation.upright, .turnedLeft, .upsideDown, .turnedRight] {
      let result = try await examine(sample.picture(modulePixels: 4).upright(from: orientation))
      let code = try #require(result.codes.first, "\(orientation)")
      #expect(result.codes.count == 1 && result.unread.isEmpty)
      #expect(code.text == sample.text && code.symbology == sample.kind)
      #expect(code.version == sample.version && code.errorCorrection == sample.level)
      #expect(code.isMirrored == false && !code.isInverted && code.correction?.unused == 1)
    }
  }

  @Test("a mirrored symbol of another kind is read", arguments: SymbolSample.all)
  func mirrored(sample: SymbolSample) async throws {
    let codes = try await examine(sample.mirrored.picture(modulePixels: 4)).codes
    #expect(codes.map(\.text) == [sample.text] && codes.map(\.isMirrored) == [true])
  }

  @Test("a symbol of another kind is read light on dark", arguments: SymbolSample.all)
  func inverted(sample: SymbolSample) async throws {
    let drawn = sample.picture(modulePixels: 4)
    let light = GreyPicture(
      width: drawn.width, height: drawn.height, pixels: drawn.pixels.map { 255 - $0 })
    let codes = try await examine(light).codes
    #expect(codes.map(\.text) == [sample.text] && codes.map(\.isInverted) == [true])
  }

  @Test("a symbol of another kind is read in a photograph", arguments: SymbolSample.all)
  func photographed(sample: SymbolSample) async throws {
    let depth = 400.0 * Double(sample.height) / Double(sample.width)
    let corners = [(70.0, 60.0), (450, 110), (430, 100 + depth), (60, 90 + depth)].map {
      PicturePoint(x: $0.0, y: $0.1)
    }
    let picture = try #require(sample.photograph(side: 560, corners: corners))
    let codes = try await examine(picture).codes
    #expect(codes.map(\.text) == [sample.text])
    let found = try #require(codes.first).corners
    #expect(zip(found, corners).allSatisfy { $0.distance(to: $1) < 8 })
  }

  @Test("the published example of Micro QR Code is read codeword by codeword")
  func published() throws {
    // ISO/IEC 18004:2015, Annex I.3: 01234567 in M2-L with mask 01.
    let data: [UInt8] = [0b0100_0000, 0b0001_1000, 0b1010_1100, 0b1100_0011, 0]
    let checks: [UInt8] = [
      0b1000_0110, 0b0000_1101, 0b0010_0010, 0b1010_1110, 0b0011_0000,
    ]
    #expect(CheckCodewords(count: 5).checks(of: data[...]) == checks)
    let sample = try sample("M2-L")
    let received = ReceivedCodewords(
      sample.modules, at: SmallLayout.of(.micro(version: 2)).dataModules, mask: 4,
      isMirrored: false)
    #expect(received.values == data + checks)
  }

  @Test("the modules of every form hold its codewords, and at most seven bits more")
  func capacities() {
    let micro = [36, 80, 132, 192]
    for (version, count) in zip(1..., micro) {
      #expect(SmallLayout.of(.micro(version: version)).dataModules.count == count)
    }
    // ISO/IEC 23941:2022, Table 1: the codewords of R7x43 to R17x139.
    let rectangular = [
      13, 21, 32, 44, 68, 21, 33, 49, 66, 99, 15, 31, 47, 67, 89, 132, 21, 41, 60, 85, 113, 166,
      51, 74, 103, 136, 199, 61, 88, 122, 160, 232,
    ]
    for (indicator, count) in rectangular.enumerated() {
      let layout = SmallLayout.of(.rectangular(indicator: indicator))
      #expect(layout.dataModules.count / 8 == count)
    }
    for format in SmallFormat.micro + SmallFormat.rectangular {
      let layout = SmallLayout.of(format.form)
      let isHalf = format.form == .micro(version: 1) || format.form == .micro(version: 3)
      let bits = BlockStructure(format).codewordCount * 8 - (isHalf ? 4 : 0)
      #expect((0..<8).contains(layout.dataModules.count - bits))
    }
  }

  @Test("M1, which only detects errors, is named and not read with one module wrong")
  func detected() async throws {
    let sample = try sample("M1")
    for (column, row) in [(10, 10), (9, 4), (3, 9)] {
      let result = try await examine(
        sample.inverting(column: column, row: row).picture(modulePixels: 6))
      #expect(result.codes.isEmpty && result.unread.map(\.kind) == [.microQR])
    }
  }

  @Test("a small symbol whose correction is not beyond doubt is named and not read")
  func doubtful() async throws {
    // Two codewords of M3-L, which has six check codewords, two of them against misreadings.
    let sample = try sample("M3-L")
    var damaged = sample
    for (column, row) in [(14, 14), (13, 13), (14, 10), (13, 9), (14, 3)] {
      damaged = damaged.inverting(column: column, row: row)
    }
    let result = try await examine(damaged.picture(modulePixels: 6))
    #expect(result.codes.isEmpty && result.unread.map(\.kind) == [.microQR])
    let once = sample.inverting(column: 14, row: 14)
    let codes = try await examine(once.picture(modulePixels: 6)).codes
    #expect(codes.map(\.text) == [sample.text])
    #expect(codes.first?.correction?.correctedCodewords == 1)
  }

  @Test("both blocks of an rMQR Code are corrected")
  func corrected() async throws {
    var sample = try sample("R13x77-M")
    for (column, row) in [(75, 2), (60, 4), (45, 5), (30, 6)] {
      sample = sample.inverting(column: column, row: row)
    }
    let codes = try await examine(sample.picture(modulePixels: 4)).codes
    #expect(codes.map(\.text) == [sample.text])
    #expect(codes.first?.correction?.correctedCodewords == 4)
  }

  @Test("a small symbol beside a code that is read is read, too, and once")
  func beside() async throws {
    let small = try sample("M4-Q").picture(modulePixels: 6)
    let code = try #require(drawSymbol(Array("https://beside.example".utf8), modulePixels: 6))
    let result = try await examine(
      wall(width: 900, height: 500, [(code, 30, 40), (small, 500, 60)]))
    #expect(result.codes.map(\.text) == ["https://beside.example", "a.ex/m4"])
    #expect(result.unread.isEmpty)
  }

  @Test("a QR code too damaged to read is not taken for a small one")
  func damaged() async throws {
    let whole = try #require(drawSymbol(Array("https://torn.example/a/b/c".utf8), modulePixels: 6))
    var pixels = whole.pixels
    for y in 0..<whole.height {
      for x in 0..<whole.width where x + y > whole.width * 3 / 4 {
        pixels[y * whole.width + x] = 255
      }
    }
    let torn = GreyPicture(width: whole.width, height: whole.height, pixels: pixels)
    let loaded = LoadedPicture(
      source: "torn", width: torn.width, height: torn.height, firstLook: torn)
    let result = try await CodeScanner().examine(loaded)
    #expect(result.codes.isEmpty && result.unread.isEmpty)
  }

  /// A symbol with the format information that Model 1 has, and what it is then not any more: readable.
  private func oldSymbol(version: Int) throws -> EncodedSymbol {
    var symbol = try #require(EncodedSymbol(Array("https://a.example/1".utf8), version: version))
    for places in FormatInformation.places(size: symbol.size) {
      for (bit, place) in places.enumerated() where (0x5412 ^ 0x2825) >> bit & 1 == 1 {
        symbol.isDark[place.row * symbol.size + place.column].toggle()
      }
    }
    return symbol
  }

  @Test("the codewords of Model 1 are apart from its patterns and fill the blocks of every level")
  func model1Layout() {
    for version in Model1Layout.versions {
      let size = 17 + 4 * version
      let modules = Model1Layout.dataModules(version: version).map { Int($0.index) }
      let patterns = FunctionPatterns.ofModel1(size: size).modules
      let format = FormatInformation.places(size: size).joined().map { $0.row * size + $0.column }
      #expect(Set(modules).count == modules.count && Set(modules).isDisjoint(with: format))
      #expect(modules.allSatisfy { patterns[$0] == .unknown })
      for level in BlockStructure.Level.allCases {
        let blocks = Model1Layout.blocks(version: version, level: level)
        let places = blocks.places().flatMap(\.self)
        #expect(Set(places) == Set(0..<blocks.codewordCount))
        #expect(modules.count / 8 - blocks.codewordCount < blocks.blocks.count)
        // The check codewords are about twice as many as may be corrected: 7, 15, 25, 30 %.
        let share = Double(blocks.blocks[0].checkCount) / Double(blocks.blocks[0].length)
        #expect(abs(share - [0.14, 0.3, 0.5, 0.6][level.rawValue]) < 0.15)
      }
    }
  }

  @Test(
    "a symbol of Model 1 whose codewords are not valid is named and not read",
    arguments: [2, 5, 10])
  func model1(version: Int) async throws {
    let symbol = try oldSymbol(version: version)
    for shown in [symbol, symbol.mirrored] {
      let result = try await examine(shown.picture(modulePixels: 6))
      #expect(result.codes.isEmpty)
      #expect(result.unread.map(\.kind) == [.model1QR])
    }
  }

  @Test("no symbol of today is taken for Model 1, with three bits of the format wrong either")
  func todays() throws {
    let symbol = try #require(EncodedSymbol(Array("https://a.example/1".utf8)))
    #expect(Model1(shownBy: try oldSymbol(version: 2).modules) != nil)
    for mask: UInt32 in [0, 0b111, 0b1000_0010_0001] {
      for format in FormatInformation.all {
        var changed = symbol
        for places in FormatInformation.places(size: symbol.size) {
          for (bit, place) in places.enumerated() {
            changed.isDark[place.row * symbol.size + place.column] =
              (format.bits ^ mask) >> UInt32(bit) & 1 == 1
          }
        }
        #expect(Model1(shownBy: changed.modules) == nil)
      }
    }
  }

  @Test("a symbol that is light on transparent is read on the ground that it needs")
  func lightOnTransparent() async throws {
    let code = try #require(drawSymbol(Array("https://light.example".utf8), modulePixels: 6))
    let paper = GreyPicture(
      width: code.width, height: code.height,
      pixels: [UInt8](repeating: 255, count: code.pixels.count))
    // White modules where the symbol is dark, and nothing elsewhere.
    let dark = GreyPicture(
      width: code.width, height: code.height, pixels: code.pixels.map { 255 - $0 })
    let loaded = LoadedPicture(
      source: "light", width: paper.width, height: paper.height, firstLook: paper,
      dark: { () async throws(PictureError) -> GreyPicture in dark })
    let codes = try await CodeScanner().scan(loaded)
    #expect(codes.map(\.text) == ["https://light.example"])
    #expect(codes.map(\.neededGround) == [.dark] && codes.allSatisfy(\.isInverted))
  }
}
