import CliptagBasics
#if canImport(FoundationEssentials)
  package import FoundationEssentials
#else
  package import Foundation
#endif
import Invocation

/// Combines the sentences of each epoch into a report: GGA or GNS and RMC for the position, GSA for
/// the mode, GST for the error.
///
/// Without GST, the error is the horizontal dilution of precision times a range error.
package struct NMEAReader: Sendable {
  /// The range error without corrections in metres, 95 %, as in gpsd (`H_UERE_NO_DGPS` in its
  /// libgpsd_core.c).
  package static let rangeError = 15.0
  /// The range error with differential corrections in metres, 95 % (`H_UERE_WITH_DGPS`).
  package static let correctedRangeError = 3.75
  /// The factor from GST's standard deviations to a radius: twice the root mean square of the
  /// distance contains 95 % to 98 % of positions.
  package static let deviationFactor = 2.0
  /// The longest line accepted, in bytes; the standard allows 82, receivers send more.
  package static let longestLine = 256

  private let source: String
  private var epoch = NMEAEpoch()

  /// Creates a reader.
  ///
  /// - Parameter source: The source of the reports.
  package init(source: String) { self.source = source }

  /// Adds a sentence.
  ///
  /// - Parameters:
  ///   - sentence: The sentence.
  ///   - now: The time of arrival, which supplies the date if no sentence does.
  /// - Returns: The report of the previous epoch, if the sentence begins a new one.
  package mutating func take(_ sentence: NMEASentence, now: Date) -> PositionReport? {
    var report: PositionReport?
    if epoch.isEnded(by: sentence) { report = finish(now: now) }
    epoch.take(sentence)
    return report
  }

  /// Ends the current epoch with the sentences so far.
  ///
  /// - Returns: `nil` if no sentence with a position has arrived.
  package mutating func finish(now: Date) -> PositionReport? {
    defer { epoch = NMEAEpoch() }
    return epoch.hasPosition ? epoch.report(now: now, source: source) : nil
  }
}

/// The combined sentences of one epoch.
private struct NMEAEpoch: Sendable {
  private(set) var timeOfDay: Double?
  private var day: (year: Int, month: Int, day: Int)?
  private var coordinate: Coordinate?
  private var isInvalid = false
  private var statuses: [PositionReport.Status] = []
  private var mode: Int?
  private var dilution: Double?
  private var deviation: Double?
  private var seen: Set<String> = []

  /// The sentences that contain a position; an epoch without one of them is not reported.
  private static let positions: Set<String> = ["GGA", "GNS", "RMC"]

  var hasPosition: Bool { !seen.isDisjoint(with: Self.positions) }

  /// Returns whether a sentence belongs to a later epoch.
  func isEnded(by sentence: NMEASentence) -> Bool {
    if Self.positions.contains(sentence.formatter), seen.contains(sentence.formatter) {
      return true
    }
    guard let timeOfDay, let other = Self.timeOfDay(of: sentence) else { return false }
    return other != timeOfDay
  }

  private static func timeOfDay(of sentence: NMEASentence) -> Double? {
    ["GGA", "GNS", "RMC", "GST", "ZDA"].contains(sentence.formatter)
      ? sentence.timeOfDay(1) : nil
  }

  /// Adds the contents of a sentence; kinds without position data are ignored.
  mutating func take(_ sentence: NMEASentence) {
    switch sentence.formatter {
    case "GGA": takeGGA(sentence)
    case "GNS": takeGNS(sentence)
    case "RMC": takeRMC(sentence)
    case "GSA":
      // One for each constellation; unused constellations may report “no fix”.
      if let mode = sentence.number(2).flatMap({ Int(exactly: $0) }) {
        self.mode = max(self.mode ?? 0, mode)
      }
      dilution = dilution ?? sentence.number(16)
    case "GST":
      if let north = sentence.number(6), let east = sentence.number(7) {
        deviation = (north * north + east * east).squareRoot()
      }
    default: return
    }
    seen.insert(sentence.formatter)
    timeOfDay = timeOfDay ?? Self.timeOfDay(of: sentence)
  }

  private mutating func takeGGA(_ sentence: NMEASentence) {
    coordinate = sentence.coordinate(from: 2) ?? coordinate
    dilution = sentence.number(8) ?? dilution
    let statuses: [PositionReport.Status] = [
      .normal, .differential, .normal, .kinematicFixed, .kinematicFloat, .deadReckoning, .surveyed,
      .simulated,
    ]
    if let quality = sentence.number(6).flatMap({ Int(exactly: $0) }),
      statuses.indices.contains(quality - 1)
    {
      self.statuses.insert(statuses[quality - 1], at: 0)
    } else {
      isInvalid = true
    }
  }

  private mutating func takeGNS(_ sentence: NMEASentence) {
    coordinate = sentence.coordinate(from: 2) ?? coordinate
    dilution = sentence.number(8) ?? dilution
    take(indicators: sentence.text(6) ?? "N")
  }

  private mutating func takeRMC(_ sentence: NMEASentence) {
    day = sentence.day(9)
    // GGA has more decimals, and arrives before or after this sentence.
    if coordinate == nil { coordinate = sentence.coordinate(from: 3) }
    if sentence.text(2) != "A" { isInvalid = true }
    // Present since NMEA 0183 2.3.
    if let indicator = sentence.text(12) { take(indicators: indicator) }
  }

  /// Adds the mode indicators, one letter per constellation; the fix is as good as the best of
  /// them, and simulated if one is.
  private mutating func take(indicators: String) {
    let ranked: [(Character, PositionReport.Status)] = [
      ("S", .simulated), ("R", .kinematicFixed), ("F", .kinematicFloat), ("P", .normal),
      ("D", .differential), ("A", .normal), ("E", .deadReckoning), ("M", .surveyed),
    ]
    if let best = ranked.first(where: { indicators.contains($0.0) }) {
      statuses.append(best.1)
    } else {
      isInvalid = true
    }
  }

  /// Returns the report.
  ///
  /// - Parameters:
  ///   - now: The time of arrival, which supplies the date if no sentence does.
  ///   - source: The receiver.
  func report(now: Date, source: String) -> PositionReport {
    let status = statuses.contains(.simulated) ? .simulated : statuses.first
    let isFix = !isInvalid && coordinate != nil && mode != 1
    return PositionReport(
      time: time(near: now), coordinate: coordinate,
      mode: isFix ? (mode == 3 ? .threeDimensional : .twoDimensional) : .noFix,
      horizontalError: error(status), status: status, source: source)
  }

  private func error(_ status: PositionReport.Status?) -> Double? {
    if let deviation { return NMEAReader.deviationFactor * deviation }
    // The dilution of precision does not apply to a position that was extrapolated or entered.
    let isMeasured = ![.deadReckoning, .combinedReckoning, .surveyed].contains(status)
    guard isMeasured, let dilution, dilution > 0, dilution < 99 else { return nil }
    let isCorrected = [.differential, .kinematicFixed, .kinematicFloat].contains(status)
    return dilution * (isCorrected ? NMEAReader.correctedRangeError : NMEAReader.rangeError)
  }

  private func time(near now: Date) -> Date? {
    guard let timeOfDay else { return nil }
    if let day {
      return UTCTime.date(
        year: day.year, month: day.month, day: day.day, hour: 0, minute: 0, second: 0)?
        .addingTimeInterval(timeOfDay)
    }
    let days = ((now.timeIntervalSince1970 - timeOfDay) / 86_400).rounded()
    return Date(timeIntervalSince1970: days * 86_400 + timeOfDay)
  }
}
