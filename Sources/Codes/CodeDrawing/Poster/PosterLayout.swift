import AppClipCodes
import CliptagBasics
import QRSymbol

/// The rules of a design that its layout follows; lengths are in hundredths of the page's shorter
/// side.
struct PosterStyle {
  /// The alignment of words above codes; beside them, they are always flush.
  var alignment = TextAlignment.start
  /// The usual sizes of the headline.
  var headline: ClosedRange<Double>
  /// The height of a bar along the top edge.
  var bar = 0.0
  /// Whether the codes are on a plate.
  var hasPlate = false
  /// Whether the place is below the codes; otherwise it begins the small print.
  var hasPlaceBelowCodes = false
  /// The colour around the words.
  var ground: Colour
  /// The colours of words, of the brand, of words at the codes, of the ring, and of small print.
  var ink, accent, codeInk, ring, quiet: Colour
  /// The places within words at which lines may be broken.
  var wordBreaks = WordBreaks.phrases
  /// The colour of a plate behind the logo; `nil` if it needs none.
  var logoPlate: Colour?
}

/// A poster's words and codes in their sizes.
struct PosterLayout {
  let arrangement: PosterFormat.Arrangement
  /// The page without its margins.
  let body: DrawingBox
  let head: WordStack
  let call: ShapedText?
  let group: CarrierGroup
  /// The place below the codes.
  let place: ShapedText?
  let foot: WordStack
  /// The size of call to action and codes, with the plate: in width as far as they are visible, in
  /// height with quiet zones.
  let block: (width: Double, height: Double)
  /// The position of the codes' bounds in the block.
  let groupCorner: DrawingPoint
  /// The horizontal position of the block.
  let blockX: Double
  /// The space that the layout leaves, vertically.
  let rest: Double
}

// MARK: Choosing

extension PosterCanvas {
  /// The format of the page.
  var format: PosterFormat { PosterFormat(width: width, height: height) }

  /// The layout with the largest code, and the largest words that leave it that size.
  ///
  /// Words begin with the smallest usual size of the design, and become smaller if the codes do not
  /// fit. Otherwise they grow as long as the codes keep 95 % of their size, or seven tenths
  /// if a code still has a third of the page. Long words are divided into halves if that makes them two
  /// thirds larger, or less if they were below the usual size; or else wherever a dictionary divides
  /// them, rather than made much smaller.
  ///
  /// - Throws: ``TextError`` for words that do not fit in the smallest size; ``CodeDrawingError``
  ///   for a requested size without room.
  func layout(_ style: PosterStyle) throws -> PosterLayout {
    var style = style
    style.logoPlate = content.logo.flatMap { PosterLegibility.plate(for: $0, on: style.ground) }
    let usual = TypeScale.step(atMost: style.headline.lowerBound * unit)
    let whole = firstLayout(style, from: usual, through: usual - 2).flatMap {
      $0.isLargeEnough ? $0 : nil
    }
    let chosen = try whole.map { try grown($0, style) }
    style.wordBreaks = .halves
    if shaper.halves(content.headline, language: content.language),
      let halved = firstLayout(style, from: usual, through: usual - 2), halved.isLargeEnough
    {
      let divided = try grown(halved, style, leaving: 0.95 * (chosen?.side ?? 0))
      guard let chosen, divided.step < chosen.step + (chosen.step < usual ? 2 : 3) else {
        return divided.layout
      }
    }
    if let chosen { return chosen.layout }
    style.wordBreaks = .hyphens
    let first = try firstLayout(style, from: usual, through: 2) ?? failed(style)
    return try grown(first, style, through: first.step).layout
  }

  /// The layout with the largest words that leave the codes their size.
  ///
  /// - Parameters:
  ///   - first: The layout with the largest codes.
  ///   - least: The side that codes keep if there is room for it.
  ///   - most: The largest step of the headline; `nil` for that of the design.
  /// - Throws: ``CodeDrawingError`` for a requested size without room.
  private func grown(
    _ first: Found, _ style: PosterStyle, leaving least: Double = 0, through most: Int? = nil
  ) throws -> Found {
    let wanted = try wantedSide()
    if let wanted, wanted > first.side + 0.01 {
      throw CodeDrawingError.noRoom(wanted, most: first.side)
    }
    let kept =
      wanted
      ?? max(
        min(first.side * 0.95, 0.55 * (width * height).squareRoot()), first.side * 0.7,
        min(least, first.side))
    let largest =
      most ?? TypeScale.step(atMost: style.headline.upperBound * unit * format.growth)
    for step in stride(from: largest, to: first.step, by: -1) {
      guard let layout = fits(style, first.arrangement, step: step, side: kept),
        isLargeEnough(layout.group)
      else { continue }
      guard wanted == nil, let best = self.largest(style, first.arrangement, step: step),
        best.side > kept
      else { return (first.arrangement, step, kept, layout, true) }
      return best
    }
    guard let wanted, let layout = fits(style, first.arrangement, step: first.step, side: wanted)
    else { return first }
    return (first.arrangement, first.step, wanted, layout, first.isLargeEnough)
  }

  /// The requested maximum side of a code; `nil` for none.
  private func wantedSide() throws -> Double? {
    guard hasQRCode, request.codeSize.moduleSize != nil else { return request.codeSize.width }
    return try CodeSize(request.codeSize, for: symbol).width
  }

  private typealias Found = (
    arrangement: PosterFormat.Arrangement, step: Int, side: Double, layout: PosterLayout,
    isLargeEnough: Bool
  )

  /// The arrangement with the largest code for words of a size, or of the next smaller ones if they
  /// do not fit or have much larger codes; `nil` if nothing fits.
  private func firstLayout(_ style: PosterStyle, from usual: Int, through least: Int) -> Found? {
    var best: Found?
    for step in stride(from: usual, through: min(max(least, 2), usual), by: -1) {
      if let best, best.isLargeEnough, step < usual - 2 { break }
      for arrangement in arrangements(style) {
        guard let found = largest(style, arrangement, step: step) else { continue }
        guard let known = best, found.isLargeEnough == known.isLargeEnough else {
          if best == nil || found.isLargeEnough { best = found }
          continue
        }
        // Smaller words need a reason, and so does another than the preferred arrangement.
        if found.side > known.side * (found.step == known.step ? 1.1 : 1.25) { best = found }
      }
    }
    return best
  }

  private func arrangements(_ style: PosterStyle) -> [PosterFormat.Arrangement] {
    let count = (hasQRCode ? 1 : 0) + (appClipCode == nil ? 0 : 1) + (hasRing ? 1 : 0)
    return format.arrangements(carriers: count, isCentred: style.alignment == .centre)
  }

  /// Throws the reason for which no words and codes fit: the words that have no room.
  private func failed(_ style: PosterStyle) throws -> Found {
    _ = try layout(style, arrangements(style)[0], step: 2, side: leastSide)
    throw CodeDrawingError.noRoom(leastSide, most: 0)
  }

  private func isLargeEnough(_ group: CarrierGroup) -> Bool {
    guard let appClipCode, let diameter = group.diameter else { return true }
    return diameter >= AppClipCodeDrawing.leastDiameter(of: appClipCode)
  }

  /// A side at which a QR code has a dot for each module.
  private var leastSide: Double {
    max(8, Double(symbol.size + 10) * 25.4 / request.codeSize.dotsPerInch)
  }

  /// The layout with the largest side of a code: by steps downwards, then by bisection, because words
  /// at a smaller code may need more room.
  private func largest(
    _ style: PosterStyle, _ arrangement: PosterFormat.Arrangement, step: Int
  ) -> Found? {
    var high = min(width, height)
    var low = high
    var found: PosterLayout?
    while found == nil, low > leastSide {
      high = low
      low = max(low * 0.93, leastSide)
      found = fits(style, arrangement, step: step, side: low)
    }
    guard var best = found else { return nil }
    while high - low > unit / 5 {
      let middle = (low + high) / 2
      if let layout = fits(style, arrangement, step: step, side: middle) {
        (best, low) = (layout, middle)
      } else {
        high = middle
      }
    }
    return (arrangement, step, low, best, isLargeEnough(best.group))
  }

  private func fits(
    _ style: PosterStyle, _ arrangement: PosterFormat.Arrangement, step: Int, side: Double
  ) -> PosterLayout? {
    try? layout(style, arrangement, step: step, side: side)
  }
}

// MARK: One layout

extension PosterCanvas {
  /// The margin, and the part of it that quiet zones leave free.
  private var margin: Double { 7 * unit }
  private var leastMargin: Double { 2.5 * unit }

  /// Lays out the poster with a size of words and of codes.
  ///
  /// - Parameters:
  ///   - step: The headline's step on the scale, which determines the other words'.
  ///   - side: The side of a code.
  /// - Returns: `nil` if the page has no room for it.
  /// - Throws: ``TextError`` for words without room.
  private func layout(
    _ style: PosterStyle, _ arrangement: PosterFormat.Arrangement, step: Int, side: Double
  ) throws -> PosterLayout? {
    let top = style.bar * unit + margin * (style.bar > 0 ? 0.8 : 1)
    let body = DrawingBox(
      x: margin, y: top, width: width - 2 * margin, height: height - margin * 0.75 - top)
    let isBeside = arrangement.hasCallBeside
    let padding = style.hasPlate ? 3 * unit : 0
    let isFlush = style.alignment == .start && !style.hasPlate
    // The call to action suits the page, too, below a long headline of small letters.
    let suitable = TypeScale.step(atMost: 0.035 * (width * height).squareRoot())
    let callStep = max(step - 5, min(step - 3, suitable))

    // Codes, and the words at them.
    let room = arrangement.isSpread ? body.width * 0.62 : body.width - 2 * padding
    let group = try carriers(
      arrangement.carriers, side: side,
      caption: Setting(
        size: TypeScale.size(callStep - 1), weight: 500, width: room, lines: 4, alignment: .centre,
        isBalanced: true, wordBreaks: style.wordBreaks),
      isFlush: isFlush, ground: style.hasPlate ? request.codeColours.background : style.ground)
    let quiet = (
      left: group.ink.x, right: group.bounds.width - group.ink.right, top: group.ink.y,
      bottom: group.bounds.height - group.ink.bottom
    )
    let call = try words(
      content.callToAction,
      Setting(
        size: TypeScale.size(callStep), weight: 600,
        width: isBeside ? min(body.height * 0.8, body.width * 0.4) : room,
        lines: isBeside ? 5 : 3, alignment: isFlush || isBeside ? .start : .centre,
        isBalanced: true, wordBreaks: style.wordBreaks)
    ).visible
    // The ground of a code keeps off the plate's round corners.
    let round = style.hasPlate ? unit : 0
    let pad = style.hasPlate ? max(padding, quiet.left + round, quiet.right + round) : 0
    var block = (width: group.ink.width + 2 * pad, height: group.bounds.height)
    var corner = DrawingPoint(x: pad - quiet.left, y: 0)
    if style.hasPlate {
      corner.y = max(padding - quiet.top, round)
      block.height += corner.y + max(padding - quiet.bottom, round)
    }
    if let call, isBeside {
      let space = call.inkWidth + max(4 * unit, quiet.left + unit)
      block.width += space
      corner.x += space
      guard call.height + 2 * padding <= block.height else { return nil }
    } else if let call {
      let space = call.height + max(2 * unit - quiet.top, 0.5 * unit)
      let shift = style.hasPlate ? padding - corner.y : 0
      block.height += space + shift
      corner.y += space + shift
      let wide = call.inkWidth + 2 * pad
      if wide > block.width {
        if !isFlush { corner.x += (wide - block.width) / 2 }
        block.width = wide
      }
    }
    guard
      let blockX = blockX(
        style, arrangement, body, block.width, left: style.hasPlate ? 0 : quiet.left,
        right: style.hasPlate ? 0 : quiet.right)
    else { return nil }

    // The other words, in the width that the codes leave.
    let wordsWidth =
      arrangement.isSpread
      ? blockX - body.x - max(6 * unit, style.hasPlate ? 0 : quiet.left) : body.width
    guard wordsWidth >= (arrangement.isSpread ? body.width * 0.25 : 0) else { return nil }
    let alignment = arrangement.isSpread ? .start : style.alignment
    let head = try head(style, step: step, width: wordsWidth, alignment: alignment)
    let hasPlaceBelow = style.hasPlaceBelowCodes && !arrangement.isSpread
    let place = try content.placeName.flatMap { place in
      try words(
        place,
        Setting(
          size: TypeScale.size(callStep - 1), weight: 700, width: wordsWidth, lines: 3,
          alignment: alignment, isBalanced: true, wordBreaks: style.wordBreaks)
      ).visible
    }
    let foot = try smallPrint(
      width: wordsWidth, alignment: alignment, place: hasPlaceBelow ? nil : place)

    // Heights.
    var needed = head.height
    if !arrangement.isSpread {
      needed += (head.height > 0 ? 4 * unit : 0) + block.height
      if hasPlaceBelow, let place {
        needed += max(2 * unit - quiet.bottom, 0.5 * unit) + place.height
      }
    }
    let isQuietBelow = !arrangement.isSpread && !style.hasPlate && !(hasPlaceBelow && place != nil)
    if foot.height > 0 {
      let open = isQuietBelow ? quiet.bottom : 0
      // A rule is above the small print of a page with a bar.
      let (gap, least) = style.bar > 0 && !arrangement.isSpread ? (5.5, 2.8) : (4, 1.5)
      needed += max(gap * unit - open, least * unit) + foot.height
    }
    guard needed <= body.height else { return nil }
    if arrangement.isSpread {
      let over = style.hasPlate ? 0 : margin * 0.75 - leastMargin
      let free =
        min(quiet.bottom, over) + (call == nil || isBeside ? min(quiet.top, over) : 0)
      guard block.height - (style.hasPlate ? 0 : free) <= body.height else { return nil }
    }
    return PosterLayout(
      arrangement: arrangement, body: body, head: head, call: call, group: group,
      place: hasPlaceBelow ? place : nil, foot: foot, block: block, groupCorner: corner,
      blockX: blockX, rest: body.height - needed)
  }

  /// The horizontal position of the block; `nil` if it is too wide. Quiet zones may extend into the
  /// margin.
  private func blockX(
    _ style: PosterStyle, _ arrangement: PosterFormat.Arrangement, _ body: DrawingBox,
    _ across: Double, left: Double, right: Double
  ) -> Double? {
    guard across <= body.width else { return nil }
    if arrangement.isSpread { return min(body.right, width - leastMargin - right) - across }
    if style.alignment == .centre {
      return across + 2 * max(left, right) <= width - 2 * leastMargin
        ? (width - across) / 2 : nil
    }
    let x = max(body.x, leastMargin + left)
    return x + across + right <= width - leastMargin ? x : nil
  }

  /// Headline, logo and brand.
  private func head(
    _ style: PosterStyle, step: Int, width: Double, alignment: TextAlignment
  ) throws(TextError) -> WordStack {
    var stack = WordStack(centredIn: alignment == .centre ? width : nil)
    if let logo = content.logo {
      stack.append(
        logo, within: (min(width, 50 * unit), 13 * unit), plate: style.logoPlate,
        gap: 3.5 * unit)
    }
    if let brand = content.brand {
      stack.append(
        try words(
          brand,
          Setting(
            size: TypeScale.size(step - 6), weight: 700, width: width, lines: 2,
            alignment: alignment, isBalanced: true, wordBreaks: style.wordBreaks)),
        .accent, gap: 1.5 * unit)
    }
    let size = TypeScale.size(step)
    stack.append(
      try words(
        content.headline,
        Setting(
          size: size, leastSize: size, weight: 800, width: width, lines: format.headlineLines,
          alignment: alignment, lineSpacing: headlineSpacing, isBalanced: true,
          wordBreaks: style.wordBreaks)),
      .heading)
    return stack
  }

  /// The place, the address and the code's name, for people who cannot scan and for maintenance.
  private func smallPrint(
    width: Double, alignment: TextAlignment, place: ShapedText?
  ) throws(TextError) -> WordStack {
    var stack = WordStack(centredIn: alignment == .centre ? width : nil)
    if let place { stack.append(place, .ink, gap: 1.2 * unit) }
    let step = TypeScale.step(atMost: 2.3 * unit)
    if let address = content.address {
      stack.append(
        try words(
          address.text,
          Setting(
            size: TypeScale.size(step), width: width, lines: 4, alignment: alignment,
            breaksWords: true)),
        .link(address.link), gap: 0.3 * unit)
    }
    if let name = content.codeName {
      stack.append(
        try words(
          name,
          Setting(
            size: TypeScale.size(step - 1), width: width, lines: 3, alignment: alignment,
            breaksWords: true)),
        .quiet)
    }
    return stack
  }

  // MARK: Drawing it

  /// Draws a layout in reading order: the headline, the other words above the codes, the codes with
  /// their words, and the small print.
  mutating func draw(_ layout: PosterLayout, _ style: PosterStyle) throws {
    let body = layout.body
    let (headY, blockY, placeY) = heights(of: layout, style)
    let footY = body.bottom - layout.foot.height
    if style.bar > 0 {
      let bleed = page.bleed
      add(
        DrawingBox(
          x: -bleed, y: -bleed, width: width + 2 * bleed, height: style.bar * unit + bleed),
        colour: colours.accent)
      if layout.foot.height > 0 {
        add(
          DrawingBox(
            x: body.x, y: footY - 2 * unit,
            width: layout.arrangement.isSpread ? layout.blockX - 6 * unit - body.x : body.width,
            height: 0.25 * unit),
          colour: style.ink)
      }
    }
    let block = DrawingBox(
      x: layout.blockX, y: blockY, width: layout.block.width, height: layout.block.height)
    if style.hasPlate {
      add(block, colour: request.codeColours.background, cornerRadius: 3 * unit)
    }
    layout.head.add(to: &self, x: body.x, y: headY, style)
    let corner = DrawingPoint(
      x: block.x + layout.groupCorner.x, y: block.y + layout.groupCorner.y)
    let ink = layout.group.ink.moved(right: corner.x, down: corner.y)
    if let call = layout.call {
      if layout.arrangement.hasCallBeside {
        let x = block.x + (style.hasPlate ? max(3 * unit, layout.group.ink.x + unit) : 0)
        add(call, x: x, y: ink.centre.y - call.height / 2, colour: style.codeInk)
      } else {
        let isFlush = style.alignment == .start && !style.hasPlate
        add(
          call, x: isFlush ? ink.x : ink.centre.x - call.width / 2,
          y: block.y + (style.hasPlate ? 3 * unit : 0), colour: style.codeInk)
      }
    }
    try add(layout.group, at: corner, captionColour: style.ring)
    if let place = layout.place {
      add(place, x: body.centre.x - place.width / 2, y: placeY, colour: style.ink)
    }
    layout.foot.add(to: &self, x: body.x, y: footY, style)
  }

  /// The tops of the words, of the block with the codes and of the place below it; what the layout
  /// leaves is between them.
  private func heights(
    of layout: PosterLayout, _ style: PosterStyle
  ) -> (head: Double, block: Double, place: Double) {
    let body = layout.body
    let quietBottom = layout.group.bounds.height - layout.group.ink.bottom
    if layout.arrangement.isSpread {
      let head =
        style.bar > 0
        ? body.y
        : body.y + max(0, (body.height - layout.head.height) / 2 - layout.foot.height)
      // The middle of what is visible is in the middle of the page.
      let isOpen = layout.call == nil || layout.arrangement.hasCallBeside
      let top = isOpen && !style.hasPlate ? layout.group.ink.y : 0
      let bottom = style.hasPlate ? 0 : quietBottom
      let seen = layout.block.height - top - bottom
      let wanted =
        style.bar > 0 ? body.bottom - seen - top : body.centre.y - seen / 2 - top
      let lowest = style.hasPlate ? body.bottom : height - leastMargin
      return (head, min(wanted, lowest - layout.block.height), 0)
    }
    let parts: (above: Double, between: Double) =
      style.alignment == .centre ? (0.15, 0.45) : style.bar > 0 ? (0, 1) : (0, 0.5)
    let head = body.y + layout.rest * parts.above
    let block =
      head + layout.head.height + (layout.head.height > 0 ? 4 * unit : 0)
      + layout.rest * parts.between
    return (head, block, block + layout.block.height + max(2 * unit - quietBottom, 0.5 * unit))
  }
}

extension ShapedText {
  /// The text, or `nil` if it has no visible glyph.
  fileprivate var visible: ShapedText? {
    text.allSatisfy(\.isWhitespace) || isEmpty ? nil : self
  }

  /// The width of the widest line.
  var inkWidth: Double { lines.map(\.width).max() ?? 0 }
}
