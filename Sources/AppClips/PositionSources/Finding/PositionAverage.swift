#if canImport(FoundationEssentials)
  package import FoundationEssentials
#else
  package import Foundation
#endif
import CliptagPlatform
package import Invocation

/// The mean of successive reports of a stationary receiver.
///
/// Each report is weighted by the inverse square of its error. The errors of successive reports are
/// strongly correlated: satellites and reflections change over minutes. Therefore the mean is
/// considered no more accurate than the best report, and no more accurate than the scatter of the
/// reports; nothing is divided by √n.
package struct PositionAverage: Hashable, Sendable {
  /// A report that contradicts the previous ones.
  package struct Jump: Hashable, Sendable {
    /// The distance from their mean, in metres.
    package let distance: Double
    /// The largest distance without a contradiction: the sum of both errors, in metres.
    package let allowed: Double
  }

  /// The number of reports.
  package private(set) var count = 0
  /// The reports that contradicted the previous ones; they count in the mean and its scatter, too.
  package private(set) var jumps: [Jump] = []
  /// The time of the last report.
  package private(set) var lastTime: Date?
  /// A Boolean value that indicates whether one of the reports is simulated.
  package private(set) var isSimulated = false

  private var best = Double.infinity
  private var weight = 0.0
  private var origin: SIMD3<Double>?
  /// Weighted sums of the offsets from the first report and of their squares. They are small, so
  /// that no precision is lost to the Earth's radius.
  private var sum = SIMD3<Double>()
  private var squares = 0.0

  /// Creates an empty mean.
  package init() {}

  /// Adds a report.
  ///
  /// - Returns: The contradiction to the previous reports, if any.
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
    // The error is clamped so that a receiver that reports a tiny or a huge one does not get an
    // extreme weight.
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

  /// Twice the root mean square of the distances from the mean, in metres: a radius that contains
  /// some 95 % of the reports, like their own errors.
  package var scatter: Double {
    guard weight > 0 else { return 0 }
    let mean = sum / weight
    return 2 * max(0, squares / weight - (mean * mean).sum()).squareRoot()
  }

  /// The mean with its accuracy; `nil` without reports.
  package var fix: LocationFix? { fix(from: nil) }

  /// Returns the mean with its origin.
  func fix(from origin: PositionOrigin?) -> LocationFix? {
    guard let first = self.origin, let coordinate = Self.coordinate(of: first + sum / weight) else {
      return nil
    }
    return LocationFix(coordinate: coordinate, accuracy: max(best, scatter), origin: origin)
  }

  // MARK: The ellipsoid

  /// Returns the coordinate below a point near the Earth's surface. Over a few hundred metres,
  /// averaging in space is as good as in the tangent plane, and needs no special cases for poles
  /// and antimeridian.
  private static func coordinate(of point: SIMD3<Double>) -> Coordinate? {
    let fromAxis = (point.x * point.x + point.y * point.y).squareRoot()
    var latitude = atan2(point.z, fromAxis * (1 - WGS84.eccentricitySquared))
    // Each round divides the error by at least 150.
    for _ in 0..<6 {
      let sine = sin(latitude)
      latitude = atan2(
        point.z + WGS84.eccentricitySquared * WGS84.primeVerticalRadius(sine: sine) * sine, fromAxis
      )
    }
    func degrees(_ radians: Double) -> Double {
      // Rounded to a tenth of a millimetre; further digits are arithmetic noise.
      (radians * 180 / .pi * 1e9).rounded() / 1e9
    }
    return Coordinate(
      latitude: degrees(latitude), longitude: degrees(atan2(point.y, point.x)))
  }
}
