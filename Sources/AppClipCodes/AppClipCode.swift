import Foundation
import CliptagBasics
import Markup

/// An App Clip Code, as a file from App Store Connect or Apple's generator contains it.
///
/// Codes are never generated here: Apple's guidelines allow only unaltered codes made by its tools.
/// A file is therefore parsed strictly, and each arc is compared with the five rings, so that parts
/// that were moved, added or recoloured afterwards are found.
public struct AppClipCode: Hashable, Sendable {
  /// The invocation URL of the code, as the file gives it in plain text.
  public let payload: String
  /// The bits of the arcs.
  public let pattern: AppClipCodePattern
  /// The three colours.
  public let colours: AppClipCodeColours
  /// The badge in the middle; `nil` if the code was made without one.
  public let badge: Badge?
  /// The intended use, according to the badge; a code without a badge is scanned.
  public var kind: Kind { badge?.kind ?? .camera }

  /// The intended use of a code.
  public enum Kind: String, Hashable, Sendable, Codable, CaseIterable {
    /// Scanned with the camera only.
    case camera = "cam"
    /// Held against a phone, which reads the tag in its middle, or scanned.
    case nfc
  }

  /// The badge in the middle of a code.
  public struct Badge: Hashable, Sendable, Codable {
    /// The use that the badge indicates.
    public let kind: Kind
    /// The parts in drawing order.
    public let parts: [Part]

    /// An outline and its fill.
    public struct Part: Hashable, Sendable, Codable {
      /// The outline, in units of the drawing.
      public let outline: BadgePath
      /// The colour of the code that fills the outline: all codes with the same badge have the same
      /// parts.
      public let fill: Fill
    }

    /// One of the three colours of a code.
    public enum Fill: String, Hashable, Sendable, Codable {
      /// The colour of the disc.
      case background
      /// The colour of the arcs whose bit is 0.
      case foreground
      /// The colour of the arcs whose bit is 1.
      case third
    }
  }

  /// Creates a code from the stored contents of a file.
  package init(
    payload: String, pattern: AppClipCodePattern, colours: AppClipCodeColours, badge: Badge?
  ) {
    self.payload = payload
    self.pattern = pattern
    self.colours = colours
    self.badge = badge
  }

  /// The size limit of a file in bytes; Apple's files have about 20,000.
  public static let mostBytes = 262_144

  /// Options for reading a file.
  public struct Options: Hashable, Sendable {
    /// A Boolean value that indicates whether a pair of colours outside Apple's templates is
    /// accepted if its contrast is sufficient: Apple's generator makes such codes.
    public var allowsOwnColours: Bool

    /// Creates options; by default only the colours of Apple's templates are accepted.
    public init(allowsOwnColours: Bool = false) { self.allowsOwnColours = allowsOwnColours }
  }

  /// Parses an SVG file.
  ///
  /// - Throws: ``AppClipCodeError`` if the file is not an App Clip Code, or was altered.
  public init(svg bytes: [UInt8], options: Options = Options()) throws(AppClipCodeError) {
    guard bytes.count <= Self.mostBytes else {
      throw .notOne("it has \(bytes.count) bytes, and Apple's have about 20,000")
    }
    let root: MarkupElement
    do {
      root = try MarkupElement(document: bytes)
    } catch {
      throw .notOne("it is not SVG (line \(error.line), column \(error.column): \(error.message))")
    }
    guard root.name == "svg" else { throw .notOne("it is not SVG, but <\(root.name)>") }
    guard root.attributes["data-design"] == "Fingerprint" else {
      throw .notOne("the SVG does not have the design “Fingerprint”")
    }
    guard let payload = root.attributes["data-payload"], !payload.isEmpty else {
      throw .notOne("it has no URL (data-payload)")
    }
    guard root.attributes["viewBox"]?.split(separator: " ") == ["0", "0", "800", "800"] else {
      throw .altered("the drawing is not 0 0 800 800 (viewBox)", line: root.line)
    }
    try root.has(
      only: ["data-design", "data-payload", "viewBox", "width", "height", "version", "id"])
    let parts = root.children
    guard [3, 4].contains(parts.count), parts[0].name == "title", parts[1].name == "circle",
      parts[2].name == "g", parts.count == 3 || parts[3].name == "g"
    else {
      throw .altered(
        "the drawing must have a title, a disc, the rings and at most a badge, and has "
          + parts.map { "<\($0.name)>" }.joined(separator: " "), line: root.line)
    }
    let background = try Self.background(parts[1])
    let (pattern, arcs) = try Self.rings(parts[2])
    var strokes: [Bool: Colour] = [:]
    for arc in arcs {
      guard strokes[arc.isThird, default: arc.colour] == arc.colour else {
        throw .altered("the arc has another colour than those like it", line: arc.line)
      }
      strokes[arc.isThird] = arc.colour
    }
    guard let foreground = strokes[false], let third = strokes[true] else {
      throw .altered("its arcs have one colour, where Apple's have two")
    }
    let colours = AppClipCodeColours(background: background, foreground: foreground, third: third)
    if let mistake = colours.mistake(allowsOwnPairs: options.allowsOwnColours) {
      throw .foreignColours(mistake)
    }
    self.payload = payload
    self.pattern = pattern
    self.colours = colours
    badge = parts.count == 4 ? try Self.badge(parts[3], colours) : nil
  }

  private static func background(_ disc: MarkupElement) throws(AppClipCodeError) -> Colour {
    try disc.has(only: ["cx", "cy", "r", "id", "style"])
    guard disc.attributes["id"] == "Background", try disc.number("cx") == 400,
      try disc.number("cy") == 400, try disc.number("r") == AppClipCodeRing.discRadius
    else { throw .altered("the disc is not in its place", line: disc.line) }
    let style = try disc.style(of: ["fill"])
    return try disc.colour(style["fill"])
  }

  /// An arc's colour and its line in the file.
  private struct ColouredArc {
    let colour: Colour
    let isThird: Bool
    let line: Int
  }

  private static func rings(
    _ group: MarkupElement
  ) throws(AppClipCodeError) -> (AppClipCodePattern, [ColouredArc]) {
    try group.has(only: ["id"])
    guard group.attributes["id"] == "Markers", group.children.count == AppClipCodeRing.all.count
    else { throw .altered("the group of five rings is missing", line: group.line) }
    var continues: UInt128 = 0
    var third: UInt128 = 0
    var arcs: [ColouredArc] = []
    for (number, ring) in AppClipCodeRing.all.enumerated() {
      let element = group.children[number]
      try element.has(only: ["name", "transform"])
      guard element.name == "g", element.attributes["name"] == "ring-\(number + 1)",
        element.attributes["transform"] == "rotate(\(Int(ring.rotation)) 400 400)"
      else { throw .altered("ring \(number + 1) is not in its place", line: element.line) }
      var taken = [Bool](repeating: false, count: ring.positions)
      for path in element.children {
        let (start, length) = try path.arc(of: ring)
        let (colour, isThird) = try path.stroke()
        for step in 0..<length {
          let place = (start + step) % ring.positions
          guard !taken[place] else {
            throw .altered("the arc overlaps another", line: path.line)
          }
          taken[place] = true
          let bit = AppClipCodePattern.bit(ring.first + place)
          if step > 0 { continues |= bit }
          if isThird { third |= bit }
        }
        arcs.append(ColouredArc(colour: colour, isThird: isThird, line: path.line))
      }
      if let place = taken.firstIndex(of: false) {
        throw .altered(
          "ring \(number + 1) has no arc at its position \(place + 1) of \(ring.positions)",
          line: element.line)
      }
    }
    guard let pattern = AppClipCodePattern(continues: continues, third: third) else {
      throw .altered("a ring has no beginning", line: group.line)
    }
    return (pattern, arcs)
  }

  private static func badge(
    _ group: MarkupElement, _ colours: AppClipCodeColours
  ) throws(AppClipCodeError) -> Badge {
    try group.has(only: ["id", "data-logo-type", "transform"])
    guard group.attributes["id"] == "Logo" else {
      throw .altered("an element that is not a badge follows the rings", line: group.line)
    }
    let kind: Kind
    switch group.attributes["data-logo-type"]?.lowercased() {
    case "camera", "cam": kind = .camera
    case "phone", "nfc", "iphone": kind = .nfc
    case let type:
      throw .altered(
        "the badge is of the type “\(type ?? "")”, and Apple's show a camera or a phone",
        line: group.line)
    }
    guard
      let match = (group.attributes["transform"] ?? "").wholeMatch(
        of: /translate\(([-0-9.]+) ([-0-9.]+)\) scale\(([-0-9.]+) ([-0-9.]+)\)/),
      let x = Double(match.output.1), let y = Double(match.output.2),
      let across = Double(match.output.3), let down = Double(match.output.4)
    else { throw .altered("the badge is not in its place", line: group.line) }
    var parts: [Badge.Part] = []
    // The room inside the innermost ring; a larger badge would hide arcs.
    let room = AppClipCodeRing.all[0].radius - AppClipCodeRing.strokeWidth / 2
    for element in group.children {
      guard element.name == "path", element.children.isEmpty else {
        throw .altered("the badge has a <\(element.name)>", line: element.line)
      }
      try element.has(only: ["d", "style"])
      guard
        let outline = BadgePath(
          svg: element.attributes["d"] ?? "", scale: BadgePath.Point(x: across, y: down),
          offset: BadgePath.Point(x: x, y: y))
      else { throw .altered("an outline of the badge cannot be read", line: element.line) }
      guard
        outline.points.allSatisfy({
          ($0.x - 400) * ($0.x - 400) + ($0.y - 400) * ($0.y - 400) <= room * room
        })
      else { throw .altered("the badge reaches into the rings", line: element.line) }
      let style = try element.style(of: ["fill"])
      let colour = try element.colour(style["fill"])
      let fill: Badge.Fill
      switch colour {
      case colours.foreground: fill = .foreground
      case colours.background: fill = .background
      case colours.third: fill = .third
      default: throw .altered("the badge has a colour foreign to the code", line: element.line)
      }
      parts.append(Badge.Part(outline: outline, fill: fill))
    }
    guard !parts.isEmpty else { throw .altered("the badge is empty", line: group.line) }
    return Badge(kind: kind, parts: parts)
  }
}

extension MarkupElement {
  /// Throws if there is an attribute that Apple's files do not have: a filter, an opacity, a
  /// script.
  fileprivate func has(only names: Set<String>) throws(AppClipCodeError) {
    if let foreign = attributes.keys.sorted().first(where: { !names.contains($0) }) {
      throw .altered("<\(name)> has the attribute \(foreign)", line: line)
    }
  }

  fileprivate func number(_ name: String) throws(AppClipCodeError) -> Double {
    guard let value = attributes[name].flatMap({ Double($0) }), value.isFinite else {
      throw .altered("<\(self.name)> has no \(name)", line: line)
    }
    return value
  }

  /// Returns the declarations of the style by name; throws unless exactly `names` are present.
  fileprivate func style(of names: Set<String>) throws(AppClipCodeError) -> [String: String] {
    var values: [String: String] = [:]
    for declaration in (attributes["style"] ?? "").split(separator: ";") {
      let parts = declaration.split(separator: ":", maxSplits: 1)
        .map { $0.trimmingCharacters(in: .whitespaces) }
      guard parts.count == 2, names.contains(parts[0]),
        values.updateValue(parts[1], forKey: parts[0]) == nil
      else { throw .altered("<\(name)> has the style “\(declaration.prefix(60))”", line: line) }
    }
    guard values.count == names.count else {
      throw .altered("<\(name)> lacks a part of its style", line: line)
    }
    return values
  }

  fileprivate func colour(_ text: String?) throws(AppClipCodeError) -> Colour {
    guard let text, text.hasPrefix("#"), let colour = Colour(text) else {
      throw .altered("<\(name)> has the colour “\((text ?? "").prefix(40))”", line: line)
    }
    return colour
  }

  /// Returns the colour of an arc and whether it is the third one.
  fileprivate func stroke() throws(AppClipCodeError) -> (colour: Colour, isThird: Bool) {
    let style = try style(of: [
      "fill", "stroke", "stroke-linecap", "stroke-miterlimit", "stroke-width",
    ])
    guard style["fill"] == "none", style["stroke-linecap"] == "round",
      style["stroke-width"].flatMap({ Double($0.replacing("px", with: "")) })
        == AppClipCodeRing.strokeWidth
    else { throw .altered("the arc is not drawn as Apple draws arcs", line: line) }
    let isThird: Bool
    switch attributes["data-color"] {
    case "0": isThird = false
    case "1": isThird = true
    default: throw .altered("the arc has no colour (data-color)", line: line)
    }
    return (try colour(style["stroke"]), isThird)
  }

  /// Returns the first position of an arc and the number of positions it covers.
  ///
  /// Arcs are drawn from end to beginning, in the coordinates before the ring's rotation about the
  /// centre.
  fileprivate func arc(
    of ring: AppClipCodeRing
  ) throws(AppClipCodeError) -> (start: Int, length: Int) {
    guard name == "path", children.isEmpty else {
      throw .altered("<\(name)> is between the arcs", line: line)
    }
    try has(only: ["d", "data-color", "style"])
    let words = (attributes["d"] ?? "").split(separator: " ")
    guard words.count == 11, words[0] == "M", words[3] == "A", words[6] == "0", words[8] == "0",
      ["0", "1"].contains(words[7])
    else { throw .altered("the path is not an arc", line: line) }
    let numbers = [1, 2, 4, 5, 9, 10].compactMap { Double(words[$0]) }
    guard numbers.count == 6, numbers.allSatisfy(\.isFinite) else {
      throw .altered("the path is not an arc", line: line)
    }
    // The files give six decimals; a hundredth of a unit is less than a five-hundredth of a gap.
    let tolerance = 0.01
    let ends = [(numbers[0], numbers[1]), (numbers[4], numbers[5])]
      .map { (x: $0.0 - 400, y: $0.1 - 400) }
    guard
      (numbers[2...3] + ends.map { ($0.x * $0.x + $0.y * $0.y).squareRoot() })
        .allSatisfy({ abs($0 - ring.radius) <= tolerance })
    else { throw .altered("the arc is outside its ring", line: line) }
    func position(_ angle: Double) throws(AppClipCodeError) -> Int {
      let place = (angle / ring.step).rounded()
      guard abs(angle - place * ring.step) * .pi / 180 * ring.radius <= tolerance else {
        throw .altered("the arc was moved: it matches no position of its ring", line: line)
      }
      return ((Int(place) % ring.positions) + ring.positions) % ring.positions
    }
    let angles = ends.map { atan2($0.y, $0.x) * 180 / .pi }
    let end = try position(angles[0] + ring.gap)
    let start = try position(angles[1] - ring.gap)
    let length = (end - start + ring.positions - 1) % ring.positions + 1
    let sweep = Double(length) * ring.step - 2 * ring.gap
    guard (words[7] == "1") == (sweep > 180) else {
      throw .altered("the arc has the opposite direction", line: line)
    }
    return (start, length)
  }
}
