/// One of the five rings of an App Clip Code, in units of the drawing, whose disc has a radius of
/// 400.
///
/// A ring is divided into positions of equal angle. An arc covers one position or more and leaves a
/// gap at each end, so that each position either begins an arc or continues the previous one. The
/// numbers were measured on files of Apple's generator.
public struct AppClipCodeRing: Hashable, Sendable {
  /// The number of positions.
  public let positions: Int
  /// The distance from the centre to the middle of the arcs.
  public let radius: Double
  /// The angle at which the first position begins, in degrees clockwise from the right.
  public let rotation: Double
  /// The angle that an arc leaves free at each end, measured to the middle of its round cap, in
  /// degrees.
  public let gap: Double
  /// The index of the first position among the 128 of the code.
  public let first: Int

  /// The rings from the inside out.
  public static let all: [AppClipCodeRing] = [
    AppClipCodeRing(positions: 17, radius: 177.2016, rotation: -78, gap: 7.5, first: 0),
    AppClipCodeRing(positions: 23, radius: 224.1012, rotation: -85, gap: 5.6, first: 17),
    AppClipCodeRing(positions: 26, radius: 271.0008, rotation: -70, gap: 5.0, first: 40),
    AppClipCodeRing(positions: 29, radius: 317.9004, rotation: -63, gap: 4.2, first: 66),
    AppClipCodeRing(positions: 33, radius: 364.8, rotation: -70, gap: 3.5, first: 95),
  ]
  /// The number of positions of all rings together.
  public static let positionsOfCode = 128
  /// The width of an arc's stroke, which ends in round caps.
  public static let strokeWidth = 23.5
  /// The radius of the disc behind the rings, and half of the side of the drawing.
  public static let discRadius = 400.0

  /// The angle of one position, in degrees.
  public var step: Double { 360 / Double(positions) }

  /// The indices of the positions among the 128 of the code.
  public var indices: Range<Int> { first..<first + positions }

  /// Returns the angle at which a position begins, in degrees clockwise from the right.
  ///
  /// - Parameter position: 0 to ``positions``, counted in the ring.
  public func start(of position: Int) -> Double { rotation + Double(position) * step }
}
