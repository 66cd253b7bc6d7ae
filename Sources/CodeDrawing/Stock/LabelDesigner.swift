public import QRSymbol

/// The code and the words of one label, from its top left corner, in millimetres.
public struct LabelLayout: Hashable, Sendable {
  /// The code with its quiet zone.
  public let code: CodeDrawing
  /// Where the code is.
  public let codeCorner: DrawingPoint
  /// The captions, or nil without any.
  public let captions: ShapedText?
  /// Where the captions are.
  public let captionCorner: DrawingPoint
  /// On which side of the code they are; `nil` without any.
  public let captionPlace: CaptionPlace?
  /// The height of their letters, in points; `nil` without any.
  public let letterSize: Double?

  /// Where captions stand.
  public enum CaptionPlace: String, Hashable, Sendable {
    /// On the right of the code.
    case beside
    /// Under it.
    case under
  }

  /// The code's box on a sheet, moved to the printer's dots.
  ///
  /// - Parameter frame: The label's box on the sheet.
  public func codeBox(in frame: DrawingBox) -> DrawingBox {
    let dots = code.size.dotsPerInch
    return DrawingBox(
      x: PageDrawing.snapped(frame.x + codeCorner.x, dotsPerInch: dots),
      y: PageDrawing.snapped(frame.y + codeCorner.y, dotsPerInch: dots),
      width: code.size.width, height: code.size.width)
  }

  /// What is drawn on a sheet.
  ///
  /// - Parameter frame: The label's box on the sheet.
  public func elements(in frame: DrawingBox) -> [PageDrawing.Element] {
    let box = codeBox(in: frame)
    var elements: [PageDrawing.Element] = [.code(code, DrawingPoint(x: box.x, y: box.y))]
    if let captions {
      let corner = DrawingPoint(x: frame.x + captionCorner.x, y: frame.y + captionCorner.y)
      elements.append(.text(PageDrawing.Words(text: captions, corner: corner)))
    }
    return elements
  }
}

/// A caption that has no room on its label, even in the smallest letters.
public struct CaptionProblem: Error, Hashable, Sendable {
  /// Which of the labels, from 0.
  public let label: Int
  /// Which of the captions, from 0.
  public let caption: Int
  /// What was wrong, in one sentence.
  public let message: String
  /// What to do next, in one sentence.
  public let hint: String
}

/// Lays labels of one shape out: the codes as large as they go, captions under or beside them, all
/// of a sheet alike.
///
/// Whichever place leaves the larger code is taken. Captions begin with letters that suit the label
/// and shrink to 5 points where they, or a code of comfortable size, have no room otherwise.
public struct LabelDesigner {
  /// The smallest letters, in points; below that print is hard to read.
  public static let smallestLetters = 5.0
  /// A millimetre between words and the edge of the label, as far as printers miss.
  private static let margin = 1.0
  /// The module size that captions should leave, in millimetres (print at arm's length).
  private static let comfortableModule = 0.4
  /// The part of the code's size that captions should leave.
  private static let comfortablePart = 0.72
  private static let point = 25.4 / 72

  /// The outline of the labels.
  public let shape: LabelShape
  /// The printer's resolution.
  public let dotsPerInch: Double
  private let families: [String]
  private let shaper: TextShaper

  /// Makes a designer.
  ///
  /// - Parameters:
  ///   - shape: The outline of the labels.
  ///   - dotsPerInch: The printer's resolution.
  ///   - families: Fonts for captions, in order of preference.
  ///   - shaper: What sets the captions.
  public init(
    shape: LabelShape, dotsPerInch: Double, families: [String] = ["Noto Sans"], shaper: TextShaper
  ) {
    self.shape = shape
    self.dotsPerInch = dotsPerInch
    self.families = families
    self.shaper = shaper
  }

  /// What is on one label.
  public struct Content: Sendable {
    /// The code.
    public let symbol: QRSymbol
    /// Lines of words; empty ones are left out.
    public let captions: [String]

    /// Puts a code and its captions together.
    public init(symbol: QRSymbol, captions: [String] = []) {
      self.symbol = symbol
      self.captions = captions
    }

    fileprivate var text: String? {
      let lines = captions.filter { !$0.isEmpty }
      return lines.isEmpty ? nil : lines.joined(separator: "\n")
    }
  }

  /// Where the code and the captions of every label of a sheet are.
  private struct Arrangement {
    /// The largest code.
    let code: CodeDrawing
    let corner: DrawingPoint
    let place: LabelLayout.CaptionPlace
    /// The height of the letters, in millimetres.
    let letters: Double
    /// The captions of each label; `nil` without any.
    let words: [ShapedText?]
  }

  /// Lays a label out.
  ///
  /// - Parameters:
  ///   - symbol: The code.
  ///   - captions: Lines of words; empty ones are left out.
  /// - Throws: As ``layouts(of:)``.
  public func layout(_ symbol: QRSymbol, captions: [String]) throws -> LabelLayout {
    try layouts(of: [Content(symbol: symbol, captions: captions)])[0]
  }

  /// Lays the labels of a sheet out, all alike: modules of one size, codes in one place, letters of
  /// one height. A smaller symbol stands in the middle of the square of the largest.
  ///
  /// - Throws: ``CodeDrawingError`` when the label is too small for the largest code, ``TextError``
  ///   for characters that cannot be set, or ``CaptionProblem`` for a caption without room.
  public func layouts(of contents: [Content]) throws -> [LabelLayout] {
    guard let largest = contents.map(\.symbol).max(by: { $0.version < $1.version }) else {
      return []
    }
    let square = shape.codeSquare
    guard let plain = try? code(largest, within: square.width) else {
      // Says what is wrong with the resolution, if it is that.
      let least = try CodeSize(
        CodeSize.Request(
          moduleSize: Double(CodeSize.fewestDots) * 25.4 / dotsPerInch, dotsPerInch: dotsPerInch),
        for: largest)
      throw CodeDrawingError(
        .sizeTooSmall,
        "Labels of \(shape.width.shortly) × \(shape.height.shortly) mm are too small for a code of "
          + "version \(largest.version), which takes \(atLeast(least.width)) mm with its quiet zone.",
        hint: "Take larger labels, a shorter URL, or a printer with more dots per inch.")
    }
    let texts = contents.map(\.text)
    guard texts.contains(where: { $0 != nil }) else {
      return try layouts(
        of: contents,
        as: Arrangement(
          code: plain, corner: square.corner(centring: plain.size.width), place: .under,
          letters: 0, words: texts.map { _ in nil }))
    }
    let comfortable = comfortableDots(without: plain)
    var best: Arrangement?
    for size in letterSizes {
      var arrangements = [try beside(largest, texts, size, plain)].compactMap { $0 }
      // Words under a code never leave it larger than it is without them.
      if arrangements.first?.code.size != plain.size {
        arrangements += [try under(largest, texts, size)].compactMap { $0 }
      }
      for arrangement in arrangements
      where arrangement.code.size.dotsPerModule > best?.code.size.dotsPerModule ?? 0 {
        best = arrangement
      }
      if let best, best.code.size.dotsPerModule >= comfortable { break }
    }
    guard let best else { throw try problem(largest, contents, plain) }
    return try layouts(of: contents, as: best)
  }

  private func layouts(
    of contents: [Content], as arrangement: Arrangement
  ) throws(CodeDrawingError) -> [LabelLayout] {
    let side = arrangement.code.size.width
    let corner = arrangement.corner
    var layouts: [LabelLayout] = []
    for (content, words) in zip(contents, arrangement.words) {
      let code = try CodeDrawing(
        content.symbol,
        size: CodeSize.Request(
          moduleSize: arrangement.code.size.moduleSize, dotsPerInch: dotsPerInch))
      let inset = (side - code.size.width) / 2
      let captionCorner =
        words.map { words in
          switch arrangement.place {
          case .beside: DrawingPoint(x: corner.x + side, y: (shape.height - words.height) / 2)
          case .under: DrawingPoint(x: (shape.width - words.width) / 2, y: corner.y + side)
          }
        } ?? DrawingPoint(x: 0, y: 0)
      layouts.append(
        LabelLayout(
          code: code, codeCorner: DrawingPoint(x: corner.x + inset, y: corner.y + inset),
          captions: words, captionCorner: captionCorner,
          captionPlace: words.map { _ in arrangement.place },
          letterSize: words.map { _ in arrangement.letters / Self.point }))
    }
    return layouts
  }

  /// The dots of a module that captions should leave: most of the code there is without them, and
  /// what reads well.
  private func comfortableDots(without plain: CodeDrawing) -> Int {
    let dots = plain.size.dotsPerModule
    let readable = Int((Self.comfortableModule * dotsPerInch / 25.4).rounded(.up))
    return min(dots, max(CodeSize.fewestDots, readable, Int(Double(dots) * Self.comfortablePart)))
  }

  /// The heights of letters that are tried, in millimetres, the largest first.
  private var letterSizes: [Double] {
    let suiting = min(max(min(shape.width, shape.height) * 0.11 / Self.point, 7), 18)
    var sizes = Array(
      sequence(first: suiting) { $0 * 0.88 }.prefix { $0 > Self.smallestLetters * 1.02 })
    sizes.append(Self.smallestLetters)
    return sizes.map { $0 * Self.point }
  }

  private func code(_ symbol: QRSymbol, within width: Double) throws(CodeDrawingError)
    -> CodeDrawing
  {
    try CodeDrawing(symbol, size: CodeSize.Request(width: width, dotsPerInch: dotsPerInch))
  }

  /// The codes on the left, words on their right: on rectangles only.
  private func beside(
    _ symbol: QRSymbol, _ texts: [String?], _ size: Double, _ plain: CodeDrawing
  ) throws -> Arrangement? {
    guard case .rectangle(let width, let height, _) = shape else { return nil }
    let room = width - plain.size.width - Self.margin
    var words: [ShapedText?] = []
    var drawing = plain
    for text in texts {
      guard let text else {
        words.append(nil)
        continue
      }
      let wrapped = try shaped(text, size, width: room, .start)
      if let wrapped, wrapped.height <= height - 2 * Self.margin {
        // Set again in the width it needs: what is right of it is free.
        let widest = wrapped.lines.map(\.width).max() ?? room
        words.append(
          try shaped(text, size, width: min(room, widest + 0.05), .start) ?? wrapped)
      } else {
        guard let line = try shaped(text, size, width: nil, .start),
          line.height <= height - 2 * Self.margin, width - line.width - Self.margin > 0,
          let smaller = try? code(symbol, within: min(height, width - line.width - Self.margin))
        else { return nil }
        words.append(line)
        if smaller.size.dotsPerModule < drawing.size.dotsPerModule { drawing = smaller }
      }
    }
    let side = drawing.size.width
    let widest = words.compactMap { $0?.width }.max() ?? 0
    // As far from the left as from above, so that the codes of a sheet stand in columns.
    let left = max(0, min((height - side) / 2, width - side - widest - Self.margin))
    return Arrangement(
      code: drawing, corner: DrawingPoint(x: left, y: (height - side) / 2), place: .beside,
      letters: size, words: words)
  }

  /// Words under the codes, both in the middle.
  private func under(_ symbol: QRSymbol, _ texts: [String?], _ size: Double) throws -> Arrangement?
  {
    let room = shape.width - 2 * Self.margin
    guard room > 0 else { return nil }
    var words: [ShapedText?] = []
    var (widest, highest) = (0.0, 0.0)
    for text in texts {
      guard let text else {
        words.append(nil)
        continue
      }
      guard
        let lines = try shaped(text, size, width: nil, .centre, within: room)
          ?? shaped(text, size, width: room, .centre)
      else { return nil }
      words.append(lines)
      widest = max(widest, lines.lines.map(\.width).max() ?? lines.width)
      highest = max(highest, lines.height)
    }
    guard
      let place = LabelStack(shape: shape, margin: Self.margin).largest(above: widest, highest),
      let drawing = try? code(symbol, within: place.side)
    else { return nil }
    let side = drawing.size.width
    // What rounding to whole dots left over goes to both ends.
    let top = place.top + (place.isFlexible ? (place.side - side) / 2 : 0)
    return Arrangement(
      code: drawing, corner: DrawingPoint(x: (shape.width - side) / 2, y: top), place: .under,
      letters: size, words: words)
  }

  /// Words in lines; `nil` where they do not fit a width.
  private func shaped(
    _ text: String, _ size: Double, width: Double?, _ alignment: TextAlignment,
    within room: Double = .infinity
  ) throws(TextError) -> ShapedText? {
    if let width, width <= 0 { return nil }
    do {
      let shaped = try shaper.shape(
        text, TextStyle(size: size, families: families), width: width, alignment: alignment)
      return shaped.width <= room || width != nil ? shaped : nil
    } catch {
      guard error.code == .textTooLarge else { throw error }
      return nil
    }
  }

  /// Which label is to blame: the first that has no room of its own, else the widest.
  private func problem(
    _ symbol: QRSymbol, _ contents: [Content], _ plain: CodeDrawing
  ) throws -> CaptionProblem {
    let size = Self.smallestLetters * Self.point
    let problems = try contents.enumerated().map { index, content in
      try problem(content.captions, ofLabel: index)
    }
    for (content, problem) in zip(contents, problems) {
      let text = [content.text]
      if try beside(symbol, text, size, plain) == nil, try under(symbol, text, size) == nil {
        return problem.problem
      }
    }
    var worst = problems[0]
    for problem in problems where problem.width > worst.width { worst = problem }
    return worst.problem
  }

  /// The widest caption of a label.
  private func problem(
    _ captions: [String], ofLabel label: Int
  ) throws(TextError) -> (width: Double, problem: CaptionProblem) {
    let style = TextStyle(size: Self.smallestLetters * Self.point, families: families)
    var widest = (index: 0, width: 0.0)
    for (index, caption) in captions.enumerated() where !caption.isEmpty {
      let width = try shaper.shape(caption, style).width
      if width > widest.width { widest = (index, width) }
    }
    let caption = captions.indices.contains(widest.index) ? captions[widest.index] : ""
    let problem = CaptionProblem(
      label: label, caption: widest.index,
      message: "“\(caption.prefix(60))” does not fit the label of "
        + "\(shape.width.shortly) × \(shape.height.shortly) mm beside the code, even in letters of "
        + "5 points, in which it is \(widest.width.shortly) mm wide",
      hint: "Shorten it, leave a caption out, or take larger labels.")
    return (widest.width, problem)
  }
}

extension DrawingBox {
  /// The corner of a square in the middle of the box.
  fileprivate func corner(centring side: Double) -> DrawingPoint {
    DrawingPoint(x: centre.x - side / 2, y: centre.y - side / 2)
  }
}

/// A square with a block of words under it, both in the middle of a label.
private struct LabelStack {
  let shape: LabelShape
  /// How far the words stay from the edge.
  let margin: Double

  /// Where the square is.
  struct Place {
    let side: Double
    /// From the top of the label.
    let top: Double
    /// Whether a smaller square may be moved down by what it is smaller.
    let isFlexible: Bool
  }

  /// The largest square that leaves the words room under it.
  ///
  /// - Parameters:
  ///   - width: Of the words.
  ///   - height: Of the words.
  func largest(above width: Double, _ height: Double) -> Place? {
    if case .rectangle(let across, let down, _) = shape {
      let room = down - height - margin
      let side = min(shape.codeSquare.width, min(across, room))
      guard side > 0, width <= across - 2 * margin else { return nil }
      return Place(side: side, top: max(0, (room - side) / 2), isFlexible: true)
    }
    // On curved labels the square touches the edge with its upper corners and the words stand
    // right below it. Too large a square pushes them out at the bottom, too small a one leaves them
    // at the narrow top: so the sizes are tried one after another, the largest first.
    let largest = shape.codeSquare.width
    let side = stride(from: largest, to: 0, by: -largest / Self.sizesTried)
      .first { fits($0, width, height) }
    return side.map { Place(side: $0, top: top(of: $0), isFlexible: false) }
  }

  private static let sizesTried = 400.0

  private func fits(_ side: Double, _ width: Double, _ height: Double) -> Bool {
    let bottom = top(of: side) + side - shape.height / 2
    let corners = [
      DrawingPoint(x: side / 2, y: bottom), DrawingPoint(x: width / 2, y: bottom),
      DrawingPoint(x: width / 2, y: bottom + height),
    ]
    return corners.allSatisfy { shape.holds($0, inset: LabelShape.safety - 1e-9) }
  }

  /// As high as a square can stand, from the top of the label.
  private func top(of side: Double) -> Double {
    if case .disc(let diameter, let hole) = shape {
      return diameter / 2 + hole / 2 + LabelShape.safety
    }
    let a = max(1e-9, shape.width / 2 - LabelShape.safety)
    let b = max(0, shape.height / 2 - LabelShape.safety)
    let part = min(1, side / 2 / a)
    return shape.height / 2 - b * (1 - part * part).squareRoot()
  }
}
