import Pictures

/// What zbar does not tell of a QR code: version, error-correction level and mask, read from the
/// symbol's own modules in the picture.
///
/// Right or nothing: the version must fit the finder and timing patterns of the whole symbol and,
/// from version 7 on, both copies of the version information; the format information must agree
/// in both its copies.
struct SymbolFacts: Hashable {
  let version: Int
  let format: FormatInformation
  /// The corners, moved to where the patterns fit best.
  let corners: [PicturePoint]

  /// Reads the facts, or answers `nil` when they are not certain.
  ///
  /// - Parameters:
  ///   - picture: the picture.
  ///   - corners: the symbol's corners in it, to about half a module.
  ///   - inverted: whether the symbol is light on dark.
  init?(in picture: GreyPicture, corners: [PicturePoint], inverted: Bool) {
    var best: (version: Int, grid: ModuleGrid, fit: Double)?
    for version in 1...40 {
      guard
        let grid = ModuleGrid(
          picture: picture, corners: corners, size: 17 + 4 * version, inverted: inverted)
      else { continue }
      let fit = grid.fit(.middle)
      if fit > best?.fit ?? 0 { best = (version, grid, fit) }
    }
    guard let best else { return nil }
    let grid = best.grid.refined()
    guard grid.fit(.core) >= 0.93, grid.timingFit() >= 0.9 else { return nil }

    // A mirrored symbol has the same patterns; only the order of rows and columns tells.
    for transposed in [false, true] {
      let copies = FormatInformation.places(size: grid.size).map {
        FormatInformation(bits: grid.bits(at: $0, transposed: transposed))
      }
      guard let format = copies[0], format == copies[1] else { continue }
      if best.version >= 7 {
        let versions = VersionInformation.places(size: grid.size).map {
          VersionInformation.version(bits: grid.bits(at: $0, transposed: transposed))
        }
        guard versions.allSatisfy({ $0 == best.version }) else { continue }
      }
      version = best.version
      self.format = format
      self.corners = grid.corners
      return
    }
    return nil
  }
}
