/// Looks for App Clip Codes.
struct AppClipCodeStage: ScanStage {
  let name: String

  /// What looking costs, in milliseconds a megapixel. It is not taken from the budget, so that QR codes
  /// are read as they would be without it; where the budget is smaller than that, nobody waits for it.
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
  /// The same code in the whole picture.
  fileprivate func seen(in look: Look) -> SeenAppClipCode {
    SeenAppClipCode(
      reading: reading, corners: corners.map(look.whole),
      diameter: diameter * min(look.scale.x, look.scale.y), print: print)
  }
}
