import CliptagBasics
import TestSupport
import Testing

@testable import QRSymbol

@Suite("Segments")
struct SegmentPlanTests {
  @Test("the plan takes as few bits as the best of all possible splits", arguments: [1, 10, 27])
  func optimal(version: Int) {
    var generator = SeededGenerator(seed: 2)
    for _ in 0..<60 {
      // Runs, so that changing the mode is worth while now and then.
      var bytes: [UInt8] = []
      for _ in 0..<Int.random(in: 1...4, using: &generator) {
        let byte = Array("1A:a".utf8).randomElement(using: &generator) ?? 0
        bytes += [UInt8](repeating: byte, count: Int.random(in: 1...9, using: &generator))
      }
      let plan = SegmentPlan(bytes: bytes, version: version)
      #expect(plan.bitCount == fewestBits(bytes, version: version), "\(bytes)")
    }
  }

  @Test("the segments cover all bytes in order, in modes that have a code for them")
  func cover() {
    var generator = SeededGenerator(seed: 3)
    for _ in 0..<100 {
      let bytes = (0..<Int.random(in: 1...80, using: &generator)).map { _ in
        Bool.random(using: &generator)
          ? UInt8.random(in: 0x20...0x5A, using: &generator)
          : UInt8.random(in: .min ... .max, using: &generator)
      }
      let plan = SegmentPlan(bytes: bytes, version: 9)
      #expect(plan.segments.first?.range.lowerBound == 0)
      #expect(plan.segments.last?.range.upperBound == bytes.count)
      for (segment, next) in zip(plan.segments, plan.segments.dropFirst()) {
        #expect(segment.range.upperBound == next.range.lowerBound)
        #expect(segment.mode != next.mode)
      }
      for segment in plan.segments {
        #expect(bytes[segment.range].allSatisfy(segment.mode.encodes))
      }
      #expect(plan.bitCount == plan.segments.reduce(0) { $0 + $1.bits(version: 9) })
    }
  }

  @Test("an alphanumeric segment takes the 45 characters of table 5 and no other byte")
  func alphanumericCharacters() {
    let all = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ $%*+-./:"
    let encoded = (UInt8.min...UInt8.max).filter(QRSymbol.Segment.Mode.alphanumeric.encodes)
    #expect(Set(encoded) == Set(all.utf8))
  }

  @Test("a run of digits in a path becomes a numeric segment where that is shorter")
  func example() throws {
    let symbol = try QRSymbol("https://fruta.example.com/table/12345")
    #expect(symbol.segments.map(\.mode) == [.byte, .numeric])
    #expect(symbol.segments.map(\.range) == [0..<32, 32..<37])
    // 4 + 8 + 32 × 8, and 4 + 10 + 17.
    #expect(symbol.segments.map { $0.bits(version: 3) } == [268, 31])
  }

  /// Tries every split into runs, each in every mode that encodes it.
  private func fewestBits(_ bytes: [UInt8], version: Int) -> Int {
    var best = [0]
    for end in 1...bytes.count {
      var fewest = Int.max
      for start in 0..<end {
        for mode in QRSymbol.Segment.Mode.allCases
        where bytes[start..<end].allSatisfy(mode.encodes) {
          let segment = QRSymbol.Segment(mode: mode, range: start..<end)
          fewest = min(fewest, best[start] + segment.bits(version: version))
        }
      }
      best.append(fewest)
    }
    return best[bytes.count]
  }
}
