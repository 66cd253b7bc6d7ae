import CliptagBasics
import CodeDrawing
import Foundation
import Invocation
import Registry
import Testing

@testable import Auditing

@Suite("Reports of walks as web pages")
struct WalkPageTests {
  private typealias Make = WalkReports

  /// Returns the tags of a page: name, whether it closes, its attributes.
  private func tags(_ html: String) -> [(name: String, isEnd: Bool, attributes: String)] {
    html.matches(of: /<(\/?)([a-zA-Z][a-zA-Z0-9]*)((?:[^>"]|"[^"]*")*)>/).map {
      (String($0.2), !$0.1.isEmpty, String($0.3))
    }
  }

  /// Checks that every element that is begun is ended, in order; HTML has some without an end.
  private func checkNesting(_ html: String) {
    let void: Set = ["meta", "img", "br", "wbr", "input"]
    var open: [String] = []
    for tag in tags(html) where !void.contains(tag.name) && !tag.attributes.hasSuffix("/") {
      if tag.isEnd {
        #expect(open.popLast() == tag.name)
      } else {
        open.append(tag.name)
      }
    }
    #expect(open.isEmpty)
  }

  /// Checks that every link leads to one place on the page, and that no resource is fetched.
  private func checkLinks(_ html: String) {
    let ids = html.matches(of: /[ ]id="([^"]*)"/).map { String($0.1) }
    #expect(Set(ids).count == ids.count)
    for link in html.matches(of: /href="([^"]{0,200})/) {
      #expect(link.1.hasPrefix("#") && ids.contains(String(link.1.dropFirst())), "\(link.1)")
    }
    for address in html.matches(of: /url\((.{0,30})/) {
      #expect(address.1.hasPrefix("data:image/jpeg;base64,"))
    }
    let names = Set(tags(html).map(\.name))
    #expect(
      names.isDisjoint(with: [
        "script", "iframe", "object", "link", "base", "form", "img", "image", "use",
      ]))
    #expect(
      !tags(html).contains {
        $0.attributes.replacing(/"[^"]*"/, with: "\"\"").contains(/\son[a-z]+\s*=/)
      })
    #expect(!html.contains("@import"))
  }

  @Test(
    "whatever texts hold, the page shows them as text, is well formed and loads nothing",
    arguments: WalkReports.hostile)
  func hostile(text: String) throws {
    let (report, material) = try Make.full(text)
    let html = try Make.html(report, material)
    checkNesting(html)
    checkLinks(html)
    // Nothing turns the direction of writing, and no control character is left.
    let forbidden = html.unicodeScalars.contains { scalar in
      switch scalar.properties.generalCategory {
      case .control: scalar != "\n"
      case .format: scalar != "\u{200D}" && scalar != "\u{200C}"
      default: false
      }
    }
    #expect(!forbidden)
    #expect(html.utf8.count < 150_000)
    let shown = text.unicodeScalars.prefix(20).filter {
      $0.isASCII && $0.value > 32 && $0 != "\u{7F}"
    }
    if shown.count == 20 {
      #expect(html.contains(xmlEscaped(String(String.UnicodeScalarView(shown)))))
    }
  }

  @Test("a walk without any stop is a page, too, and says so")
  func empty() throws {
    let html = try Make.html(Make.report(walks: [], stops: 0, period: nil))
    checkNesting(html)
    checkLinks(html)
    #expect(html.contains("Nothing was read."))
    #expect(!html.contains("id=\"map\"") && !html.contains("id=\"pictures\""))
  }

  @Test("the answer comes first, then what to do, the map, places, pictures and all stops")
  func order() throws {
    let (report, material) = try Make.full("Fruta")
    let html = try Make.html(report, material)
    let parts = [
      "class=\"answer", "id=\"todo\"", "id=\"map\"", "id=\"places\"", "id=\"pictures\"",
      "id=\"unvisited\"", "id=\"stops\"",
    ]
    let places = try parts.map { try #require(html.range(of: $0)).lowerBound }
    #expect(places == places.sorted())
  }

  @Test("two hundred stops are open, two thousand are folded away, and all are there")
  func manyStops() throws {
    for (count, isOpen) in [(200, true), (2_000, false)] {
      let stops = (1...count).map { Make.stop($0, kind: .tag) }
      let html = try Make.html(Make.report(stops: count), Make.material(stops))
      #expect(html.contains("<details open>") == isOpen)
      #expect(html.matches(of: /<tr role="row" id="stop-1-/).count == count)
      checkNesting(html)
    }
  }

  @Test("a picture that two places and two walks share is shown once, with all that was found")
  func onePicture() throws {
    let digest = try #require(EntryHash([UInt8](repeating: 9, count: 32)))
    let other = Walk(name: "Autumn", who: "Ben", started: Make.start, recorder: Recorder())
    let readings = [Make.reading("https://a.example/1"), Make.reading("https://a.example/2")]
    let first = Make.stop(4, digest: digest, readings: readings)
    let second = Make.stop(1, of: other, digest: digest, readings: readings)
    let report = Make.report(
      walks: [Make.walk, other],
      sections: [
        Make.section(Make.place("a"), items: [Make.item(stop: first, reading: 0)]),
        Make.section(Make.place("b"), items: [Make.item(stop: second, reading: 1)]),
      ])
    var asked: [Int] = []
    let picture = try Make.picture()
    let material = WalkMaterial(
      picture: { _, stop in
        asked.append(stop)
        return picture
      }, forEachStop: { walk, body in try body(walk == other.id ? second : first) })
    let html = try Make.html(report, material)
    #expect(asked == [4])
    #expect(html.ranges(of: "background-image:").count == 1)
    #expect(!html.contains("<polygon class=\"edge"))
    for number in 1...2 { #expect(html.contains("<b class=\"number\">\(number)</b>")) }
    checkLinks(html)
  }

  @Test("codes of one picture with the same finding share one line of its legend")
  func legend() throws {
    let readings = (0..<3).map { Make.reading("https://fruta.example.com/order/\($0)") }
    let stop = Make.stop(1, readings: readings)
    let items = (0..<3).map {
      Make.item($0 == 1 ? .wornPrint : .wrongPlace, .error, stop: stop, reading: $0)
    }
    let report = Make.report(sections: [Make.section(Make.place("a"), items: items)])
    let outline = ReportOutline(of: report)
    let rows = outline.legend(of: try #require(outline.exhibits.first)).rows
    #expect(rows.map(\.numbers) == [[1, 3], [2]])
  }

  @Test("a code is marked on the small copy where it is in the picture")
  func marks() throws {
    let corners = [[20.0, 20], [60, 20], [60, 60], [20, 60]]
    let stop = Make.stop(1, readings: [Make.reading(corners: corners)])
    let report = Make.report(
      sections: [
        Make.section(nil, items: [Make.item(.retiredCode, .error, stop: stop, reading: 0)])
      ])
    let html = try Make.html(report, Make.material([stop], picture: try Make.picture()))
    // The copy has half the pixels of the picture.
    #expect(
      html.contains("class=\"edge\" points=\"10,10 30,10 30,30 10,30\" stroke=\"#b3260a\""))
    #expect(html.contains("aria-label=\"Photograph with 1 code, 1 of them with findings\""))
  }

  @Test("what hangs wrong stands beside what to do, with the part of the picture that shows it")
  func details() throws {
    let corners = [[20.0, 20], [40, 20], [40, 40], [20, 40]]
    let stop = Make.stop(
      1, readings: [Make.reading("https://a.example/1", corners: corners)])
    let missing = Make.code("https://a.example/2")
    let report = Make.report(
      sections: [
        Make.section(
          Make.place("a", "Fruta"), expected: 2, missing: [missing],
          items: [
            .init(
              Finding(.missingCode, .error, "Look for https://a.example/2."), code: missing,
              remark: "Made on Tuesday, never met since."),
            Make.item(.outsideRegion, .error, "Far away.", stop: stop, reading: 0),
            .init(
              Finding(.wrongPlace, .error, "It is at the wrong place."), stop: stop, reading: 0,
              remark: "Belongs to Fruta b."),
          ])
      ])
    let html = try Make.html(report, Make.material([stop], picture: try Make.picture()))
    checkNesting(html)
    checkLinks(html)
    let todo = try #require(html.range(of: "id=\"todo\"")).lowerBound
    let first = html[todo..<(try #require(html.range(of: "class=\"contents\"")).lowerBound)]
    // A code at the wrong place comes before a missing one, and has a picture.
    let order = [
      "At the wrong place", "<svg class=\"detail shot-1\"", "Belongs to Fruta b.", "Missing",
    ]
    let places = try order.map { try #require(first.range(of: $0), "\($0)").lowerBound }
    #expect(places == places.sorted())
    // The copy has half the pixels: the code is 10 wide there, and has as much around it.
    #expect(first.contains("viewBox=\"4 4 22 22\""), "\(first)")
    // Of 64 by 48 pixels, 22 are shown: 290.9 % of the width, 4 of the 42 pixels that are left over.
    #expect(
      first.contains("background-size:290.9% 218.2%;background-position:9.5% 15.4%"), "\(first)")
    #expect(first.ranges(of: "type=\"checkbox\"").count == 2)
    // Each is reported once: the code, its place, and the action.
    for words in [
      "a.example/<wbr>1", "a.example/<wbr>2", "Belongs to Fruta b.", "Take it down here",
      "Look for it there", "never met since",
    ] {
      #expect(first.ranges(of: words).count == 1, "\(words)")
    }
    #expect(!first.contains("Far away."), "it is elsewhere anyway")
  }

  @Test("several places are named at the top, the worst first, each with a page to take along")
  func severalPlaces() throws {
    let report = Make.report(
      sections: ["a", "b"].map { name in
        Make.section(
          Make.place(name, "Fruta \(name)"),
          items: [Make.item(.retiredCode, .error, stop: Make.stop(1))]
        )
      })
    let html = try Make.html(report, Make.material([Make.stop(1)]))
    let top = try #require(html.range(of: "id=\"todo\"")).lowerBound
    #expect(html[..<top].contains("href=\"#place-2\""))
    #expect(html[..<top].contains("<bdi>Fruta b</bdi> <b>1 other wrong</b>"))
    #expect(html.contains("<article class=\"place\" id=\"place-2\">"))
    #expect(html.ranges(of: "class=\"handout\"").count == 2)
    checkLinks(html)
  }

  @Test("without a copy, or with one that is no JPEG, the page says so")
  func noPicture() throws {
    let stop = Make.stop(1)
    let report = Make.report(
      sections: [Make.section(nil, items: [Make.item(stop: stop, reading: 0)])])
    let odd = WalkPicture(
      jpeg: Array("<svg onload=alert(1)>".utf8), width: 4, height: 4, originalWidth: 4,
      originalHeight: 4)
    for picture in [nil, odd] {
      let html = try Make.html(report, Make.material([stop], picture: picture))
      #expect(html.contains("No copy of this picture was kept."))
      #expect(!html.contains("background-image"))
    }
  }

  @Test("pictures go out before the next is asked for")
  func streaming() throws {
    struct CountingSink: ByteSink {
      let counter: Counter
      mutating func write(_ bytes: [UInt8]) throws(Never) { counter.bytes += bytes.count }
    }
    final class Counter { var bytes = 0 }
    let counter = Counter()
    let picture = try Make.picture(width: 400, height: 400)
    let stops = (1...20).map { Make.stop($0) }
    let report = Make.report(sections: [
      Make.section(nil, items: stops.map { Make.item(stop: $0, reading: 0) })
    ])
    var seen: [Int] = []
    let material = WalkMaterial(
      picture: { _, _ in
        seen.append(counter.bytes)
        return picture
      }, forEachStop: { _, body in for stop in stops { try body(stop) } })
    _ = try WalkPage(report, material: material).write(to: CountingSink(counter: counter))
    #expect(seen.count == 20)
    for (one, next) in zip(seen, seen.dropFirst()) { #expect(next - one > picture.jpeg.count) }
  }

  @Test("a name that is read from right to left turns nothing around it")
  func rightToLeft() throws {
    let report = Make.report(sections: [
      Make.section(Make.place("a", "פרוטה"), items: [Make.item()])
    ])
    #expect(try Make.html(report).contains("<bdi>פרוטה</bdi>"))
    let sentence = Make.item(.wornPrint, .warning, "Read at مقهى القاهرة, 12 m away.")
    let section = Make.section(Make.place("a"), items: [sentence])
    #expect(
      try Make.html(Make.report(sections: [section]))
        .contains("<p>Read at <bdi>مقهى القاهرة</bdi>, 12 m away.</p>"))
  }

  @Test("words have enough contrast on their ground, in light and in dark")
  func contrast() throws {
    let style = WalkPage.style
    let dark = try #require(style.range(of: "prefers-color-scheme: dark"))
    func colours(_ text: Substring) -> [String: Colour] {
      var colours: [String: Colour] = [:]
      for match in text.matches(of: /--([a-z-]+): #([0-9a-f]{3,6})[; ]/) {
        let digits = match.2.count == 3 ? match.2.map { "\($0)\($0)" }.joined() : String(match.2)
        colours[String(match.1)] = colours[String(match.1)] ?? Colour(digits)
      }
      return colours
    }
    let light = colours(style[..<dark.lowerBound])
    let night = light.merging(colours(style[dark.upperBound...])) { $1 }
    for scheme in [light, night] {
      for (words, ground) in [
        ("ink", "page"), ("ink", "card"), ("soft", "page"), ("soft", "card"), ("link", "page"),
        ("link", "card"), ("error", "card"), ("warning", "card"), ("fine", "card"),
        ("ink", "error-ground"), ("ink", "warning-ground"), ("ink", "fine-ground"),
        ("area-name", "area"), ("area-name", "map"), ("soft", "card"),
      ] {
        let one = luminance(try #require(scheme[words]))
        let other = luminance(try #require(scheme[ground]))
        #expect((max(one, other) + 0.05) / (min(one, other) + 0.05) >= 4.5, "\(words) on \(ground)")
      }
    }
  }

  private func luminance(_ colour: Colour) -> Double {
    func linear(_ channel: UInt8) -> Double {
      let value = Double(channel) / 255
      return value <= 0.040_45 ? value / 12.92 : pow((value + 0.055) / 1.055, 2.4)
    }
    return 0.2126 * linear(colour.red) + 0.7152 * linear(colour.green)
      + 0.0722 * linear(colour.blue)
  }
}
