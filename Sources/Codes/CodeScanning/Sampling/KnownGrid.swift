package import Pictures

/// The modules of a QR code that was drawn at a known place, for comparing the pixels of a finished
/// file with them one by one.
package struct KnownGrid: Sendable {
  /// The number of modules on a side, with the quiet zone.
  package let side: Int
  /// One byte per module with the quiet zone, row by row, 1 for dark.
  private let modules: [UInt8]

  /// The brightness below which a module is dark: a third of the way from black to white.
  private static let darkest = 85
  /// The brightness above which a module is light.
  private static let lightest = 170
  /// The part of a pixel that may belong to the next module: renderers place edges less exactly.
  private static let tolerance = 0.05

  /// Describes a code.
  ///
  /// - Parameters:
  ///   - size: The number of modules on a side, without the quiet zone.
  ///   - modules: One byte per module, row by row, 1 for dark; `size * size` of them.
  ///   - quietZone: The width of the quiet zone in modules.
  package init(size: Int, modules: [UInt8], quietZone: Int) {
    side = size + 2 * quietZone
    var placed = [UInt8](repeating: 0, count: side * side)
    for row in 0..<size {
      let start = (row + quietZone) * side + quietZone
      placed.replaceSubrange(start..<start + size, with: modules[row * size..<(row + 1) * size])
    }
    self.modules = placed
  }

  /// Returns the number of modules, those of the quiet zone among them, that a picture does not show
  /// as they were drawn: dark ones in the lightest two thirds from black to white, and light ones in
  /// the darkest two thirds.
  ///
  /// The brightness of a module is the mean of the pixels that are wholly in it.
  ///
  /// - Parameters:
  ///   - picture: The picture.
  ///   - x: The distance of the quiet zone from the left edge of the picture, in pixels.
  ///   - y: Its distance from the top edge, in pixels.
  ///   - pitch: The width of a module in pixels: at least 2, or 1 where the edges of modules are
  ///     those of pixels.
  /// - Returns: 0 if the picture shows the code; all modules if a part of it is outside the picture.
  package func wrongModules(
    in picture: GreyPicture, x: Double = 0, y: Double = 0, pitch: Double
  ) -> Int {
    guard let columns = spans(from: x, pitch: pitch, within: picture.width),
      let rows = spans(from: y, pitch: pitch, within: picture.height)
    else { return modules.count }
    return picture.pixels.withUnsafeBufferPointer { pixels in
      var wrong = 0
      for (row, lines) in rows.enumerated() {
        for (column, span) in columns.enumerated() {
          var sum = 0
          for line in lines {
            for pixel in span { sum += Int(pixels[line * picture.width + pixel]) }
          }
          let count = lines.count * span.count
          let isRight =
            modules[row * side + column] == 1
            ? sum < Self.darkest * count : sum > Self.lightest * count
          if !isRight { wrong += 1 }
        }
      }
      return wrong
    }
  }

  /// Returns the pixels that are wholly in each module of a row or column; `nil` if a module has
  /// none, or is outside the picture.
  private func spans(from start: Double, pitch: Double, within limit: Int) -> [Range<Int>]? {
    let end = start + pitch * Double(side)
    guard start >= -Self.tolerance, end <= Double(limit) + Self.tolerance, pitch >= 1 else {
      return nil
    }
    var spans: [Range<Int>] = []
    spans.reserveCapacity(side)
    for module in 0..<side {
      let left = start + Double(module) * pitch
      let first = max(0, Int((left - Self.tolerance).rounded(.up)))
      let last = min(limit, Int((left + pitch + Self.tolerance).rounded(.down)))
      guard first < last else { return nil }
      spans.append(first..<last)
    }
    return spans
  }
}
