import CliptagBasics
import QRSymbol

extension Poster {
  /// Lays out every face of a template, and places them on its page with the lines to cut and fold
  /// along.
  init(
    _ template: PosterTemplate, _ symbol: QRSymbol, _ request: Request, shaper: TextShaper
  ) throws {
    if !template.hasDesign { try request.content.checkPlaces(template.placeNames, on: "template") }
    let dotsPerInch = request.codeSize.dotsPerInch
    var page = PageDrawing(
      width: template.width, height: template.height, bleed: request.bleed,
      hasCropMarks: request.hasCropMarks)
    if request.colours.ground != .white {
      page.elements.append(.shape(.rectangle(page.bleedBox), request.colours.ground))
    }
    var faces: [Face] = []
    for face in template.faces {
      let poster = try Poster(face, symbol, request, shaper: shaper)
      for placement in face.placements {
        let placement = placement.snapped(dotsPerInch: dotsPerInch)
        let sides = OuterSides(of: face, at: placement, on: template)
        page.elements.append(
          .group(
            poster.page.elements.map { $0.extended(by: request.bleed, beyond: sides) }, placement))
        faces.append(Face(poster: poster, placement: placement))
      }
    }
    page.elements += template.lines
    if template.isMirrored {
      page.elements = [
        .group(
          page.elements,
          PagePlacement(
            width: page.width, height: page.height, corner: DrawingPoint(x: 0, y: 0),
            isMirrored: true
          ).snapped(dotsPerInch: dotsPerInch))
      ]
    }
    self.init(page, faces: faces, isMirrored: template.isMirrored, dotsPerInch: dotsPerInch)
  }

  /// Lays out a face.
  private init(
    _ face: PosterTemplate.Face, _ symbol: QRSymbol, _ request: Request, shaper: TextShaper
  ) throws {
    var request = request
    request.template = nil
    request.bleed = 0
    request.hasCropMarks = false
    switch face.content {
    case .design:
      request.paper = try PaperSize(width: face.width, height: face.height)
      request.content.texts = [:]
      try self.init(symbol, request, shaper: shaper)
    case .elements(let elements):
      let sheet = try FieldSheet(elements, of: face, request)
      let names = sheet.fields.map(\.name)
      if !names.contains(ArtworkField.Name.ring) { request.content.targetCaption = nil }
      let placed = try FieldLayout(
        symbol, request, on: sheet, shaper: shaper,
        hasCodes: names.contains { ArtworkField.Name.codes.contains($0) })
      try PosterLegibility(placed.page).check()
      self.init(placed, dotsPerInch: request.codeSize.dotsPerInch)
    }
  }
}

extension FieldSheet {
  /// Draws the areas and pictures of a face, and gives the places of the rest with the colours that
  /// they have there.
  fileprivate init(
    _ elements: [PosterTemplate.Element], of face: PosterTemplate.Face, _ request: Poster.Request
  ) throws {
    let (content, colours) = (request.content, request.colours)
    self.init(
      page: PageDrawing(width: face.width, height: face.height), fields: [], subject: "template")
    for element in elements {
      switch element.kind {
      case .area(let ink, let radius):
        page.elements.append(
          .shape(.rectangle(element.box, cornerRadius: radius), ink.colour(of: colours)))
      case .logo:
        if let logo = content.logo {
          page.elements.append(.picture(logo, element.box.fitted(to: logo)))
        }
      case .image:
        guard let image = content.image else {
          if element.isOptional { break }
          throw CodeDrawingError.noImage
        }
        page.elements.append(
          .clipped([.picture(image, element.box.covered(by: image))], element.box))
      case .field(var field, let ink):
        let hasWords = field.fixedText != nil || content.text(named: field.name) != nil
        let isFigure = ArtworkField.Name.figures.contains(field.name)
        guard isFigure || hasWords || !element.isOptional else { break }
        let ground = page.elements.ground(at: field.box.centre) ?? colours.ground
        field.ground = ground
        let colour = ink.colour(of: colours)
        // Another colour of the poster's palette is readable on its ground.
        let isReadable = colour.contrastRatio(with: ground) >= PosterLegibility.leastContrast
        if case .fixed = ink {
          field.colour = colour
        } else {
          field.colour = isReadable ? colour : PosterColours(accent: ground).onAccent
        }
        fields.append(field)
      }
    }
  }
}

extension PosterTemplate {
  /// The lines to cut and fold along, in inks by which a cutter finds them.
  fileprivate var lines: [PageDrawing.Element] {
    func line(_ outline: Outline, _ ink: String, dashes: [Double] = []) -> PageDrawing.Element {
      let colour = Colour(Inks(cyan: 0, magenta: 1, yellow: 0, black: 0, spot: ink))
      return .line(
        outline.path,
        PageDrawing.LineStyle(width: PageDrawing.markWidth, colour: colour, dashes: dashes))
    }
    return folds.map { line($0, foldInk, dashes: [2, 2]) } + cuts.map { line($0, cutInk) }
  }
}

/// The sides of a face that are edges of the page, where its ground reaches into the bleed.
struct OuterSides {
  private let width, height: Double
  private let left, right, top, bottom: Bool

  init(of face: PosterTemplate.Face, at placement: PagePlacement, on page: PosterTemplate) {
    (width, height) = (face.width, face.height)
    func isOuter(_ x: Double, _ y: Double) -> Bool {
      let point = placement.placed(DrawingPoint(x: x, y: y))
      return [point.x, point.y, page.width - point.x, page.height - point.y].contains {
        abs($0) < 0.1
      }
    }
    (left, right) = (isOuter(0, height / 2), isOuter(width, height / 2))
    (top, bottom) = (isOuter(width / 2, 0), isOuter(width / 2, height))
  }

  /// Moves a point on an outer side outwards.
  func extended(_ point: DrawingPoint, by bleed: Double) -> DrawingPoint {
    var point = point
    if left, point.x < 0.001 { point.x -= bleed }
    if right, point.x > width - 0.001 { point.x += bleed }
    if top, point.y < 0.001 { point.y -= bleed }
    if bottom, point.y > height - 0.001 { point.y += bleed }
    return point
  }
}

extension PageDrawing.Element {
  /// An area or the box of a photo with its edges at outer sides moved outwards; a photo fills its
  /// box with its middle. Other elements stay as they are.
  fileprivate func extended(by bleed: Double, beyond sides: OuterSides) -> PageDrawing.Element {
    func extended(_ point: DrawingPoint) -> DrawingPoint { sides.extended(point, by: bleed) }
    switch self {
    case .shape(let path, let colour): return .shape(path.mapped(extended), colour)
    case .clipped(let elements, let box):
      let first = extended(DrawingPoint(x: box.x, y: box.y))
      let second = extended(DrawingPoint(x: box.right, y: box.bottom))
      let filled = DrawingBox(
        x: first.x, y: first.y, width: second.x - first.x, height: second.y - first.y)
      return .clipped(
        elements.map { element in
          guard case .picture(let picture, _) = element else { return element }
          return .picture(picture, filled.covered(by: picture))
        }, filled)
    default: return self
    }
  }
}

extension DrawingBox {
  /// The largest box of a picture's proportions in the middle of this one.
  fileprivate func fitted(to picture: LogoPicture) -> DrawingBox {
    scaled(picture, by: min(width / Double(picture.width), height / Double(picture.height)))
  }

  /// The smallest box of a picture's proportions around this one, with the same middle.
  fileprivate func covered(by picture: LogoPicture) -> DrawingBox {
    scaled(picture, by: max(width / Double(picture.width), height / Double(picture.height)))
  }

  private func scaled(_ picture: LogoPicture, by scale: Double) -> DrawingBox {
    let (across, down) = (Double(picture.width) * scale, Double(picture.height) * scale)
    return DrawingBox(
      x: centre.x - across / 2, y: centre.y - down / 2, width: across, height: down)
  }
}

extension CodeDrawingError {
  fileprivate static var noImage: CodeDrawingError {
    CodeDrawingError(
      .noPlace, "The template has a place for a photo, and none was given.",
      hint: "Give \(.giveImage).")
  }
}
