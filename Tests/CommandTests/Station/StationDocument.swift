import Foundation
import Testing

/// The document of the station's interface, to which every answer in the tests is held.
struct StationDocument: Sendable {
  /// One method of a path.
  struct Operation: Sendable, CustomTestStringConvertible {
    let method: String
    let path: String
    let json: JSON

    var testDescription: String { "\(method) \(path)" }

    /// The statuses that it answers with.
    var statuses: Set<Int> { Set(json["responses"].keys.compactMap { Int($0) }) }

    /// The shape of its body, if that is JSON.
    var body: JSON { json["requestBody"]["content"]["application/json"]["schema"] }

    func parameters(in place: String) -> [JSON] {
      json["parameters"].elements.filter { $0["in"].text == place }
    }

    /// The path with a name for each of its parameters.
    func path(naming name: String) -> String {
      path.split(separator: "/", omittingEmptySubsequences: false)
        .map { $0.first == "{" ? name : String($0) }.joined(separator: "/")
    }

    fileprivate func matches(_ method: String, _ parts: [Substring]) -> Bool {
      let own = path.split(separator: "/")
      return method == self.method && own.count == parts.count
        && zip(own, parts).allSatisfy { $0.first == "{" || $0 == $1 }
    }
  }

  let operations: [Operation]

  static let own = Result {
    let bytes = FileManager.default.contents(
      atPath: Repository.path("Sources/CStationPage/page/openapi.json"))
    let paths = try JSON(parsing: String(decoding: bytes ?? Data(), as: UTF8.self))["paths"]
    return StationDocument(
      operations: paths.keys.sorted().flatMap { path in
        paths[path].keys.sorted().map { method in
          Operation(method: method.uppercased(), path: path, json: paths[path][method])
        }
      })
  }

  /// Records an issue for an answer with a status that the document does not name.
  static func check(_ method: String, _ target: String, _ status: Int) throws {
    let parts = target.prefix { $0 != "?" }.split(separator: "/")
    let matching = try own.get().operations.filter { $0.matches(method, parts) }
    // A path with fixed names precedes one with a parameter in their place.
    guard
      let operation = matching.min(by: {
        $0.path.filter { $0 == "{" }.count < $1.path.filter { $0 == "{" }.count
      })
    else { return }
    #expect(
      operation.statuses.contains(status), "\(method) \(target) answers \(status)")
  }
}
