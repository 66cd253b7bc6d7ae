import Foundation
import Invocation
import PositionSources

extension FuzzTarget {
  /// What gpsd writes, line by line: reading it, and the position that comes of the reports.
  static let gpsd = FuzzTarget(name: "gpsd") { bytes in
    var taken = PositionTaker()
    for line in bytes.split(separator: UInt8(ascii: "\n")) {
      switch GPSDMessage(line: line, source: "gpsd") {
      case .position(let report): try taken.take(report)
      case .poll(let reports): for report in reports { try taken.take(report) }
      default: continue
      }
    }
  }

  /// What a satellite receiver writes: each line as it came, and once more with the checksum that it
  /// should have, which no mutation would find.
  static let nmea = FuzzTarget(name: "nmea") { bytes in
    var taken = PositionTaker()
    var reader = NMEAReader(source: "receiver")
    for line in bytes.split(separator: UInt8(ascii: "\n")) {
      let sum = line.dropFirst().reduce(0, ^)
      let digits = Array("0123456789ABCDEF".utf8)
      let whole = line + [UInt8(ascii: "*"), digits[Int(sum >> 4)], digits[Int(sum & 15)]]
      for text in [line, whole] {
        guard let sentence = try? NMEASentence(text) else { continue }
        let address = sentence.talker + sentence.formatter
        let body = ([address] + sentence.fields).joined(separator: ",")
        try require(
          Array("$\(body)*".utf8) == text.dropLast(2), "a sentence holds what its line says")
        try require(
          text.suffix(2).allSatisfy { Character(Unicode.Scalar($0)).isHexDigit },
          "a checksum is two hexadecimal digits")
        if let report = reader.take(sentence, now: PositionTaker.now) { try taken.take(report) }
      }
    }
    if let report = reader.finish(now: PositionTaker.now) { try taken.take(report) }
  }
}

/// Takes reports as the search for a position does.
private struct PositionTaker {
  /// 21 November 2026, noon.
  static let now = Date(timeIntervalSince1970: 1_795_262_400)

  private var average = PositionAverage()

  mutating func take(_ report: PositionReport) throws {
    if let error = report.horizontalError {
      try require(error > 0 && error.isFinite, "an error is above zero: \(report)")
    }
    let filter = PositionFilter(longestAge: .seconds(1 << 40), allowsSimulated: true)
    if let refusal = filter.refusal(of: report, now: Self.now) {
      try require(!refusal.description.isEmpty, "a refusal says why")
      return
    }
    average.add(report)
    guard let fix = average.fix else {
      throw BrokenRule("positions have a mean: \(report)")
    }
    try require(fix.accuracy > 0, "a mean is no more exact than its reports: \(fix)")
    try require(average.scatter >= 0, "a scatter is a length")
  }
}
