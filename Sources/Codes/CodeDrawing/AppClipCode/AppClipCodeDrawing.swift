public import AppClipCodes
import CliptagBasics
import CliptagPlatform

/// An App Clip Code at a printed size, as Apple's tools made it: every arc, outline and colour of
/// the file, scaled, with its clear space.
///
/// A code with badge is drawn with it, in the proportions of its file: 900 × 1100 units, of which the
/// disc takes 800. Nothing is painted in the clear space. The disc is the code's own ground: it may be placed on a
/// light or a dark page, and gets no outline if the colours are similar.
public struct AppClipCodeDrawing: Hashable, Sendable {
  /// The code.
  public let code: AppClipCode
  /// The diameter of the disc, in millimetres; a badge around it is larger.
  public let diameter: Double

  /// The minimum diameter in print, in millimetres: three quarters of an inch (Human Interface
  /// Guidelines, App Clip Codes).
  public static let leastDiameter = 19.0
  /// The minimum diameter around a tag, in millimetres: the tag in its middle measures 35 mm or has
  /// the same area (Human Interface Guidelines, App Clip Codes: 3.48 cm).
  public static let leastDiameterAroundTag = 34.8
  /// The clear space on each side, as a part of the diameter.
  ///
  /// Apple's guidelines ask for clear space. A tenth is nearly twice the distance of two rings
  /// (46.9 of the 800 units of a file), so that no object is as near to the disc as one ring is to
  /// the next.
  public static let clearSpacePart = 0.1
  /// The distance, in diameters, at which a phone reads a code reliably. Apple's guidelines name
  /// ratios of 1 : 20 to 1 : 40 of diameter to distance.
  static let safeRatio = 20.0
  /// The distance, in diameters, at which reading ends.
  static let largestRatio = 40.0
  /// The diameter of the tag in the middle of a code of the kind `nfc`, in millimetres.
  static let tagDiameter = 35.0

  /// Draws a code at a size.
  ///
  /// - Parameters:
  ///   - code: The code, from Apple's tools.
  ///   - diameter: The diameter of the disc, in millimetres, without the clear space.
  /// - Throws: ``CodeDrawingError`` with code `app-clip-code-too-small` below 19 mm, or 34.8 mm
  ///   around a tag; `size-too-large` beyond the largest page; `invalid-size` for an invalid
  ///   number.
  public init(_ code: AppClipCode, diameter: Double) throws(CodeDrawingError) {
    guard diameter.isFinite, diameter > 0 else { throw .invalidSize("diameter", diameter) }
    let least = Self.leastDiameter(of: code)
    guard diameter >= least - 1e-9 else {
      throw .appClipCodeTooSmall(
        diameter, least: least, leastSide: Self.side(ofDiameter: least, of: code),
        isAroundTag: code.kind == .nfc)
    }
    guard Self.side(ofDiameter: diameter, of: code) <= CodeSize.largestWidth else {
      throw .widthTooLarge(diameter)
    }
    self.code = code
    self.diameter = diameter
  }

  /// Draws a code in a square.
  ///
  /// - Parameters:
  ///   - code: The code.
  ///   - side: The side of the square that holds the code with its clear space, in millimetres.
  public init(_ code: AppClipCode, side: Double) throws(CodeDrawingError) {
    try self.init(code, diameter: side / Self.side(ofDiameter: 1, of: code))
  }

  /// The minimum diameter of a code in print, in millimetres.
  public static func leastDiameter(of code: AppClipCode) -> Double {
    code.kind == .nfc ? leastDiameterAroundTag : leastDiameter
  }

  /// The drawing in units of its file: the square of the disc alone, or the badge with the disc.
  private static func box(ofLockup hasLockup: Bool) -> DrawingBox {
    let lockup = AppClipCode.lockupBox
    return hasLockup
      ? DrawingBox(x: lockup.x, y: lockup.y, width: lockup.width, height: lockup.height)
      : DrawingBox(
        x: 0, y: 0, width: 2 * AppClipCodeRing.discRadius, height: 2 * AppClipCodeRing.discRadius)
  }

  /// The side of the square that holds a code of a diameter with its clear space.
  ///
  /// - Parameter hasLockup: Whether the disc lies on a badge with words below it.
  static func side(ofDiameter diameter: Double, hasLockup: Bool) -> Double {
    let box = box(ofLockup: hasLockup)
    return diameter
      * (max(box.width, box.height) / (2 * AppClipCodeRing.discRadius) + 2 * clearSpacePart)
  }

  /// The side of the square that holds a code of a diameter with its clear space.
  static func side(ofDiameter diameter: Double, of code: AppClipCode) -> Double {
    side(ofDiameter: diameter, hasLockup: code.hasLockup)
  }

  /// The size of a code of a diameter with its clear space.
  static func size(
    ofDiameter diameter: Double, of code: AppClipCode
  ) -> (width: Double, height: Double) {
    let box = box(ofLockup: code.hasLockup)
    let scale = diameter / (2 * AppClipCodeRing.discRadius)
    let clear = 2 * diameter * clearSpacePart
    return (box.width * scale + clear, box.height * scale + clear)
  }

  /// The millimetres of a unit of the file.
  private var scale: Double { diameter / (2 * AppClipCodeRing.discRadius) }
  private var box: DrawingBox { Self.box(ofLockup: code.hasLockup) }
  /// The clear space on each side of the drawing, in millimetres.
  public var clearSpace: Double { diameter * Self.clearSpacePart }
  /// The width with the clear space, in millimetres.
  public var width: Double { box.width * scale + 2 * clearSpace }
  /// The height with the clear space, in millimetres; more than the width if there is a badge, whose
  /// words are below the disc.
  public var height: Double { box.height * scale + 2 * clearSpace }

  /// The box of the code with its clear space in the middle of a square.
  package func box(in square: DrawingBox) -> DrawingBox {
    DrawingBox(
      x: square.centre.x - width / 2, y: square.centre.y - height / 2, width: width,
      height: height)
  }

  /// The middle of the disc.
  ///
  /// - Parameter box: The code with its clear space.
  package func discCentre(in box: DrawingBox) -> DrawingPoint {
    let radius = AppClipCodeRing.discRadius
    return DrawingPoint(
      x: box.x + clearSpace + (code.discOffset.x + radius - self.box.x) * scale,
      y: box.y + clearSpace + (code.discOffset.y + radius - self.box.y) * scale)
  }

  /// The distance in millimetres from which phones read the code reliably.
  public var readingDistance: Double { diameter * Self.safeRatio }
  /// The distance in millimetres beyond which no phone is known to read it.
  public var largestReadingDistance: Double { diameter * Self.largestRatio }

  /// Refuses a distance from which the code is not read.
  func check(readingDistance wanted: Double?) throws(CodeDrawingError) {
    guard let wanted, wanted > largestReadingDistance else { return }
    throw .appClipCodeTooFar(
      wanted, diameter: diameter, sureDistance: readingDistance,
      neededDiameter: wanted / Self.safeRatio)
  }

  /// The box of the tag behind the middle of a code of the kind `nfc`; nil for other kinds.
  ///
  /// - Parameter box: The code with its clear space on a page.
  func tagBox(in box: DrawingBox) -> DrawingBox? {
    guard code.kind == .nfc else { return nil }
    let side = min(Self.tagDiameter, diameter)
    let centre = discCentre(in: box)
    return DrawingBox(x: centre.x - side / 2, y: centre.y - side / 2, width: side, height: side)
  }

  /// The text alternative of the code.
  var sentence: String {
    let way =
      code.kind == .nfc ? ", to hold an iPhone near or to scan: " : ", to scan with the camera: "
    return "App Clip Code" + way + code.payload
  }

  /// The elements of the code: shapes and lines only.
  ///
  /// - Parameter corner: The top left corner of the clear space on the page.
  package func elements(at corner: DrawingPoint) -> [PageDrawing.Element] {
    let centre = discCentre(
      in: DrawingBox(x: corner.x, y: corner.y, width: width, height: height))
    let square = DrawingPoint(x: centre.x - diameter / 2, y: centre.y - diameter / 2)
    let origin = DrawingPoint(
      x: square.x - code.discOffset.x * scale, y: square.y - code.discOffset.y * scale)
    var elements: [PageDrawing.Element] = (code.badge?.lockup ?? []).map { part in
      .shape(DrawingPath(part.outline).placed(at: origin, scale: scale), code.colours[part.fill])
    }
    elements += [
      .shape(
        .arc(centre: centre, radius: diameter / 2, from: 0, to: 360, isClosed: true),
        code.colours.background)
    ]
    for arc in code.pattern.arcs {
      let ring = AppClipCodeRing.all[arc.ring]
      let path = DrawingPath.arc(
        centre: centre, radius: ring.radius * scale, from: ring.start(of: arc.start) + ring.gap,
        to: ring.start(of: arc.start + arc.length) - ring.gap)
      let colour = arc.hasThirdColour ? code.colours.third : code.colours.foreground
      elements.append(
        .line(
          path,
          PageDrawing.LineStyle(
            width: AppClipCodeRing.strokeWidth * scale, colour: colour, hasRoundEnds: true)))
    }
    for part in code.badge?.parts ?? [] {
      elements.append(
        .shape(DrawingPath(part.outline).placed(at: square, scale: scale), code.colours[part.fill]))
    }
    return elements
  }

  /// A page with the code and its clear space.
  public var page: PageDrawing {
    var page = PageDrawing(width: width, height: height)
    page.elements = [.appClipCode(self, DrawingPoint(x: 0, y: 0))]
    return page
  }

  /// The bytes of a file with the code alone.
  ///
  /// - Parameters:
  ///   - format: The kind of file.
  ///   - dotsPerInch: The resolution of a PNG.
  ///   - creationTime: The creation time in a PDF, in seconds since 1970; nil to omit it.
  /// - Throws: `PictureError` or ``CodeDrawingError`` for a PNG that is too large or when librsvg
  ///   is missing.
  public func data(
    as format: DrawingFormat, dotsPerInch: Double = 600, creationTime: Int? = nil
  ) async throws -> [UInt8] {
    switch format {
    case .svg: return try page.svg(title: code.payload)
    case .eps: return try page.eps(title: code.payload)
    case .png: return try await page.png(title: code.payload, dotsPerInch: dotsPerInch)
    case .pdf:
      var writer = try PDFWriter(
        to: MemorySink(),
        information: .init(title: code.payload, creationTime: creationTime))
      try writer.add(page)
      return try writer.finished().bytes
    }
  }
}

extension AppClipCode {
  /// Refuses a code with another payload than the code beside it.
  ///
  /// - Parameter payload: The payload of the QR code or the tag beside it; compared byte for byte.
  /// - Throws: ``CodeDrawingError`` with code `different-payloads`.
  package func check(carries payload: String) throws(CodeDrawingError) {
    guard self.payload.utf8.elementsEqual(payload.utf8) else {
      throw .differentPayloads(appClipCode: self.payload, other: payload)
    }
  }
}

extension DrawingPath {
  /// A part of a circle, clockwise, as cubic curves of at most 30° each, which deviate by at most
  /// two millionths of the radius.
  ///
  /// - Parameters:
  ///   - centre: The middle of the circle.
  ///   - radius: Its radius.
  ///   - from: The start, in degrees clockwise from the right.
  ///   - to: The end, at least `from`.
  ///   - isClosed: Whether its end is joined to its start.
  package static func arc(
    centre: DrawingPoint, radius: Double, from start: Double, to end: Double,
    isClosed: Bool = false
  ) -> DrawingPath {
    let count = max(1, Int(bounded: ((end - start) / 30).rounded(.up)))
    let step = (end - start) / Double(count) * .pi / 180
    let pull = 4 / 3 * tan(step / 4) * radius
    func point(_ angle: Double) -> DrawingPoint {
      DrawingPoint(x: centre.x + radius * cos(angle), y: centre.y + radius * sin(angle))
    }
    func pulled(_ angle: Double, _ length: Double) -> DrawingPoint {
      let point = point(angle)
      return DrawingPoint(x: point.x - length * sin(angle), y: point.y + length * cos(angle))
    }
    let first = start * .pi / 180
    var path = DrawingPath([.move(point(first))])
    for index in 0..<count {
      let angle = first + Double(index) * step
      path.steps.append(
        .curve(pulled(angle, pull), pulled(angle + step, -pull), point(angle + step)))
    }
    if isClosed { path.steps.append(.close) }
    return path
  }

  /// An outline of a badge, in units of its file.
  fileprivate init(_ outline: BadgePath) {
    func point(_ point: BadgePath.Point) -> DrawingPoint { DrawingPoint(x: point.x, y: point.y) }
    self.init(
      outline.steps.map { step in
        switch step {
        case .move(let end): .move(point(end))
        case .line(let end): .line(point(end))
        case .curve(let first, let second, let end):
          .curve(point(first), point(second), point(end))
        case .close: .close
        }
      })
  }
}

extension CodeDrawingError {
  fileprivate static func appClipCodeTooSmall(
    _ diameter: Double, least: Double, leastSide: Double, isAroundTag: Bool
  ) -> CodeDrawingError {
    CodeDrawingError(
      .appClipCodeTooSmall,
      "An App Clip Code of \(atMost(diameter)) mm is too small: in print, Apple's guidelines require "
        + "\(asGiven(least)) mm or more\(isAroundTag ? " around a tag" : "").",
      hint: "Give it a diameter of \(asGiven(least)) mm or more; it then needs "
        + "\(atLeast(leastSide)) mm with its clear space.")
  }

  fileprivate static func appClipCodeTooFar(
    _ distance: Double, diameter: Double, sureDistance: Double, neededDiameter: Double
  ) -> CodeDrawingError {
    CodeDrawingError(
      .tooFar,
      "No phone reads an App Clip Code of \(atMost(diameter)) mm from \(asGiven(distance)) mm.",
      hint: "Give it a diameter of \(atLeast(neededDiameter)) mm, or read it from "
        + "\(atMost(sureDistance)) mm.")
  }

  static func differentPayloads(appClipCode: String, other: String) -> CodeDrawingError {
    CodeDrawingError(
      .differentPayloads,
      "The App Clip Code has \(appClipCode), but the code beside it has \(other).",
      hint: "Use the App Clip Code of this URL, or the URL of this code: all codes of a sign need "
        + "exactly the same URL.")
  }
}
