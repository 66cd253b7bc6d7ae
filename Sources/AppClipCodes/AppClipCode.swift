import Foundation
import Basics
import Markup

/// An App Clip Code, as a file of App Store Connect or of Apple's generator holds it.
///
/// Codes are never made here: Apple's guidelines allow only those of its own tools, unaltered. A file
/// is therefore read strictly, each arc held against the five rings, so that what was moved, added or
/// coloured afterwards is found.
public struct AppClipCode: Hashable, Sendable {
  /// The invocation URL that it carries, as the file says it in plain text.
  public let payload: String
  /// The bits of its arcs.
  public let pattern: AppClipCodePattern
  /// Its colours.
  public let colours: AppClipCodeColours
  /// The badge in its middle; nothing when it was made without one.
  public let badge: Badge?
  /// How it is meant to be used, as its badge says; a code without one is scanned.
  public var kind: Kind { badge?.kind ?? .camera }

  /// How a code is meant to be used.
  public enum Kind: String, Hashable, Sendable, Codable, CaseIterable {
    /// Scanned with the camera only.
    case camera = "cam"
    /// Held against a phone, which reads the tag in its middle, or scanned.
    case nfc
  }

  /// What stands in the middle of a code.
  public struct Badge: Hashable, Sendable, Codable {
    /// What it invites to.
    public let kind: Kind
    /// Its parts, from the one drawn first.
    public let parts: [Part]

    /// An outline and what fills it.
    public struct Part: Hashable, Sendable, Codable {
      /// The outline, in units of the drawing.
      public let outline: BadgePath
      /// Which of the code's colours fills it: all codes with the same badge have the same parts.
      public let fill: Fill
    }

    /// One of the three colours of a code.
    public enum Fill: String, Hashable, Sendable, Codable {
      /// That of the disc.
      case background
      /// That of the arcs whose bit is 0.
      case foreground
      /// That of the arcs whose bit is 1.
      case third
    }
  }

  /// Puts together again what a file said.
  package init(
    payload: String, pattern: AppClipCodePattern, colours: AppClipCodeColours, badge: Badge?
  ) {
    self.payload = payload
    self.pattern = pattern
    self.colours = colours
    self.badge = badge
  }

  /// The largest file that is read, in bytes; Apple's have about 20,000.
  public static let mostBytes = 262_144

  /// What is let pass when a file is read.
  public struct Options: Hashable, Sendable {
    /// Whether a pair of colours that is none of Apple's templates is taken when its contrast is
    /// enough: Apple's generator makes such codes.
    public var allowsOwnColours: Bool

    /// What Apple's templates have, unless told.
    public init(allowsOwnColours: Bool = false) { self.allowsOwnColours = allowsOwnColours }
  }

  /// Reads an SVG file.
  ///
  /// - Throws: ``AppClipCodeError`` when it is no App Clip Code, or was altered.
  public init(svg bytes: [UInt8], options: Options = Options()) throws(AppClipCodeError) {
    guard bytes.count <= Self.mostBytes else {
      throw .notOne("it has \(bytes.count) bytes, and Apple's have about 20,000")
    }
    let root: MarkupElement
    do {
      root = try MarkupElement(document: bytes)
    } catch {
      throw .notOne("it is no SVG (line \(error.line), column \(error.column): \(error.message))")
    }
    guard root.name == "svg" else { throw .notOne("it is no SVG, but <\(root.name)>") }
    guard root.attributes["data-design"] == "Fingerprint" else {
      throw .notOne("the SVG does not say that its design is “Fingerprint”")
    }
    guard let payload = root.attributes["data-payload"], !payload.isEmpty else {
      throw .notOne("it does not say which URL it carries (data-payload)")
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
        "the drawing has to have a title, a disc, the rings and at most a badge, and has "
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

  /// An arc's colour, with the line where it stands.
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
            throw .altered("the arc lies over another", line: path.line)
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
      throw .altered("something that is no badge stands behind the rings", line: group.line)
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
    // Inside the innermost ring; what reaches beyond would hide arcs.
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
      default: throw .altered("the badge has a colour that the code has not", line: element.line)
      }
      parts.append(Badge.Part(outline: outline, fill: fill))
    }
    guard !parts.isEmpty else { throw .altered("the badge is empty", line: group.line) }
    return Badge(kind: kind, parts: parts)
  }
}

extension MarkupElement {
  /// Refuses an attribute that Apple's files do not have: a filter, an opacity, a script.
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

  /// The declarations of its style by their names; each of `names` is there, and no other.
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

  /// The colour of an arc, and whether it is the third.
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
    default: throw .altered("the arc does not say which colour it has (data-color)", line: line)
    }
    return (try colour(style["stroke"]), isThird)
  }

  /// Where an arc begins, and how many positions it covers.
  ///
  /// Arcs are drawn from their end to their beginning, as turned about the centre before the ring is.
  fileprivate func arc(
    of ring: AppClipCodeRing
  ) throws(AppClipCodeError) -> (start: Int, length: Int) {
    guard name == "path", children.isEmpty else {
      throw .altered("<\(name)> stands between the arcs", line: line)
    }
    try has(only: ["d", "data-color", "style"])
    let words = (attributes["d"] ?? "").split(separator: " ")
    guard words.count == 11, words[0] == "M", words[3] == "A", words[6] == "0", words[8] == "0",
      ["0", "1"].contains(words[7])
    else { throw .altered("the path is no arc", line: line) }
    let numbers = [1, 2, 4, 5, 9, 10].compactMap { Double(words[$0]) }
    guard numbers.count == 6, numbers.allSatisfy(\.isFinite) else {
      throw .altered("the path is no arc", line: line)
    }
    // Six decimals are written; a hundredth of a unit is less than a five-hundredth of a gap.
    let tolerance = 0.01
    let ends = [(numbers[0], numbers[1]), (numbers[4], numbers[5])]
      .map { (x: $0.0 - 400, y: $0.1 - 400) }
    guard
      (numbers[2...3] + ends.map { ($0.x * $0.x + $0.y * $0.y).squareRoot() })
        .allSatisfy({ abs($0 - ring.radius) <= tolerance })
    else { throw .altered("the arc does not lie in its ring", line: line) }
    func position(_ angle: Double) throws(AppClipCodeError) -> Int {
      let place = (angle / ring.step).rounded()
      guard abs(angle - place * ring.step) * .pi / 180 * ring.radius <= tolerance else {
        throw .altered("the arc was moved: it fits no position of its ring", line: line)
      }
      return ((Int(place) % ring.positions) + ring.positions) % ring.positions
    }
    let angles = ends.map { atan2($0.y, $0.x) * 180 / .pi }
    let end = try position(angles[0] + ring.gap)
    let start = try position(angles[1] - ring.gap)
    let length = (end - start + ring.positions - 1) % ring.positions + 1
    let sweep = Double(length) * ring.step - 2 * ring.gap
    guard (words[7] == "1") == (sweep > 180) else {
      throw .altered("the arc goes round the other way", line: line)
    }
    return (start, length)
  }
}
