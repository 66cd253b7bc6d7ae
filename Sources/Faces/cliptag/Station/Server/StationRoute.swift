import CliptagBasics
import Foundation
import Invocation

/// A request that came to the station, checked and taken apart.
struct StationRequest: Sendable {
  let method: String
  /// The path without its parameters, percent-encoding removed from each part.
  let path: [String]
  let query: [String: String]
  /// The values of the names in the route's pattern.
  var parameters: [String: String] = [:]
  /// Headers by their names in small letters.
  let headers: [String: String]
  /// Empty until the request was permitted by its head.
  var body = Data()
  /// The party that asks.
  var party = Party.stranger
  /// The language of the page, as one of ``StationPages/languages``.
  var language = "en"

  /// The parties whose requests are counted together.
  enum Party: Hashable, Sendable {
    /// Any client that reaches the port.
    case stranger
    /// A session, by its key's hash. It is trusted when the request carried more than a browser's
    /// cookie.
    case session(String, isTrusted: Bool)
    /// All phones.
    case phones
  }

  /// The longest id of a place, in bytes.
  private static let longestID = 100

  /// A Boolean value that indicates whether the answer may contain recorded data.
  var isTrusted: Bool { if case .session(_, isTrusted: true) = party { true } else { false } }

  /// A parameter of the route's pattern.
  func parameter(_ name: String) -> String { parameters[name] ?? "" }

  /// Returns a value of the query.
  ///
  /// - Parameters:
  ///   - name: The parameter.
  ///   - expected: The expected value, for the answer to an invalid one.
  ///   - read: Reads the value.
  /// - Returns: `nil` without the parameter.
  /// - Throws: ``Failure`` that is answered with status 400.
  func query<Value>(
    _ name: String, _ expected: String, _ read: (String) -> Value?
  ) throws(Failure) -> Value? {
    guard let text = query[name] else { return nil }
    if let value = read(text) { return value }
    throw Failure(
      "malformed-request", .usage,
      "\(name) must be \(expected), not \(String(text.prefix(80)).printable).",
      hint: "See /api/openapi.json.")
  }

  /// A number of the query.
  func number(_ name: String, in range: ClosedRange<Int>) throws(Failure) -> Int? {
    try query(name, "a number from \(range.lowerBound) to \(range.upperBound)") { text in
      Int(text).flatMap { range.contains($0) ? $0 : nil }
    }
  }

  /// The position of the query; `nil` for none.
  ///
  /// - Throws: ``Failure`` that is answered with status 400.
  func position() throws(Failure) -> Coordinate? {
    guard let text = query["at"], !text.isEmpty else { return nil }
    return try query("at", "a latitude and a longitude in degrees, such as 37.3230,-122.0322") {
      PositionArgument(argument: $0)?.coordinate
    }
  }

  /// The accuracy of the query's position in metres; `nil` for none.
  ///
  /// - Throws: ``Failure`` that is answered with status 400.
  func accuracy() throws(Failure) -> Double? {
    guard let text = query["accuracy"], !text.isEmpty else { return nil }
    let worst = PositionOptions.worstAccuracy
    return try query("accuracy", "metres from 0 to \(Int(bounded: worst))") { text in
      Double(text).flatMap { (0...worst).contains($0) ? $0 : nil }
    }
  }

  /// The position of the query as evidence; `nil` for none.
  ///
  /// - Throws: ``Failure`` that is answered with status 400.
  func evidence() throws(Failure) -> LocationEvidence? {
    let accuracy = try accuracy()
    return try position().flatMap { position in
      LocationFix(
        coordinate: position, accuracy: accuracy ?? 0, origin: PositionOrigin(kind: .given))
    }.map(LocationEvidence.fix)
  }

  /// The place of the query, by its id; `nil` for none.
  ///
  /// - Throws: ``Failure`` that is answered with status 400.
  func place() throws(Failure) -> String? {
    try query("place", "the id of a place") { text in
      let isID =
        text.utf8.count <= Self.longestID
        && !text.unicodeScalars.contains { $0 == "/" || $0.properties.generalCategory == .control }
      return isID ? text : nil
    }.flatMap { $0.isEmpty ? nil : $0 }
  }

  /// The body as JSON of a shape.
  ///
  /// - Throws: ``Failure`` that says where it has another shape.
  func json<Value: Decodable>(_ type: Value.Type = Value.self) throws -> Value {
    do {
      return try JSONDecoder().decode(type, from: body.isEmpty ? Data("{}".utf8) : body)
    } catch let error as DecodingError {
      throw Failure(
        "malformed-request", .usage, "The request's JSON is not valid: \(error.place).",
        hint: "See /api/openapi.json.")
    }
  }

  /// The header that carries a name.
  func cookie(_ name: String) -> String? {
    for part in (headers["cookie"] ?? "").split(separator: ";") {
      let pair = part.split(separator: "=", maxSplits: 1)
      guard pair.count == 2, pair[0].trimmingCharacters(in: .whitespaces) == name else { continue }
      return pair[1].trimmingCharacters(in: .whitespaces)
    }
    return nil
  }
}

extension DecodingError {
  /// The mistake and its place, in a few words.
  fileprivate var place: String {
    let keys: [any CodingKey] =
      switch self {
      case .typeMismatch(_, let context), .valueNotFound(_, let context),
        .dataCorrupted(let context):
        context.codingPath
      case .keyNotFound(let key, let context): context.codingPath + [key]
      @unknown default: []
      }
    let path = keys.map(\.stringValue).joined(separator: ".")
    return path.isEmpty ? "it is malformed" : "\(path.printable) has another type or is missing"
  }
}

/// An answer of the station.
struct StationResponse: Sendable {
  enum Body: Sendable {
    case bytes(Data)
    /// Events that go on until the visitor leaves.
    case events(AsyncStream<Data>)
  }

  var status = 200
  var type = "application/json"
  /// Further headers.
  var headers: [(name: String, value: String)] = []
  var body: Body

  init(_ body: Data, type: String, status: Int = 200) {
    self.body = .bytes(body)
    self.type = type
    self.status = status
  }

  init(events: AsyncStream<Data>) {
    body = .events(events)
    type = "text/event-stream"
  }

  static func json(_ value: some Encodable, status: Int = 200) -> StationResponse {
    StationResponse(
      Data(JSONValue(result: value).line.utf8), type: "application/json", status: status)
  }

  static func redirect(to path: String) -> StationResponse {
    var response = StationResponse(Data(), type: "text/plain", status: 303)
    response.headers.append(("Location", path))
    return response
  }

  /// Returns a file for the client to save.
  static func download(_ bytes: [UInt8], type: String, named name: String) -> StationResponse {
    var response = StationResponse(Data(bytes), type: type)
    let plain = String(
      name.unicodeScalars.map {
        $0.isASCII && $0.value > 31 && $0 != "\"" && $0 != "\\" ? Character($0) : "_"
      })
    let encoded = name.addingPercentEncoding(withAllowedCharacters: .alphanumerics) ?? plain
    response.headers.append(
      ("Content-Disposition", "attachment; filename=\"\(plain)\"; filename*=UTF-8''\(encoded)"))
    return response
  }
}

/// A request that the station answers.
struct StationRoute: Sendable {
  /// The parties that may send the request.
  enum Access: Sendable {
    /// Any client that reaches the port: for answers that are the same for all and disclose
    /// nothing.
    case anybody
    /// A page of a browser that opened the link, which sends its secret, or a program that has a
    /// session.
    case session
    /// The same for what a page's address leads to (pictures, files, events), where no header can
    /// be sent.
    case document
    /// The same for a page itself, which a browser asks for with its cookie alone: it says nothing
    /// then that is on record.
    case page
    /// A phone, which has its short-lived link in the address.
    case phone
  }

  /// The size up to which a body is taken, in bytes.
  enum Size: Int, Sendable {
    /// A form of one or two fields.
    case form = 0x4000
    /// A request in JSON.
    case order = 0x10_0000
    /// JSON with a file of rows or a logo in it.
    case file = 0x200_0000
    /// A photograph.
    case picture = 0x400_0000
  }

  let method: String
  /// The path, in which a part that begins with a colon represents any single part.
  let pattern: String
  let access: Access
  let largestBody: Size
  let answer: @Sendable (StationRequest) async throws -> StationResponse

  /// - Parameter size: The largest body; usually that of an order, and of a form where anybody may
  ///   ask.
  init(
    _ method: String, _ pattern: String, for access: Access = .session, taking size: Size? = nil,
    _ answer: @escaping @Sendable (StationRequest) async throws -> StationResponse
  ) {
    self.method = method
    self.pattern = pattern
    self.access = access
    largestBody = size ?? (access == .anybody ? .form : .order)
    self.answer = answer
  }

  /// Returns the values of the names in the pattern for a path; `nil` for another path.
  func match(_ path: [String]) -> [String: String]? {
    let parts = pattern.split(separator: "/")
    guard parts.count == path.count else { return nil }
    var parameters: [String: String] = [:]
    for (part, value) in zip(parts, path) {
      if part.first == ":" {
        parameters[String(part.dropFirst())] = value
      } else if part != value {
        return nil
      }
    }
    return parameters
  }
}
