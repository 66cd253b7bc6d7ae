import ScanFixtures
import AppClipCodeFixtures
import AppClipCodes
import CliptagBasics
import QRSymbol
import Testing

@testable import CodeScanning
@testable import Pictures

@Suite("App Clip Codes in pictures")
struct AppClipCodeLocatorTests {
  private static let codes = (0..<60).map { DrawnAppClipCode("https://fruta.example.com/t/\($0)") }
  private static let index = AppClipCodeIndex(codes.map(\.pattern))

  /// What hangs in front of a camera, and how it is seen.
  struct Scene: Sendable, CustomTestStringConvertible {
    let name: String
    let prepare: @Sendable (inout AppClipCodePhotograph) -> Void
    var testDescription: String { name }
  }

  private static let scenes = [
    Scene(name: "as it hangs") { _ in },
    Scene(name: "turned by 77°") { $0.rotation = 77 },
    Scene(name: "turned by 183°") { $0.rotation = 183 },
    Scene(name: "tilted by 45°") { ($0.tilt, $0.rotation) = (45, 20) },
    Scene(name: "tilted by 45° about a slanting axis") { ($0.tilt, $0.tiltAxis) = (45, 40) },
    Scene(name: "blurred") { $0.blur = 1.5 },
    Scene(name: "noisy") { $0.noise = 20 },
    Scene(name: "pale") { ($0.contrast, $0.rotation) = (0.3, 300) },
    Scene(name: "in a shadow") { $0.shade = 0.7 },
    Scene(name: "partly covered") { ($0.cover, $0.rotation) = (0.3, 130) },
    Scene(name: "70 pixels small") { $0.diameter = 70 },
    Scene(name: "on a dark wall") { $0.ground = 20 },
  ]

  @Test("a code is known however it is seen", arguments: scenes)
  func known(_ scene: Scene) throws {
    var photograph = AppClipCodePhotograph(Self.codes[7])
    scene.prepare(&photograph)
    let found = AppClipCodeLocator().codes(in: photograph.picture(width: 300, height: 260))
    try #require(found.count == 1)
    #expect(Self.index.match(found[0].reading).answer == .code(Self.codes[7].pattern))
  }

  @Test("each of Apple's pairs of colours is read", arguments: 0..<18)
  func colours(template: Int) throws {
    let code = DrawnAppClipCode("https://fruta.example.com/t/9", template: template)
    let picture = AppClipCodePhotograph(code).picture(width: 220, height: 220)
    let found = AppClipCodeLocator().codes(in: picture)
    try #require(found.count == 1)
    #expect(Self.index.match(found[0].reading).answer == .code(code.pattern))
  }

  @Test("the white disc of a code may lie on white paper")
  func whiteOnWhite() throws {
    let code = DrawnAppClipCode("https://fruta.example.com/t/11", template: 1)
    var photograph = AppClipCodePhotograph(code)
    photograph.ground = 255
    let found = AppClipCodeLocator().codes(in: photograph.picture(width: 240, height: 240))
    #expect(found.map { Self.index.match($0.reading).answer } == [.code(code.pattern)])
  }

  @Test("corners tell where the code is and how it is turned")
  func corners() throws {
    var photograph = AppClipCodePhotograph(Self.codes[3])
    photograph.rotation = 90
    let found = AppClipCodeLocator().codes(in: photograph.picture(width: 240, height: 240))
    let corners = try #require(found.first).corners
    // Turned clockwise by a quarter, its own top left is at the top right.
    for (corner, place) in zip(
      corners, [(200.3, 39.8), (200.3, 199.8), (40.3, 199.8), (40.3, 39.8)])
    {
      #expect(abs(corner.x - place.0) < 3 && abs(corner.y - place.1) < 3)
    }
    #expect(abs(found[0].diameter - 160) < 4)
  }

  @Test("several codes and a QR code in one picture are all read")
  func several() async throws {
    let (width, height) = (560, 200)
    var values = [Float](repeating: 225, count: width * height)
    for (place, code) in [(x: 100.0, Self.codes[1]), (280.0, Self.codes[2])] {
      AppClipCodePhotograph(code).draw(
        into: &values, width: width, height: height, centre: (place, 100))
    }
    let symbol = try QRSymbol("https://fruta.example.com/qr")
    for y in 0..<symbol.size * 5 {
      for x in 0..<symbol.size * 5 where symbol.isDark(x: x / 5, y: y / 5) {
        values[(y + 30) * width + x + 400] = 10
      }
    }
    let picture = GreyPicture(
      width: width, height: height, pixels: values.map { UInt8($0.rounded()) })
    let result = try CodeScanner().examine(picture)
    #expect(result.codes.map(\.text) == ["https://fruta.example.com/qr"])
    #expect(
      Set(result.appClipCodes.map { Self.index.match($0.reading).answer })
        == [.code(Self.codes[1].pattern), .code(Self.codes[2].pattern)])
  }

  @Test("a sheet of twelve codes is read whole")
  func sheet() {
    let (width, height) = (680, 520)
    var values = [Float](repeating: 240, count: width * height)
    var codes: [DrawnAppClipCode] = []
    for place in 0..<12 {
      let code = DrawnAppClipCode("https://fruta.example.com/sheet/\(place)")
      codes.append(code)
      var photograph = AppClipCodePhotograph(code)
      photograph.diameter = 110
      photograph.draw(
        into: &values, width: width, height: height,
        centre: (Double(place % 4) * 165 + 90, Double(place / 4) * 165 + 90))
    }
    let picture = GreyPicture(
      width: width, height: height, pixels: values.map { UInt8($0.rounded()) })
    let index = AppClipCodeIndex(codes.map(\.pattern))
    let answers = AppClipCodeLocator().codes(in: picture).map { index.match($0.reading).answer }
    #expect(Set(answers) == Set(codes.map { .code($0.pattern) }))
  }

  @Test("a scanner that is not asked for App Clip Codes tells of none")
  func notAsked() throws {
    let picture = AppClipCodePhotograph(Self.codes[1]).picture(width: 200, height: 200)
    #expect(try CodeScanner(symbologies: [.qr]).examine(picture).appClipCodes.isEmpty)
    #expect(try CodeScanner().examine(picture).appClipCodes.count == 1)
  }

  @Test("a live picture of an App Clip Code alone ends the search")
  func firstCode() throws {
    let picture = AppClipCodePhotograph(Self.codes[1]).picture(width: 200, height: 200)
    let result = try CodeScanner(effort: .firstCode).examine(picture)
    #expect(result.appClipCodes.count == 1)
    #expect(!result.wasCutShort)
  }

  @Test("inside another code that was read, none is searched for")
  func outsideOthers() throws {
    let picture = AppClipCodePhotograph(Self.codes[1]).picture(width: 200, height: 200)
    let code = try #require(AppClipCodeLocator().codes(in: picture).first)
    #expect(AppClipCodeLocator().codes(in: picture, outside: [code.corners]).isEmpty)
  }

  @Test("a budget that does not suffice for the search is said")
  func budget() throws {
    let picture = AppClipCodePhotograph(Self.codes[1]).picture(width: 1000, height: 1000)
    let result = try CodeScanner(budget: .milliseconds(3)).examine(picture)
    #expect(result.appClipCodes.isEmpty && result.wasCutShort)
  }

  @Test("small and large codes of a large picture are read")
  func largePicture() async throws {
    let (width, height) = (9000, 2700)
    var values = [Float](repeating: 235, count: width * height)
    for (code, diameter, centre) in [
      (Self.codes[1], 64.0, (8800.0, 2500.0)), (Self.codes[2], 300, (4500, 200)),
      (Self.codes[3], 2400, (1400, 1300)),
    ] {
      var photograph = AppClipCodePhotograph(code)
      photograph.diameter = diameter
      photograph.draw(into: &values, width: width, height: height, centre: centre)
    }
    let picture = GreyPicture(
      width: width, height: height, pixels: values.map { UInt8($0.rounded()) })
    let page = LoadedPicture(
      source: "page", width: width, height: height, firstLook: picture.reduced(by: 5),
      isLarge: true, closer: { () throws(PictureError) in picture })
    let result = try await CodeScanner().examine(page)
    #expect(
      Set(result.appClipCodes.map { Self.index.match($0.reading).answer })
        == Set(Self.codes[1...3].map { .code($0.pattern) }))
  }

  @Test("a mirrored code is not taken for another one")
  func mirrored() {
    var photograph = AppClipCodePhotograph(Self.codes[5])
    photograph.isMirrored = true
    for code in AppClipCodeLocator().codes(in: photograph.picture(width: 240, height: 240)) {
      let answer = Self.index.match(code.reading).answer
      #expect(answer == .unknown || answer == .unclear)
    }
  }

  @Test("plain rings, stripes and noise are no code")
  func others() {
    let side = 240
    func picture(_ value: (Int, Int) -> Double) -> GreyPicture {
      let pixels = (0..<side * side).map { UInt8(max(0, min(255, value($0 % side, $0 / side)))) }
      return GreyPicture(width: side, height: side, pixels: pixels)
    }
    let rings = picture { x, y in
      let (dx, dy) = (Double(x - 120), Double(y - 120))
      return Int((dx * dx + dy * dy).squareRoot() / 6) % 2 == 0 ? 20 : 230
    }
    let stripes = picture { x, _ in x / 6 % 2 == 0 ? 20 : 230 }
    var generator = SeededGenerator(seed: 3)
    let noise = picture { _, _ in Double(generator.next() % 256) }
    for picture in [rings, stripes, noise] {
      #expect(AppClipCodeLocator().codes(in: picture).isEmpty)
    }
  }

  @Test(
    "a picture of any size, and one of one grey, ends without a code",
    arguments: [0, 1, 23, 24, 25, 64])
  func tiny(side: Int) {
    let picture = GreyPicture(
      width: side, height: side, pixels: [UInt8](repeating: 90, count: side * side))
    #expect(AppClipCodeLocator().codes(in: picture).isEmpty)
  }

  @Test("what a live source shows twice is one code, though some bits are read otherwise")
  func live() throws {
    var photograph = AppClipCodePhotograph(Self.codes[4])
    photograph.noise = 12
    let readings = try (1...3).map { seed -> SeenAppClipCode in
      photograph.seed = UInt64(seed)
      let found = AppClipCodeLocator().codes(in: photograph.picture(width: 240, height: 240))
      return try #require(found.first)
    }
    #expect(readings[0] != readings[1])
    var filter = SightingFilter(clock: ContinuousClock(), sightingsNeeded: 2)
    #expect(readings.map { filter.isNew(.appClipCode($0)) } == [false, true, false])
  }
}
