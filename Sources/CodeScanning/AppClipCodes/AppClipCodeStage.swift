/// Looks for App Clip Codes.
struct AppClipCodeStage: ScanStage {
  let name: String

  /// What looking costs, in milliseconds a megapixel, and what reading a place costs.
  private static let costOfLooking = 6.0

  func applies(to look: Look) -> Bool { true }

  func run(on look: Look, _ search: inout CodeSearch, while isWanted: () -> Bool) {
    guard search.symbologies.contains(.appClipCode),
      search.pay(look.megapixels * Self.costOfLooking)
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
      diameter: diameter * min(look.scale.x, look.scale.y))
  }
}
