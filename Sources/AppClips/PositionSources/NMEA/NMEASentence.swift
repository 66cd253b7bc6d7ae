import CliptagBasics
import Invocation

/// One sentence of NMEA 0183 (IEC 61162-1), the format of satellite receivers.
package struct NMEASentence: Hashable, Sendable {
  /// The reason that a line is not a sentence.
  package enum Problem: Error, Hashable, Sendable {
    /// The line does not begin with `$` and an address, or contains non-ASCII or control
    /// characters.
    case notASentence
    /// The line does not end with `*` and two hexadecimal digits; it was probably truncated.
    case noChecksum
    /// The computed checksum differs from the one in the line.
    case wrongChecksum(carried: UInt8, computed: UInt8)
  }

  /// The talker: `GP`, `GN`, `GL` …; `P` in a proprietary sentence.
  package let talker: String
  /// The kind of sentence: `GGA`, `RMC` …
  package let formatter: String
  /// The fields between the commas, from the first one after the address.
  package let fields: [String]

  /// Parses a line without its line end.
  ///
  /// Checksums are required: without one, a position with a lost digit would be accepted.
  package init(_ line: some Sequence<UInt8>) throws(Problem) {
    let bytes = Array(line)
    guard bytes.first == UInt8(ascii: "$"), bytes.allSatisfy({ (0x20..<0x7F).contains($0) }) else {
      throw .notASentence
    }
    guard let star = bytes.lastIndex(of: UInt8(ascii: "*")), star + 3 == bytes.count,
      let carried = [UInt8](hexadecimal: bytes[(star + 1)...])?.first
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

  /// Returns a field if it is present and not empty; the first has number 1, as in the standard's
  /// tables.
  func text(_ number: Int) -> String? {
    guard fields.indices.contains(number - 1), !fields[number - 1].isEmpty else { return nil }
    return fields[number - 1]
  }

  /// Returns a field as a number.
  func number(_ number: Int) -> Double? {
    guard let text = text(number),
      text.allSatisfy({ $0.isASCII && ($0.isNumber || $0 == "." || $0 == "-") })
    else { return nil }
    return Double(text)
  }

  // MARK: Compound fields

  /// Returns a time of day in seconds: `hhmmss.ss`.
  func timeOfDay(_ number: Int) -> Double? {
    guard let text = text(number), text.count >= 6, let value = self.number(number),
      (0..<240_000).contains(value)
    else { return nil }
    let figures = Int(bounded: value)
    let hour = figures / 10_000
    let minute = figures / 100 % 100
    let second = value - Double(figures / 100 * 100)
    guard minute < 60, second < 61 else { return nil }
    return Double(hour * 3_600 + minute * 60) + second
  }

  /// Returns a date: `ddmmyy`. Years below 80 are in this century, as satellite navigation began in
  /// 1980.
  func day(_ number: Int) -> (year: Int, month: Int, day: Int)? {
    guard let text = text(number), text.count == 6, let figures = Int(text), figures > 0 else {
      return nil
    }
    let year = figures % 100
    return (year < 80 ? 2_000 + year : 1_900 + year, figures / 100 % 100, figures / 10_000)
  }

  /// Returns a coordinate from four fields, latitude and longitude each with a hemisphere:
  /// `ddmm.mmmm,N,dddmm.mmmm,E`.
  func coordinate(from first: Int) -> Coordinate? {
    guard let latitude = angle(first, ["N": 1, "S": -1]),
      let longitude = angle(first + 2, ["E": 1, "W": -1])
    else { return nil }
    return Coordinate(latitude: latitude, longitude: longitude)
  }

  private func angle(_ field: Int, _ signs: [String: Double]) -> Double? {
    guard let text = text(field), number(field) != nil,
      let sign = self.text(field + 1).flatMap({ signs[$0] })
    else { return nil }
    let figures = text.prefix { $0 != "." }.count
    // Split as text, so that no digit of the minutes is lost.
    guard (3...5).contains(figures), let degrees = Int(text.prefix(figures - 2)),
      let minutes = Double(text.dropFirst(figures - 2)), degrees >= 0, minutes >= 0
    else { return nil }
    return minutes < 60 ? sign * (Double(degrees) + minutes / 60) : nil
  }
}
