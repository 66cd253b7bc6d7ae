import CliptagBasics
import ScanFixtures
import TestSupport

@testable import CodeScanning

extension Photograph {
  /// The three finder patterns, each as a whole and each of its corners off by at most `error`
  /// modules.
  func triple(sizes: [Int]? = nil, error: Double = 0) -> FinderTriple {
    var random = SeededGenerator(seed: 7)
    func finder(_ left: Double, _ top: Double) -> FinderPattern {
      let (centre, right) = (seen(left + 3.5, top + 3.5), seen(left + 4.5, top + 3.5))
      let module = centre.distance(to: right)
      let off = (x: random.part() * error * module, y: random.part() * error * module)
      let corners = [(0.0, 0.0), (7, 0), (7, 7), (0, 7)].map { corner in
        let point = seen(left + corner.0, top + corner.1)
        return PicturePoint(
          x: point.x + off.x + random.part() * error * module,
          y: point.y + off.y + random.part() * error * module)
      }
      return FinderPattern(
        centre: PicturePoint(x: centre.x + off.x, y: centre.y + off.y), corners: corners,
        modulePixels: module)
    }
    let far = Double(size - 7)
    return FinderTriple(
      topLeft: finder(0, 0), topRight: finder(far, 0), bottomLeft: finder(0, far),
      sizes: sizes ?? [size])
  }

  /// The part of the modules that were sampled on the wrong side, 0 … 1.
  func wrongPart(of sampled: SampledModules) -> Double {
    guard sampled.size == size else { return 1 }
    let wrong = modules.indices.count { modules[$0] != (sampled.darkness[$0] > 0) }
    return Double(wrong) / Double(modules.count)
  }
}
