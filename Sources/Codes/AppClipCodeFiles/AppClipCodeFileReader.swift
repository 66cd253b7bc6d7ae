import AppClipCodes
import CliptagBasics
import CliptagPlatform
import Markup

/// Reads the file of an App Clip Code.
///
/// Each part is compared with the structure of files of Apple's tools: a part that was moved, added,
/// removed or recoloured is an error. What another program changed without that is collected, and is
/// an error of its own in the end.
struct AppClipCodeFileReader {
  private let options: AppClipCode.Options
  /// The differences from a file of Apple's tools that change no part, each once.
  private var differences: [String] = []
  /// The style of each class of the file.
  private var classes: [String: String] = [:]

  init(_ options: AppClipCode.Options) { self.options = options }

  /// Reads the code of a file.
  mutating func code(_ root: MarkupElement) throws(AppClipCodeError) -> AppClipCode {
    guard root.name == "svg" else { throw .notOne("it is not SVG, but <\(root.name)>") }
    guard root.attributes["data-design"] == "Fingerprint" else {
      throw .notOne("the SVG does not have the design “Fingerprint”")
    }
    guard let payload = root.attributes["data-payload"], !payload.isEmpty else {
      throw .notOne("it has no URL (data-payload)")
    }
    try compareAttributes(
      of: root,
      with: ["data-design", "data-payload", "viewBox", "width", "height", "version", "id"])
    let hasLockup = try hasLockup(root)
    var title: MarkupElement?
    let parts = try contents(of: root, &title)
    if let title {
      guard title.text.trimmed == "App Clip Code" else {
        throw .altered("the title is “\(title.text.trimmed.prefix(60))”", line: title.line)
      }
    } else {
      differ("no title")
    }
    let names = parts.map(\.name)
    guard names == (hasLockup ? ["g"] : []) + ["circle", "g", "g"] else {
      throw .altered(
        names == (hasLockup ? ["g"] : []) + ["circle", "g"]
          ? "the glyph in the middle is missing"
          : "the drawing must have \(hasLockup ? "a badge, " : "")a disc, the rings and a glyph, "
            + "and has " + names.map { "<\($0)>" }.joined(separator: " "), line: root.line)
    }
    let offset = hasLockup ? AppClipCode.lockupOffset : BadgePath.Point(x: 0, y: 0)
    let disc = parts[hasLockup ? 1 : 0]
    let background = try background(disc, at: offset)
    let (pattern, arcs) = try rings(parts[hasLockup ? 2 : 1], at: offset)
    let colours = try colours(arcs, background)
    let glyph = try glyph(parts[hasLockup ? 3 : 2], colours, at: offset)
    let lockup = hasLockup ? try lockup(parts[0], colours) : []
    guard differences.isEmpty else { throw .reexported(differences) }
    return AppClipCode(
      payload: payload, pattern: pattern, colours: colours,
      badge: AppClipCode.Badge(kind: glyph.kind, parts: glyph.parts, lockup: lockup))
  }

  private mutating func differ(_ difference: String) {
    if !differences.contains(difference) { differences.append(difference) }
  }

  /// Returns whether the drawing is a disc with badge, by its size.
  private func hasLockup(_ root: MarkupElement) throws(AppClipCodeError) -> Bool {
    switch (root.attributes["viewBox"] ?? "").split(whereSeparator: { " ,".contains($0) })
      .map({ Double($0) })
    {
    case [0, 0, 800, 800]: return false
    case [-50, -50, 900, 1100]: return true
    default:
      throw .altered(
        "the drawing is neither 0 0 800 800 nor -50 -50 900 1100 (viewBox)", line: root.line)
    }
  }

  /// The parts of the drawing: without its title, descriptions, style sheet, and groups around it.
  private mutating func contents(
    of element: MarkupElement, _ title: inout MarkupElement?
  ) throws(AppClipCodeError) -> [MarkupElement] {
    var parts: [MarkupElement] = []
    for child in element.children {
      switch child.name {
      case "title": title = title ?? child
      case "desc", "metadata", "namedview": differ("<\(child.name)>")
      case "style": try readStyleSheet(child)
      case "defs" where child.children.allSatisfy({ $0.name == "style" }):
        for sheet in child.children { try readStyleSheet(sheet) }
      default: parts.append(child)
      }
    }
    guard parts.count == 1, parts[0].name == "g",
      parts[0].children.contains(where: { $0.name == "circle" || $0.name == "g" })
    else { return parts }
    differ("a group around the drawing")
    try compareAttributes(of: parts[0], with: [])
    return try contents(of: parts[0], &title)
  }

  /// Reads rules such as `.cls-1, .cls-2 { fill: #fff; }`.
  private mutating func readStyleSheet(_ element: MarkupElement) throws(AppClipCodeError) {
    differ("CSS classes")
    for rule in element.text.split(separator: "}") {
      let parts = rule.split(separator: "{", omittingEmptySubsequences: false)
      if parts.count == 1, rule.allSatisfy(\.isWhitespace) { continue }
      guard parts.count == 2 else { throw .altered("the style cannot be read", line: element.line) }
      for selector in parts[0].split(separator: ",").map({ String($0).trimmed }) {
        guard selector.hasPrefix("."), selector.dropFirst().allSatisfy({ !" .#:>[*".contains($0) })
        else { throw .altered("the style has the selector “\(selector)”", line: element.line) }
        classes[String(selector.dropFirst()), default: ""] += parts[1] + ";"
      }
    }
  }
}

/// The parts of the drawing.
extension AppClipCodeFileReader {
  private mutating func background(
    _ disc: MarkupElement, at offset: BadgePath.Point
  ) throws(AppClipCodeError) -> Colour {
    try compareAttributes(of: disc, with: ["cx", "cy", "r", "id", "style", "transform"])
    compareName(of: disc, "id", with: "Background")
    guard try disc.number("cx") == 400, try disc.number("cy") == 400,
      try disc.number("r") == AppClipCodeRing.discRadius,
      Transform(disc.attributes["transform"])?.isMove(to: offset) == true
    else { throw .altered("the disc is not in its place", line: disc.line) }
    return try colour(try style(of: disc, ["fill"])["fill"], of: disc)
  }

  /// An arc's colour and its line in the file.
  private struct ColouredArc {
    let colour: Colour
    let isThird: Bool
    let line: Int
  }

  private mutating func rings(
    _ group: MarkupElement, at offset: BadgePath.Point
  ) throws(AppClipCodeError) -> (AppClipCodePattern, [ColouredArc]) {
    try compareAttributes(of: group, with: ["id", "transform"])
    compareName(of: group, "id", with: "Markers")
    guard group.children.count == AppClipCodeRing.all.count else {
      throw .altered("the group of five rings is missing", line: group.line)
    }
    guard Transform(group.attributes["transform"])?.isMove(to: offset) == true else {
      throw .altered("the rings are not in their place", line: group.line)
    }
    let groupStyle = try style(of: group, [], optional: Self.painted)
    var continues: UInt128 = 0
    var third: UInt128 = 0
    var arcs: [ColouredArc] = []
    for (number, ring) in AppClipCodeRing.all.enumerated() {
      let element = group.children[number]
      try compareAttributes(of: element, with: ["name", "transform"])
      compareName(of: element, "name", with: "ring-\(number + 1)")
      guard element.name == "g",
        Transform(element.attributes["transform"])?.isTurn(by: ring.rotation) == true
      else { throw .altered("ring \(number + 1) is not in its place", line: element.line) }
      let inherited = try style(
        of: element, [], optional: Self.painted, inheriting: groupStyle)
      var taken = [Bool](repeating: false, count: ring.positions)
      for path in element.children {
        try compareAttributes(of: path, with: ["d", "data-color", "style"])
        let (start, length) = try path.arc(of: ring)
        let (colour, isThird) = try stroke(of: path, inheriting: inherited)
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

  private func colours(
    _ arcs: [ColouredArc], _ background: Colour
  ) throws(AppClipCodeError) -> AppClipCodeColours {
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
    if let template = colours.template {
      let expected = AppClipCodeColours.thirds[template / 2]
      guard third == expected else {
        throw .altered(
          "the third colour is \(third.hexadecimal), and that of \(foreground.hexadecimal) on "
            + "\(background.hexadecimal) is \(expected.hexadecimal)")
      }
    }
    return colours
  }

  private mutating func glyph(
    _ group: MarkupElement, _ colours: AppClipCodeColours, at offset: BadgePath.Point
  ) throws(AppClipCodeError) -> (kind: AppClipCode.Kind, parts: [AppClipCode.Badge.Part]) {
    try compareAttributes(of: group, with: ["id", "data-logo-type", "transform"])
    compareName(of: group, "id", with: "Logo")
    let parts = try outlines(
      of: group, Transform(movingTo: offset, reversed: true), nil, colours, "glyph")
    let kind = [AppClipCode.Kind.camera, .nfc].first { kind in
      let artwork = AppClipCodeArtwork.glyph(kind)
      return parts.count == artwork.parts.count
        && parts.indices.allSatisfy { artwork.isPart($0, parts[$0].outline) }
    }
    guard let kind else {
      throw .altered(
        "the glyph in the middle is not Apple's camera or phone, in its place and size",
        line: group.line)
    }
    guard
      parts.map(\.fill) == (kind == .nfc ? [.foreground, .third] : parts.map { _ in .foreground })
    else {
      throw .altered("the glyph does not have the colours of the arcs", line: group.line)
    }
    switch (group.attributes["data-logo-type"]?.lowercased(), kind) {
    case ("camera", .camera), ("cam", .camera), ("phone", .nfc), ("nfc", .nfc), ("iphone", .nfc):
      break
    case (nil, _): differ("no data-logo-type")
    case (let type?, _):
      throw .altered(
        "the glyph is of the type “\(type.prefix(40))”, and shows a "
          + (kind == .nfc ? "phone" : "camera"), line: group.line)
    }
    return (kind, parts)
  }

  private mutating func lockup(
    _ group: MarkupElement, _ colours: AppClipCodeColours
  ) throws(AppClipCodeError) -> [AppClipCode.Badge.Part] {
    try compareAttributes(of: group, with: ["id", "transform"])
    compareName(of: group, "id", with: "Lockup")
    let parts = try outlines(of: group, Transform.identity, nil, colours, "badge")
    guard let badge = parts.first, AppClipCodeArtwork.badge.isPart(0, badge.outline)
    else { throw .altered("the badge is not in its place", line: group.line) }
    let words = Array(parts.dropFirst())
    guard words.count == AppClipCodeArtwork.words.parts.count,
      words.indices.allSatisfy({
        AppClipCodeArtwork.words.isPart($0, words[$0].outline)
      })
    else { throw .altered("the words on the badge are not Apple's", line: group.line) }
    guard words.allSatisfy({ $0.fill == words[0].fill && $0.fill != badge.fill }) else {
      throw .altered("the words on the badge have another colour", line: group.line)
    }
    return parts
  }

  /// The outlines of an element and of the groups in it.
  ///
  /// - Parameters:
  ///   - transform: The transform of the elements around it.
  ///   - inherited: The fill of the groups around it.
  ///   - noun: The word for the whole in messages.
  private mutating func outlines(
    of group: MarkupElement, _ transform: Transform, _ inherited: String?,
    _ colours: AppClipCodeColours, _ noun: String
  ) throws(AppClipCodeError) -> [AppClipCode.Badge.Part] {
    guard let own = Transform(group.attributes["transform"]) else {
      throw .altered("the \(noun) is not in its place", line: group.line)
    }
    let transform = transform.after(own)
    let inherited = try style(of: group, [], optional: ["fill"])["fill"] ?? inherited
    var parts: [AppClipCode.Badge.Part] = []
    for element in group.children {
      switch element.name {
      case "g":
        try compareAttributes(of: element, with: ["id", "style", "transform"])
        parts += try outlines(of: element, transform, inherited, colours, noun)
      case "path" where element.children.isEmpty:
        try compareAttributes(of: element, with: ["id", "d", "style"])
        guard let outline = BadgePath(svg: element.attributes["d"] ?? "", transform) else {
          throw .altered("an outline of the \(noun) cannot be read", line: element.line)
        }
        let colour = try colour(
          try style(of: element, [], optional: ["fill"])["fill"] ?? inherited, of: element)
        guard let fill = AppClipCode.Badge.Fill.allCases.first(where: { colours[$0] == colour })
        else { throw .altered("the \(noun) has a colour foreign to the code", line: element.line) }
        parts.append(AppClipCode.Badge.Part(outline: outline, fill: fill))
      default: throw .altered("the \(noun) has a <\(element.name)>", line: element.line)
      }
    }
    return parts
  }
}

/// Attributes and styles.
extension AppClipCodeFileReader {
  /// Attributes that say nothing about the drawing.
  private static let silent: Set<String> = [
    "id", "class", "name", "space", "lang", "role", "baseProfile", "x", "y", "label", "docname",
    "groupmode", "nodetypes", "schemaLocation",
  ]
  /// Properties of a style that may be attributes, and the values with which they change nothing.
  private static let neutral: [String: Set<String>] = [
    "opacity": ["1"], "fill-opacity": ["1"], "stroke-opacity": ["1"], "fill-rule": ["nonzero"],
    "clip-rule": ["nonzero", "evenodd"], "stroke-dasharray": ["none"], "display": ["inline"],
    "visibility": ["visible"], "mix-blend-mode": ["normal"], "isolation": ["auto", "isolate"],
    "stroke-linejoin": ["miter", "round", "bevel"], "stroke-miterlimit": ["4", "10"],
    "enable-background": ["new"],
  ]
  private static let painted: Set<String> = [
    "fill", "stroke", "stroke-linecap", "stroke-width",
  ]

  /// Throws if there is an attribute that changes the drawing and that Apple's files do not have: a
  /// filter, an opacity, a script.
  private mutating func compareAttributes(
    of element: MarkupElement, with names: Set<String>
  ) throws(AppClipCodeError) {
    for (name, value) in element.attributes.sorted(by: { $0.key < $1.key })
    where !names.contains(name) {
      let isHarmless =
        Self.silent.contains(name) && !(["x", "y"].contains(name) && element.name != "svg")
        || name.hasPrefix("data-") || name.hasPrefix("aria-") || name.hasPrefix("export-")
        || Self.painted.contains(name) || Self.neutral[name]?.contains(value.trimmed) == true
        || name == "enable-background" || name == "preserveAspectRatio" && value == "xMidYMid meet"
        || name == "style" && element.name == "svg" || name == "style" && element.name == "g"
      guard isHarmless else {
        throw .altered("<\(element.name)> has the attribute \(name)", line: element.line)
      }
      if name == "style" { _ = try style(of: element, [], optional: Self.painted) }
      differ("the attribute \(name)")
    }
  }

  /// Notes an element that has lost the name that Apple's tools give it.
  private mutating func compareName(
    of element: MarkupElement, _ attribute: String, with name: String
  ) {
    guard element.attributes[attribute] != name else { return }
    differ("no \(attribute) “\(name)”")
  }

  /// Returns the declarations of an element: its classes, its attributes, and its style.
  ///
  /// - Parameters:
  ///   - names: The properties that must be there.
  ///   - optional: Those that may be there.
  ///   - inherited: The style of the groups around it.
  private mutating func style(
    of element: MarkupElement, _ names: Set<String>, optional: Set<String> = [],
    inheriting inherited: [String: String] = [:]
  ) throws(AppClipCodeError) -> [String: String] {
    var values = inherited
    func add(_ name: String, _ value: String, _ text: Substring) throws(AppClipCodeError) {
      if names.contains(name) || optional.contains(name) {
        values[name] = value
      } else if Self.neutral[name]?.contains(value) != true,
        !(name == "stroke" && value == "none"), !name.hasPrefix("-")
      {
        throw .altered(
          "<\(element.name)> has the style “\(text.prefix(60))”", line: element.line)
      }
    }
    let sheet = (element.attributes["class"] ?? "").split(separator: " ")
      .compactMap { classes[String($0)] }.joined(separator: ";")
    let texts = [sheet, element.attributes["style"] ?? ""]
    for name in Self.painted.sorted() where element.attributes[name] != nil {
      let value = (element.attributes[name] ?? "").trimmed
      try add(name, value, "\(name): \(value)")
    }
    for text in texts {
      for declaration in text.split(separator: ";") where !String(declaration).trimmed.isEmpty {
        let parts = declaration.split(separator: ":", maxSplits: 1).map { String($0).trimmed }
        guard parts.count == 2 else {
          throw .altered(
            "<\(element.name)> has the style “\(declaration.prefix(60))”", line: element.line)
        }
        try add(parts[0], parts[1], declaration)
      }
    }
    guard names.allSatisfy({ values[$0] != nil }) else {
      throw .altered("<\(element.name)> lacks a part of its style", line: element.line)
    }
    return values
  }

  private mutating func colour(
    _ text: String?, of element: MarkupElement
  ) throws(AppClipCodeError) -> Colour {
    if let text, text.hasPrefix("#"), let colour = Colour(text) {
      if text.utf8.count != 7 { differ("short colours such as \(text)") }
      return colour
    }
    if let text, let colour = ["black": Colour.black, "white": .white][text.lowercased()] {
      differ("the colour \(text)")
      return colour
    }
    throw .altered(
      "<\(element.name)> has the colour “\((text ?? "").prefix(40))”", line: element.line)
  }

  /// Returns the colour of an arc and whether it is the third one.
  private mutating func stroke(
    of path: MarkupElement, inheriting inherited: [String: String]
  ) throws(AppClipCodeError) -> (colour: Colour, isThird: Bool) {
    let style = try style(
      of: path, ["fill", "stroke", "stroke-linecap", "stroke-width"], inheriting: inherited)
    guard style["fill"] == "none", style["stroke-linecap"] == "round",
      style["stroke-width"].flatMap({ Double($0.replacing("px", with: "")) })
        == AppClipCodeRing.strokeWidth
    else { throw .altered("the arc is not drawn as Apple draws arcs", line: path.line) }
    let colour = try colour(style["stroke"], of: path)
    switch path.attributes["data-color"] {
    case "0": return (colour, false)
    case "1": return (colour, true)
    case nil where AppClipCodeColours.thirds.contains(colour):
      differ("no data-color")
      return (colour, true)
    case nil where colour == .white || AppClipCodeColours.palette.contains(colour):
      differ("no data-color")
      return (colour, false)
    default: throw .altered("the arc has no colour (data-color)", line: path.line)
    }
  }
}

extension MarkupElement {
  fileprivate func number(_ name: String) throws(AppClipCodeError) -> Double {
    guard let value = attributes[name].flatMap({ Double($0) }), value.isFinite else {
      throw .altered("<\(self.name)> has no \(name)", line: line)
    }
    return value
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
    var scanner = PathScanner(attributes["d"] ?? "")
    guard let move = scanner.command(), move | 0x20 == UInt8(ascii: "m"),
      let x = scanner.number(), let y = scanner.number(),
      let draw = scanner.command(), draw | 0x20 == UInt8(ascii: "a"),
      let across = scanner.number(), let down = scanner.number(), scanner.number() == 0,
      let isLarge = scanner.flag(), scanner.flag() == false,
      var endX = scanner.number(), var endY = scanner.number(), scanner.isAtEnd
    else { throw .altered("the path is not an arc", line: line) }
    if draw == UInt8(ascii: "a") { (endX, endY) = (endX + x, endY + y) }
    // The files give six decimals; a hundredth of a unit is less than a five-hundredth of a gap.
    let tolerance = 0.01
    let ends = [(x - 400, y - 400), (endX - 400, endY - 400)].map { (x: $0.0, y: $0.1) }
    guard
      ([across, down] + ends.map { ($0.x * $0.x + $0.y * $0.y).squareRoot() })
        .allSatisfy({ abs($0 - ring.radius) <= tolerance })
    else { throw .altered("the arc is outside its ring", line: line) }
    func position(_ angle: Double) throws(AppClipCodeError) -> Int {
      let place = (angle / ring.step).rounded()
      guard abs(angle - place * ring.step) * .pi / 180 * ring.radius <= tolerance else {
        throw .altered("the arc was moved: it matches no position of its ring", line: line)
      }
      return ((Int(bounded: place) % ring.positions) + ring.positions) % ring.positions
    }
    let angles = ends.map { atan2($0.y, $0.x) * 180 / .pi }
    let end = try position(angles[0] + ring.gap)
    let start = try position(angles[1] - ring.gap)
    let length = (end - start + ring.positions - 1) % ring.positions + 1
    let sweep = Double(length) * ring.step - 2 * ring.gap
    guard isLarge == (sweep > 180) else {
      throw .altered("the arc has the opposite direction", line: line)
    }
    return (start, length)
  }
}

extension String {
  /// The text without white space at its ends.
  fileprivate var trimmed: String {
    let start = drop(while: \.isWhitespace)
    return start.lastIndex { !$0.isWhitespace }.map { String(start[...$0]) } ?? ""
  }
}
