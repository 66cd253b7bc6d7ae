import CodeDrawing

extension WalkMap.Panel {
  /// The map as an `svg` element of a web page, whose style sheet colours its classes; the colours
  /// that stand in it are for viewers without.
  var svg: String {
    var svg =
      "<svg class=\"map\" role=\"img\" aria-label=\"\(xmlEscaped(description))\" "
      + "viewBox=\"0 0 \(number(width)) \(number(height))\">\n"
    for mark in marks {
      switch mark {
      case .area(let path, let ink): svg += element(path, ink)
      case .stop(let stop):
        svg += "<g><title>\(xmlEscaped(stop.title))</title>" + element(stop.path, stop.ink)
        svg += element(stop.words) + "</g>\n"
      case .words(let words): svg += element(words)
      }
    }
    return svg + "</svg>\n"
  }

  private func element(_ path: DrawingPath, _ ink: MapInk) -> String {
    var attributes = "class=\"ink-\(ink.rawValue)\" fill=\"\(ink.fill?.hexadecimal ?? "none")\""
    if let stroke = ink.stroke {
      attributes += " stroke=\"\(stroke.colour.hexadecimal)\" stroke-width=\"\(stroke.width)\""
    }
    return "<path \(attributes) d=\"\(path.svg)\"/>\n"
  }

  private func element(_ words: MapWords) -> String {
    "<text class=\"ink-\(words.ink.rawValue)\" x=\"\(number(words.point.x))\" "
      + "y=\"\(number(words.point.y))\" font-size=\"\(number(words.size))\" "
      + "text-anchor=\"\(words.anchor.rawValue)\"\(words.isBold ? " font-weight=\"700\"" : "") "
      // An end of a line is the same wherever a name begins.
      + "fill=\"\(words.ink.fill?.hexadecimal ?? "none")\" direction=\"ltr\" "
      + "unicode-bidi=\"embed\">\(xmlEscaped(words.text))</text>\n"
  }

  private func number(_ value: Double) -> String { decimal(value, places: 3) }

  /// The map on a page.
  ///
  /// - Parameters:
  ///   - corner: Where its top left corner lies.
  ///   - setter: What sets its words.
  func elements(at corner: DrawingPoint, _ setter: PageText) throws -> [PageDrawing.Element] {
    var elements: [PageDrawing.Element] = []
    func add(_ path: DrawingPath, _ ink: MapInk) {
      let path = path.placed(at: corner)
      if let fill = ink.fill { elements.append(.shape(path, fill)) }
      if let stroke = ink.stroke {
        elements.append(.line(path, .init(width: stroke.width, colour: stroke.colour)))
      }
    }
    for mark in marks {
      switch mark {
      case .area(let path, let ink): add(path, ink)
      case .stop(let stop):
        add(stop.path, stop.ink)
        elements.append(try setter.element(stop.words).moved(right: corner.x, down: corner.y))
      case .words(let words):
        elements.append(try setter.element(words).moved(right: corner.x, down: corner.y))
      }
    }
    return elements
  }
}
