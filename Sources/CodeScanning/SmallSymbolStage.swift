import Pictures

/// Looks for Micro QR and rMQR codes, to name them; they give no text.
struct SmallSymbolStage: ScanStage {
  let name = "small symbols"

  func applies(to look: Look) -> Bool { true }

  func run(on look: Look, _ search: inout CodeSearch, while isWanted: () -> Bool) {
    let reduced = look.showing(Scaling.reduced(look.picture, longSide: 2000))
    guard search.pay(reduced.megapixels * 12 + look.megapixels * 1.5) else { return }
    let known = search.known(in: reduced).map { Quadrilateral($0, enlargedBy: 1) }
    let pyramid = PicturePyramid(of: reduced.picture, smallestSide: 160)
    for finder in FinderLocator().finders(in: pyramid, outside: known) where isWanted() {
      guard let symbol = SmallSymbol(of: finder, in: reduced.picture) else { continue }
      search.add(
        UnreadSymbol(kind: symbol.kind, corners: symbol.corners.map(reduced.whole)))
    }
  }
}
