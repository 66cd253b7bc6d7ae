import AppClipCodeFixtures
import AppClipCodes
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
    #expect(code.badge?.parts.count == 1)
  }

  @Test(
    "a code may come without a badge, or with that of a tag",
    arguments: [nil, AppClipCode.Kind.nfc])
  func badges(kind: AppClipCode.Kind?) throws {
    #expect(try DrawnAppClipCode("https://a.example", badge: kind).code.badge?.kind == kind)
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
          "a third colour from elsewhere", { $0.replacing("#808080", with: "#30a030") },
          "was not derived"
        ),
        (
          "a picture put in", { replaced($0, "</svg>", with: "<image href=\"logo.png\"/></svg>") },
          "<image>"
        ),
        (
          "a picture in the badge",
          { replaced($0, "</g>\n</svg>", with: "<image href=\"logo.png\"/></g>\n</svg>") },
          "the badge has a <image>"
        ),
        (
          "a badge over the rings", { replaced($0, "M20,20h73.9v73.9", with: "M-90,20h290v73.9") },
          "reaches into the rings"
        ),
        (
          "a badge of another colour",
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

  @Test("what was done to a file is found and named", arguments: 0..<17)
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
