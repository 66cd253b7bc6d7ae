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

  @Test("the only name that contains the typed one is meant")
  func part() { #expect(names.nearest(to: "itt") == "mitte") }

  @Test(
    "nothing is suggested for another word, an empty one, or a very long one",
    arguments: ["frobnicate", "", "x", String(repeating: "scan", count: 100)])
  func far(typed: String) { #expect(names.nearest(to: typed) == nil) }
}
