import Pictures

/// The brightness of each module of a symbol, as a geometry finds them in a picture.
struct ModuleBrightness: Sendable {
  /// Modules on a side.
  let size: Int
  /// Row by row, 0 … 255.
  let values: [Float]
  /// Whether each module lies in the picture, and not in glare.
  private(set) var isSeen: [Bool]

  /// Places across a module, from its edge, and the weight of each: a bell around the middle, which
  /// takes noise away and keeps the neighbours out.
  private static let taps: [(place: Double, weight: Float)] = [
    (0.26, 0.25), (0.5, 0.5), (0.74, 0.25),
  ]

  /// Samples a symbol: nine points in each module.
  init(of patch: PicturePatch, through geometry: SymbolGeometry) {
    let size = geometry.size
    // The grid is computed at the modules' corners only; within a module it is even.
    var corners: [PicturePoint] = []
    corners.reserveCapacity((size + 1) * (size + 1))
    for row in 0...size {
      for column in 0...size { corners.append(geometry(Double(column), Double(row))) }
    }
    var values: [Float] = []
    var isSeen: [Bool] = []
    values.reserveCapacity(size * size)
    isSeen.reserveCapacity(size * size)
    for row in 0..<size {
      for column in 0..<size {
        let upper = row * (size + 1) + column
        let lower = upper + size + 1
        let (a, b, c, d) = (
          corners[upper], corners[upper + 1], corners[lower], corners[lower + 1]
        )
        var sum: Float = 0
        for (y, weightY) in Self.taps {
          let left = PicturePoint(x: a.x + (c.x - a.x) * y, y: a.y + (c.y - a.y) * y)
          let right = PicturePoint(x: b.x + (d.x - b.x) * y, y: b.y + (d.y - b.y) * y)
          for (x, weightX) in Self.taps {
            let point = PicturePoint(
              x: left.x + (right.x - left.x) * x, y: left.y + (right.y - left.y) * x)
            sum += patch.brightness(point) * weightX * weightY
          }
        }
        values.append(sum)
        isSeen.append(
          patch.isInside(PicturePoint(x: (a.x + d.x) / 2, y: (a.y + d.y) / 2)))
      }
    }
    self.size = size
    self.values = values
    self.isSeen = isSeen
    leaveOutGlare()
  }

  /// Modules are not seen in a square of nine that are all as bright as can be: data seldom has
  /// nine light modules together, and a reflection of a lamp hides what is under it.
  private mutating func leaveOutGlare() {
    let size = size
    var isBright = values.map { $0 >= 246 }
    for (index, module) in FunctionPatterns.of(size: size).modules.enumerated()
    where module == .light { isBright[index] = false }
    for row in 1..<size - 1 {
      for column in 1..<size - 1 {
        let middle = row * size + column
        let square = [-size - 1, -size, -size + 1, -1, 0, 1, size - 1, size, size + 1]
        guard isBright[middle], square.allSatisfy({ isBright[middle + $0] }) else { continue }
        for step in square { isSeen[middle + step] = false }
      }
    }
  }
}
