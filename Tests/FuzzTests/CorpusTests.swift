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
      let input = try #require(bytes(hexadecimal: line), "\(name), line \(number + 1)")
      #expect(throws: Never.self, "\(name), line \(number + 1)") { try target.feed(input) }
    }
  }

  private func bytes(hexadecimal line: Substring) -> [UInt8]? {
    let digits = line.compactMap { $0.hexDigitValue.map(UInt8.init) }
    guard digits.count == line.count, digits.count.isMultiple(of: 2) else { return nil }
    return stride(from: 0, to: digits.count, by: 2).map { digits[$0] << 4 | digits[$0 + 1] }
  }
}
