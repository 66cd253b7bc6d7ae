import Foundation
import Testing

/// The schemas and the article are made from the types of results. After a change of those,
/// `make schemas` writes both anew.
@Suite("The schemas of results") struct ResultSchemaTests {
  private static let isWriting =
    ProcessInfo.processInfo.environment["CLIPTAG_WRITE_SCHEMAS"] == "1"

  private static let schemas = Result {
    try ResultSchemas(
      ResultTypes(
        swiftFiles(below: sources.appending(path: "Jobs"))
          + swiftFiles(below: sources.appending(path: "cliptag"))))
  }

  /// Compares a file with the text that it has to be, or writes it.
  private static func check(_ path: String, _ text: (String) throws -> String) throws {
    let file = sources.appending(path: path)
    let current = (try? String(contentsOf: file, encoding: .utf8)) ?? ""
    let wanted = try text(current)
    guard isWriting else {
      // An expectation about the texts would print both.
      let place = zip(current.split(separator: "\n"), wanted.split(separator: "\n"))
        .first { $0 != $1 }
      let isCurrent = current == wanted
      #expect(isCurrent, "\(path): run make schemas; \(place.map { "\($0)" } ?? "its end differs")")
      return
    }
    try wanted.write(to: file, atomically: true, encoding: .utf8)
  }

  @Test("the document of the station's interface has the schemas of the types")
  func document() throws {
    let schemas = try Self.schemas.get().json()
    try Self.check("CStationPage/page/openapi.json") { current in
      // They follow those that only the station has.
      let start = try #require(current.range(of: "   \"Result\": {"))
      return current[..<start.lowerBound] + schemas + "\n  }\n }\n}\n"
    }
  }

  @Test("the manual lists every key of the types with its meaning")
  func article() throws {
    let article = try Self.schemas.get().article()
    try Self.check("cliptag/cliptag.docc/Results.md") { _ in article }
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
