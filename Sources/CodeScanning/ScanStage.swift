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
