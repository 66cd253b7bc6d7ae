#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif

/// The properties of a server's certificate, as reported by libcurl.
public struct CertificateFacts: Sendable, Hashable {
  /// The subject, for example `CN = example.com`.
  public let subject: String
  /// The issuer.
  public let issuer: String
  /// The beginning of its validity; `nil` if it cannot be parsed.
  public let validFrom: Date?
  /// The end of its validity; `nil` if it cannot be parsed.
  public let validUntil: Date?
  /// The host names that it covers, including wildcards such as `*.example.com`.
  public let hosts: [String]
}

extension CertificateFacts {
  /// Parses libcurl's lines, each `Name:value`.
  init(lines: [String]) {
    var values: [Substring: Substring] = [:]
    for line in lines {
      guard let colon = line.firstIndex(of: ":") else { continue }
      values[line[..<colon]] = line[line.index(after: colon)...]
    }
    let names = values["X509v3 Subject Alternative Name"] ?? ""
    self.init(
      subject: String(values["Subject"] ?? ""), issuer: String(values["Issuer"] ?? ""),
      validFrom: values["Start date"].flatMap(Self.date),
      validUntil: values["Expire date"].flatMap(Self.date),
      hosts: names.split(separator: ",").compactMap { part in
        let name = part.drop { $0 == " " }
        return name.hasPrefix("DNS:") ? String(name.dropFirst(4)) : nil
      })
  }

  private static let months = [
    "Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec",
  ]

  /// Parses a time as OpenSSL prints it: `Nov 22 06:32:36 2026 GMT`, the day padded with a blank.
  static func date(_ text: Substring) -> Date? {
    let words = text.split(separator: " ")
    guard words.count == 5, words[4] == "GMT",
      let month = months.firstIndex(of: String(words[0])),
      let day = Int(words[1]), let year = Int(words[3]),
      (1...31).contains(day), (1...9999).contains(year)
    else { return nil }
    let clock = words[2].split(separator: ":").compactMap { Int($0) }
    guard clock.count == 3 else { return nil }
    var components = DateComponents()
    (components.year, components.month, components.day) = (year, month + 1, day)
    (components.hour, components.minute, components.second) = (clock[0], clock[1], clock[2])
    var calendar = Calendar(identifier: .gregorian)
    calendar.timeZone = .gmt
    return calendar.date(from: components)
  }
}
