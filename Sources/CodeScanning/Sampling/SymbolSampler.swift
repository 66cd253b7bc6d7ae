import Pictures

/// Reads the symbol of three finder patterns.
struct SymbolSampler: Sendable {
  /// The symbol that three finder patterns belong to, or `nil` when its error correction confirms
  /// none. The same picture and patterns always give the same answer.
  ///
  /// - Parameters:
  ///   - triple: where the patterns are seen, to about half a module, and likely sizes.
  ///   - picture: the picture.
  ///   - meter: counts what it costs, and ends it when that is too much.
  func read(
    _ triple: FinderTriple, in picture: GreyPicture, meter: SampleMeter = SampleMeter()
  ) -> LocatedSymbol? {
    attempt(triple, in: picture, meter: meter).symbol
  }

  /// The symbol as ``read(_:in:meter:)`` finds it, or whether one seems to be there all the same.
  func attempt(
    _ triple: FinderTriple, in picture: GreyPicture, meter: SampleMeter
  ) -> (symbol: LocatedSymbol?, showsSymbol: Bool) {
    guard let search = SymbolSearch(triple, in: picture, meter: meter) else { return (nil, false) }
    let starts = search.starts()
    guard let found = search.first(from: starts, { SymbolDecoder.decode($0) }) else {
      return (nil, starts.first?.showsSymbol ?? false)
    }
    return (LocatedSymbol(found.answer, found.geometry), true)
  }
}

/// A symbol that was read, and where.
struct LocatedSymbol: Sendable {
  let symbol: DecodedSymbol
  /// The symbol's own top left, top right, bottom right and bottom left corners, in pixels.
  let corners: [PicturePoint]
  /// About how many pixels a module measures.
  let modulePixels: Double

  /// A symbol with the geometry that read it, which goes round as the picture does.
  init(_ symbol: DecodedSymbol, _ geometry: SymbolGeometry) {
    self.symbol = symbol
    let seen = geometry.corners
    corners = symbol.isMirrored ? [seen[0], seen[3], seen[2], seen[1]] : seen
    modulePixels = geometry.modulePixels
  }
}
