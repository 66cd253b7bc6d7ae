package import CliptagBasics
package import Issuing
import QRSymbol

/// The `symbol` object of the parts of a QR code.
package struct SymbolExplanationResult: Encodable {
  /// A part of the text in one mode.
  private struct Segment: Encodable {
    /// The mode, such as `byte`.
    let mode: String
    /// The characters of the segment.
    let text: String
    /// The number of characters.
    let characters: Int
    /// The number of bytes.
    let bytes: Int
    /// The number of bits in the symbol.
    let bits: Int
  }

  /// A text that makes the code smaller.
  private struct Suggestion: Encodable {
    /// `host-in-capitals`, `shorter`, `shorter-with-host-in-capitals` or `all-in-capitals`.
    let code: String
    /// The text to print instead.
    let text: String
    /// The version of the QR code that holds it, 1 to 40.
    let version: Int
    /// `L`, `M`, `Q` or `H`: the error-correction level of that code.
    let errorCorrection: String
    /// The number of bits that it saves.
    let savedBits: Int
    /// The suggestion in words.
    let message: String
  }

  /// The type of the object.
  let type = "symbol"
  /// The text that the code carries, exactly.
  let url: String
  /// The version of the QR code, 1 to 40.
  let version: Int
  /// The number of modules on a side.
  let modules: Int
  /// `L`, `M`, `Q` or `H`: the level that was asked for.
  let requestedErrorCorrection: String
  /// `L`, `M`, `Q` or `H`: the level of the code, which uses the room that is left.
  let errorCorrection: String
  /// The mask, 0 to 7.
  let mask: Int
  /// The number of bits that are used.
  let bits: Int
  /// The number of bits that the code holds.
  let capacity: Int
  /// The number of bits that are left.
  let spareBits: Int
  /// The number of whole bytes that are left.
  let spareBytes: Int
  /// The number of bits that are left at the level that was asked for.
  let spareBitsAtRequestedLevel: Int
  /// The segments, in order.
  private let segments: [Segment]
  /// The texts that make the code smaller.
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
