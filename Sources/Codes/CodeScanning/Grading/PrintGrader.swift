import CliptagBasics
public import Pictures

/// Estimates the print quality of QR codes from a scan or a photograph, parameter by parameter.
///
/// The formulas are those of ISO/IEC 15415:2011, with the cell contrast and cell modulation of
/// ISO/IEC TR 29158:2011, which are ratios and need no calibrated light. The symbol is compared
/// with a clean copy, module by module, through a synthetic round aperture of 0.8 modules.
///
/// The result is an estimate, not a verification: no light at 660 nm and 45°, no calibration card,
/// one picture instead of five. Limits from the standards' tables that could not be confirmed are
/// marked where they are used. The same picture always gives the same grades.
public struct PrintGrader: Sendable {
  /// The way a picture was taken, which determines what can be measured in it.
  public enum Capture: Hashable, Sendable {
    /// With a camera, or in an unknown way: illumination may vary, perspective hides sizes.
    case photograph
    /// On a flatbed scanner: even illumination, no perspective, a known number of dots per inch.
    case flatbed(dotsPerInch: Double)
  }

  /// The way the pictures were taken.
  public var capture: Capture
  /// The reflectance of the unprinted paper around the code, 0 … 1 (about 0.8 … 0.85 for office
  /// paper); `nil` if unknown. Without it, symbol contrast is an upper bound.
  public var paperReflectance: Double?
  /// The scanner that searches for the codes.
  public var scanner: CodeScanner

  /// The number of pixels per module below which the picture itself blurs it: vendors of verifiers
  /// require at least 5.
  private static let fewestPixels = 5.0
  /// The number of pixels per module below which its edges are too coarse for measuring growth.
  private static let pixelsForGrowth = 10.0
  /// The tolerance of the size of a module, in pixels.
  private static let slack = 0.1
  /// The share of the grid that must be visible for a grade: a logo may hide the rest.
  private static let leastSeenPart = 0.75
  /// The share of the timing pattern that may be dark (ISO/IEC 15415:2011, print growth, which that
  /// edition reports without a grade).
  private static let darkParts = 0.35...0.65

  /// Creates a grader. It is stateless and may be used from many tasks at once.
  public init(
    capture: Capture = .photograph, paperReflectance: Double? = nil,
    scanner: CodeScanner = CodeScanner()
  ) {
    self.capture = capture
    self.paperReflectance = paperReflectance
    self.scanner = scanner
  }

  /// Grades the codes in a loaded picture or page, in its full resolution.
  ///
  /// - Returns: the grades from top to bottom, and the number of codes that were read but could not
  ///   be graded, because their modules could not be located.
  /// - Throws: as `CodeScanner.examine(_:)`; `cancelled` as soon as the task is cancelled.
  public func grades(
    of picture: LoadedPicture
  ) async throws(PictureError) -> (grades: [PrintGrade], ungraded: Int) {
    let codes = try await scanner.examine(picture).codes.filter { $0.symbology == .qr }
    let grades = try await grades(of: codes, in: picture)
    return (grades.compactMap { $0 }, grades.count { $0 == nil })
  }

  /// Grades codes that were read in a picture or page, in its full resolution.
  ///
  /// - Returns: for each code its grade, or `nil` if its modules cannot be located.
  /// - Throws: `PictureError`; `cancelled` as soon as the task is cancelled.
  public func grades(
    of codes: [DecodedCode], in picture: LoadedPicture
  ) async throws(PictureError) -> [PrintGrade?] {
    guard !codes.isEmpty else { return [] }
    let look = Look(try await picture.closerLook() ?? picture.firstLook, of: picture)
    return try await Uninterruptible.run(picture.source) { wanted in
      codes.map { wanted.isSet ? grade($0, in: look) : nil }
    }
  }

  /// Grades a code that was read in a picture.
  ///
  /// - Returns: `nil` if its modules cannot be located.
  public func grade(_ code: DecodedCode, in picture: GreyPicture) -> PrintGrade? {
    grade(code, in: Look(picture))
  }

  private func grade(_ code: DecodedCode, in look: Look) -> PrintGrade? {
    guard code.symbology == .qr else { return nil }
    let corners = code.corners.map(look.here)
    for triple in Self.triples(of: code, at: corners, in: look.picture) {
      guard let search = SymbolSearch(triple, in: look.picture),
        let found = search.first({ SymbolDecoder.decode($0) })
      else { continue }
      let measured = MeasuredSymbol(
        found.answer, found.geometry, in: look.picture, isInverted: triple.isInverted,
        evensLight: capture == .photograph)
      let codewords = CodewordQuality(of: measured)
      let pixels = found.geometry.modulePixels
      var grade = PrintGrade(
        code: code, corners: LocatedSymbol(found.answer, found.geometry).corners.map(look.whole),
        modulePixels: pixels, moduleMillimetres: millimetres(pixels),
        parameters: parameters(of: measured, codewords, modulePixels: pixels)
          + dimensions(of: measured, in: look.picture, modulePixels: pixels))
      grade.certainDamage = min(
        GradeScale.unusedErrorCorrection.grade(max(0, codewords.certainlyUnused)).step,
        FixedPatternDamage.certain(of: measured).step)
      return grade
    }
    return nil
  }

  /// Returns the finder patterns from the code's corners; if its size is unknown, those that are
  /// found within them.
  private static func triples(
    of code: DecodedCode, at corners: [PicturePoint], in picture: GreyPicture
  ) -> [FinderTriple] {
    let known = code.version.flatMap {
      FinderTriple(corners: corners, size: 17 + 4 * $0, isInverted: code.isInverted)
    }
    if let known { return [known] }
    let area = Quadrilateral(corners, enlargedBy: 1.1)
    return FinderLocator(polarities: code.isInverted ? .both : .dark).triples(in: picture).filter {
      triple in
      [triple.topLeft, triple.topRight, triple.bottomLeft].allSatisfy { area.holds($0.centre) }
    }
  }

  private func millimetres(_ pixels: Double) -> Double? {
    guard case .flatbed(let resolution) = capture else { return nil }
    return pixels / resolution * 25.4
  }

  /// Returns all parameters of a symbol, in display order.
  private func parameters(
    of measured: MeasuredSymbol, _ codewords: CodewordQuality, modulePixels: Double
  ) -> [GradedParameter] {
    let unused = codewords.unused
    return [
      decode(unused), symbolContrast(of: measured),
      cellContrast(of: measured), modulation(codewords, modulePixels, countsWrong: false),
      modulation(codewords, modulePixels, countsWrong: true),
      GradedParameter(
        .unusedErrorCorrection, .measured, max(0, unused),
        GradeScale.unusedErrorCorrection.grade(max(0, unused))),
      fixedPatterns(of: measured),
    ] + information(of: measured)
  }

  private func decode(_ unused: Double) -> GradedParameter {
    let isRead = unused >= 0
    return GradedParameter(
      .decode, .measured, isRead ? 1 : 0, isRead ? .best : .failed,
      note: isRead ? nil : "it was read only with thresholds that follow the light")
  }

  /// Returns the contrast of the reflections of paper and ink, relative to the paper's, so that the
  /// exposure does not matter.
  ///
  /// The standard uses the lightest and the darkest of all points: a speck of glare or of dirt, or
  /// a dark frame around a pale symbol, would make it A.
  private func symbolContrast(of measured: MeasuredSymbol) -> GradedParameter {
    let (paper, ink) = measured.inkLevels
    guard paper > 0 else {
      return GradedParameter(.symbolContrast, .notMeasured, note: "no paper is visible")
    }
    // No paper reflects more than all light, so the measured contrast is an upper bound. A print
    // that is too pale is too pale on any paper.
    let contrast = min(1, max(0, (paper - ink) / paper * (paperReflectance ?? 1)))
    let notes = [
      paperReflectance == nil
        ? "at most: the paper's reflectance is unknown"
        : "assuming the paper's reflectance",
      capture == .photograph ? "glare and the camera's tone curve change it" : nil,
    ].compactMap { $0 }
    return GradedParameter(
      .symbolContrast, .estimated, contrast, GradeScale.symbolContrast.grade(contrast),
      note: notes.joined(separator: "; "))
  }

  private func cellContrast(of measured: MeasuredSymbol) -> GradedParameter {
    guard measured.light > 0 else { return GradedParameter(.cellContrast, .measured, 0, .failed) }
    let contrast = (measured.light - measured.dark) / measured.light
    let isFlat = capture != .photograph
    return GradedParameter(
      .cellContrast, isFlat ? .measured : .estimated, contrast,
      GradeScale.cellContrast.grade(contrast),
      note: isFlat ? nil : "glare and the camera's tone curve change it")
  }

  private func modulation(
    _ codewords: CodewordQuality, _ modulePixels: Double, countsWrong: Bool
  ) -> GradedParameter {
    let isFine = modulePixels >= Self.fewestPixels
    let isFlat = capture != .photograph
    let note =
      !isFine
      ? "a module has fewer than 5 pixels, which blur it"
      : isFlat ? nil : "an even slope of the light was taken out"
    return GradedParameter(
      countsWrong ? .reflectanceMargin : .modulation,
      isFine && isFlat ? .measured : .estimated, nil,
      codewords.overlay(countsWrong: countsWrong), note: note)
  }

  private func fixedPatterns(of measured: MeasuredSymbol) -> GradedParameter {
    let damage = FixedPatternDamage(of: measured)
    return GradedParameter(
      .fixedPatternDamage, damage.isCut ? .estimated : .measured, nil, damage.grade,
      note: damage.isCut ? "a part of the quiet zone is outside the picture" : nil,
      parts: damage.parts)
  }

  private func information(of measured: MeasuredSymbol) -> [GradedParameter] {
    let format = InformationDamage(FormatInformation.places(size: measured.size), of: measured)
    var parameters = [
      GradedParameter(.formatInformation, .measured, nil, format.grade, parts: format.parts)
    ]
    if measured.symbol.version >= 7 {
      let version = InformationDamage(VersionInformation.places(size: measured.size), of: measured)
      parameters.append(
        GradedParameter(.versionInformation, .measured, nil, version.grade, parts: version.parts))
    }
    return parameters
  }

  /// Returns the parameters that are lengths: axial and grid nonuniformity, print growth and the
  /// quiet zone.
  private func dimensions(
    of measured: MeasuredSymbol, in picture: GreyPicture, modulePixels: Double
  ) -> [GradedParameter] {
    let light = LinearLight(of: picture)
    return [
      axialNonuniformity(of: measured),
      gridNonuniformity(of: measured, light, modulePixels),
      growth(.printGrowthAcross, of: measured, light, modulePixels),
      growth(.printGrowthDown, of: measured, light, modulePixels),
      quietZone(of: measured, light),
    ]
  }

  private func axialNonuniformity(of measured: MeasuredSymbol) -> GradedParameter {
    guard capture != .photograph else {
      return GradedParameter(
        .axialNonuniformity, .notMeasured, note: "perspective hides it in a photograph")
    }
    let side = Double(measured.size)
    var (width, height) = (0.0, 0.0)
    for index in 0...measured.size {
      let line = Double(index)
      width += measured.place(0, line).distance(to: measured.place(side, line))
      height += measured.place(line, 0).distance(to: measured.place(line, side))
    }
    let value = abs(width - height) / ((width + height) / 2)
    return GradedParameter(
      .axialNonuniformity, .measured, value, GradeScale.axialNonuniformity.grade(value))
  }

  private func gridNonuniformity(
    of measured: MeasuredSymbol, _ light: LinearLight, _ modulePixels: Double
  ) -> GradedParameter {
    func unknown(_ reason: String) -> GradedParameter {
      GradedParameter(.gridNonuniformity, .notMeasured, note: reason)
    }
    guard modulePixels >= Self.fewestPixels - Self.slack else {
      return unknown("a module has fewer than 5 pixels")
    }
    let isFlat = capture != .photograph
    guard let grid = GridFollowing(of: measured, in: light),
      grid.seenPart >= Self.leastSeenPart, let value = grid.nonuniformity(isFlat: isFlat)
    else {
      return unknown("too few module edges are visible for the grid")
    }
    let notes = [
      isFlat ? nil : "perspective was taken out; a bent sheet and the lens count",
      grid.seenPart == 1 ? nil : "where module edges are visible",
    ].compactMap { $0 }
    return GradedParameter(
      .gridNonuniformity, notes.isEmpty ? .measured : .estimated, value,
      GradeScale.gridNonuniformity.grade(value),
      note: notes.isEmpty ? nil : notes.joined(separator: "; "))
  }

  private func growth(
    _ name: GradedParameter.Name, of measured: MeasuredSymbol, _ light: LinearLight,
    _ modulePixels: Double
  ) -> GradedParameter {
    let levels = measured.inkLevels
    let shifts = FunctionPatterns.of(size: measured.size).timingEdges
      .filter { $0.isVertical == (name == .printGrowthAcross) }
      .compactMap { measured.darkExcess(at: $0, light, levels) }
    guard !shifts.isEmpty else {
      return GradedParameter(name, .notMeasured, note: "the timing pattern is damaged")
    }
    let mean = shifts.reduce(0, +) / Double(shifts.count)
    let isFine = capture != .photograph && modulePixels >= Self.pixelsForGrowth - Self.slack
    var notes = Self.darkParts.contains(0.5 + mean) ? [] : ["beyond what ISO/IEC 15415 allows"]
    if !isFine {
      notes.append(
        capture == .photograph
          ? "the camera's blur and exposure change it" : "a module has fewer than 10 pixels")
    }
    return GradedParameter(
      name, isFine ? .measured : .estimated, 2 * mean,
      note: notes.isEmpty ? nil : notes.joined(separator: "; "))
  }

  private func quietZone(of measured: MeasuredSymbol, _ light: LinearLight) -> GradedParameter {
    let zone = measured.clearSpace(light)
    let needed = Double(ModuleReadings.margin)
    let note =
      zone.modules >= needed
      ? nil : zone.isCut ? "the picture ends there; 4 are needed" : "4 are needed"
    return GradedParameter(
      .quietZone, zone.isCut ? .estimated : .measured, zone.modules, note: note)
  }
}
