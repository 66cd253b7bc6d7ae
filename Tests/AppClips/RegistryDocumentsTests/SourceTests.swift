import CliptagBasics
import Foundation
import Invocation
import TestSupport
import Testing

@testable import RegistryDocuments

/// The readers of YAML and JSON under the rules of a registry.
@Suite("YAML and JSON")
struct SourceTests {
  private func json(_ text: String) -> (root: DocumentNode?, problems: [DocumentProblem]) {
    var problems: [DocumentProblem] = []
    return (JSONSource.parse(text, problems: &problems), problems)
  }

  private func yaml(_ text: String) -> (root: DocumentNode?, problems: [DocumentProblem]) {
    var problems: [DocumentProblem] = []
    return (YAMLSource.parse(text, problems: &problems), problems)
  }

  private func text(_ node: DocumentNode?) -> String? {
    if case .text(let text) = node?.value { text } else { nil }
  }

  @Test(
    "JSON's escapes are read (RFC 8259, section 7)",
    arguments: [
      (#""a\/b\\\"\b\f\n\r\t""#, "a/b\\\"\u{8}\u{C}\n\r\t"), (#""\uD83D\uDE00""#, "😀"),
      (#""\u00e9\u0041""#, "éA"), (#""😀é""#, "😀é"), ("\t\r\n \"a\" ", "a"),
    ])
  func escapes(source: String, value: String) { #expect(text(json(source).root) == value) }

  @Test(
    "what is not JSON is told at its place",
    arguments: [
      ("", 1, 1), ("{", 1, 2), ("[1,]", 1, 4), ("{\"a\":1,}", 1, 8), ("{a:1}", 1, 2),
      ("[01]", 1, 3), ("[1.]", 1, 2), ("[.5]", 1, 2), ("[+1]", 1, 2), ("[1e]", 1, 2),
      ("[-]", 1, 2), ("[1e999]", 1, 2), ("[nul]", 1, 2), ("[True]", 1, 2), ("\"a", 1, 3),
      (#""\x""#, 1, 2), (#""\u12""#, 1, 2), (#""\uD83D""#, 1, 2), (#""\uDE00""#, 1, 2),
      (#""\uD83Dx""#, 1, 2), ("\"a\tb\"", 1, 3), ("\"é😀\u{1}\"", 1, 4), ("[1]\n x", 2, 2),
      ("{\n  \"a\": 1\n  \"b\": 2\n}", 3, 3), ("// note\n{}", 1, 1), ("['a']", 1, 2),
    ])
  func notJSON(source: String, line: Int, column: Int) {
    let (root, problems) = json(source)
    #expect(root == nil)
    #expect(problems.map(\.line) == [line])
    #expect(problems.map(\.column) == [column])
  }

  @Test("nodes know their place in JSON, columns in scalars")
  func positions() throws {
    let (root, _) = json("{\"é\": [1,\n  {\"b\": true}]}")
    guard case .mapping(let entries) = root?.value, case .list(let items) = entries[0].value.value
    else {
      Issue.record("not the expected shape")
      return
    }
    #expect(entries[0].position == .init(line: 1, column: 2))
    #expect(entries[0].value.position == .init(line: 1, column: 7))
    #expect(items.map(\.position) == [.init(line: 1, column: 8), .init(line: 2, column: 3)])
  }

  @Test("deep nesting is refused, not followed")
  func depth() {
    for text in [String(repeating: "[", count: 100_000), String(repeating: "{\"a\":", count: 999)] {
      #expect(json(text).root == nil)
      #expect(json(text).problems.count == 1)
    }
    for text in [
      String(repeating: "[", count: 900) + String(repeating: "]", count: 900),
      String(repeating: "[", count: 100_000), String(repeating: "- ", count: 900) + "a",
    ] {
      #expect(!yaml(text).problems.isEmpty)
    }
  }

  @Test("a document that unfolds to billions of nodes is refused at once")
  func bomb() {
    var text = "a0: &a0 [x, x, x, x, x, x, x, x, x, x]\n"
    for level in 1...9 {
      let items = Array(repeating: "*a\(level - 1)", count: 10).joined(separator: ", ")
      text += "a\(level): &a\(level) [\(items)]\n"
    }
    #expect(yaml(text).problems.count == 1)
    // Fewer aliases than the limit, but more nodes than the file has bytes.
    var narrow = "a0: &a0 [\(String(repeating: "x, ", count: 500))x]\n"
    for level in 1...7 {
      narrow += "a\(level): &a\(level) [*a\(level - 1), *a\(level - 1), *a\(level - 1)]\n"
    }
    #expect(yaml(narrow).problems.count == 1)
    // As keys, which are compared whole.
    #expect(!yaml(text + "? *a9\n: 1\n? *a9\n: 2\n").problems.isEmpty)
  }

  @Test(
    "aliases behind any line break that YAML knows are counted",
    arguments: ["\u{85}", "\u{2028}", "\u{2029}"])
  func otherLineBreaks(lineBreak: String) {
    var text = "a0: &a0 [x, x]\n"
    for level in 1...20 {
      text += "a\(level): &a\(level) [\(lineBreak)*a\(level - 1),\(lineBreak)*a\(level - 1)]\n"
    }
    let problems = yaml(text).problems
    #expect(problems.count == 1 && problems[0].message.contains("more than 24 YAML aliases"))
  }

  @Test("a large file full of duplicate keys is read a few times, not a hundred")
  func manyDuplicates() {
    let pair = "  a: \(String(repeating: "x", count: 80))\n"
    let text = "top:\n" + String(repeating: pair, count: 10_000)
    let problems = yaml(text).problems
    #expect(problems.contains { $0.message.contains("4 keys or more are duplicates") })
  }

  @Test("a few aliases are followed")
  func aliases() throws {
    let region = "{ latitude: 1, longitude: 2, radius: 3 }"
    let text = """
      places:
        - { id: a, name: A, region: &here \(region) }
        - { id: b, name: B, region: *here }
      """
    let places = try RegistryDocument.read(Data(text.utf8), as: .yaml).document.places
    #expect(places.map(\.id) == ["a", "b"])
    #expect(places[0].region == places[1].region)
  }

  @Test("the language NO is a text, and only true and false are truth values")
  func plainScalars() {
    func kind(_ text: String) -> String { DocumentNode.Value.plainYAML(text).name }
    for text in ["NO", "no", "yes", "On", "12:30", "1_000", "0x1F", "2026-11-21", "e", "nan"] {
      #expect(kind(text) == "text", "\(text)")
    }
    for text in ["1", "-1.5", "+.5e-3", "007", "1."] { #expect(kind(text) == "number", "\(text)") }
    for text in ["true", "False"] { #expect(kind(text) == "flag", "\(text)") }
    for text in ["", "~", "null"] { #expect(kind(text) == "nothing", "\(text)") }
  }

  @Test(
    "what is not YAML is told at its place",
    arguments: [
      ("clips:\n\t- a: 1\n", 2, "tab"), ("a: [1, 2\nb: 3\n", 2, "not YAML"),
      ("a: b: c\n", 1, "not YAML"), ("a: \"x\n", 2, "not YAML"), ("a: *x\n", 1, "alias"),
      ("a: 1\n---\nb: 2\n", 2, "document"), ("a: !secret x\n", 1, "tag"),
      ("? [a]\n: 1\n", 1, "plain string"), ("a: 1\n\u{1}: 2\n", 2, "not YAML"),
    ])
  func notYAML(source: String, line: Int, words: String) {
    let problems = yaml(source).problems
    #expect(problems.map(\.line) == [line], "\(problems)")
    #expect(problems.first?.message.contains(words) == true, "\(problems)")
  }

  @Test("no text of any kind stops the readers", arguments: 0..<4)
  func fuzz(seed: UInt64) throws {
    var generator = SeededGenerator(seed: seed)
    let sample = Array(try SampleTests.sample("city").prefix(1_500))
    let noise = Array("{}[]:,&*!|>'\"#%@`?-\n\t \\u0/é~<".utf8)
    for _ in 0..<150 {
      var bytes = sample
      for _ in 0..<Int.random(in: 1...6, using: &generator) {
        let index = Int.random(in: 0..<bytes.count, using: &generator)
        switch Int.random(in: 0..<3, using: &generator) {
        case 0: bytes[index] = noise.randomElement(using: &generator)!
        case 1: bytes.remove(at: index)
        default: bytes.insert(UInt8.random(in: 0...255, using: &generator), at: index)
        }
      }
      for format in RegistryDocument.Format.allCases {
        _ = try? RegistryDocument.read(Data(bytes), as: format)
      }
      let document = String(decoding: bytes, as: UTF8.self)
      _ = json(document.replacing("\n", with: ",").replacing(": ", with: "\":\""))
    }
  }
}

extension DocumentNode.Value {
  fileprivate var name: String {
    switch self {
    case .text: "text"
    case .number: "number"
    case .flag: "flag"
    case .nothing: "nothing"
    case .list: "list"
    case .mapping: "mapping"
    }
  }
}
