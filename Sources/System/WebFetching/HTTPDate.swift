import CliptagBasics
#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// A parser for dates of HTTP (RFC 9110, 5.6.7), in the form that servers send today: `Sun, 06 Nov
/// 1994 08:49:37 GMT`.
package enum HTTPDate {
  private static let months = [
    "Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec",
  ]

  /// Returns the seconds since 1970; `nil` for another form.
  package static func secondsSince1970(_ text: String) -> Int? {
    let words = text.split(separator: " ")
    guard words.count == 6, words[5] == "GMT", let day = Int(words[1]), let year = Int(words[3]),
      let month = months.firstIndex(of: String(words[2])), (1...31).contains(day),
      (1970...9999).contains(year)
    else { return nil }
    let clock = words[4].split(separator: ":").compactMap { Int($0) }
    guard clock.count == 3, clock.allSatisfy({ (0...60).contains($0) }) else { return nil }
    var components = DateComponents()
    (components.year, components.month, components.day) = (year, month + 1, day)
    (components.hour, components.minute, components.second) = (clock[0], clock[1], clock[2])
    var calendar = Calendar(identifier: .gregorian)
    calendar.timeZone = .gmt
    return calendar.date(from: components).map { Int(bounded: $0.timeIntervalSince1970) }
  }
}
