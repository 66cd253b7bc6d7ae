/// The stages for a picture and their order, by their yield for their time.
///
/// Measured with `make scan-trials` on photographs; the results are in the manual.
enum ScanPlan {
  /// Stages for the first look.
  static let usual: [any ScanStage] =
    [
      LocatorStage(name: "locator"),
      ZBarStage(name: "450, Otsu", size: .longSide(450), threshold: .otsu),
      ZBarStage(name: "small full frame", largestSide: 800, needsPatterns: true),
      AppClipCodeStage(name: "App Clip Codes"),
      LocatorStage(name: "second locator", looksTwice: true, continuesFirst: true),
    ] + ZBarStage.barcodes

  /// Stages for a closer look: first for details that a first look does not show; then, if the
  /// first look was small, as for the first look.
  static let close: [any ScanStage] =
    [
      LocatorStage(name: "close locator", looksCloser: true),
      LocatorStage(name: "locator"),
    ] + ZBarStage.barcodes

  /// Stages for each part of a large picture.
  static let part: [any ScanStage] =
    [
      LocatorStage(name: "locator of parts", looksTwice: true, looksAtPart: true),
      AppClipCodeStage(name: "App Clip Codes of parts", looksAtPart: true),
    ] + ZBarStage.barcodes

  /// Stages for a first look without a code.
  static let rare: [any ScanStage] = [
    LocatorStage(name: "doubled locator", doubled: true),
    ZBarStage(
      name: "450, local mean", size: .longSide(450), threshold: .localMean(window: 25, offset: 4)),
    ZBarStage(name: "doubled", size: .doubled),
    ZBarStage(
      name: "doubled, local mean", size: .doubled, threshold: .localMean(window: 51, offset: 4),
      largestSide: 500),
  ]

  /// Stages for one colour channel, after grey gave no result.
  static let ofOneColour: [any ScanStage] = [
    LocatorStage(name: "colour locator")
  ]
}

/// One method of searching for codes in a picture.
protocol ScanStage: Sendable {
  /// The name in measurements.
  var name: String { get }

  /// The symbologies that it reads, if they are searched for.
  var symbologies: Set<DecodedCode.Symbology> { get }

  /// Returns whether it is useful for a look of this size in addition to other stages.
  func applies(to look: Look) -> Bool

  /// Returns the least cost of the stage for a look, in milliseconds.
  func cost(of look: Look) -> Double

  /// Pays for the work, searches the look, and adds its results.
  ///
  /// - Parameter isWanted: when it returns `false`, the stage may end at any point.
  func run(on look: Look, _ search: inout CodeSearch, while isWanted: () -> Bool)
}

extension ScanStage {
  /// Returns whether what it reads is searched for.
  func isSought(in search: CodeSearch) -> Bool {
    !symbologies.isDisjoint(with: search.symbologies)
  }

  /// Returns whether it is useful after the stages before. Codes of other kinds are searched for
  /// beside QR codes, however easily those were read.
  func isNeeded(in search: CodeSearch) -> Bool {
    guard isSought(in: search) else { return false }
    return symbologies.contains(.qr) || search.effort == .firstCode ? !search.isOver : true
  }
}
