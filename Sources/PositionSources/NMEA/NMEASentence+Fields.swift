internal import Invocation

/// The compound fields of NMEA 0183.
extension NMEASentence {
  /// A time of the day in seconds: `hhmmss.ss`.
  func timeOfDay(_ number: Int) -> Double? {
    guard let text = text(number), text.count >= 6, let value = self.number(number),
      (0..<240_000).contains(value)
    else { return nil }
    let figures = Int(value)
    let hour = figures / 10_000
    let minute = figures / 100 % 100
    let second = value - Double(figures / 100 * 100)
    guard minute < 60, second < 61 else { return nil }
    return Double(hour * 3_600 + minute * 60) + second
  }

  /// A day: `ddmmyy`. Years below 80 are of this century, as satellite navigation began in 1980.
  func day(_ number: Int) -> (year: Int, month: Int, day: Int)? {
    guard let text = text(number), text.count == 6, let figures = Int(text), figures > 0 else {
      return nil
    }
    let year = figures % 100
    return (year < 80 ? 2_000 + year : 1_900 + year, figures / 100 % 100, figures / 10_000)
  }

  /// A latitude with its hemisphere and a longitude with its own, in four fields:
  /// `ddmm.mmmm,N,dddmm.mmmm,E`.
  func coordinate(from first: Int) -> Coordinate? {
    guard let latitude = angle(first, ["N": 1, "S": -1]),
      let longitude = angle(first + 2, ["E": 1, "W": -1])
    else { return nil }
    return Coordinate(latitude: latitude, longitude: longitude)
  }

  private func angle(_ field: Int, _ signs: [String: Double]) -> Double? {
    guard let text = text(field), number(field) != nil,
      let sign = self.text(field + 1).flatMap({ signs[$0] })
    else { return nil }
    let figures = text.prefix { $0 != "." }.count
    // Taken apart as text, so that no figure of the minutes is lost.
    guard (3...5).contains(figures), let degrees = Int(text.prefix(figures - 2)),
      let minutes = Double(text.dropFirst(figures - 2)), degrees >= 0, minutes >= 0
    else { return nil }
    return minutes < 60 ? sign * (Double(degrees) + minutes / 60) : nil
  }
}
