public import AppClipCodes
public import CliptagBasics
import Foundation

/// An App Clip Code of the structure that Apple's have, drawn for tests, with a badge of our own: a
/// plain square. Its bits are random and carry nothing, so that no phone takes it for one.
public struct DrawnAppClipCode: Sendable {
  /// What the file says that it carries.
  public var payload: String
  /// The bits of its arcs.
  public var pattern: AppClipCodePattern
  /// The colour of its disc.
  public var background: Colour
  /// The colour of the arcs whose bit is 0, and of the badge.
  public var foreground: Colour
  /// The colour of the other arcs.
  public var third: Colour
  /// Nothing is drawn in the middle without one.
  public var badge: AppClipCode.Kind?

  /// Codes of the same URL have the same bits, as Apple's have.
  public init(
    _ payload: String, badge: AppClipCode.Kind? = .camera, template: Int = 0
  ) {
    self.payload = payload
    self.badge = badge
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

  /// Apple's pairs with a third colour half way between.
  public static func colours(_ template: Int) -> (Colour, Colour, Colour) {
    let colour = AppClipCodeColours.palette[template / 2]
    let third = colour.mixed(with: .white, share: 0.5)
    return template.isMultiple(of: 2) ? (colour, .white, third) : (.white, colour, third)
  }

  /// The file.
  public var svg: String {
    var lines = [
      #"<?xml version="1.0" encoding="utf-8"?>"#,
      #"<svg data-design="Fingerprint" data-payload="\#(escaped(payload))" viewBox="0 0 800 800" "#
        + #"xmlns="http://www.w3.org/2000/svg">"#,
      "    <title>App Clip Code</title>",
      #"    <circle cx="400.000000" cy="400.000000" id="Background" r="400.000000" "#
        + #"style="fill:\#(background.hexadecimal)"/>"#,
      #"    <g id="Markers">"#,
    ]
    for (number, ring) in AppClipCodeRing.all.enumerated() {
      lines.append(
        #"        <g name="ring-\#(number + 1)" transform="rotate(\#(Int(ring.rotation)) 400 400)">"#
      )
      for arc in pattern.arcs where arc.ring == number { lines.append(path(of: arc, in: ring)) }
      lines.append("        </g>")
    }
    lines.append("    </g>")
    if let badge {
      lines.append(
        #"    <g id="Logo" data-logo-type="\#(badge == .camera ? "Camera" : "Phone")" "#
          + #"transform="translate(293.275699 293.275699) scale(1.874000 1.874000)">"#)
      lines.append(
        #"        <path d="M20,20h73.9v73.9h-73.9z M40,40c5,0,5,10,10,10s5-10,10-10z" "#
          + #"style="fill:\#(foreground.hexadecimal)"/>"#)
      lines.append("    </g>")
    }
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

  private func escaped(_ text: String) -> String {
    text.replacing("&", with: "&amp;").replacing("\"", with: "&quot;").replacing("<", with: "&lt;")
  }
}
