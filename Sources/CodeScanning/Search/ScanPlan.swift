/// The stages for a picture and their order, by their yield for their time.
///
/// Measured with `make scan-trials` on photographs; the results are in the manual.
enum ScanPlan {
  /// Stages for the first look.
  static let usual: [any ScanStage] = [
    LocatorStage(name: "locator"),
    ZBarStage(name: "450, Otsu", size: .longSide(450), threshold: .otsu),
    ZBarStage(name: "small full frame", largestSide: 800),
    AppClipCodeStage(name: "App Clip Codes"),
    LocatorStage(name: "second locator", looksTwice: true, continuesFirst: true),
    ZBarStage(
      name: "800, local mean", size: .longSide(800), threshold: .localMean(window: 25, offset: 4)),
  ]

  /// Stages for a closer look: first for details that a first look does not show; then, if the
  /// first look was small, as for the first look.
  static let close: [any ScanStage] = [
    LocatorStage(name: "close locator", looksCloser: true),
    LocatorStage(name: "locator"),
  ]

  /// Stages for each part of a large picture.
  static let part: [any ScanStage] = [
    LocatorStage(name: "locator of parts", looksTwice: true, looksAtPart: true),
    AppClipCodeStage(name: "App Clip Codes of parts", looksAtPart: true),
  ]

  /// Stages for a first look without a code.
  static let rare: [any ScanStage] = [
    LocatorStage(name: "doubled locator", doubled: true),
    ZBarStage(
      name: "450, local mean", size: .longSide(450), threshold: .localMean(window: 25, offset: 4)),
    ZBarStage(name: "doubled", size: .doubled),
    ZBarStage(
      name: "1400, local mean", size: .longSide(1400), threshold: .localMean(window: 61, offset: 4)),
    ZBarStage(name: "full frame", smallestSide: 801, largestSide: largeSide),
    ZBarStage(
      name: "local mean", threshold: .localMean(window: 25, offset: 4), largestSide: largeSide),
    ZBarStage(
      name: "doubled, wide local mean", size: .doubled,
      threshold: .localMean(window: 51, offset: 4)),
    ZBarStage(name: "800, inverted", size: .longSide(800), inverted: true),
    ZBarStage(name: "inverted", inverted: true, largestSide: 1600),
  ]

  /// Stages for one colour channel, after grey gave no result.
  static let ofOneColour: [any ScanStage] = [
    LocatorStage(name: "colour locator"),
    ZBarStage(
      name: "colour, 800, local mean", size: .longSide(800),
      threshold: .localMean(window: 25, offset: 4)),
  ]

  /// The side above which a picture is helped only by a reduction: each pass of zbar costs 30 ns
  /// per pixel. An A4 page at 400 dots per inch has 4,677.
  private static let largeSide = 5000
}

/// One method of searching for codes in a picture.
protocol ScanStage: Sendable {
  /// The name in measurements.
  var name: String { get }

  /// Returns whether it is useful for a look of this size in addition to other stages.
  func applies(to look: Look) -> Bool

  /// Returns the least cost of the stage for a look, in milliseconds.
  func cost(of look: Look) -> Double

  /// Returns whether it is useful after the stages before.
  func isNeeded(in search: CodeSearch) -> Bool

  /// Pays for the work, searches the look, and adds its results.
  ///
  /// - Parameter isWanted: when it returns `false`, the stage may end at any point.
  func run(on look: Look, _ search: inout CodeSearch, while isWanted: () -> Bool)
}

extension ScanStage {
  func isNeeded(in search: CodeSearch) -> Bool { !search.isOver }
}
