/// Searches for App Clip Codes.
struct AppClipCodeStage: ScanStage {
  let name: String

  /// The cost of the search, in milliseconds per megapixel. It is not charged to the budget, so
  /// that QR codes are read as they would be without it; if the remaining budget is smaller, the
  /// search is skipped.
  private static let costOfLooking = 6.0

  func applies(to look: Look) -> Bool { true }

  func run(on look: Look, _ search: inout CodeSearch, while isWanted: () -> Bool) {
    guard search.symbologies.contains(.appClipCode),
      search.budget.left >= look.megapixels * Self.costOfLooking
    else { return }
    for code in AppClipCodeLocator().codes(in: look.picture, while: isWanted) {
      search.add(code.seen(in: look))
    }
  }
}

extension SeenAppClipCode {
  /// Returns the same code in the coordinates of the whole picture.
  fileprivate func seen(in look: Look) -> SeenAppClipCode {
    SeenAppClipCode(
      reading: reading, corners: corners.map(look.whole),
      diameter: diameter * min(look.scale.x, look.scale.y), print: print)
  }
}
