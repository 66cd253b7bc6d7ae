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

  /// A₃ (equation 24): how much slower longitude grows on the ellipsoid.
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

  /// m₁₂ in units of the polar radius (equations 38 to 43): how far neighbouring geodesics part.
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

  /// C₁₁ … C₁₆ (equation 18).
  private var firstCoefficients: [Double] {
    Self.polynomials(Self.firstRows, steppingBy: 2, in: epsilon)
  }

  private static let firstRows: [[Double]] = [
    [-1 / 2, 3 / 16, -1 / 32], [-1 / 16, 1 / 32, -9 / 2048], [-1 / 48, 3 / 256],
    [-5 / 512, 3 / 512], [-7 / 1280], [-7 / 2048],
  ]

  /// C₂₁ … C₂₆ (equation 43).
  private var secondCoefficients: [Double] {
    Self.polynomials(Self.secondRows, steppingBy: 2, in: epsilon)
  }

  private static let secondRows: [[Double]] = [
    [1 / 2, 1 / 16, 1 / 32], [3 / 16, 1 / 32, 35 / 2048], [5 / 48, 5 / 256],
    [35 / 512, 7 / 512], [63 / 1280], [77 / 2048],
  ]

  /// C₃₁ … C₃₅ (equation 25), whose factors are constants of the ellipsoid.
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

  /// Row l as a polynomial in ε that begins with the power l and goes on in steps.
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

  /// Σ cₗ (sin 2lσ₂ − sin 2lσ₁), by the recurrence of sin 2lσ.
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
