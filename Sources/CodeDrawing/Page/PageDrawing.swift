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
    /// A picture, such as a logo, that fills a box.
    case picture(LogoPicture, DrawingBox)
    /// A photograph that fills a box.
    case photograph(JPEGPicture, DrawingBox)
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

    /// Describes a line.
    public init(width: Double, colour: Colour = .black, dashes: [Double] = []) {
      self.width = width
      self.colour = colour
      self.dashes = dashes
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
}

extension PageDrawing.Element {
  /// What it says to those who cannot see it; nil for decoration.
  var description: String? {
    switch self {
    case .shape, .line: nil
    case .code(let code, _): code.sentence
    case .text(let words): words.text.text
    case .picture(let picture, _): picture.alternativeText
    case .photograph(let picture, _): picture.alternativeText
    }
  }
}

extension DrawingPath {
  /// A straight line.
  package static func segment(from start: DrawingPoint, to end: DrawingPoint) -> DrawingPath {
    DrawingPath([.move(start), .line(end)])
  }
}

/// A figure of straight lines and curves; what lies inside is told by the nonzero winding rule.
///
/// On a page, lengths are millimetres from the top left corner of the trimmed sheet; in a glyph,
/// parts of the em from the origin on the baseline. Down is positive in both.
public struct DrawingPath: Hashable, Sendable {
  /// One step of the pen.
  public enum Step: Hashable, Sendable {
    /// Begins a new figure.
    case move(DrawingPoint)
    /// A straight line.
    case line(DrawingPoint)
    /// A cubic Bézier curve with its two control points and its end.
    case curve(DrawingPoint, DrawingPoint, DrawingPoint)
    /// A straight line back to where the figure began.
    case close
  }

  /// The steps in order.
  public var steps: [Step]

  /// Makes a path.
  public init(_ steps: [Step] = []) { self.steps = steps }

  /// The path scaled about the origin, then moved.
  package func placed(at origin: DrawingPoint, scale: Double = 1) -> DrawingPath {
    func place(_ point: DrawingPoint) -> DrawingPoint {
      DrawingPoint(x: origin.x + point.x * scale, y: origin.y + point.y * scale)
    }
    return DrawingPath(
      steps.map { step in
        switch step {
        case .move(let point): .move(place(point))
        case .line(let point): .line(place(point))
        case .curve(let first, let second, let end): .curve(place(first), place(second), place(end))
        case .close: .close
        }
      })
  }
}

extension DrawingPath {
  /// How far the control points of a quarter of a circle stand from its ends, in radii.
  private static let quarter = 0.552_284_749_8

  /// A rectangle, its corners rounded by a radius of at most half its shorter side.
  public static func rectangle(_ box: DrawingBox, cornerRadius: Double = 0) -> DrawingPath {
    let radius = min(cornerRadius, box.width / 2, box.height / 2)
    guard radius > 0 else {
      return DrawingPath([
        .move(DrawingPoint(x: box.x, y: box.y)), .line(DrawingPoint(x: box.right, y: box.y)),
        .line(DrawingPoint(x: box.right, y: box.bottom)),
        .line(DrawingPoint(x: box.x, y: box.bottom)), .close,
      ])
    }
    // A corner is a quarter of a circle between a point before it and a point behind it.
    let corners = [
      (DrawingPoint(x: box.right, y: box.y), (-1.0, 0.0), (0.0, 1.0)),
      (DrawingPoint(x: box.right, y: box.bottom), (0, -1), (-1, 0)),
      (DrawingPoint(x: box.x, y: box.bottom), (1, 0), (0, -1)),
      (DrawingPoint(x: box.x, y: box.y), (0, 1), (1, 0)),
    ]
    var path = DrawingPath([.move(DrawingPoint(x: box.x + radius, y: box.y))])
    for (corner, before, behind) in corners {
      func away(_ direction: (Double, Double), _ distance: Double) -> DrawingPoint {
        DrawingPoint(x: corner.x + direction.0 * distance, y: corner.y + direction.1 * distance)
      }
      path.steps.append(.line(away(before, radius)))
      path.steps.append(
        .curve(
          away(before, radius * (1 - quarter)), away(behind, radius * (1 - quarter)),
          away(behind, radius)))
    }
    path.steps.append(.close)
    return path
  }

  /// A circle.
  public static func circle(centre: DrawingPoint, radius: Double) -> DrawingPath {
    rectangle(
      DrawingBox(
        x: centre.x - radius, y: centre.y - radius, width: 2 * radius, height: 2 * radius),
      cornerRadius: radius)
  }
}

/// How files of vectors hold a picture of pixels.
enum PictureMarkup {
  /// Appends an SVG element that fills a box with the bytes of a picture file.
  static func appendElement(
    _ bytes: [UInt8], type: StaticString, to file: inout ByteText, box: DrawingBox
  ) {
    file.append(
      """
      <image x="\(decimal(box.x))" y="\(decimal(box.y))" width="\(decimal(box.width))" \
      height="\(decimal(box.height))" preserveAspectRatio="none" \
      xlink:href="data:\(type);base64,
      """)
    file.append(base64(bytes))
    file.append("\"/>\n")
  }

  /// Appends the beginning of PostScript level 2 that paints pixels into a box, in a system that
  /// counts downwards; their data follow in hexadecimal.
  ///
  /// - Parameter filters: What else the data pass through.
  static func beginPostScript(
    to file: inout ByteText, box: DrawingBox, width: Int, height: Int, isGrey: Bool,
    filters: String = ""
  ) {
    file.append(
      """
      gsave \(decimal(box.x)) \(decimal(box.y)) translate
      \(decimal(box.width)) \(decimal(box.height)) scale
      /Device\(isGrey ? "Gray" : "RGB") setcolorspace
      << /ImageType 1 /Width \(width) /Height \(height) /BitsPerComponent 8
      /Decode [\(isGrey ? "0 1" : "0 1 0 1 0 1")] /ImageMatrix [\(width) 0 0 \(height) 0 0]
      /DataSource currentfile /ASCIIHexDecode filter\(filters) >> image

      """)
  }
}
