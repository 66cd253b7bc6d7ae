extension PosterCanvas {
  /// Set flush under a bar of the accent's colour, the headline large, the code at the foot with
  /// its words beside it.
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
    let hasTarget = content.targetCaption != nil
    let head = try title(width: body.width, height: body.height * 0.42)
    head.add(to: &self, x: body.x, y: body.y, colours.ink, accent: colours.accent)
    let room = body.height - head.height - 5 * unit
    // Beside a target the words stand above the code, else beside it.
    if hasTarget {
      let words = try beside(width: body.width, height: room * 0.3)
      let side = try codeSide(width: body.width, height: room - words.height - 4 * unit)
      let quiet = quietZone(ofSide: side)
      let top = body.bottom - side + quiet / 2
      try addCode(
        side: side, in: flush(DrawingBox(x: body.x, y: top, width: side, height: side)),
        captionColour: colours.accent)
      words.add(
        to: &self, x: body.x, y: top - 3 * unit - words.height, colours.ink,
        accent: colours.accent)
      return
    }
    let side = try codeSide(width: body.width * 0.7, height: room)
    let quiet = quietZone(ofSide: side)
    let top = body.bottom - side + quiet / 2
    try addCode(
      side: side, in: flush(DrawingBox(x: body.x, y: top, width: side, height: side)),
      captionColour: colours.accent)
    let x = body.x + side - quiet
    let words = try beside(width: body.right - x, height: side)
    words.add(
      to: &self, x: x, y: body.bottom - words.height - quiet / 2, colours.ink,
      accent: colours.accent)
  }

  /// The quiet zone of a code reaches into the margin, so that modules stand flush with letters.
  private func flush(_ room: DrawingBox) -> DrawingBox {
    let across = codeGroupWidth(side: room.width)
    return DrawingBox(
      x: room.x - quietZone(ofSide: room.width), y: room.y, width: across, height: room.height)
  }

  private mutating func editorialSpread(_ body: DrawingBox) throws {
    let gutter = 7 * unit
    let codeWidth =
      content.targetCaption == nil ? min(body.height, body.width * 0.5) : body.width * 0.58
    let side = try codeSide(width: codeWidth, height: body.height)
    let across = content.targetCaption == nil ? side : codeWidth
    let textWidth = body.width - across - gutter
    let head = try title(width: textWidth, height: body.height * 0.6)
    head.add(to: &self, x: body.x, y: body.y, colours.ink, accent: colours.accent)
    let words = try beside(width: textWidth, height: body.height - head.height - 4 * unit)
    words.add(
      to: &self, x: body.x, y: body.bottom - words.height, colours.ink, accent: colours.accent)
    try addCode(
      side: side,
      in: DrawingBox(x: body.right - across, y: body.bottom - side, width: across, height: side),
      captionColour: colours.accent)
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
