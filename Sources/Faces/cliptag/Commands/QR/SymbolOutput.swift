import Jobs
import CliptagBasics
import Invocation
import Issuing
import QRSymbol

extension Console {
  /// Prints the parts of a symbol; to standard error if standard output holds the file.
  func explain(_ explanation: SymbolExplanation, outputHoldsFile: Bool) {
    if outputHoldsFile {
      say(explanation.text)
    } else {
      result(of: SymbolExplanationResult(explanation, words: \.own), text: explanation.text)
    }
  }
}

extension SymbolExplanation {
  /// One line a fact, one a segment and one a suggestion.
  fileprivate var text: ConsoleText {
    let used = symbol.errorCorrection.rawValue
    let level =
      symbol.errorCorrection == requested
      ? "level \(used) as requested" : "level \(used), raised from \(requested.rawValue) at no cost"
    var rows: [(String, String)] = [
      (
        "symbol",
        "version \(symbol.version), \(symbol.size) × \(symbol.size) modules, \(level), "
          + "mask \(symbol.mask)"
      )
    ]
    for (index, segment) in symbol.segments.enumerated() {
      rows.append((index == 0 ? "segments" : "", line(of: segment)))
    }
    rows.append(("bits", room))
    for (index, suggestion) in suggestions.enumerated() {
      rows.append((index == 0 ? "smaller" : "", suggestion.advice.own))
    }
    if suggestions.isEmpty {
      rows.append(
        (
          "smaller",
          symbol.version == 1
            ? "no: version 1 is the smallest" : "no change of the URL's end or case saves a version"
        ))
    }
    return rows.map { "  \($0.padded(to: 9)) \($1)" }.asLines
  }

  private func line(of segment: QRSymbol.Segment) -> String {
    let text = characters(of: segment)
    let bits = segment.bits(version: symbol.version)
    return "\(segment.mode.rawValue.padded(to: 12)) \(text.count) characters, \(bits) bits: "
      + text.printable
  }

  private var room: String {
    let capacity = symbol.bitCount + spareBits
    var text =
      "\(symbol.bitCount) of \(capacity); \(spareBits) spare (\(Self.bytes(spareBits))) at level "
      + symbol.errorCorrection.rawValue
    if symbol.errorCorrection != requested {
      text += ", \(spareBitsAtRequestedLevel) (\(Self.bytes(spareBitsAtRequestedLevel))) at level "
      text += requested.rawValue
    }
    return text
  }

  private static func bytes(_ bits: Int) -> String {
    bits / 8 == 1 ? "1 byte" : "\(bits / 8) bytes"
  }

  private func characters(of segment: QRSymbol.Segment) -> String {
    String(decoding: symbol.bytes[segment.range], as: UTF8.self)
  }

}

extension String {
  /// With spaces after it up to a width.
  fileprivate func padded(to width: Int) -> String {
    self + String(repeating: " ", count: max(0, width - count))
  }
}
