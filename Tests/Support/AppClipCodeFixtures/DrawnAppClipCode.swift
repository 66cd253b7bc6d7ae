import AppClipCodeFiles
public import AppClipCodes
public import CliptagBasics
import Foundation

/// An App Clip Code of the structure that Apple's have, drawn for tests, with a glyph and words of our
/// own: frames as large as the parts of Apple's. Its bits are random and carry nothing, so that no
/// phone takes it for one.
public struct DrawnAppClipCode: Sendable {
  /// What the file says that it carries.
  public var payload: String
  /// The bits of its arcs.
  public var pattern: AppClipCodePattern
  /// The colour of its disc.
  public var background: Colour
  /// The colour of the arcs whose bit is 0, and of the glyph.
  public var foreground: Colour
  /// The colour of the other arcs.
  public var third: Colour
  /// The glyph in the middle.
  public var badge: AppClipCode.Kind
  /// Whether the disc lies on a badge with words below it.
  public var hasLockup: Bool

  /// Codes of the same URL have the same bits, as Apple's have.
  public init(
    _ payload: String, badge: AppClipCode.Kind = .camera, lockup: Bool = false, template: Int = 0
  ) {
    self.payload = payload
    self.badge = badge
    hasLockup = lockup
    // FNV-1a: the same bits in every run, on every machine.
    var generator = SeededGenerator(
      seed: payload.utf8.reduce(14_695_981_039_346_656_037) {
        ($0 ^ UInt64($1)) &* 1_099_511_628_211
      })
    pattern = Self.randomPattern(using: &generator)
    (background, foreground, third) = Self.colours(template)
  }

  /// A pattern in which 60 % of the positions begin an arc, as in Apple's codes.
  public static func randomPattern(
    using generator: inout some RandomNumberGenerator
  ) -> AppClipCodePattern {
    while true {
      var continues: UInt128 = 0
      for index in 0..<AppClipCodeRing.positionsOfCode
      where Int.random(in: 0..<5, using: &generator) < 2 {
        continues |= 1 << UInt128(127 - index)
      }
      guard let plain = AppClipCodePattern(continues: continues, third: 0) else { continue }
      var third: UInt128 = 0
      for arc in plain.arcs where Bool.random(using: &generator) {
        let ring = AppClipCodeRing.all[arc.ring]
        for step in 0..<arc.length {
          third |= 1 << UInt128(127 - ring.first - (arc.start + step) % ring.positions)
        }
      }
      if let pattern = AppClipCodePattern(continues: continues, third: third) { return pattern }
    }
  }

  /// The same code with other bits at some positions, as a code of a similar address has them: the
  /// arcs that begin anew take the colour that was there.
  ///
  /// - Returns: `nil` if a ring would have no beginning of an arc.
  public func sibling(differingIn positions: some Sequence<Int>) -> DrawnAppClipCode? {
    let bits = positions.reduce(UInt128(0)) { $0 | 1 << UInt128(127 - $1) }
    guard let plain = AppClipCodePattern(continues: pattern.continues ^ bits, third: 0) else {
      return nil
    }
    var third: UInt128 = 0
    for arc in plain.arcs {
      let ring = AppClipCodeRing.all[arc.ring]
      guard pattern.hasThirdColour(at: ring.first + arc.start) else { continue }
      for step in 0..<arc.length {
        third |= 1 << UInt128(127 - ring.first - (arc.start + step) % ring.positions)
      }
    }
    var sibling = self
    sibling.payload += "?sibling"
    guard let pattern = AppClipCodePattern(continues: plain.continues, third: third) else {
      return nil
    }
    sibling.pattern = pattern
    return sibling
  }

  /// The three colours of one of Apple's templates.
  public static func colours(_ template: Int) -> (Colour, Colour, Colour) {
    let colour = AppClipCodeColours.palette[template / 2]
    let third = AppClipCodeColours.thirds[template / 2]
    return template.isMultiple(of: 2) ? (colour, .white, third) : (.white, colour, third)
  }

  /// The file.
  public var svg: String {
    var lines = [
      #"<?xml version="1.0" encoding="utf-8"?>"#,
      #"<svg data-design="Fingerprint" data-payload="\#(escaped(payload))" "#
        + #"viewBox="\#(hasLockup ? "-50 -50 900 1100" : "0 0 800 800")" "#
        + #"xmlns="http://www.w3.org/2000/svg">"#,
      "    <title>App Clip Code</title>",
    ]
    if hasLockup { lines += lockup }
    let place = hasLockup ? #" transform="translate(-0.99 -3.8)""# : ""
    lines += [
      #"    <circle cx="400.000000" cy="400.000000" id="Background" r="400.000000" "#
        + #"style="fill:\#(background.hexadecimal)"\#(place)/>"#,
      #"    <g id="Markers"\#(place)>"#,
    ]
    for (number, ring) in AppClipCodeRing.all.enumerated() {
      lines.append(
        #"        <g name="ring-\#(number + 1)" transform="rotate(\#(Int(ring.rotation)) 400 400)">"#
      )
      for arc in pattern.arcs where arc.ring == number { lines.append(path(of: arc, in: ring)) }
      lines.append("        </g>")
    }
    lines.append("    </g>")
    lines += glyph
    lines.append("</svg>")
    return lines.joined(separator: "\n")
  }

  /// The bytes of ``svg``.
  public var bytes: [UInt8] { Array(svg.utf8) }

  /// The file as it is read.
  public var code: AppClipCode {
    get throws { try AppClipCode(svg: bytes) }
  }

  private func path(of arc: AppClipCodeArc, in ring: AppClipCodeRing) -> String {
    func point(_ degrees: Double) -> String {
      let angle = degrees * .pi / 180
      return String(
        format: "%.6f %.6f", 400 + ring.radius * cos(angle), 400 + ring.radius * sin(angle))
    }
    let begin = Double(arc.start) * ring.step + ring.gap
    let end = Double(arc.start + arc.length) * ring.step - ring.gap
    let colour = arc.hasThirdColour ? third : foreground
    return #"            <path d="M \#(point(end)) A "#
      + String(format: "%.6f %.6f", ring.radius, ring.radius)
      + #" 0 \#(end - begin > 180 ? 1 : 0) 0 \#(point(begin))" "#
      + #"data-color="\#(arc.hasThirdColour ? 1 : 0)" style="fill:none;"#
      + #"stroke:\#(colour.hexadecimal);stroke-linecap:round;stroke-miterlimit:10;"#
      + #"stroke-width:23.500000px"/>"#
  }

  /// The glyph: a frame for each part, in the scale that Apple's files have.
  private var glyph: [String] {
    let scale = badge == .nfc ? 1.98 : 1.874
    let x = (badge == .nfc ? 293.2384 : 293.275699) - (hasLockup ? 0.99 : 0)
    let y = (badge == .nfc ? 293.2384 : 293.275699) - (hasLockup ? 3.8 : 0)
    let artwork = AppClipCodeArtwork.glyph(badge)
    let moved = hasLockup ? (x: -0.99, y: -3.8) : (x: 0, y: 0)
    var lines = [
      #"    <g id="Logo" data-logo-type="\#(badge == .nfc ? "phone" : "Camera")" "#
        + String(format: "transform=\"translate(%.6f %.6f) scale(%.6f %.6f)\">", x, y, scale, scale)
    ]
    for (index, part) in artwork.parts.enumerated() {
      let isScreen = badge == .nfc && index == 1
      let outline = Self.frame(part, (x - moved.x, y - moved.y), scale)
      let id = badge == .nfc ? #"id="\#(isScreen ? "phone_screen" : "outer_circle")" "# : ""
      lines.append(
        #"        <path \#(id)d="\#(outline)" style="fill:"#
          + (isScreen ? third : foreground).hexadecimal
          + (isScreen ? ";isolation:isolate" : "") + #""/>"#)
    }
    return lines + ["    </g>"]
  }

  /// The badge of the disc's colour, and words of the arcs' colour in two groups.
  private var lockup: [String] {
    let (corner, scale) = ((-24.15, -26.94), 5.5512)
    let words = AppClipCodeArtwork.words.parts.map {
      #"                <path d="\#(Self.frame($0, corner, scale))"/>"#
    }
    let badge = AppClipCodeArtwork.badge.parts.map { Self.frame($0, corner, scale) }
    return [
      #"    <g id="Lockup" transform="translate(-24.15 -26.94) scale(5.5512 5.5512)">"#,
      #"        <path id="Badge" d="\#(badge[0])" style="fill:\#(background.hexadecimal)"/>"#,
      #"        <g id="Text" style="fill:\#(foreground.hexadecimal)">"#, "            <g>",
    ] + words[..<7] + ["            </g>", "            <g>"] + words[7...] + [
      "            </g>", "        </g>", "    </g>",
    ]
  }

  /// A frame of the size and the area of a part: a rectangle with a hole in its middle.
  private static func frame(
    _ part: AppClipCodeArtwork.Part, _ corner: (x: Double, y: Double), _ scale: Double
  ) -> String {
    func number(_ value: Double) -> String { String(format: "%.4f", value / scale) }
    func side(_ values: [Double]) -> [String] {
      [number(values[0] - corner.x), number(values[1] - corner.y)] + values[2...].map(number)
    }
    let (width, height) = (part.right - part.left, part.bottom - part.top)
    let outer = side([part.left, part.top, width, height, width])
    var path = "M\(outer[0]),\(outer[1])h\(outer[2])v\(outer[3])h-\(outer[4])z"
    let hole = (max(0, 1 - part.area / (width * height))).squareRoot()
    guard hole > 0.05 else { return path }
    let inner = side([
      part.left + width * (1 - hole) / 2, part.top + height * (1 - hole) / 2, height * hole,
      width * hole, height * hole,
    ])
    path += "M\(inner[0]),\(inner[1])v\(inner[2])h\(inner[3])v-\(inner[4])z"
    return path
  }

  private func escaped(_ text: String) -> String {
    text.replacing("&", with: "&amp;").replacing("\"", with: "&quot;").replacing("<", with: "&lt;")
  }
}
