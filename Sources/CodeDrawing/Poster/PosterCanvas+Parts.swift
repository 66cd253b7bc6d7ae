/// Texts above each other.
struct WordStack {
  /// What a text is for, which decides on its colour.
  enum Kind { case ink, accent, heading, link(String) }

  private(set) var height = 0.0
  private var parts: [(text: ShapedText, kind: Kind, top: Double)] = []
  private var gap = 0.0

  /// Adds a text below, and the gap that follows where something follows.
  mutating func append(_ text: ShapedText, _ kind: Kind, gap: Double = 0) {
    let top = parts.isEmpty ? 0 : height + self.gap
    parts.append((text, kind, top))
    height = top + text.height
    self.gap = gap
  }

  func add(
    to canvas: inout PosterCanvas, x: Double, y: Double, _ ink: Colour, accent: Colour
  ) {
    for (text, kind, top) in parts {
      switch kind {
      case .ink: canvas.add(text, x: x, y: y + top, colour: ink)
      case .accent: canvas.add(text, x: x, y: y + top, colour: accent)
      case .heading: canvas.add(text, x: x, y: y + top, colour: ink, role: .heading)
      case .link(let link): canvas.add(text, x: x, y: y + top, colour: ink, link: link)
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
