import Pictures

@testable import CodeScanning

extension FuzzTarget {
  /// From three finder patterns, however wrong, to modules and content.
  static let sampler = FuzzTarget(name: "sampler") { bytes in
    var source = ByteSource(bytes)
    let options = source.byte()
    let drawn = DrawnPicture(&source)
    let triple = triple(options, of: drawn, &source)
    guard let found = SymbolSampler().read(triple, in: drawn.picture) else { return }
    try require(
      found.corners.count == 4 && found.corners.allSatisfy { $0.x.isFinite && $0.y.isFinite },
      "a symbol that was read has four corners")
    try require(
      found.modulePixels.isFinite && found.modulePixels > 0, "a symbol that was read has modules")
    try checkSymbol(found.symbol)
    let again = SymbolSampler().read(triple, in: drawn.picture)
    try require(again?.corners == found.corners, "the same picture gives the same corners")
    try require(again?.symbol.bytes == found.symbol.bytes, "the same picture gives the same bytes")
  }

  /// The rules that every symbol that was read keeps.
  static func checkSymbol(_ symbol: DecodedSymbol) throws {
    let side = 17 + 4 * symbol.version
    try require((1...40).contains(symbol.version), "a version is one of 40")
    try require(symbol.modules.count == side * side, "a version has its modules")
    try require((0...7).contains(symbol.mask), "a mask is one of 8")
    try require(!symbol.bytes.isEmpty, "a symbol says something")
    try require(
      (0...symbol.totalCodewords).contains(symbol.correctedCodewords),
      "no more codewords are corrected than there are")
    try require((0...1).contains(symbol.unusedErrorCorrection), "a part is between 0 and 1")
    if let part = symbol.structuredAppend {
      try require((0..<part.count).contains(part.index), "a part is one of its message")
    }
  }

  /// The patterns of the drawn symbol, each of them off by some bytes or made up.
  private static func triple(
    _ options: UInt8, of drawn: DrawnPicture, _ source: inout ByteSource
  ) -> FinderTriple {
    let true3 = drawn.symbol.flatMap { FinderTriple(corners: $0.corners, size: $0.size) }
    let known = [true3?.topLeft, true3?.topRight, true3?.bottomLeft]
    let finders = known.enumerated().map { index, finder in
      guard let finder, options >> UInt8(index) & 1 == 0 else { return madeUp(&source) }
      return moved(finder, &source)
    }
    var sizes = drawn.symbol.map { options & 8 == 0 ? [$0.size] : [] } ?? []
    for _ in 0..<(options >> 4) % 8 {
      let byte = source.byte()
      sizes.append(
        byte < 240
          ? 17 + Int(byte % 42) * 4 : Int(truncatingIfNeeded: source.number().bitPattern))
    }
    return FinderTriple(
      topLeft: finders[0], topRight: finders[1], bottomLeft: finders[2], sizes: sizes,
      isInverted: options & 128 != 0)
  }

  private static func madeUp(_ source: inout ByteSource) -> FinderPattern {
    let form = source.byte()
    let centre = PicturePoint(x: source.coordinate(), y: source.coordinate())
    let modulePixels = form & 1 == 0 ? Double(1 + source.byte() % 16) / 2 : source.coordinate()
    guard form & 2 != 0 else {
      let corners = [(-1.0, -1.0), (1, -1), (1, 1), (-1, 1)].map {
        PicturePoint(
          x: centre.x + $0.0 * 3.5 * modulePixels, y: centre.y + $0.1 * 3.5 * modulePixels)
      }
      return FinderPattern(centre: centre, corners: corners, modulePixels: modulePixels)
    }
    let count = form & 4 == 0 ? 4 : Int(form >> 4)
    let corners = (0..<count).map { _ in
      PicturePoint(x: source.coordinate(), y: source.coordinate())
    }
    return FinderPattern(centre: centre, corners: corners, modulePixels: modulePixels)
  }

  /// Off by up to eight pixels.
  private static func moved(_ finder: FinderPattern, _ source: inout ByteSource) -> FinderPattern {
    func offset() -> Double { Double(Int8(bitPattern: source.byte())) / 16 }
    let scale = 1 + Double(Int8(bitPattern: source.byte())) / 256
    let (dx, dy) = (offset(), offset())
    func moved(_ point: PicturePoint) -> PicturePoint {
      PicturePoint(x: point.x + dx, y: point.y + dy)
    }
    return FinderPattern(
      centre: moved(finder.centre), corners: finder.corners.map(moved),
      modulePixels: finder.modulePixels * scale)
  }
}
