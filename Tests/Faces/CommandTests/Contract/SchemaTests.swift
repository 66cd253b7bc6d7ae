import Testing

/// The schemas that every line of output is held to (`Schemas`): that they would find a difference.
@Suite("Schemas hold the output to the contract") struct SchemaTests {
  private static func problems(_ text: String) throws -> [String] {
    try Schemas.own.get().problems(of: try JSON(parsing: text), named: "Result")
  }

  private static let counter =
    #"{"type":"counter","uid":"04","counter":7,"seen":"2026","forgotten":false,"dryRun":false"#

  @Test("a line with every key and no other fits")
  func fits() throws {
    #expect(try Self.problems(Self.counter + "}") == [])
  }

  @Test("a key that is not in the schema, or is missing, or has another type or value is found")
  func differences() throws {
    let counter = Self.counter
    #expect(
      try Self.problems(counter + #","more":1}"#) == ["Result.more is not in the schema"])
    #expect(
      try Self.problems(counter.replacing(#""uid":"04","#, with: "") + "}")
        == ["Result.uid is missing"])
    for (right, wrong) in [("7", "7.5"), (#""04""#, "null"), ("false", "0")] {
      #expect(try Self.problems(counter.replacing(right, with: wrong) + "}").isEmpty == false)
    }
    #expect(try !Self.problems(#"{"type":"nothing"}"#).isEmpty)
    let finding = #"{"type":"finding","code":"a","severity":"grave","message":""}"#
    #expect(try Self.problems(finding).count == 1)
  }
}
