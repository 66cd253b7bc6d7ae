import AppClipCodes
import Pictures

/// A segment of a line that may cross the five rings of an App Clip Code: nine lengths that are
/// about equal, alternately arc and space.
///
/// The rings' arcs and the spaces between them are equally wide. On a line through the centre this
/// is true for any rotation and tilt of the code, because a tilt shortens all lengths on a line
/// alike; therefore such segments are easy to find in any picture.
struct RingBand {
  /// The inner edge of the innermost ring and the outer edge of the outermost on the line, in
  /// pixels.
  let inner, outer: Double
  /// The position of the line, in pixels from the upper or the left edge.
  let line: Double
  /// A Boolean value that indicates whether the line is vertical.
  let isVertical: Bool
  /// A Boolean value that indicates whether the arcs are lighter than the disc.
  let isLight: Bool
}

extension RingBand {
  /// The distance from the centre to the outer edge of the disc along the line, in pixels, if the
  /// code is not tilted.
  var reach: Double { abs(inner - outer) / (Self.outerEdge - Self.innerEdge) }

  /// The position of the centre along the line.
  var middle: Double {
    inner + (inner - outer) / (Self.outerEdge - Self.innerEdge) * Self.innerEdge
  }

  /// The centre of the code, in pixels.
  var centre: PicturePoint {
    isVertical ? PicturePoint(x: line, y: middle) : PicturePoint(x: middle, y: line)
  }

  /// The inner edge of the innermost ring and the outer edge of the outermost, relative to the
  /// disc's radius.
  static let innerEdge = 165.4516 / AppClipCodeRing.discRadius
  static let outerEdge = 376.55 / AppClipCodeRing.discRadius

  /// The least difference in brightness between an arc and the disc, of 255.
  private static let leastStep: Int32 = 10
  /// The least width of an arc, in pixels.
  private static let leastWidth = 1.3

  /// Returns the bands on lines of a picture.
  ///
  /// - Parameter step: The distance between the rows and columns that are examined.
  static func all(in picture: GreyPicture, step: Int) -> [RingBand] {
    var bands: [RingBand] = []
    var edges = LineEdges()
    // Adjacent lines are summed to reduce the noise.
    var sums: [Int32] = []
    let least = max(leastStep, Int32(3 * noise(of: picture, step: step))) * Int32(step)
    picture.pixels.withUnsafeBufferPointer { pixels in
      for row in stride(from: 0, through: picture.height - step, by: step) {
        sums = [Int32](repeating: 0, count: picture.width)
        for next in 0..<step {
          let line = UnsafeBufferPointer(
            rebasing: pixels[(row + next) * picture.width..<(row + next + 1) * picture.width])
          for place in sums.indices { sums[place] &+= Int32(line[place]) }
        }
        edges.read(sums, least)
        edges.forEachBand { inner, outer, isLight in
          bands.append(
            RingBand(
              inner: inner, outer: outer, line: Double(row) + Double(step) / 2, isVertical: false,
              isLight: isLight))
        }
      }
      for column in stride(from: 0, through: picture.width - step, by: step) {
        sums = [Int32](repeating: 0, count: picture.height)
        for place in sums.indices {
          let index = place &* picture.width &+ column
          for next in 0..<step { sums[place] &+= Int32(pixels[index &+ next]) }
        }
        edges.read(sums, least)
        edges.forEachBand { inner, outer, isLight in
          bands.append(
            RingBand(
              inner: inner, outer: outer, line: Double(column) + Double(step) / 2,
              isVertical: true, isLight: isLight))
        }
      }
    }
    return bands
  }

  /// Returns an estimate of the noise of a sum of `step` adjacent lines: the median difference
  /// between a pixel and the mean of its neighbours.
  private static func noise(of picture: GreyPicture, step: Int) -> Double {
    var counts = [Int](repeating: 0, count: 256)
    var all = 0
    picture.pixels.withUnsafeBufferPointer { pixels in
      for index in Swift.stride(from: 1, to: pixels.count - 1, by: max(1, pixels.count / 20_000)) {
        let difference =
          2 * Int(pixels[index]) - Int(pixels[index - 1]) - Int(pixels[index + 1])
        counts[min(255, abs(difference))] += 1
        all += 1
      }
    }
    var seen = 0
    let median = counts.firstIndex { count in
      seen += count
      return 2 * seen >= all
    }
    // The difference between a doubled pixel and the sum of two is √6 times as noisy as a pixel.
    return Double(median ?? 0) * 1.48 / 6.0.squareRoot() / Double(step).squareRoot()
  }

  /// The edges on a line of pixels.
  private struct LineEdges {
    private var places: [Double] = []
    /// Whether the line gets lighter at the first of ``places``; the directions alternate.
    private var beginsUp = false

    /// Finds the midpoints between successive lightest and darkest points.
    mutating func read(_ line: [Int32], _ leastStep: Int32) {
      places.removeAll(keepingCapacity: true)
      guard line.count > 8 else { return }
      line.withUnsafeBufferPointer { line in
        var low = line[0]
        var high = line[0]
        var lowPlace = 0
        var highPlace = 0
        // 0 until the first step, then the direction of the last change.
        var direction = 0
        for place in 0..<line.count {
          let value = line[place]
          if value > high { (high, highPlace) = (value, place) }
          if value < low { (low, lowPlace) = (value, place) }
          if direction >= 0, value < high &- leastStep {
            if direction == 0 { beginsUp = false }
            places.append(Self.crossing(line, from: highPlace, to: place))
            (direction, low, lowPlace) = (-1, value, place)
            high = value
          } else if direction <= 0, value > low &+ leastStep {
            if direction == 0 { beginsUp = true }
            places.append(Self.crossing(line, from: lowPlace, to: place))
            (direction, high, highPlace) = (1, value, place)
            low = value
          }
          // While rising only the maximum counts, while falling only the minimum.
          if direction > 0 { (low, lowPlace) = (high, highPlace) }
          if direction < 0 { (high, highPlace) = (low, lowPlace) }
        }
      }
    }

    /// Returns the position where the line is halfway between an extreme and the next.
    private static func crossing(
      _ line: UnsafeBufferPointer<Int32>, from extreme: Int, to seen: Int
    ) -> Double {
      // The step continues past the pixel at which it was detected.
      let goesUp = line[seen] > line[extreme]
      var last = seen
      while last < line.count - 1, last < seen + 12,
        goesUp ? line[last + 1] > line[last] : line[last + 1] < line[last]
      {
        last += 1
      }
      let middle = Double(line[extreme] + line[last]) / 2
      for place in extreme..<last {
        let (here, next) = (Double(line[place]), Double(line[place + 1]))
        if (here <= middle) != (next <= middle) {
          return Double(place) + 0.5 + (middle - here) / (next - here)
        }
      }
      return Double(last) + 0.5
    }

    /// Calls a closure for each run of nine similar lengths, with the side on which the centre can
    /// be.
    func forEachBand(
      _ tell: (_ inner: Double, _ outer: Double, _ isLight: Bool) -> Void
    ) {
      guard places.count >= 8 else { return }
      for first in 0..<places.count - 7 {
        // Ten edges, or eight if a gap in an inner ring's arc hides two.
        for count in [10, 8] where first + count <= places.count {
          let start = places[first]
          let end = places[first + count - 1]
          let width = (end - start) / 9
          guard width >= leastWidth else { continue }
          let tolerance = max(0.32 * width, 0.75)
          var wide = 0
          var isBand = true
          for run in 0..<count - 1 {
            let length = places[first + run + 1] - places[first + run]
            if abs(length - width) <= tolerance { continue }
            if count == 8, !run.isMultiple(of: 2), abs(length - 3 * width) <= 1.5 * tolerance {
              wide += 1
            } else {
              isBand = false
              break
            }
          }
          guard isBand, count == 10 || wide == 1 else { continue }
          let before = first > 0 ? start - places[first - 1] : .infinity
          let next = first + count
          let after = next < places.count ? places[next] - end : .infinity
          let isLight = first.isMultiple(of: 2) == beginsUp
          // Towards the centre there is no edge for two and a half widths; outwards the disc ends
          // after one, if its edge is visible.
          if after >= 1.7 * width { tell(end, start, isLight) }
          if before >= 1.7 * width { tell(start, end, isLight) }
          break
        }
      }
    }
  }
}
