import CliptagPlatform

/// The recorded codes, indexed for comparison with readings from pictures.
///
/// A reading is identified as a code only when the evidence is conclusive, by the four rules of
/// ``match(_:)``. Apple's tables are not needed: the redundancy of Apple's coding keeps two codes
/// apart (``leastSiblingDistance``).
public struct AppClipCodeIndex: Sendable {
  /// The distinct patterns, in the given order.
  public let patterns: [AppClipCodePattern]

  /// Creates an index of the patterns of all recorded codes; duplicates are allowed.
  public init(_ patterns: some Sequence<AppClipCodePattern>) {
    var seen: Set<AppClipCodePattern> = []
    self.patterns = patterns.filter { seen.insert($0).inserted }
  }

  /// The least distance of two codes of Apple's: it was measured between consecutive addresses, in
  /// four series made by a public encoder whose bytes equal Apple's.
  public static let leastSiblingDistance = 11

  /// Returns the number of the 128 bits for the beginnings of arcs in which two codes differ.
  public static func distance(_ left: AppClipCodePattern, _ right: AppClipCodePattern) -> Int {
    (left.continues ^ right.continues).nonzeroBitCount
  }

  /// Returns the other patterns of the index that are nearer to a pattern than any two codes of
  /// Apple's are: to distinguish them, the whole code must be seen.
  public func alike(to pattern: AppClipCodePattern) -> [AppClipCodePattern] {
    patterns.filter { $0 != pattern && Self.distance($0, pattern) < Self.leastSiblingDistance }
  }

  /// The identification of a reading among the recorded codes.
  public struct Match: Hashable, Sendable {
    /// The result of an identification.
    public enum Answer: Hashable, Sendable {
      /// The reading is this code: the probability that it is another or an unknown one is at most
      /// ``Match/chanceOfError``.
      case code(AppClipCodePattern)
      /// The reading is one of these codes, and its bits do not distinguish them.
      case oneOf([AppClipCodePattern])
      /// The reading is not a recorded code.
      case unknown
      /// Too few bits were read for a result.
      case unclear
    }

    /// The result.
    public let answer: Answer
    /// The recorded code that is nearest to the reading; `nil` if none is recorded.
    public let nearest: AppClipCodePattern?
    /// The number of reliably read bits that differ from those of the nearest code.
    public let wrong: Int
    /// The number of reliably read bits among the 128 that mark the beginnings of arcs.
    public let known: Int
    /// The distance between the nearest and the second nearest code, as the natural logarithm of
    /// their odds.
    public let lead: Double

    /// The accepted probability of a wrong identification per reading: one in a thousand million
    /// that a code with random bits is identified as any of the recorded codes.
    public static let chanceOfError = 1e-9
    /// The accepted probability of confusing two recorded codes: one in a million.
    public static let chanceOfConfusion = 1e-6
    /// The accepted probability of confusing a recorded code with a similar one that is not
    /// recorded, if that one is in the picture: one in 15,000.
    public static let chanceOfSibling = 1.0 / 15_000
    /// The share of the reliably read bits that may differ. Of 1,527 codes identified correctly in
    /// photographs, 99 % had at most this share.
    public static let mostWrong = 0.03
  }

  /// Identifies the code of a reading.
  ///
  /// The nearest code is accepted if
  /// 1. it explains the reading better than an unknown code with random bits, by odds of (number of
  ///    codes) ÷ ``Match/chanceOfError``;
  /// 2. it explains the reading better than the second nearest, by odds of 1 ÷
  ///    ``Match/chanceOfConfusion``;
  /// 3. it explains the reading better than a sibling of it that is not recorded: a code that differs
  ///    in at least ``leastSiblingDistance`` beginnings of arcs, at any positions, and has the same
  ///    colours; by odds of 1 ÷ ``Match/chanceOfSibling``. The differences may lie at positions that
  ///    were not seen;
  /// 4. at most ``Match/mostWrong`` of the reliably read bits disagree, and none if those and the
  ///    positions that were not read may be the differences of a sibling.
  ///
  /// A reading is called unknown only if it is intact (fewer positions are unread than a sibling
  /// differs in) and excludes every code on record. Anything else is unclear.
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
      if lead < neededLead {
        answer = .oneOf(
          candidates.filter { best.support - $0.support < neededLead }.map(\.pattern))
      } else {
        let unread = AppClipCodeRing.positionsOfCode - known
        let isExplained = wrong == 0 || wrong + unread < Self.leastSiblingDistance
        answer =
          isExplained && reading.oddsOfSibling(of: best.pattern) <= log(Match.chanceOfSibling)
          ? .code(best.pattern) : .unclear
      }
    } else {
      let isIntact = AppClipCodeRing.positionsOfCode - known < Self.leastSiblingDistance
      let isForeign =
        isIntact
        && candidates.allSatisfy {
          reading.oddsOfSibling(of: $0.pattern) >= -log(Match.chanceOfConfusion)
        }
      answer = isForeign ? .unknown : .unclear
    }
    return Match(answer: answer, nearest: best.pattern, wrong: wrong, known: known, lead: lead)
  }

  /// The number of codes that are compared in full: the second nearest by the count of reliable
  /// bits is among them.
  private static let compared = 8

  /// Returns the codes with the fewest disagreeing reliable bits.
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
  /// Returns how much better a code explains the reading than a code with random bits, as the
  /// natural logarithm of the odds. An arc's colour is one bit, regardless of its number of
  /// positions.
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

  /// Returns how much better the likeliest sibling of a code explains the reading than the code
  /// does, as the natural logarithm of the odds.
  ///
  /// For each distance, all siblings at that distance are equally likely; their mean likelihood is
  /// an elementary symmetric polynomial of the odds against the code's bits. Colours are the same
  /// and do not count.
  func oddsOfSibling(of pattern: AppClipCodePattern) -> Double {
    let count = AppClipCodeRing.positionsOfCode
    let most = count / 2
    // The sums of the products of the odds at 0, 1, 2, … of the positions so far.
    var sums = [Double](repeating: 0, count: most + 1)
    sums[0] = 1
    for index in 0..<count {
      let support = Double(pattern.continues(at: index) ? continues[index] : -continues[index])
      let odds = exp(-support)
      for size in stride(from: min(most, index + 1), to: 0, by: -1) {
        sums[size] += odds * sums[size - 1]
      }
    }
    var best = -Double.infinity
    // The logarithm of the number of siblings at a distance.
    var siblings = 0.0
    for distance in 1...most {
      siblings += log(Double(count - distance + 1) / Double(distance))
      guard distance >= AppClipCodeIndex.leastSiblingDistance else { continue }
      best = max(best, log(sums[distance]) - siblings)
    }
    return best
  }

  /// Returns the number of reliably read beginnings of arcs that differ from those of a code.
  package func disagreements(with pattern: AppClipCodePattern) -> Int {
    (0..<AppClipCodeRing.positionsOfCode).count { index in
      let odds = continues[index]
      return abs(odds) >= Self.sure && (odds > 0) != pattern.continues(at: index)
    }
  }

  /// Returns the logarithm of (the probability of a bit with these odds) ÷ (one half).
  private static func support(_ odds: Float) -> Double {
    log(2) - log1p(exp(-Double(odds)))
  }
}
