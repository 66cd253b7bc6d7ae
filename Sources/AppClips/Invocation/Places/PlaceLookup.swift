/// The information of a payload about its place.
struct Placing {
  var place: Place?
  /// The place's region, or one in the payload itself.
  var region: Region?
  var parameters: [String: String] = [:]
  var findings: [Finding] = []
}

/// Finds the place that a payload names, by its experience's rule.
struct PlaceLookup {
  let directory: any ExperienceDirectory

  func placing(
    of url: InvocationURL, under experience: AdvancedExperience
  ) throws -> Placing {
    switch experience.place {
    case nil: return Placing()
    case .fixed(let id): return try placing(id: id, source: "the experience's rule")
    case .path(let template): return try placing(of: url, link: experience.link, by: template)
    case .query(let item): return try placing(of: url, link: experience.link, item: item)
    case .coordinates(let latitude, let longitude, let radius):
      return CoordinateItems(latitude: latitude, longitude: longitude, radius: radius)
        .placing(of: url, link: experience.link)
    }
  }

  private func placing(
    of url: InvocationURL, link: InvocationURL, by template: PathTemplate
  ) throws -> Placing {
    guard var values = template.values(in: url.path) else {
      return Placing(
        findings: [
          Self.missing(in: url, link: link, what: "no path of the form \(template.text)")
        ])
    }
    let id = values.removeValue(forKey: PathTemplate.placeVariable)
    var placing = try id.map { try self.placing(id: $0, source: "the path") } ?? Placing()
    placing.parameters = values
    return placing
  }

  private func placing(
    of url: InvocationURL, link: InvocationURL, item name: String
  ) throws -> Placing {
    let values = url.queryItems.filter { $0.name == name }.map { $0.value ?? "" }
    guard let id = values.first, !id.isEmpty else {
      return Placing(
        findings: [
          Self.missing(
            in: url, link: link, what: "no value for the query item \(name.quotedForMessage)")
        ])
    }
    var placing = try self.placing(id: id, source: "the query item \(name.quotedForMessage)")
    if values.count > 1 { placing.findings.append(Self.repeated(name)) }
    return placing
  }

  private func placing(id: String, source: String) throws -> Placing {
    if let place = try directory.place(id: id) {
      return Placing(place: place, region: place.region)
    }
    let lowered = id.lowercased()
    let similar = lowered == id ? nil : try directory.place(id: lowered)
    return Placing(
      findings: [
        Finding(
          .unknownPlace, .warning,
          "No place has the id \(id.quotedForMessage), which \(source) names"
            + (similar.map { "; \($0.id.quotedForMessage) is known (case-sensitive)." } ?? "."))
      ])
  }

  static func repeated(_ name: String) -> Finding {
    Finding(
      .repeatedItem, .warning,
      "The query item \(name.quotedForMessage) is in the URL more than once; the first is used.")
  }

  /// The finding for a URL in which the rule finds no value: only the link, or another text in its
  /// place.
  static func missing(in url: InvocationURL, link: InvocationURL, what: String) -> Finding {
    func bare(_ path: String) -> Substring { path.hasSuffix("/") ? path.dropLast() : path[...] }
    if bare(url.path) == bare(link.path) {
      return Finding(
        .barePrefix, .warning,
        "The URL is the registered link alone; the experience requires a place in it; the URL has "
          + "\(what).")
    }
    return Finding(.unknownPlace, .warning, "The URL names no place: it has \(what).")
  }
}

/// Reads a position from a URL's query.
struct CoordinateItems {
  let latitude: String
  let longitude: String
  /// The radius in metres.
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
        "\(latitudeText.quotedForMessage), \(longitudeText.quotedForMessage) is not a position: "
          + "latitudes run from -90 to 90, longitudes from -180 to 180"
          + (isSwapped ? "; the two may be exchanged" : ""))
    }
    guard north != 0 || east != 0 else {
      return refusal(
        .coordinateZero, "Latitude and longitude are both zero, which indicates a missing value")
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

  /// Parses decimal degrees: a sign, digits, and a point with digits; no exponent, no "nan".
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
