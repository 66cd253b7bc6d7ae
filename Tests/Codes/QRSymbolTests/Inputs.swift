import CliptagBasics
import Foundation
import TestSupport
import Testing

/// The rows of a tab-separated vector file; lines that begin with `#` name its source.
func vectors(_ name: String) throws -> [[String]] {
  let file = try #require(
    Bundle.module.url(forResource: name, withExtension: "tsv", subdirectory: "Vectors"))
  return try String(contentsOf: file, encoding: .utf8).split(separator: "\n")
    .filter { !$0.hasPrefix("#") }
    .map { $0.split(separator: "\t").map(String.init) }
}

/// Kinds of URLs that people print, a thousand of each at hand.
enum URLFamily: String, CaseIterable, Sendable {
  case wordsAndNumber = "words and a number"
  case lowercaseUUID = "UUID in small letters"
  case uppercaseUUID = "UUID in capitals"
  case token = "random tokens"
  case identifier = "?id= and digits"
  case capitals = "path in capitals"
  case escapes = "percent-escapes"
  case appClip = "appclip.apple.com"

  /// Different URLs, the same ones each time.
  func urls(_ count: Int) -> [String] {
    var generator = SeededGenerator(seed: UInt64(rawValue.utf8.count))
    var seen: Set<String> = []
    var urls: [String] = []
    while urls.count < count {
      let url = url(&generator)
      if seen.insert(url).inserted { urls.append(url) }
    }
    return urls
  }

  private func url(_ generator: inout SeededGenerator) -> String {
    func word() -> String { Self.words.randomElement(using: &generator) ?? "" }
    func number(_ digits: ClosedRange<Int>) -> String {
      text(of: "0123456789", count: Int.random(in: digits, using: &generator), &generator)
    }
    let host = "https://\(word()).example.com"
    switch self {
    case .wordsAndNumber: return "\(host)/\(word())/\(word())/\(number(1...6))"
    case .lowercaseUUID: return "\(host)/t/\(uuid("abcdef", &generator))"
    case .uppercaseUUID: return "\(host)/t/\(uuid("ABCDEF", &generator))"
    case .token:
      let letters = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_"
      let count = Int.random(in: 6...24, using: &generator)
      return "\(host)/\(text(of: letters, count: count, &generator))"
    case .identifier: return "\(host)/\(word())?id=\(number(4...16))"
    case .capitals:
      let letters = "ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789"
      let count = Int.random(in: 4...16, using: &generator)
      return "\(host)/T/\(text(of: letters, count: count, &generator))"
    case .escapes:
      let bytes = (0..<Int.random(in: 3...9, using: &generator)).map { _ in
        "%" + text(of: "89ABCDEF", count: 1, &generator)
          + text(of: "0123456789ABCDEF", count: 1, &generator)
      }
      return "\(host)/\(word())/\(bytes.joined())"
    case .appClip:
      return "https://appclip.apple.com/id?p=com.example.\(word()).Clip&\(word())=\(number(1...6))"
    }
  }

  private func uuid(_ letters: String, _ generator: inout SeededGenerator) -> String {
    [8, 4, 4, 4, 12].map { text(of: "0123456789" + letters, count: $0, &generator) }
      .joined(separator: "-")
  }

  private func text(
    of characters: String, count: Int, _ generator: inout SeededGenerator
  ) -> String {
    let characters = Array(characters)
    return String((0..<count).map { _ in characters.randomElement(using: &generator) ?? "0" })
  }

  private static let words = [
    "fruta", "menu", "table", "order", "shop", "parking", "rental", "scooter", "museum", "gate",
    "cupertino", "station", "bike", "ticket", "lunch", "coffee", "charge", "hotel", "room", "tour",
  ]
}
