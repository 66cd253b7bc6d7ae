/// Searches for App Clip Codes.
struct AppClipCodeStage: ScanStage {
  let name: String
  /// A Boolean value that indicates whether a part of a large picture is searched, whose smaller
  /// copies are searched as parts of their own.
  var looksAtPart = false

  let symbologies: Set<DecodedCode.Symbology> = [.appClipCode]

  private static let millisecondsPerMegapixel = 6.0

  func applies(to look: Look) -> Bool { true }

  func cost(of look: Look) -> Double { look.megapixels * Self.millisecondsPerMegapixel }

  func run(on look: Look, _ search: inout CodeSearch, while isWanted: () -> Bool) {
    guard search.pay(cost(of: look)) else { return }
    let found = AppClipCodeLocator(searchesSmallerCopies: !looksAtPart).codes(
      in: look.picture, outside: search.known(in: look), while: isWanted)
    for code in found { search.add(code.seen(in: look)) }
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
