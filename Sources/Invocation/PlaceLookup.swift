/// What a payload says about the place it belongs to.
struct Placing {
  var place: Place?
  /// The place's region, or one that the payload itself carries.
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
            + (similar.map { "; \($0.id.quotedForMessage) is known, and case counts." } ?? "."))
      ])
  }

  static func repeated(_ name: String) -> Finding {
    Finding(
      .repeatedItem, .warning,
      "The query item \(name.quotedForMessage) stands in the URL more than once; the first counts.")
  }

  /// The finding for a URL in which the rule finds nothing to look up: nothing but the link, or
  /// something else in its place.
  static func missing(in url: InvocationURL, link: InvocationURL, what: String) -> Finding {
    func bare(_ path: String) -> Substring { path.hasSuffix("/") ? path.dropLast() : path[...] }
    if bare(url.path) == bare(link.path) {
      return Finding(
        .barePrefix, .warning,
        "The URL is the registered link alone; the experience wants a place in it, and the URL has "
          + "\(what).")
    }
    return Finding(.unknownPlace, .warning, "The URL names no place: it has \(what).")
  }
}
