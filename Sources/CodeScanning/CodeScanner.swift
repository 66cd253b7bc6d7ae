public import Pictures

/// Finds and reads the QR codes in a picture.
///
/// zbar does the decoding; around it stand ``ScanStage`` passes that prepare the picture in
/// several ways. A code counts only when zbar's error correction confirmed it. The same picture
/// always gives the same answer.
public struct CodeScanner: Sendable {
  /// How far to go.
  public enum Effort: Sendable {
    /// Stop at the first stage that reads anything: for live pictures, of which the next comes
    /// at once.
    case firstCode
    /// Look for every code: all that the usual stages find, and the rarer stages when there may
    /// be more.
    case everyCode
  }

  /// How far to go.
  public var effort: Effort

  /// Makes a scanner. It holds no state and may be used from many tasks at once.
  public init(effort: Effort = .everyCode) { self.effort = effort }

  /// Reads the codes in a picture or page that was loaded.
  ///
  /// The first look is scanned; the closer one when the first shows no code, or several, of which
  /// some may be too small for it, or when it shows finder patterns that belong to no code read.
  ///
  /// - Returns: the codes, from top to bottom, with corners in pixels of the picture's full
  ///   `width` × `height`; empty when there is none.
  /// - Throws: ``PictureError``, when the closer look cannot be had, when no code was found and
  ///   the file was damaged, or `cancelled` as soon as the task is. The pass of zbar that is then
  ///   under way cannot be stopped and ends on a thread in the background, within 2 s for a picture
  ///   of 100 megapixels.
  public func scan(_ picture: LoadedPicture) async throws(PictureError) -> [DecodedCode] {
    let first = picture.firstLook
    var found = try await scan(first, of: picture, after: CodeCollection(), stages: Self.usual)
    if !(effort == .firstCode && found.count > 0), let closer = try await picture.closerLook(),
      found.count != 1
        || mayShowMore(closer, than: found, scale: Self.scale(of: closer, in: picture))
    {
      found = try await scan(closer, of: picture, after: found, stages: Self.close)
    }
    if found.count == 0 {
      found = try await scan(first, of: picture, after: found, stages: Self.last)
    }
    if found.count == 0, let damage = picture.damage { throw damage }
    return found.codes
  }

  /// Reads the codes in a picture in memory, to the end even when the task is cancelled.
  ///
  /// - Returns: the codes, from top to bottom, with corners in the picture's pixels; empty when
  ///   there is none.
  public func scan(_ picture: GreyPicture) -> [DecodedCode] {
    var found = CodeCollection()
    scan(picture, into: &found, scale: (1, 1), stages: Self.usual)
    if found.count == 0 { scan(picture, into: &found, scale: (1, 1), stages: Self.last) }
    return found.codes
  }

  /// Reads back a code that was just drawn: one pass over the pixels as they are, with none of
  /// the help that a photograph gets, so that what it reads everybody reads.
  ///
  /// Reliable for versions 1 to 40 when a module has a whole number of pixels, at least 3.
  ///
  /// - Returns: the codes, from top to bottom.
  public func readBack(_ picture: GreyPicture) -> [DecodedCode] {
    var found = CodeCollection()
    run(.fullFrame, on: picture, into: &found, scale: (1, 1))
    return found.codes
  }

  /// The stages in the order of what they read for their time, measured on photographs.
  static let usual: [ScanStage] = [
    ScanStage(name: "450, Otsu", size: .longSide(450), threshold: .otsu),
    ScanStage(
      name: "800, local mean", size: .longSide(800), threshold: .localMean(window: 25, offset: 4)),
    .fullFrame,
    ScanStage(
      name: "450, local mean", size: .longSide(450), threshold: .localMean(window: 25, offset: 4)),
    ScanStage(
      name: "1400, local mean", size: .longSide(1400), threshold: .localMean(window: 61, offset: 4)),
    ScanStage(
      name: "local mean", threshold: .localMean(window: 25, offset: 4), largestSide: largeSide),
    ScanStage(name: "doubled", size: .doubled),
  ]

  /// What a closer look is worth.
  static let close: [ScanStage] = [
    .fullFrame,
    ScanStage(
      name: "local mean", threshold: .localMean(window: 61, offset: 4), largestSide: largeSide),
  ]

  /// What is tried only when nothing was read.
  static let last: [ScanStage] = [
    ScanStage(
      name: "doubled, wide local mean", size: .doubled,
      threshold: .localMean(window: 51, offset: 4)),
    ScanStage(
      name: "doubled, local mean", size: .doubled, threshold: .localMean(window: 25, offset: 2)),
    ScanStage(
      name: "wide local mean", threshold: .localMean(window: 61, offset: 2), largestSide: 1300),
    ScanStage(name: "800, inverted", size: .longSide(800), inverted: true),
    ScanStage(name: "inverted", inverted: true, largestSide: largeSide),
  ]

  /// Beyond this side a picture gets one pass at its full size, and help only when made smaller:
  /// each pass costs 20 ns a pixel. An A4 page at 400 dots an inch has 4,677.
  private static let largeSide = 5000

  private static func scale(
    of look: GreyPicture, in picture: LoadedPicture
  ) -> (x: Double, y: Double) {
    (
      Double(picture.width) / Double(max(1, look.width)),
      Double(picture.height) / Double(max(1, look.height))
    )
  }

  /// Adds what the stages find in one look at a picture; throws `cancelled` and nothing else.
  private func scan(
    _ look: GreyPicture, of picture: LoadedPicture, after found: CodeCollection,
    stages: [ScanStage]
  ) async throws(PictureError) -> CodeCollection {
    let scale = Self.scale(of: look, in: picture)
    return try await Uninterruptible.run(picture.source) { interest in
      var found = found
      scan(look, into: &found, scale: scale, stages: stages) { interest.isAlive }
      return found
    }
  }

  private func scan(
    _ picture: GreyPicture, into found: inout CodeCollection, scale: (x: Double, y: Double),
    stages: [ScanStage], while isWanted: () -> Bool = { true }
  ) {
    for stage in stages where stage.applies(to: picture) && isWanted() {
      run(stage, on: picture, into: &found, scale: scale)
      if found.count > 0, effort == .firstCode { return }
      if found.count == 1, stage == .fullFrame, !mayShowMore(picture, than: found, scale: scale) {
        return
      }
    }
  }

  /// Whether a look shows finder patterns outside of what was read.
  private func mayShowMore(
    _ look: GreyPicture, than found: CodeCollection, scale: (x: Double, y: Double)
  ) -> Bool {
    let corners = found.codes.map { code in
      code.corners.map { PicturePoint(x: $0.x / scale.x, y: $0.y / scale.y) }
    }
    return FinderSearch(in: look, outside: corners).findsCode()
  }

  private func run(
    _ stage: ScanStage, on picture: GreyPicture, into found: inout CodeCollection,
    scale: (x: Double, y: Double)
  ) {
    let prepared = stage.prepared(picture)
    guard let pass = ZBarPass() else { return }
    let shrink = (
      x: Double(picture.width) / Double(prepared.width),
      y: Double(picture.height) / Double(prepared.height)
    )
    for read in pass.codes(in: prepared) {
      let corners = read.corners.map { $0.scaled(by: shrink) }
      guard !found.knowsAll(of: read.bytes, at: corners.map { $0.scaled(by: scale) }) else {
        continue
      }
      let facts =
        read.symbology == .qr
        ? SymbolFacts(in: picture, corners: corners, inverted: stage.inverted) : nil
      found.add(
        DecodedCode(
          text: CodeText.decode(read.bytes, declared: facts?.declaredCharacterSet),
          bytes: read.bytes, symbology: read.symbology,
          corners: (facts?.corners ?? corners).map { $0.scaled(by: scale) },
          version: facts?.version, errorCorrection: facts?.format.errorCorrection,
          mask: facts?.format.mask, isInverted: stage.inverted, stage: stage.name))
    }
  }
}

extension PicturePoint {
  fileprivate func scaled(by scale: (x: Double, y: Double)) -> PicturePoint {
    PicturePoint(x: x * scale.x, y: y * scale.y)
  }
}
