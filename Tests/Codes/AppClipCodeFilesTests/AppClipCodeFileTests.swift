import AppClipCodeFixtures
@testable import AppClipCodeFiles
@testable import AppClipCodes
import CliptagBasics
import Foundation
import TestSupport
import Testing

@Suite("Files of App Clip Codes")
struct AppClipCodeFileTests {
  private let drawn = DrawnAppClipCode("https://fruta.example.com/t/1?a=b&c=d")

  @Test("a file says its URL, its bits, its colours and its badge")
  func facts() throws {
    let code = try drawn.code
    #expect(code.payload == "https://fruta.example.com/t/1?a=b&c=d")
    #expect(code.pattern == drawn.pattern)
    #expect(code.colours.template == 0)
    #expect(code.badge?.kind == .camera)
    #expect(code.badge?.parts.count == 3)
    #expect(code.pattern.gaps.count == 128 && code.pattern.thirds.count == 128)
    #expect(code.pattern.gaps.count { $0 == "0" } == code.pattern.arcs.count)
  }

  @Test(
    "all four designs of Apple's generator are taken: camera and phone, plain and with badge",
    arguments: [AppClipCode.Kind.camera, .nfc], [false, true])
  func designs(kind: AppClipCode.Kind, hasLockup: Bool) throws {
    var plain = DrawnAppClipCode("https://a.example", badge: kind, template: 9)
    let glyph = try plain.code.badge
    plain.hasLockup = hasLockup
    let code = try plain.code
    #expect(code.kind == kind && code.hasLockup == hasLockup)
    #expect(code.logo == (hasLockup ? "badge" : "none"))
    #expect(code.pattern == plain.pattern)
    #expect(code.badge?.lockup.count == (hasLockup ? 10 : 0))
    #expect(code.badge?.parts.count == (kind == .nfc ? 2 : 3))
    // The glyph is in the disc's own coordinates, whatever is around it.
    for (part, other) in zip(code.badge?.parts ?? [], glyph?.parts ?? []) {
      #expect(part.fill == other.fill && part.outline.rounded == other.outline.rounded)
    }
    let stored = try JSONEncoder().encode(code.badge)
    #expect(try JSONDecoder().decode(AppClipCode.Badge.self, from: stored) == code.badge)
    #expect(String(decoding: stored, as: UTF8.self).contains("lockup") == hasLockup)
  }

  @Test("arcs in a path are the curves that they are, and numbers may touch their flags")
  func arcs() throws {
    // Relative, and with flags that touch the next number.
    let path = try #require(
      BadgePath(svg: "M10 10a5 5 0 1010 0a5,5,0,0,0-10,0z", .identity))
    #expect(abs(abs(path.measure.area) - .pi * 25) < 0.1)
    #expect(abs(path.measure.left - 10) < 0.01 && abs(path.measure.right - 20) < 0.01)
    #expect(abs(path.measure.top - 5) < 0.02 && abs(path.measure.bottom - 15) < 0.02)
    #expect(BadgePath(svg: "M0 0a5 5 0 2 0 10 0", .identity) == nil)
    let half = try #require(BadgePath(svg: "M0,0A10,5,90,0,1,10,0", .identity))
    #expect(abs(half.measure.top + 10) < 0.1, "the ellipse is upright: \(half.measure)")
  }

  @Test(
    "an arc of numbers whose products are not finite is not read",
    arguments: [
      "M0 0a1 1 0 0 1 1e-200 0z", "M0 0a1e-200 1e-200 0 0 1 1e-180 0z",
      "M1e308 0a1 1 0 0 1 1e308 0z",
      "M0 0a1e-320 1e308 45 1 1 3 3z",
    ])
  func hugeArcs(path: String) {
    #expect(BadgePath(svg: path, .identity) == nil)
  }

  /// What another program may change without moving anything, and its name in the sentence.
  private static let reexports: [(edit: @Sendable (String) -> String, told: String)] = [
    ({ replaced($0, "<circle ", with: "<circle class=\"disc\" ") }, "the attribute class"),
    ({ replaced($0, "<title>", with: "<desc>Made with a program</desc><title>") }, "<desc>"),
    ({ $0.replacing("#ffffff", with: "#fff") }, "short colours such as #fff"),
    (
      {
        replaced(
          $0.replacing("style=\"fill:#000000\"", with: "class=\"a\""), "<title>",
          with: "<style>.a { fill: #000000 }</style><title>")
      }, "CSS classes"
    ),
    (
      {
        replaced(
          replaced($0, "<title>", with: "<g id=\"all\"><title>"), "</svg>", with: "</g></svg>")
      },
      "a group around the drawing"
    ),
    (
      { replaced($0, "style=\"fill:#000000\"", with: "fill=\"#000000\"") }, "the attribute fill"
    ),
    ({ $0.replacing(#/ data-color="[01]"/#, with: "") }, "no data-color"),
    ({ replaced($0, " id=\"Background\"", with: "") }, "no id “Background”"),
    ({ replaced($0, "<title>App Clip Code</title>", with: "") }, "no title"),
  ]

  @Test("what another program saved is told by what differs, and not called altered")
  func reexported() throws {
    for reexport in Self.reexports {
      let svg = reexport.edit(drawn.svg)
      try #require(svg != drawn.svg, "\(reexport.told)")
      let error = #expect(throws: AppClipCodeError.self) { try AppClipCode(svg: Array(svg.utf8)) }
      #expect(error?.code == .reexported, "\(reexport.told): \(error?.message ?? "")")
      #expect(error?.message.contains(reexport.told) == true, "\(error?.message ?? "")")
      // With a moved arc it is an altered one.
      let altered = svg.replacing("A 271.000800 271.000800", with: "A 275.000800 275.000800")
      let worse = #expect(throws: AppClipCodeError.self) {
        try AppClipCode(svg: Array(altered.utf8))
      }
      #expect(worse?.code == .altered)
    }
  }

  @Test("words on the badge, or a badge, that are not Apple's are altered")
  func lockups() throws {
    var drawn = drawn
    drawn.hasLockup = true
    let svg = drawn.svg
    let edits: [(String, String)] = [
      (Self.replaced(svg, "scale(5.5512 5.5512)", with: "scale(5.4 5.4)"), "the badge is not in"),
      (
        Self.replaced(
          svg, "<g id=\"Text\" style=\"fill:#ffffff\">",
          with: "<g id=\"Text\" style=\"fill:#000000\">"), "another colour"
      ),
      (
        svg.replacing(#/ *<path d="[^"]*"\/>\n/#, with: "", maxReplacements: 1),
        "the words on the badge"
      ),
      (
        Self.replaced(svg, "translate(-0.99 -3.8)", with: "translate(-3.99 -3.8)"),
        "the disc is not"
      ),
      (Self.replaced(svg, "-50 -50 900 1100", with: "0 0 800 800"), "must have a disc"),
      (svg.replacing("translate(-0.99 -3.8)", with: "translate(0 0)"), "the disc is not"),
    ]
    for (text, told) in edits {
      try #require(text != svg, "\(told)")
      let error = #expect(throws: AppClipCodeError.self) { try AppClipCode(svg: Array(text.utf8)) }
      #expect(error?.code == .altered)
      #expect(error?.message.contains(told) == true, "\(error?.message ?? "")")
    }
  }

  @Test("all of Apple's pairs of colours are taken", arguments: 0..<18)
  func templates(template: Int) throws {
    let code = try DrawnAppClipCode("https://a.example", template: template).code
    #expect(code.colours.template == template)
  }

  @Test("random patterns come back bit by bit")
  func roundTrip() throws {
    var generator = SeededGenerator(seed: 21)
    var drawn = drawn
    for _ in 0..<50 {
      drawn.pattern = DrawnAppClipCode.randomPattern(using: &generator)
      #expect(try drawn.code.pattern == drawn.pattern)
    }
  }

  /// What somebody may do to a file, and what is then told of it.
  private static let alterations:
    [(what: String, edit: @Sendable (String) -> String, told: String)] =
      [
        (
          "an arc's end moved",
          {
            $0.replacing(
              #/d="M [0-9.]+ [0-9.]+ A 177/#, with: "d=\"M 400.000000 577.201600 A 177",
              maxReplacements: 1)
          },
          "matches no position"
        ),
        (
          "an arc taken out",
          { $0.replacing(#/ *<path d="M[^\n]* A 224[^\n]*\n/#, with: "", maxReplacements: 1) },
          "has no arc at its position"
        ),
        (
          "an arc twice",
          {
            $0.replacing(#/ *<path d="M[^\n]* A 224[^\n]*\n/#, maxReplacements: 1) {
              "\($0.output)\($0.output)"
            }
          }, "overlaps another"
        ),
        (
          "an arc of another radius",
          { replaced($0, "A 271.000800 271.000800", with: "A 275.000800 275.000800") },
          "outside its ring"
        ),
        (
          "a thinner arc",
          { replaced($0, "stroke-width:23.500000px", with: "stroke-width:20.000000px") },
          "not drawn as Apple"
        ),
        (
          "an arc of another colour", { replaced($0, "stroke:#ffffff", with: "stroke:#ff0000") },
          "another colour than those like it"
        ),
        (
          "another background", { replaced($0, "fill:#000000", with: "fill:#123456") },
          "none of Apple's pairs"
        ),
        (
          "a third colour of none of the 18 triples", { $0.replacing("#888888", with: "#808080") },
          "third colour is #808080"
        ),
        (
          "a picture put in", { replaced($0, "</svg>", with: "<image href=\"logo.png\"/></svg>") },
          "<image>"
        ),
        (
          "a picture in the badge",
          { replaced($0, "</g>\n</svg>", with: "<image href=\"logo.png\"/></g>\n</svg>") },
          "the glyph has a <image>"
        ),
        (
          "a larger glyph", { replaced($0, "scale(1.874000 1.874000)", with: "scale(1.90 1.90)") },
          "not Apple's camera or phone"
        ),
        (
          "a foreign glyph",
          {
            $0.replacing(#/(<path d=")[^"]*(" style="fill)/#) {
              "\($0.1)M0,0h113.9v113.9h-113.9z\($0.2)"
            }
          },
          "not Apple's camera or phone"
        ),
        (
          "no glyph", { $0.components(separatedBy: "    <g id=\"Logo\"")[0] + "</svg>" },
          "the glyph in the middle is missing"
        ),
        (
          "another title", { replaced($0, "App Clip Code</title>", with: "Our Code</title>") },
          "the title is “Our Code”"
        ),
        (
          "a glyph of another colour",
          { replaced($0, "z\" style=\"fill:#ffffff", with: "z\" style=\"fill:#ff0000") },
          "a colour foreign to the code"
        ),
        (
          "a ring turned", { replaced($0, "rotate(-70 400 400)", with: "rotate(-71 400 400)") },
          "ring 3 is not in its place"
        ),
        (
          "a filter", { replaced($0, "<circle ", with: "<circle filter=\"url(#blur)\" ") },
          "the attribute filter"
        ),
        (
          "an opacity", { replaced($0, "fill:#000000", with: "fill:#000000;opacity:0.5") },
          "opacity"
        ),
        (
          "a moved disc", { replaced($0, "cx=\"400.000000\"", with: "cx=\"401.000000\"") },
          "the disc is not in its place"
        ),
        (
          "an arc round the other way",
          { $0.replacing(#/ 0 0 0 /#, with: " 0 1 0 ", maxReplacements: 1) },
          "has the opposite direction"
        ),
      ]

  private static func replaced(_ text: String, _ part: String, with other: String) -> String {
    text.replacing(part, with: other, maxReplacements: 1)
  }

  @Test("what was done to a file is found and named", arguments: 0..<20)
  func altered(number: Int) throws {
    let alteration = Self.alterations[number]
    let svg = alteration.edit(drawn.svg)
    try #require(svg != drawn.svg, "the edit has an effect: \(alteration.what)")
    let error = #expect(throws: AppClipCodeError.self, "\(alteration.what)") {
      try AppClipCode(svg: Array(svg.utf8))
    }
    #expect(
      error?.message.contains(alteration.told) == true,
      "\(alteration.what): \(error?.message ?? "")")
    #expect(error?.code == .altered || error?.code == .foreignColours)
  }

  @Test(
    "what is no App Clip Code is told so",
    arguments: ["", "<svg/>", "<html/>", "<svg data-design=\"Fingerprint\"/>", "\u{0}"])
  func otherFiles(text: String) {
    let error = #expect(throws: AppClipCodeError.self) {
      try AppClipCode(svg: Array(text.utf8))
    }
    #expect(error?.code == .notAnAppClipCode)
  }

  @Test("colours of somebody's own are taken when told, if they can be kept apart")
  func ownColours() throws {
    var drawn = drawn
    drawn.background = Colour(red: 20, green: 60, blue: 20)
    drawn.foreground = Colour(red: 250, green: 240, blue: 200)
    drawn.third = drawn.background.mixed(with: drawn.foreground, share: 0.5)
    let refusal = #expect(throws: AppClipCodeError.self) { try drawn.code }
    #expect(refusal?.code == .foreignColours)
    let own = AppClipCode.Options(allowsOwnColours: true)
    #expect(try AppClipCode(svg: drawn.bytes, options: own).colours.template == nil)
    drawn.foreground = Colour(red: 60, green: 90, blue: 60)
    let alike = #expect(throws: AppClipCodeError.self) {
      try AppClipCode(svg: drawn.bytes, options: own)
    }
    #expect(alike?.code == .foreignColours)
  }

  @Test("every cut of a file, and every byte of it changed, ends with an error or with a code")
  func torn() throws {
    let bytes = drawn.bytes
    var generator = SeededGenerator(seed: 7)
    for _ in 0..<400 {
      let cut = Int.random(in: 0..<bytes.count - 7, using: &generator)
      #expect(throws: AppClipCodeError.self) { try AppClipCode(svg: Array(bytes[..<cut])) }
      var changed = bytes
      changed[cut] ^= UInt8.random(in: 1...255, using: &generator)
      if let code = try? AppClipCode(svg: changed) { #expect(code.pattern == drawn.pattern) }
    }
  }
}
