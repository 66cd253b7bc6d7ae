import AppClipCodes
import CliptagBasics
import QRSymbol

/// A poster being drawn by a design: sets texts, places the code, and mirrors the layout for
/// languages that are read from right to left.
///
/// Designs count from the edge where reading begins; all lengths are in millimetres.
struct PosterCanvas {
  private(set) var page: PageDrawing
  private(set) var placedCode: (code: CodeDrawing, box: DrawingBox)?
  private(set) var placedAppClipCode: (code: AppClipCodeDrawing, box: DrawingBox)?
  private(set) var targetBox: DrawingBox?

  let symbol: QRSymbol
  let request: Poster.Request
  let shaper: TextShaper
  /// A hundredth of the shorter side, the unit of the designs.
  let unit: Double

  var content: PosterContent { request.content }
  var colours: PosterColours { request.colours }
  var width: Double { page.width }
  var height: Double { page.height }
  /// The App Clip Code beside or instead of the QR code.
  var appClipCode: AppClipCode? { request.appClipCode?.code }
  var hasQRCode: Bool { request.appClipCode?.replacesQRCode != true }
  /// Whether a ring marks the position of the tag. The tag of an App Clip Code of the kind `nfc` is
  /// in the middle of the code.
  var hasRing: Bool { content.targetCaption != nil && appClipCode?.kind != .nfc }
  /// Whether more than one code or target are side by side.
  var isGroup: Bool { hasRing || codeCount > 1 }
  private var codeCount: Double { (hasQRCode ? 1 : 0) + (appClipCode == nil ? 0 : 1) }
  var isLandscape: Bool { page.width > page.height * 1.05 }

  init(_ symbol: QRSymbol, _ request: Poster.Request, shaper: TextShaper) {
    self.symbol = symbol
    self.request = request
    self.shaper = shaper
    page = PageDrawing(
      width: request.paper.width, height: request.paper.height, bleed: request.bleed,
      hasCropMarks: request.hasCropMarks)
    unit = min(page.width, page.height) / 100
  }

  // MARK: Words

  /// The settings of a text, and its available space.
  struct Setting {
    /// The height of the em, which is reduced until the text fits.
    var size: Double
    var weight = 400
    var width: Double
    /// The maximum height, or infinity.
    var height = Double.infinity
    var lines = 1
    var alignment = TextAlignment.start
    var lineSpacing = 1.0
    var breaksWords = false
    /// Whether lines are broken to be of about equal length.
    var isBalanced = false
  }

  /// The smallest readable em: 5.5 points.
  private static let smallestSize = 5.5 * 25.4 / 72

  /// Sets a text in the largest size that fits.
  func words(_ text: String, _ setting: Setting) throws(TextError) -> ShapedText {
    var style = TextStyle(size: setting.size, families: request.families)
    style.weight = setting.weight
    style.lineSpacing = setting.lineSpacing
    let alignment = alignment(setting.alignment, of: text)
    let fitted = try shaper.fitting(
      text, style, width: setting.width, height: setting.height,
      minimumSize: min(setting.size, Self.smallestSize), alignment: alignment,
      maximumLines: setting.lines, breaksWords: setting.breaksWords, language: content.language)
    guard setting.isBalanced, fitted.lines.count > 1, let size = fitted.lines[0].runs.first?.size
    else { return fitted }
    return try shaper.shape(
      try balanced(text, style.sized(size), width: setting.width, lines: fitted.lines.count),
      style.sized(size), width: setting.width, alignment: alignment,
      maximumLines: fitted.lines.count, language: content.language)
  }

  /// The text with line feeds at the breaks of the narrowest width that needs no more lines.
  private func balanced(
    _ text: String, _ style: TextStyle, width: Double, lines: Int
  ) throws(TextError) -> String {
    var best: ShapedText?
    var (low, high) = (width / Double(lines) / 2, width)
    while high - low > width / 200 {
      let middle = (low + high) / 2
      do {
        best = try shaper.shape(
          text, style, width: middle, maximumLines: lines, language: content.language)
        high = middle
      } catch {
        guard error.code == .textTooLarge else { throw error }
        low = middle
      }
    }
    guard let best else { return text }
    let bytes = Array(best.text.utf8)
    return best.lines.map { line in
      String(decoding: bytes[line.range], as: UTF8.self).trimmedSpaces
    }.joined(separator: "\n")
  }

  /// The line spacing of a headline, as a part of the fonts' own: large letters need less, except
  /// in scripts with stacked marks.
  var headlineSpacing: Double {
    let stacks = content.headline.unicodeScalars.contains { (0x590...0x1CFF).contains($0.value) }
    return stacks ? 0.95 : 0.82
  }

  /// The alignment relative to the page: a link on a right-to-left page is at its right.
  private func alignment(_ alignment: TextAlignment, of text: String) -> TextAlignment {
    let isRightToLeft = text.isRightToLeft ?? content.isRightToLeft
    guard alignment != .centre, isRightToLeft != content.isRightToLeft else { return alignment }
    return alignment == .start ? .end : .start
  }

  /// Places a text by the edge where reading begins and its top.
  mutating func add(
    _ text: ShapedText, x: Double, y: Double, colour: Colour,
    role: PageDrawing.Words.Role = .paragraph, link: String? = nil
  ) {
    let corner = mirrored(DrawingBox(x: x, y: y, width: text.width, height: text.height))
    page.elements.append(
      .text(
        PageDrawing.Words(
          text: text, corner: DrawingPoint(x: corner.x, y: corner.y), colour: colour, role: role,
          link: link)))
  }

  // MARK: Shapes

  mutating func add(_ box: DrawingBox, colour: Colour, cornerRadius: Double = 0) {
    page.elements.append(
      .shape(.rectangle(mirrored(box), cornerRadius: cornerRadius), colour))
  }

  mutating func add(_ logo: LogoPicture, in box: DrawingBox) {
    page.elements.append(.picture(logo, mirrored(box)))
  }

  /// A box, mirrored on right-to-left pages.
  private func mirrored(_ box: DrawingBox) -> DrawingBox {
    guard content.isRightToLeft else { return box }
    var mirrored = box
    mirrored.x = width - box.right
    return mirrored
  }

  // MARK: The code and the target

  /// The diameter of the target, and its gap, as parts of the code's side.
  private static let target = (diameter: 0.6, gap: 0.1)
  /// The maximum diameter of the target, in millimetres, on any page: a phone finds a tag within
  /// the width of a phone, so a larger ring would not locate the tag.
  private static let largestTarget = 60.0

  /// The diameter of the target beside a code.
  private func targetDiameter(side: Double) -> Double {
    min(side * Self.target.diameter, Self.largestTarget)
  }

  /// The largest side of each code in a room, with the other codes and the target beside it.
  func codeSide(width: Double, height: Double) throws -> Double {
    // With the target in proportion to the code, or at its maximum.
    let besideTarget = max(
      width / (codeCount + Self.target.gap + Self.target.diameter),
      (width - Self.largestTarget) / (codeCount + Self.target.gap))
    let most = min(hasRing ? besideTarget : width / codeCount, height)
    guard let wanted = request.codeSize.width else { return most }
    guard wanted <= most + 0.01 else { throw CodeDrawingError.noRoom(wanted, most: most) }
    return wanted
  }

  /// The width of the quiet zone on one side of a code, or of an App Clip Code's clear space.
  func quietZone(ofSide side: Double) -> Double {
    guard hasQRCode else {
      let most = AppClipCodeDrawing.side(
        ofDiameter: 1, hasLockup: appClipCode?.hasLockup == true)
      return side * AppClipCodeDrawing.clearSpacePart / most
    }
    let quiet = Double(CodeSize.quietZoneModules)
    return side * quiet / (Double(symbol.size) + 2 * quiet)
  }

  /// The width of the codes with the target beside them.
  func codeGroupWidth(side: Double) -> Double {
    hasRing
      ? side * (codeCount + Self.target.gap) + targetDiameter(side: side) : side * codeCount
  }

  /// Places the codes, and the target behind them in reading order, in the middle of a room.
  mutating func addCode(side: Double, in room: DrawingBox, captionColour: Colour) throws {
    var start = room.centre.x - codeGroupWidth(side: side) / 2
    if hasQRCode {
      try addQRCode(
        side: side, at: DrawingPoint(x: start, y: room.centre.y), isCentred: !isGroup)
      start += side
    }
    if let appClipCode {
      try addAppClipCode(
        appClipCode, DrawingBox(x: start, y: room.centre.y - side / 2, width: side, height: side))
      start += side
    }
    guard hasRing, let caption = content.targetCaption else { return }
    let diameter = targetDiameter(side: side)
    let x = start + side * Self.target.gap
    let words = try words(
      caption,
      Setting(
        size: 4 * unit, weight: 500, width: diameter * 1.1, height: side * 0.3, lines: 3,
        alignment: .centre))
    let gap = 1.5 * unit
    let top = room.centre.y - (diameter + gap + words.height) / 2
    addTarget(DrawingBox(x: x, y: top, width: diameter, height: diameter), colour: captionColour)
    add(
      words, x: x + diameter / 2 - words.width / 2, y: top + diameter + gap,
      colour: captionColour)
  }

  /// Places the QR code on the printer's dots.
  ///
  /// - Parameters:
  ///   - side: The maximum side.
  ///   - place: The middle of its leading edge.
  ///   - isCentred: Whether the remainder of rounding to dots is split between both sides.
  private mutating func addQRCode(side: Double, at place: DrawingPoint, isCentred: Bool) throws {
    var size = request.codeSize
    if size.moduleSize == nil { size.width = side }
    let code = try CodeDrawing(symbol, size: size, colours: request.codeColours)
    var box = DrawingBox(
      x: isCentred ? place.x + (side - code.size.width) / 2 : place.x,
      y: place.y - code.size.width / 2, width: code.size.width, height: code.size.width)
    box = mirrored(box)
    let dpi = request.codeSize.dotsPerInch
    box.x = PageDrawing.snapped(box.x, dotsPerInch: dpi)
    box.y = PageDrawing.snapped(box.y, dotsPerInch: dpi)
    page.elements.append(.code(code, DrawingPoint(x: box.x, y: box.y)))
    placedCode = (code, box)
  }

  /// Places the App Clip Code in the middle of a square, and the target in the middle of its disc if
  /// its tag is there.
  private mutating func addAppClipCode(_ code: AppClipCode, _ box: DrawingBox) throws {
    let drawing = try AppClipCodeDrawing(code, side: box.width)
    try drawing.check(readingDistance: request.codeSize.readingDistance)
    let box = drawing.box(in: mirrored(box))
    page.elements.append(.appClipCode(drawing, DrawingPoint(x: box.x, y: box.y)))
    placedAppClipCode = (drawing, box)
    targetBox = drawing.tagBox(in: box)
  }

  private mutating func addTarget(_ box: DrawingBox, colour: Colour) {
    let box = mirrored(box)
    targetBox = box
    page.elements += Self.target(in: box, colour: colour)
  }

  /// A ring with a phone and waves above it, which marks the position for a phone.
  static func target(in box: DrawingBox, colour: Colour) -> [PageDrawing.Element] {
    let middle = box.centre
    let part = box.width / 100
    let style = PageDrawing.LineStyle(width: 3 * part, colour: colour)
    let phone = DrawingBox(
      x: middle.x - 13 * part, y: middle.y - 8 * part, width: 26 * part, height: 40 * part)
    let waves = DrawingPoint(x: middle.x, y: middle.y - 10 * part)
    let figures =
      [.circle(centre: middle, radius: 48 * part), .rectangle(phone, cornerRadius: 5 * part)]
      + [8.0, 16, 24].map { DrawingPath.arcAbove(waves, radius: $0 * part) }
    return figures.map { .line($0, style) }
  }

  // MARK: Common parts of the designs

  /// Brand, headline and call to action above each other.
  func heading(
    width: Double, height: Double, alignment: TextAlignment
  ) throws(TextError) -> WordStack {
    var stack = WordStack()
    appendLogo(to: &stack, width: width, isCentred: alignment == .centre)
    if let brand = content.brand {
      stack.append(
        try words(
          brand,
          Setting(size: 4.5 * unit, weight: 700, width: width, lines: 2, alignment: alignment)),
        .accent, gap: 2 * unit)
    }
    let call = try words(
      content.callToAction,
      Setting(
        size: 5 * unit, weight: 500, width: width, height: height * 0.3, lines: 3,
        alignment: alignment))
    stack.append(
      try words(
        content.headline,
        Setting(
          size: 12 * unit, weight: 800, width: width,
          height: height - stack.height - call.height - 5 * unit, lines: 4,
          alignment: alignment, lineSpacing: headlineSpacing, isBalanced: true)),
      .heading, gap: 2.5 * unit)
    stack.append(call, .ink)
    return stack
  }

  /// Adds the logo above everything, no larger than suits the headline.
  func appendLogo(to stack: inout WordStack, width: Double, isCentred: Bool) {
    guard let logo = content.logo else { return }
    stack.append(
      logo, within: (min(width, 50 * unit), 13 * unit), centredIn: isCentred ? width : nil,
      gap: 3.5 * unit)
  }

  /// The name of the place.
  func placeName(width: Double, alignment: TextAlignment) throws(TextError) -> ShapedText? {
    guard let place = content.placeName else { return nil }
    return try words(
      place,
      Setting(
        size: 4.5 * unit, weight: 700, width: width, height: 12 * unit, lines: 2,
        alignment: alignment))
  }

  /// The address and the code's name, for people who cannot scan and for maintenance.
  func smallPrint(width: Double, alignment: TextAlignment) throws(TextError) -> WordStack {
    var stack = WordStack()
    let size = max(2.3 * unit, Self.smallestSize)
    if let address = content.address {
      stack.append(
        try words(
          address.text,
          Setting(
            size: size, width: width, lines: 3, alignment: alignment, breaksWords: true)),
        .link(address.link), gap: 0.3 * unit)
    }
    if let name = content.codeName {
      stack.append(
        try words(
          name,
          Setting(
            size: max(1.7 * unit, Self.smallestSize), width: width, lines: 2,
            alignment: alignment, breaksWords: true)),
        .ink)
    }
    return stack
  }
}

extension DrawingPath {
  /// A quarter of a circle above its centre.
  fileprivate static func arcAbove(_ centre: DrawingPoint, radius: Double) -> DrawingPath {
    let side = radius / 2.0.squareRoot()
    // Control points are offset from the ends along the tangents (4/3 · tan 22.5° of the radius).
    let pull = radius * 0.552_284_749_8 / 2.0.squareRoot()
    let (start, end) = (
      DrawingPoint(x: centre.x - side, y: centre.y - side),
      DrawingPoint(x: centre.x + side, y: centre.y - side)
    )
    return DrawingPath([
      .move(start),
      .curve(
        DrawingPoint(x: start.x + pull, y: start.y - pull),
        DrawingPoint(x: end.x - pull, y: end.y - pull), end),
    ])
  }
}

extension String {
  /// The text without leading and trailing spaces.
  fileprivate var trimmedSpaces: String {
    let start = drop { $0 == " " }
    let end = start.lastIndex { $0 != " " }.map(start.index(after:)) ?? start.startIndex
    return String(start[..<end])
  }
}

extension CodeDrawingError {
  fileprivate static func noRoom(_ width: Double, most: Double) -> CodeDrawingError {
    CodeDrawingError(
      .noRoom, "The poster has no room for a code of \(asGiven(width)) mm.",
      hint: "Give a width of \(atMost(most)) mm or less, a larger paper, or fewer words.")
  }
}

/// Texts, and a logo, above each other.
struct WordStack {
  /// The purpose of a text, which determines its colour.
  enum Kind { case ink, accent, heading, link(String) }

  private enum Part {
    case text(ShapedText, Kind)
    case logo(LogoPicture, width: Double, height: Double, offset: Double)
  }

  private(set) var height = 0.0
  private var parts: [(part: Part, top: Double)] = []
  private var gap = 0.0

  /// Adds a text below, and the gap before the next part; an empty text takes no room.
  mutating func append(_ text: ShapedText, _ kind: Kind, gap: Double = 0) {
    guard !text.isEmpty else { return }
    append(.text(text, kind), height: text.height, gap: gap)
  }

  /// Adds a logo in the largest size that fits.
  ///
  /// - Parameters:
  ///   - size: The maximum size.
  ///   - room: The width that it is centred in, or nil to set it flush.
  mutating func append(
    _ logo: LogoPicture, within size: (width: Double, height: Double), centredIn room: Double?,
    gap: Double
  ) {
    let scale = min(size.width / Double(logo.width), size.height / Double(logo.height))
    let (width, height) = (Double(logo.width) * scale, Double(logo.height) * scale)
    let offset = room.map { ($0 - width) / 2 } ?? 0
    append(.logo(logo, width: width, height: height, offset: offset), height: height, gap: gap)
  }

  private mutating func append(_ part: Part, height: Double, gap: Double) {
    let top = parts.isEmpty ? 0 : self.height + self.gap
    parts.append((part, top))
    self.height = top + height
    self.gap = gap
  }

  func add(
    to canvas: inout PosterCanvas, x: Double, y: Double, _ ink: Colour, accent: Colour
  ) {
    for (part, top) in parts {
      switch part {
      case .text(let text, .ink): canvas.add(text, x: x, y: y + top, colour: ink)
      case .text(let text, .accent): canvas.add(text, x: x, y: y + top, colour: accent)
      case .text(let text, .heading):
        canvas.add(text, x: x, y: y + top, colour: ink, role: .heading)
      case .text(let text, .link(let link)):
        canvas.add(text, x: x, y: y + top, colour: ink, link: link)
      case .logo(let logo, let width, let height, let offset):
        canvas.add(
          logo, in: DrawingBox(x: x + offset, y: y + top, width: width, height: height))
      }
    }
  }

  func add(to canvas: inout PosterCanvas, x: Double, y: Double, colour: Colour) {
    add(to: &canvas, x: x, y: y, colour, accent: colour)
  }
}
