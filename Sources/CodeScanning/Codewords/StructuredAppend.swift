/// A message that is spread over several symbols (ISO/IEC 18004:2015, 8).
enum StructuredAppend {
  /// The bytes of a message, or `nil` when a part is missing, belongs to another message, or the
  /// parity shows that the parts do not belong together.
  ///
  /// - Parameter parts: symbols in any order, those seen twice also twice.
  static func joined(_ parts: [DecodedSymbol]) -> [UInt8]? {
    guard let first = parts.first?.structuredAppend else { return nil }
    var bytes = [[UInt8]?](repeating: nil, count: first.count)
    for part in parts {
      guard let header = part.structuredAppend, header.count == first.count,
        header.parity == first.parity
      else { return nil }
      if let known = bytes[header.index], known != part.bytes { return nil }
      bytes[header.index] = part.bytes
    }
    let message = bytes.compactMap { $0 }
    guard message.count == first.count else { return nil }
    let joined = Array(message.joined())
    // Bytes that were converted cannot be added up any more.
    guard parts.allSatisfy(\.bytesAreAsWritten) else { return joined }
    return joined.reduce(0, ^) == first.parity ? joined : nil
  }
}
