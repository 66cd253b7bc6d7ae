#if canImport(FoundationEssentials)
  internal import FoundationEssentials
#else
  internal import Foundation
#endif

/// Conversion of dates and times from digits.
enum UTCTime {
  /// Returns a time of the Gregorian calendar; `nil` if it does not exist. Second 60 is a leap
  /// second.
  static func date(
    year: Int, month: Int, day: Int, hour: Int, minute: Int, second: Double
  ) -> Date? {
    guard (1...9999).contains(year), (1...12).contains(month),
      (1...days(inMonth: month, of: year)).contains(day), (0...23).contains(hour),
      (0...59).contains(minute), second >= 0, second < 61
    else { return nil }
    let seconds =
      dayNumber(year: year, month: month, day: day) * 86_400 + hour * 3_600 + minute * 60
    return Date(timeIntervalSince1970: Double(seconds) + second)
  }

  /// Parses a time in the format of RFC 3339, in UTC: `2026-04-30T11:48:20.10Z`.
  static func date(_ text: String) -> Date? {
    let bytes = Array(text.utf8)
    func figures(_ range: Range<Int>) -> Int? {
      let part = bytes[range]
      guard part.allSatisfy({ (0x30...0x39).contains($0) }) else { return nil }
      return part.reduce(0) { $0 * 10 + Int($1 - 0x30) }
    }
    guard (20...40).contains(bytes.count), bytes.last == UInt8(ascii: "Z"),
      bytes[4] == 0x2D, bytes[7] == 0x2D, bytes[10] == UInt8(ascii: "T"), bytes[13] == 0x3A,
      bytes[16] == 0x3A,
      let year = figures(0..<4), let month = figures(5..<7), let day = figures(8..<10),
      let hour = figures(11..<13), let minute = figures(14..<16), figures(17..<19) != nil,
      bytes.count == 20 || bytes[19] == 0x2E && figures(20..<bytes.count - 1) != nil,
      let second = Double(String(decoding: bytes[17..<bytes.count - 1], as: UTF8.self))
    else { return nil }
    return date(year: year, month: month, day: day, hour: hour, minute: minute, second: second)
  }

  private static func days(inMonth month: Int, of year: Int) -> Int {
    if month == 2 { return year % 4 == 0 && (year % 100 != 0 || year % 400 == 0) ? 29 : 28 }
    return [4, 6, 9, 11].contains(month) ? 30 : 31
  }

  /// Returns the days since 1 January 1970; years begin in March so that a leap day ends one.
  private static func dayNumber(year: Int, month: Int, day: Int) -> Int {
    let shifted = month > 2 ? year : year - 1
    let era = shifted / 400
    let yearOfEra = shifted - era * 400
    let dayOfYear = (153 * ((month + 9) % 12) + 2) / 5 + day - 1
    let dayOfEra = yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear
    return era * 146_097 + dayOfEra - 719_468
  }
}
