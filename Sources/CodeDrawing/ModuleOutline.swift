/// The dark modules of a drawing as closed outlines on the grid of modules.
///
/// One path of outlines is drawn without seams by every renderer, where one square a module leaves
/// hairlines; cutting plotters can follow it. Outer outlines run clockwise and holes against it,
/// so both fill rules give the same picture. Dark modules that touch only at a corner stay apart.
struct ModuleOutline {
  /// One closed outline: where it starts and the lengths of its sides, horizontal and vertical
  /// by turns; the last side returns to the start.
  struct Loop: Equatable {
    let x: Int
    let y: Int
    var sides: [Int]
  }

  /// The outlines, in the order of their first point by rows.
  private(set) var loops: [Loop] = []

  /// Traces `side` × `side` modules; outside everything is light.
  init(side: Int, isDark: (_ column: Int, _ row: Int) -> Bool) {
    var tracer = Tracer(side: side, isDark: isDark)
    for row in 0..<side {
      for column in 0..<side where tracer.isUntracedTop(column, row) {
        loops.append(tracer.loop(fromTopOf: column, row))
      }
    }
  }

  /// Walks along edges with the dark modules on the right hand.
  private struct Tracer {
    /// One module of light around the grid spares every look-up its bounds.
    private let stride: Int
    private var dark: [Bool]
    private var traced: [Bool]

    init(side: Int, isDark: (Int, Int) -> Bool) {
      stride = side + 2
      dark = [Bool](repeating: false, count: stride * stride)
      traced = dark
      for row in 0..<side {
        for column in 0..<side { dark[(row + 1) * stride + column + 1] = isDark(column, row) }
      }
    }

    /// Whether a module has an upper edge that no outline has passed yet.
    func isUntracedTop(_ column: Int, _ row: Int) -> Bool {
      let index = (row + 1) * stride + column + 1
      return dark[index] && !dark[index - stride] && !traced[index]
    }

    /// Follows the outline whose first side is the upper edge of a module, to the right.
    ///
    /// By rows from the top left, the first untraced upper edge of an outline begins at a corner.
    mutating func loop(fromTopOf column: Int, _ row: Int) -> Loop {
      var loop = Loop(x: column, y: row, sides: [])
      var (x, y) = (column, row)
      var (stepX, stepY) = (1, 0)
      var length = 0
      repeat {
        if stepX == 1 { traced[(y + 1) * stride + x + 1] = true }
        x += stepX
        y += stepY
        length += stepX + stepY
        let (left, right) = ahead(x, y, stepX, stepY)
        guard !right || left else { continue }
        loop.sides.append(length)
        length = 0
        // Where both are possible, at two modules that touch at a corner, it turns right.
        (stepX, stepY) = right ? (stepY, -stepX) : (-stepY, stepX)
      } while (x, y) != (column, row) || (stepX, stepY) != (1, 0)
      return loop
    }

    /// Whether the modules ahead of a step that reached a point are dark, on its left and right.
    private func ahead(
      _ x: Int, _ y: Int, _ stepX: Int, _ stepY: Int
    ) -> (left: Bool, right: Bool) {
      let northWest = y * stride + x
      let southWest = northWest + stride
      return switch (stepX, stepY) {
      case (1, _): (dark[northWest + 1], dark[southWest + 1])
      case (-1, _): (dark[southWest], dark[northWest])
      case (_, 1): (dark[southWest + 1], dark[southWest])
      default: (dark[northWest], dark[northWest + 1])
      }
    }
  }
}
