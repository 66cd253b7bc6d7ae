import Pictures
import SymbolStructure

/// What may be a Micro QR Code or an rMQR Code: beside a finder pattern, format information within
/// two bits of a valid word, and the beginning of a timing pattern.
///
/// Most finder patterns that belong to no such symbol are ruled out by a few pixels.
struct SmallSymbol {
  let format: SmallFormat
  /// The plane of the symbol, in modules from its own top left corner, as the finder pattern shows
  /// it.
  let plane: PlaneMap
  let isMirrored: Bool
  let isInverted: Bool

  /// The largest number of wrong bits of the format information.
  private static let mostWrong = 2
  /// The modules of the timing pattern that are examined.
  private static let timing = 8...12

  /// Returns the symbols to which a finder pattern may belong.
  static func candidates(of finder: LocatedFinder, in picture: GreyPicture) -> [SmallSymbol] {
    guard finder.hasDirection, let levels = Levels(of: finder, in: picture) else { return [] }
    // The corners show the perspective, and the axes are more accurate.
    let flat = [(-3.5, -3.5), (3.5, -3.5), (3.5, 3.5), (-3.5, 3.5)].map {
      finder.frame($0.0, $0.1)
    }
    for corners in [finder.pattern.corners, flat] {
      let found = candidates(corners, levels, in: picture)
      if !found.isEmpty { return found }
    }
    return []
  }

  /// Returns the symbols whose finder pattern has these corners, in eight orientations.
  private static func candidates(
    _ corners: [PicturePoint], _ levels: Levels, in picture: GreyPicture
  ) -> [SmallSymbol] {
    guard corners.count == 4 else { return [] }
    var found: [SmallSymbol] = []
    for (isMirrored, order) in [(false, corners), (true, corners.reversed())] {
      for turn in 0..<4 {
        let turned = (0..<4).map { order[($0 + turn) % 4] }
        guard let plane = PlaneMap(side: 7, corners: turned) else { continue }
        for format in formats(on: plane, levels, picture) {
          found.append(
            SmallSymbol(
              format: format, plane: plane, isMirrored: isMirrored,
              isInverted: levels.isInverted))
        }
      }
    }
    return found
  }

  /// The grey values of a finder pattern.
  private struct Levels {
    let middle: Double
    let isInverted: Bool

    /// The least difference between the core and the light ring.
    private static let leastContrast = 20.0

    init?(of finder: LocatedFinder, in picture: GreyPicture) {
      let core = picture.brightness(at: finder.frame.origin)
      let ring = [(-2.0, 0.0), (2, 0), (0, -2), (0, 2)].compactMap {
        picture.brightness(at: finder.frame($0.0, $0.1))
      }
      isInverted = finder.isInverted
      guard let core, let nearest = isInverted ? ring.max() : ring.min(),
        (nearest - core) * (isInverted ? -1 : 1) > Self.leastContrast
      else { return nil }
      middle = (core + nearest) / 2
    }

    func isDark(_ brightness: Double?) -> Bool {
      brightness.map { isInverted ? $0 > middle : $0 < middle } ?? false
    }
  }

  /// Returns the formats that a symbol in a frame may have.
  private static func formats(
    on plane: PlaneMap, _ levels: Levels, _ picture: GreyPicture
  ) -> [SmallFormat] {
    func isDark(_ column: Int, _ row: Int) -> Bool {
      levels.isDark(picture.brightness(at: plane(Double(column) + 0.5, Double(row) + 0.5)))
    }
    let along = timing.count { isDark($0, 0) == ($0 % 2 == 0) }
    guard along >= timing.count - 1 else { return [] }
    func nearest(_ formats: [SmallFormat]) -> SmallFormat? {
      guard let first = formats.first else { return nil }
      let word = SmallLayout.formatPlaces(of: first.form)[0].reduce(UInt32(0)) {
        $0 << 1 | (isDark($1.column, $1.row) ? 1 : 0)
      }
      return formats.first { ($0.words[0] ^ word).nonzeroBitCount <= mostWrong }
    }
    var found: [SmallFormat] = []
    let down = timing.count { isDark(0, $0) == ($0 % 2 == 0) }
    // The smallest has three modules of it.
    if along + down >= 2 * timing.count - 4, let micro = nearest(SmallFormat.micro) {
      found.append(micro)
    }
    if let rectangular = nearest(SmallFormat.rectangular) { found.append(rectangular) }
    return found
  }
}

extension GreyPicture {
  /// Returns the pixel at a point, or `nil` outside the picture.
  fileprivate func brightness(at point: PicturePoint) -> Double? {
    guard point.x >= 0, point.y >= 0, point.x < Double(width), point.y < Double(height) else {
      return nil
    }
    return Double(pixels[Int(point.y) * width + Int(point.x)])
  }
}
