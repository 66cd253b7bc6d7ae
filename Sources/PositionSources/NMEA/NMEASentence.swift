/// One sentence of NMEA 0183 (IEC 61162-1), as satellite receivers send them.
package struct NMEASentence: Hashable, Sendable {
  /// Why a line is no sentence.
  package enum Problem: Error, Hashable, Sendable {
    /// It does not begin with `$` and an address, or holds other characters than ASCII's.
    case notASentence
    /// No `*` with two hexadecimal digits ends it; it was probably cut short.
    case noChecksum
    /// Its checksum is another than the one it carries.
    case wrongChecksum(carried: UInt8, computed: UInt8)
  }

  /// Who speaks: `GP`, `GN`, `GL` …; `P` in a manufacturer's own sentence.
  package let talker: String
  /// The kind of sentence: `GGA`, `RMC` …
  package let formatter: String
  /// What stands between the commas, from the first field after the address.
  package let fields: [String]

  /// Reads a line without its end.
  ///
  /// Checksums are required: without one, a position with a lost digit would be believed.
  package init(_ line: some Sequence<UInt8>) throws(Problem) {
    let bytes = Array(line)
    guard bytes.first == UInt8(ascii: "$"), bytes.allSatisfy({ (0x20..<0x7F).contains($0) }) else {
      throw .notASentence
    }
    guard let star = bytes.lastIndex(of: UInt8(ascii: "*")), star + 3 == bytes.count,
      // `UInt8` takes signs, too: `+4` and `-0` are no checksums.
      bytes[(star + 1)...].allSatisfy({ Character(UnicodeScalar($0)).isHexDigit }),
      let carried = UInt8(String(decoding: bytes[(star + 1)...], as: UTF8.self), radix: 16)
    else { throw .noChecksum }
    let body = bytes[1..<star]
    let computed = body.reduce(0, ^)
    guard carried == computed else {
      throw .wrongChecksum(carried: carried, computed: computed)
    }
    let parts = body.split(separator: UInt8(ascii: ","), omittingEmptySubsequences: false)
      .map { String(decoding: $0, as: UTF8.self) }
    let address = parts[0]
    guard address.count >= 4, address.allSatisfy({ $0.isLetter || $0.isNumber }) else {
      throw .notASentence
    }
    let length = address.hasPrefix("P") ? 1 : 2
    talker = String(address.prefix(length))
    formatter = String(address.dropFirst(length))
    fields = Array(parts.dropFirst())
  }

  /// A field that is there and not empty; the first has number 1, as in the standard's tables.
  func text(_ number: Int) -> String? {
    guard fields.indices.contains(number - 1), !fields[number - 1].isEmpty else { return nil }
    return fields[number - 1]
  }

  /// A field as a number.
  func number(_ number: Int) -> Double? {
    guard let text = text(number),
      text.allSatisfy({ $0.isASCII && ($0.isNumber || $0 == "." || $0 == "-") })
    else { return nil }
    return Double(text)
  }
}
