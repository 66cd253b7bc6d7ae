import CliptagBasics
import Foundation
public import Invocation

/// Places.
extension RegistryOperations where Self: ~Copyable {
  /// Returns the place with an id, byte for byte.
  public borrowing func place(id: String) throws(RegistryError) -> Place? {
    try rows("SELECT * FROM place WHERE id = ?", [id], Place.init(row:)).first
  }

  /// Returns every place, by id.
  public borrowing func places() throws(RegistryError) -> [Place] {
    try rows("SELECT * FROM place ORDER BY id", [], comeInPieces: true, Place.init(row:))
  }

  /// Adds a place.
  ///
  /// - Throws: `RegistryError.Code.alreadyExists`.
  public borrowing func add(_ place: Place) throws(RegistryError) {
    try write { registry in
      guard try registry.place(id: place.id) == nil else {
        throw RegistryError.exists("place", place.id)
      }
      try ValueRules.check(place)
      try registry.store(place)
    }
  }

  /// Replaces the place with the same id.
  ///
  /// - Throws: `RegistryError.Code.notFound`.
  public borrowing func replace(_ place: Place) throws(RegistryError) {
    try write { registry in
      guard try registry.place(id: place.id) != nil else {
        throw RegistryError.missing("place", place.id)
      }
      try ValueRules.check(place)
      try registry.store(place)
    }
  }

  /// Removes a place. It is in use while an experience has it as a fixed place, or a code that is
  /// not retired belongs to it.
  ///
  /// - Parameters:
  ///   - id: The place's id.
  ///   - evenIfInUse: Whether to remove it although it is in use: experiences lose their place
  ///     rule, codes keep the id.
  /// - Returns: The experiences and the number of codes that named it.
  /// - Throws: `RegistryError.Code.notFound`, `RegistryError.Code.inUse`.
  @discardableResult
  public borrowing func removePlace(
    id: String, evenIfInUse: Bool = false
  ) throws(RegistryError) -> RemovalReport {
    try write { registry in
      guard try registry.place(id: id) != nil else { throw RegistryError.missing("place", id) }
      var experiences = try registry.rows(
        "SELECT * FROM experience WHERE place_id = ? ORDER BY normalized", [id],
        AdvancedExperience.init(row:))
      let codes = try registry.codes(CodeFilter(status: .issued, placeID: id)).count
      guard evenIfInUse || experiences.isEmpty && codes == 0 else {
        throw RegistryError(
          .inUse,
          "The place “\(id)” is used by "
            + "\(experiences.count.of("experience")) and \(codes.of("code")) in use.",
          hint: "Change those first, or force the removal.")
      }
      for index in experiences.indices {
        experiences[index].place = nil
        try registry.store(experiences[index])
      }
      try registry.deletePlace(id: id)
      return RemovalReport(experiences: experiences.map(\.link.normalized), codes: codes)
    }
  }
}

extension RegistryTransaction {
  /// Returns the places with these ids, with one look-up.
  borrowing func places(ids: [String]) throws(RegistryError) -> [ByteKey: Place] {
    var places: [ByteKey: Place] = [:]
    try session.forEachRow("SELECT * FROM place WHERE id = ?", ofEach: ids.map { [$0] }) {
      index, row throws(RegistryError) in
      places[ByteKey(ids[index])] = try Place(row: row)
    }
    return places
  }

  /// Inserts or replaces by id, and records it.
  borrowing func store(_ place: Place) throws(RegistryError) {
    try keep(place)
    try tell(Setting(.place, place.id))
  }

  /// Inserts or replaces as ``store(_:)-(Place)`` does, without recording it.
  borrowing func keep(_ place: Place) throws(RegistryError) {
    let region = RegionColumns(place.region)
    try run(
      """
      INSERT INTO place (id, name, latitude, longitude, radius, polygon, regions, language)
      VALUES (?, ?, ?, ?, ?, ?, ?, ?)
      ON CONFLICT (id) DO UPDATE SET
        name = excluded.name, latitude = excluded.latitude, longitude = excluded.longitude,
        radius = excluded.radius, polygon = excluded.polygon, regions = excluded.regions,
        language = excluded.language
      """,
      [
        place.id, place.name, region.latitude, region.longitude, region.radius, region.polygon,
        region.regions, place.language,
      ])
  }

  /// Deletes a place that is not the fixed place of any experience.
  borrowing func deletePlace(id: String) throws(RegistryError) {
    try run("DELETE FROM place WHERE id = ?", [id])
    known.places.remove(ByteKey(id))
    try tell(Setting(.place, id))
  }
}

extension Place {
  init(row: any RegistryRow) throws(RegistryError) {
    let name: String = try row["name"]
    self.init(
      id: try row["id"], name: name, region: try RegionColumns(row: row).region(),
      language: row["language"])
  }
}

/// A region as columns of its place; a polygon's corners are `[[lat,lon],…]`.
private struct RegionColumns {
  var latitude: Double?
  var longitude: Double?
  var radius: Double?
  var polygon: String?
  /// The regions of a place with several, in the form of a registry file.
  var regions: String?

  init(_ region: Region) {
    switch region {
    case .circle(let circle):
      latitude = circle.centre.latitude
      longitude = circle.centre.longitude
      radius = circle.radius
    case .polygon(let shape):
      let corners = shape.corners.map { "[\($0.latitude),\($0.longitude)]" }
      polygon = "[" + corners.joined(separator: ",") + "]"
    case .several(let several):
      if let first = several.regions.first { self = RegionColumns(first) }
      regions = OutputNode.column(ofRegions: several.regions)
    }
  }

  init(row: any RegistryRow) {
    latitude = row["latitude"]
    longitude = row["longitude"]
    radius = row["radius"]
    polygon = row["polygon"]
    regions = row["regions"]
  }

  func region() throws(RegistryError) -> Region {
    if let regions {
      guard let region = DocumentReader.region(inColumn: regions) else {
        throw RegistryError.damaged("the regions \(regions)")
      }
      return region
    }
    if let polygon {
      let numbers = try? JSONDecoder().decode([[Double]].self, from: Data(polygon.utf8))
      let corners = numbers?.compactMap {
        $0.count == 2 ? Coordinate(latitude: $0[0], longitude: $0[1]) : nil
      }
      guard let corners, corners.count == numbers?.count,
        let shape = Region.Polygon(corners: corners)
      else { throw RegistryError.damaged("the polygon \(polygon)") }
      return .polygon(shape)
    }
    guard let latitude, let longitude, let radius,
      let centre = Coordinate(latitude: latitude, longitude: longitude),
      let circle = Region.Circle(centre: centre, radius: radius)
    else { throw RegistryError.damaged("a place without a usable region") }
    return .circle(circle)
  }
}

extension Place {
  /// Returns the sentence about a code whose URL names this place, and which was issued before the
  /// registry had it: the place of a code is part of its record, which never changes.
  package func message(aboutIssueBefore code: IssuedCode) -> String {
    "\(code.payload.printable) names the place “\(id.printable)”, which the registry did not have when "
      + "the code was issued, so that packing lists and walks of the place omit it: retire the code, and "
      + "\(code.carrier == .nfc ? "write the tag" : "print it to the same file") again. "
      + "What hangs may stay, because it carries the same URL."
  }
}
