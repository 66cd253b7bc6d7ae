import Foundation

/// A registry of many experiences, as a file to import, and URLs to check against it.
struct LargeRegistry {
  let experiences: Int

  private static let perHost = 1000

  /// JSON: clips of a thousand experiences each.
  var json: String {
    let clips = stride(from: 0, to: experiences, by: Self.perHost).map { first in
      let number = first / Self.perHost
      let links = (first..<min(first + Self.perHost, experiences)).map { index in
        """
        {"link":"https://shop\(number).example.com/order/\(index)","title":"Shop \(index)",\
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

  /// The URL of one experience.
  func url(_ index: Int) -> String {
    "https://shop\(index / Self.perHost).example.com/order/\(index)/table/7"
  }

  /// Many URLs, a line each, spread over all experiences.
  func urls(_ count: Int) -> String {
    (0..<count).map { url($0 * 7919 % experiences) }.joined(separator: "\n") + "\n"
  }
}
