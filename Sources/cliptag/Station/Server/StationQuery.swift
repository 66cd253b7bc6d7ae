import Invocation

extension StationRequest {
  /// A value of the query.
  ///
  /// - Parameters:
  ///   - name: The parameter.
  ///   - expected: What it takes, for the answer to one that is none.
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
      "\(name) takes \(expected); got \(String(text.prefix(80)).printable).",
      hint: "See /api/openapi.json.")
  }

  /// A number of the query.
  func number(_ name: String, in range: ClosedRange<Int>) throws(Failure) -> Int? {
    try query(name, "a number from \(range.lowerBound) to \(range.upperBound)") { text in
      Int(text).flatMap { range.contains($0) ? $0 : nil }
    }
  }
}
