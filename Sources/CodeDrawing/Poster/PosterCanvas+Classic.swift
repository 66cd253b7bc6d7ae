extension PosterCanvas {
  /// Everything on one axis, on white; in landscape, words and code beside each other.
  mutating func drawClassic() throws {
    let margin = 8 * unit
    let foot = try smallPrint(width: width - 2 * margin, alignment: .centre)
    let bottom = height - margin * 0.75 - foot.height
    foot.add(to: &self, x: margin, y: bottom, colour: colours.quietInk)
    let body = DrawingBox(
      x: margin, y: margin, width: width - 2 * margin, height: bottom - 3 * unit - margin)
    try isLandscape ? classicSpread(body) : classicColumn(body)
  }

  private mutating func classicColumn(_ body: DrawingBox) throws {
    let head = try heading(width: body.width, height: body.height * 0.4, alignment: .centre)
    let place = try placeName(width: body.width, alignment: .centre)
    let placeHeight = place.map { $0.height + 1.5 * unit } ?? 0
    let gap = 4 * unit
    let room = body.height - head.height - placeHeight - gap
    let side = try codeSide(width: body.width * 0.92, height: room)
    // What is left goes between the parts, a little more of it to the foot.
    let rest = room - side
    head.add(to: &self, x: body.x, y: body.y + rest * 0.1, colours.ink, accent: colours.accent)
    let top = body.y + rest * 0.45 + head.height + gap
    try addCode(
      side: side, in: DrawingBox(x: body.x, y: top, width: body.width, height: side),
      captionColour: colours.accent)
    if let place {
      add(place, x: body.x, y: top + side + 1.5 * unit, colour: colours.ink)
    }
  }

  private mutating func classicSpread(_ body: DrawingBox) throws {
    let gutter = 7 * unit
    let textWidth = (body.width - gutter) * (content.targetCaption == nil ? 0.5 : 0.4)
    let head = try heading(width: textWidth, height: body.height * 0.75, alignment: .start)
    let place = try placeName(width: textWidth, alignment: .start)
    let textHeight = head.height + (place.map { $0.height + 5 * unit } ?? 0)
    let top = body.centre.y - textHeight / 2
    head.add(to: &self, x: body.x, y: top, colours.ink, accent: colours.accent)
    if let place {
      add(place, x: body.x, y: top + textHeight - place.height, colour: colours.ink)
    }
    let room = DrawingBox(
      x: body.x + textWidth + gutter, y: body.y, width: body.width - textWidth - gutter,
      height: body.height)
    try addCode(
      side: codeSide(width: room.width, height: room.height), in: room,
      captionColour: colours.accent)
  }
}
