package import CliptagBasics
package import Issuing
import QRSymbol

/// The `symbol` object of the parts of a QR code.
package struct SymbolExplanationResult: Encodable {
  private struct Segment: Encodable {
    let mode: String
    let text: String
    let characters: Int
    let bytes: Int
    let bits: Int
  }

  private struct Suggestion: Encodable {
    let code: String
    let text: String
    let version: Int
    let errorCorrection: String
    let savedBits: Int
    let message: String
  }

  let type = "symbol"
  let url: String
  let version: Int
  let modules: Int
  let requestedErrorCorrection: String
  let errorCorrection: String
  let mask: Int
  let bits: Int
  let capacity: Int
  let spareBits: Int
  let spareBytes: Int
  let spareBitsAtRequestedLevel: Int
  private let segments: [Segment]
  private let suggestions: [Suggestion]

  private enum CodingKeys: CodingKey {
    case type, url, version, modules, requestedErrorCorrection, errorCorrection, mask, bits
    case capacity, spareBits, spareBytes, spareBitsAtRequestedLevel, segments, suggestions
  }

  /// - Parameter words: The words of a face for a suggestion.
  package init(_ explanation: SymbolExplanation, words: (Hint) -> String) {
    let symbol = explanation.symbol
    url = String(decoding: symbol.bytes, as: UTF8.self)
    (version, modules, mask) = (symbol.version, symbol.size, symbol.mask)
    requestedErrorCorrection = explanation.requested.rawValue
    errorCorrection = symbol.errorCorrection.rawValue
    bits = symbol.bitCount
    capacity = symbol.bitCount + explanation.spareBits
    spareBits = explanation.spareBits
    spareBytes = explanation.spareBits / 8
    spareBitsAtRequestedLevel = explanation.spareBitsAtRequestedLevel
    segments = symbol.segments.map { segment in
      let text = String(decoding: symbol.bytes[segment.range], as: UTF8.self)
      return Segment(
        mode: segment.mode.rawValue, text: text, characters: text.count,
        bytes: segment.range.count, bits: segment.bits(version: symbol.version))
    }
    suggestions = explanation.suggestions.map {
      Suggestion(
        code: $0.kind.rawValue, text: $0.text, version: $0.plan.version,
        errorCorrection: $0.plan.errorCorrection.rawValue, savedBits: $0.savedBits,
        message: words($0.advice))
    }
  }
}
