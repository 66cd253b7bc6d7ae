import CodeDrawing
import QRSymbol

/// The URL that most tests draw: 41 bytes, version 3 at level M, 37 modules with quiet zone.
let sampleURL = "https://fruta.example.com/order/cupertino"

func drawing(
  _ text: String = sampleURL, version: Int = 1, width: Double? = nil, moduleSize: Double? = nil,
  dotsPerInch: Double = 600, creationTime: Int? = nil
) throws -> CodeDrawing {
  try CodeDrawing(
    QRSymbol(text, minimumVersion: version),
    size: CodeSize.Request(width: width, moduleSize: moduleSize, dotsPerInch: dotsPerInch),
    creationTime: creationTime)
}

extension CodeDrawing {
  /// The file as text; every byte is one character.
  func latin1(_ format: DrawingFormat) throws -> String {
    String(String.UnicodeScalarView(try data(as: format).map { Unicode.Scalar($0) }))
  }

  /// 1 for dark, row by row with the quiet zone, as the symbol says.
  var expectedModules: [[Int]] {
    (0..<size.modulesAcross).map { row in
      (0..<size.modulesAcross).map { symbol.isDark(x: $0 - 4, y: row - 4) ? 1 : 0 }
    }
  }
}

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
