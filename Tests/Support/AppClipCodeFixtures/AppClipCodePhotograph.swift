import AppClipCodes
import CliptagBasics
import Foundation
package import Pictures

/// A photograph of drawn App Clip Codes, made with a seed: turned, tilted, blurred, noisy, pale, unevenly
/// lit, covered.
package struct AppClipCodePhotograph: Sendable {
  /// The code.
  package var code: DrawnAppClipCode
  /// Its diameter in pixels, where it is not tilted.
  package var diameter = 160.0
  /// Degrees that it is turned clockwise.
  package var rotation = 0.0
  /// Degrees that it is tilted, seen from three diameters away, and about which axis.
  package var tilt = 0.0
  package var tiltAxis = 0.0
  /// Standard deviation of a Gaussian blur, in pixels.
  package var blur = 0.0
  /// Standard deviation of the noise, of 255.
  package var noise = 0.0
  /// What is left of the difference to a middle grey, 0 to 1.
  package var contrast = 1.0
  /// By how much less light falls on the right edge than on the left, 0 to 1.
  package var shade = 0.0
  /// The side of a grey square over the code, as a part of its diameter.
  package var cover = 0.0
  /// The part of the disc, 0 to 1, that a card covers whose straight edge is pushed over the code.
  package var card = 0.0
  /// Degrees clockwise from the right of the code from which the card comes.
  package var cardAngle = 0.0
  /// The brightness of the card, of 255.
  package var cardBrightness = 150.0
  /// Pixels by which the camera moves while it sees, and the direction in degrees.
  package var motion = 0.0
  package var motionAngle = 0.0
  /// How bright the wall is, of 255.
  package var ground = 225.0
  /// Whether it is seen from behind.
  package var isMirrored = false
  /// What noise, and where the cover lies.
  package var seed: UInt64 = 1

  /// Makes a photograph of a code as it hangs.
  package init(_ code: DrawnAppClipCode) { self.code = code }

  /// The photograph: the code in the middle of a wall.
  ///
  /// - Parameters:
  ///   - width: Pixels across.
  ///   - height: Pixels down.
  package func picture(width: Int, height: Int) -> GreyPicture {
    var values = [Float](repeating: Float(ground), count: width * height)
    draw(
      into: &values, width: width, height: height,
      centre: (Double(width) / 2 + 0.3, Double(height) / 2 - 0.2))
    return finished(values, width: width, height: height)
  }

  /// The code drawn over what is there.
  package func draw(
    into values: inout [Float], width: Int, height: Int, centre: (x: Double, y: Double)
  ) {
    let drawing = FlatCode(code)
    let radius = diameter / 2
    let (turn, lean, axis) = (rotation * .pi / 180, tilt * .pi / 180, tiltAxis * .pi / 180)
    let distance = 6.0
    // From the picture back to the plane: the tilt's own axes first, then the code's.
    func plane(_ x: Double, _ y: Double) -> (Double, Double) {
      let (px, py) = ((x - centre.x) / radius, (y - centre.y) / radius)
      let a = px * cos(axis) + py * sin(axis)
      let b = -px * sin(axis) + py * cos(axis)
      // b is seen at b cos(lean) · distance ÷ (distance + b sin(lean)).
      let down = b * distance / (distance * cos(lean) - b * sin(lean))
      let along = a * (distance + down * sin(lean)) / distance
      let u = along * cos(axis) - down * sin(axis)
      let v = along * sin(axis) + down * cos(axis)
      let turned = (u * cos(turn) + v * sin(turn), -u * sin(turn) + v * cos(turn))
      return isMirrored ? (-turned.0, turned.1) : turned
    }
    let reach = Int(diameter * 0.75) + 2
    let samples = diameter < 120 ? 3 : 2
    let edge = Self.edge(ofCardOver: card)
    let side = (x: cos(cardAngle * .pi / 180), y: sin(cardAngle * .pi / 180))
    var generator = SeededGenerator(seed: seed &+ 77)
    let offset = (
      x: Double.random(in: -0.25...0.25, using: &generator),
      y: Double.random(in: -0.25...0.25, using: &generator)
    )
    for y in max(0, Int(centre.y) - reach)..<min(height, Int(centre.y) + reach) {
      for x in max(0, Int(centre.x) - reach)..<min(width, Int(centre.x) + reach) {
        var sum = 0.0
        var seen = 0
        for sample in 0..<samples * samples {
          let (u, v) = plane(
            Double(x) + (Double(sample % samples) + 0.5) / Double(samples),
            Double(y) + (Double(sample / samples) + 0.5) / Double(samples))
          if card > 0, u * side.x + v * side.y > edge, u * u + v * v < 1.4 {
            sum += cardBrightness
            seen += 1
          } else if cover > 0, abs(u / 2 - offset.x) < cover / 2, abs(v / 2 - offset.y) < cover / 2
          {
            sum += 150
            seen += 1
          } else if let value = drawing.brightness(u * 400, v * 400) {
            sum += value
            seen += 1
          }
        }
        guard seen > 0 else { continue }
        let count = Double(samples * samples)
        let before = Double(values[y * width + x])
        values[y * width + x] = Float((sum + before * (count - Double(seen))) / count)
      }
    }
  }

  /// What a camera makes of it.
  package func finished(_ drawn: [Float], width: Int, height: Int) -> GreyPicture {
    var values = drawn
    if blur > 0 { values = Self.blurred(values, width, height, blur) }
    if motion > 0 { values = moved(values, width, height) }
    var generator = SeededGenerator(seed: seed)
    let pixels = values.enumerated().map { index, value -> UInt8 in
      var value = 128 + (Double(value) - 128) * contrast
      value *= 1 - shade * Double(index % width) / Double(width)
      if noise > 0 {
        // The sum of four even distributions is near enough to a Gaussian one.
        var sum = -2.0
        for _ in 0..<4 { sum += Double(generator.next() >> 11) / Double(1 << 53) }
        value += noise * sum * 3.0.squareRoot()
      }
      return UInt8(max(0, min(255, value.rounded())))
    }
    return GreyPicture(width: width, height: height, pixels: pixels)
  }

  /// The distance from the centre, in radii, of the edge of a card over a part of the disc.
  private static func edge(ofCardOver part: Double) -> Double {
    var (near, far) = (-1.0, 1.0)
    for _ in 0..<40 {
      let middle = (near + far) / 2
      let covered = (acos(middle) - middle * (1 - middle * middle).squareRoot()) / .pi
      if covered > part { near = middle } else { far = middle }
    }
    return near
  }

  /// The mean of the picture along the camera's way, in steps of half a pixel.
  private func moved(_ values: [Float], _ width: Int, _ height: Int) -> [Float] {
    let steps = max(2, Int((2 * motion).rounded()))
    let way = (0...steps).map { step -> (x: Double, y: Double) in
      let along = motion * (Double(step) / Double(steps) - 0.5)
      return (along * cos(motionAngle * .pi / 180), along * sin(motionAngle * .pi / 180))
    }
    return (0..<width * height).map { index in
      var sum = 0.0
      for step in way {
        let x = min(max(Double(index % width) + step.x, 0), Double(width) - 1.001)
        let y = min(max(Double(index / width) + step.y, 0), Double(height) - 1.001)
        let (column, row) = (Int(x), Int(y))
        let (right, lower) = (x - Double(column), y - Double(row))
        let place = row * width + column
        sum +=
          (Double(values[place]) * (1 - right) + Double(values[place + 1]) * right) * (1 - lower)
          + (Double(values[place + width]) * (1 - right) + Double(values[place + width + 1]) * right)
          * lower
      }
      return Float(sum / Double(way.count))
    }
  }

  private static func blurred(
    _ values: [Float], _ width: Int, _ height: Int, _ deviation: Double
  ) -> [Float] {
    let reach = max(1, Int((deviation * 2.5).rounded(.up)))
    var weights = (-reach...reach).map {
      Float(exp(-Double($0 * $0) / (2 * deviation * deviation)))
    }
    let sum = weights.reduce(0, +)
    for index in weights.indices { weights[index] /= sum }
    var across = values
    for y in 0..<height {
      for x in 0..<width {
        var sum: Float = 0
        for step in -reach...reach {
          sum += values[y * width + min(width - 1, max(0, x + step))] * weights[step + reach]
        }
        across[y * width + x] = sum
      }
    }
    var result = across
    for y in 0..<height {
      for x in 0..<width {
        var sum: Float = 0
        for step in -reach...reach {
          sum += across[min(height - 1, max(0, y + step)) * width + x] * weights[step + reach]
        }
        result[y * width + x] = sum
      }
    }
    return result
  }
}

/// A code as brightness of places, in units of the drawing from its centre.
private struct FlatCode {
  private let background, foreground, third: Double
  /// For each position of each ring the arc that covers it.
  private let arcs: [[AppClipCodeArc?]]

  init(_ code: DrawnAppClipCode) {
    func grey(_ colour: Colour) -> Double {
      0.299 * Double(colour.red) + 0.587 * Double(colour.green) + 0.114 * Double(colour.blue)
    }
    background = grey(code.background)
    foreground = grey(code.foreground)
    third = grey(code.third)
    var arcs = AppClipCodeRing.all.map { [AppClipCodeArc?](repeating: nil, count: $0.positions) }
    for arc in code.pattern.arcs {
      for step in 0..<arc.length {
        arcs[arc.ring][(arc.start + step) % AppClipCodeRing.all[arc.ring].positions] = arc
      }
    }
    self.arcs = arcs
  }

  /// How bright a place is; nothing outside the disc.
  func brightness(_ x: Double, _ y: Double) -> Double? {
    let radius = (x * x + y * y).squareRoot()
    guard radius <= AppClipCodeRing.discRadius else { return nil }
    if abs(x) < 69, abs(y) < 69 { return foreground }
    let half = AppClipCodeRing.strokeWidth / 2
    guard let number = AppClipCodeRing.all.firstIndex(where: { abs(radius - $0.radius) <= half })
    else { return background }
    let ring = AppClipCodeRing.all[number]
    let angle = atan2(y, x) * 180 / .pi - ring.rotation
    let around = (angle + 720).truncatingRemainder(dividingBy: 360)
    guard let arc = arcs[number][min(ring.positions - 1, Int(around / ring.step))] else {
      return background
    }
    let length = Double(arc.length) * ring.step
    let along = (around - Double(arc.start) * ring.step + 720)
      .truncatingRemainder(dividingBy: 360)
    let ink = arc.hasThirdColour ? third : foreground
    if along >= ring.gap, along <= length - ring.gap { return ink }
    let end = along < length / 2 ? ring.gap : length - ring.gap
    let apart = (along - end) * .pi / 180
    let distance =
      radius * radius + ring.radius * ring.radius
      - 2 * radius * ring.radius * cos(apart)
    return distance <= half * half ? ink : background
  }
}
