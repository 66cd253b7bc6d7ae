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
  private let components: JSON

  static let own = Result {
    let bytes = FileManager.default.contents(
      atPath: Repository.path("Sources/Faces/CStationPage/page/openapi.json"))
    let document = try JSON(parsing: String(decoding: bytes ?? Data(), as: UTF8.self))
    let paths = document["paths"]
    return StationDocument(
      operations: paths.keys.sorted().flatMap { path in
        paths[path].keys.sorted().map { method in
          Operation(method: method.uppercased(), path: path, json: paths[path][method])
        }
      }, components: document["components"])
  }

  /// Returns the answer that the document states for a status.
  private func response(_ operation: Operation, _ status: Int) -> JSON {
    let response = operation.json["responses"]["\(status)"]
    guard let name = response["$ref"].text?.split(separator: "/").last else { return response }
    return components["responses"][String(name)]
  }

  /// Records an issue for an answer with a status that the document does not name, or of another
  /// shape.
  static func check(_ method: String, _ target: String, _ answer: LoopbackHTTP.Answer) throws {
    let parts = target.prefix { $0 != "?" }.split(separator: "/")
    let matching = try own.get().operations.filter { $0.matches(method, parts) }
    // A path with fixed names precedes one with a parameter in their place.
    guard
      let operation = matching.min(by: {
        $0.path.filter { $0 == "{" }.count < $1.path.filter { $0 == "{" }.count
      })
    else { return }
    let status = answer.status
    #expect(
      operation.statuses.contains(status), "\(method) \(target) answers \(status)")
    guard answer.header("content-type") == "application/json" else { return }
    let response = try own.get().response(operation, status)
    let schema = response["content"]["application/json"]["schema"]
    let problems = try Schemas.own.get().problems(of: try answer.json, schema)
    #expect(problems.isEmpty, "\(method) \(target): \(problems.joined(separator: "; "))")
  }
}
