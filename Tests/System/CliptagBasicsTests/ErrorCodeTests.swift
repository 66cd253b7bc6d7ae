import CliptagBasics
import Testing

@Suite("Codes of errors")
struct ErrorCodeTests {
  private struct Code: FailureCode {
    let definition: CodeDefinition
    var rawValue: String { definition.name }
    init(_ definition: CodeDefinition) { self.definition = definition }

    static let lost = Self("thing-lost", .exchangeFailed, "The thing left.")
    static let kept = Self("thing-kept", [.unavailable, .badSetting], "The thing stayed.")
    static let all: [Self] = [.lost, .kept]
  }

  /// A code of a program that uses the libraries.
  private struct OtherCode: ErrorCode {
    let rawValue: String
  }

  @Test("a type of codes needs no more than a name")
  func nameAlone() {
    #expect(OtherCode(rawValue: "thing-lost").meaning.isEmpty)
    #expect(OtherCode(rawValue: "thing-lost") == OtherCode(rawValue: "thing-lost"))
    #expect("\(OtherCode(rawValue: "thing-lost"))" == "thing-lost")
  }

  @Test("a code that is made from its name has the declared statuses and meaning")
  func declared() {
    let code = Code(rawValue: "thing-kept")
    #expect(code.definition.statuses == [.unavailable, .badSetting])
    #expect(code.status == .unavailable)
    #expect(code.meaning == "The thing stayed.")
    #expect("\(code)" == "thing-kept")
  }

  @Test("two codes are equal when their names are, whatever they mean")
  func equality() {
    let other = Code("thing-lost", .usage, "Another meaning.")
    #expect(other == .lost)
    #expect(Set([other, .lost, .kept]).count == 2)
    #expect(Code.lost != .kept)
  }

  @Test("a name that is not declared makes a code without a meaning")
  func unknown() {
    let code = Code(rawValue: "of-a-later-version")
    #expect(code.rawValue == "of-a-later-version")
    #expect(code.meaning.isEmpty)
    #expect(code.status == .unavailable)
  }
}
