/// Which stages look at a picture, in which order: those first that read the most for their time.
///
/// Measured with `make scan-trials` on photographs; the numbers stand in the README.
enum ScanPlan {
  /// For the first look, before QR codes are looked for: whether these are found ends the search, and
  /// they share their budget.
  static let first: [any ScanStage] = [AppClipCodeStage(name: "App Clip Codes")]

  /// For the first look.
  static let usual: [any ScanStage] = [
    ZBarStage(name: "450, Otsu", size: .longSide(450), threshold: .otsu),
    ZBarStage(name: "small full frame", largestSide: 800),
    LocatorStage(name: "locator"),
    LocatorStage(name: "second locator", looksTwice: true),
    ZBarStage(
      name: "800, local mean", size: .longSide(800), threshold: .localMean(window: 25, offset: 4)),
  ]

  /// For a closer look: first what a first look cannot show; then, when the first look was small, as
  /// the first look.
  static let close: [any ScanStage] = [
    LocatorStage(name: "close locator", looksCloser: true),
    LocatorStage(name: "locator"),
  ]

  /// For each part of a large picture.
  static let part: [any ScanStage] = [
    AppClipCodeStage(name: "App Clip Codes of parts"),
    LocatorStage(name: "locator of parts", looksTwice: true, looksAtPart: true),
  ]

  /// For a first look that showed no code.
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

  /// For a picture of one colour of light, after grey showed nothing.
  static let ofOneColour: [any ScanStage] = [
    LocatorStage(name: "colour locator"),
    ZBarStage(
      name: "colour, 800, local mean", size: .longSide(800),
      threshold: .localMean(window: 25, offset: 4)),
  ]

  /// Beyond this side a picture gets help only when made smaller: each pass of zbar costs 30 ns a
  /// pixel. An A4 page at 400 dots an inch has 4,677.
  private static let largeSide = 5000
}

/// One way to look for codes in a picture.
protocol ScanStage: Sendable {
  /// What it is called in measurements.
  var name: String { get }

  /// Whether it does something for a look of this size that no other stage does.
  func applies(to look: Look) -> Bool

  /// Looks, adds what it finds, and pays for it before.
  ///
  /// - Parameter isWanted: once false, the stage may end where it likes.
  func run(on look: Look, _ search: inout CodeSearch, while isWanted: () -> Bool)
}
