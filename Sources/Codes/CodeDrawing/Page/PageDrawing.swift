import AppClipCodes
public import CliptagBasics

/// One page: shapes, codes and texts at their positions, in millimetres from the top left corner of
/// the trimmed sheet.
///
/// Elements added first are below the others. The order is also the reading order.
public struct PageDrawing: Hashable, Sendable {
  /// An element of a page.
  public indirect enum Element: Hashable, Sendable {
    /// A filled decorative figure.
    case shape(DrawingPath, Colour)
    /// A decorative line along a figure.
    case line(DrawingPath, LineStyle)
    /// A code with its quiet zone, by its top left corner.
    case code(CodeDrawing, DrawingPoint)
    /// An App Clip Code with its clear space, by its top left corner.
    case appClipCode(AppClipCodeDrawing, DrawingPoint)
    /// A picture, such as a logo, that fills a box.
    case picture(LogoPicture, DrawingBox)
    /// A text.
    case text(Words)
    /// Elements of a drawing, turned and mirrored as one.
    case group([Element], PagePlacement)
    /// Elements of which the part in a box is shown.
    case clipped([Element], DrawingBox)
  }

  /// A text at its position.
  public struct Words: Hashable, Sendable {
    /// The role of a text in the document.
    public enum Role: Hashable, Sendable {
      /// The heading of the page.
      case heading
      /// Any other text.
      case paragraph
    }

    /// The text, set in lines.
    public var text: ShapedText
    /// The top left corner of the block.
    public var corner: DrawingPoint
    /// The colour of the letters.
    public var colour: Colour
    /// The role in the document.
    public var role: Role
    /// The target of the link, or nil.
    public var link: String?

    /// Makes a text at a position.
    public init(
      text: ShapedText, corner: DrawingPoint, colour: Colour = .black, role: Role = .paragraph,
      link: String? = nil
    ) {
      self.text = text
      self.corner = corner
      self.colour = colour
      self.role = role
      self.link = link
    }

    /// The box of the text.
    package var box: DrawingBox {
      DrawingBox(x: corner.x, y: corner.y, width: text.width, height: text.height)
    }
  }

  /// The style of a line.
  public struct LineStyle: Hashable, Sendable {
    /// The width in millimetres.
    public var width: Double
    /// The colour.
    public var colour: Colour
    /// The lengths of dashes and gaps, alternately, in millimetres; empty for a solid line.
    public var dashes: [Double]
    /// Whether its ends are half circles around its end points.
    public var hasRoundEnds: Bool

    /// Makes a line style.
    public init(
      width: Double, colour: Colour = .black, dashes: [Double] = [], hasRoundEnds: Bool = false
    ) {
      self.width = width
      self.colour = colour
      self.dashes = dashes
      self.hasRoundEnds = hasRoundEnds
    }
  }

  /// The width of the trimmed page.
  public let width: Double
  /// The height of the trimmed page.
  public let height: Double
  /// The distance by which the drawing extends beyond every edge, for trimming.
  public var bleed: Double
  /// Whether marks beyond the corners indicate the cuts.
  public var hasCropMarks: Bool
  /// The elements.
  public var elements: [Element] = []
  /// The whole sheet where it does not follow from bleed and marks: that of the artwork that the
  /// page is laid over.
  package var sheet: DrawingBox?

  /// Makes an empty page.
  ///
  /// - Parameters:
  ///   - width: The width of the trimmed page in millimetres, above 0.
  ///   - height: Its height.
  ///   - bleed: The distance by which the drawing extends beyond every edge, in millimetres;
  ///     printers ask for 3.
  ///   - hasCropMarks: Whether marks beyond the corners indicate the cuts.
  public init(width: Double, height: Double, bleed: Double = 0, hasCropMarks: Bool = false) {
    self.width = width
    self.height = height
    self.bleed = bleed
    self.hasCropMarks = hasCropMarks
  }

  /// The page with its bleed.
  public var bleedBox: DrawingBox {
    DrawingBox(x: 0, y: 0, width: width, height: height).grown(by: bleed)
  }

  /// The whole sheet, with the bleed and the room for crop marks.
  public var mediaBox: DrawingBox {
    sheet
      ?? DrawingBox(x: 0, y: 0, width: width, height: height)
      .grown(by: hasCropMarks ? markDistance + Self.markLength : bleed)
  }

  /// The length of a crop mark.
  static let markLength = 5.0
  /// The style of marks: as thin as printers draw, a quarter of a point, and on every plate.
  var markStyle: LineStyle { LineStyle(width: Self.markWidth, colour: markColour) }
  /// The width of marks.
  static let markWidth = 0.25 * 25.4 / 72

  /// The distance of a mark from the edge, which keeps it off the bleed.
  private var markDistance: Double { max(bleed, 3) }

  /// Two marks beyond every corner.
  var cropMarks: [DrawingPath] {
    guard hasCropMarks else { return [] }
    let (near, far) = (markDistance, markDistance + Self.markLength)
    var marks: [DrawingPath] = []
    for (edge, outwards) in [(0, -1.0), (1, 1.0)] {
      for (x, y) in [(edge == 0 ? 0 : width, 0.0), (edge == 0 ? 0 : width, 1.0)] {
        let down = y == 0 ? -1.0 : 1.0
        let corner = DrawingPoint(x: x, y: y * height)
        marks.append(
          .segment(
            from: DrawingPoint(x: corner.x + outwards * near, y: corner.y),
            to: DrawingPoint(x: corner.x + outwards * far, y: corner.y)))
        marks.append(
          .segment(
            from: DrawingPoint(x: corner.x, y: corner.y + down * near),
            to: DrawingPoint(x: corner.x, y: corner.y + down * far)))
      }
    }
    return marks
  }

  /// A length rounded to the printer's nearest dot.
  package static func snapped(_ length: Double, dotsPerInch: Double) -> Double {
    (length * dotsPerInch / 25.4).rounded() * 25.4 / dotsPerInch
  }
}

extension PageDrawing.Element {
  /// The box that the element marks, with some reserve for letters that leave theirs; `nil` for an
  /// empty one.
  package var markedBox: DrawingBox? {
    switch self {
    case .shape(let path, _): path.bounds
    case .line(let path, let style): path.bounds?.grown(by: style.width)
    case .code(let code, let corner):
      DrawingBox(x: corner.x, y: corner.y, width: code.size.width, height: code.size.width)
    case .appClipCode(let code, let corner):
      DrawingBox(x: corner.x, y: corner.y, width: code.width, height: code.height)
    case .picture(_, let box): box
    case .text(let words):
      words.box.grown(by: words.text.lines.first?.runs.first.map { $0.size / 2 } ?? 0)
    case .group(_, let placement): placement.box
    case .clipped(_, let box): box
    }
  }

  /// The element, or the elements of a group without their placement.
  package var parts: [PageDrawing.Element] {
    switch self {
    case .group(let elements, _), .clipped(let elements, _): elements.flatMap(\.parts)
    default: [self]
    }
  }

  /// The element with its links as plain text.
  var withoutLink: PageDrawing.Element {
    switch self {
    case .text(var words):
      words.link = nil
      return .text(words)
    case .group(let elements, let placement): return .group(elements.map(\.withoutLink), placement)
    case .clipped(let elements, let box): return .clipped(elements.map(\.withoutLink), box)
    default: return self
    }
  }

  /// Whether it has neither colours nor pictures.
  var isPlain: Bool {
    parts.allSatisfy { part in
      switch part {
      case .shape(_, let colour): colour.isBlackInkOnly
      case .picture: false
      default: true
      }
    }
  }

  /// The text alternative of the element; nil for decoration.
  var description: String? {
    switch self {
    case .shape, .line: nil
    case .code(let code, _): code.sentence
    case .appClipCode(let code, _): code.sentence
    case .text(let words): words.text.text
    case .picture(let picture, _): picture.alternativeText
    case .group(let elements, _), .clipped(let elements, _):
      elements.compactMap(\.description).joined(separator: "\n")
    }
  }
}

extension PageDrawing {
  /// The page with its links as plain text.
  var withoutLinks: PageDrawing {
    var copy = self
    copy.elements = elements.map(\.withoutLink)
    return copy
  }

  /// The colours of its shapes, lines, codes and texts, and of its marks.
  var colours: [Colour] {
    elementColours + (hasCropMarks ? [markColour] : [])
  }

  private var elementColours: [Colour] {
    elements.flatMap(\.parts).flatMap { element -> [Colour] in
      switch element {
      case .shape(_, let colour): [colour]
      case .line(_, let style): [style.colour]
      case .code(let code, _): [code.colours.foreground, code.colours.background]
      case .appClipCode(let code, _):
        [code.code.colours.foreground, code.code.colours.background, code.code.colours.third]
      case .text(let words): [words.colour]
      case .picture, .group, .clipped: []
      }
    }
  }

  /// The pictures on it and in its codes.
  var pictures: [LogoPicture] {
    elements.flatMap(\.parts).compactMap { element in
      switch element {
      case .picture(let picture, _): picture
      case .code(let code, _): code.logo?.picture
      case .shape, .line, .appClipCode, .text, .group, .clipped: nil
      }
    }
  }

  /// The colour of marks: black on a page that prints with black ink only, otherwise that of all
  /// inks.
  package var markColour: Colour {
    let isBlackOnly =
      elementColours.allSatisfy(\.isBlackInkOnly) && pictures.allSatisfy(\.isGrey)
    return isBlackOnly ? .black : .registration
  }
}

extension BidirectionalCollection<PageDrawing.Element> {
  /// The colour of the highest shape at a point; `nil` for none.
  func ground(at point: DrawingPoint) -> Colour? {
    for case .shape(let path, let colour) in reversed()
    where path.bounds?.contains(point) == true {
      return colour
    }
    return nil
  }
}

extension PageDrawing.Words {
  /// Whether it is black on colours, which then go on beneath it: else paper would show where
  /// plates are not exactly above each other.
  ///
  /// - Parameters:
  ///   - elements: What is beneath it.
  ///   - isOverColours: Whether what is beneath those may have colours.
  func overprints(_ elements: ArraySlice<PageDrawing.Element>, isOverColours: Bool) -> Bool {
    guard colour == .black else { return false }
    for element in elements.reversed() {
      guard let box = element.markedBox, box.meets(self.box) else { continue }
      if !element.isPlain { return true }
      if case .shape = element, box.contains(self.box) { return false }
    }
    return isOverColours
  }
}

extension Colour {
  /// Whether it is a grey, which every format prints with black ink only.
  var isBlackInkOnly: Bool { inks == nil && isGrey }

  /// The colour of all inks, for marks that are on every plate (ISO 32000-1, 8.6.6.4).
  static let registration = Colour(
    Inks(cyan: 1, magenta: 1, yellow: 1, black: 1, spot: "All"))
}
