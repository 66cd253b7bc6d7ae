extension CodeDrawing {
  /// An SVG 1.1 file: a light square and one dark path, in modules, sized in millimetres.
  func svg() -> [UInt8] {
    let side = size.modulesAcross
    let width = decimal(size.width)
    var file = ByteText()
    file.append(
      """
      <?xml version="1.0" encoding="UTF-8"?>
      <svg xmlns="http://www.w3.org/2000/svg" version="1.1" width="\(width)mm" \
      height="\(width)mm" viewBox="0 0 \(side) \(side)" shape-rendering="crispEdges" role="img">
      <title>\(xmlEscaped(text))</title>
      <desc>\(xmlEscaped(sentence))</desc>
      <rect width="\(side)" height="\(side)" fill="\(colours.background.svg)"/>
      <path fill="\(colours.foreground.svg)" d="
      """)
    for loop in outline.loops {
      file.append("M")
      file.append(loop.x)
      file.append(" ")
      file.append(loop.y)
      // The last side is what `z` draws.
      for (index, length) in loop.sides.dropLast().enumerated() {
        file.append(index.isMultiple(of: 2) ? "h" : "v")
        file.append(length)
      }
      file.append("z")
    }
    file.append("\"/>\n</svg>\n")
    return file.bytes
  }
}

/// Text as XML character data: markup escaped, and characters that XML 1.0 forbids replaced.
func xmlEscaped(_ text: String) -> String {
  var escaped = String.UnicodeScalarView()
  for scalar in text.unicodeScalars {
    switch scalar {
    case "&": escaped.append(contentsOf: "&amp;".unicodeScalars)
    case "<": escaped.append(contentsOf: "&lt;".unicodeScalars)
    case ">": escaped.append(contentsOf: "&gt;".unicodeScalars)
    case "\"": escaped.append(contentsOf: "&quot;".unicodeScalars)
    // A bare carriage return would be read back as a line feed.
    case "\r": escaped.append(contentsOf: "&#13;".unicodeScalars)
    case "\t", "\n": escaped.append(scalar)
    case "\0"..."\u{1F}", "\u{FFFE}", "\u{FFFF}": escaped.append("\u{FFFD}")
    default: escaped.append(scalar)
    }
  }
  return String(escaped)
}

extension Colour {
  /// The shortest notation of black and white, else all digits.
  fileprivate var svg: String {
    self == .white ? "#fff" : self == .black ? "#000" : hexadecimal
  }
}
