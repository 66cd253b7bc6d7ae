import Pictures

/// Looks for finder patterns (ISO/IEC 18004:2015, 5.3.2.1) that belong to no code read so far, to
/// say whether a further look at a picture is worth its time.
///
/// It knows the runs 1 : 1 : 3 : 1 : 1 along a row and down a column. It tells less than a decoder
/// and costs a tenth: what it misses was hopeless or large, and what it sees in vain costs time.
struct FinderSearch {
  /// The sides of a module that it looks for, in pixels. Larger codes are read when made smaller.
  private static let modules = 1.4...16.0
  /// Pixels to each side over which a row's own threshold is taken.
  private static let reach = 32
  /// Brightness between the light and dark runs of a pattern.
  private static let leastContrast = 24

  private let picture: GreyPicture
  private let known: [Quadrilateral]

  /// A search outside of codes that were read.
  ///
  /// - Parameters:
  ///   - picture: where to look.
  ///   - codes: the corners of known codes in it.
  init(in picture: GreyPicture, outside codes: [[PicturePoint]]) {
    self.picture = picture
    known = codes.map { Quadrilateral($0, enlargedBy: 1.15) }
  }

  /// Whether at least three patterns are there, as many as a QR code has.
  func findsCode() -> Bool {
    guard picture.width > 2 * Self.reach, picture.height > 16 else { return false }
    // Every pattern has a core three modules high, so every second row meets it.
    let step = picture.height < 600 ? 1 : 2
    var patterns: [(x: Int, y: Int, module: Double)] = []
    return picture.pixels.withUnsafeBufferPointer { pixels in
      for row in stride(from: 1, to: picture.height - 1, by: step) {
        for (column, module) in patternsAlong(row, pixels) {
          let point = PicturePoint(x: Double(column), y: Double(row))
          let isNew = !patterns.contains {
            abs($0.x - column) + abs($0.y - row) < Int(4 * max(module, $0.module))
          }
          guard isNew, !known.contains(where: { $0.holds(point) }),
            crosses(column, row, module, pixels)
          else { continue }
          patterns.append((column, row, module))
          if patterns.count == 3 { return true }
        }
      }
      return false
    }
  }

  /// The middles of the runs 1 : 1 : 3 : 1 : 1 along a row, each with the side of its module.
  private func patternsAlong(
    _ row: Int, _ pixels: UnsafeBufferPointer<UInt8>
  ) -> [(column: Int, module: Double)] {
    let width = picture.width
    let start = row * width
    var found: [(column: Int, module: Double)] = []
    var runs = (0, 0, 0, 0, 0)
    var wasDark = false
    var sum = 0
    for column in 0..<min(Self.reach, width) { sum += Int(pixels[start + column]) }
    for column in 0..<width {
      let (enters, leaves) = (column + Self.reach, column - Self.reach - 1)
      if enters < width { sum += Int(pixels[start + enters]) }
      if leaves >= 0 { sum -= Int(pixels[start + leaves]) }
      let count = min(enters, width - 1) - max(leaves, -1)
      let isDark = (Int(pixels[start + column]) + 6) * count < sum
      if isDark == wasDark {
        runs.4 += 1
        continue
      }
      if wasDark, let module = Self.module(of: runs) {
        found.append((column - runs.4 - runs.3 - (runs.2 + 1) / 2, module))
      }
      runs = (runs.1, runs.2, runs.3, runs.4, 1)
      wasDark = isDark
    }
    return found
  }

  /// The side of a module, when five runs stand as in a finder pattern.
  private static func module(of runs: (Int, Int, Int, Int, Int)) -> Double? {
    let module = Double(runs.0 + runs.1 + runs.2 + runs.3 + runs.4) / 7
    guard modules.contains(module), abs(Double(runs.2) - 3 * module) <= 1.3 * module else {
      return nil
    }
    let narrow = [runs.0, runs.1, runs.3, runs.4]
    return narrow.allSatisfy { abs(Double($0) - module) <= max(0.7 * module, 1) } ? module : nil
  }

  /// Whether the column through a pattern's middle shows the same runs.
  private func crosses(
    _ column: Int, _ row: Int, _ module: Double, _ pixels: UnsafeBufferPointer<UInt8>
  ) -> Bool {
    let width = picture.width
    let middle = Int(pixels[row * width + column])
    // The light ring lies two modules away; it and the core give the level between them.
    let away = Int((2 * module).rounded())
    guard column - away >= 0, column + away < width else { return false }
    let ring =
      (Int(pixels[row * width + column - away]) + Int(pixels[row * width + column + away])) / 2
    guard ring - middle >= Self.leastContrast else { return false }
    let level = (ring + middle) / 2
    var core = 1
    for direction in [-1, 1] {
      var lengths = [0, 0, 0]
      var part = 0
      var y = row + direction
      while y >= 0, y < picture.height, part < 3 {
        let isDark = Int(pixels[y * width + column]) < level
        if isDark == (part == 1) { part += 1 }
        if part < 3 { lengths[part] += 1 }
        guard lengths[part < 3 ? part : 2] <= Int(5 * module) else { break }
        y += direction
      }
      core += lengths[0]
      guard abs(Double(lengths[1]) - module) <= max(module, 1), Double(lengths[2]) >= 0.4 * module
      else { return false }
    }
    return abs(Double(core) - 3 * module) <= max(1.5 * module, 2)
  }
}
