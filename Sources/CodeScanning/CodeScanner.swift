import Basics
public import Pictures

/// Finds and reads the codes in a picture.
///
/// Stages look at it in several ways, those first that read the most for their time: zbar over a
/// small black and white copy, our own locator that hands zbar clean symbols, and later what helps
/// seldom. A code counts only when error correction confirmed it. The same picture always gives the
/// same answer.
public struct CodeScanner: Sendable {
  /// How far to go.
  public enum Effort: Sendable {
    /// Stop at the first code: for live pictures, of which the next comes at once.
    case firstCode
    /// Look for every code, until nothing is left that looks like one, or the budget is spent.
    case everyCode
  }

  /// How far to go.
  public var effort: Effort
  /// The work that a picture may cost, and besides, of a large one, each of its parts, as time on the machine that the stages were measured on; a
  /// slower one takes longer and finds the same. Each code that is read adds 3 ms, for its neighbours.
  /// Loading the picture does not count, decoding it again for a closer look does. `nil` sets no
  /// limit.
  public var budget: Duration?
  /// What is looked for. Other codes than QR cost time with every picture.
  public var symbologies: Set<DecodedCode.Symbology>

  /// Makes a scanner. It holds no state and may be used from many tasks at once.
  public init(
    effort: Effort = .everyCode, budget: Duration? = .milliseconds(400),
    symbologies: Set<DecodedCode.Symbology> = [.qr, .appClipCode]
  ) {
    self.effort = effort
    self.budget = budget
    self.symbologies = symbologies
  }

  /// Reads the codes in a picture or page that was loaded.
  ///
  /// - Returns: the codes, from top to bottom, with corners in pixels of the picture's full
  ///   `width` × `height`; empty when there is none.
  /// - Throws: as ``examine(_:)``.
  public func scan(_ picture: LoadedPicture) async throws(PictureError) -> [DecodedCode] {
    try await examine(picture).codes
  }

  /// Reads the codes in a picture or page that was loaded, and says what else was seen.
  ///
  /// - Throws: `PictureError`, when zbar is not installed, when the closer look cannot be had, when
  ///   no code was found and the file was damaged, or `cancelled` as soon as the task is. The work
  ///   that is then under way ends on a thread in the background, within 2 s for a picture of 100
  ///   megapixels.
  public func examine(_ picture: LoadedPicture) async throws(PictureError) -> ScanResult {
    try ZBarLibrary.load(for: picture.source)
    let first = Look(picture.firstLook, of: picture)
    var search = newSearch
    search = try await run(ScanPlan.first + ScanPlan.usual, on: first, search, picture.source)
    if picture.isLarge {
      search = try await lookAtParts(of: picture, search)
    } else if !search.isOver, search.pay(Self.costOfDecoding(picture)),
      let closer = try await picture.closerLook()
    {
      search = try await run(ScanPlan.close, on: Look(closer, of: picture), search, picture.source)
    }
    // What helps seldom is for a picture that has shown nothing.
    if !search.isOver, search.appClipCodes.isEmpty {
      search = try await run(ScanPlan.rare, on: first, search, picture.source)
    }
    if search.found.count == 0, search.appClipCodes.isEmpty,
      search.pay(Self.costOfDecoding(picture)),
      let colour = try await picture.colourLook()
    {
      for grey in ColourPlanes.looks(at: colour) where search.found.count == 0 {
        search = try await run(
          ScanPlan.ofOneColour, on: Look(grey, of: picture), search, picture.source)
      }
    }
    if search.found.count == 0, search.appClipCodes.isEmpty,
      let dark = try await picture.lookOnDarkGround()
    {
      // What is left of the budget was spent on paper that is not there.
      search.budget = WorkBudget(budget)
      search.ground = .dark
      search = try await run(
        ScanPlan.usual + ScanPlan.rare, on: Look(dark, of: picture), search, picture.source)
    }
    let result = search.result
    if result.codes.isEmpty, result.appClipCodes.isEmpty, let damage = picture.damage {
      throw damage
    }
    return result
  }

  /// Searches a picture that is too large to be searched as a whole.
  ///
  /// What the parts cost is not taken from the budget of the whole: a poster's area is no reason to
  /// leave a corner out.
  private func lookAtParts(
    of picture: LoadedPicture, _ search: CodeSearch
  ) async throws(PictureError) -> CodeSearch {
    var search = search
    guard search.wantsParts else { return search }
    if let parts = picture.parts {
      if let shortfall = parts.shortfall { search.leaveOut(shortfall) }
      let scale = (
        x: Double(picture.width) / Double(parts.width),
        y: Double(picture.height) / Double(parts.height)
      )
      // Drawing a part costs more than searching it, so that several are drawn together.
      for area in LargePicture.areas(width: parts.width, height: parts.height, fold: 2)
      where search.wantsParts {
        do throws(PictureError) {
          let look = Look(
            try await parts.draw(area), scale: scale,
            origin: PicturePoint(x: Double(area.x) * scale.x, y: Double(area.y) * scale.y))
          search = try await runParts(look, search, halving: false, picture.source)
        } catch {
          guard error.code != .cancelled else { throw error }
          search.leaveOut("a part of it could not be drawn for a closer look (\(error.message))")
          guard error.code != .documentTimedOut, error.code != .timedOut else { break }
        }
      }
    }
    let whole: GreyPicture
    if picture.firstLook.width == picture.width {
      whole = picture.firstLook
    } else {
      whole = try await picture.closerLook() ?? picture.firstLook
    }
    return try await runParts(
      Look(whole, of: picture), search, halving: true, picture.source)
  }

  private func runParts(
    _ look: Look, _ search: CodeSearch, halving: Bool, _ source: String
  ) async throws(PictureError) -> CodeSearch {
    let budget = budget
    return try await Uninterruptible.run(source) { wanted in
      var search = search
      LargePicture.search(look, &search, partBudget: budget, halving: halving) { wanted.isSet }
      return search
    }
  }

  /// Reads the codes in a picture in memory, to the end even when the task is cancelled.
  ///
  /// - Returns: the codes, from top to bottom, with corners in the picture's pixels; empty when
  ///   there is none.
  /// - Throws: `PictureError` with `libraryMissing` when zbar is not installed.
  public func scan(_ picture: GreyPicture) throws(PictureError) -> [DecodedCode] {
    try examine(picture).codes
  }

  /// Reads the codes in a picture in memory, to the end even when the task is cancelled, and says what
  /// else was seen.
  ///
  /// - Throws: `PictureError` with `libraryMissing` when zbar is not installed.
  public func examine(_ picture: GreyPicture) throws(PictureError) -> ScanResult {
    try ZBarLibrary.load(for: "the picture")
    var search = newSearch
    let look = Look(picture)
    for stage in ScanPlan.first + ScanPlan.usual + ScanPlan.rare
    where !search.isOver && stage.applies(to: look) {
      stage.run(on: look, &search) { true }
    }
    return search.result
  }

  /// Reads back a code that was just drawn: one pass over the pixels as they are, with none of
  /// the help that a photograph gets, so that what it reads everybody reads.
  ///
  /// Reliable for versions 1 to 40 when a module has a whole number of pixels, at least 3.
  ///
  /// - Returns: the codes, from top to bottom.
  /// - Throws: `PictureError` with `libraryMissing` when zbar is not installed.
  package func readBack(_ picture: GreyPicture) throws(PictureError) -> [DecodedCode] {
    try ZBarLibrary.load(for: "the picture")
    var search = CodeSearch(effort: .everyCode, symbologies: [.qr], budget: WorkBudget(nil))
    ZBarStage.fullFrame.run(on: Look(picture), &search) { true }
    return search.result.codes
  }

  /// The same, for what the codes hold alone: what their symbols are made of is not measured.
  package func bytesReadBack(from picture: GreyPicture) throws(PictureError) -> [[UInt8]] {
    try ZBarLibrary.load(for: "the picture")
    return ZBarPass()?.codes(in: picture).map(\.bytes) ?? []
  }

  private var newSearch: CodeSearch {
    CodeSearch(effort: effort, symbologies: symbologies, budget: WorkBudget(budget))
  }

  /// What decoding the whole picture again costs, in milliseconds.
  private static func costOfDecoding(_ picture: LoadedPicture) -> Double {
    Double(picture.width) * Double(picture.height) / 1e6 * 5
  }

  /// Runs stages on a thread outside the cooperative pool; throws `cancelled` and nothing else.
  private func run(
    _ stages: [any ScanStage], on look: Look, _ search: CodeSearch, _ source: String
  ) async throws(PictureError) -> CodeSearch {
    try await Uninterruptible.run(source) { wanted in
      var search = search
      for stage in stages where !search.isOver && wanted.isSet && stage.applies(to: look) {
        stage.run(on: look, &search) { wanted.isSet }
      }
      return search
    }
  }
}
