import AppClipCodeFixtures
import AppClipCodes
import CliptagBasics
import Testing

@Suite("Whose App Clip Code it is")
struct AppClipCodeIndexTests {
  private let patterns: [AppClipCodePattern]
  private let index: AppClipCodeIndex

  init() {
    var generator = SeededGenerator(seed: 1)
    patterns = (0..<500).map { _ in DrawnAppClipCode.randomPattern(using: &generator) }
    index = AppClipCodeIndex(patterns)
  }

  @Test("a clean reading is its code, and no doubt is left")
  func clean() {
    for pattern in patterns.prefix(20) {
      let match = index.match(AppClipCodeReading(pattern))
      #expect(match.answer == .code(pattern))
      #expect(match.wrong == 0)
      #expect(match.known == 128)
    }
  }

  @Test("five wrong bits and a third of the code covered leave it what it is")
  func damaged() throws {
    var generator = SeededGenerator(seed: 2)
    for pattern in patterns.prefix(100) {
      let reading = try #require(
        damage(pattern, wrong: 5, covered: 42, using: &generator))
      #expect(index.match(reading).answer == .code(pattern))
    }
  }

  @Test("a code that is none of ours is never taken for one of ours")
  func foreign() throws {
    var generator = SeededGenerator(seed: 3)
    for _ in 0..<300 {
      let other = DrawnAppClipCode.randomPattern(using: &generator)
      let reading = try #require(damage(other, wrong: 3, covered: 20, using: &generator))
      #expect(index.match(reading).answer == .unknown)
    }
  }

  @Test("a code as near to ours as two of Apple's are to each other is not taken for ours")
  func sibling() throws {
    var generator = SeededGenerator(seed: 4)
    var asked = 0
    for pattern in patterns.prefix(100) {
      guard let other = flipped(pattern, 18, using: &generator) else { continue }
      asked += 1
      let answer = index.match(AppClipCodeReading(other)).answer
      #expect(answer == .unknown || answer == .unclear)
    }
    #expect(asked > 50)
  }

  @Test("too little of a code to know it is told as unclear")
  func covered() throws {
    var generator = SeededGenerator(seed: 5)
    let reading = try #require(damage(patterns[0], wrong: 0, covered: 110, using: &generator))
    #expect(index.match(reading).answer == .unclear)
    let nothing = [Float](repeating: 0, count: 128)
    let blank = try #require(AppClipCodeReading(continues: nothing, third: nothing))
    #expect(index.match(blank).answer == .unclear)
  }

  @Test("two codes on record that differ in what is covered are told both")
  func twins() throws {
    var generator = SeededGenerator(seed: 6)
    let twin = try #require(flipped(patterns[0], 3, using: &generator))
    let index = AppClipCodeIndex(patterns + [twin])
    #expect(index.alike(to: twin) == [patterns[0]])
    let differs = patterns[0].continues ^ twin.continues
    let odds = (0..<128).map { place -> Float in
      if differs & (1 << UInt128(127 - place)) != 0 { return 0 }
      return twin.continues(at: place) ? 5 : -5
    }
    let reading = try #require(
      AppClipCodeReading(continues: odds, third: [Float](repeating: 0, count: 128)))
    guard case .oneOf(let both) = index.match(reading).answer else {
      Issue.record("one of the two was taken")
      return
    }
    #expect(Set(both) == [patterns[0], twin])
  }

  @Test("with nothing on record every code is unknown")
  func empty() {
    let match = AppClipCodeIndex([]).match(AppClipCodeReading(patterns[0]))
    #expect(match.answer == .unknown)
    #expect(match.nearest == nil)
  }

  @Test("a pattern and a reading come back from their texts, and nonsense does not")
  func texts() {
    let pattern = patterns[3]
    #expect(AppClipCodePattern(pattern.description) == pattern)
    #expect(AppClipCodePattern("0-0") == nil)
    #expect(
      AppClipCodePattern(
        String(repeating: "f", count: 32) + "-" + String(repeating: "0", count: 32)) == nil)
    #expect(AppClipCodeReading(continues: [.nan], third: []) == nil)
  }

  /// A reading with so many bits read wrong and so many not seen.
  private func damage(
    _ pattern: AppClipCodePattern, wrong: Int, covered: Int, using generator: inout SeededGenerator
  ) -> AppClipCodeReading? {
    let clean = AppClipCodeReading(pattern)
    var (continues, third) = (clean.continues, clean.third)
    let order = (0..<128).shuffled(using: &generator)
    for place in order.prefix(wrong) { continues[place] = -continues[place] }
    for place in order.dropFirst(wrong).prefix(covered) {
      (continues[place], third[place]) = (0, 0)
    }
    return AppClipCodeReading(continues: continues, third: third)
  }

  /// Another pattern that differs in so many beginnings of arcs.
  private func flipped(
    _ pattern: AppClipCodePattern, _ count: Int, using generator: inout SeededGenerator
  ) -> AppClipCodePattern? {
    let bits = (0..<128).shuffled(using: &generator).prefix(count)
      .reduce(UInt128(0)) { $0 | 1 << UInt128(127 - $1) }
    guard let plain = AppClipCodePattern(continues: pattern.continues ^ bits, third: 0) else {
      return nil
    }
    // Each arc takes the colour that its first position had.
    var third: UInt128 = 0
    for arc in plain.arcs {
      let ring = AppClipCodeRing.all[arc.ring]
      guard pattern.hasThirdColour(at: ring.first + arc.start) else { continue }
      for step in 0..<arc.length {
        third |= 1 << UInt128(127 - ring.first - (arc.start + step) % ring.positions)
      }
    }
    return AppClipCodePattern(continues: plain.continues, third: third)
  }
}
