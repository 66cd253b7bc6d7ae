/// Shortest lines on the WGS 84 ellipsoid.
///
/// The inverse problem is solved as C. F. F. Karney describes it in "Algorithms for geodesics",
/// Journal of Geodesy 87 (2013), 43–55, <https://doi.org/10.1007/s00190-012-0578-z>; equation and
/// section numbers refer to it. Series go to the sixth order of the third flattening, which keeps
/// the distance exact to some ten nanometres. The method converges for every pair of points, antipodal
/// ones included, where Vincenty's fails.
public enum Geodesic {
  /// The length of the shortest line between two points, in metres.
  public static func distance(from start: Coordinate, to end: Coordinate) -> Double {
    // Section 4: the problem is brought to φ₁ ≤ 0, |φ₂| ≤ −φ₁, 0 ≤ λ₁₂ ≤ 180°.
    var longitudes = abs((end.longitude - start.longitude).remainder(dividingBy: 360))
    if longitudes > 180 { longitudes = 360 - longitudes }
    var (first, second) = (start.latitude, end.latitude)
    if abs(first) < abs(second) { swap(&first, &second) }
    if first > 0 { (first, second) = (-first, -second) }
    let problem = InverseProblem(
      first: ReducedLatitude(degrees: first), second: ReducedLatitude(degrees: second),
      longitudeDifference: longitudes * .pi / 180)
    if longitudes == 0 || longitudes == 180 || first == -90 {
      return problem.meridionalDistance(overPole: longitudes > 90)
    }
    if first == 0, longitudes <= 180 * (1 - WGS84.flattening) {
      return WGS84.equatorialRadius * problem.longitudeDifference
    }
    return problem.generalDistance()
  }
}

/// The World Geodetic System 1984, as NGA.STND.0036 defines it.
package enum WGS84 {
  /// Metres.
  package static let equatorialRadius = 6_378_137.0
  static let flattening = 1 / 298.257223563
  /// Metres.
  static let polarRadius = equatorialRadius * (1 - flattening)
  static let thirdFlattening = flattening / (2 - flattening)
  package static let eccentricitySquared = flattening * (2 - flattening)
  static let secondEccentricitySquared = eccentricitySquared / (1 - eccentricitySquared)

  /// The radius of curvature across the meridian at the latitude with this sine, in metres.
  package static func primeVerticalRadius(sine: Double) -> Double {
    equatorialRadius / (1 - eccentricitySquared * sine * sine).squareRoot()
  }

  /// The point of the surface with a coordinate, in metres from the Earth's centre.
  package static func point(at coordinate: Coordinate) -> SIMD3<Double> {
    point(latitude: coordinate.latitude, longitude: coordinate.longitude)
  }

  /// The same of degrees, also beyond the antimeridian.
  static func point(latitude: Double, longitude: Double) -> SIMD3<Double> {
    let north = UnitVector(angle: latitude * .pi / 180)
    let east = UnitVector(angle: longitude * .pi / 180)
    let radius = primeVerticalRadius(sine: north.sine)
    return SIMD3(
      radius * north.cosine * east.cosine, radius * north.cosine * east.sine,
      radius * (1 - eccentricitySquared) * north.sine)
  }
}

/// The latitude β on the auxiliary sphere: tan β = (1 − f) tan φ (equation 6).
struct ReducedLatitude {
  let sine: Double
  /// Never zero, so that a pole needs no case of its own.
  let cosine: Double

  init(degrees: Double) {
    let latitude = UnitVector(angle: degrees * .pi / 180)
    let point = UnitVector(y: (1 - WGS84.flattening) * latitude.sine, x: latitude.cosine)
    sine = point.sine
    cosine = max(point.cosine, 1e-154)
  }
}
