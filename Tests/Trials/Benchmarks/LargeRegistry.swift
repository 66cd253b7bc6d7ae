import Foundation

/// A registry of many experiences, as files to import and URLs to check against it.
struct LargeRegistry {
  let experiences: Int

  private static let perHost = 1000
  /// The most experiences in one file.
  private static let perFile = 100_000

  /// The files in JSON, one after another, with clips of a thousand experiences each.
  var files: some Sequence<String> {
    stride(from: 0, to: experiences, by: Self.perFile).lazy.map { first in
      json(first..<min(first + Self.perFile, experiences))
    }
  }

  private func json(_ range: Range<Int>) -> String {
    let clips = stride(from: range.lowerBound, to: range.upperBound, by: Self.perHost).map {
      first in
      let number = first / Self.perHost
      let links = (first..<min(first + Self.perHost, range.upperBound)).map { index in
        """
        {"link":"\(link(index))","title":"Shop \(index)",\
        "subtitle":"Order","action":"OPEN","place":{"id":"place\(index % 100)"}}
        """
      }
      return """
        {"clip":"com.example.shop\(number).Clip","app":"com.example.shop\(number)",\
        "team":"ABCDE12345","domains":["shop\(number).example.com"],\
        "locationConfirmation":true,"experiences":[\(links.joined(separator: ",\n"))]}
        """
    }
    let places = (0..<min(100, experiences)).map { index in
      """
      {"id":"place\(index)","name":"Place \(index)","region":{"latitude":\(40 + Double(index) / 10),\
      "longitude":-120.5,"radius":100}}
      """
    }
    return """
      {"clips":[\(clips.joined(separator: ",\n"))],"places":[\(places.joined(separator: ",\n"))]}
      """
  }

  /// The link of one experience.
  func link(_ index: Int) -> String {
    "https://shop\(index / Self.perHost).example.com/order/\(index)"
  }

  /// A URL that one experience covers.
  func url(_ index: Int) -> String { link(index) + "/table/7" }

  /// Writes many URLs, one per line, spread over all experiences.
  func writeURLs(_ count: Int, to path: String) throws {
    _ = FileManager.default.createFile(atPath: path, contents: nil)
    guard let file = FileHandle(forWritingAtPath: path) else {
      throw BenchmarkError("\(path) cannot be written")
    }
    defer { try? file.close() }
    for first in stride(from: 0, to: count, by: 10_000) {
      let lines = (first..<min(first + 10_000, count)).map { url($0 * 7919 % experiences) + "\n" }
      try file.write(contentsOf: Data(lines.joined().utf8))
    }
  }
}
