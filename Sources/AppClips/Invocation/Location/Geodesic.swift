/// Shortest lines on the WGS 84 ellipsoid.
///
/// The inverse problem is solved as described by C. F. F. Karney in "Algorithms for geodesics",
/// Journal of Geodesy 87 (2013), 43–55, <https://doi.org/10.1007/s00190-012-0578-z>; equation and
/// section numbers refer to it. Series are of the sixth order in the third flattening, which keeps
/// the distance exact to some ten nanometres. The method converges for every pair of points,
/// including antipodal ones, where Vincenty's fails.
public enum Geodesic {
  /// The length of the shortest line between two points, in metres.
  public static func distance(from start: Coordinate, to end: Coordinate) -> Double {
    // Section 4: the problem is reduced to φ₁ ≤ 0, |φ₂| ≤ −φ₁, 0 ≤ λ₁₂ ≤ 180°.
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

/// The latitude β on the auxiliary sphere: tan β = (1 − f) tan φ (equation 6).
struct ReducedLatitude {
  let sine: Double
  /// The cosine, which is never zero, so that a pole needs no special case.
  let cosine: Double

  init(degrees: Double) {
    let latitude = UnitVector(angle: degrees * .pi / 180)
    let point = UnitVector(y: (1 - WGS84.flattening) * latitude.sine, x: latitude.cosine)
    sine = point.sine
    cosine = max(point.cosine, 1e-154)
  }
}

/// The inverse geodesic problem in its canonical form (Karney 2013, section 4):
/// β₁ ≤ 0, |β₂| ≤ −β₁, 0 ≤ λ₁₂ ≤ π.
struct InverseProblem {
  let first: ReducedLatitude
  let second: ReducedLatitude
  /// λ₁₂ in radians.
  let longitudeDifference: Double

  /// A geodesic that leaves the first point with azimuth α₁ and reaches the second's latitude.
  struct Trial {
    /// The longitude it covers, in radians.
    var longitude: Double
    /// The derivative of the longitude with respect to α₁.
    var slope: Double
    /// The ends on the auxiliary sphere, as arcs from the node.
    var start: UnitVector
    var end: UnitVector
    var arc: Double
    /// sin α₀, the sine of the azimuth on the equator.
    var nodeSine: Double
    var series: GeodesicSeries

    /// The length in metres (equation 7).
    var distance: Double {
      WGS84.polarRadius * series.distanceIntegral(from: start, to: end, arc: arc)
    }
  }

  /// The distance along a meridian, over the pole or not.
  func meridionalDistance(overPole: Bool) -> Double {
    let start = UnitVector(y: first.sine, x: overPole ? -first.cosine : first.cosine)
    let end = UnitVector(y: second.sine, x: second.cosine)
    let series = GeodesicSeries(squaredModulus: WGS84.secondEccentricitySquared)
    return WGS84.polarRadius
      * series.distanceIntegral(from: start, to: end, arc: start.angle(to: end))
  }

  /// Newton's method on λ₁₂(α₁), kept inside a bracket that shrinks with each step. λ₁₂ grows with
  /// α₁ from 0 at α₁ = 0 to at least π at α₁ = π, so that the root cannot be missed.
  func generalDistance() -> Double {
    if let short = shortDistance() { return short }
    var azimuth = startingAzimuth()
    var low = UnitVector(angle: 0)
    var high = UnitVector(y: 0, x: -1)
    var best = trial(azimuth)
    // Quadratic convergence takes about four steps; where the slope misleads, halving takes over,
    // and 60 halvings exhaust the precision of the azimuth.
    for _ in 0..<80 {
      let error = best.longitude - longitudeDifference
      if abs(error) <= 4e-16 { break }
      if error > 0 { high = azimuth } else { low = azimuth }
      var next = azimuth.turned(by: -error / best.slope)
      if !next.lies(between: low, and: high) {
        next = UnitVector(y: low.sine + high.sine, x: low.cosine + high.cosine)
        if !next.lies(between: low, and: high) { break }
      }
      let change = abs(next.sine - azimuth.sine) + abs(next.cosine - azimuth.cosine)
      azimuth = next
      best = trial(azimuth)
      if change < 1e-16 { break }
    }
    // The remaining rounding error of the longitude, where the geodesic nearly touches the second
    // point's parallel, is subtracted from the length: ∂s/∂λ = a sin α₀.
    let left = best.longitude - longitudeDifference
    return best.distance - left * WGS84.equatorialRadius * best.nodeSine
  }

  /// The geodesic for an azimuth (section 3 and equation 46).
  func trial(_ azimuth: UnitVector) -> Trial {
    let nodeSine = azimuth.sine * first.cosine
    let nodeCosine = Self.length(azimuth.cosine, azimuth.sine * first.sine)
    let startCosine = azimuth.cosine * first.cosine
    let arrivalCosine = arrivalCosine(startCosine: startCosine, azimuth: azimuth)
    let endCosine = arrivalCosine * second.cosine
    let start = UnitVector(y: first.sine, x: startCosine)
    let end = UnitVector(y: second.sine, x: endCosine)
    let arc = start.angle(to: end)
    let sphericalLongitude = UnitVector(y: nodeSine * first.sine, x: startCosine)
      .angle(to: UnitVector(y: nodeSine * second.sine, x: endCosine))
    let series = GeodesicSeries(
      squaredModulus: nodeCosine * nodeCosine * WGS84.secondEccentricitySquared)
    let longitude =
      sphericalLongitude - WGS84.flattening * nodeSine
      * series.longitudeIntegral(from: start, to: end, arc: arc)
    // Equation 46, and its limit where the geodesic touches the second point's parallel.
    let slope =
      endCosine == 0
      ? -2 * (1 - WGS84.eccentricitySquared * first.cosine * first.cosine).squareRoot()
        / first.sine
      : series.reducedLength(from: start, to: end, arc: arc) * (1 - WGS84.flattening) / endCosine
    return Trial(
      longitude: longitude, slope: slope, start: start, end: end, arc: arc,
      nodeSine: nodeSine, series: series)
  }

  // MARK: Starting points

  /// cos α₂ from Clairaut's equation (45), in the form that cancels least.
  private func arrivalCosine(startCosine: Double, azimuth: UnitVector) -> Double {
    if second.cosine == first.cosine, abs(second.sine) == -first.sine {
      return abs(azimuth.cosine)
    }
    let difference =
      first.cosine < -first.sine
      ? (second.cosine - first.cosine) * (first.cosine + second.cosine)
      : (first.sine - second.sine) * (first.sine + second.sine)
    return max(0, startCosine * startCosine + difference).squareRoot() / second.cosine
  }

  /// The great circle between the points on the auxiliary sphere (equations 49 to 51).
  private func greatCircle(sphericalLongitude: Double) -> (azimuth: UnitVector, arc: UnitVector) {
    let turn = UnitVector(angle: sphericalLongitude)
    let y = second.cosine * turn.sine
    let x = first.cosine * second.sine - first.sine * second.cosine * turn.cosine
    let along = first.sine * second.sine + first.cosine * second.cosine * turn.cosine
    return (UnitVector(y: y, x: x), UnitVector(y: Self.length(y, x), x: along))
  }

  private static func length(_ y: Double, _ x: Double) -> Double {
    (x * x + y * y).squareRoot()
  }

  /// ω₁₂ ≈ λ₁₂/w̄ (equation 48), and w̄.
  private var meanSphericalLongitude: (angle: Double, scale: Double) {
    let cosine = (first.cosine + second.cosine) / 2
    let scale = (1 - WGS84.eccentricitySquared * cosine * cosine).squareRoot()
    return (min(.pi, longitudeDifference / scale), scale)
  }

  /// The distance of points so close that the sphere at their latitude is exact, in metres; `nil`
  /// for others. Newton's method would divide by nearly zero.
  private func shortDistance() -> Double? {
    let mean = meanSphericalLongitude
    let circle = greatCircle(sphericalLongitude: mean.angle)
    let arc = circle.arc.angle
    // A quarter of a metre: the error, of the order f·arc³, is far below a nanometre.
    return arc < 4e-8 ? WGS84.equatorialRadius * mean.scale * arc : nil
  }

  private func startingAzimuth() -> UnitVector {
    let circle = greatCircle(sphericalLongitude: meanSphericalLongitude.angle)
    let isNearlyAntipodal =
      circle.arc.cosine < 0
      && circle.arc.sine < 6 * WGS84.thirdFlattening * .pi * first.cosine * first.cosine
    return isNearlyAntipodal ? antipodalAzimuth() : circle.azimuth
  }

  /// The azimuth for nearly antipodal points, by the astroid that their geodesics envelop
  /// (equations 53 to 57).
  private func antipodalAzimuth() -> UnitVector {
    let series = GeodesicSeries(
      squaredModulus: first.sine * first.sine * WGS84.secondEccentricitySquared)
    let longitudeScale = WGS84.flattening * first.cosine * .pi * series.longitudeScale
    let x = min(0, (longitudeDifference - .pi) / longitudeScale)
    let sumOfLatitudes = UnitVector(
      y: second.sine * first.cosine + second.cosine * first.sine,
      x: second.cosine * first.cosine - second.sine * first.sine
    ).angle
    let y = min(0, sumOfLatitudes / (longitudeScale * first.cosine))
    if y > -1e-9, x > -1 {
      // Equation 57: inside the astroid on its axis, two geodesics are equally short.
      return UnitVector(y: max(-x, 1e-9), x: -(1 - x * x).squareRoot())
    }
    // Equation 56 gives α₁ by μ; the same μ gives ω₁₂, and from that α₁ follows without
    // cancellation if both points are nearly on the equator.
    let root = Self.astroidRoot(x: x, y: y)
    let turn = (longitudeDifference - .pi) * root / (1 + root)
    return greatCircle(sphericalLongitude: .pi + turn).azimuth
  }

  /// The positive root of μ⁴ + 2μ³ + (1 − x² − y²)μ² − 2y²μ − y² = 0 (equation 55).
  ///
  /// Found by bisection: x²/(1+μ)² + y²/μ² = 1 is equivalent, and its left side decreases with μ.
  private static func astroidRoot(x: Double, y: Double) -> Double {
    var low = abs(y)
    var high = abs(y) + abs(x) + 1
    // Forty halvings give a better start than Newton's method needs.
    for _ in 0..<40 {
      let middle = (low + high) / 2
      let across = x / (1 + middle)
      let along = y / middle
      if across * across + along * along > 1 { low = middle } else { high = middle }
    }
    return (low + high) / 2
  }
}

/// The series of Karney (2013), section 2 and 3, for one geodesic.
struct GeodesicSeries {
  /// k² = e′² cos² α₀ (equation 9).
  let squaredModulus: Double
  /// The expansion parameter ε (equation 16).
  private let epsilon: Double

  init(squaredModulus: Double) {
    self.squaredModulus = squaredModulus
    let root = (1 + squaredModulus).squareRoot()
    epsilon = squaredModulus / (2 * (1 + root) + squaredModulus)
  }

  /// I₁(σ₂) − I₁(σ₁): the distance in units of the polar radius (equations 15, 17 and 18).
  func distanceIntegral(from start: UnitVector, to end: UnitVector, arc: Double) -> Double {
    let e = epsilon
    let e2 = e * e
    let scale = (1 + e2 * (1 / 4 + e2 * (1 / 64 + e2 / 256))) / (1 - e)
    return scale * (arc + Self.difference(of: firstCoefficients, from: start, to: end))
  }

  /// The factor A₃ (equation 24): the reduction of longitude on the ellipsoid.
  var longitudeScale: Double {
    let e = epsilon
    let n = WGS84.thirdFlattening
    let c1 = (1 - n) / 2
    let c2 = 1 / 4 + n * (1 / 8 - n * 3 / 8)
    let c3 = 1 / 16 + n * (3 / 16 + n / 16)
    let c4 = 3 / 64 + n / 32
    return 1 - e * (c1 + e * (c2 + e * (c3 + e * (c4 + e * 3 / 128))))
  }

  /// I₃(σ₂) − I₃(σ₁), which turns ω₁₂ into λ₁₂ (equations 8, 23 and 25).
  func longitudeIntegral(from start: UnitVector, to end: UnitVector, arc: Double) -> Double {
    longitudeScale * (arc + Self.difference(of: thirdCoefficients, from: start, to: end))
  }

  /// The reduced length m₁₂ in units of the polar radius (equations 38 to 43): the separation of
  /// neighbouring geodesics.
  func reducedLength(from start: UnitVector, to end: UnitVector, arc: Double) -> Double {
    let e = epsilon
    let e2 = e * e
    let scale = (1 - e) * (1 + e2 * (1 / 4 + e2 * (9 / 64 + e2 * 25 / 256)))
    let second = scale * (arc + Self.difference(of: secondCoefficients, from: start, to: end))
    let excess = distanceIntegral(from: start, to: end, arc: arc) - second
    let startScale = (1 + squaredModulus * start.sine * start.sine).squareRoot()
    let endScale = (1 + squaredModulus * end.sine * end.sine).squareRoot()
    return endScale * (start.cosine * end.sine) - startScale * (start.sine * end.cosine)
      - start.cosine * end.cosine * excess
  }

  /// The coefficients C₁₁ … C₁₆ (equation 18).
  private var firstCoefficients: [Double] {
    Self.polynomials(Self.firstRows, steppingBy: 2, in: epsilon)
  }

  private static let firstRows: [[Double]] = [
    [-1 / 2, 3 / 16, -1 / 32], [-1 / 16, 1 / 32, -9 / 2048], [-1 / 48, 3 / 256],
    [-5 / 512, 3 / 512], [-7 / 1280], [-7 / 2048],
  ]

  /// The coefficients C₂₁ … C₂₆ (equation 43).
  private var secondCoefficients: [Double] {
    Self.polynomials(Self.secondRows, steppingBy: 2, in: epsilon)
  }

  private static let secondRows: [[Double]] = [
    [1 / 2, 1 / 16, 1 / 32], [3 / 16, 1 / 32, 35 / 2048], [5 / 48, 5 / 256],
    [35 / 512, 7 / 512], [63 / 1280], [77 / 2048],
  ]

  /// The coefficients C₃₁ … C₃₅ (equation 25), whose factors are constants of the ellipsoid.
  private var thirdCoefficients: [Double] {
    Self.polynomials(Self.thirdRows, steppingBy: 1, in: epsilon)
  }

  private static let thirdRows: [[Double]] = {
    let n = WGS84.thirdFlattening
    let n2 = n * n
    return [
      [(1 - n) / 4, (1 - n2) / 8, (3 + 3 * n - n2) / 64, (5 + 2 * n) / 128, 3 / 128],
      [(2 - 3 * n + n2) / 32, (3 - 2 * n - 3 * n2) / 64, (3 + n) / 128, 5 / 256],
      [(5 - 9 * n + 5 * n2) / 192, (9 - 10 * n) / 384, 7 / 512],
      [(7 - 14 * n) / 512, 7 / 512],
      [21 / 2560],
    ]
  }()

  /// Evaluates row l as a polynomial in ε that begins with the power l and increases in steps.
  private static func polynomials(
    _ rows: [[Double]], steppingBy step: Int, in epsilon: Double
  ) -> [Double] {
    let factor = step == 2 ? epsilon * epsilon : epsilon
    var lead = 1.0
    return rows.map { row in
      lead *= epsilon
      return lead * row.reversed().reduce(0) { $0 * factor + $1 }
    }
  }

  /// The sum Σ cₗ (sin 2lσ₂ − sin 2lσ₁), by the recurrence of sin 2lσ.
  private static func difference(
    of coefficients: [Double], from start: UnitVector, to end: UnitVector
  ) -> Double {
    sum(coefficients, at: end) - sum(coefficients, at: start)
  }

  private static func sum(_ coefficients: [Double], at point: UnitVector) -> Double {
    let doubledSine = 2 * point.sine * point.cosine
    let doubledCosine = (point.cosine - point.sine) * (point.cosine + point.sine)
    var (previous, current) = (0.0, doubledSine)
    var total = 0.0
    for coefficient in coefficients {
      total += coefficient * current
      (previous, current) = (current, 2 * doubledCosine * current - previous)
    }
    return total
  }
}
