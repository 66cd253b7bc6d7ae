import AppClipCodes
import CliptagBasics
import QRSymbol

/// The layout of a poster's codes and words on an artwork: each at the place that is named for it.
struct ArtworkLayout: PlacedPage {
  private(set) var page: PageDrawing
  private(set) var placedCode: (code: CodeDrawing, box: DrawingBox)?
  private(set) var placedAppClipCode: (code: AppClipCodeDrawing, box: DrawingBox)?
  private(set) var targetBox: DrawingBox?

  private let symbol: QRSymbol
  private let request: Poster.Request
  private let artwork: PosterArtwork
  private let shaper: TextShaper

  /// Places everything.
  ///
  /// - Throws: ``CodeDrawingError`` with code `no-place-on-artwork` for a code, a ring or words
  ///   without a place, `invalid-field`, `low-contrast`, and as ``Poster``; ``TextError`` for texts that do not fit.
  init(
    _ symbol: QRSymbol, _ request: Poster.Request, on artwork: PosterArtwork, shaper: TextShaper
  ) throws {
    self.symbol = symbol
    self.request = request
    self.artwork = artwork
    self.shaper = shaper
    page = PageDrawing(width: artwork.width, height: artwork.height)
    page.sheet = artwork.media
    try checkPlaces()
    let isAlone = request.appClipCode?.replacesQRCode == true
    if let placeholder = artwork.placeholder {
      // Its edge is a mixture of two pixels.
      let margin = min(0.2, placeholder.clearMargin)
      add(placeholder.box.grown(by: margin), codeColours.background)
    }
    if !isAlone { try placeCode() }
    if let code = request.appClipCode?.code {
      let field = artwork.field(ArtworkField.Name.appClipCode)?.box
      let place = field ?? (isAlone ? codePlace : nil)
      guard let place else { throw CodeDrawingError.noPlace(ArtworkField.Name.appClipCode) }
      let drawing = try AppClipCodeDrawing(code, side: min(place.width, place.height))
      try drawing.check(readingDistance: request.codeSize.readingDistance)
      let box = drawing.box(in: place)
      page.elements.append(.appClipCode(drawing, DrawingPoint(x: box.x, y: box.y)))
      placedAppClipCode = (drawing, box)
      targetBox = drawing.tagBox(in: box)
    }
    try placeRing()
    for field in artwork.fields where !ArtworkField.Name.figures.contains(field.name) {
      try placeWords(field)
    }
  }

  /// The place of the QR code, or of the App Clip Code that replaces it.
  private var codePlace: DrawingBox? {
    artwork.field(ArtworkField.Name.code)?.box
      ?? artwork.placeholder?.space(forModules: symbol.size)
  }

  /// The colours of the code: on the colour around the placeholder instead of white, if that is
  /// light enough for cameras.
  private var codeColours: CodeColours {
    let usual = request.codeColours
    guard usual.background == .white, let ground = artwork.placeholder?.ground,
      let colours = try? CodeColours(foreground: usual.foreground, background: ground),
      colours.warnings.isEmpty
    else { return usual }
    return colours
  }

  /// Checks that names are unique, every place is on the page, and every text has a place.
  private func checkPlaces() throws(CodeDrawingError) {
    let trimmed = DrawingBox(x: 0, y: 0, width: artwork.width, height: artwork.height)
    var names: Set<String> = []
    for field in artwork.fields {
      guard names.insert(field.name).inserted else { throw .sameField(field.name) }
      // A page's size is a rounded number.
      guard field.box.isInside(trimmed.grown(by: 0.01)) else {
        throw .offPage(field.name, page: trimmed)
      }
    }
    for name in request.content.texts.keys.sorted() where !names.contains(name) {
      throw .noPlace(name)
    }
  }

  private mutating func add(_ box: DrawingBox, _ colour: Colour) {
    page.elements.append(.shape(.rectangle(box), colour))
  }

  private mutating func placeCode() throws {
    guard let place = codePlace else { throw CodeDrawingError.noPlace(ArtworkField.Name.code) }
    let side = min(place.width, place.height)
    var size = request.codeSize
    if let wanted = size.width, wanted > side + 0.01 {
      throw CodeDrawingError.noRoomOnArtwork(wanted, most: side)
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
    let field = artwork.field(ArtworkField.Name.ring)
    // The tag of an App Clip Code of the kind `nfc` is in the middle of the code.
    let isWanted = request.content.targetCaption != nil && request.appClipCode?.code.kind != .nfc
    guard let field, isWanted else {
      if isWanted { throw .noPlace(ArtworkField.Name.ring) }
      return
    }
    let side = min(field.box.width, field.box.height)
    let (middle, half) = (field.box.centre, side / 2)
    let box = DrawingBox(x: middle.x - half, y: middle.y - half, width: side, height: side)
    let colour = try legible(
      field.colour, else: request.colours.accent, on: field.ground)
    page.elements += PosterCanvas.target(in: box, colour: colour)
    targetBox = box
  }

  private mutating func placeWords(_ field: ArtworkField) throws {
    guard let text = request.content.text(named: field.name) else {
      throw CodeDrawingError.noWords(field.name)
    }
    guard !text.isEmpty else { return }
    var style = TextStyle(
      size: max(field.size ?? field.box.height, TypeScale.smallest),
      families: field.families.isEmpty ? request.families : field.families)
    style.weight = field.weight
    let words = try shaper.fitting(
      text, style, width: field.box.width, height: field.box.height,
      minimumSize: TypeScale.smallest, alignment: field.alignment,
      maximumLines: field.lines, breaksWords: field.name == "address",
      language: request.content.language)
    let room = field.box.width - words.width
    let shift =
      switch field.alignment {
      case .start: request.content.isRightToLeft ? room : 0
      case .centre: room / 2
      case .end: request.content.isRightToLeft ? 0 : room
      }
    let link = field.name == "address" ? request.content.address?.link : nil
    page.elements.append(
      .text(
        PageDrawing.Words(
          text: words, corner: DrawingPoint(x: field.box.x + shift, y: field.box.y),
          colour: try legible(field.colour, else: request.colours.ink, on: field.ground),
          role: field.name == "headline" ? .heading : .paragraph, link: link)))
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

extension PosterContent {
  /// The text of a field; `nil` if there is none of that name.
  fileprivate func text(named name: String) -> String? {
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
}

extension DrawingBox {
  fileprivate func isInside(_ other: DrawingBox) -> Bool {
    x >= other.x && y >= other.y && right <= other.right && bottom <= other.bottom
  }
}

extension CodeDrawingError {
  /// The error for a code, ring or words that an artwork has no place for.
  package static func noPlace(_ name: String) -> CodeDrawingError {
    CodeDrawingError(
      .noPlace, "The artwork has no place for \(name).",
      hint: name == ArtworkField.Name.code
        ? "Put a QR code with any text on the artwork where the code is to be, or name its place."
        : "Name its place, or leave it away.")
  }

  fileprivate static func noWords(_ name: String) -> CodeDrawingError {
    CodeDrawingError(
      .noPlace, "The artwork has a place for \(name), which has no words.",
      hint: "Give its words, empty for none.")
  }

  fileprivate static func sameField(_ name: String) -> CodeDrawingError {
    CodeDrawingError(
      .invalidField, "Two places on the artwork have the name \(name).",
      hint: "Give each its own name.")
  }

  fileprivate static func offPage(_ name: String, page: DrawingBox) -> CodeDrawingError {
    CodeDrawingError(
      .invalidField,
      "The place of \(name) is not on the page of \(asGiven(page.width)) × "
        + "\(asGiven(page.height)) mm.",
      hint: "Measure from the top left corner of the trimmed page, to the right and downwards.")
  }

  fileprivate static func noRoomOnArtwork(_ width: Double, most: Double) -> CodeDrawingError {
    CodeDrawingError(
      .noRoom, "The artwork has no room for a code of \(asGiven(width)) mm.",
      hint: "Give a width of \(atMost(most)) mm or less, or a larger place.")
  }
}
