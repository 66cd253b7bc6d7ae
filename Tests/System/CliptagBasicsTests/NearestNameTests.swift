import Testing

@testable import CliptagBasics

@Suite("The nearest name")
struct NearestNameTests {
  private let names = ["scan", "check", "poster", "code", "clipcode", "mitte"]

  @Test(
    "a letter added, omitted, replaced or exchanged is forgiven, and case",
    arguments: [
      ("scna", "scan"), ("chekc", "check"), ("postr", "poster"), ("CODE", "code"),
      ("mite", "mitte"),
    ])
  func near(typed: String, meant: String) { #expect(names.nearest(to: typed) == meant) }

  @Test("names that contain the typed one, or are part of it, are meant if no other is near")
  func part() {
    #expect(names.meant(by: "itt") == ["mitte"])
    #expect(names.meant(by: "checks-all") == ["check"])
    #expect(names.meant(by: "code") == ["code"])
    #expect(names.nearest(to: "itt") == nil)
  }

  @Test(
    "nothing is suggested for another word, an empty one, or a very long one",
    arguments: ["frobnicate", "", "x", String(repeating: "scan", count: 100)])
  func far(typed: String) { #expect(names.meant(by: typed) == []) }

  @Test("the question names all that may be meant, and nothing without names")
  func question() {
    #expect(["mitte"].didYouMean == "Did you mean “mitte”?")
    #expect(["a", "b", "c"].didYouMean == "Did you mean “a”, “b” or “c”?")
    #expect([String]().didYouMean == "")
  }
}
