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

  @Test("three wrong bits leave a whole code what it is, and so does a cover over a third of it")
  func damaged() throws {
    var generator = SeededGenerator(seed: 2)
    for pattern in patterns.prefix(100) {
      for (wrong, covered) in [(3, 0), (0, 42)] {
        let reading = try #require(
          damage(pattern, wrong: wrong, covered: covered, using: &generator))
        #expect(index.match(reading).answer == .code(pattern))
      }
    }
  }

  @Test(
    "a wrong bit and what is not seen leave a code open if they may be a sibling's eleven differences",
    arguments: [(1, 9), (1, 10), (2, 8), (2, 9)])
  func differences(wrong: Int, covered: Int) throws {
    var generator = SeededGenerator(seed: 39)
    let pattern = DrawnAppClipCode.randomPattern(using: &generator)
    let reading = try #require(damage(pattern, wrong: wrong, covered: covered, using: &generator))
    let answer = AppClipCodeIndex([pattern]).match(reading).answer
    #expect(answer == (wrong + covered < 11 ? .code(pattern) : .unclear))
  }

  @Test("a code with wrong bits and a cover may be a sibling of ours, and is left open")
  func doubtful() throws {
    var generator = SeededGenerator(seed: 7)
    for pattern in patterns.prefix(100) {
      let reading = try #require(damage(pattern, wrong: 3, covered: 30, using: &generator))
      #expect(index.match(reading).answer == .unclear)
    }
  }

  @Test("an intact code that is none of ours is foreign, and a covered one is left open")
  func foreign() throws {
    var generator = SeededGenerator(seed: 3)
    for _ in 0..<300 {
      let other = DrawnAppClipCode.randomPattern(using: &generator)
      let intact = try #require(damage(other, wrong: 3, covered: 8, using: &generator))
      #expect(index.match(intact).answer == .unknown)
      let covered = try #require(damage(other, wrong: 3, covered: 20, using: &generator))
      #expect(index.match(covered).answer == .unclear)
    }
  }

  @Test(
    "a sibling of ours that is not on record is not taken for ours, whichever positions are hidden",
    arguments: [11, 13, 16], [0, 13, 26, 45, 64])
  func sibling(distance: Int, hidden: Int) throws {
    var generator = SeededGenerator(seed: 4)
    var asked = 0
    for pattern in patterns.prefix(100) {
      guard let other = flipped(pattern, distance, using: &generator) else { continue }
      asked += 1
      let reading = try #require(damage(other, wrong: 0, covered: hidden, using: &generator))
      let answer = index.match(reading).answer
      #expect(hidden == 0 ? answer == .unknown : answer == .unclear || answer == .unknown)
    }
    #expect(asked > 50)
  }

  @Test("nine of a sibling's eleven differences under a cover, and the answer is left open")
  func chosenCover() throws {
    var generator = SeededGenerator(seed: 8)
    var asked = 0
    for pattern in patterns.prefix(100) {
      guard let other = flipped(pattern, 11, using: &generator) else { continue }
      asked += 1
      let differences = (0..<128).filter { (pattern.continues ^ other.continues) & bit($0) != 0 }
      let same = (0..<128).filter { (pattern.continues ^ other.continues) & bit($0) == 0 }
      // A cover over a fifth of the code.
      let covered = Set(differences.prefix(9) + same.shuffled(using: &generator).prefix(17))
      let clean = AppClipCodeReading(other)
      let reading = try #require(
        AppClipCodeReading(
          continues: clean.continues.enumerated().map {
            covered.contains($0.offset) ? 0 : $0.element
          },
          third: clean.third))
      #expect(index.match(reading).answer == .unclear)
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

  private func bit(_ place: Int) -> UInt128 { 1 << UInt128(127 - place) }

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
    var code = DrawnAppClipCode("https://fruta.example.com")
    code.pattern = pattern
    return code.sibling(differingIn: (0..<128).shuffled(using: &generator).prefix(count))?.pattern
  }
}
