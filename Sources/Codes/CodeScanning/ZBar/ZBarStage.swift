import Pictures

/// A method of preparing a picture for zbar.
///
/// zbar searches for finder patterns on single lines of pixels. Noise, paper grain and screen
/// pixels interrupt them in a large picture and shadows in a dark one; in a small one a module is
/// too thin. Each stage addresses one of these, followed by a full pass of zbar.
struct ZBarStage: ScanStage, Hashable {
  /// The change of the size.
  enum Size: Hashable, Sendable {
    case asGiven
    case longSide(Int)
    case doubled
  }

  let name: String
  var size = Size.asGiven
  var threshold: Threshold?
  /// The largest long side for which the stage is used.
  var largestSide = Int.max
  /// A Boolean value that indicates whether the stage is left out of pictures in which no finder
  /// patterns were seen, unless it costs little or the picture has two tones: fine modules of
  /// graphics are full of what resembles patterns.
  var needsPatterns = false
  var symbologies: Set<DecodedCode.Symbology> = [.qr]

  /// The picture unchanged.
  static let fullFrame = ZBarStage(name: "full frame")
  /// Passes for linear codes, which only zbar reads.
  static let barcodes = [
    ZBarStage(name: "barcodes", largestSide: 5000, symbologies: DecodedCode.Symbology.linear),
    ZBarStage(
      name: "small barcodes", size: .longSide(1000), symbologies: DecodedCode.Symbology.linear),
  ]

  func applies(to look: Look) -> Bool {
    guard look.longSide <= largestSide else { return false }
    switch size {
    case .asGiven: return true
    case .longSide(let wanted): return look.longSide > wanted * 5 / 4
    case .doubled: return look.longSide <= 1300
    }
  }

  /// Returns the cost of a pass, in milliseconds: zbar's lines over grey or over two values, and
  /// the preparation.
  func cost(of look: Look) -> Double {
    let pixels: Double =
      switch size {
      case .asGiven: look.megapixels
      case .longSide(let wanted):
        look.megapixels * Double(wanted * wanted) / Double(look.longSide * look.longSide)
      case .doubled: look.megapixels * 4
      }
    return pixels * (threshold == nil ? 40 : 32) + (size == .asGiven ? 0 : look.megapixels * 1.5)
  }

  func run(on look: Look, _ search: inout CodeSearch, while isWanted: () -> Bool) {
    let cost = cost(of: look)
    guard
      !needsPatterns || search.isWorthWithPatterns(cost) || Threshold.showsTwoTones(look.picture),
      search.pay(cost)
    else { return }
    let prepared = look.showing(prepared(look.picture))
    guard let pass = ZBarPass(for: symbologies.intersection(search.symbologies)) else { return }
    for read in pass.codes(in: prepared.picture) {
      let corners = read.corners.map(prepared.whole)
      guard !search.knowsAll(of: read.bytes, at: corners) else { continue }
      search.add(code(for: read, at: corners, in: look))
    }
  }

  private func code(for read: RawRead, at corners: [PicturePoint], in look: Look) -> DecodedCode {
    guard read.symbology == .qr else {
      return DecodedCode(
        text: CodeText.decode(read.bytes), bytes: read.bytes, symbology: read.symbology,
        corners: corners, stage: name)
    }
    guard
      let facts = SymbolFacts(in: look.picture, corners: corners.map(look.here))
    else {
      return DecodedCode(
        text: CodeText.decode(read.bytes), bytes: read.bytes, corners: corners, stage: name)
    }
    if let found = sampled(facts, in: look) {
      let code = DecodedCode(found, isInverted: false, in: look, stage: name)
      if code.bytes == read.bytes { return code }
    }
    return DecodedCode(
      text: facts.content.map(CodeText.decode) ?? CodeText.decode(read.bytes), bytes: read.bytes,
      corners: facts.corners.map(look.whole), version: facts.version,
      errorCorrection: facts.format.errorCorrection, mask: facts.format.mask, stage: name)
  }

  /// Returns the same symbol sampled by this package, which measures the work of error correction.
  private func sampled(_ facts: SymbolFacts, in look: Look) -> LocatedSymbol? {
    let triple = FinderTriple(
      corners: facts.corners, size: 17 + 4 * facts.version, isInverted: false)
    return triple.flatMap { SymbolSampler().read($0, in: look.picture) }
  }

  /// Returns the prepared picture for zbar.
  func prepared(_ picture: GreyPicture) -> GreyPicture {
    var result =
      switch size {
      case .asGiven: picture
      case .longSide(let wanted): Scaling.reduced(picture, longSide: wanted)
      case .doubled: Scaling.doubled(picture)
      }
    if let threshold { result = threshold.applied(to: result) }
    return result
  }
}
