import CliptagBasics
public import Pictures

/// Finds and reads the codes in a picture.
///
/// Stages examine it in several ways, ordered by their yield for their time: first this package's
/// locator, then, unless it read everything that looks like a code, zbar on small copies, and finally
/// methods that rarely help; without a sign of a code, the costly ones of these are left out. A code
/// counts only if error correction confirms it. The same picture always gives the same result.
public struct CodeScanner: Sendable {
  /// The extent of the search.
  public enum Effort: Sendable {
    /// Stops at the first code: for live pictures, where the next one arrives at once.
    case firstCode
    /// Searches for all codes, until no candidates are left, or the budget is spent.
    case everyCode
  }

  /// The extent of the search.
  public var effort: Effort
  /// The work that a picture may cost, and additionally each part of a large one, as time on the
  /// machine on which the stages were measured; a slower one takes longer and finds the same. Each
  /// code that is read adds 3 ms, for its neighbours. Loading the picture does not count; decoding
  /// it again for a closer look does. `nil` sets no limit.
  public var budget: Duration?
  /// The symbologies to search for. Those other than QR cost time with every picture. Those of
  /// ``DecodedCode/Symbology/relatedToQR`` are always read: they have the patterns of QR Code.
  public var symbologies: Set<DecodedCode.Symbology>

  /// Creates a scanner. It is stateless and may be used from many tasks at once.
  public init(
    effort: Effort = .everyCode, budget: Duration? = .milliseconds(400),
    symbologies: Set<DecodedCode.Symbology> = [.qr, .appClipCode]
  ) {
    self.effort = effort
    self.budget = budget
    self.symbologies = symbologies
  }

  /// Reads the codes in a loaded picture or page.
  ///
  /// - Returns: the codes, from top to bottom, with corners in pixels of the picture's full `width`
  ///   × `height`; empty if there are none.
  /// - Throws: as ``examine(_:)-(LoadedPicture)``.
  public func scan(_ picture: LoadedPicture) async throws(PictureError) -> [DecodedCode] {
    try await examine(picture).codes
  }

  /// Reads the codes in a loaded picture or page, and reports other findings.
  ///
  /// - Throws: `PictureError` if zbar is not installed, if the closer look fails, if no code was
  ///   found and the file was damaged, or `cancelled` as soon as the task is cancelled. Work in
  ///   progress ends on a background thread, within 2 s for a picture of 100 megapixels.
  public func examine(_ picture: LoadedPicture) async throws(PictureError) -> ScanResult {
    try ZBarLibrary.load(for: picture.source)
    let first = Look(picture.firstLook, of: picture)
    var search = newSearch
    search = try await run(ScanPlan.usual, on: first, search, picture.source)
    if picture.isLarge {
      search = try await lookAtParts(of: picture, search)
    } else if !search.isOver, search.pay(Self.costOfDecoding(picture)),
      let closer = try await picture.closerLook()
    {
      search = try await run(ScanPlan.close, on: Look(closer, of: picture), search, picture.source)
    }
    // Methods that rarely help are for a picture without results.
    if search.appClipCodes.isEmpty {
      search = try await run(ScanPlan.rare, on: first, search, picture.source, ifWorthwhile: true)
    }
    if search.found.count == 0, search.appClipCodes.isEmpty, picture.mayBeColourful,
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
      // The remaining budget was spent on a white background that does not exist.
      search.budget = WorkBudget(budget)
      search.ground = .dark
      let look = Look(dark, of: picture)
      search = try await run(ScanPlan.usual, on: look, search, picture.source)
      search = try await run(ScanPlan.rare, on: look, search, picture.source, ifWorthwhile: true)
    }
    let result = search.result
    if result.codes.isEmpty, result.appClipCodes.isEmpty, let damage = picture.damage {
      throw damage
    }
    return result
  }

  /// Searches a picture that is too large to be searched as a whole.
  ///
  /// The cost of the parts is not charged to the budget of the whole: a large poster is searched in
  /// every corner.
  private func lookAtParts(
    of picture: LoadedPicture, _ search: CodeSearch
  ) async throws(PictureError) -> CodeSearch {
    var search = search
    let sight = FirstSight(
      Look(picture.firstLook, of: picture), search, of: picture.parts?.width ?? picture.width)
    let size = PicturePoint(x: Double(picture.width), y: Double(picture.height))
    guard search.wantsParts, sight.shows(PicturePoint(x: 0, y: 0), size) else { return search }
    if let parts = picture.parts {
      if let shortfall = parts.shortfall { search.leaveOut(shortfall) }
      let scale = (
        x: Double(picture.width) / Double(parts.width),
        y: Double(picture.height) / Double(parts.height)
      )
      // Rendering a part costs more than searching it, so several are rendered together.
      for area in LargePicture.areas(width: parts.width, height: parts.height, fold: 2)
      where search.wantsParts {
        let origin = PicturePoint(x: Double(area.x) * scale.x, y: Double(area.y) * scale.y)
        let extent = PicturePoint(
          x: Double(area.width) * scale.x, y: Double(area.height) * scale.y)
        guard sight.shows(origin, origin + extent) else { continue }
        do throws(PictureError) {
          let look = Look(try await parts.draw(area), scale: scale, origin: origin)
          search = try await runParts(look, search, sight, halving: false, picture.source)
        } catch {
          guard error.code != .cancelled else { throw error }
          search.leaveOut("an enlarged part of it could not be rendered (\(error.message))")
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
      Look(whole, of: picture), search, sight, halving: true, picture.source)
  }

  private func runParts(
    _ look: Look, _ search: CodeSearch, _ sight: FirstSight, halving: Bool, _ source: String
  ) async throws(PictureError) -> CodeSearch {
    let budget = budget
    return try await Uninterruptible.run(source) { wanted in
      var search = search
      LargePicture.search(look, &search, sight, partBudget: budget, halving: halving) {
        wanted.isSet
      }
      return search
    }
  }

  /// Reads the codes in a picture in memory; runs to the end even if the task is cancelled.
  ///
  /// - Returns: the codes, from top to bottom, with corners in the picture's pixels; empty if there
  ///   are none.
  /// - Throws: `PictureError` with `libraryMissing` if zbar is not installed.
  public func scan(_ picture: GreyPicture) throws(PictureError) -> [DecodedCode] {
    try examine(picture).codes
  }

  /// Reads the codes in a picture in memory, and reports other findings; runs to the end even if
  /// the task is cancelled.
  ///
  /// - Throws: `PictureError` with `libraryMissing` if zbar is not installed.
  public func examine(_ picture: GreyPicture) throws(PictureError) -> ScanResult {
    try ZBarLibrary.load(for: "the picture")
    var search = newSearch
    let look = Look(picture)
    Self.run(ScanPlan.usual, on: look, &search) { true }
    if search.appClipCodes.isEmpty {
      Self.run(ScanPlan.rare, on: look, &search, ifWorthwhile: true) { true }
    }
    return search.result
  }

  /// Reads back a generated code in one pass over the unchanged pixels, without the processing for
  /// photographs, so that every scanner can read what it reads.
  ///
  /// Reliable for versions 1 to 40 if a module has an integer number of pixels, at least 3.
  ///
  /// - Returns: the codes, from top to bottom.
  /// - Throws: `PictureError` with `libraryMissing` if zbar is not installed.
  package func readBack(_ picture: GreyPicture) throws(PictureError) -> [DecodedCode] {
    try ZBarLibrary.load(for: "the picture")
    var search = CodeSearch(effort: .everyCode, symbologies: [.qr], budget: WorkBudget(nil))
    ZBarStage.fullFrame.run(on: Look(picture), &search) { true }
    return search.result.codes
  }

  /// Reads back only the bytes of the codes; the symbols are not measured.
  package func bytesReadBack(from picture: GreyPicture) throws(PictureError) -> [[UInt8]] {
    try ZBarLibrary.load(for: "the picture")
    return ZBarPass()?.codes(in: picture).map(\.bytes) ?? []
  }

  private var newSearch: CodeSearch {
    CodeSearch(effort: effort, symbologies: symbologies, budget: WorkBudget(budget))
  }

  /// Returns the cost of decoding the whole picture again, in milliseconds.
  private static func costOfDecoding(_ picture: LoadedPicture) -> Double {
    Double(picture.width) * Double(picture.height) / 1e6 * 5
  }

  /// Runs stages on a thread outside the cooperative pool; throws only `cancelled`.
  private func run(
    _ stages: [any ScanStage], on look: Look, _ search: CodeSearch, _ source: String,
    ifWorthwhile: Bool = false
  ) async throws(PictureError) -> CodeSearch {
    try await Uninterruptible.run(source) { wanted in
      var search = search
      Self.run(stages, on: look, &search, ifWorthwhile: ifWorthwhile) { wanted.isSet }
      return search
    }
  }

  /// Runs the stages that are useful for a look after those before.
  ///
  /// - Parameter ifWorthwhile: whether those are left out that cost much, if nothing in the picture
  ///   looks like a code.
  private static func run(
    _ stages: [any ScanStage], on look: Look, _ search: inout CodeSearch,
    ifWorthwhile: Bool = false, while isWanted: () -> Bool
  ) {
    for stage in stages where isWanted() && stage.isNeeded(in: search) && stage.applies(to: look) {
      guard !ifWorthwhile || search.isWorth(stage.cost(of: look)) else { continue }
      stage.run(on: look, &search, while: isWanted)
    }
  }
}
