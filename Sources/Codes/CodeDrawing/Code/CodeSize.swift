import CliptagBasics
public import QRSymbol

/// The printed size of a code, on the grid of a printer: every module is a whole number of dots.
///
/// Modules that are not whole dots are printed unequal, some one dot wider than others. So a
/// requested size is moved to the grid:
///
/// - a width becomes the largest code that fits in it;
/// - a module size becomes the nearest whole number of dots (up from the middle), at most half a
///   dot away, so that a reported size gives the same size again;
/// - a reading distance becomes the smallest whole number of dots that phones read at that
///   distance, at least four, and at least 0.33 mm; with a width or a module size it is only
///   compared;
/// - without any of them, modules are 1/30 inch (0.847 mm; 20 dots at 600, 10 at 300 dots per inch)
///   or four dots if that is more; a phone reads them from about 28 cm, and the smallest code is
///   24.6 mm wide.
///
/// All sizes are of the whole code with its quiet zone.
public struct CodeSize: Hashable, Sendable {
  /// The light modules on each side of a symbol that readers need (ISO/IEC 18004, 9.1).
  public static let quietZoneModules = 4
  /// The quiet zones that can be drawn, in modules.
  package static let quietZones = 0...40
  /// The minimum number of printer's dots for an accurate module (DENSO WAVE's rule).
  package static let fewestDots = 4
  /// The smallest module in millimetres that phones read well.
  package static let smallestModuleForPhones = 0.33
  /// The reading distance in modules: a phone with a lens of 26 mm (35 mm equivalent) sees a scene
  /// 1.37 times as wide as its distance on the 1,920 pixels of its preview, so that a module of
  /// 1/330 of the distance is 4.2 pixels wide.
  package static let modulesInDistance = 330.0
  /// The distance, in modules, at which a module is three pixels wide and reading ends.
  package static let modulesInLargestDistance = 465.0
  /// The module size in millimetres if no size is requested.
  package static let defaultModule = millimetresPerInch / 30
  /// The largest width in millimetres: 200 inches, the largest page of a PDF.
  package static let largestWidth = 5_080.0
  /// The supported resolutions in dots per inch.
  package static let resolutions = 50.0...9_600.0

  static let millimetresPerInch = 25.4

  /// The modules across, with the quiet zone on both sides.
  public let modulesAcross: Int
  /// The light modules on each side of the symbol.
  public let quietZone: Int
  /// The printer's dots along one side of a module, at least 1.
  public let dotsPerModule: Int
  /// The printer's resolution.
  public let dotsPerInch: Double
  /// The intended reading distance in millimetres, or nil if none was given.
  package let intendedDistance: Double?

  /// The distance in millimetres from which phones read the code reliably.
  public var readingDistance: Double { moduleSize * Self.modulesInDistance }
  /// The side of a module in millimetres.
  public var moduleSize: Double {
    Double(dotsPerModule) * Self.millimetresPerInch / dotsPerInch
  }
  /// The width and height in millimetres, with the quiet zone.
  public var width: Double { Double(dotsAcross) * Self.millimetresPerInch / dotsPerInch }
  /// The width and height in printer's dots, with the quiet zone.
  public var dotsAcross: Int { modulesAcross * dotsPerModule }

  /// A requested size; at most one of width, module size and reading distance is needed.
  public struct Request: Hashable, Sendable {
    /// The maximum width of the whole code with its quiet zone, in millimetres.
    public var width: Double?
    /// The side of a module in millimetres.
    public var moduleSize: Double?
    /// The intended reading distance in millimetres.
    public var readingDistance: Double?
    /// The printer's resolution in dots per inch, 50 to 9,600.
    public var dotsPerInch: Double
    /// The light modules on each side of the symbol, 0 to 40; four are what readers need.
    public var quietZone: Int

    /// Requests a size.
    ///
    /// - Parameters:
    ///   - width: The maximum width of the whole code with its quiet zone, in millimetres.
    ///   - moduleSize: The side of a module in millimetres.
    ///   - readingDistance: The intended reading distance in millimetres.
    ///   - dotsPerInch: The printer's resolution; 600 is an office laser printer.
    ///   - quietZone: The light modules on each side of the symbol, 0 to 40.
    public init(
      width: Double? = nil, moduleSize: Double? = nil, readingDistance: Double? = nil,
      dotsPerInch: Double = 600, quietZone: Int = CodeSize.quietZoneModules
    ) {
      self.width = width
      self.moduleSize = moduleSize
      self.readingDistance = readingDistance
      self.dotsPerInch = dotsPerInch
      self.quietZone = quietZone
    }
  }

  /// Moves a requested size to the printer's grid.
  ///
  /// - Parameters:
  ///   - request: The requested size.
  ///   - symbol: The symbol to draw.
  /// - Throws: ``CodeDrawingError``: `invalidSize`, `invalidResolution`, `sizeTooSmall` (a module
  ///   would be less than a dot), `sizeTooLarge`, `contradictingSizes` (width and module size lead
  ///   to different codes), or `tooFar` (no phone reads the width or module size from the
  ///   distance); each names an acceptable number.
  public init(
    _ request: Request = Request(), for symbol: QRSymbol
  ) throws(CodeDrawingError) {
    try self.init(request, symbolSize: symbol.size)
  }

  /// Moves a requested size to the grid for a symbol with a number of modules per side, at least 1.
  init(_ request: Request, symbolSize: Int) throws(CodeDrawingError) {
    guard Self.resolutions.contains(request.dotsPerInch) else {
      throw .invalidResolution(request.dotsPerInch)
    }
    guard Self.quietZones.contains(request.quietZone) else {
      throw .invalidQuietZone(request.quietZone)
    }
    dotsPerInch = request.dotsPerInch
    quietZone = request.quietZone
    modulesAcross = symbolSize + 2 * quietZone
    let dot = Self.millimetresPerInch / request.dotsPerInch
    let fromWidth = try Self.dots(fittingIn: request.width, across: modulesAcross, dot: dot)
    let fromModule = try Self.dots(nearest: request.moduleSize, across: modulesAcross, dot: dot)
    if let fromWidth, let fromModule, fromWidth != fromModule {
      throw .contradictingSizes(
        request, modulesAcross: modulesAcross, fittingModule: Double(fromWidth) * dot,
        neededWidth: Double(fromModule * modulesAcross) * dot)
    }
    let fromDistance = try Self.dots(
      readableFrom: request.readingDistance, across: modulesAcross, dot: dot)
    intendedDistance = request.readingDistance
    dotsPerModule =
      fromWidth ?? fromModule ?? fromDistance
      ?? max(Self.fewestDots, Int(bounded: (Self.defaultModule / dot).rounded()))
    if let distance = request.readingDistance, let fromDistance,
      distance > moduleSize * Self.modulesInLargestDistance * (1 + 1e-6)
    {
      throw .tooFar(
        distance, moduleSize: moduleSize, sureDistance: readingDistance,
        neededWidth: Double(fromDistance * modulesAcross) * dot)
    }
  }

  /// The most dots per module that keep the code within a width.
  private static func dots(
    fittingIn width: Double?, across modules: Int, dot: Double
  ) throws(CodeDrawingError) -> Int? {
    guard let width else { return nil }
    guard width > 0, width.isFinite else { throw .invalidSize("width", width) }
    guard width <= largestWidth else { throw .widthTooLarge(width) }
    // Half a micrometre compensates for rounding to thousandths, so that a reported width gives the
    // same size again.
    let dots = Int(bounded: ((width + 0.000_5) / dot / Double(modules)).rounded(.down))
    guard dots >= 1 else {
      throw .tooSmall("A code of \(nearest(width))", doing: Double(fewestDots * modules) * dot)
    }
    return dots
  }

  /// The number of dots nearest to a module size.
  private static func dots(
    nearest moduleSize: Double?, across modules: Int, dot: Double
  ) throws(CodeDrawingError) -> Int? {
    guard let moduleSize else { return nil }
    guard moduleSize > 0, moduleSize.isFinite else { throw .invalidSize("module", moduleSize) }
    guard moduleSize * Double(modules) <= largestWidth else {
      throw .moduleTooLarge(moduleSize, largest: largestWidth / Double(modules))
    }
    let dots = Int(bounded: (moduleSize / dot * (1 + 1e-6)).rounded())
    guard dots >= 1 else {
      throw .tooSmall("A module of \(nearest(moduleSize))", doing: Double(fewestDots) * dot)
    }
    return dots
  }

  /// The minimum number of dots per module that phones read from a distance.
  private static func dots(
    readableFrom distance: Double?, across modules: Int, dot: Double
  ) throws(CodeDrawingError) -> Int? {
    guard let distance else { return nil }
    guard distance > 0, distance.isFinite else { throw .invalidDistance(distance) }
    let module = max(smallestModuleForPhones, distance / modulesInDistance)
    let most = (largestWidth / Double(modules) / dot).rounded(.down)
    let dots = max(Double(fewestDots), (module / dot * (1 - 1e-6)).rounded(.up))
    guard dots <= most else {
      throw .distanceTooLarge(distance, largest: most * dot * modulesInDistance)
    }
    return Int(bounded: dots)
  }

  // MARK: Warnings

  /// The reasons against printing this size; empty if there are none.
  ///
  /// `small-quiet-zone`: below four modules, the code needs room around it. `few-dots`: below four
  /// dots per module, a printer cannot draw modules accurately. `small-modules`: below 0.33 mm per module, many phones do not resolve it. `too-far`: from the
  /// given distance, a module is below 4.2 pixels of a phone's preview.
  public var warnings: [SizeWarning] {
    var warnings: [SizeWarning] = []
    if quietZone < Self.quietZoneModules {
      let symbolSize = modulesAcross - 2 * quietZone
      warnings.append(
        SizeWarning(
          code: "small-quiet-zone",
          message:
            "A quiet zone of \(quietZone) module\(quietZone == 1 ? "" : "s") is less than the "
            + "\(Self.quietZoneModules) that readers need.",
          hint:
            "Keep \(atLeast(Double(Self.quietZoneModules) * moduleSize)) mm on each side of the "
            + "modules light and empty where the code is placed.",
          width: Double(symbolSize + 2 * Self.quietZoneModules) * moduleSize))
    }
    let dot = Self.millimetresPerInch / dotsPerInch
    if dotsPerModule < Self.fewestDots {
      let width = Double(Self.fewestDots * modulesAcross) * dot
      let resolution = dotsPerInch * Double(Self.fewestDots) / Double(dotsPerModule)
      warnings.append(
        SizeWarning(
          code: "few-dots",
          message: "A module is \(dotsPerModule) of the printer's dots wide; "
            + "an accurate drawing needs at least \(Self.fewestDots).",
          hint: "Make the code \(atLeast(width)) mm wide or more, or print it at "
            + "\(Int(bounded: resolution.rounded(.up))) dots per inch or more.",
          width: width))
    }
    if moduleSize < Self.smallestModuleForPhones {
      let dots = (Self.smallestModuleForPhones / dot).rounded(.up)
      let width = dots * dot * Double(modulesAcross)
      warnings.append(
        SizeWarning(
          code: "small-modules",
          message: "A module of \(nearest(moduleSize)) mm is too small for many phones; "
            + "\(Self.smallestModuleForPhones) mm is the minimum for reliable reading.",
          hint: "Make the code \(atLeast(width)) mm wide or more, or shorten the URL.",
          width: width))
    }
    if let tooFar { warnings.append(tooFar) }
    return warnings
  }

  /// The warning if the intended distance exceeds the reliable one.
  private var tooFar: SizeWarning? {
    guard let distance = intendedDistance, distance > readingDistance * (1 + 1e-6) else {
      return nil
    }
    let dot = Self.millimetresPerInch / dotsPerInch
    let dots = (distance / Self.modulesInDistance / dot * (1 - 1e-6)).rounded(.up)
    let width = dots * dot * Double(modulesAcross)
    return SizeWarning(
      code: "too-far",
      message: "Many phones do not read modules of \(nearest(moduleSize)) mm from "
        + "\(asGiven(distance)) mm.",
      hint: "Make the code \(atLeast(width)) mm wide or more, or read it from "
        + "\(atMost(readingDistance)) mm.",
      width: width)
  }
}

/// A warning about a size that can be drawn but may not be read.
public struct SizeWarning: Hashable, Sendable {
  /// The stable name: `small-quiet-zone`, `few-dots`, `small-modules` or `too-far`.
  public let code: String
  /// The fault, in one sentence.
  public let message: String
  /// The suggestion, in one sentence that names the number.
  public let hint: String
  /// The suggested width of the whole code in millimetres.
  public let width: Double

  /// Every code, with its meaning, in the order of the documentation.
  package static let codes: [(code: String, meaning: String)] = [
    ("small-quiet-zone", "The light margin of a code is less than four modules wide."),
    ("few-dots", "A module is fewer than four of the printer's dots wide."),
    ("small-modules", "A module is smaller than many phones resolve."),
    ("too-far", "The reading distance of the code is too large for many phones."),
  ]
}
