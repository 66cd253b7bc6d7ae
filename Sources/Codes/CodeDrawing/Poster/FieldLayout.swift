import AppClipCodes
import CliptagBasics
import QRSymbol

/// A page with the places of codes and words.
struct FieldSheet {
  /// The page with what is beneath them.
  var page: PageDrawing
  /// The places.
  var fields: [ArtworkField]
  /// The QR code that holds the place of the code; `nil` without one.
  var placeholder: PosterArtwork.Placeholder?
  /// The kind of page in messages.
  var subject: String
}

/// The layout of a poster's codes and words on a page with a place for each.
struct FieldLayout: PlacedPage {
  private(set) var page: PageDrawing
  private(set) var placedCode: (code: CodeDrawing, box: DrawingBox)?
  private(set) var placedAppClipCode: (code: AppClipCodeDrawing, box: DrawingBox)?
  private(set) var targetBox: DrawingBox?

  private let symbol: QRSymbol
  private let request: Poster.Request
  private let sheet: FieldSheet
  private let shaper: TextShaper

  /// Places everything: the headline first, which is read first, then the codes.
  ///
  /// - Parameter hasCodes: Whether the codes have places on the page.
  /// - Throws: ``CodeDrawingError`` with code `no-place-on-artwork` for a code, a ring or words
  ///   without a place, `invalid-field`, `low-contrast`, and as ``Poster``; ``TextError`` for texts
  ///   that do not fit.
  init(
    _ symbol: QRSymbol, _ request: Poster.Request, on sheet: FieldSheet, shaper: TextShaper,
    hasCodes: Bool = true
  ) throws {
    self.symbol = symbol
    self.request = request
    self.sheet = sheet
    self.shaper = shaper
    page = sheet.page
    try checkPlaces()
    if let placeholder = sheet.placeholder {
      // Its edge is a mixture of two pixels.
      let margin = min(0.2, placeholder.clearMargin)
      page.elements.append(
        .shape(.rectangle(placeholder.box.grown(by: margin)), codeColours.background))
    }
    let words = sheet.fields.filter { !ArtworkField.Name.figures.contains($0.name) }
    for field in words where field.name == Self.headline { try place(field) }
    if hasCodes { try placeCodes() }
    try placeRing()
    for field in words where field.name != Self.headline { try place(field) }
  }

  private static let headline = "headline"

  private func box(_ name: String) -> DrawingBox? {
    sheet.fields.first { $0.name == name }?.box
  }

  /// The place of the QR code, or of the App Clip Code that replaces it.
  private var codePlace: DrawingBox? {
    box(ArtworkField.Name.code) ?? sheet.placeholder?.space(forModules: symbol.size)
  }

  /// The colours of the code: on the colour around the placeholder instead of white, if that is
  /// light enough for cameras.
  private var codeColours: CodeColours {
    let usual = request.codeColours
    guard usual.background == .white, let ground = sheet.placeholder?.ground,
      let colours = try? CodeColours(foreground: usual.foreground, background: ground),
      colours.warnings.isEmpty
    else { return usual }
    return colours
  }

  /// Checks that names are unique, and every place is on the page.
  private func checkPlaces() throws(CodeDrawingError) {
    let trimmed = DrawingBox(x: 0, y: 0, width: page.width, height: page.height)
    var names: Set<String> = []
    for field in sheet.fields where field.fixedText == nil {
      guard names.insert(field.name).inserted else {
        throw .sameField(field.name, on: sheet.subject)
      }
      // A page's size is a rounded number.
      guard trimmed.grown(by: 0.01).contains(field.box) else {
        throw .offPage(field.name, page: trimmed)
      }
    }
  }

  // MARK: Codes

  private mutating func placeCodes() throws {
    let isAlone = request.appClipCode?.replacesQRCode == true
    if !isAlone { try placeCode() }
    if let code = request.appClipCode?.code {
      let place = box(ArtworkField.Name.appClipCode) ?? (isAlone ? codePlace : nil)
      guard let place else {
        throw CodeDrawingError.noPlace(ArtworkField.Name.appClipCode, on: sheet.subject)
      }
      let drawing = try AppClipCodeDrawing(code, side: min(place.width, place.height))
      try drawing.check(readingDistance: request.codeSize.readingDistance)
      let box = drawing.box(in: place)
      page.elements.append(.appClipCode(drawing, DrawingPoint(x: box.x, y: box.y)))
      placedAppClipCode = (drawing, box)
      targetBox = drawing.tagBox(in: box)
    }
  }

  private mutating func placeCode() throws {
    guard let place = codePlace else {
      throw CodeDrawingError.noPlace(ArtworkField.Name.code, on: sheet.subject)
    }
    let side = min(place.width, place.height)
    var size = request.codeSize
    if let wanted = size.width, wanted > side + 0.01 {
      throw CodeDrawingError.noRoom(wanted, most: side, on: sheet.subject)
    }
    if size.moduleSize == nil { size.width = size.width ?? side }
    let code = try CodeDrawing(symbol, size: size, colours: codeColours)
    func snapped(_ length: Double) -> Double {
      PageDrawing.snapped(length, dotsPerInch: request.codeSize.dotsPerInch)
    }
    let (middle, width) = (place.centre, code.size.width)
    let corner = DrawingPoint(x: snapped(middle.x - width / 2), y: snapped(middle.y - width / 2))
    page.elements.append(.code(code, corner))
    placedCode = (code, DrawingBox(x: corner.x, y: corner.y, width: width, height: width))
  }

  private mutating func placeRing() throws(CodeDrawingError) {
    let name = ArtworkField.Name.ring
    // The tag of an App Clip Code of the kind `nfc` is in the middle of the code.
    guard request.content.targetCaption != nil, request.appClipCode?.code.kind != .nfc else {
      return
    }
    guard let field = sheet.fields.first(where: { $0.name == name }) else {
      throw .noPlace(name, on: sheet.subject)
    }
    let side = min(field.box.width, field.box.height)
    let (middle, half) = (field.box.centre, side / 2)
    let box = DrawingBox(x: middle.x - half, y: middle.y - half, width: side, height: side)
    let colour = try legible(field.colour, else: request.colours.accent, on: field.ground)
    page.elements += PosterCanvas.target(in: box, colour: colour)
    targetBox = box
  }

  // MARK: Words

  private mutating func place(_ field: ArtworkField) throws {
    guard let text = field.fixedText ?? request.content.text(named: field.name) else {
      throw CodeDrawingError.noWords(field.name, on: sheet.subject)
    }
    guard !text.isEmpty else { return }
    var style = TextStyle(
      size: max(field.size ?? field.box.height, TypeScale.smallest),
      families: field.families.isEmpty ? request.families : field.families)
    style.weight = field.weight
    if let list = field.list {
      return try place(ListRow.rows(of: text), in: field, as: list, style)
    }
    let alignment = request.content.alignment(field.alignment, of: text)
    let (width, height) = (field.box.width, field.box.height)
    let isLink = field.name == "address"
    let words =
      try isLink
      ? shaper.fitting(
        text, style, width: width, height: height, minimumSize: TypeScale.smallest,
        alignment: alignment, maximumLines: field.lines, breaksWords: true,
        language: request.content.language)
      : shaper.fittingDivided(
        text, style, width: width, height: height, minimumSize: TypeScale.smallest,
        alignment: alignment, maximumLines: field.lines, language: request.content.language)
    let room = height - words.height
    let drop =
      switch field.verticalAlignment {
      case .top: 0.0
      case .middle: room / 2
      case .bottom: room
      }
    add(
      words, x: field.box.x, y: field.box.y + drop, try colour(of: field),
      role: field.name == Self.headline ? .heading : .paragraph,
      link: isLink ? request.content.address?.link : nil)
  }

  private mutating func add(
    _ text: ShapedText, x: Double, y: Double, _ colour: Colour,
    role: PageDrawing.Words.Role = .paragraph, link: String? = nil
  ) {
    page.elements.append(
      .text(
        PageDrawing.Words(
          text: text, corner: DrawingPoint(x: x, y: y), colour: colour, role: role, link: link)))
  }

  private func colour(of field: ArtworkField) throws(CodeDrawingError) -> Colour {
    try legible(field.colour, else: request.colours.ink, on: field.ground)
  }

  /// Places the rows of a list in the largest size in which all fit.
  private mutating func place(
    _ rows: [ListRow], in field: ArtworkField, as list: ArtworkField.ListStyle, _ style: TextStyle
  ) throws {
    let colour = try colour(of: field)
    let steps = 0...TypeScale.step(atMost: style.size)
    for step in steps.reversed() {
      let style = style.sized(TypeScale.size(step))
      guard let set = try set(rows, as: list, style, in: field.box) else { continue }
      for row in set { add(row, as: list, style.size, in: field.box, colour) }
      return
    }
    throw TextError.doesNotFit(
      rows.map { $0.cells.joined(separator: " ") }.joined(separator: "\n"),
      width: field.box.width, height: field.box.height, size: TypeScale.smallest)
  }

  /// A row of a list, set.
  private struct SetRow {
    let number: ShapedText?
    let first: ShapedText
    let last: ShapedText?
    var y = 0.0
    let height: Double
  }

  /// Sets the rows of a list; `nil` if they do not fit.
  private func set(
    _ rows: [ListRow], as list: ArtworkField.ListStyle, _ style: TextStyle, in box: DrawingBox
  ) throws(TextError) -> [SetRow]? {
    let language = request.content.language
    let indent = list == .numbered ? 2.2 * style.size : 0
    func shape(_ text: String, in width: Double) throws(TextError) -> ShapedText? {
      guard width > 0 else { return nil }
      do {
        return try shaper.shape(
          text, style, width: width, alignment: request.content.alignment(.start, of: text),
          maximumLines: 3, language: language)
      } catch {
        guard error.code == .textTooLarge else { throw error }
        return nil
      }
    }
    var set: [SetRow] = []
    var bottom = 0.0
    for (index, row) in rows.enumerated() {
      var last: ShapedText?
      if let text = row.last {
        last = try shaper.shape(text, style, language: language)
      }
      let taken = indent + (last.map { $0.width + style.size } ?? 0)
      guard let first = try shape(row.first, in: box.width - taken) else { return nil }
      var number: ShapedText?
      if list == .numbered {
        var numeral = style.sized(0.85 * style.size)
        numeral.weight = 700
        number = try shaper.shape(String(index + 1), numeral, language: language)
      }
      let height = max(first.height, number == nil ? 0 : 1.7 * style.size)
      set.append(SetRow(number: number, first: first, last: last, y: bottom, height: height))
      bottom += height + 0.35 * style.size
    }
    return bottom - 0.35 * style.size <= box.height ? set : nil
  }

  private mutating func add(
    _ row: SetRow, as list: ArtworkField.ListStyle, _ size: Double, in box: DrawingBox,
    _ colour: Colour
  ) {
    let isRightToLeft = request.content.isRightToLeft
    /// Returns the left edge of something, from its distance to the edge where reading begins.
    func left(_ start: Double, _ width: Double) -> Double {
      isRightToLeft ? box.right - start - width : box.x + start
    }
    let y = box.y + row.y
    let firstTop = y + (row.number == nil ? 0 : max(0, (row.height - row.first.height) / 2))
    var start = 0.0
    if let number = row.number {
      let radius = 0.85 * size
      let accent = request.colours.accent
      let middle = DrawingPoint(x: left(0, 2 * radius) + radius, y: y + row.height / 2)
      page.elements.append(.shape(.circle(centre: middle, radius: radius), accent))
      add(
        number, x: middle.x - number.width / 2, y: middle.y - number.height / 2,
        request.colours.onAccent)
      start = 2.2 * size
    }
    add(row.first, x: left(start, row.first.width), y: firstTop, colour)
    guard let last = row.last else { return }
    let lastStart = box.width - last.width
    // Beside the last line of the first column.
    let lastTop = firstTop + row.first.height - last.height
    let (from, to) = (
      start + (row.first.lines.last?.width ?? 0) + 0.6 * size, lastStart - 0.6 * size
    )
    if list == .plain, to - from > 2 * size {
      let baseline = lastTop + (last.lines.first?.baseline ?? last.height)
      let width = 0.09 * size
      page.elements.append(
        .line(
          .segment(
            from: DrawingPoint(x: left(from, 0), y: baseline),
            to: DrawingPoint(x: left(to, 0), y: baseline)),
          PageDrawing.LineStyle(
            width: width, colour: colour, dashes: [0, 0.4 * size], hasRoundEnds: true)))
    }
    add(last, x: left(lastStart, last.width), y: lastTop, colour)
  }

  /// Returns the colour of letters: the given one, or else the usual one, or black or white if that
  /// is hard to read on the ground.
  private func legible(
    _ given: Colour?, else usual: Colour, on ground: Colour?
  ) throws(CodeDrawingError) -> Colour {
    let colour = given ?? usual
    guard let ground else { return colour }
    let contrast = colour.contrastRatio(with: ground)
    if contrast >= PosterLegibility.leastContrast { return colour }
    guard given == nil else { throw .unreadableWords(colour, ground, contrast: contrast) }
    return PosterColours(accent: ground).onAccent
  }
}

/// A row of a list: its columns.
private struct ListRow {
  let cells: [String]

  var first: String { cells.dropLast(cells.count > 1 ? 1 : 0).joined(separator: " ") }
  var last: String? { cells.count > 1 ? cells.last : nil }

  static func rows(of text: String) -> [ListRow] {
    text.split { $0 == ";" || $0.isNewline }
      .map { row in
        ListRow(
          cells: row.split(separator: "|", omittingEmptySubsequences: false)
            .map { String($0.trimmingSpaces) })
      }
      .filter { row in row.cells.contains { !$0.isEmpty } }
  }
}

extension PosterContent {
  /// The text of a field; `nil` if there is none of that name.
  func text(named name: String) -> String? {
    if let text = texts[name] { return text }
    return switch name {
    case "headline": headline
    case "brand": brand ?? ""
    case "call-to-action": callToAction
    case "place-name": placeName ?? ""
    case "target-caption": targetCaption ?? ""
    case "address": address?.text ?? ""
    case "code-name": codeName ?? ""
    default: nil
    }
  }

  /// The names of the words that every poster has.
  package static let wordNames = [
    "headline", "brand", "call-to-action", "place-name", "target-caption", "address", "code-name",
  ]

  /// Checks that every text has a place.
  ///
  /// - Parameter names: The names of all places.
  /// - Throws: ``CodeDrawingError`` with code `no-place-on-artwork`.
  func checkPlaces(_ names: [String], on subject: String) throws(CodeDrawingError) {
    for name in texts.keys.sorted() where !names.contains(name) {
      throw .noPlace(name, on: subject)
    }
  }
}

extension CodeDrawingError {
  /// The error for a code, ring or words that an artwork or template has no place for.
  package static func noPlace(_ name: String, on subject: String) -> CodeDrawingError {
    CodeDrawingError(
      .noPlace, "The \(subject) has no place for \(name).",
      hint: subject == "artwork" && name == ArtworkField.Name.code
        ? "Put a QR code with any text on the artwork where the code is to be, or name its place."
        : "Name its place, or leave it away.")
  }

  fileprivate static func noWords(_ name: String, on subject: String) -> CodeDrawingError {
    CodeDrawingError(
      .noPlace, "The \(subject) has a place for \(name), which has no words.",
      hint: "Give its words \(.giveText(name)), empty for none.")
  }

  fileprivate static func sameField(_ name: String, on subject: String) -> CodeDrawingError {
    CodeDrawingError(
      .invalidField, "Two places on the \(subject) have the name \(name).",
      hint: "Give each its own name.")
  }

  fileprivate static func offPage(_ name: String, page: DrawingBox) -> CodeDrawingError {
    CodeDrawingError(
      .invalidField,
      "The place of \(name) is not on the page of \(asGiven(page.width)) × "
        + "\(asGiven(page.height)) mm.",
      hint: "Measure from the top left corner of the trimmed page, to the right and downwards.")
  }

  fileprivate static func noRoom(
    _ width: Double, most: Double, on subject: String
  ) -> CodeDrawingError {
    CodeDrawingError(
      .noRoom, "The \(subject) has no room for a code of \(asGiven(width)) mm.",
      hint: "Give a width of \(atMost(most)) mm or less, or a larger place.")
  }
}
