import CliptagBasics
import Foundation
import Testing

/// The inputs that fuzzing found worth keeping, each of which reaches something the others do not:
/// one line of hexadecimal each. `Tests/Scripts/fuzz.sh` adds to them.
@Suite("Fuzz corpora")
struct CorpusTests {
  @Test("no input of a corpus breaks a rule", arguments: FuzzTarget.all.map(\.name))
  func replay(name: String) throws {
    let target = try #require(FuzzTarget.named(name))
    let file = try #require(
      Bundle.module.url(forResource: name, withExtension: "txt", subdirectory: "Corpus"))
    let lines = try String(contentsOf: file, encoding: .utf8).split(separator: "\n")
    #expect(!lines.isEmpty)
    for (number, line) in lines.enumerated() {
      let input = try #require([UInt8](hexadecimal: line.utf8), "\(name), line \(number + 1)")
      #expect(throws: Never.self, "\(name), line \(number + 1)") { try target.feed(input) }
    }
  }
}
