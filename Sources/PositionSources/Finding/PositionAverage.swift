package import FoundationEssentials
internal import Glibc
package import Invocation

/// The mean of successive reports of somebody who stands still.
///
/// Each report weighs as the inverse square of its error. The errors of successive reports are
/// hardly independent: satellites and reflections change over minutes. So the mean counts as no
/// more exact than the best report, and as no more exact than the reports scatter; nothing is
/// divided by √n.
package struct PositionAverage: Hashable, Sendable {
  /// A report that contradicts those before it.
  package struct Jump: Hashable, Sendable {
    /// How far it is from their mean, in metres.
    package let distance: Double
    /// How far it could be without a contradiction: both errors together, in metres.
    package let allowed: Double
  }

  /// How many reports there are.
  package private(set) var count = 0
  /// The reports that contradicted those before them; they count in the mean and its scatter, too.
  package private(set) var jumps: [Jump] = []
  /// The time of the last report.
  package private(set) var lastTime: Date?
  /// Whether one of the reports is simulated.
  package private(set) var isSimulated = false

  private var best = Double.infinity
  private var weight = 0.0
  private var origin: SIMD3<Double>?
  /// Weighted sums of the distances from the first report and of their squares. They are small, so
  /// that the Earth's radius costs no figures.
  private var sum = SIMD3<Double>()
  private var squares = 0.0

  /// Makes the mean of nothing.
  package init() {}

  /// Takes a report.
  ///
  /// - Returns: The contradiction to those before it, when it is one.
  @discardableResult
  package mutating func add(_ report: PositionReport) -> Jump? {
    guard let coordinate = report.coordinate, let error = report.horizontalError else { return nil }
    var jump: Jump?
    if let fix {
      let distance = Geodesic.distance(from: fix.coordinate, to: coordinate)
      let allowed = fix.accuracy + error
      if distance > allowed { jump = Jump(distance: distance, allowed: allowed) }
    }
    if let jump { jumps.append(jump) }
    let point = WGS84.point(at: coordinate)
    let first = origin ?? point
    origin = first
    let offset = point - first
    // A receiver that names an error of no size, or of any, must not weigh without bounds.
    let share = 1 / pow(min(max(error, 1e-3), 1e9), 2)
    weight += share
    sum += share * offset
    squares += share * (offset * offset).sum()
    best = min(best, error)
    count += 1
    lastTime = report.time ?? lastTime
    isSimulated = isSimulated || report.status == .simulated
    return jump
  }

  /// Twice the root mean square of the distances from the mean, in metres: a radius that holds some
  /// 95 % of the reports, as their own errors do.
  package var scatter: Double {
    guard weight > 0 else { return 0 }
    let mean = sum / weight
    return 2 * max(0, squares / weight - (mean * mean).sum()).squareRoot()
  }

  /// The mean with its accuracy; `nil` without a report.
  package var fix: LocationFix? { fix(from: nil) }

  /// The mean, and what is known of where it comes from.
  func fix(from origin: PositionOrigin?) -> LocationFix? {
    guard let first = self.origin, let coordinate = Self.coordinate(of: first + sum / weight) else {
      return nil
    }
    return LocationFix(coordinate: coordinate, accuracy: max(best, scatter), origin: origin)
  }

  // MARK: The ellipsoid

  /// The coordinate under a point near the Earth's surface. Over a few hundred metres, space around
  /// a point is as good as its tangent plane, and needs no case for poles and antimeridian.
  private static func coordinate(of point: SIMD3<Double>) -> Coordinate? {
    let fromAxis = (point.x * point.x + point.y * point.y).squareRoot()
    var latitude = atan2(point.z, fromAxis * (1 - WGS84.eccentricitySquared))
    // Each round divides what is wrong by 150 at least.
    for _ in 0..<6 {
      let sine = sin(latitude)
      latitude = atan2(
        point.z + WGS84.eccentricitySquared * WGS84.primeVerticalRadius(sine: sine) * sine, fromAxis
      )
    }
    func degrees(_ radians: Double) -> Double {
      // To a tenth of a millimetre; what is behind is arithmetic.
      (radians * 180 / .pi * 1e9).rounded() / 1e9
    }
    return Coordinate(
      latitude: degrees(latitude), longitude: degrees(atan2(point.y, point.x)))
  }
}
