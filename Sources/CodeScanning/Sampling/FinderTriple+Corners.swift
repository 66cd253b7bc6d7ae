import Pictures

extension FinderTriple {
  /// The finder patterns of a symbol whose corners and size are known, as zbar tells them.
  ///
  /// - Parameters:
  ///   - corners: the symbol's own top left, top right, bottom right and bottom left.
  ///   - size: modules on a side.
  ///   - isInverted: whether it is light where it should be dark.
  /// - Returns: `nil` when the corners span no area.
  init?(corners: [PicturePoint], size: Int, isInverted: Bool = false) {
    let side = Double(size)
    let places = [(0.0, 0.0), (side, 0), (side, side), (0, side)]
    guard corners.count == 4,
      let plane = PlaneMap(
        fitting: zip(places, corners).map { .init(u: $0.0, v: $0.1, seen: $1) }),
      SymbolGeometry(size: size, plane: plane).isSane
    else { return nil }
    func finder(_ left: Double, _ top: Double) -> FinderPattern {
      let square = [(0.0, 0.0), (7, 0), (7, 7), (0, 7)].map {
        plane(left + $0.0, top + $0.1)
      }
      let sides = square.indices.map { square[$0].distance(to: square[($0 + 1) % 4]) }
      return FinderPattern(
        centre: plane(left + 3.5, top + 3.5), corners: square,
        modulePixels: sides.reduce(0, +) / 28)
    }
    self.init(
      topLeft: finder(0, 0), topRight: finder(side - 7, 0), bottomLeft: finder(0, side - 7),
      sizes: [size], isInverted: isInverted)
  }
}
