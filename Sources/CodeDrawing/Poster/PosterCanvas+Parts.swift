/// Texts, and a logo, above each other.
struct WordStack {
  /// What a text is for, which decides on its colour.
  enum Kind { case ink, accent, heading, link(String) }

  private enum Part {
    case text(ShapedText, Kind)
    case logo(LogoPicture, width: Double, height: Double, offset: Double)
  }

  private(set) var height = 0.0
  private var parts: [(part: Part, top: Double)] = []
  private var gap = 0.0

  /// Adds a text below, and the gap that follows where something follows.
  mutating func append(_ text: ShapedText, _ kind: Kind, gap: Double = 0) {
    append(.text(text, kind), height: text.height, gap: gap)
  }

  /// Adds a logo as high as it may be.
  ///
  /// - Parameters:
  ///   - size: the most it may measure.
  ///   - room: the width that it is centred in, or nil to set it flush.
  mutating func append(
    _ logo: LogoPicture, within size: (width: Double, height: Double), centredIn room: Double?,
    gap: Double
  ) {
    let scale = min(size.width / Double(logo.width), size.height / Double(logo.height))
    let (width, height) = (Double(logo.width) * scale, Double(logo.height) * scale)
    let offset = room.map { ($0 - width) / 2 } ?? 0
    append(.logo(logo, width: width, height: height, offset: offset), height: height, gap: gap)
  }

  private mutating func append(_ part: Part, height: Double, gap: Double) {
    let top = parts.isEmpty ? 0 : self.height + self.gap
    parts.append((part, top))
    self.height = top + height
    self.gap = gap
  }

  func add(
    to canvas: inout PosterCanvas, x: Double, y: Double, _ ink: Colour, accent: Colour
  ) {
    for (part, top) in parts {
      switch part {
      case .text(let text, .ink): canvas.add(text, x: x, y: y + top, colour: ink)
      case .text(let text, .accent): canvas.add(text, x: x, y: y + top, colour: accent)
      case .text(let text, .heading):
        canvas.add(text, x: x, y: y + top, colour: ink, role: .heading)
      case .text(let text, .link(let link)):
        canvas.add(text, x: x, y: y + top, colour: ink, link: link)
      case .logo(let logo, let width, let height, let offset):
        canvas.add(
          logo, in: DrawingBox(x: x + offset, y: y + top, width: width, height: height))
      }
    }
  }

  func add(to canvas: inout PosterCanvas, x: Double, y: Double, colour: Colour) {
    add(to: &canvas, x: x, y: y, colour, accent: colour)
  }
}

extension PosterCanvas {
  /// Brand, headline and call to action above each other.
  func heading(
    width: Double, height: Double, alignment: TextAlignment
  ) throws(TextError) -> WordStack {
    var stack = WordStack()
    appendLogo(to: &stack, width: width, isCentred: alignment == .centre)
    if let brand = content.brand {
      stack.append(
        try words(
          brand,
          Setting(size: 4.5 * unit, weight: 700, width: width, lines: 2, alignment: alignment)),
        .accent, gap: 2 * unit)
    }
    let call = try words(
      content.callToAction,
      Setting(
        size: 5 * unit, weight: 500, width: width, height: height * 0.3, lines: 3,
        alignment: alignment))
    stack.append(
      try words(
        content.headline,
        Setting(
          size: 12 * unit, weight: 800, width: width,
          height: height - stack.height - call.height - 5 * unit, lines: 4,
          alignment: alignment, lineSpacing: headlineSpacing, isBalanced: true)),
      .heading, gap: 2.5 * unit)
    stack.append(call, .ink)
    return stack
  }

  /// The logo above everything, no larger than the headline is loud.
  func appendLogo(to stack: inout WordStack, width: Double, isCentred: Bool) {
    guard let logo = content.logo else { return }
    stack.append(
      logo, within: (min(width, 50 * unit), 13 * unit), centredIn: isCentred ? width : nil,
      gap: 3.5 * unit)
  }

  /// Where the poster hangs.
  func placeName(width: Double, alignment: TextAlignment) throws(TextError) -> ShapedText? {
    guard let place = content.placeName else { return nil }
    return try words(
      place,
      Setting(
        size: 4.5 * unit, weight: 700, width: width, height: 12 * unit, lines: 2,
        alignment: alignment))
  }

  /// The address and the code's name, for those who cannot scan and those who look after the sign.
  func smallPrint(width: Double, alignment: TextAlignment) throws(TextError) -> WordStack {
    var stack = WordStack()
    let size = max(2.3 * unit, Self.smallestSize)
    if let address = content.address {
      stack.append(
        try words(
          address.text,
          Setting(
            size: size, width: width, lines: 3, alignment: alignment, breaksWords: true)),
        .link(address.link), gap: 0.3 * unit)
    }
    if let name = content.codeName {
      stack.append(
        try words(
          name,
          Setting(
            size: max(1.7 * unit, Self.smallestSize), width: width, lines: 2,
            alignment: alignment, breaksWords: true)),
        .ink)
    }
    return stack
  }
}
