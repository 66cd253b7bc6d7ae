// MARK: Classic

extension PosterCanvas {
  /// Draws all elements on one axis, on white; in landscape, texts and code side by side.
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
    // The remaining space goes between the parts, a little more of it to the foot.
    let rest = room - side
    head.add(
      to: &self, x: body.x, y: body.y + rest * 0.1, colours.ink, accent: colours.accentOnWhite)
    let top = body.y + rest * 0.45 + head.height + gap
    try addCode(
      side: side, in: DrawingBox(x: body.x, y: top, width: body.width, height: side),
      captionColour: colours.accentOnWhite)
    if let place {
      add(place, x: body.x, y: top + side + 1.5 * unit, colour: colours.ink)
    }
  }

  private mutating func classicSpread(_ body: DrawingBox) throws {
    let gutter = 7 * unit
    let textWidth = (body.width - gutter) * (isGroup ? 0.4 : 0.5)
    let head = try heading(width: textWidth, height: body.height * 0.75, alignment: .start)
    let place = try placeName(width: textWidth, alignment: .start)
    let textHeight = head.height + (place.map { $0.height + 5 * unit } ?? 0)
    let top = body.centre.y - textHeight / 2
    head.add(to: &self, x: body.x, y: top, colours.ink, accent: colours.accentOnWhite)
    if let place {
      add(place, x: body.x, y: top + textHeight - place.height, colour: colours.ink)
    }
    let room = DrawingBox(
      x: body.x + textWidth + gutter, y: body.y, width: body.width - textWidth - gutter,
      height: body.height)
    try addCode(
      side: codeSide(width: room.width, height: room.height), in: room,
      captionColour: colours.accentOnWhite)
  }
}

// MARK: Bold

extension PosterCanvas {
  /// Draws a ground in the accent's colour to the edge, and the code with its place on a white
  /// plate.
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
    let plateWidth = isGroup ? body.width * 0.6 : plate
    let textWidth = body.width - gutter - plateWidth
    let head = try heading(width: textWidth, height: body.height, alignment: .start)
    head.add(
      to: &self, x: body.x, y: body.centre.y - head.height / 2, colours.onAccent,
      accent: colours.onAccent)
    try addPlate(
      DrawingBox(
        x: body.x + textWidth + gutter, y: body.y, width: plateWidth, height: body.height))
  }

  /// Adds a white plate with the code and, below it, the place. An App Clip Code alone needs none:
  /// its disc is its own ground.
  private mutating func addPlate(_ plate: DrawingBox) throws {
    if hasQRCode { add(plate, colour: request.codeColours.background, cornerRadius: 3 * unit) }
    let ink = hasQRCode ? colours.ink : colours.onAccent
    let inner = plate.grown(by: -3 * unit)
    let place = try placeName(width: inner.width, alignment: .centre)
    let placeHeight = place.map { $0.height + 2 * unit } ?? 0
    let side = try codeSide(width: inner.width, height: inner.height - placeHeight)
    let top = inner.y + (inner.height - side - placeHeight) / 2
    // A quiet zone and a ring are at the two edges: the visible part is centred.
    let shift = hasRing ? -quietZone(ofSide: side) / 2 : 0
    try addCode(
      side: side,
      in: DrawingBox(x: inner.x + shift, y: top, width: inner.width, height: side),
      captionColour: ink)
    if let place {
      add(place, x: inner.x, y: top + side + 2 * unit, colour: ink)
    }
  }
}

// MARK: Editorial

extension PosterCanvas {
  /// Draws flush text under a bar in the accent's colour, with a large headline, and the code at
  /// the foot with its text beside it.
  mutating func drawEditorial() throws {
    let margin = 8 * unit
    let bar = 5 * unit
    let bleed = page.bleed
    add(
      DrawingBox(x: -bleed, y: -bleed, width: width + 2 * bleed, height: bar + bleed),
      colour: colours.accent)
    let foot = try smallPrint(width: width - 2 * margin, alignment: .start)
    let bottom = height - margin * 0.75 - foot.height
    foot.add(to: &self, x: margin, y: bottom, colour: colours.quietInk)
    let rule = bottom - 2.5 * unit
    add(
      DrawingBox(x: margin, y: rule, width: width - 2 * margin, height: 0.25 * unit),
      colour: colours.ink)
    let body = DrawingBox(
      x: margin, y: bar + margin * 0.8, width: width - 2 * margin,
      height: rule - 4 * unit - bar - margin * 0.8)
    try isLandscape ? editorialSpread(body) : editorialColumn(body)
  }

  private mutating func editorialColumn(_ body: DrawingBox) throws {
    let head = try title(width: body.width, height: body.height * 0.42)
    head.add(to: &self, x: body.x, y: body.y, colours.ink, accent: colours.accentOnWhite)
    let room = body.height - head.height - 5 * unit
    // Above a group of codes and target the text is on a separate line, otherwise beside the code.
    if isGroup {
      let words = try beside(width: body.width, height: room * 0.3)
      let side = try codeSide(width: body.width, height: room - words.height - 4 * unit)
      let quiet = quietZone(ofSide: side)
      let top = body.bottom - side + quiet / 2
      try addCode(
        side: side, in: flush(DrawingBox(x: body.x, y: top, width: side, height: side)),
        captionColour: colours.accentOnWhite)
      words.add(
        to: &self, x: body.x, y: top - 3 * unit - words.height, colours.ink,
        accent: colours.accentOnWhite)
      return
    }
    let side = try codeSide(width: body.width * 0.7, height: room)
    let quiet = quietZone(ofSide: side)
    let top = body.bottom - side + quiet / 2
    try addCode(
      side: side, in: flush(DrawingBox(x: body.x, y: top, width: side, height: side)),
      captionColour: colours.accentOnWhite)
    let x = body.x + side - quiet
    let words = try beside(width: body.right - x, height: side)
    words.add(
      to: &self, x: x, y: body.bottom - words.height - quiet / 2, colours.ink,
      accent: colours.accentOnWhite)
  }

  /// The quiet zone of a code extends into the margin, so that modules are flush with letters.
  private func flush(_ room: DrawingBox) -> DrawingBox {
    let across = codeGroupWidth(side: room.width)
    return DrawingBox(
      x: room.x - quietZone(ofSide: room.width), y: room.y, width: across, height: room.height)
  }

  private mutating func editorialSpread(_ body: DrawingBox) throws {
    let gutter = 7 * unit
    let codeWidth =
      isGroup ? body.width * 0.58 : min(body.height, body.width * 0.5)
    let side = try codeSide(width: codeWidth, height: body.height)
    let across = isGroup ? codeWidth : side
    let textWidth = body.width - across - gutter
    let head = try title(width: textWidth, height: body.height * 0.6)
    head.add(to: &self, x: body.x, y: body.y, colours.ink, accent: colours.accentOnWhite)
    let words = try beside(width: textWidth, height: body.height - head.height - 4 * unit)
    words.add(
      to: &self, x: body.x, y: body.bottom - words.height, colours.ink,
      accent: colours.accentOnWhite)
    try addCode(
      side: side,
      in: DrawingBox(x: body.right - across, y: body.bottom - side, width: across, height: side),
      captionColour: colours.accentOnWhite)
  }

  /// Brand and headline.
  private func title(width: Double, height: Double) throws(TextError) -> WordStack {
    var stack = WordStack()
    appendLogo(to: &stack, width: width, isCentred: false)
    if let brand = content.brand {
      stack.append(
        try words(brand, Setting(size: 4 * unit, weight: 700, width: width, lines: 2)),
        .accent, gap: 2 * unit)
    }
    stack.append(
      try words(
        content.headline,
        Setting(
          size: 15 * unit, weight: 800, width: width, height: height - stack.height, lines: 4,
          lineSpacing: headlineSpacing)),
      .heading)
    return stack
  }

  /// Call to action and place.
  private func beside(width: Double, height: Double) throws(TextError) -> WordStack {
    var stack = WordStack()
    stack.append(
      try words(
        content.callToAction,
        Setting(size: 5.5 * unit, weight: 700, width: width, height: height * 0.6, lines: 4)),
      .ink, gap: 2 * unit)
    if let place = content.placeName {
      stack.append(
        try words(place, Setting(size: 4 * unit, width: width, height: height * 0.3, lines: 3)),
        .ink)
    }
    return stack
  }
}
