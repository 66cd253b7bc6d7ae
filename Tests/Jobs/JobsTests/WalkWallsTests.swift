import CliptagBasics
import CodeDrawing
import Foundation
import Invocation
import Jobs
import Pictures
import QRSymbol
import Registry
import Testing
import Verifying

@testable import Auditing

/// Walls whose truth is known, walked along with each way of giving a position: each true finding is
/// found, nothing else, and the page, its print and the objects of the command agree.
@Suite("Jobs: walls whose truth is known") struct WalkWallsTests {
  /// The walker's way of giving a position.
  enum Way: CaseIterable {
    case stated, exif
    /// A position for all pictures, exact to 300 m.
    case inexact
    case none
  }

  /// A sign on a wall.
  struct Sign: ExpressibleByStringLiteral {
    enum Look {
      case fine, covered, faded
    }

    var text: String
    var look = Look.fine

    /// The sign of a shop, such as `mitte/bar`, or another text.
    init(stringLiteral text: String) { self.text = text }

    init(_ text: String, _ look: Look) { (self.text, self.look) = (text, look) }

    var payload: String {
      WalkWallsTests.shops.contains { text.hasPrefix("\($0.id)/") }
        ? "https://fruta.example.com/order/\(text)" : text
    }
  }

  /// A picture of a wall.
  struct Wall {
    let shop: String
    let signs: [Sign]
    var taken: TimeInterval = -60
    var isAgain = false

    init(_ shop: String, _ signs: [Sign], taken: TimeInterval = -60) {
      (self.shop, self.signs, self.taken) = (shop, signs, taken)
    }

    /// The wall of a shop with all signs, except for some and with others.
    init(_ shop: String, without gone: [String] = [], and others: [Sign] = []) {
      self.init(
        shop,
        WalkWallsTests.signs.filter { !gone.contains($0) }.map { Sign("\(shop)/\($0)", .fine) }
          + others)
    }
  }

  /// Walls with the findings they must have, as `finding place sign`.
  struct Truth: CustomTestStringConvertible {
    let testDescription: String
    let walls: [Wall]
    let found: [String]
    /// The findings without any position, besides unconfirmed places.
    let withoutPosition: [String]
    /// The confirmed, wrong, missing and dead codes with a position.
    let sum: [Int]
    var preparation: @Sendable (any RegistryStore) throws -> Void = { _ in }

    init(
      _ name: String, _ walls: [Wall], _ found: [String], withoutPosition: [String]? = nil,
      sum: [Int],
      after preparation: @escaping @Sendable (any RegistryStore) throws -> Void = { _ in }
    ) {
      (testDescription, self.walls, self.found, self.sum) = (name, walls, found, sum)
      self.withoutPosition = withoutPosition ?? found
      self.preparation = preparation
    }
  }

  private static let shops: [(id: String, latitude: Double, longitude: Double)] = [
    ("mitte", 52.52, 13.405), ("sued", 48.1, 11.55), ("west", 50.94, 6.92), ("nord", 54.32, 10.13),
  ]
  private static let signs = ["door", "bar", "table"]
  private static let noon = Date(timeIntervalSince1970: 1_795_262_400)
  private static let payment = Sign("BCD\n002\n1\nSCT\n\nX\nDE02120300000000202051\nEUR5", .fine)

  static let truths = [
    Truth("right", [Wall("mitte"), Wall("sued"), Wall("west")], [], sum: [9, 0, 0, 0]),
    Truth(
      "swap",
      [
        Wall("mitte", without: ["table"], and: ["sued/table"]),
        Wall("sued", without: ["table"], and: ["mitte/table"]),
      ], ["swapped-codes mitte sued/table", "swapped-codes sued mitte/table"],
      withoutPosition: [], sum: [4, 2, 0, 0]),
    Truth(
      "move", [Wall("mitte", without: ["bar"]), Wall("sued", and: ["mitte/bar"])],
      ["moved-code mitte mitte/bar", "wrong-place sued mitte/bar"], withoutPosition: [],
      sum: [5, 1, 0, 0]),
    Truth(
      "ring",
      [
        Wall("mitte", without: ["bar"], and: ["sued/bar"]),
        Wall("sued", without: ["bar"], and: ["west/bar"]),
        Wall("west", without: ["bar"], and: ["mitte/bar"]),
      ],
      zip(["mitte", "sued", "west"], ["sued", "west", "mitte"]).flatMap {
        ["moved-code \($0) \($0)/bar", "wrong-place \($0) \($1)/bar"]
      }, withoutPosition: [], sum: [6, 3, 0, 0]),
    Truth(
      "away from a place that was not visited", [Wall("sued", and: ["mitte/bar"])],
      ["wrong-place sued mitte/bar"], withoutPosition: [], sum: [3, 0, 0, 0]),
    Truth(
      "copy", [Wall("mitte"), Wall("sued", and: ["mitte/bar"])],
      ["copied-code sued mitte/bar"], withoutPosition: [], sum: [6, 0, 0, 0]),
    Truth(
      "two copies",
      [Wall("mitte"), Wall("sued", and: ["mitte/bar"]), Wall("west", and: ["mitte/bar"])],
      ["copied-code sued mitte/bar", "copied-code west mitte/bar"], withoutPosition: [],
      sum: [9, 0, 0, 0]),
    Truth(
      "copy of a swapped sign",
      [
        Wall("mitte", without: ["table"], and: ["sued/table"]),
        Wall("sued", without: ["table"], and: ["mitte/table"]), Wall("west", and: ["mitte/table"]),
      ],
      [
        "copied-code sued mitte/table", "copied-code west mitte/table",
        "moved-code mitte mitte/table", "moved-code sued sued/table",
        "wrong-place mitte sued/table",
      ], withoutPosition: [], sum: [7, 2, 0, 0]),
    Truth(
      "second print elsewhere", [Wall("mitte"), Wall("sued", and: ["mitte/bar"])],
      ["prints-not-seen mitte mitte/bar", "wrong-place sued mitte/bar"],
      withoutPosition: ["prints-not-seen mitte mitte/bar"], sum: [6, 0, 0, 0],
      after: { try $0.print("mitte/bar", to: "counter.pdf") }),
    Truth(
      "twice in one picture", [Wall("mitte", and: ["mitte/door"]), Wall("sued")],
      ["hung-twice mitte mitte/door"], sum: [6, 0, 0, 0]),
    Truth(
      "in two pictures", [Wall("mitte"), Wall("mitte", ["mitte/door", "mitte/bar"])], [],
      sum: [3, 0, 0, 0]),
    Truth(
      "missing", [Wall("mitte", without: ["table"])], ["missing-code mitte mitte/table"],
      sum: [2, 0, 1, 0]),
    Truth(
      "covered", [Wall("mitte", without: ["table"], and: [Sign("mitte/table", .covered)])],
      ["missing-code mitte mitte/table"], sum: [2, 0, 1, 0]),
    Truth(
      "payment", [Wall("mitte", without: ["table"], and: [payment]), Wall("sued")],
      ["missing-code mitte mitte/table", "phishing-code mitte BCD"], sum: [5, 0, 1, 0]),
    Truth(
      "payment in two pictures", [Wall("mitte", and: [payment]), Wall("mitte", [payment])],
      ["phishing-code mitte BCD"],
      withoutPosition: ["phishing-code - BCD", "phishing-code mitte BCD"],
      sum: [3, 0, 0, 0]),
    Truth(
      "imitation", [Wall("mitte", and: ["https://fruta.examp1e.com/order/mitte/door"])],
      ["phishing-code mitte mitte/door"], sum: [3, 0, 0, 0]),
    Truth(
      "foreign link where one is missing",
      [Wall("mitte", without: ["table"], and: ["https://luna.example.org/menu"])],
      ["foreign-code mitte luna", "missing-code mitte mitte/table"], sum: [2, 0, 1, 0]),
    Truth(
      "foreign link beside all", [Wall("mitte", and: ["https://luna.example.org/menu"])],
      ["foreign-code mitte luna"], sum: [3, 0, 0, 0]),
    Truth(
      "Wi-Fi beside all", [Wall("mitte", and: ["WIFI:T:WPA;S:Guest;P:secret123;;"])], [],
      sum: [3, 0, 0, 0]),
    Truth(
      "retired", [Wall("mitte", and: ["mitte/old"])], ["retired-code mitte mitte/old"],
      sum: [3, 0, 0, 0]),
    Truth(
      "retired, at another place", [Wall("sued", and: ["mitte/old"])],
      ["retired-code sued mitte/old"], sum: [3, 0, 0, 0]),
    Truth(
      "retired, at two places",
      [Wall("sued", and: ["mitte/old"]), Wall("west", and: ["mitte/old"])],
      ["retired-code sued mitte/old", "retired-code west mitte/old"], sum: [6, 0, 0, 0]),
    Truth(
      "switched off", [Wall("mitte"), Wall("mitte", ["mitte/bar"])],
      signs.map { "inactive-experience mitte mitte/\($0)" }, sum: [0, 0, 0, 3],
      after: { registry in
        for known in try registry.experiences() {
          try registry.replace(
            AdvancedExperience(
              clip: known.clip, link: known.link, card: known.card, status: .deactivated,
              place: known.place))
        }
      }),
    Truth(
      "faded", [Wall("mitte", without: ["bar"], and: [Sign("mitte/bar", .faded)])],
      ["worn-print mitte mitte/bar"], sum: [3, 0, 0, 0]),
    Truth(
      "other language", [Wall("mitte"), Wall("sued")], ["other-language mitte mitte/bar"],
      sum: [6, 0, 0, 0], after: { try $0.print("mitte/bar", to: "mitte-bar.pdf", in: "en") }),
    Truth(
      "old picture",
      [Wall("mitte", [Sign("mitte/door", .fine)], taken: -30 * 86_400), Wall("sued")],
      ["missing-code mitte mitte/bar", "missing-code mitte mitte/table", "old-picture mitte"],
      sum: [4, 0, 2, 0]),
    Truth(
      "empty", [Wall("mitte", []), Wall("sued")],
      signs.map { "missing-code mitte mitte/\($0)" }, withoutPosition: [], sum: [3, 0, 3, 0]),
  ]

  private let registry: any RegistryStore
  private let folder: ScratchFolder

  init() throws {
    registry = try RegistryLocation.memory.open()
    folder = try #require(ScratchFolder())
    let clip = AppClip(
      bundleID: "com.example.fruta.Clip", appBundleID: "com.example.fruta", team: "ABCDE12345",
      domains: ["fruta.example.com"], locationConfirmation: true)
    try registry.add(clip)
    for shop in Self.shops {
      let circle = try #require(
        Region(latitude: shop.latitude, longitude: shop.longitude, radius: 100))
      try registry.add(
        Place(
          id: shop.id, name: "Fruta \(shop.id)", region: circle,
          language: shop.id == "mitte" ? "de" : nil))
    }
    try registry.add(
      AdvancedExperience(
        clip: clip.bundleID, link: try InvocationURL("https://fruta.example.com/order"),
        card: ExperienceCard(title: "Fruta", subtitle: nil, action: .open),
        place: .path(template: try PathTemplate("/order/{place}"))))
    for (place, sign) in Self.shops.flatMap({ shop in Self.signs.map { (shop.id, $0) } })
      + [("mitte", "old")]
    {
      try registry.print("\(place)/\(sign)", to: "\(place)-\(sign).pdf")
    }
    let old = try #require(try registry.code(ofSign: "mitte/old"))
    try registry.retire(old.id, at: Self.noon.addingTimeInterval(-3_600), by: "ada")
  }

  /// Draws a wall, in a grey that no other one has.
  private func picture(of wall: Wall, _ number: Int, _ way: Way) throws -> PictureInput {
    let module = 3
    let symbols = try wall.signs.map { try QRSymbol($0.payload) }
    let width = max(240, symbols.reduce(0) { $0 + ($1.size + 10) * module })
    let height = max(240, (symbols.map(\.size).max() ?? 0) * module + 48)
    let grey = UInt8(250 - number)
    var pixels = [UInt8](repeating: grey, count: width * height)
    var left = 20
    for (symbol, sign) in zip(symbols, wall.signs) {
      for y in 0..<symbol.size * module {
        for x in 0..<symbol.size * module where symbol.isDark(x: x / module, y: y / module) {
          pixels[(y + 24) * width + left + x] = sign.look == .faded ? 205 : 20
        }
      }
      if sign.look == .covered {
        let side = symbol.size * module
        for y in side / 3..<side {
          for x in side / 2..<side { pixels[(y + 24) * width + left + x] = 120 }
        }
      }
      left += (symbol.size + 10) * module
    }
    let drawn = GreyPicture(width: width, height: height, pixels: pixels)
    let shop = try #require(Self.shops.first { $0.id == wall.shop })
    let file = try CameraFile(
      JPEGWriter.colour(ColourPicture(drawn), quality: 92),
      taken: Self.noon.addingTimeInterval(wall.taken),
      at: way == .exif ? (shop.latitude, shop.longitude) : nil)
    let path = "\(folder.path)/wall-\(number).jpg"
    try Data(file.bytes).write(to: URL(filePath: path))
    return PictureInput(path: path)
  }

  private func walk(
    along walls: [Wall], _ way: Way, named name: String = "Autumn", by person: String = "ada"
  ) async throws {
    let workplace = Workplace(registry: registry, person: person, now: { Self.noon })
    for (number, wall) in walls.enumerated() {
      let shop = try #require(Self.shops.first { $0.id == wall.shop })
      var verifier = Verifier(check: InvocationCheck(directory: RegistryDirectory(registry)))
      var circumstances = WalkCircumstances()
      circumstances.name = name
      circumstances.isOwn = true
      switch way {
      case .stated: circumstances.place = wall.shop
      case .inexact:
        let centre = try #require(
          Coordinate(latitude: shop.latitude, longitude: shop.longitude))
        verifier.location = .fix(
          try #require(LocationFix(coordinate: centre, accuracy: 300)))
      case .exif: verifier.options.pictureLocation = PictureLocation()
      case .none: break
      }
      var job = WalkPictures([try picture(of: wall, number, way)], with: verifier)
      job.circumstances = circumstances
      _ = try await job.run(in: workplace) { event in
        if case .observed(let seen) = event, let failure = seen.failure {
          Issue.record("\(failure)")
        }
      }
    }
  }

  private func report(_ name: String = "Autumn") async throws -> MakeReport.Output {
    let workplace = Workplace(registry: registry, person: "ada", now: { Self.noon })
    return try await MakeReport(ofWalk: name).run(in: workplace) { _ in }
  }

  /// The findings as the command's objects have them, as `finding place sign`.
  private func found(in report: WalkReport) throws -> [String] {
    let encoder = JSONEncoder()
    return try report.sections.flatMap { section in
      try section.items.map { item in
        let result = try encoder.encode(WalkFindingResult(item, at: section.place))
        let object = try #require(try JSONSerialization.jsonObject(with: result) as? [String: Any])
        let finding = try #require(object["finding"] as? [String: Any])
        let payload = object["payload"] as? String ?? ""
        let sign =
          payload.firstRange(of: "/order/").map { payload[$0.upperBound...] }
          ?? payload.firstRange(of: "https://").map {
            payload[$0.upperBound...].prefix { $0 != "." }
          }
          ?? payload.prefix { $0.isLetter }
        let place = (object["place"] as? [String: Any])?["id"] as? String ?? "-"
        return [finding["code"] as? String ?? "", place, String(sign)].filter { !$0.isEmpty }
          .joined(separator: " ")
      }
    }.sorted()
  }

  @Test(
    "each true finding is found, and nothing else", arguments: truths, Way.allCases)
  func findings(truth: Truth, way: Way) async throws {
    try truth.preparation(registry)
    try await walk(along: truth.walls, way)
    let output = try await report()
    let report = output.report
    let found = try found(in: report)
    if way == .none {
      // A stop whose place nobody confirmed says so, and nothing is moved, copied or swapped.
      #expect(found.filter { !$0.hasPrefix("unconfirmed-place") } == truth.withoutPosition.sorted())
      #expect(report.sum.confirmed == 0 && report.sum.wrong == 0)
      #expect(report.sections.allSatisfy { $0.items.allSatisfy { !$0.isCertainLoss } })
    } else if way == .inexact {
      // It is certain where a code is not, and where it is with others.
      #expect(found.filter { !$0.hasPrefix("unconfirmed-place") } == truth.found.sorted())
      #expect(report.sum.confirmed == 0 && report.sum.wrong == truth.sum[1])
      #expect(report.sections.flatMap(\.items).allSatisfy { !$0.isCertainlyMissing })
    } else {
      #expect(found == truth.found.sorted())
      let sum = report.sum
      #expect([sum.confirmed, sum.wrong, sum.missing, sum.dead] == truth.sum)
      #expect(sum.unconfirmed == 0)
    }
    #expect(report.sum.all == report.expectedCount)
    try expectSameFindings(on: output)
    for section in report.sections {
      let urgencies = section.items.map(\.finding.urgency)
      #expect(urgencies == urgencies.sorted(), "the worst comes first")
    }
  }

  /// Compares the findings of the page with those of the report: their headings and numbers by place.
  private func expectSameFindings(on output: MakeReport.Output) throws {
    let page = WalkPage(output.report, material: output.material)
    let html = String(decoding: try page.write(to: MemorySink()).bytes, as: UTF8.self)
    var shown: [String] = []
    for article in html.split(separator: "<article class=\"place\"").dropFirst() {
      let body = article.prefix(
        upTo: article.firstRange(of: "</article>")?.lowerBound ?? article.endIndex)
      let name = body.firstMatch(of: /<h3><bdi>(.*?)<\/bdi>/)?.1 ?? "At no known place"
      for group in body.split(separator: "<div class=\"group").dropFirst() {
        let title = try #require(
          group.firstMatch(of: /<span class="unseen">[^<]*<\/span>([^<]*)/)?.1
        )
        shown += group.matches(of: /<li/).map { _ in
          "\(name): \(title.trimmingCharacters(in: .whitespaces))"
        }
      }
    }
    let told = output.report.sections.flatMap { section in
      section.items.map { "\(section.title): \($0.finding.code.title)" }
    }
    #expect(shown.sorted() == told.sorted())
    #expect(html.contains(output.report.answer.replacing("&", with: "&amp;")))
  }

  @Test("the printed pages have the findings of the report, with their sentences")
  func printed() async throws {
    let names = ["payment", "copy of a swapped sign"]
    for truth in Self.truths where names.contains(truth.testDescription) {
      let name = truth.testDescription
      try await walk(along: truth.walls, .exif, named: name)
      let output = try await report(name)
      let pdf = try await WalkPage(output.report, material: output.material)
        .pdf(on: PaperSize("A4"), creationTime: 0)
      let text = try self.text(of: pdf)
      #expect(text.contains(output.report.answer.withoutSpaces))
      for item in output.report.sections.flatMap(\.items) {
        #expect(text.contains(item.finding.code.title.withoutSpaces), "\(name)")
        #expect(text.contains((item.remark ?? item.finding.message).withoutSpaces), "\(name)")
      }
    }
  }

  /// The text of a PDF file without its spaces, which differ with the lines.
  private func text(of pdf: [UInt8]) throws -> String {
    let path = "\(folder.path)/pages.pdf"
    try Data(pdf).write(to: URL(filePath: path))
    let process = Process()
    process.executableURL = URL(filePath: "/usr/bin/env")
    process.arguments = ["pdftotext", path, "-"]
    let pipe = Pipe()
    process.standardOutput = pipe
    try process.run()
    let data = try pipe.fileHandleForReading.readToEnd() ?? Data()
    process.waitUntilExit()
    return String(decoding: data, as: UTF8.self).withoutSpaces
  }

  @Test(
    "a picture that two walkers took along counts once, and is told",
    arguments: [(.stated, .stated), (.exif, .exif), (.none, .none), (.stated, .none)]
      as [(Way, Way)])
  func samePicture(way: Way, other: Way) async throws {
    try await walk(along: [Wall("mitte")], way)
    try await walk(along: [Wall("mitte")], other, by: "bob")
    let report = try await report().report
    #expect(report.walks.count == 2 && report.stopCount == 1)
    let found = try found(in: report).filter { !$0.hasPrefix("unconfirmed-place") }
    #expect(found == ["known-picture mitte"])
    #expect(report.sum.confirmed + report.sum.unconfirmed == 3)
  }

  @Test("a code that was met at home on an earlier walk was moved since, or is a copy")
  func acrossWalks() async throws {
    try await walk(along: [Wall("mitte")], .exif, named: "Monday")
    try await walk(along: [Wall("sued", and: ["mitte/bar"])], .exif, named: "Tuesday")
    let report = try await report("Tuesday").report
    #expect(try found(in: report) == ["wrong-place sued mitte/bar"])
    let message = try #require(report.sections.first?.items.first?.finding.message)
    #expect(message.contains("was moved since, or this is a copy: look there first"), "\(message)")
  }

  @Test("a picture without a position that shows codes of two towns says so")
  func twoTowns() async throws {
    try await walk(along: [Wall("sued", and: ["mitte/bar"])], .none)
    let report = try await report().report
    #expect(report.sections.map(\.place?.id) == ["sued"], "it was taken where most of them belong")
    let message = try #require(report.sections.first?.items.first?.finding.message)
    #expect(message.contains("belong to “Fruta sued” and “Fruta mitte”"), "\(message)")
  }

  @Test("a payment code is told when it is read, not only in the report")
  func threatAtOnce() async throws {
    try await walk(along: [Wall("mitte", and: [Self.payment])], .stated)
    let walk = try #require(try registry.walks().first)
    let readings = try #require(try registry.stop(1, of: walk.id)).readings
    #expect(readings.map { $0.findings.count { $0.code == .phishingCode } }.reduce(0, +) == 1)
  }
}

extension WalkReport.Item {
  fileprivate var isCertainlyMissing: Bool {
    finding.severity == .error && finding.code == .missingCode
  }

  /// Whether it says that a code is certainly missing or elsewhere.
  fileprivate var isCertainLoss: Bool {
    finding.severity == .error
      && [.missingCode, .movedCode, .wrongPlace, .copiedCode, .swappedCodes].contains(finding.code)
  }
}

extension String {
  fileprivate var withoutSpaces: String { filter { !$0.isWhitespace && $0 != "\u{AD}" } }
}

extension RegistryStore {
  fileprivate func code(ofSign sign: String) throws -> IssuedCode? {
    try codes().first { $0.payload == "https://fruta.example.com/order/\(sign)" }
  }

  /// Records a print of a sign, such as `mitte/bar`, the day before.
  fileprivate func print(_ sign: String, to output: String, in language: String? = nil) throws {
    let time = Date(timeIntervalSince1970: 1_795_262_400 - 40 * 86_400)
    if let code = try code(ofSign: sign) {
      var details = ["output": output]
      details["language"] = language
      try record(.issued, of: code.id, at: time.addingTimeInterval(60), by: "ada", details: details)
      return
    }
    let made = time.addingTimeInterval(Double(try codes().count))
    try issue(
      [
        IssuedCode(
          id: CodeID(at: made), payload: "https://fruta.example.com/order/\(sign)", carrier: .qr,
          placeID: String(sign.prefix { $0 != "/" }), created: made, registered: true,
          output: output)
      ], by: "ada")
  }
}

/// A JPEG file with the time and the position that a camera writes into it (EXIF 2.32, 4.6).
private struct CameraFile {
  private typealias Field = (tag: Int, type: Int, count: Int, data: [UInt8])

  let bytes: [UInt8]

  init(_ jpeg: [UInt8], taken: Date, at position: (latitude: Double, longitude: Double)?) throws {
    let clock = taken.ISO8601Format().prefix(19).map { $0 == "-" ? ":" : $0 == "T" ? " " : $0 }
    let start = 8 + 2 + 2 * 12 + 4
    let exif = Self.directory(
      [Self.text(0x9003, String(clock)), Self.text(0x9011, "+00:00")], at: start)
    var fields: [Field] = []
    if let position {
      fields = [
        Self.text(1, position.latitude < 0 ? "S" : "N"), Self.angle(2, position.latitude),
        Self.text(3, position.longitude < 0 ? "W" : "E"), Self.angle(4, position.longitude),
        (0x1F, 5, 1, Self.number(5, 4) + Self.number(1, 4)),
      ]
    }
    let places = Self.directory(fields, at: start + exif.count)
    let main = Self.directory(
      [(0x8769, 4, 1, Self.number(start, 4)), (0x8825, 4, 1, Self.number(start + exif.count, 4))],
      at: 8)
    let block =
      Array("Exif\0\0".utf8) + [0x4D, 0x4D, 0, 0x2A] + Self.number(8, 4) + main + exif + places
    bytes =
      Array(jpeg[..<2]) + [0xFF, 0xE1] + Self.number(block.count + 2, 2) + block + Array(jpeg[2...])
  }

  private static func number(_ value: Int, _ count: Int) -> [UInt8] {
    (0..<count).map { UInt8(truncatingIfNeeded: value >> (8 * (count - 1 - $0))) }
  }

  private static func text(_ tag: Int, _ text: String) -> Field {
    (tag, 2, text.utf8.count + 1, Array(text.utf8) + [0])
  }

  private static func angle(_ tag: Int, _ degrees: Double) -> Field {
    let parts = [(Int((degrees.magnitude * 1e6).rounded()), 1_000_000), (0, 1), (0, 1)]
    return (tag, 5, 3, parts.flatMap { number($0.0, 4) + number($0.1, 4) })
  }

  private static func directory(_ fields: [Field], at start: Int) -> [UInt8] {
    var (entries, data) = (number(fields.count, 2), [UInt8]())
    for field in fields {
      entries += number(field.tag, 2) + number(field.type, 2) + number(field.count, 4)
      if field.data.count <= 4 {
        entries += field.data + [UInt8](repeating: 0, count: 4 - field.data.count)
      } else {
        entries += number(start + 2 + fields.count * 12 + 4 + data.count, 4)
        data += field.data
      }
    }
    return entries + number(0, 4) + data
  }
}
