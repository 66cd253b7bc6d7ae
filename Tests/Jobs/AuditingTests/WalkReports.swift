import CodeDrawing
import Foundation
import Invocation
import Pictures
import Registry

@testable import Auditing

/// Made-up walks for the tests of reports.
enum WalkReports {
  static let start = Date(timeIntervalSince1970: 1_794_000_000)
  static let walk = Walk(name: "Autumn", who: "Ada", started: start, recorder: Recorder())

  static func coordinate(_ latitude: Double, _ longitude: Double) -> Coordinate {
    Coordinate(latitude: latitude, longitude: longitude)!
  }

  static func fix(_ latitude: Double, _ longitude: Double, accuracy: Double = 5) -> LocationFix {
    LocationFix(coordinate: coordinate(latitude, longitude), accuracy: accuracy)!
  }

  static func place(
    _ id: String, _ name: String? = nil, at centre: Coordinate = coordinate(37.3318, -122.0312),
    radius: Double = 100
  ) -> Place {
    Place(
      id: id, name: name ?? id,
      region: .circle(Region.Circle(centre: centre, radius: radius)!))
  }

  static func code(_ payload: String, carrier: IssuedCode.Carrier = .qr) -> IssuedCode {
    IssuedCode(
      id: CodeID(at: start), payload: payload, carrier: carrier, placeID: nil, created: start,
      registered: true)
  }

  static func reading(
    _ payload: String = "https://fruta.example.com/order", corners: [[Double]] = [],
    verdict: Verdict = .rejected, findings: [Finding] = []
  ) -> WalkReading {
    WalkReading(
      carrier: .qr, payload: payload, corners: corners, verdict: verdict, state: .ok,
      findings: findings)
  }

  static func stop(
    _ number: Int, of walk: Walk = walk, kind: WalkStop.Kind = .picture, source: String = "a.jpg",
    digest: EntryHash? = nil, fix: LocationFix? = nil, note: String? = nil,
    readings: [WalkReading] = [reading()]
  ) -> WalkStop {
    WalkStop(
      walk: walk.id, number: number, time: start.addingTimeInterval(Double(number) * 60),
      kind: kind, source: source, digest: digest, fix: fix, note: note, readings: readings)
  }

  static func item(
    _ code: Finding.Code = .wornPrint, _ severity: Finding.Severity = .warning,
    _ message: String = "The print is poor.", stop: WalkStop? = nil, reading: Int? = nil,
    code issued: IssuedCode? = nil
  ) -> WalkReport.Item {
    .init(Finding(code, severity, message), stop: stop, reading: reading, code: issued)
  }

  static func section(
    _ place: Place?, expected: Int = 0, seen: Int = 0, missing: [IssuedCode] = [],
    items: [WalkReport.Item] = []
  ) -> WalkReport.PlaceSection {
    .init(
      place: place, expected: expected, seen: seen, stops: 1, missing: missing, items: items)
  }

  static func report(
    title: String = "Autumn", walks: [Walk] = [walk], stops: Int = 1,
    period: ClosedRange<Date>? = start...start, sections: [WalkReport.PlaceSection] = [],
    unvisited: [Place] = [], points: [WalkReport.Point] = [], timeZone: TimeZone = .gmt
  ) -> WalkReport {
    WalkReport(
      title: title, walks: walks, place: nil, made: start, timeZone: timeZone, stopCount: stops,
      readingCount: stops, codeCount: stops, period: period, sections: sections,
      unvisited: unvisited, points: points, superseded: [:], scope: nil)
  }

  static func points(_ fixes: [LocationFix], severity: Finding.Severity? = nil)
    -> [WalkReport.Point]
  {
    fixes.enumerated().map {
      WalkReport.Point(fix: $1, severity: severity, walk: walk.id, number: $0 + 1)
    }
  }

  /// Returns stops and pictures as the only material.
  static func material(
    _ stops: [WalkStop] = [], picture: WalkPicture? = nil
  ) -> WalkMaterial {
    WalkMaterial(
      picture: { _, _ in picture },
      forEachStop: { walk, body in for stop in stops where stop.walk == walk { try body(stop) } })
  }

  /// Returns a grey picture that is marked as reduced by half.
  static func picture(width: Int = 64, height: Int = 48) throws -> WalkPicture {
    let grey = GreyPicture(
      width: width, height: height, pixels: [UInt8](repeating: 150, count: width * height))
    return WalkPicture(
      jpeg: try JPEGWriter.colour(ColourPicture(grey)), width: width, height: height,
      originalWidth: 2 * width, originalHeight: 2 * height)
  }

  static func html(_ report: WalkReport, _ material: WalkMaterial = material()) throws -> String {
    String(
      decoding: try WalkPage(report, material: material).write(to: MemorySink()).bytes,
      as: UTF8.self)
  }

  static func pdf(
    _ report: WalkReport, _ material: WalkMaterial = material(), on paper: String = "A4"
  ) async throws -> [UInt8] {
    try await WalkPage(report, material: material).pdf(on: PaperSize(paper), creationTime: 0)
  }

  /// Texts that attempt injection.
  static let hostile = [
    "<script>alert(1)</script>", "\"><img src=x onerror=alert(1)>", "]]>&amp;&#0;",
    "\u{202E}evil\u{2066}", "\u{0}\u{1B}[31m\u{85}\r\n", "</style></title></svg>",
    "(\\)) Tj ET", String(repeating: "x", count: 100_000),
    "e" + String(repeating: "\u{301}", count: 50_000),
    "👩‍👩‍👧 🍓 \u{10FFFD}\u{FFFE}",
  ]

  /// Returns a report with everything that it may hold, with the same foreign text in every field.
  static func full(_ text: String) throws -> (report: WalkReport, material: WalkMaterial) {
    let walk = Walk(name: text, who: text, started: start, recorder: Recorder())
    let fix = LocationFix(
      coordinate: coordinate(37.3318, -122.0312), accuracy: 1e300,
      origin: PositionOrigin(kind: .given, name: text, note: text))!
    let corners = [[10.0, 10], [50, 12], [48, 52], [-1e300, .nan], [9, 50]]
    let finding = Finding(Finding.Code(rawValue: text), .error, text)
    let stop = WalkStop(
      walk: walk.id, number: 1, time: start, kind: .picture, source: text, page: 2,
      digest: EntryHash([UInt8](repeating: 7, count: 32)), sign: text, fix: fix, statedPlace: text,
      note: text, unreadCount: 2,
      readings: [
        WalkReading(
          carrier: .nfc, payload: text, uid: text, tagType: text, corners: corners,
          verdict: .rejected, state: .malformed, distance: .infinity, findings: [finding])
      ])
    let home = place("a", text)
    let issued = code(text)
    let other = Walk(name: text, who: text, started: start, recorder: Recorder())
    let whole = report(
      title: text, walks: [walk, other],
      sections: [
        section(
          home, expected: 2, seen: 1, missing: [issued],
          items: [
            .init(finding, stop: stop, reading: 0, code: issued), .init(finding, stop: stop),
            .init(finding, stop: stop, reading: 99), .init(finding, code: issued),
          ])
      ],
      unvisited: [place("b", text)],
      points: [.init(fix: fix, severity: .error, walk: walk.id, number: 1)])
    return (whole, material([stop], picture: try picture()))
  }
}
