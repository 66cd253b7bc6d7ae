public import Pictures

/// Estimates the print quality of QR codes from a scan or a photograph, parameter by parameter.
///
/// The formulas are those of ISO/IEC 15415:2011, with the cell contrast and cell modulation of
/// ISO/IEC TR 29158:2011, which are ratios and need no calibrated light. The symbol is compared
/// with its own clean copy, module by module, through a synthetic round aperture of 0.8 modules.
///
/// It is an estimate and no verification: no light at 660 nm and 45°, no calibration card, one
/// picture instead of five. Limits of the standards' tables that could not be confirmed are named
/// where they are used. The same picture always gives the same grades.
public struct PrintGrader: Sendable {
  /// How a picture was taken, which decides what it can tell.
  public enum Capture: Hashable, Sendable {
    /// With a camera, or in a way that is not known: light may fall off, perspective hides sizes.
    case photograph
    /// On a flatbed scanner: even light, no perspective, a known number of dots an inch.
    case flatbed(dotsPerInch: Double)
  }

  /// How the pictures were taken.
  public var capture: Capture
  /// What the unprinted paper around the code reflects, 0 … 1 (about 0.8 … 0.85 for office
  /// paper); `nil` when it is not known. Only with it, and on a flatbed, symbol contrast can be
  /// estimated.
  public var paperReflectance: Double?
  /// How codes are looked for.
  public var scanner: CodeScanner

  /// Makes a grader. It holds no state and may be used from many tasks at once.
  public init(
    capture: Capture = .photograph, paperReflectance: Double? = nil,
    scanner: CodeScanner = CodeScanner()
  ) {
    self.capture = capture
    self.paperReflectance = paperReflectance
    self.scanner = scanner
  }

  /// Grades the codes in a picture or page that was loaded, in its full resolution.
  ///
  /// - Returns: the grades from top to bottom, and how many codes were read but could not be
  ///   graded, because their modules could not be followed.
  /// - Throws: as `CodeScanner.examine(_:)`; `cancelled` as soon as the task is.
  public func grades(
    of picture: LoadedPicture
  ) async throws(PictureError) -> (grades: [PrintGrade], ungraded: Int) {
    let codes = try await scanner.examine(picture).codes.filter { $0.symbology == .qr }
    let grades = try await grades(of: codes, in: picture)
    return (grades.compactMap { $0 }, grades.count { $0 == nil })
  }

  /// Grades codes that were read in a picture or page, in its full resolution.
  ///
  /// - Returns: for each code its grade, or `nil` where its modules cannot be followed.
  /// - Throws: `PictureError`; `cancelled` as soon as the task is.
  public func grades(
    of codes: [DecodedCode], in picture: LoadedPicture
  ) async throws(PictureError) -> [PrintGrade?] {
    guard !codes.isEmpty else { return [] }
    let look = Look(try await picture.closerLook() ?? picture.firstLook, of: picture)
    return try await Uninterruptible.run(picture.source) { interest in
      codes.map { interest.isAlive ? grade($0, in: look) : nil }
    }
  }

  /// Grades a code that was read in a picture.
  ///
  /// - Returns: `nil` when its modules cannot be followed.
  public func grade(_ code: DecodedCode, in picture: GreyPicture) -> PrintGrade? {
    grade(code, in: Look(picture))
  }

  private func grade(_ code: DecodedCode, in look: Look) -> PrintGrade? {
    let corners = code.corners.map(look.here)
    for triple in Self.triples(of: code, at: corners, in: look.picture) {
      guard let search = SymbolSearch(triple, in: look.picture),
        let found = search.first({ SymbolDecoder.decode($0) })
      else { continue }
      let measured = MeasuredSymbol(
        found.answer, found.geometry, in: look.picture, isInverted: triple.isInverted,
        evensLight: capture == .photograph)
      let pixels = found.geometry.modulePixels
      return PrintGrade(
        code: code, corners: LocatedSymbol(found.answer, found.geometry).corners.map(look.whole),
        modulePixels: pixels, moduleMillimetres: millimetres(pixels),
        parameters: parameters(of: measured, modulePixels: pixels)
          + dimensions(of: measured, in: look.picture, modulePixels: pixels))
    }
    return nil
  }

  /// The finder patterns by the code's corners; where its size is not known, those that are seen
  /// within them.
  private static func triples(
    of code: DecodedCode, at corners: [PicturePoint], in picture: GreyPicture
  ) -> [FinderTriple] {
    let known = code.version.flatMap {
      FinderTriple(corners: corners, size: 17 + 4 * $0, isInverted: code.isInverted)
    }
    if let known { return [known] }
    let area = Quadrilateral(corners, enlargedBy: 1.1)
    return FinderLocator(findsInverted: code.isInverted).triples(in: picture).filter { triple in
      [triple.topLeft, triple.topRight, triple.bottomLeft].allSatisfy { area.holds($0.centre) }
    }
  }

  private func millimetres(_ pixels: Double) -> Double? {
    guard case .flatbed(let resolution) = capture else { return nil }
    return pixels / resolution * 25.4
  }
}

/// The estimated print quality of one QR code.
public struct PrintGrade: Hashable, Sendable {
  /// What has to stand beside every grade that is shown.
  public static let caveat = "uncalibrated; not an ISO/IEC 15415 verification"

  /// The code.
  public let code: DecodedCode
  /// Where the symbol's own top left, top right, bottom right and bottom left corners lie, in
  /// pixels of the whole picture.
  public let corners: [PicturePoint]
  /// Pixels of a module in the picture that was graded.
  public let modulePixels: Double
  /// Millimetres of a module, or `nil` when the resolution is not known.
  public let moduleMillimetres: Double?
  /// The parameters, those that could not be measured included.
  public let parameters: [GradedParameter]

  /// The lowest grade of all parameters that have one, in the steps of 2011: 4 (A) … 0 (F).
  public var overall: Int { parameters.compactMap(\.grade).min() ?? 0 }

  /// The lowest decimal grade, 0 … 4.
  public var decimal: Double { parameters.compactMap(\.decimal).min() ?? 0 }

  /// The letter of ``overall``.
  public var letter: String { Self.letter(overall) }

  /// One parameter.
  public subscript(name: GradedParameter.Name) -> GradedParameter? {
    parameters.first { $0.name == name }
  }

  /// The letter of a grade in steps: A, B, C, D, F for 4 … 0.
  package static func letter(_ grade: Int) -> String {
    ["F", "D", "C", "B", "A"][min(4, max(0, grade))]
  }
}
