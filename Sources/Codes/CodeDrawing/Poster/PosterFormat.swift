import CliptagBasics
import CliptagPlatform

/// The proportions of a page, which determine the arrangement of a poster.
enum PosterFormat {
  /// From 2.2 times as wide as high: words, call to action and codes beside each other.
  case strip
  /// Wider than high: words beside the codes, or above several codes in a row.
  case wide
  /// About as wide as high: words above codes in a row.
  case square
  /// Higher than wide, such as A4: words above the codes.
  case upright
  /// From twice as high as wide: everything above each other.
  case tall

  init(width: Double, height: Double) {
    self =
      switch width / height {
      case 2.2...: .strip
      case 1.15..<2.2: .wide
      case 0.87..<1.15: .square
      case 0.5..<0.87: .upright
      default: .tall
      }
  }

  /// An arrangement of words and codes.
  struct Arrangement {
    /// Whether the words are beside the codes; otherwise above them.
    let isSpread: Bool
    let carriers: CarrierGroup.Arrangement
    /// Whether the call to action is beside the codes, too; otherwise above them.
    var hasCallBeside = false
  }

  /// The arrangements, the preferred first.
  ///
  /// - Parameters:
  ///   - count: The number of codes and rings.
  ///   - isCentred: Whether the design has one axis.
  func arrangements(carriers count: Int, isCentred: Bool) -> [Arrangement] {
    let groups: [CarrierGroup.Arrangement] =
      count < 2 ? [.row] : count == 2 ? [.row, .column] : [.row, .pyramid, .column]
    return switch self {
    case .strip: [Arrangement(isSpread: true, carriers: .row, hasCallBeside: true)]
    case .wide:
      groups.map { Arrangement(isSpread: true, carriers: $0) }
        + (count < 2 ? [] : [Arrangement(isSpread: false, carriers: .row)])
    case .square where count < 2 && !isCentred:
      [false, true].map { Arrangement(isSpread: false, carriers: .row, hasCallBeside: $0) }
    case .square, .upright: groups.map { Arrangement(isSpread: false, carriers: $0) }
    case .tall: groups.reversed().map { Arrangement(isSpread: false, carriers: $0) }
    }
  }

  /// The number of times by which a headline may exceed the usual size, to use a long page.
  var growth: Double { self == .strip || self == .tall ? 1.6 : 1 }
  /// The maximum number of lines of a headline.
  var headlineLines: Int { self == .tall ? 6 : 4 }
}

/// The sizes of a poster's letters: steps of one scale, four of which double the size.
enum TypeScale {
  /// The smallest readable em, in millimetres: 5.5 points.
  static let smallest = 5.5 * 25.4 / 72

  /// The em of a step, in millimetres; the smallest for steps below 0.
  static func size(_ step: Int) -> Double { smallest * exp2(Double(max(step, 0)) / 4) }

  /// The largest step whose em is at most a size; 0 for smaller sizes.
  static func step(atMost size: Double) -> Int {
    max(0, Int(bounded: (log2(size / smallest) * 4 + 1e-9).rounded(.down)))
  }
}
