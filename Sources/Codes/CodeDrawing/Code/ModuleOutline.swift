/// The dark modules of a drawing as closed outlines on the grid of modules.
///
/// Every renderer draws one path of outlines without seams, while one square per module leaves
/// hairlines; cutting plotters can follow it. Outer outlines run clockwise and holes
/// counterclockwise, so both fill rules give the same picture. Dark modules that touch only at a
/// corner are separate.
struct ModuleOutline {
  /// One closed outline: its start and the lengths of its sides, alternately horizontal and
  /// vertical; the last side returns to the start.
  struct Loop: Equatable {
    let x: Int
    let y: Int
    let sides: ArraySlice<Int>
  }

  /// The outlines, in the order of their first point by rows.
  let loops: [Loop]

  /// Traces `side` × `side` modules, one byte each by rows, 1 for dark; everything outside is
  /// light.
  ///
  /// - Parameter corner: The position of the top left module on the grid, from the left and the
  ///   top.
  init(side: Int, modules: [UInt8], corner: Int = 0) {
    var tracer = Tracer(side: side, modules: modules)
    var starts: [(x: Int, y: Int, sides: Range<Int>)] = []
    for row in 0..<side {
      for column in 0..<side where tracer.isUntracedTop(column, row) {
        let first = tracer.sides.count
        tracer.trace(fromTopOf: column, row)
        starts.append((corner + column, corner + row, first..<tracer.sides.count))
      }
    }
    // All loops share one array: a separate array for each would take longer than tracing it.
    let sides = tracer.sides
    loops = starts.map { Loop(x: $0.x, y: $0.y, sides: sides[$0.sides]) }
  }

  /// Follows edges with the dark modules on the right.
  ///
  /// A point of the grid has the index of the module on its upper left.
  private struct Tracer {
    /// The sides of all outlines so far, one outline after the other.
    private(set) var sides: [Int] = []
    /// The grid has a border of light modules, which avoids bounds checks.
    private let stride: Int
    private var modules: [UInt8]
    /// The offsets from a point to the next one to the right, down, left and up.
    private let steps: SIMD4<Int>
    /// The offsets from a point to the module ahead on the left in each of these directions; the
    /// one on the right is on the left in the next direction.
    private let lefts: SIMD4<Int>

    private static let light: UInt8 = 0
    private static let dark: UInt8 = 1
    /// A dark module whose upper edge an outline has passed.
    private static let traced: UInt8 = 2

    init(side: Int, modules: [UInt8]) {
      stride = side + 2
      steps = [1, stride, -1, -stride]
      lefts = [1, stride + 1, stride, 0]
      sides.reserveCapacity(side * side)
      self.modules = []
      self.modules.reserveCapacity(stride * stride)
      self.modules.append(contentsOf: repeatElement(Self.light, count: stride))
      for row in 0..<side {
        self.modules.append(Self.light)
        self.modules.append(contentsOf: modules[row * side..<(row + 1) * side])
        self.modules.append(Self.light)
      }
      self.modules.append(contentsOf: repeatElement(Self.light, count: stride))
    }

    /// Whether a module has an upper edge that no outline has passed yet.
    func isUntracedTop(_ column: Int, _ row: Int) -> Bool {
      let index = (row + 1) * stride + column + 1
      return modules[index] == Self.dark && modules[index - stride] == Self.light
    }

    /// Follows the outline whose first side is the upper edge of a module, to the right.
    ///
    /// By rows from the top left, the first untraced upper edge of an outline begins at a corner.
    mutating func trace(fromTopOf column: Int, _ row: Int) {
      let start = row * stride + column
      var (point, way, length) = (start, 0, 0)
      repeat {
        // The upper edge of this step belongs to the module on the lower right.
        if way == 0 { modules[point + stride + 1] = Self.traced }
        point += steps[way]
        length += 1
        let next = (way + 1) & 3
        let left = modules[point + lefts[way]] != Self.light
        let right = modules[point + lefts[next]] != Self.light
        guard !right || left else { continue }
        sides.append(way < 2 ? length : -length)
        length = 0
        // If both are possible, at two modules that touch at a corner, the outline turns right.
        way = right ? (way + 3) & 3 : next
      } while point != start || way != 0
    }
  }
}
