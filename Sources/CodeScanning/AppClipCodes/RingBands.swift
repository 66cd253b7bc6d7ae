import AppClipCodes
import Pictures

/// A piece of a line on which five rings of an App Clip Code may lie one behind the other: nine
/// lengths that are about the same, arc and space by turns.
///
/// The rings' arcs and the spaces between them are equally wide. On a line through the centre that
/// stays so however the code is turned and tilted, because a tilt shortens all lengths of one line
/// alike; that is what makes them easy to find in any picture.
struct RingBand {
  /// Where the inner edge of the innermost ring and the outer edge of the outermost lie on the line, in
  /// pixels.
  let inner, outer: Double
  /// Where the line is, in pixels from the upper or the left edge.
  let line: Double
  /// Whether the line goes down the picture and not across.
  let isVertical: Bool
  /// Whether the arcs are lighter than the disc.
  let isLight: Bool
}

extension RingBand {
  /// How far it is from the centre to the outer edge of the disc along the line, in pixels, when the
  /// code is not tilted.
  var reach: Double { abs(inner - outer) / (Self.outerEdge - Self.innerEdge) }

  /// Where the centre would be along the line.
  var middle: Double {
    inner + (inner - outer) / (Self.outerEdge - Self.innerEdge) * Self.innerEdge
  }

  /// Where the code's centre would be, in pixels.
  var centre: PicturePoint {
    isVertical ? PicturePoint(x: line, y: middle) : PicturePoint(x: middle, y: line)
  }

  /// Where the inner edge of the innermost ring and the outer edge of the outermost lie, as a part of
  /// the disc's radius.
  static let innerEdge = 165.4516 / AppClipCodeRing.discRadius
  static let outerEdge = 376.55 / AppClipCodeRing.discRadius

  /// The least difference of brightness between an arc and the disc that is seen, of 255.
  private static let leastStep: Int32 = 10
  /// The least width of an arc, in pixels.
  private static let leastWidth = 1.3

  /// The bands on lines of a picture.
  ///
  /// - Parameter step: Every which row and column is looked at.
  static func all(in picture: GreyPicture, step: Int) -> [RingBand] {
    var bands: [RingBand] = []
    var edges = LineEdges()
    // Neighbouring lines are taken together, which halves the noise.
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

  /// About how much neighbouring pixels differ because of noise, when so many lines are taken together:
  /// the median of how much a pixel differs from the mean of those beside it.
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
    // The difference of one pixel to the sum of two is √6 times as noisy as a pixel.
    return Double(median ?? 0) * 1.48 / 6.0.squareRoot() / Double(step).squareRoot()
  }

  /// Where a line of pixels goes up and down.
  private struct LineEdges {
    private var places: [Double] = []
    /// Whether the line gets lighter at the first of ``places``; they alternate.
    private var beginsUp = false

    /// Finds the places half way between each lightest and darkest spot and the next.
    mutating func read(_ line: [Int32], _ leastStep: Int32) {
      places.removeAll(keepingCapacity: true)
      guard line.count > 8 else { return }
      line.withUnsafeBufferPointer { line in
        var low = line[0]
        var high = line[0]
        var lowPlace = 0
        var highPlace = 0
        // 0 until the first step, then whether the line went up or down last.
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
          // On the way up only the highest counts, on the way down only the lowest.
          if direction > 0 { (low, lowPlace) = (high, highPlace) }
          if direction < 0 { (high, highPlace) = (low, lowPlace) }
        }
      }
    }

    /// Where the line has gone half way from an extreme to the next.
    private static func crossing(
      _ line: UnsafeBufferPointer<Int32>, from extreme: Int, to seen: Int
    ) -> Double {
      // The step goes on behind the pixel at which it was noticed.
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

    /// Tells of each nine lengths that are alike, and on which side of them the centre can be.
    func forEachBand(
      _ tell: (_ inner: Double, _ outer: Double, _ isLight: Bool) -> Void
    ) {
      guard places.count >= 8 else { return }
      for first in 0..<places.count - 7 {
        // Ten edges, or eight where the arc of an inner ring leaves a gap.
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
          // Towards the centre nothing comes for two and a half widths; outwards the disc ends after
          // one, where its edge is seen.
          if after >= 1.7 * width { tell(end, start, isLight) }
          if before >= 1.7 * width { tell(start, end, isLight) }
          break
        }
      }
    }
  }
}
