/// A place in a bitmap where runs in the ratio 1 : 1 : 3 : 1 : 1 cross, as in the centre of a
/// finder pattern.
struct FinderCandidate {
  /// The centre, in pixels of the bitmap.
  let x: Double
  let y: Double
  /// The extent of a module from the centre in eight directions, the first to the right, the others
  /// each an eighth of a turn further clockwise in the picture.
  let radii: [Double]
  /// A Boolean value that indicates whether it is light where it should be dark.
  let isInverted: Bool

  /// The approximate size of a module in pixels.
  var modulePixels: Double {
    // The longest and the shortest are along the diagonals and the sides of the pattern.
    var sum = 0.0
    for radius in radii { sum += radius }
    return sum / (8 * 1.12)
  }
}

/// Searches for finder patterns along the rows of a bitmap.
///
/// A line through the centre of a finder pattern crosses it in the same proportions regardless of
/// direction, tilt and, nearly, perspective. If ink, blur or light changes the widths of dark runs,
/// the distances from one edge to the second next are unchanged, so those are compared: 2 : 4 : 4 :
/// 2.
struct FinderScan {
  let bitmap: LocalMeanBitmap
  /// The distance between examined rows.
  let step: Int
  /// The sizes of the smallest and the largest module searched for, in pixels.
  let modules: ClosedRange<Double>
  let polarities: FinderLocator.Polarities

  /// The largest extent of a core to one side of a pixel in any direction, in modules along the row:
  /// three modules that are four times as long in that direction.
  private static let mostModules = 12.0

  /// Calls `visit` for every candidate, from the top.
  func search(_ visit: (FinderCandidate) -> Void, skipping isKnown: (Int, Int, Double) -> Bool) {
    var edges = [Int32](repeating: 0, count: bitmap.width + 2)
    edges.withUnsafeMutableBufferPointer { edges in
      bitmap.isDark.withUnsafeBufferPointer { pixels in
        for y in stride(from: step / 2, to: bitmap.height, by: step) {
          let row = UnsafeBufferPointer(
            rebasing: pixels[y * bitmap.width..<(y + 1) * bitmap.width])
          let count = Self.edges(of: row, into: edges)
          search(row: y, startsDark: row.first == 1, edges: edges, count: count) {
            x, module, isDark in
            guard !isKnown(x, y, module), let candidate = confirmed(x, y, module, isDark, pixels)
            else { return }
            visit(candidate)
          }
        }
      }
    }
  }

  /// Writes the beginnings of runs and, last, the end of the row; returns their number.
  private static func edges(
    of row: UnsafeBufferPointer<UInt8>, into edges: UnsafeMutableBufferPointer<Int32>
  ) -> Int {
    guard let row = Optional(row), row.count > 0, edges.count >= row.count + 1 else { return 0 }
    edges[0] = 0
    var count = 1
    var last = row[0]
    for x in 1..<row.count {
      // Branch-free: a value that is overwritten unless the colour changed.
      let pixel = row[x]
      edges[count] = Int32(truncatingIfNeeded: x)
      count &+= Int(pixel ^ last)
      last = pixel
    }
    edges[count] = Int32(truncatingIfNeeded: row.count)
    return count + 1
  }

  private func search(
    row: Int, startsDark: Bool, edges: UnsafeMutableBufferPointer<Int32>, count: Int,
    _ visit: (_ x: Int, _ module: Double, _ isDark: Bool) -> Void
  ) {
    let next = polarities == .both ? 1 : 2
    var index = polarities == .both || startsDark == (polarities == .dark) ? 0 : 1
    let (least, most) = (Int32(8 * modules.lowerBound), Int32(8 * modules.upperBound))
    while index + 5 < count {
      defer { index += next }
      let (second, third) = (edges[index + 1], edges[index + 2])
      let (fourth, fifth) = (edges[index + 3], edges[index + 4])
      // Light and core together, before and after: four modules each.
      let before = fourth &- second
      let after = fifth &- third
      let both = before &+ after
      let core = fourth &- third
      guard both >= least, both <= most, abs(before &- after) &* 5 <= both &+ 5,
        core &* 4 &+ 4 >= both, core &* 7 <= both &* 4 &+ 7
      else { continue }
      let first = third &- edges[index]
      let last = edges[index + 5] &- fourth
      guard min(first, last) &* 7 >= both, min(first, last) &* 5 <= both &* 2 &+ 5 else { continue }
      visit(
        Int((third + fourth) / 2), Double(both) / 8, (index & 1 == 0) == startsDark)
    }
  }

  /// Returns the candidate whose core contains this pixel, if the runs also match in other
  /// directions.
  private func confirmed(
    _ column: Int, _ row: Int, _ module: Double, _ isDark: Bool,
    _ pixels: UnsafeBufferPointer<UInt8>
  ) -> FinderCandidate? {
    let walk = Walk(
      pixels: pixels, width: bitmap.width, height: bitmap.height, dark: isDark ? 1 : 0,
      mostOfCore: Int(module * Self.mostModules) + 4)
    // The middle of the column's core, then of the row's there: a few steps lead to the centre of a
    // pattern at any angle.
    guard let first = walk.across(column, row, 0, 1) else { return nil }
    let y = row + first.shift
    guard let second = walk.across(column, y, 1, 0) else { return nil }
    let x = column + second.shift
    guard let down = walk.across(x, y, 0, 1), let right = walk.across(x, y, 1, 0) else {
      return nil
    }
    let falling = walk.across(x, y, 1, 1)
    let rising = walk.across(x, y, -1, 1)
    guard falling != nil || rising != nil else { return nil }
    // The middle between both ends, to half a pixel.
    let diagonal = (falling ?? rising).map { ($0.forward + $0.backward) / 2 * 2.0.squareRoot() }
    let fallback = diagonal ?? 0
    let root = 2.0.squareRoot()
    let radii = [
      right.forward, falling.map { $0.forward * root } ?? fallback, down.forward,
      rising.map { $0.forward * root } ?? fallback, right.backward,
      falling.map { $0.backward * root } ?? fallback, down.backward,
      rising.map { $0.backward * root } ?? fallback,
    ]
    return FinderCandidate(
      x: Double(x) + 0.5, y: Double(y) + 0.5, radii: radii, isInverted: !isDark)
  }
}

/// Walks outwards from a pixel of a core.
private struct Walk {
  let pixels: UnsafeBufferPointer<UInt8>
  let width: Int
  let height: Int
  /// The value of the core's pixels in the bitmap.
  let dark: UInt8
  /// The largest number of steps within a core.
  let mostOfCore: Int

  /// The runs on a line through a core.
  struct Crossing {
    /// The number of steps from the pixel to the middle of the core.
    let shift: Int
    /// The number of steps per module forwards from the pixel, and backwards.
    let forward: Double
    let backward: Double
  }

  /// Returns the runs on both sides of a pixel, if they match a finder pattern.
  func across(_ x: Int, _ y: Int, _ dx: Int, _ dy: Int) -> Crossing? {
    guard let there = runs(x, y, dx, dy), let back = runs(x, y, -dx, -dy) else { return nil }
    let core = there.core + back.core + 1
    let (after, before) = (core + there.light, core + back.light)
    let both = before + after
    guard abs(there.core + there.light - back.core - back.light) * 5 <= both + 10,
      abs(before - after) * 4 <= both + 6, core * 4 + 4 >= both, core * 7 <= both * 4 + 10
    else { return nil }
    let (first, last) = (back.light + back.ring, there.light + there.ring)
    guard min(first, last) * 8 >= both - 2 else { return nil }
    return Crossing(
      shift: (there.core - back.core) / 2,
      // The middle of the light ring is two modules away.
      forward: (Double(there.core) + 0.5 + Double(there.light) / 2) / 2,
      backward: (Double(back.core) + 0.5 + Double(back.light) / 2) / 2)
  }

  /// Returns the numbers of steps within the core, the light ring and the dark ring.
  private func runs(
    _ x: Int, _ y: Int, _ dx: Int, _ dy: Int
  ) -> (core: Int, light: Int, ring: Int)? {
    var room = Int.max
    if dx != 0 { room = min(room, dx > 0 ? width - 1 - x : x) }
    if dy != 0 { room = min(room, dy > 0 ? height - 1 - y : y) }
    let pitch = dy * width + dx
    var index = y * width + x
    guard x >= 0, y >= 0, x < width, y < height, pixels[index] == dark else { return nil }
    var counts = (0, 0, 0)
    var most = min(room, mostOfCore)
    while most > 0, pixels[index + pitch] == dark {
      index += pitch
      most -= 1
      counts.0 += 1
    }
    room -= counts.0
    // A ring is a third of the core; twice the whole core allows for any distortion.
    most = 4 * counts.0 + 4
    while room > 0, most > 0, pixels[index + pitch] != dark {
      index += pitch
      room -= 1
      most -= 1
      counts.1 += 1
    }
    guard counts.1 > 0, most > 0 else { return nil }
    most = 2 * (counts.0 + counts.1)
    while room > 0, most > 0, pixels[index + pitch] == dark {
      index += pitch
      room -= 1
      most -= 1
      counts.2 += 1
    }
    return counts.2 > 0 ? (counts.0, counts.1, counts.2) : nil
  }
}
