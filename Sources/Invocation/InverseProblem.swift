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
    /// How that grows with α₁.
    var slope: Double
    /// The ends on the auxiliary sphere, as arcs from the node.
    var start: UnitVector
    var end: UnitVector
    var arc: Double
    /// sin α₀, the sine of the azimuth on the equator.
    var nodeSine: Double
    var series: GeodesicSeries

    /// Metres (equation 7).
    var distance: Double {
      WGS84.polarRadius * series.distanceIntegral(from: start, to: end, arc: arc)
    }
  }

  /// Along a meridian, over the pole or not.
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
    // What rounding leaves of the longitude's error, where the geodesic all but touches the second
    // point's parallel, is taken off the length: ∂s/∂λ = a sin α₀.
    let left = best.longitude - longitudeDifference
    return best.distance - left * WGS84.equatorialRadius * best.nodeSine
  }

  /// Section 3 and equation 46.
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
}

extension InverseProblem {
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

  /// The distance of points so close that the sphere of their own latitude is exact, in metres;
  /// `nil` for others. Newton's method would have nothing left to divide.
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
    // Equation 56 gives α₁ by μ; the same μ gives ω₁₂, and from that α₁ follows without cancelling
    // where both points are all but on the equator.
    let root = Self.astroidRoot(x: x, y: y)
    let turn = (longitudeDifference - .pi) * root / (1 + root)
    return greatCircle(sphericalLongitude: .pi + turn).azimuth
  }

  /// The positive root of μ⁴ + 2μ³ + (1 − x² − y²)μ² − 2y²μ − y² = 0 (equation 55).
  ///
  /// Found by halving: x²/(1+μ)² + y²/μ² = 1 says the same, and its left side falls with μ.
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
