public import CliptagBasics
public import AppClipCodes
public import QRSymbol

/// The codes and captions of one label, in millimetres from its top left corner.
public struct LabelLayout: Hashable, Sendable {
  /// The QR code with its quiet zone; nil if an App Clip Code replaces it.
  public internal(set) var code: CodeDrawing?
  /// The corner of the QR code.
  public internal(set) var codeCorner: DrawingPoint
  /// The App Clip Code with its clear space; nil without one.
  public internal(set) var appClipCode: AppClipCodeDrawing?
  /// The corner of the App Clip Code.
  public internal(set) var appClipCodeCorner = DrawingPoint(x: 0, y: 0)
  /// The captions, or nil without any.
  public let captions: ShapedText?
  /// The corner of the captions.
  public internal(set) var captionCorner: DrawingPoint
  /// The position of the captions relative to the code; `nil` without captions.
  public let captionPlace: CaptionPlace?
  /// The height of their letters, in points; `nil` without captions.
  public let letterSize: Double?

  /// The positions of captions.
  public enum CaptionPlace: String, Hashable, Sendable {
    /// To the right of the code.
    case beside
    /// Below the code.
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
      width: appClipCode.width, height: appClipCode.height)
  }

  /// The elements to draw on a sheet.
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

  /// The layout moved to the right and down.
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

/// The error of a caption without room on its label, even in the smallest letters.
public struct CaptionProblem: Error, Hashable, Sendable {
  /// The index of the label, from 0.
  public let label: Int
  /// The index of the caption, from 0; `nil` for the small print.
  public let caption: Int?
  /// The fault, in one sentence.
  public let message: String
  /// The next step, in one sentence.
  public let hint: Hint
}

/// Lays out labels of one shape: the codes as large as possible, captions below or beside them, all
/// labels of a sheet alike.
///
/// The position of captions that leaves the larger code is used. Captions begin with a letter size
/// that suits the label and shrink to 5 points if they, or a code of comfortable size, have no room
/// otherwise.
public struct LabelDesigner {
  /// The smallest letters, in points; smaller print is hard to read.
  public static let smallestLetters = 5.0
  /// The distance between text and the edge of the label, in millimetres: the error of printers.
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
  ///   - shaper: The typesetter of the captions.
  public init(
    shape: LabelShape, dotsPerInch: Double, families: [String] = ["Noto Sans"], shaper: TextShaper
  ) {
    self.shape = shape
    self.dotsPerInch = dotsPerInch
    self.families = families
    self.shaper = shaper
  }

  /// The contents of one label.
  public struct Content: Sendable {
    /// The QR code; nil if an App Clip Code replaces it.
    public let symbol: QRSymbol?
    /// The App Clip Code beside or instead of the QR code; nil without one.
    public let appClipCode: AppClipCode?
    /// Lines of text; empty ones are left out.
    public let captions: [String]
    /// Words in the smallest letters below the captions, which may be broken anywhere; nil for none.
    public let smallPrint: String?

    /// Makes the contents of a label.
    ///
    /// - Precondition: There is at least one code.
    public init(
      symbol: QRSymbol?, appClipCode: AppClipCode? = nil, captions: [String] = [],
      smallPrint: String? = nil
    ) {
      precondition(symbol != nil || appClipCode != nil)
      self.symbol = symbol
      self.appClipCode = appClipCode
      self.captions = captions
      self.smallPrint = smallPrint
    }

    fileprivate var text: LabelText? {
      let lines = captions.filter { !$0.isEmpty }
      guard !lines.isEmpty || smallPrint != nil else { return nil }
      return LabelText(
        captions: lines.isEmpty ? nil : lines.joined(separator: "\n"), smallPrint: smallPrint)
    }
  }

  /// The words of a label: at least one of both.
  fileprivate struct LabelText {
    var captions: String?
    var smallPrint: String?
  }

  /// The codes to which the captions belong.
  private enum Subject {
    /// QR codes, represented by the largest.
    case symbol(QRSymbol)
    /// App Clip Codes, represented by the least room that all of them need; they are round unless one
    /// has a badge.
    case appClipCode(least: Double, isRound: Bool)
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

  /// The arrangement of the code and the captions on every label of a sheet.
  private struct Arrangement {
    /// The largest code.
    let figure: Figure
    let corner: DrawingPoint
    let place: LabelLayout.CaptionPlace
    /// The height of the letters, in millimetres.
    let letters: Double
    /// The captions of each label; `nil` for a label without captions.
    let words: [ShapedText?]
  }

  /// Lays out a label.
  ///
  /// - Parameters:
  ///   - symbol: The code.
  ///   - captions: Lines of text; empty ones are left out.
  /// - Throws: The errors of ``layouts(of:)``.
  public func layout(_ symbol: QRSymbol, captions: [String]) throws -> LabelLayout {
    try layouts(of: [Content(symbol: symbol, captions: captions)])[0]
  }

  /// Lays out the labels of a sheet, all alike: one module size, one position of codes, one height
  /// of letters. A smaller symbol is centred in the square of the largest.
  ///
  /// An App Clip Code beside the QR code takes the left half of the label, or the upper half of an
  /// upright label; labels of that sheet without one leave it free. Either all labels have a QR
  /// code, or none has.
  ///
  /// - Throws: ``CodeDrawingError`` if the label is too small for the largest code, ``TextError``
  ///   for characters that cannot be set, or ``CaptionProblem`` for a caption without room.
  public func layouts(of contents: [Content]) throws -> [LabelLayout] {
    let codes = contents.compactMap(\.appClipCode)
    let least = codes.map(Self.leastSide).max()
    if let largest = contents.compactMap(\.symbol).max(by: { $0.version < $1.version }) {
      guard let least else { return try layouts(of: contents, around: .symbol(largest)) }
      return try layoutsOfBoth(contents, leastAppClipCode: least)
    }
    guard let least else { return [] }
    return try layouts(
      of: contents, around: .appClipCode(least: least, isRound: !codes.contains(where: \.hasLockup))
    )
  }

  private static func leastSide(of code: AppClipCode) -> Double {
    AppClipCodeDrawing.side(ofDiameter: AppClipCodeDrawing.leastDiameter(of: code), of: code)
  }

  /// The side of the square for an App Clip Code with its clear space.
  ///
  /// - Parameters:
  ///   - isBesideQRCode: Whether the label has a QR code, too.
  ///   - hasLockup: Whether the code lies on a badge, which has corners.
  public func appClipCodeRoom(
    besideQRCode isBesideQRCode: Bool, hasLockup: Bool = false
  ) -> Double {
    guard isBesideQRCode else { return hasLockup ? shape.codeSquare.width : roundRoom.width }
    guard case .rectangle(let width, let height, _) = shape else { return 0 }
    // A larger share would leave too little room for the QR code.
    return min(width, height, max(width, height) * 0.65)
  }

  /// Lays out App Clip Codes and QR codes side by side.
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
    let symbols = contents.map {
      Content(symbol: $0.symbol, captions: $0.captions, smallPrint: $0.smallPrint)
    }
    let layouts: [LabelLayout]
    do {
      layouts = try rest.layouts(of: symbols)
    } catch let error as CodeDrawingError where error.code == .sizeTooSmall {
      throw CodeDrawingError.noRoomForBoth(shape)
    }
    return try zip(layouts, contents).map { layout, content in
      var layout = layout.moved(right: isAcross ? side : 0, down: isAcross ? 0 : side)
      layout.appClipCode = try content.appClipCode.map { code throws(CodeDrawingError) in
        try AppClipCodeDrawing(code, side: side)
      }
      layout.appClipCodeCorner = Self.corner(
        of: layout.appClipCode,
        in: DrawingPoint(
          x: isAcross ? 0 : (width - side) / 2, y: isAcross ? (height - side) / 2 : 0),
        side: side)
      return layout
    }
  }

  /// The corner of an App Clip Code in the middle of a square.
  private static func corner(
    of code: AppClipCodeDrawing?, in corner: DrawingPoint, side: Double
  ) -> DrawingPoint {
    let square = DrawingBox(x: corner.x, y: corner.y, width: side, height: side)
    return code.map { code in
      let box = code.box(in: square)
      return DrawingPoint(x: box.x, y: box.y)
    } ?? corner
  }

  /// The largest square that a round code with its clear space may fill: on a round label its
  /// corners, which are empty, may extend beyond the edge.
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
    if case .appClipCode(_, isRound: true) = subject { square = roundRoom }
    guard let plain = try? figure(of: subject, within: square.width) else {
      guard case .symbol(let largest) = subject else {
        throw CodeDrawingError.noRoomForAppClipCode(shape)
      }
      // Throws for an invalid resolution, if that is the fault.
      let least = try CodeSize(
        CodeSize.Request(
          moduleSize: Double(CodeSize.fewestDots) * 25.4 / dotsPerInch, dotsPerInch: dotsPerInch),
        for: largest)
      throw CodeDrawingError(
        .sizeTooSmall,
        "Labels of \(shape.width.shortly) × \(shape.height.shortly) mm are too small for a code of "
          + "version \(largest.version), which needs \(atLeast(least.width)) mm with its quiet zone.",
        hint: "Use larger labels, a shorter URL, or a printer with more dots per inch.")
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
    let hasCaptions = texts.contains { $0?.captions != nil }
    for size in hasCaptions ? letterSizes : letterSizes.suffix(1) {
      var arrangements = [try beside(subject, texts, size, plain)].compactMap { $0 }
      // Text below a code never leaves it larger than it is without text.
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
          try AppClipCodeDrawing(code, side: side)
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
          appClipCode: appClipCode,
          appClipCodeCorner: Self.corner(of: appClipCode, in: corner, side: side),
          captions: words, captionCorner: captionCorner,
          captionPlace: words.map { _ in arrangement.place },
          letterSize: words.map { _ in arrangement.letters / Self.point }))
    }
    return layouts
  }

  /// The side of the code that captions should leave: most of the code's size without them, and a
  /// readable one.
  private func comfortableSide(of subject: Subject, without plain: Figure) -> Double {
    switch (plain, subject) {
    case (.code(let plain), _):
      let dots = plain.size.dotsPerModule
      let readable = Int(bounded: (Self.comfortableModule * dotsPerInch / 25.4).rounded(.up))
      let wanted = min(
        dots, max(CodeSize.fewestDots, readable, Int(bounded: Double(dots) * Self.comfortablePart)))
      // Slightly less, to allow for rounding.
      return plain.size.width * Double(wanted) / Double(dots) - 1e-6
    case (.appClipCode(let side), .appClipCode(let least, _)):
      return max(least, side * Self.comfortablePart)
    case (.appClipCode(let side), .symbol): return side
    }
  }

  /// A figure in the largest size that a width allows.
  private func figure(
    of subject: Subject, within width: Double
  ) throws(CodeDrawingError) -> Figure {
    switch subject {
    case .symbol(let symbol): return .code(try code(symbol, within: width))
    case .appClipCode(let least, _):
      guard width >= least - 1e-9 else { throw .noRoomForAppClipCode(shape) }
      return .appClipCode(width)
    }
  }

  /// The heights of letters to try, in millimetres, the largest first.
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

  /// Arranges the codes on the left and text on their right; on rectangles only.
  private func beside(
    _ subject: Subject, _ texts: [LabelText?], _ size: Double, _ plain: Figure
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
        // Set again in the width that it needs, to leave the rest free.
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
    // The left distance equals the top distance, so that the codes of a sheet are aligned in
    // columns.
    let left = max(0, min((height - side) / 2, width - side - widest - Self.margin))
    return Arrangement(
      figure: drawing, corner: DrawingPoint(x: left, y: (height - side) / 2), place: .beside,
      letters: size, words: words)
  }

  /// Arranges text below the codes, both centred.
  private func under(
    _ subject: Subject, _ texts: [LabelText?], _ size: Double
  ) throws -> Arrangement? {
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
    // The remainder of rounding to whole dots is split between both ends.
    let top = place.top + (place.isFlexible ? (place.side - side) / 2 : 0)
    return Arrangement(
      figure: drawing, corner: DrawingPoint(x: (shape.width - side) / 2, y: top), place: .under,
      letters: size, words: words)
  }

  /// Text in lines; `nil` if it does not fit a width.
  private func shaped(
    _ text: LabelText, _ size: Double, width: Double?, _ alignment: TextAlignment,
    within room: Double = .infinity
  ) throws(TextError) -> ShapedText? {
    if let width, width <= 0 { return nil }
    func blocks(_ width: Double?) throws(TextError) -> [ShapedText] {
      var blocks: [ShapedText] = []
      if let captions = text.captions {
        blocks.append(
          try shaper.shape(
            captions, TextStyle(size: size, families: families), width: width,
            alignment: alignment))
      }
      if let smallPrint = text.smallPrint {
        blocks.append(
          try shaper.shape(
            smallPrint,
            TextStyle(size: Self.smallestLetters * Self.point, families: families), width: width,
            alignment: alignment, breaksWords: true))
      }
      return blocks
    }
    do {
      var parts = try blocks(width)
      // Lines are aligned with each other.
      if parts.count > 1, width == nil {
        parts = try blocks((parts.map(\.width).max() ?? 0) + 0.05)
      }
      let shaped = ShapedText(stacking: parts)
      return shaped.width <= room || width != nil ? shaped : nil
    } catch {
      guard error.code == .textTooLarge else { throw error }
      return nil
    }
  }

  /// The problem of the label at fault: the first that has no room for its captions alone, or else
  /// the widest.
  private func problem(
    _ subject: Subject, _ contents: [Content], _ plain: Figure
  ) throws -> CaptionProblem {
    let size = Self.smallestLetters * Self.point
    let problems = try contents.enumerated().map { index, content in
      try problem(content, ofLabel: index)
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

  /// The widest caption of a label, or else the small print.
  private func problem(
    _ content: Content, ofLabel label: Int
  ) throws(TextError) -> (width: Double, problem: CaptionProblem) {
    let style = TextStyle(size: Self.smallestLetters * Self.point, families: families)
    var widest: (index: Int?, text: String, width: Double) = (nil, content.smallPrint ?? "", 0)
    if let smallPrint = content.smallPrint {
      widest.width = try shaper.shape(smallPrint, style).width
    }
    for (index, caption) in content.captions.enumerated() where !caption.isEmpty {
      let width = try shaper.shape(caption, style).width
      if width > widest.width { widest = (index, caption, width) }
    }
    let problem = CaptionProblem(
      label: label, caption: widest.index,
      message: "“\(widest.text.prefix(60))” does not fit the label of "
        + "\(shape.width.shortly) × \(shape.height.shortly) mm beside the code, even in letters of "
        + "5 points, in which it is \(widest.width.shortly) mm wide",
      hint: widest.index == nil
        ? "Use larger labels, or \(.leaveOutItemName)."
        : "Shorten it, \(.leaveOutCaption), or use larger labels.")
    return (widest.width, problem)
  }
}

extension CodeDrawingError {
  fileprivate static func noRoomForAppClipCode(_ shape: LabelShape) -> CodeDrawingError {
    func least(_ diameter: Double, hasLockup: Bool = false) -> String {
      atLeast(AppClipCodeDrawing.side(ofDiameter: diameter, hasLockup: hasLockup))
    }
    let (alone, aroundTag) = (
      AppClipCodeDrawing.leastDiameter, AppClipCodeDrawing.leastDiameterAroundTag
    )
    return CodeDrawingError(
      .appClipCodeTooSmall,
      "Labels of \(shape.width.shortly) × \(shape.height.shortly) mm are too small for an App Clip "
        + "Code, which needs \(least(alone)) mm with its clear space, or \(least(aroundTag)) mm around "
        + "a tag; with its badge \(least(alone, hasLockup: true)) and "
        + "\(least(aroundTag, hasLockup: true)) mm.",
      hint: "Use larger labels, or the code without badge.")
  }

  fileprivate static func noRoomForBoth(_ shape: LabelShape) -> CodeDrawingError {
    CodeDrawingError(
      .noRoom,
      "Labels of \(shape.width.shortly) × \(shape.height.shortly) mm have no room for a QR code "
        + "beside an App Clip Code.",
      hint: "Use larger rectangular labels, or the App Clip Code alone.")
  }
}

extension DrawingBox {
  /// The corner of a square in the middle of the box.
  fileprivate func corner(centring side: Double) -> DrawingPoint {
    DrawingPoint(x: centre.x - side / 2, y: centre.y - side / 2)
  }
}

/// A square with a block of text below it, both centred on a label.
private struct LabelStack {
  let shape: LabelShape
  /// The distance of the text from the edge.
  let margin: Double

  /// The position of the square.
  struct Place {
    let side: Double
    /// The distance from the top of the label.
    let top: Double
    /// Whether a smaller square may be moved down by the difference.
    let isFlexible: Bool
  }

  /// The largest square that leaves room for the text below it.
  ///
  /// - Parameters:
  ///   - width: The width of the text.
  ///   - height: The height of the text.
  func largest(above width: Double, _ height: Double) -> Place? {
    if case .rectangle(let across, let down, _) = shape {
      let room = down - height - margin
      let side = min(shape.codeSquare.width, min(across, room))
      guard side > 0, width <= across - 2 * margin else { return nil }
      return Place(side: side, top: max(0, (room - side) / 2), isFlexible: true)
    }
    // On curved labels the square touches the edge with its upper corners and the text is directly
    // below it. Too large a square pushes the text out at the bottom, too small a one leaves it at
    // the narrow top: so the sizes are tried one after another, the largest first.
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

  /// The highest position of a square, from the top of the label.
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
