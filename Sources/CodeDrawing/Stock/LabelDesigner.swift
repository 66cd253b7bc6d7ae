public import AppClipCodes
public import QRSymbol

/// The code and the words of one label, from its top left corner, in millimetres.
public struct LabelLayout: Hashable, Sendable {
  /// The QR code with its quiet zone; nil where an App Clip Code stands instead.
  public internal(set) var code: CodeDrawing?
  /// Where the QR code is.
  public internal(set) var codeCorner: DrawingPoint
  /// The App Clip Code with its clear space; nil without one.
  public internal(set) var appClipCode: AppClipCodeDrawing?
  /// Where the App Clip Code is.
  public internal(set) var appClipCodeCorner = DrawingPoint(x: 0, y: 0)
  /// The captions, or nil without any.
  public let captions: ShapedText?
  /// Where the captions are.
  public internal(set) var captionCorner: DrawingPoint
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

  /// The QR code's box on a sheet, moved to the printer's dots.
  ///
  /// - Parameter frame: The label's box on the sheet.
  public func codeBox(in frame: DrawingBox) -> DrawingBox? {
    guard let code else { return nil }
    let dots = code.size.dotsPerInch
    return DrawingBox(
      x: PageDrawing.snapped(frame.x + codeCorner.x, dotsPerInch: dots),
      y: PageDrawing.snapped(frame.y + codeCorner.y, dotsPerInch: dots),
      width: code.size.width, height: code.size.width)
  }

  /// The App Clip Code's box on a sheet, with its clear space.
  ///
  /// - Parameter frame: The label's box on the sheet.
  public func appClipCodeBox(in frame: DrawingBox) -> DrawingBox? {
    guard let appClipCode else { return nil }
    return DrawingBox(
      x: frame.x + appClipCodeCorner.x, y: frame.y + appClipCodeCorner.y,
      width: appClipCode.width, height: appClipCode.width)
  }

  /// What is drawn on a sheet.
  ///
  /// - Parameter frame: The label's box on the sheet.
  public func elements(in frame: DrawingBox) -> [PageDrawing.Element] {
    var elements: [PageDrawing.Element] = []
    if let code, let box = codeBox(in: frame) {
      elements.append(.code(code, DrawingPoint(x: box.x, y: box.y)))
    }
    if let appClipCode, let box = appClipCodeBox(in: frame) {
      elements.append(.appClipCode(appClipCode, DrawingPoint(x: box.x, y: box.y)))
    }
    if let captions {
      let corner = DrawingPoint(x: frame.x + captionCorner.x, y: frame.y + captionCorner.y)
      elements.append(.text(PageDrawing.Words(text: captions, corner: corner)))
    }
    return elements
  }

  /// The same farther to the right and down.
  fileprivate func moved(right: Double, down: Double) -> LabelLayout {
    func moved(_ point: DrawingPoint) -> DrawingPoint {
      DrawingPoint(x: point.x + right, y: point.y + down)
    }
    var layout = self
    layout.codeCorner = moved(codeCorner)
    layout.captionCorner = moved(captionCorner)
    return layout
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
  public private(set) var shape: LabelShape
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
    /// The QR code; nil where an App Clip Code stands instead.
    public let symbol: QRSymbol?
    /// The App Clip Code beside or instead of the QR code; nil without one.
    public let appClipCode: AppClipCode?
    /// Lines of words; empty ones are left out.
    public let captions: [String]

    /// Puts codes and their captions together.
    ///
    /// - Precondition: There is one code or the other.
    public init(symbol: QRSymbol?, appClipCode: AppClipCode? = nil, captions: [String] = []) {
      precondition(symbol != nil || appClipCode != nil)
      self.symbol = symbol
      self.appClipCode = appClipCode
      self.captions = captions
    }

    fileprivate var text: String? {
      let lines = captions.filter { !$0.isEmpty }
      return lines.isEmpty ? nil : lines.joined(separator: "\n")
    }
  }

  /// What the captions stand beside or under.
  private enum Subject {
    /// QR codes, by the largest.
    case symbol(QRSymbol)
    /// App Clip Codes, by the least room that all of them need.
    case appClipCode(least: Double)
  }

  /// A subject at a size.
  private enum Figure {
    case code(CodeDrawing)
    /// The side of the square with the clear space.
    case appClipCode(Double)

    /// The side of its square.
    var side: Double {
      switch self {
      case .code(let code): code.size.width
      case .appClipCode(let side): side
      }
    }
  }

  /// Where the code and the captions of every label of a sheet are.
  private struct Arrangement {
    /// The largest code.
    let figure: Figure
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
  /// An App Clip Code beside the QR code has the half of the label on the left, or the upper one of an
  /// upright label; labels of that sheet without one leave it free. Either all labels have a QR code,
  /// or none has.
  ///
  /// - Throws: ``CodeDrawingError`` when the label is too small for the largest code, ``TextError``
  ///   for characters that cannot be set, or ``CaptionProblem`` for a caption without room.
  public func layouts(of contents: [Content]) throws -> [LabelLayout] {
    let least = contents.compactMap(\.appClipCode).map(Self.leastWidth).max()
    if let largest = contents.compactMap(\.symbol).max(by: { $0.version < $1.version }) {
      guard let least else { return try layouts(of: contents, around: .symbol(largest)) }
      return try layoutsOfBoth(contents, leastAppClipCode: least)
    }
    guard let least else { return [] }
    return try layouts(of: contents, around: .appClipCode(least: least))
  }

  private static func leastWidth(of code: AppClipCode) -> Double {
    AppClipCodeDrawing.width(ofDiameter: AppClipCodeDrawing.leastDiameter(of: code))
  }

  /// The side of the square that an App Clip Code with its clear space can have.
  ///
  /// - Parameter isBesideQRCode: Whether the label has a QR code, too.
  public func appClipCodeRoom(besideQRCode isBesideQRCode: Bool) -> Double {
    guard isBesideQRCode else { return roundRoom.width }
    guard case .rectangle(let width, let height, _) = shape else { return 0 }
    // The QR code finds less room where the label is no larger.
    return min(width, height, max(width, height) * 0.65)
  }

  /// App Clip Codes and QR codes side by side.
  private func layoutsOfBoth(
    _ contents: [Content], leastAppClipCode least: Double
  ) throws -> [LabelLayout] {
    guard case .rectangle(let width, let height, _) = shape,
      least <= appClipCodeRoom(besideQRCode: true)
    else { throw CodeDrawingError.noRoomForBoth(shape) }
    let side = max(least, min(width, height, max(width, height) / 2))
    let isAcross = width >= height
    var rest = self
    rest.shape = .rectangle(
      width: isAcross ? width - side : width, height: isAcross ? height : height - side,
      cornerRadius: 0)
    let symbols = contents.map { Content(symbol: $0.symbol, captions: $0.captions) }
    let layouts: [LabelLayout]
    do {
      layouts = try rest.layouts(of: symbols)
    } catch let error as CodeDrawingError where error.code == .sizeTooSmall {
      throw CodeDrawingError.noRoomForBoth(shape)
    }
    return try zip(layouts, contents).map { layout, content in
      var layout = layout.moved(right: isAcross ? side : 0, down: isAcross ? 0 : side)
      layout.appClipCode = try content.appClipCode.map { code throws(CodeDrawingError) in
        try AppClipCodeDrawing(code, width: side)
      }
      layout.appClipCodeCorner = DrawingPoint(
        x: isAcross ? 0 : (width - side) / 2, y: isAcross ? (height - side) / 2 : 0)
      return layout
    }
  }

  /// The largest square that a round code with its clear space may fill: on a round label it may
  /// stand out at the corners, which are empty.
  private var roundRoom: DrawingBox {
    switch shape {
    case .round, .ellipse:
      let side = max(0, min(shape.width, shape.height) - 2 * LabelShape.safety)
      return DrawingBox(
        x: (shape.width - side) / 2, y: (shape.height - side) / 2, width: side, height: side)
    case .rectangle(let width, let height, _):
      let side = min(width, height)
      return DrawingBox(x: (width - side) / 2, y: (height - side) / 2, width: side, height: side)
    case .disc: return shape.codeSquare
    }
  }

  private func layouts(of contents: [Content], around subject: Subject) throws -> [LabelLayout] {
    var square = shape.codeSquare
    if case .appClipCode = subject { square = roundRoom }
    guard let plain = try? figure(of: subject, within: square.width) else {
      guard case .symbol(let largest) = subject else {
        throw CodeDrawingError.noRoomForAppClipCode(shape)
      }
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
          figure: plain, corner: square.corner(centring: plain.side), place: .under,
          letters: 0, words: texts.map { _ in nil }))
    }
    let comfortable = comfortableSide(of: subject, without: plain)
    var best: Arrangement?
    for size in letterSizes {
      var arrangements = [try beside(subject, texts, size, plain)].compactMap { $0 }
      // Words under a code never leave it larger than it is without them.
      if arrangements.first?.figure.side != plain.side {
        arrangements += [try under(subject, texts, size)].compactMap { $0 }
      }
      for arrangement in arrangements
      where arrangement.figure.side > best?.figure.side ?? 0 {
        best = arrangement
      }
      if let best, best.figure.side >= comfortable { break }
    }
    guard let best else { throw try problem(subject, contents, plain) }
    return try layouts(of: contents, as: best)
  }

  private func layouts(
    of contents: [Content], as arrangement: Arrangement
  ) throws(CodeDrawingError) -> [LabelLayout] {
    let side = arrangement.figure.side
    let corner = arrangement.corner
    var layouts: [LabelLayout] = []
    for (content, words) in zip(contents, arrangement.words) {
      var code: CodeDrawing?
      var appClipCode: AppClipCodeDrawing?
      switch arrangement.figure {
      case .code(let largest):
        code = try content.symbol.map { symbol throws(CodeDrawingError) in
          try CodeDrawing(
            symbol,
            size: CodeSize.Request(
              moduleSize: largest.size.moduleSize, dotsPerInch: dotsPerInch))
        }
      case .appClipCode(let side):
        appClipCode = try content.appClipCode.map { code throws(CodeDrawingError) in
          try AppClipCodeDrawing(code, width: side)
        }
      }
      let inset = code.map { (side - $0.size.width) / 2 } ?? 0
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
          appClipCode: appClipCode, appClipCodeCorner: corner,
          captions: words, captionCorner: captionCorner,
          captionPlace: words.map { _ in arrangement.place },
          letterSize: words.map { _ in arrangement.letters / Self.point }))
    }
    return layouts
  }

  /// The side of the code that captions should leave: most of the code there is without them, and
  /// what reads well.
  private func comfortableSide(of subject: Subject, without plain: Figure) -> Double {
    switch (plain, subject) {
    case (.code(let plain), _):
      let dots = plain.size.dotsPerModule
      let readable = Int((Self.comfortableModule * dotsPerInch / 25.4).rounded(.up))
      let wanted = min(
        dots, max(CodeSize.fewestDots, readable, Int(Double(dots) * Self.comfortablePart)))
      // A hair less, for what rounding leaves.
      return plain.size.width * Double(wanted) / Double(dots) - 1e-6
    case (.appClipCode(let side), .appClipCode(let least)):
      return max(least, side * Self.comfortablePart)
    case (.appClipCode(let side), .symbol): return side
    }
  }

  /// A subject as large as a width lets it be.
  private func figure(
    of subject: Subject, within width: Double
  ) throws(CodeDrawingError) -> Figure {
    switch subject {
    case .symbol(let symbol): return .code(try code(symbol, within: width))
    case .appClipCode(let least):
      guard width >= least - 1e-9 else { throw .noRoomForAppClipCode(shape) }
      return .appClipCode(width)
    }
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
    _ subject: Subject, _ texts: [String?], _ size: Double, _ plain: Figure
  ) throws -> Arrangement? {
    guard case .rectangle(let width, let height, _) = shape else { return nil }
    let room = width - plain.side - Self.margin
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
          let smaller = try? figure(
            of: subject, within: min(height, width - line.width - Self.margin))
        else { return nil }
        words.append(line)
        if smaller.side < drawing.side { drawing = smaller }
      }
    }
    let side = drawing.side
    let widest = words.compactMap { $0?.width }.max() ?? 0
    // As far from the left as from above, so that the codes of a sheet stand in columns.
    let left = max(0, min((height - side) / 2, width - side - widest - Self.margin))
    return Arrangement(
      figure: drawing, corner: DrawingPoint(x: left, y: (height - side) / 2), place: .beside,
      letters: size, words: words)
  }

  /// Words under the codes, both in the middle.
  private func under(_ subject: Subject, _ texts: [String?], _ size: Double) throws -> Arrangement?
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
      let drawing = try? figure(of: subject, within: place.side)
    else { return nil }
    let side = drawing.side
    // What rounding to whole dots left over goes to both ends.
    let top = place.top + (place.isFlexible ? (place.side - side) / 2 : 0)
    return Arrangement(
      figure: drawing, corner: DrawingPoint(x: (shape.width - side) / 2, y: top), place: .under,
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
    _ subject: Subject, _ contents: [Content], _ plain: Figure
  ) throws -> CaptionProblem {
    let size = Self.smallestLetters * Self.point
    let problems = try contents.enumerated().map { index, content in
      try problem(content.captions, ofLabel: index)
    }
    for (content, problem) in zip(contents, problems) {
      let text = [content.text]
      if try beside(subject, text, size, plain) == nil, try under(subject, text, size) == nil {
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

extension CodeDrawingError {
  fileprivate static func noRoomForAppClipCode(_ shape: LabelShape) -> CodeDrawingError {
    CodeDrawingError(
      .appClipCodeTooSmall,
      "Labels of \(shape.width.shortly) × \(shape.height.shortly) mm are too small for an App Clip "
        + "Code, which takes \(atLeast(AppClipCodeDrawing.width(ofDiameter: AppClipCodeDrawing.leastDiameter))) mm with its clear "
        + "space, or \(atLeast(AppClipCodeDrawing.width(ofDiameter: AppClipCodeDrawing.leastDiameterAroundTag))) mm around a tag.",
      hint: "Take larger labels.")
  }

  fileprivate static func noRoomForBoth(_ shape: LabelShape) -> CodeDrawingError {
    CodeDrawingError(
      .noRoom,
      "Labels of \(shape.width.shortly) × \(shape.height.shortly) mm have no room for a QR code "
        + "beside an App Clip Code.",
      hint: "Take larger rectangular labels, or the App Clip Code alone.")
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
