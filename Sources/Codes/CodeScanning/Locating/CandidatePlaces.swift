/// The places where a scan met what may be a finder pattern.
///
/// Every line through the core of a pattern meets it, while texture and noise resemble one on single
/// lines. Therefore the places are counted before any of them is measured, and the most certain ones
/// come first.
struct CandidatePlaces {
  /// The candidates of one place.
  private struct Place {
    let module: Double
    /// The number of lines that met it.
    var lines = 1
    var candidates: [FinderCandidate]
  }

  /// The distance between the lines of the scan, in pixels.
  private let step: Int
  private var places: [Place] = []
  /// The index of the last place met in each square of the bitmap, or −1.
  private var squares: [Int32]
  private let columns: Int
  private let rows: Int

  private static let pixelsOfSquare = 4
  /// The largest number of candidates kept of one place.
  private static let candidatesOfPlace = 3
  /// The share of the expected lines from which places are alike.
  private static let clearShare = 0.7
  /// The number of lines after which a place needs no more.
  private static let linesOfCertain = 12

  /// - Parameters:
  ///   - width: the width of the bitmap, in pixels, and
  ///   - height: its height.
  ///   - step: the distance between the lines of the scan.
  init(width: Int, height: Int, step: Int) {
    self.step = step
    columns = width / Self.pixelsOfSquare + 1
    rows = height / Self.pixelsOfSquare + 1
    squares = [Int32](repeating: -1, count: columns * rows)
  }

  /// Returns whether enough lines met the place around a pixel.
  func isCertain(_ x: Int, _ y: Int, module: Double) -> Bool {
    guard let known = place(near: Double(x) + 0.5, Double(y) + 0.5, module: module) else {
      return false
    }
    return places[known].lines >= Self.linesOfCertain
  }

  /// Adds a candidate to its place.
  mutating func add(_ candidate: FinderCandidate) {
    let module = candidate.modulePixels
    if let known = place(near: candidate.x, candidate.y, module: module) {
      places[known].lines += 1
      if places[known].candidates.count < Self.candidatesOfPlace {
        places[known].candidates.append(candidate)
      }
      return
    }
    squares[square(candidate.x, candidate.y)] = Int32(places.count)
    places.append(Place(module: module, candidates: [candidate]))
  }

  private func square(_ x: Double, _ y: Double) -> Int {
    min(rows - 1, max(0, Int(y) / Self.pixelsOfSquare)) * columns
      + min(columns - 1, max(0, Int(x) / Self.pixelsOfSquare))
  }

  private func place(near x: Double, _ y: Double, module: Double) -> Int? {
    let (column, row) = (Int(x) / Self.pixelsOfSquare, Int(y) / Self.pixelsOfSquare)
    for row in max(0, row - 1)...min(rows - 1, row + 1) {
      for column in max(0, column - 1)...min(columns - 1, column + 1) {
        let index = Int(squares[row * columns + column])
        guard index >= 0 else { continue }
        let known = places[index].module
        if known < 1.7 * module, module < 1.7 * known { return index }
      }
    }
    return nil
  }

  /// The candidates of each place that enough lines met, those of the likeliest place first.
  var likeliestFirst: [[FinderCandidate]] {
    var ranked: [(share: Double, index: Int)] = []
    for (index, place) in places.enumerated() {
      // A core of three modules is met by as many lines.
      let expected = 3 * place.module / Double(step)
      guard place.lines > 1 || expected < 3 else { continue }
      ranked.append((min(Self.clearShare, Double(place.lines) / expected), index))
    }
    ranked.sort { a, b in
      if a.share != b.share { return a.share > b.share }
      let (first, second) = (places[a.index].module, places[b.index].module)
      return first == second ? a.index < b.index : first > second
    }
    return ranked.map { places[$0.index].candidates }
  }
}
