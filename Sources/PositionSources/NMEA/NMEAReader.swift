package import FoundationEssentials

/// Joins the sentences of each moment into a report: GGA or GNS and RMC for the position, GSA for
/// the mode, GST for the error.
///
/// Without GST the error is the horizontal dilution of precision times a range error.
package struct NMEAReader: Sendable {
  /// Metres, 95 %: what gpsd takes for the error of a range without corrections
  /// (`H_UERE_NO_DGPS` in its libgpsd_core.c).
  package static let rangeError = 15.0
  /// Metres, 95 %: the same with differential corrections (`H_UERE_WITH_DGPS`).
  package static let correctedRangeError = 3.75
  /// From GST's standard deviations to a radius: twice the distance's root mean square holds 95 %
  /// to 98 % of positions.
  package static let deviationFactor = 2.0
  /// The longest line that is looked at, in bytes; the standard allows 82, receivers send more.
  package static let longestLine = 256

  private let source: String
  private var epoch = NMEAEpoch()

  /// Makes a reader.
  ///
  /// - Parameter source: What reports are said to come from.
  package init(source: String) { self.source = source }

  /// Takes a sentence.
  ///
  /// - Parameters:
  ///   - sentence: The sentence.
  ///   - now: When it came; tells the day when no sentence does.
  /// - Returns: The report of the moment before, when the sentence begins a new one.
  package mutating func take(_ sentence: NMEASentence, now: Date) -> PositionReport? {
    var report: PositionReport?
    if epoch.isEnded(by: sentence) { report = finish(now: now) }
    epoch.take(sentence)
    return report
  }

  /// Takes what has come so far for all of its moment.
  ///
  /// - Returns: `nil` when no sentence with a position has come.
  package mutating func finish(now: Date) -> PositionReport? {
    defer { epoch = NMEAEpoch() }
    return epoch.hasPosition ? epoch.report(now: now, source: source) : nil
  }
}
