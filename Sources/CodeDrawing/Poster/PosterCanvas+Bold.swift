extension PosterCanvas {
  /// A ground of the accent's colour to the edge, and the code with its place on a white plate.
  mutating func drawBold() throws {
    add(page.bleedBox, colour: colours.accent)
    let margin = 8 * unit
    let foot = try smallPrint(width: width - 2 * margin, alignment: .start)
    let bottom = height - margin * 0.75 - foot.height
    foot.add(to: &self, x: margin, y: bottom, colour: colours.onAccent)
    let body = DrawingBox(
      x: margin, y: margin, width: width - 2 * margin, height: bottom - 4 * unit - margin)
    try isLandscape ? boldSpread(body) : boldColumn(body)
  }

  private mutating func boldColumn(_ body: DrawingBox) throws {
    let head = try heading(width: body.width, height: body.height * 0.38, alignment: .start)
    head.add(to: &self, x: body.x, y: body.y, colours.onAccent, accent: colours.onAccent)
    let top = body.y + head.height + 5 * unit
    try addPlate(
      DrawingBox(x: body.x, y: top, width: body.width, height: body.bottom - top))
  }

  private mutating func boldSpread(_ body: DrawingBox) throws {
    let gutter = 7 * unit
    let plate = min(body.height, body.width * 0.48)
    let plateWidth = content.targetCaption == nil ? plate : body.width * 0.6
    let textWidth = body.width - gutter - plateWidth
    let head = try heading(width: textWidth, height: body.height, alignment: .start)
    head.add(
      to: &self, x: body.x, y: body.centre.y - head.height / 2, colours.onAccent,
      accent: colours.onAccent)
    try addPlate(
      DrawingBox(
        x: body.x + textWidth + gutter, y: body.y, width: plateWidth, height: body.height))
  }

  /// A white plate that holds the code and, below it, the place.
  private mutating func addPlate(_ plate: DrawingBox) throws {
    add(plate, colour: request.codeColours.background, cornerRadius: 3 * unit)
    let inner = plate.grown(by: -3 * unit)
    let place = try placeName(width: inner.width, alignment: .centre)
    let placeHeight = place.map { $0.height + 2 * unit } ?? 0
    let side = try codeSide(width: inner.width, height: inner.height - placeHeight)
    let top = inner.y + (inner.height - side - placeHeight) / 2
    // A quiet zone and a ring stand at the two edges: what is seen belongs in the middle.
    let shift = content.targetCaption == nil ? 0 : -quietZone(ofSide: side) / 2
    try addCode(
      side: side,
      in: DrawingBox(x: inner.x + shift, y: top, width: inner.width, height: side),
      captionColour: colours.ink)
    if let place {
      add(place, x: inner.x, y: top + side + 2 * unit, colour: colours.ink)
    }
  }
}
