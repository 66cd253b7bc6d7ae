import Glibc

/// The codes on record, ready to be compared with what was read from a picture.
///
/// A reading is taken for a code only when the evidence leaves no doubt, by three rules that stand
/// with ``Match``. Nothing of Apple's tables is needed for that: the redundancy of Apple's coding is
/// what keeps two codes far apart (of 21 codes of Apple's generator, with URLs as short and alike as
/// `x.com/G` and `x.com/M`, the nearest two differ in 18 of the bits that say where arcs begin).
public struct AppClipCodeIndex: Sendable {
  /// The different patterns, in the order in which they were given.
  public let patterns: [AppClipCodePattern]

  /// Takes the patterns of all codes on record; the same pattern may come more than once.
  public init(_ patterns: some Sequence<AppClipCodePattern>) {
    var seen: Set<AppClipCodePattern> = []
    self.patterns = patterns.filter { seen.insert($0).inserted }
  }

  /// Two codes that differ in fewer beginnings of arcs than this are too alike to be kept apart when
  /// one of them is damaged: twice what ``Match/mostWrong`` lets pass.
  public static let leastDistance = 16

  /// In how many of the 128 bits that say where arcs begin two codes differ.
  public static func distance(_ left: AppClipCodePattern, _ right: AppClipCodePattern) -> Int {
    (left.continues ^ right.continues).nonzeroBitCount
  }

  /// The patterns here that are too alike to another one, but are not that one itself.
  public func alike(to pattern: AppClipCodePattern) -> [AppClipCodePattern] {
    patterns.filter { $0 != pattern && Self.distance($0, pattern) < Self.leastDistance }
  }

  /// What a reading is, as far as the codes on record tell.
  public struct Match: Hashable, Sendable {
    /// What can be said.
    public enum Answer: Hashable, Sendable {
      /// It is this code: the chance that it is another, or none of ours, is at most
      /// ``Match/chanceOfError``.
      case code(AppClipCodePattern)
      /// It is one of these, and what was read does not tell which.
      case oneOf([AppClipCodePattern])
      /// It is none of ours.
      case unknown
      /// Too little of it was read to say.
      case unclear
    }

    /// What can be said.
    public let answer: Answer
    /// The code on record that is nearest to what was read; nothing when there is none on record.
    public let nearest: AppClipCodePattern?
    /// How many of the bits that were surely read differ from those of the nearest code.
    public let wrong: Int
    /// How many of the 128 bits that say where arcs begin were surely read.
    public let known: Int
    /// How far the nearest code is from the next nearest, as the natural logarithm of their odds.
    public let lead: Double

    /// The chance of a wrong answer that is accepted for a single reading: one in a thousand
    /// millions that a code which is none of ours is taken for one (all codes on record together).
    public static let chanceOfError = 1e-9
    /// The same between two codes on record: one in a million.
    public static let chanceOfConfusion = 1e-6
    /// The share of the surely read bits that may differ: a code of somebody else that is as near to
    /// one of ours as any two of Apple's are differs in 14 %, of which half is taken.
    public static let mostWrong = 0.0625
  }

  /// Finds the code that a reading is of.
  ///
  /// The nearest code is accepted when
  /// 1. it explains the reading better than a code nobody knows, whose bits are as good as thrown
  ///    dice, by odds of (number of codes) ÷ ``Match/chanceOfError``;
  /// 2. it explains it better than the next nearest by odds of 1 ÷ ``Match/chanceOfConfusion``;
  /// 3. at most ``Match/mostWrong`` of the surely read bits disagree, so that a code that is like one
  ///    of ours but is not on record is not taken for it.
  ///
  /// Bits that were not seen, because something covers them, count for nothing.
  public func match(_ reading: AppClipCodeReading) -> Match {
    let known = reading.sureCount
    let candidates = nearest(to: reading)
      .map { pattern in (pattern: pattern, support: reading.support(of: pattern)) }
      .sorted { $0.support > $1.support }
    guard let best = candidates.first else {
      return Match(answer: .unknown, nearest: nil, wrong: 0, known: known, lead: 0)
    }
    let wrong = reading.disagreements(with: best.pattern)
    let lead = candidates.count > 1 ? best.support - candidates[1].support : .infinity
    let needed = log(Double(patterns.count) / Match.chanceOfError)
    let neededLead = -log(Match.chanceOfConfusion)
    let answer: Match.Answer
    if best.support >= needed, Double(wrong) <= Match.mostWrong * Double(known) {
      answer =
        lead >= neededLead
        ? .code(best.pattern)
        : .oneOf(
          candidates.filter { best.support - $0.support < neededLead }.map(\.pattern))
    } else {
      // A code of ours that was read as well as this would have explained most of the sure bits.
      let isForeign =
        known >= Self.enoughBits && Double(wrong) > 2 * Match.mostWrong * Double(known)
      answer = isForeign ? .unknown : .unclear
    }
    return Match(answer: answer, nearest: best.pattern, wrong: wrong, known: known, lead: lead)
  }

  /// How many surely read bits are enough to say that a code is none of ours.
  private static let enoughBits = 48
  /// How many codes are compared in full: the next nearest by the count of sure bits is among them.
  private static let compared = 8

  /// The codes with the fewest surely read bits that disagree.
  private func nearest(to reading: AppClipCodeReading) -> [AppClipCodePattern] {
    let (continues, knownContinues) = Self.sureBits(reading.continues)
    let (third, knownThird) = Self.sureBits(reading.third)
    var best: [(distance: Int, place: Int)] = []
    for (place, pattern) in patterns.enumerated() {
      let distance =
        2 * ((pattern.continues ^ continues) & knownContinues).nonzeroBitCount
        + ((pattern.third ^ third) & knownThird).nonzeroBitCount
      if best.count == Self.compared, distance >= best[best.count - 1].distance { continue }
      let slot = best.firstIndex { $0.distance > distance } ?? best.count
      best.insert((distance, place), at: slot)
      if best.count > Self.compared { best.removeLast() }
    }
    return best.map { patterns[$0.place] }
  }

  private static func sureBits(_ odds: [Float]) -> (bits: UInt128, known: UInt128) {
    var bits: UInt128 = 0
    var known: UInt128 = 0
    for (index, value) in odds.enumerated() where value != 0 {
      let bit = AppClipCodePattern.bit(index)
      if value > 0 { bits |= bit }
      if abs(value) >= 1 { known |= bit }
    }
    return (bits, known)
  }
}

extension AppClipCodeReading {
  /// How much better a code explains the reading than one whose bits are thrown dice, as the natural
  /// logarithm of their odds. An arc's colour is one bit, however many positions tell it.
  func support(of pattern: AppClipCodePattern) -> Double {
    var sum = 0.0
    for index in 0..<AppClipCodeRing.positionsOfCode {
      sum += Self.support(pattern.continues(at: index) ? continues[index] : -continues[index])
    }
    for arc in pattern.arcs {
      let ring = AppClipCodeRing.all[arc.ring]
      let odds = (0..<arc.length).map { third[ring.first + (arc.start + $0) % ring.positions] }
      let mean = odds.reduce(0, +) / Float(arc.length)
      sum += Self.support(arc.hasThirdColour ? mean : -mean)
    }
    return sum
  }

  /// How many surely read beginnings of arcs differ from those of a code.
  package func disagreements(with pattern: AppClipCodePattern) -> Int {
    (0..<AppClipCodeRing.positionsOfCode).count { index in
      let odds = continues[index]
      return abs(odds) >= Self.sure && (odds > 0) != pattern.continues(at: index)
    }
  }

  /// The logarithm of (the chance of a bit whose odds are these) ÷ (one half).
  private static func support(_ odds: Float) -> Double {
    log(2) - log1p(exp(-Double(odds)))
  }
}
