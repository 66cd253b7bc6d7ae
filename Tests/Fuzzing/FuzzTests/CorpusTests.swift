import CliptagBasics
import Foundation
import Testing

/// The inputs that fuzzing found worth keeping, each of which reaches something the others do not:
/// one line of hexadecimal each. `Tests/Scripts/fuzz.sh` adds to them.
@Suite("Fuzz corpora")
struct CorpusTests {
  @Test(
    "sessions, masks and tags of ISO/IEC 15693 take whatever comes",
    arguments: ["session", "session-mask", "type5-tag"])
  func mutated(name: String) throws {
    let target = try #require(FuzzTarget.named(name))
    let file = try #require(
      Bundle.module.url(forResource: name, withExtension: "txt", subdirectory: "Corpus"))
    let seeds = try String(contentsOf: file, encoding: .utf8).split(separator: "\n")
      .compactMap { [UInt8](hexadecimal: $0.utf8) }
    var generator = SeededGenerator(seed: 37)
    for round in 0..<1500 {
      var input =
        round.isMultiple(of: 4)
        ? (0..<Int.random(in: 0...64, using: &generator)).map { _ in
          UInt8.random(in: 0...255, using: &generator)
        } : seeds.randomElement(using: &generator) ?? []
      for _ in 0..<Int.random(in: 1...6, using: &generator) where !input.isEmpty {
        let place = Int.random(in: 0..<input.count, using: &generator)
        switch Int.random(in: 0...4, using: &generator) {
        case 0: input[place] = UInt8.random(in: 0...255, using: &generator)
        case 1: input.remove(at: place)
        case 2: input.insert(UInt8.random(in: 0...255, using: &generator), at: place)
        // Digits of another number, of bytes or of a place.
        case 3: input[place] = "0123456789abcdef-".utf8.randomElement(using: &generator) ?? 0x30
        default: input.insert(contentsOf: input[place...].prefix(40), at: place)
        }
      }
      #expect(throws: Never.self, "\(name): \(input.hexadecimal)") { try target.feed(input) }
    }
  }

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
