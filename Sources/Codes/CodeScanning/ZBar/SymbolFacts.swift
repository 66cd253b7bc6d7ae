import Pictures

/// The properties of a QR code that zbar does not report: version, error-correction level and mask,
/// read from the symbol's modules in the picture.
///
/// The properties are certain or absent: the version must fit the finder and timing patterns of the
/// whole symbol and, from version 7 on, both copies of the version information; both copies of the
/// format information must agree.
struct SymbolFacts: Hashable {
  let version: Int
  let format: FormatInformation
  /// The contents of the symbol as written, if they could be read.
  let content: [SegmentRun]?
  /// The corners, adjusted if the patterns did not fit them.
  let corners: [PicturePoint]

  /// Reads the properties, or returns `nil` if they are not certain.
  ///
  /// - Parameters:
  ///   - picture: the picture.
  ///   - corners: the symbol's corners in it, to about half a module.
  init?(in picture: GreyPicture, corners: [PicturePoint]) {
    // The timing patterns distinguish versions, if the corners are accurate to half a module.
    var candidates: [(version: Int, grid: ModuleGrid, fit: Double)] = []
    for version in 1...40 {
      let size = 17 + 4 * version
      guard
        let rough = ModuleGrid(picture: picture, corners: corners, size: size)
      else { continue }
      let patterns = KnownPatterns(size: size)
      let grid = rough.settled(on: patterns.finders)
      let level = grid.level(of: patterns.finders[0])
      let fit = grid.fit(of: patterns.timing, level: level, .middle)
      if fit >= 0.75 { candidates.append((version, grid, fit)) }
    }
    candidates.sort { $0.fit > $1.fit }
    for candidate in candidates.prefix(3) {
      // Most corners are sufficiently accurate; only the others are refined.
      let patterns = KnownPatterns(size: candidate.grid.size)
      let facts =
        SymbolFacts(candidate.version, candidate.grid, patterns)
        ?? SymbolFacts(candidate.version, candidate.grid.refined(by: patterns), patterns)
      if let facts {
        self = facts
        return
      }
    }
    return nil
  }

  /// Creates the properties if all known patterns of this version are found in the grid.
  private init?(_ version: Int, _ grid: ModuleGrid, _ patterns: KnownPatterns) {
    let levels = patterns.finders.map { grid.level(of: $0) }
    let finderFits = zip(patterns.finders, levels).map { grid.fit(of: $0, level: $1, .core) }
    let level = levels.reduce(0, +) / 3
    guard finderFits.allSatisfy({ $0 >= 0.85 }),
      grid.fit(of: patterns.timing, level: level, .core) >= 0.9
    else { return nil }

    // A mirrored symbol has the same patterns; only the order of rows and columns differs.
    for transposed in [false, true] {
      let copies = FormatInformation.places(size: grid.size).map {
        FormatInformation(bits: grid.bits(at: $0, levels: levels, transposed: transposed))
      }
      guard let format = copies[0], format == copies[1] else { continue }
      if version >= 7 {
        let versions = VersionInformation.places(size: grid.size).map {
          VersionInformation.version(
            bits: grid.bits(at: $0, levels: levels, transposed: transposed))
        }
        guard versions.allSatisfy({ $0 == version }) else { continue }
      }
      self.version = version
      self.format = format
      self.corners = grid.corners
      content = CorrectedSymbol(grid.darkness(levels: levels)).flatMap {
        DataSegments($0.codewords.data, SegmentForm.qr(version: version)).content
      }
      return
    }
    return nil
  }
}
