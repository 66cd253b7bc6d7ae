/// The inks of a colour: a mixture of the four process inks, or a spot ink by its name.
public struct Inks: Hashable, Sendable, Codable {
  /// The process inks.
  package enum ProcessInk: String, CaseIterable, Sendable {
    case cyan, magenta, yellow, black
  }

  /// The name of the spot ink, such as `PANTONE 186 C`; `nil` for process inks.
  public let spot: String?
  /// The share of cyan, 0 to 1; for a spot ink that of its approximation, as of the others.
  public let cyan: Double
  /// The share of magenta.
  public let magenta: Double
  /// The share of yellow.
  public let yellow: Double
  /// The share of black.
  public let black: Double
  /// The share of the colour that is printed, 0 for paper to 1.
  public var tint = 1.0

  /// Makes a mixture of process inks, or a spot ink with its approximation.
  ///
  /// - Precondition: All shares are within 0 to 1.
  public init(
    cyan: Double, magenta: Double, yellow: Double, black: Double, spot: String? = nil
  ) {
    precondition([cyan, magenta, yellow, black].allSatisfy((0...1).contains))
    self.cyan = cyan
    self.magenta = magenta
    self.yellow = yellow
    self.black = black
    self.spot = spot
  }

  /// Parses `cmyk:0,100,81,4` or `spot:NAME=0,100,81,4`, in percent.
  init?(_ text: String) {
    let parts = text.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
    guard parts.count == 2 else { return nil }
    var shares = parts[1]
    var spot: String?
    switch parts[0].lowercased() {
    case "cmyk": break
    case "spot":
      guard let sign = shares.lastIndex(of: "=") else { return nil }
      let name = shares[..<sign]
      // The names of all plates and of none are not those of an ink (ISO 32000-1, 8.6.6.4).
      guard !name.isEmpty, name.utf8.count <= 100, name != "All", name != "None",
        name.unicodeScalars.allSatisfy({ $0.value >= 32 && $0.value != 127 })
      else { return nil }
      spot = String(name)
      shares = shares[shares.index(after: sign)...]
    default: return nil
    }
    let numbers = shares.split(separator: ",", omittingEmptySubsequences: false).map { number in
      Double(number.filter { $0 != " " && $0 != "%" })
    }
    let percents = numbers.compactMap { $0 }
    guard numbers.count == 4, percents.count == 4, percents.allSatisfy((0...100).contains)
    else { return nil }
    self.init(
      cyan: percents[0] / 100, magenta: percents[1] / 100, yellow: percents[2] / 100,
      black: percents[3] / 100, spot: spot)
  }

  /// The shares of cyan, magenta, yellow and black.
  package var shares: [Double] { [cyan, magenta, yellow, black] }

  /// The process inks that the mixture has.
  package var processInks: [ProcessInk] {
    zip(ProcessInk.allCases, shares).filter { $1 > 0 }.map(\.0)
  }

  /// The process inks, those of its approximation for a spot ink, with more black.
  func darkened(by share: Double) -> Inks {
    func rest(_ ink: Double) -> Double { ink * tint * (1 - share) }
    return Inks(
      cyan: rest(cyan), magenta: rest(magenta), yellow: rest(yellow), black: rest(black) + share)
  }
}
