/// The parts that all symbols of a version (1 to 6) and level share: the function patterns, the
/// masks, and the order of the data modules (ISO/IEC 18004:2015, 6.3, 7.7 to 7.9).
struct ProbeTemplate {
  /// Rows or columns of modules as words, the first module in the lowest bit.
  struct Grid {
    var rows: [UInt64]
    var columns: [UInt64]

    init(size: Int) {
      rows = [UInt64](repeating: 0, count: size)
      columns = rows
    }

    mutating func setDark(_ x: Int, _ y: Int) {
      rows[y] |= 1 << UInt64(x)
      columns[x] |= 1 << UInt64(y)
    }

    func isDark(_ x: Int, _ y: Int) -> Bool { rows[y] >> UInt64(x) & 1 != 0 }
  }

  let size: Int
  /// The modules of the data, in the order of its bits.
  let way: [(x: Int, y: Int)]
  /// Function patterns, format information and mask, for each mask; the data is added by XOR.
  let masks: [Grid]

  /// - Parameter level: 0 for L to 3 for H.
  init(version: Int, level: Int) {
    size = 17 + 4 * version
    var function = Grid(size: size)
    var dark = Grid(size: size)
    Self.drawFunctionPatterns(size, version, &function, &dark)
    way = Self.way(size) { !function.isDark($0, $1) }
    var masks: [Grid] = []
    for mask in 0..<8 {
      var grid = dark
      Self.drawFormat(size, Self.format(level: level, mask: mask), &grid)
      for (x, y) in way where Self.isFlipped(x, y, by: mask) { grid.setDark(x, y) }
      masks.append(grid)
    }
    self.masks = masks
  }

  private static func drawFunctionPatterns(
    _ size: Int, _ version: Int, _ function: inout Grid, _ dark: inout Grid
  ) {
    func draw(_ x: Int, _ y: Int, _ isDark: Bool) {
      guard 0..<size ~= x, 0..<size ~= y else { return }
      function.setDark(x, y)
      if isDark { dark.setDark(x, y) }
    }
    for index in 8..<size - 8 {
      draw(index, 6, index % 2 == 0)
      draw(6, index, index % 2 == 0)
    }
    for (x, y) in [(3, 3), (size - 4, 3), (3, size - 4)] {
      for dx in -4...4 {
        for dy in -4...4 { draw(x + dx, y + dy, ![2, 4].contains(max(abs(dx), abs(dy)))) }
      }
    }
    if version > 1 {
      for dx in -2...2 {
        for dy in -2...2 { draw(size - 7 + dx, size - 7 + dy, max(abs(dx), abs(dy)) != 1) }
      }
    }
    // The modules of the format information, drawn for each mask, and the module that is always
    // dark.
    for index in 0...8 where index != 6 {
      draw(8, index, false)
      draw(index, 8, false)
    }
    for index in 0..<8 {
      draw(size - 1 - index, 8, false)
      draw(8, size - 1 - index, index == 7)
    }
  }

  private static func drawFormat(_ size: Int, _ bits: Int, _ grid: inout Grid) {
    for index in 0..<15 where bits >> index & 1 != 0 {
      switch index {
      case 0...5: grid.setDark(8, index)
      case 6, 7: grid.setDark(8, index + 1)
      case 8: grid.setDark(7, 8)
      default: grid.setDark(14 - index, 8)
      }
      if index < 8 { grid.setDark(size - 1 - index, 8) } else { grid.setDark(8, size - 15 + index) }
    }
  }

  private static func format(level: Int, mask: Int) -> Int {
    let data = [1, 0, 3, 2][level] << 3 | mask
    var rest = data
    for _ in 0..<10 { rest = rest << 1 ^ (rest >> 9) * 0x537 }
    return (data << 10 | rest) ^ 0x5412
  }

  /// The data modules in placement order: upwards and downwards in columns of two modules, from the
  /// right.
  private static func way(
    _ size: Int, _ isData: (Int, Int) -> Bool
  ) -> [(x: Int, y: Int)] {
    var way: [(x: Int, y: Int)] = []
    var right = size - 1
    var upwards = true
    while right > 0 {
      if right == 6 { right = 5 }
      for step in 0..<size {
        let y = upwards ? size - 1 - step : step
        for x in [right, right - 1] where isData(x, y) { way.append((x, y)) }
      }
      upwards.toggle()
      right -= 2
    }
    return way
  }

  private static func isFlipped(_ x: Int, _ y: Int, by mask: Int) -> Bool {
    switch mask {
    case 0: (x + y) % 2 == 0
    case 1: y % 2 == 0
    case 2: x % 3 == 0
    case 3: (x + y) % 3 == 0
    case 4: (x / 3 + y / 2) % 2 == 0
    case 5: x * y % 2 + x * y % 3 == 0
    case 6: (x * y % 2 + x * y % 3) % 2 == 0
    default: ((x + y) % 2 + x * y % 3) % 2 == 0
    }
  }
}
