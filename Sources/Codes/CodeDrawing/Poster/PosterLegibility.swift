import CliptagBasics
import Pictures

/// Checks the legibility of a poster that was laid out: texts and logo have enough contrast with
/// their ground, and no text is larger than the headline.
struct PosterLegibility {
  /// The minimum contrast of text with its ground (WCAG 2.2, 1.4.3, for large letters).
  static let leastContrast = 3.0
  /// The contrast from which a logo's pixels count as visible.
  private static let seenContrast = 1.5
  /// The minimum share of a logo that must be visible.
  private static let leastShare = 0.05

  private let page: PageDrawing

  init(_ page: PageDrawing) { self.page = page }

  /// Checks all texts and logos.
  ///
  /// - Throws: ``CodeDrawingError`` with code `low-contrast`.
  func check() throws {
    var grounds: [(box: DrawingBox, colour: Colour)] = []
    func ground(at point: DrawingPoint) -> Colour {
      grounds.last { $0.box.contains(point) }?.colour ?? .white
    }
    for element in page.elements {
      switch element {
      case .shape(let path, let colour):
        if let box = path.bounds { grounds.append((box, colour)) }
      case .code(let code, let corner):
        grounds.append(
          (
            DrawingBox(
              x: corner.x, y: corner.y, width: code.size.width, height: code.size.width),
            code.colours.background
          ))
      case .text(let words):
        let middle = DrawingPoint(
          x: words.corner.x + words.text.width / 2, y: words.corner.y + words.text.height / 2)
        try check(words, on: ground(at: middle))
      case .picture(let logo, let box): try check(logo, on: ground(at: box.centre))
      // An App Clip Code keeps the colours of Apple's tools; a group was checked as a page.
      case .appClipCode, .line, .group, .clipped: break
      }
    }
  }

  private func check(_ words: PageDrawing.Words, on ground: Colour) throws(CodeDrawingError) {
    let contrast = words.colour.contrastRatio(with: ground)
    guard !words.text.isEmpty, contrast < Self.leastContrast else { return }
    throw .unreadableWords(words.colour, ground, contrast: contrast)
  }

  private func check(_ logo: LogoPicture, on ground: Colour) throws(CodeDrawingError) {
    guard Self.seenShare(of: logo, on: ground) < Self.leastShare else { return }
    throw .unseenLogo(logo.source, ground)
  }

  /// The colour of a plate behind a logo that would vanish on its ground: white or black, whichever
  /// shows more of it; `nil` if it needs none.
  static func plate(for logo: LogoPicture, on ground: Colour) -> Colour? {
    guard seenShare(of: logo, on: ground) < leastShare else { return nil }
    return seenShare(of: logo, on: .white) >= seenShare(of: logo, on: .black) ? .white : .black
  }

  /// The share of a logo's pixels that differ from a ground; 1 for a logo without pixels.
  private static func seenShare(of logo: LogoPicture, on ground: Colour) -> Double {
    let pixels = logo.picture
    let step = max(1, pixels.colour.width * pixels.colour.height / 10_000)
    var there = 0
    var seen = 0
    for index in stride(from: 0, to: pixels.opacity.pixels.count, by: step)
    where pixels.opacity.pixels[index] > 127 {
      there += 1
      if pixels.colour[index].contrastRatio(with: ground) >= seenContrast {
        seen += 1
      }
    }
    return there > 0 ? Double(seen) / Double(there) : 1
  }

  /// Checks that no text is larger than the headline.
  ///
  /// - Throws: ``TextError`` with code `text-too-large` for a headline that had to be set smaller
  ///   than other text.
  func checkHeadline() throws(TextError) {
    var headline: (text: ShapedText, size: Double)?
    var largest = 0.0
    for case .text(let words) in page.elements {
      guard let size = words.text.lines.first?.runs.first?.size else { continue }
      if words.role == .heading {
        headline = (words.text, size)
      } else {
        largest = max(largest, size)
      }
    }
    guard let headline, headline.size < largest else { return }
    throw .headlineTooLong(lines: headline.text.lines.count)
  }
}

extension Colour {
  /// The contrast ratio of two colours, 1 to 21 (WCAG 2.2, contrast ratio).
  func contrastRatio(with other: Colour) -> Double {
    let (one, two) = (luminance + 0.05, other.luminance + 0.05)
    return max(one, two) / min(one, two)
  }
}

extension ColourPicture {
  /// The colour of a pixel, row by row.
  fileprivate subscript(_ index: Int) -> Colour {
    Colour(red: red.pixels[index], green: green.pixels[index], blue: blue.pixels[index])
  }
}

extension DrawingPath {
  /// The box around all points of the path; `nil` for an empty one.
  var bounds: DrawingBox? {
    let points = steps.flatMap { step -> [DrawingPoint] in
      switch step {
      case .move(let point), .line(let point): [point]
      case .curve(let first, let second, let end): [first, second, end]
      case .close: []
      }
    }
    let (xs, ys) = (points.map(\.x), points.map(\.y))
    guard let left = xs.min(), let right = xs.max(), let top = ys.min(), let bottom = ys.max()
    else { return nil }
    return DrawingBox(x: left, y: top, width: right - left, height: bottom - top)
  }
}
