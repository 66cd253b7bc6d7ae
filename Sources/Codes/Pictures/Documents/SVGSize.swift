/// The declared size of an SVG drawing.
enum SVGSize {
  /// Returns the size in inches of the outermost `svg` element, from its `width` and `height`, else
  /// its `viewBox`; a length without a unit has 96 per inch (CSS Values 4, 6.2). `nil` if it gives
  /// no absolute size, such as one that fills its container, or one of more than 2.5 kilometres.
  static func inches(of bytes: [UInt8]) -> (width: Double, height: Double)? {
    size(of: bytes).flatMap { max($0.width, $0.height) <= 1e5 ? $0 : nil }
  }

  private static func size(of bytes: [UInt8]) -> (width: Double, height: Double)? {
    let head = String(decoding: bytes.prefix(1 << 16), as: UTF8.self)
    guard let start = head.firstRange(of: "<svg"),
      let end = head[start.upperBound...].firstIndex(of: ">")
    else { return nil }
    let tag = head[start.upperBound..<end]
    if let width = attribute("width", in: tag).flatMap(length),
      let height = attribute("height", in: tag).flatMap(length)
    {
      return (width, height)
    }
    return viewBox(of: tag).map { ($0.width / 96, $0.height / 96) }
  }

  /// Returns the size of the `viewBox` among the attributes of an element; `nil` without one.
  static func viewBox(of tag: Substring) -> (width: Double, height: Double)? {
    let box = attribute("viewBox", in: tag)?
      .split { $0 == "," || $0.isWhitespace }.compactMap { Double($0) }
    guard let box, box.count == 4, box[2] > 0, box[3] > 0, box[2].isFinite, box[3].isFinite else {
      return nil
    }
    return (box[2], box[3])
  }

  private static func attribute(_ name: String, in tag: Substring) -> Substring? {
    var rest = tag
    while let found = rest.firstRange(of: name) {
      let isWhole =
        found.lowerBound > tag.startIndex
        && tag[tag.index(before: found.lowerBound)].isWhitespace
      rest = rest[found.upperBound...]
      guard isWhole else { continue }
      let value = rest.drop { $0.isWhitespace }
      guard value.first == "=" else { continue }
      let quoted = value.dropFirst().drop { $0.isWhitespace }
      guard let quote = quoted.first, quote == "\"" || quote == "'" else { return nil }
      return quoted.dropFirst().prefix { $0 != quote }
    }
    return nil
  }

  /// Returns a length in inches; `nil` for a percentage and font-relative units.
  private static func length(_ text: Substring) -> Double? {
    let unit = String(text.reversed().prefix { $0.isLetter || $0 == "%" }.reversed()).lowercased()
    let number = text.dropLast(unit.count)
    guard let value = Double(number), value > 0, value.isFinite, let size = units[unit] else {
      return nil
    }
    return value / size
  }

  /// The number of units per inch.
  private static let units = [
    "": 96.0, "px": 96, "in": 1, "cm": 2.54, "mm": 25.4, "q": 101.6, "pt": 72, "pc": 6,
  ]
}
