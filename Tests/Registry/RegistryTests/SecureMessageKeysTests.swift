import CliptagBasics
import Foundation
import Invocation
import Registry
import TagAuthenticity
import TestSupport
import Testing

/// Key files: their contents, and the problems reported.
@Suite("Key files") struct SecureMessageKeysTests {
  private static let secret = "DEADBEEF00112233445566778899AABB"

  private static let whole = """
    messages:
      - prefix: https://fruta.example.com/order
        piccData: e
        mac: c
        metaReadKey: "00000000000000000000000000000000"
        fileReadKey: "\(secret)"
      - prefix: https://fruta.example.com/order/cupertino
        uid: u
        counter: n
        fileData: enc
        mac: m
        macFrom: 8
        fileReadKey: "\(secret)"
    """

  private func read(_ text: String) throws -> SecureMessageKeys {
    try SecureMessageKeys.read(Data(text.utf8))
  }

  /// Returns the problems of a file, as `line:column: message`.
  private func problems(_ text: String) -> [String] {
    do throws(RegistryError) {
      _ = try SecureMessageKeys.read(Data(text.utf8))
      return []
    } catch {
      #expect(error.code == .invalidDocument)
      for text in [error.description] + error.problems.map(\.message) {
        #expect(!text.uppercased().contains("DEADBEEF"), "a key is in: \(text)")
      }
      return error.problems.map(\.description)
    }
  }

  @Test("both kinds of messages are read, with their parameters")
  func reading() throws {
    let entries = try read(Self.whole).entries
    try #require(entries.count == 2)
    #expect(entries[0].configuration.parameters == ["e", "c"])
    #expect(entries[0].configuration.macBeginning == .nowhere)
    #expect(entries[1].configuration.parameters == ["u", "n", "enc", "m"])
    #expect(entries[1].configuration.macBeginning == .byte(8))
  }

  @Test("where the MAC begins is a number, a query item, or the file data")
  func macBeginning() throws {
    let named = try read(Self.whole.replacing("macFrom: 8", with: "macFrom: u"))
    #expect(named.entries[1].configuration.macBeginning == .value(parameter: "u"))
    let implied = try read(Self.whole.replacing("    macFrom: 8\n", with: ""))
    #expect(implied.entries[1].configuration.macBeginning == .value(parameter: "enc"))
    #expect(problems(Self.whole.replacing("macFrom: 8", with: "macFrom: -1")).count == 1)
    #expect(problems(Self.whole.replacing("macFrom: 8", with: "macFrom: 1.5")).count == 1)
  }

  @Test("keys of single tags are diversified by what follows the UID, if anything does")
  func diversification() throws {
    func input(_ value: String) throws -> [UInt8]? {
      try read(Self.whole.replacing("macFrom: 8", with: "diversify: \(value)"))
        .entries[1].configuration.diversificationInput
    }
    #expect(try input("true") == [])
    #expect(try input("false") == nil)
    #expect(try input("\"3042f5\"") == [0x30, 0x42, 0xF5])
    for bad in ["\"3042F\"", "\"3G\"", "\"é0\"", "12", "\"\(String(repeating: "00", count: 25))\""]
    {
      #expect(problems(Self.whole.replacing("macFrom: 8", with: "diversify: \(bad)")).count == 1)
    }
  }

  @Test("keys for tags are read with their version and the former ones, and only with a master key")
  func provisioning() throws {
    func file(_ rest: String, master: String = "0123456789ABCDEF0123456789ABCDEF") -> String {
      """
      messages:
        - prefix: https://fruta.example.com/order
          piccData: e
          mac: c
          metaReadKey: "11111111111111111111111111111111"
          fileReadKey: "\(Self.secret)"
          masterKey: "\(master)"
          diversify: true
      \(rest)
      """
    }
    let former = """
          keyVersion: 7
          former:
            - masterKey: "22222222222222222222222222222222"
              fileReadKey: "33333333333333333333333333333333"
              metaReadKey: "44444444444444444444444444444444"
              keyVersion: 6
      """
    let keys = try #require(try read(file(former)).entries[0].provisioning)
    #expect(keys.keys.version == 7 && keys.keys.diversificationInput == [])
    #expect(keys.former.map(\.version) == [6])
    #expect(keys.former[0].diversificationInput == nil)
    #expect(try read(file("")).entries[0].provisioning?.keys.version == 1)
    #expect(try read(Self.whole).entries[0].provisioning == nil)
    #expect(problems(file("    keyVersion: 0")).count == 1)
    #expect(problems(file("", master: Self.secret)).count == 1)
    #expect(problems(file("", master: String(repeating: "0", count: 32))).count == 1)
    #expect(problems(Self.whole + "\n    keyVersion: 2").count == 1)
    let many = String(
      repeating: former.split(separator: "\n")[2...].joined(separator: "\n") + "\n", count: 9)
    #expect(problems(file("    former:\n" + many)).count == 1)
  }

  @Test("the longest prefix that covers a URL by whole segments decides")
  func lookup() throws {
    let keys = try read(Self.whole)
    func prefix(_ url: String) throws -> String? {
      keys.entry(for: try InvocationURL(url))?.prefix.payload
    }
    let order = "https://fruta.example.com/order"
    #expect(try prefix(order + "?e=1") == order)
    #expect(try prefix(order + "/san-francisco") == order)
    #expect(try prefix(order + "/cupertino?e=1") == order + "/cupertino")
    #expect(try prefix(order + "/cupertino2") == order)
    #expect(try prefix("https://fruta.example.com/orders") == nil)
    #expect(try prefix("https://other.example.com/order") == nil)
  }

  @Test("the sample is read")
  func sample() throws {
    let path = packageFolder.appending(path: "Samples/fruta/keys.yaml")
    #expect(try SecureMessageKeys.read(try Data(contentsOf: path)).entries.count == 1)
  }

  @Test("a key that is none is told with its place, and not repeated")
  func badKeys() throws {
    for bad in [Self.secret + "00", "DEADBEEF", Self.secret.replacing("0", with: "O")] {
      let found = problems(Self.whole.replacing("\"\(Self.secret)\"", with: "\"\(bad)\""))
      #expect(found.count == 2)
      #expect(
        found.first?.hasPrefix("6:18: “fileReadKey” is invalid. A key is 32") == true, "\(found)")
    }
    let unquoted = problems(
      Self.whole.replacing(
        "\"00000000000000000000000000000000\"", with: "00000000000000000000000000000000"))
    #expect(unquoted.first?.contains("put it in double quotes") == true)
  }

  @Test(
    "every mistake is told with its line and column",
    arguments: [
      (
        "- prefix: https://fruta.example.com/order\n", "- prefix: http://fruta.example.com/\n",
        "2:13"
      ),
      (
        "- prefix: https://fruta.example.com/order\n", "- prefix: https://a.example.com/?x\n",
        "2:13"
      ),
      ("/order/cupertino\n", "/order\n", "7:13"),
      ("piccData: e", "picData: e", "3:5"), ("    mac: c\n", "", "2:5"),
      ("mac: c", "mac: e", "2:5"), ("    counter: n\n", "", "7:5"),
      ("    uid: u\n", "    uid: u\n    metaReadKey: \"\(secret)\"\n", "9:18"),
      ("    uid: u\n", "    uid: u\n    piccData: e\n", "7:5"), ("messages:", "message:", "1:1"),
      ("mac: m", "mac: [m]", "11:10"),
    ])
  func mistakes(wrong: (old: String, new: String, place: String)) {
    let found = problems(Self.whole.replacing(wrong.old, with: wrong.new, maxReplacements: 1))
    #expect(found.contains { $0.hasPrefix(wrong.place + ": ") }, "\(found)")
  }

  @Test("what is no key file is refused, whatever it holds")
  func garbage() {
    for text in [
      "", "# nothing", "[]", "messages: 3", "messages:\n  - 1", "\u{0}", "a: b: c", "\t",
    ] {
      #expect(!problems(text).isEmpty, "\(text)")
    }
    #expect(problems("messages: []").isEmpty)
    #expect(throws: RegistryError(.invalidDocument, "", hint: "")) {
      try SecureMessageKeys.read(Data([0xFF, 0xFE, 0x00]))
    }
    #expect(throws: RegistryError(.invalidDocument, "", hint: "")) {
      try SecureMessageKeys.read(Data(count: SecureMessageKeys.maximumSize + 1))
    }
  }
}
