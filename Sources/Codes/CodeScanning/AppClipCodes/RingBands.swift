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
  /// The distance from the centre to the outer edge of the disc along the line, in pixels, if the
  /// code is not tilted.
  let reach: Double
  /// The centre of the code, in pixels.
  let centre: PicturePoint

  init(inner: Double, outer: Double, line: Double, isVertical: Bool, isLight: Bool) {
    (self.inner, self.outer, self.line) = (inner, outer, line)
    (self.isVertical, self.isLight) = (isVertical, isLight)
    reach = abs(inner - outer) / (Self.outerEdge - Self.innerEdge)
    let middle = inner + (inner - outer) / (Self.outerEdge - Self.innerEdge) * Self.innerEdge
    centre = isVertical ? PicturePoint(x: line, y: middle) : PicturePoint(x: middle, y: line)
  }
}

extension RingBand {
  /// The position of the centre along the line.
  var middle: Double { isVertical ? centre.y : centre.x }

  /// The middle of the band on its line, in pixels.
  var place: PicturePoint {
    let place = (inner + outer) / 2
    return isVertical ? PicturePoint(x: line, y: place) : PicturePoint(x: place, y: line)
  }

  /// Returns whether both bands point to one centre.
  func isAround(_ other: RingBand) -> Bool {
    let (x, y) = (centre.x - other.centre.x, centre.y - other.centre.y)
    let apart = 0.4 * min(reach, other.reach)
    return x * x + y * y < apart * apart && isLight == other.isLight
      && reach > 0.45 * other.reach && reach < 2.2 * other.reach
  }

  /// The inner edge of the innermost ring and the outer edge of the outermost, relative to the
  /// disc's radius.
  static let innerEdge = 165.4516 / AppClipCodeRing.discRadius
  static let outerEdge = 376.55 / AppClipCodeRing.discRadius

  /// The least difference in brightness between an arc and the disc, of 255.
  private static let leastStep: Int16 = 10
  /// The least width of an arc, in pixels.
  private static let leastWidth = 1.3

  /// Returns the bands on lines of a picture whose centre lies in it: the courses of a tiled wall are
  /// as equal as rings.
  ///
  /// - Parameters:
  ///   - known: The places of other codes, where no code of rings is searched for.
  ///   - count: The number of adjacent rows or columns that are summed as a line, 2 or 3.
  ///   - step: The distance between the lines that are examined.
  ///   - deviations: The least difference between an arc and the disc, in standard deviations of
  ///     the noise.
  static func all(
    in picture: GreyPicture, outside known: KnownPlaces, summing count: Int, every step: Int,
    deviations: Double
  ) -> [RingBand] {
    var bands: [RingBand] = []
    var edges = LineEdges()
    let noise = noise(of: picture, summing: count)
    let least = max(leastStep, Int16(deviations * noise)) * Int16(count)
    func look(along line: UnsafeBufferPointer<Int16>, at first: Int, isVertical: Bool) {
      let place = Double(first) + Double(count) / 2
      known.forEachGap(on: place, isVertical: isVertical, length: line.count) { gap in
        edges.read(.init(rebasing: line[gap]), least)
        let start = Double(gap.lowerBound)
        edges.forEachBand { inner, outer, isLight in
          let band = RingBand(
            inner: start + inner, outer: start + outer, line: place, isVertical: isVertical,
            isLight: isLight)
          if band.middle > 0, band.middle < Double(line.count) { bands.append(band) }
        }
      }
    }
    // Adjacent lines are summed to reduce the noise.
    let (width, height) = (picture.width, picture.height)
    let columns = Array(stride(from: 0, through: width - count, by: step))
    var sums = [Int16](repeating: 0, count: max(width, columnsOfBlock * height))
    picture.pixels.withUnsafeBufferPointer { pixels in
      sums.withUnsafeMutableBufferPointer { sums in
        for row in stride(from: 0, through: height - count, by: step) {
          let start = row * width
          for place in 0..<width {
            sums[place] = sum(of: count, pixels, at: start &+ place, pitch: width)
          }
          look(along: .init(rebasing: sums[..<width]), at: row, isVertical: false)
        }
        // Some columns at a time, so that a row's pixels are fetched once for all of them.
        for block in stride(from: 0, to: columns.count, by: columnsOfBlock) {
          let block = columns[block..<min(block + columnsOfBlock, columns.count)]
          for row in 0..<height {
            var index = row &* width &+ block[block.startIndex]
            var place = row
            for _ in block {
              sums[place] = sum(of: count, pixels, at: index, pitch: 1)
              index &+= step
              place &+= height
            }
          }
          for (number, column) in block.enumerated() {
            let start = number * height
            look(
              along: .init(rebasing: sums[start..<start + height]), at: column, isVertical: true)
          }
        }
      }
    }
    return bands
  }

  /// The number of columns that are summed together.
  private static let columnsOfBlock = 16

  /// Returns the sum of two or three pixels.
  @inline(__always)
  private static func sum(
    of count: Int, _ pixels: UnsafeBufferPointer<UInt8>, at index: Int, pitch: Int
  ) -> Int16 {
    let two = Int16(pixels[index]) &+ Int16(pixels[index &+ pitch])
    return count == 2 ? two : two &+ Int16(pixels[index &+ 2 &* pitch])
  }

  /// Returns an estimate of the noise of a sum of `count` adjacent lines: the median difference
  /// between a pixel and the mean of its neighbours.
  private static func noise(of picture: GreyPicture, summing count: Int) -> Double {
    var counts = [Int](repeating: 0, count: 256)
    var all = 0
    picture.pixels.withUnsafeBufferPointer { pixels in
      for index in Swift.stride(from: 1, to: pixels.count - 1, by: max(1, pixels.count / 8_000)) {
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
    return Double(median ?? 0) * 1.48 / 6.0.squareRoot() / Double(count).squareRoot()
  }

  /// The edges on a line of pixels.
  private struct LineEdges {
    private var places: [Double] = []
    /// Whether the line gets lighter at the first of ``places``; the directions alternate.
    private var beginsUp = false

    /// Finds the midpoints between successive lightest and darkest points.
    mutating func read(_ line: UnsafeBufferPointer<Int16>, _ leastStep: Int16) {
      places.removeAll(keepingCapacity: true)
      guard line.count > 8 else { return }
      // Until the first step, both extremes count.
      var (low, high) = (0, 0)
      var place = 1
      while place < line.count {
        if line[place] > line[high] { high = place }
        if line[place] < line[low] { low = place }
        if line[high] &- line[place] > leastStep || line[place] &- line[low] > leastStep { break }
        place &+= 1
      }
      guard place < line.count else { return }
      var isUp = line[place] &- line[low] > leastStep
      beginsUp = isUp
      places.append(Self.crossing(line, from: isUp ? low : high, to: place))
      // While rising only the maximum counts, while falling only the minimum.
      while true {
        var extreme = place
        if isUp {
          var most = line[extreme]
          repeat {
            place &+= 1
            guard place < line.count else { return }
            if line[place] > most { (most, extreme) = (line[place], place) }
          } while line[place] >= most &- leastStep
        } else {
          var least = line[extreme]
          repeat {
            place &+= 1
            guard place < line.count else { return }
            if line[place] < least { (least, extreme) = (line[place], place) }
          } while line[place] <= least &+ leastStep
        }
        isUp.toggle()
        places.append(Self.crossing(line, from: extreme, to: place))
      }
    }

    /// Returns the position where the line is halfway between an extreme and the next.
    private static func crossing(
      _ line: UnsafeBufferPointer<Int16>, from extreme: Int, to seen: Int
    ) -> Double {
      // The step continues past the pixel at which it was detected.
      let goesUp = line[seen] > line[extreme]
      var last = seen
      let end = min(line.count - 1, seen + 12)
      while last < end, goesUp ? line[last &+ 1] > line[last] : line[last &+ 1] < line[last] {
        last &+= 1
      }
      let doubled = line[extreme] &+ line[last]
      let isBelow = 2 &* line[extreme] <= doubled
      var place = extreme
      while place < last {
        let next = line[place &+ 1]
        if (2 &* next <= doubled) != isBelow {
          let here = line[place]
          return Double(place) + 0.5 + Double(doubled &- 2 &* here) / Double(2 &* (next &- here))
        }
        place &+= 1
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

/// The places of codes that were read, where a search for rings has nothing to find.
struct KnownPlaces {
  let places: [Quadrilateral]
  /// The number of pixels of the whole picture per pixel of the searched one.
  let scale: Double

  /// The length of a line between two places, in pixels, that is too short for rings.
  private static let leastGap = 24

  /// Calls a closure for each part of a line that is outside of all places.
  ///
  /// - Parameters:
  ///   - line: The position of the line, in pixels from the upper or the left edge.
  ///   - length: The length of the line, in pixels.
  func forEachGap(
    on line: Double, isVertical: Bool, length: Int, _ tell: (Range<Int>) -> Void
  ) {
    guard !places.isEmpty else { return tell(0..<length) }
    let covered = places.compactMap {
      isVertical ? $0.down(line * scale) : $0.across(line * scale)
    }
    .sorted { $0.first < $1.first }
    guard !covered.isEmpty else { return tell(0..<length) }
    var start = 0
    for place in covered {
      let end = Int(max(0, min(Double(length), place.first / scale)))
      if end - start >= Self.leastGap { tell(start..<end) }
      start = max(start, Int(max(0, min(Double(length), (place.last / scale).rounded(.up)))))
    }
    if length - start >= Self.leastGap { tell(start..<length) }
  }
}
