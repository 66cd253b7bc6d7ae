/// Reads back the path operators that the vector formats use and fills them on the grid of
/// modules, by both fill rules.
struct PathReader {
  /// The closed outlines as corner points.
  private(set) var outlines: [[(x: Int, y: Int)]] = []

  mutating func move(_ x: Int, _ y: Int) { outlines.append([(x, y)]) }

  mutating func line(_ x: Int, _ y: Int) { outlines[outlines.count - 1].append((x, y)) }

  mutating func line(byX x: Int, y: Int) {
    guard let last = outlines.last?.last else { return }
    line(last.x + x, last.y + y)
  }

  /// How often outlines run around the middle of each module, clockwise counted positive.
  func windings(side: Int) -> [[Int]] {
    var windings = [[Int]](repeating: [Int](repeating: 0, count: side), count: side)
    for points in outlines {
      for (start, end) in zip(points, points.dropFirst() + points.prefix(1)) where start.x == end.x
      {
        // A vertical side changes the winding of everything on its right.
        for row in min(start.y, end.y)..<max(start.y, end.y) {
          for column in start.x..<side { windings[row][column] += start.y > end.y ? 1 : -1 }
        }
      }
    }
    return windings
  }

  /// Whether all sides are horizontal or vertical.
  var isRectilinear: Bool {
    outlines.allSatisfy { points in
      zip(points, points.dropFirst() + points.prefix(1)).allSatisfy {
        ($0.x == $1.x) != ($0.y == $1.y)
      }
    }
  }
}

extension PathReader {
  /// The operators `M h v z` of an SVG path.
  init(svg path: Substring) {
    var rest = path[...]
    func number() -> Int {
      let digits = rest.prefix { $0 == "-" || $0.isNumber }
      rest = rest.dropFirst(digits.count)
      return Int(digits) ?? 0
    }
    while let operation = rest.popFirst() {
      switch operation {
      case "M":
        let x = number()
        rest = rest.dropFirst()
        move(x, number())
      case "h": line(byX: number(), y: 0)
      case "v": line(byX: 0, y: number())
      default: break
      }
    }
  }

  /// Operands before operators: `m l re` of PDF, `m h v` of our EPS prolog.
  init(operators text: some StringProtocol) {
    var operands: [Int] = []
    for word in text.split(whereSeparator: \.isWhitespace) {
      if let number = Int(word) {
        operands.append(number)
        continue
      }
      switch word {
      case "m": move(operands[0], operands[1])
      case "l": line(operands[0], operands[1])
      case "h" where operands.count == 1: line(byX: operands[0], y: 0)
      case "v": line(byX: 0, y: operands[0])
      case "re":
        move(operands[0], operands[1])
        line(byX: operands[2], y: 0)
        line(byX: 0, y: operands[3])
        line(byX: -operands[2], y: 0)
      default: break
      }
      operands = []
    }
  }
}
