import Invocation
import Registry

/// Codes that were read at positions too far apart for one.
extension WalkTally {
  /// How much farther apart than both accuracies two positions of one code must be, in metres:
  /// somebody may have stood across the street.
  private static let margin = 50.0
  /// Up to so many meetings of a code, each is compared with each.
  private static let fewMeetings = 64

  /// Two stops at which one code was read.
  private struct Pair {
    let first: Int
    let second: Int
    let distance: Double
  }

  /// Adds an item for every code of which there must be a copy.
  ///
  /// Only tags, and codes that were printed to one file: a code that was printed again is told to
  /// hang at several places rightly.
  mutating func addCopies(from registry: borrowing RegistryTransaction) throws(RegistryError) {
    for number in codes.indices where meetings[number].count > 1 {
      guard let pair = farApart(meetings[number].map(Int.init)) else { continue }
      let code = codes[number]
      if code.tagUID == nil {
        let prints = try registry.history(of: code.id).count { $0.kind == .issued }
        guard prints <= 1 else { continue }
      }
      let suspect = suspect(of: pair, code)
      let spot = spots[suspect]
      guard let stop = try registry.stop(spot.number, of: walks[spot.walk].id) else { continue }
      add(
        WalkReport.Item(
          finding(code, pair), stop: stop,
          reading: stop.readings.firstIndex { $0.code == code.id }, code: code),
        at: spot.home, spot: suspect)
    }
  }

  /// Two stops that are too far apart.
  private func farApart(_ met: [Int]) -> Pair? {
    if met.count <= Self.fewMeetings {
      for (offset, first) in met.enumerated() {
        for second in met[(offset + 1)...] {
          if let pair = pair(first, second) { return pair }
        }
      }
      return nil
    }
    // Of very many, the surest is compared with all; whatever lies apart lies apart from it.
    let surest = met.min { accuracy(of: $0) < accuracy(of: $1) } ?? met[0]
    for other in met {
      if let pair = pair(min(surest, other), max(surest, other)) { return pair }
    }
    return nil
  }

  private func accuracy(of spot: Int) -> Double { spots[spot].fix?.accuracy ?? .infinity }

  private func pair(_ first: Int, _ second: Int) -> Pair? {
    guard let here = spots[first].fix, let there = spots[second].fix,
      here.coordinate != there.coordinate
    else { return nil }
    let distance = Geodesic.distance(from: here.coordinate, to: there.coordinate)
    return distance > here.accuracy + there.accuracy + Self.margin
      ? Pair(first: first, second: second, distance: distance) : nil
  }

  /// The stop of the two that is not where the code belongs; else the later.
  private func suspect(of pair: Pair, _ code: IssuedCode) -> Int {
    guard let place = places.first(where: { $0.id == code.placeID }),
      let fix = spots[pair.first].fix, let other = spots[pair.second].fix,
      LocationConfirmation.confirm(fix, in: place.region).result == .outside,
      LocationConfirmation.confirm(other, in: place.region).result != .outside
    else { return pair.second }
    return pair.first
  }

  private func finding(_ code: IssuedCode, _ pair: Pair) -> Finding {
    Finding(
      .copiedCode, .error,
      "\(code.id) (\(code.payload)) was read at \(name(of: pair.first)) and at "
        + "\(name(of: pair.second)), \(Metres.text(pair.distance)) apart, and was made once: one of "
        + "the two is a copy, or it was moved. Take down the one that does not belong there.")
  }

  private func name(of spot: Int) -> String {
    let walk = walks[spots[spot].walk]
    return "stop \(spots[spot].number) of the walk “\(walk.name)” of \(walk.who)"
  }
}
