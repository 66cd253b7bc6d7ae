import Pictures

@testable import CodeScanning

extension FuzzTarget {
  /// The search for finder patterns, their grouping by threes, and the recognition of small symbols.
  static let locator = FuzzTarget(name: "locator") { bytes in
    var source = ByteSource(bytes)
    let options = source.byte()
    let picture = DrawnPicture(&source).picture
    var locator = FinderLocator()
    locator.polarities = options & 1 != 0 ? .both : .dark
    locator.completesPairs = options & 2 != 0
    locator.maximumTriples = options & 4 != 0 ? 1 + Int(options >> 5) : 256
    let known = options & 8 != 0 ? [arbitraryCorners(&source)] : []

    let triples = locator.triples(in: picture, outside: known)
    try require(triples.count <= locator.maximumTriples, "triples are bounded in number")
    for triple in triples {
      for finder in [triple.topLeft, triple.topRight, triple.bottomLeft] { try check(finder) }
      try require(
        !triple.sizes.isEmpty && Set(triple.sizes).count == triple.sizes.count
          && triple.sizes.allSatisfy { (21...177).contains($0) && $0 % 4 == 1 },
        "the sizes of a triple are those of symbols, each once")
    }
    guard options & 16 != 0, min(picture.width, picture.height) >= 16 else { return }
    try require(
      locator.triples(in: picture, outside: known) == triples, "a picture gives the same triples")
    let finders = locator.search(picture).finders
    try require(finders.count <= 1200, "finder patterns are bounded in number")
    for finder in finders {
      try check(finder.pattern)
      for small in SmallSymbol.candidates(of: finder, in: picture) {
        let meter = SampleMeter(milliseconds: 20)
        let corners: [PicturePoint]
        switch SmallSymbolSampler(small, in: picture, meter: meter)?.attempt() {
        case .symbol(let symbol): corners = symbol.corners
        case .unread(_, let seen): corners = seen
        case nil: continue
        }
        try require(
          corners.count == 4 && corners.allSatisfy { $0.x.isFinite && $0.y.isFinite },
          "a small symbol has four corners")
      }
    }
  }

  private static func check(_ finder: FinderPattern) throws {
    try require(
      finder.modulePixels.isFinite && finder.modulePixels > 0, "a module has a size")
    try require(finder.corners.count == 4, "a finder pattern has four corners")
    try require(
      (finder.corners + [finder.centre]).allSatisfy { $0.x.isFinite && $0.y.isFinite },
      "a finder pattern is at a place")
  }

  /// Corners as a code could have been read, and as none could.
  static func arbitraryCorners(_ source: inout ByteSource) -> [PicturePoint] {
    (0..<4).map { _ in PicturePoint(x: source.coordinate(), y: source.coordinate()) }
  }
}

extension ByteSource {
  /// A number: mostly one of a small picture, sometimes any that there is.
  mutating func coordinate() -> Double {
    let kind = byte()
    if kind < 240 { return Double(kind) / 2 + Double(byte()) / 512 }
    if kind < 248 { return Double(kind) - 250 }
    return number()
  }

  /// Any number, and what is none.
  mutating func number() -> Double {
    Double(bitPattern: bytes(8).reduce(0) { $0 << 8 | UInt64($1) })
  }
}
