import QRSymbol

extension CodeDrawingError {
  static func invalidLogoSize(_ modules: Int) -> CodeDrawingError {
    let near = modules < 3 ? "3" : "\(modules - 1) or \(modules + 1)"
    return CodeDrawingError(
      .invalidLogoSize, "A logo of \(modules) modules cannot stand in the middle of a code.",
      hint: "Give an odd number of modules, at least 3, such as \(near).")
  }

  static func logoTooLarge(
    _ modules: Int, _ symbol: QRSymbol, good: LogoPlate?, largest: LogoPlate?,
    better: LogoPlate.Better?
  ) -> CodeDrawingError {
    let ways = [
      good.map { "\($0.modules) modules, which leave a good reserve" },
      largest.map { "\($0.modules), the most that can be read" },
      better.map { "\($0.words)" },
    ].compactMap { $0 }
    return CodeDrawingError(
      .logoTooLarge,
      "A logo of \(modules) modules covers more of version \(symbol.version) at level "
        + "\(symbol.errorCorrection.rawValue) than can be done without.",
      hint: ways.isEmpty
        ? "Put the logo beside the code." : "Give \(ways.joined(separator: "; or ")).")
  }

  static func noRoomForLogo(
    _ symbol: QRSymbol, largest: LogoPlate?, better: LogoPlate.Better?
  ) -> CodeDrawingError {
    let ways = [
      better.map { "Give \($0.words)" },
      largest.map { "ask for a logo of up to \($0.modules) modules, which leaves less reserve" },
      "put the logo beside the code",
    ].compactMap { $0 }
    let hint = ways.joined(separator: ", or ")
    return CodeDrawingError(
      .noRoomForLogo,
      "Version \(symbol.version) at level \(symbol.errorCorrection.rawValue) has no room for a "
        + "logo of \(LogoPlate.smallestChosen) modules with a good reserve.",
      hint: hint.prefix(1).uppercased() + hint.dropFirst() + ".")
  }
}
