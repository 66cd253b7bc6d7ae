import Foundation
import Testing

/// The schemas are made from the types of results. After a change of those, `make schemas` writes
/// them anew; `make docs` makes the manual's page of results from them.
@Suite("The schemas of results") struct ResultSchemaTests {
  private static let isWriting =
    ProcessInfo.processInfo.environment["CLIPTAG_WRITE_SCHEMAS"] == "1"

  private static let schemas = Result {
    try ResultSchemas(
      ResultTypes(
        swiftFiles(below: sources.appending(path: "Jobs/Jobs"))
          + swiftFiles(below: sources.appending(path: "Faces/cliptag"))))
  }

  @Test("the document of the station's interface has the schemas of the types, one a line")
  func document() throws {
    let file = sources.appending(path: "Faces/CStationPage/page/openapi.json")
    let current = try String(contentsOf: file, encoding: .utf8)
    // They follow those that only the station has.
    let start = try #require(current.range(of: "   \"Result\": {"))
    let wanted =
      try current[..<start.lowerBound] + Self.schemas.get().json() + "\n  }\n }\n}\n"
    guard Self.isWriting else {
      // An expectation about the texts would print both.
      let place = zip(current.split(separator: "\n"), wanted.split(separator: "\n"))
        .first { $0 != $1 }.map { $0.1.prefix { $0 != "{" } }
      let isCurrent = current == wanted
      #expect(isCurrent, "run make schemas; the first that differs: \(place ?? "the end")")
      return
    }
    try wanted.write(to: file, atomically: true, encoding: .utf8)
  }

  /// The members that the parser reads from the declaration of one type.
  private static func members(_ declaration: String) throws -> [ResultTypes.Member] {
    try ResultTypes([(name: "A.swift", text: declaration)]).object("A").members
  }

  @Test("a property is a key with its type, its meaning and the values that it lists")
  func properties() throws {
    let members = try Self.members(
      """
      /// The `a` object.
      public struct A: Encodable, Sendable {
        /// The type of the object.
        public let type = "a"
        /// `near` or `far`; `nil` without a place.
        public let place: String?
        let hidden: Int
        /// Twice the number.
        var twice: Int { hidden * 2 }

        private enum CodingKeys: String, CodingKey {
          case type
          case place = "where"
        }
      }
      """)
    #expect(members.map(\.key) == ["type", "where"])
    #expect(members.map(\.constant) == ["\"a\"", nil])
    #expect(members.map(\.type) == ["String", "String?"])
    #expect(members[1].values == ["near", "far"])
  }

  @Test("a key that is encoded on a condition is not required")
  func conditions() throws {
    let members = try Self.members(
      """
      struct A: Encodable {
        /// One.
        let one: Int
        /// Two.
        let two: Int?

        func encode(to encoder: any Encoder) throws {
          var values = encoder.container(keyedBy: CodingKeys.self)
          try values.encode(one, forKey: .one)
          guard let two else { return }
          try values.encode(two, forKey: .two)
        }
      }
      """)
    #expect(members.map(\.isOptional) == [false, true])
  }

  @Test(
    "a declaration that is not understood is refused",
    arguments: [
      "  let one: Int", "  /// One.\n  let one = Other.value",
      """
        /// One.
        let one: Int

        func encode(to encoder: any Encoder) throws {
          try one.write(to: encoder)
        }
      """,
    ])
  func refused(_ body: String) throws {
    #expect(throws: ResultTypes.Trouble.self) {
      try Self.members("struct A: Encodable {\n\(body)\n}")
    }
  }
}
