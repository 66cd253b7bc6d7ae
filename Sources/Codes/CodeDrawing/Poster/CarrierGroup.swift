import AppClipCodes
import CliptagBasics
import QRSymbol

/// The codes of a poster and the ring for its tag in one arrangement.
///
/// Lengths are in millimetres from the top leading corner of ``bounds``.
struct CarrierGroup {
  /// The positions of codes and ring to each other.
  enum Arrangement {
    /// Beside each other.
    case row
    /// Above each other.
    case column
    /// The first above the two others.
    case pyramid
  }

  /// A code, or the ring with its caption.
  struct Part {
    enum Content {
      case qrCode
      case appClipCode
      case ring(diameter: Double, caption: ShapedText)
    }

    let content: Content
    /// The box with its quiet zone or clear space.
    var box: DrawingBox
    /// The distances of the visible part from the edges of the box.
    let inset: (x: Double, y: Double)

    /// The box of the visible part.
    var ink: DrawingBox {
      DrawingBox(
        x: box.x + inset.x, y: box.y + inset.y, width: box.width - 2 * inset.x,
        height: box.height - 2 * inset.y)
    }
  }

  private(set) var parts: [Part]
  /// The size with the quiet zones.
  let bounds: (width: Double, height: Double)
  /// The box around the visible parts.
  let ink: DrawingBox
  /// The diameter of the App Clip Code; `nil` without one.
  let diameter: Double?

  /// Arranges parts, whose boxes have their sizes only.
  ///
  /// - Parameters:
  ///   - parts: The parts in reading order, at least one.
  ///   - gap: The gap before a ring, in addition to the quiet zone of the part before it.
  ///   - isFlush: Whether the visible parts of a column begin at one edge; otherwise they have one
  ///     axis.
  init(
    _ parts: [Part], _ arrangement: Arrangement, gap: Double, isFlush: Bool, diameter: Double?
  ) {
    var rows: [[Part]] =
      switch arrangement {
      case .row: [parts]
      case .column: parts.map { [$0] }
      case .pyramid: [[parts[0]], Array(parts.dropFirst())]
      }
    var top = 0.0
    for row in rows.indices {
      if row > 0, case .ring = rows[row][0].content { top += gap }
      let height = rows[row].map(\.box.height).max() ?? 0
      var x = 0.0
      for index in rows[row].indices {
        if index > 0, case .ring = rows[row][index].content { x += gap }
        rows[row][index].box.x = x
        rows[row][index].box.y = top + (height - rows[row][index].box.height) / 2
        x = rows[row][index].box.right
      }
      // The visible part of every row is at one edge, or on one axis.
      let ink = DrawingBox(around: rows[row].map(\.ink))
      let shift = isFlush ? ink.x : ink.centre.x
      for index in rows[row].indices { rows[row][index].box.x -= shift }
      top += height
    }
    let placed = rows.flatMap { $0 }
    let box = DrawingBox(around: placed.map(\.box))
    self.parts = placed.map { part in
      var part = part
      part.box.x -= box.x
      return part
    }
    bounds = (box.width, box.height)
    ink = DrawingBox(around: self.parts.map(\.ink))
    self.diameter = diameter
  }
}

extension DrawingBox {
  /// The smallest box around boxes, of which there is at least one.
  fileprivate init(around boxes: [DrawingBox]) {
    let left = boxes.map(\.x).min() ?? 0
    let top = boxes.map(\.y).min() ?? 0
    self.init(
      x: left, y: top, width: (boxes.map(\.right).max() ?? 0) - left,
      height: (boxes.map(\.bottom).max() ?? 0) - top)
  }
}

// MARK: Its size on a poster

extension PosterCanvas {
  /// The diameter of the ring, and its gap, as parts of the code's side.
  private static let target = (diameter: 0.6, gap: 0.1)
  /// The maximum diameter of the ring, in millimetres, on any page: a phone finds a tag within the
  /// width of a phone, so a larger ring would not locate the tag.
  private static let largestTarget = 60.0
  /// The side of an App Clip Code below a QR code, as a part of the QR code's.
  private static let sideBelow = 0.75

  /// Makes the group of codes and ring.
  ///
  /// - Parameters:
  ///   - side: The maximum side of a code.
  ///   - setting: The setting of the ring's caption, with the maximum width.
  ///   - isFlush: Whether the visible parts begin at one edge.
  ///   - ground: The colour around the codes.
  /// - Throws: ``TextError`` for a caption without room, and ``CodeDrawingError`` for a QR code
  ///   below the printer's dots.
  func carriers(
    _ arrangement: CarrierGroup.Arrangement, side: Double, caption setting: Setting, isFlush: Bool,
    ground: Colour
  ) throws -> CarrierGroup {
    let part = arrangement == .pyramid ? Self.sideBelow : 1
    let below = side * part
    var parts: [CarrierGroup.Part] = []
    if hasQRCode {
      let size = try CodeSize(qrSize(side: side), for: symbol)
      let isSeen = request.codeColours.background != ground
      let quiet = isSeen ? 0 : Double(CodeSize.quietZoneModules) * size.moduleSize
      parts.append(
        CarrierGroup.Part(
          content: .qrCode, box: DrawingBox(x: 0, y: 0, width: size.width, height: size.width),
          inset: (quiet, quiet)))
    }
    var diameter: Double?
    if let appClipCode {
      let most = AppClipCodeDrawing.side(ofDiameter: 1, of: appClipCode)
      let across = below / most
      let size = AppClipCodeDrawing.size(ofDiameter: across, of: appClipCode)
      let clear = across * AppClipCodeDrawing.clearSpacePart
      parts.append(
        CarrierGroup.Part(
          content: .appClipCode,
          box: DrawingBox(x: 0, y: 0, width: size.width, height: size.height),
          inset: (clear, clear)))
      diameter = across
    }
    if hasRing {
      parts.append(try ring(side: below, setting, isInRow: arrangement != .column))
    }
    return CarrierGroup(
      parts, arrangement, gap: side * (arrangement == .row ? Self.target.gap : 0.03),
      isFlush: isFlush, diameter: diameter)
  }

  /// The ring and its caption below it, no higher than the code beside it if that is possible.
  private func ring(side: Double, _ setting: Setting, isInRow: Bool) throws -> CarrierGroup.Part {
    let diameter = min(side * Self.target.diameter, Self.largestTarget)
    let gap = 1.5 * unit
    let text = content.targetCaption ?? ""
    var shaped: ShapedText?
    for width in isInRow ? [1.15, 1.5, 2] : [] {
      var narrow = setting
      narrow.width = min(width * diameter, setting.width)
      // Two lines below a ring are better than three, and little smaller letters than wide lines.
      narrow.lines = width < 2 ? 2 : setting.lines
      narrow.leastSize = setting.size / 1.5
      shaped = try? words(text, narrow)
      if let shaped, diameter + gap + shaped.height <= side { break }
    }
    let caption = try shaped ?? words(text, setting)
    let height = diameter + (caption.isEmpty ? 0 : gap + caption.height)
    return CarrierGroup.Part(
      content: .ring(diameter: diameter, caption: caption),
      box: DrawingBox(x: 0, y: 0, width: max(diameter, caption.inkWidth), height: height),
      inset: (0, 0))
  }

  private func qrSize(side: Double) -> CodeSize.Request {
    var size = request.codeSize
    if size.moduleSize == nil { size.width = side }
    return size
  }

  // MARK: Placing it

  /// Places the codes, then the ring with its caption.
  ///
  /// - Parameter corner: The top leading corner of its bounds.
  mutating func add(_ group: CarrierGroup, at corner: DrawingPoint, captionColour: Colour) throws {
    for part in group.parts {
      let box = part.box.moved(right: corner.x, down: corner.y)
      switch part.content {
      case .qrCode: try addQRCode(in: box)
      case .appClipCode: try addAppClipCode(in: box, diameter: group.diameter ?? 0)
      case .ring(let diameter, let caption):
        addTarget(
          DrawingBox(
            x: box.centre.x - diameter / 2, y: box.y, width: diameter, height: diameter),
          colour: captionColour)
        add(
          caption, x: box.centre.x - caption.width / 2, y: box.bottom - caption.height,
          colour: captionColour)
      }
    }
  }

  /// Places the QR code on the printer's dots.
  private mutating func addQRCode(in box: DrawingBox) throws {
    let code = try CodeDrawing(
      symbol, size: qrSize(side: box.width), colours: request.codeColours)
    var box = mirrored(box)
    let dpi = request.codeSize.dotsPerInch
    box.x = PageDrawing.snapped(box.x, dotsPerInch: dpi)
    box.y = PageDrawing.snapped(box.y, dotsPerInch: dpi)
    page.elements.append(.code(code, DrawingPoint(x: box.x, y: box.y)))
    placedCode = (code, box)
  }

  /// Places the App Clip Code, and the target in the middle of its disc if its tag is there.
  private mutating func addAppClipCode(in box: DrawingBox, diameter: Double) throws {
    guard let appClipCode else { return }
    let drawing = try AppClipCodeDrawing(appClipCode, diameter: diameter)
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
