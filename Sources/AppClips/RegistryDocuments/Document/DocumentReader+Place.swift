package import Invocation

/// The rules for places.
extension DocumentReader {
  mutating func readPlace(_ node: DocumentNode) {
    guard var fields = fields(node, of: .place) else { return }
    let id = placeID(fields, in: node)
    let name = required(fields, "name", in: node, "The place")
    if let id, let left = present?.complete(&fields, ofPlace: id) { unstated.append(left) }
    let language = signLanguage(fields["language"])
    guard let region = region(of: fields, in: node), let id, let name else { return }
    document.places.append(Place(id: id, name: name, region: region, language: language))
  }

  /// Reads the language of the signs at a place.
  private mutating func signLanguage(_ node: DocumentNode?) -> String? {
    guard let node, let tag = text(node, "language") else { return nil }
    if let fault = Place.problem(withLanguage: tag) { problem(node, fault) }
    return tag
  }

  /// Reads several regions from a text of a database; returns `nil` for an unreadable text.
  package static func region(inColumn text: String) -> Region? {
    var problems: [DocumentProblem] = []
    var reader = DocumentReader()
    guard let node = JSONSource.parse(text, problems: &problems),
      let fields = reader.fields(node, of: .place),
      let region = reader.region(of: fields, in: node),
      problems.isEmpty, reader.problems.isEmpty
    else { return nil }
    return region
  }

  /// Reads the one region under `region`, or the list under `regions`.
  private mutating func region(
    of fields: [String: DocumentNode], in node: DocumentNode
  ) -> Region? {
    switch (fields["region"], fields["regions"]) {
    case (nil, nil):
      problem(node, "The place lacks “region”; add a centre and a radius, or a polygon.")
      return nil
    case (let only?, nil): return region(only)
    case (_?, let several?):
      problem(several, "A place has “region” or “regions”, not both; move it into the list.")
      return nil
    case (nil, let several?):
      let before = problems.count
      let nodes = list(several, "regions")
      let regions = nodes.compactMap { region($0) }
      guard problems.count == before else { return nil }
      guard let region = Region(regions) else {
        problem(several, "“regions” is empty; add a centre and a radius, or a polygon.")
        return nil
      }
      for (index, item) in nodes.enumerated() where regions[..<index].contains(regions[index]) {
        problem(item, "The region repeats a previous one; remove it.")
      }
      return region
    }
  }

  /// Reads an id that fits, percent-encoded, into one path segment or query item.
  private mutating func placeID(
    _ fields: [String: DocumentNode], in node: DocumentNode
  ) -> String? {
    guard let id = required(fields, "id", in: node, "The place"), let node = fields["id"] else {
      return nil
    }
    guard id.utf8.count <= 100, !id.hasPrefix(" "), !id.hasSuffix(" "),
      !id.unicodeScalars.contains(where: {
        $0 == "/" || $0 != " " && $0.properties.isWhitespace
          || $0.properties.generalCategory == .control
      })
    else {
      problem(
        node,
        "The id “\(id.shortened)” is ambiguous in a URL; use at most 100 bytes, preferably "
          + "letters, digits and hyphens, without slashes and without white space other than "
          + "single spaces inside.")
      return nil
    }
    if let line = placeLines[id] {
      problem(node, "The id “\(id)” is already used by the place on line \(line); choose another.")
    } else {
      placeLines[id] = node.position.line
    }
    return id
  }

  private mutating func region(_ node: DocumentNode) -> Region? {
    let ofCircle = ["latitude", "longitude", "radius"]
    guard let fields = fields(node, of: .region) else { return nil }
    if let polygon = fields["polygon"] {
      if let other = ofCircle.compactMap({ fields[$0] }).first {
        problem(other, "A region is a circle or a polygon, not both; remove one.")
      }
      return self.polygon(polygon)
    }
    let missing = ofCircle.filter { fields[$0] == nil }
    if !missing.isEmpty {
      problem(node, "The region lacks \(list(missing)); add it.")
    }
    let latitude = fields["latitude"].flatMap { number($0, "latitude") }
    let longitude = fields["longitude"].flatMap { number($0, "longitude") }
    let radius = fields["radius"].flatMap { self.radius($0) }
    guard let latitude, let longitude,
      let centre = coordinate(
        latitude, longitude, fields["latitude"] ?? node, fields["longitude"] ?? node),
      let radius, let circle = Region.Circle(centre: centre, radius: radius)
    else { return nil }
    return .circle(circle)
  }

  private mutating func polygon(_ node: DocumentNode) -> Region? {
    let before = problems.count
    var corners: [Coordinate] = []
    for item in list(node, "polygon") {
      guard case .list(let pair) = item.value, pair.count == 2 else {
        problem(item, "A corner is [latitude, longitude] in degrees.")
        continue
      }
      guard let latitude = number(pair[0], "latitude"),
        let longitude = number(pair[1], "longitude"),
        let corner = coordinate(latitude, longitude, pair[0], pair[1])
      else { continue }
      if corner == corners.last {
        problem(item, "The corner repeats the previous one; remove it.")
      }
      corners.append(corner)
    }
    if corners.count > 3, corners.first == corners.last {
      warning(
        node, "The last corner repeats the first; a polygon closes implicitly, so it is left out.")
      corners.removeLast()
    }
    guard problems.count == before else { return nil }
    guard Set(corners).count >= 3, let polygon = Region.Polygon(corners: corners) else {
      problem(node, "A polygon has at least three different corners; this has \(corners.count).")
      return nil
    }
    return .polygon(polygon)
  }

  private mutating func coordinate(
    _ latitude: Double, _ longitude: Double, _ latitudeNode: DocumentNode,
    _ longitudeNode: DocumentNode
  ) -> Coordinate? {
    if let coordinate = Coordinate(latitude: latitude, longitude: longitude) {
      if latitude == 0, longitude == 0 {
        warning(latitudeNode, "0/0 is in the Gulf of Guinea; check for a missing position.")
      }
      return coordinate
    }
    if abs(latitude) > 90 {
      let hint =
        abs(latitude) <= 180 && abs(longitude) <= 90
        ? " Check if latitude and longitude are exchanged." : ""
      problem(
        latitudeNode, "“latitude” must be -90 to 90 degrees, not \(latitude.plain).\(hint)")
    }
    if abs(longitude) > 180 {
      problem(longitudeNode, "“longitude” must be -180 to 180 degrees, not \(longitude.plain).")
    }
    return nil
  }
}

extension Double {
  /// The shortest text that reads back as the same number, without a final `.0`.
  var plain: String {
    let text = "\(self)"
    return text.hasSuffix(".0") ? String(text.dropLast(2)) : text
  }
}
