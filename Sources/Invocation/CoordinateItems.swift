/// Reads a position out of a URL's query.
struct CoordinateItems {
  let latitude: String
  let longitude: String
  /// Metres.
  let radius: Double

  func placing(of url: InvocationURL, link: InvocationURL) -> Placing {
    let items = url.queryItems
    let latitudes = items.filter { $0.name == latitude }.map { $0.value ?? "" }
    let longitudes = items.filter { $0.name == longitude }.map { $0.value ?? "" }
    guard let latitudeText = latitudes.first, let longitudeText = longitudes.first else {
      return missing(url, link: link, hasLatitude: !latitudes.isEmpty)
    }
    var placing = placing(latitudeText, longitudeText)
    if latitudes.count > 1 { placing.findings.append(PlaceLookup.repeated(latitude)) }
    if longitudes.count > 1 { placing.findings.append(PlaceLookup.repeated(longitude)) }
    return placing
  }

  private func missing(_ url: InvocationURL, link: InvocationURL, hasLatitude: Bool) -> Placing {
    let absent = (hasLatitude ? longitude : latitude).quotedForMessage
    if url.matchingKey == link.matchingKey {
      return Placing(
        findings: [
          PlaceLookup.missing(in: url, link: link, what: "no query item \(absent)")
        ])
    }
    return refusal(.coordinateMissing, "The URL has no query item \(absent)")
  }

  private func placing(_ latitudeText: String, _ longitudeText: String) -> Placing {
    for (name, text) in [(latitude, latitudeText), (longitude, longitudeText)]
    where Self.degrees(text) == nil {
      let why =
        text.contains(",") ? "write the decimal sign as a point" : "write decimal degrees"
      return refusal(
        .coordinateMalformed,
        "The query item \(name.quotedForMessage) is \(text.quotedForMessage), which is not a "
          + "number; \(why)")
    }
    guard let north = Self.degrees(latitudeText), let east = Self.degrees(longitudeText),
      let centre = Coordinate(latitude: north, longitude: east)
    else {
      let isSwapped =
        Self.degrees(latitudeText).map { abs($0) <= 180 } == true
        && Self.degrees(longitudeText).map { abs($0) <= 90 } == true
      return refusal(
        .coordinateOutOfRange,
        "\(latitudeText.quotedForMessage), \(longitudeText.quotedForMessage) is no position: "
          + "latitudes run from -90 to 90, longitudes from -180 to 180"
          + (isSwapped ? "; the two may be exchanged" : ""))
    }
    guard north != 0 || east != 0 else {
      return refusal(
        .coordinateZero, "Latitude and longitude are both zero, which stands for a missing value")
    }
    guard let circle = Region.Circle(centre: centre, radius: radius) else {
      let problem = Region.Circle.refusal(ofRadius: radius)
      return Placing(findings: [Finding(.radiusOutOfRange, .warning, problem)])
    }
    return Placing(region: .circle(circle))
  }

  private func refusal(_ code: Finding.Code, _ message: String) -> Placing {
    Placing(findings: [Finding(code, .warning, message + ".")])
  }

  /// Decimal degrees: a sign, digits, and a point with digits. No exponent, no "nan".
  static func degrees(_ text: String) -> Double? {
    var rest = text.utf8[...]
    if let sign = rest.first, sign == UInt8(ascii: "-") || sign == UInt8(ascii: "+") {
      rest = rest.dropFirst()
    }
    let parts = rest.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
    guard parts.count <= 2, parts.allSatisfy({ !$0.isEmpty && $0.allSatisfy(\.isASCIIDigit) })
    else { return nil }
    return Double(text)
  }
}
