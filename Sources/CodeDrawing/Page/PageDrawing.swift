public import Basics

/// One page: shapes, codes and texts at their places, in millimetres from the top left corner of
/// the trimmed sheet.
///
/// What is added first lies below. The order is also the one in which the page is read aloud.
public struct PageDrawing: Hashable, Sendable {
  /// What stands on a page.
  public enum Element: Hashable, Sendable {
    /// A filled figure that only decorates.
    case shape(DrawingPath, Colour)
    /// A line along a figure that only decorates.
    case line(DrawingPath, LineStyle)
    /// A code with its quiet zone, by its top left corner.
    case code(CodeDrawing, DrawingPoint)
    /// An App Clip Code with its clear space, by its top left corner.
    case appClipCode(AppClipCodeDrawing, DrawingPoint)
    /// A picture, such as a logo, that fills a box.
    case picture(LogoPicture, DrawingBox)
    /// A photograph that fills a box, as far as it lies within another; `nil` for all of it.
    case photograph(JPEGPicture, DrawingBox, within: DrawingBox?)
    /// Words.
    case text(Words)
  }

  /// Words at their place.
  public struct Words: Hashable, Sendable {
    /// What words are in the order of the document.
    public enum Role: Hashable, Sendable {
      /// The words that say what the page is about.
      case heading
      /// All other words.
      case paragraph
    }

    /// The words, set in lines.
    public var text: ShapedText
    /// The top left corner of the block.
    public var corner: DrawingPoint
    /// The colour of the letters.
    public var colour: Colour
    /// What they are in the document.
    public var role: Role
    /// Where they lead when somebody selects them, or nil.
    public var link: String?

    /// Places words.
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

    /// The block that the words take.
    package var box: DrawingBox {
      DrawingBox(x: corner.x, y: corner.y, width: text.width, height: text.height)
    }
  }

  /// How a line is drawn.
  public struct LineStyle: Hashable, Sendable {
    /// In millimetres.
    public var width: Double
    /// The colour.
    public var colour: Colour
    /// The lengths of dashes and gaps by turns, in millimetres; empty for a line without gaps.
    public var dashes: [Double]
    /// Whether its ends are half circles around the points where it begins and ends.
    public var hasRoundEnds: Bool

    /// Describes a line.
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
  /// How far the drawing goes on beyond every edge, for the knife to cut through it.
  public var bleed: Double
  /// Whether marks beyond the corners show where to cut.
  public var hasCropMarks: Bool
  /// What stands on it.
  public var elements: [Element] = []

  /// An empty page.
  ///
  /// - Parameters:
  ///   - width: the width of the trimmed page in millimetres, above 0.
  ///   - height: its height.
  ///   - bleed: how far the drawing goes on beyond every edge, in millimetres; printers ask for 3.
  ///   - hasCropMarks: whether marks beyond the corners show where to cut.
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
    DrawingBox(x: 0, y: 0, width: width, height: height)
      .grown(by: hasCropMarks ? markDistance + Self.markLength : bleed)
  }

  /// The length of a crop mark.
  static let markLength = 5.0
  /// Marks are as thin as printers draw, a quarter of a point.
  static let markStyle = LineStyle(width: 0.25 * 25.4 / 72)

  /// How far a mark stands from the edge: it never prints on what may be left of the bleed.
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

  /// A length moved to the printer's nearest dot.
  package static func snapped(_ length: Double, dotsPerInch: Double) -> Double {
    (length * dotsPerInch / 25.4).rounded() * 25.4 / dotsPerInch
  }
}

extension PageDrawing.Element {
  /// What it says to those who cannot see it; nil for decoration.
  var description: String? {
    switch self {
    case .shape, .line: nil
    case .code(let code, _): code.sentence
    case .appClipCode(let code, _): code.sentence
    case .text(let words): words.text.text
    case .picture(let picture, _): picture.alternativeText
    case .photograph(let picture, _, _): picture.alternativeText
    }
  }
}
