import CodeDrawing
import Markup

/// The rectangles of an SVG drawing that are named as places of codes and words.
struct SVGPlaces {
  /// The places, in millimetres from the top left corner of the page.
  private(set) var fields: [ArtworkField] = []
  /// A Boolean value that indicates whether the drawing has programs for a browser.
  let hasScripts: Bool

  /// The beginning of the name of a place with words of its own.
  private static let prefix = "field-"
  private static let known = Set(ArtworkField.Name.figures + PosterContent.wordNames)
  /// The user units of CSS in a millimetre.
  private static let unitsPerMillimetre = 96 / 25.4

  /// Finds the rectangles.
  ///
  /// A drawing that is no XML has none; its renderer says what is wrong with it.
  ///
  /// - Parameters:
  ///   - bytes: The drawing.
  ///   - width: The width of the page in millimetres.
  ///   - height: Its height.
  init(in bytes: [UInt8], width: Double, height: Double) {
    let root = try? MarkupElement(document: bytes)
    hasScripts = root?.hasScripts ?? false
    guard let root, root.name == "svg" else { return }
    var page = Affine(scale: 1 / Self.unitsPerMillimetre)
    if let box = root.attributes["viewBox"].map(Affine.numbers), box.count == 4, box[2] > 0,
      box[3] > 0
    {
      // The whole drawing is in the middle of the page.
      let scale = min(width / box[2], height / box[3])
      page = Affine(
        scale: scale, x: (width - scale * box[2]) / 2 - scale * box[0],
        y: (height - scale * box[3]) / 2 - scale * box[1])
    }
    for child in root.children { find(in: child, page) }
  }

  private mutating func find(in element: MarkupElement, _ outer: Affine) {
    guard let own = Affine(transform: element.attributes["transform"] ?? "") else { return }
    let matrix = outer.after(own)
    switch element.name {
    case "g", "a": for child in element.children { find(in: child, matrix) }
    case "rect":
      guard let name = Self.name(of: element) else { return }
      func length(_ key: String) -> Double { Self.units(element.attributes[key] ?? "0") ?? 0 }
      let (x, y) = (length("x"), length("y"))
      let (right, bottom) = (x + length("width"), y + length("height"))
      let corners = [(x, y), (right, y), (x, bottom), (right, bottom)].map {
        matrix.point($0.0, $0.1)
      }
      let (xs, ys) = (corners.map(\.x), corners.map(\.y))
      guard let left = xs.min(), let top = ys.min(), let far = xs.max(), let low = ys.max(),
        far > left, low > top
      else { return }
      fields.append(
        ArtworkField(
          name, in: DrawingBox(x: left, y: top, width: far - left, height: low - top)))
    default: break
    }
  }

  /// The name of a place, by the element's id or the label that Inkscape shows; `nil` for another
  /// rectangle.
  private static func name(of element: MarkupElement) -> String? {
    for text in [element.attributes["id"], element.attributes["label"]].compactMap({ $0 }) {
      let name = text.lowercased()
      if known.contains(name) { return name }
      if name.hasPrefix(prefix) { return String(name.dropFirst(prefix.count)) }
    }
    return nil
  }

  /// A length in user units; `nil` for a share of something.
  private static func units(_ text: String) -> Double? {
    for (unit, size) in [("mm", unitsPerMillimetre), ("cm", 10 * unitsPerMillimetre), ("px", 1)]
    where text.hasSuffix(unit) {
      return Double(text.dropLast(2)).map { $0 * size }
    }
    return Double(text)
  }
}

extension MarkupElement {
  /// A Boolean value that indicates whether it, or an element in it, has a script or a handler of
  /// events (SVG 2, 15).
  fileprivate var hasScripts: Bool {
    name == "script" || attributes.keys.contains { $0.hasPrefix("on") }
      || children.contains(where: \.hasScripts)
  }
}

/// A transformation of the plane (SVG 1.1, 7.4).
private struct Affine {
  /// `x' = a·x + c·y + e` and `y' = b·x + d·y + f`.
  private var a = 1.0, b = 0.0, c = 0.0, d = 1.0, e = 0.0, f = 0.0

  init(scale: Double, x: Double = 0, y: Double = 0) {
    (a, d, e, f) = (scale, scale, x, y)
  }

  private init(_ numbers: [Double]) {
    (a, b, c, d, e, f) = (numbers[0], numbers[1], numbers[2], numbers[3], numbers[4], numbers[5])
  }

  /// Reads the transformation of an element; `nil` for one that turns or slants, whose rectangles
  /// are not upright.
  init?(transform text: String) {
    var whole = Affine(scale: 1)
    for part in text.split(separator: ")") {
      let pieces = part.split(separator: "(")
      guard pieces.count == 2 else { return nil }
      let numbers = Self.numbers(String(pieces[1]))
      let name = pieces[0].filter { $0.isLetter }
      switch (name, numbers.count) {
      case ("translate", 1...2):
        whole = whole.after(Affine(scale: 1, x: numbers[0], y: numbers.count > 1 ? numbers[1] : 0))
      case ("scale", 1...2):
        whole = whole.after(Affine([numbers[0], 0, 0, numbers[numbers.count - 1], 0, 0]))
      case ("matrix", 6): whole = whole.after(Affine(numbers))
      case ("rotate", 1...) where numbers[0] == 0: break
      default: return nil
      }
    }
    guard abs(whole.b) < 1e-6 && abs(whole.c) < 1e-6 else { return nil }
    self = whole
  }

  static func numbers(_ text: String) -> [Double] {
    text.split { $0 == "," || $0.isWhitespace }.compactMap { Double($0) }
  }

  /// Returns the transformation that does another one first.
  func after(_ first: Affine) -> Affine {
    Affine([
      a * first.a + c * first.b, b * first.a + d * first.b, a * first.c + c * first.d,
      b * first.c + d * first.d, a * first.e + c * first.f + e, b * first.e + d * first.f + f,
    ])
  }

  func point(_ x: Double, _ y: Double) -> DrawingPoint {
    DrawingPoint(x: a * x + c * y + e, y: b * x + d * y + f)
  }
}
