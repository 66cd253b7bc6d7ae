/// The position of a drawing on a page: turned by quarters, and mirrored if wanted.
public struct PagePlacement: Hashable, Sendable {
  /// A turn clockwise.
  public enum Turn: Int, CaseIterable, Hashable, Sendable {
    /// Upright.
    case none = 0
    /// A quarter clockwise.
    case right = 90
    /// Upside down.
    case half = 180
    /// A quarter anticlockwise.
    case left = 270
  }

  /// The width of the drawing before the turn, in millimetres.
  public let width: Double
  /// Its height before the turn.
  public let height: Double
  /// The turn.
  public let turn: Turn
  /// Whether left and right of the drawing are exchanged before the turn.
  public let isMirrored: Bool
  /// The top left corner of the turned drawing on the page.
  public var corner: DrawingPoint

  /// Makes a position.
  public init(
    width: Double, height: Double, corner: DrawingPoint, turn: Turn = .none,
    isMirrored: Bool = false
  ) {
    self.width = width
    self.height = height
    self.corner = corner
    self.turn = turn
    self.isMirrored = isMirrored
  }

  /// The box on the page.
  public var box: DrawingBox {
    let isUpright = turn == .none || turn == .half
    return DrawingBox(
      x: corner.x, y: corner.y, width: isUpright ? width : height,
      height: isUpright ? height : width)
  }

  /// The six numbers of the transformation: `x' = a·x + c·y + e` and `y' = b·x + d·y + f`.
  var matrix: [Double] {
    // The images of the drawing's axes, and of its origin from the corner.
    let (across, down, origin) =
      switch turn {
      case .none: ((1.0, 0.0), (0.0, 1.0), (0.0, 0.0))
      case .right: ((0, 1), (-1, 0), (height, 0))
      case .half: ((-1, 0), (0, -1), (width, height))
      case .left: ((0, -1), (1, 0), (0, width))
      }
    let side = isMirrored ? -1.0 : 1
    let start = isMirrored ? width : 0
    return [
      side * across.0, side * across.1, down.0, down.1,
      corner.x + origin.0 + start * across.0, corner.y + origin.1 + start * across.1,
    ]
  }

  /// Returns the position on the page of a point of the drawing.
  func placed(_ point: DrawingPoint) -> DrawingPoint {
    let matrix = matrix
    return DrawingPoint(
      x: matrix[0] * point.x + matrix[2] * point.y + matrix[4],
      y: matrix[1] * point.x + matrix[3] * point.y + matrix[5])
  }

  /// Returns the position on the page of a box of the drawing.
  package func placed(_ box: DrawingBox) -> DrawingBox {
    let first = placed(DrawingPoint(x: box.x, y: box.y))
    let second = placed(DrawingPoint(x: box.right, y: box.bottom))
    return DrawingBox(
      x: min(first.x, second.x), y: min(first.y, second.y), width: abs(first.x - second.x),
      height: abs(first.y - second.y))
  }

  /// Returns the position, moved so that the drawing's own dots are on dots of the page.
  func snapped(dotsPerInch: Double) -> PagePlacement {
    var snapped = self
    func shift(_ offset: Double) -> Double {
      PageDrawing.snapped(offset, dotsPerInch: dotsPerInch) - offset
    }
    snapped.corner.x += shift(matrix[4])
    snapped.corner.y += shift(matrix[5])
    return snapped
  }
}
