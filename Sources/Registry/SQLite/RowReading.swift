import Foundation
internal import GRDB
import Invocation

extension RegistryError {
  /// A row that this version of the software cannot have written.
  static func damaged(_ what: String) -> RegistryError {
    RegistryError(
      .damaged, "The registry holds \(what), which no version of cliptag writes.",
      hint: "Restore the registry from a copy, or export and correct what is left.")
  }
}

extension AppClip {
  init(row: Row) throws {
    let domains: String? = row["domains"]
    self.init(
      bundleID: row["bundle_id"], appBundleID: row["app_bundle_id"], team: row["team"],
      appStoreID: row["app_store_id"],
      domains: domains.map { $0.split(separator: " ").map(String.init) } ?? [],
      locationConfirmation: row["location_confirmation"],
      defaultExperience: try Self.defaultExperience(row), listing: try ClipListing(row: row))
  }

  private static func defaultExperience(_ row: Row) throws -> ExperienceCard? {
    guard let text: String = row["default_action"] else { return nil }
    guard let action = CardAction(rawValue: text) else {
      throw RegistryError.damaged("the action “\(text)”")
    }
    return ExperienceCard(
      title: row["default_title"], subtitle: row["default_subtitle"], action: action)
  }
}

extension AdvancedExperience {
  init(row: Row) throws {
    let link: String = row["link"]
    let action: String = row["action"]
    let status: String = row["status"]
    guard let url = try? InvocationURL(link) else {
      throw RegistryError.damaged("the link “\(link)”")
    }
    guard let action = CardAction(rawValue: action) else {
      throw RegistryError.damaged("the action “\(action)”")
    }
    guard let status = ExperienceStatus(rawValue: status) else {
      throw RegistryError.damaged("the status “\(status)”")
    }
    self.init(
      clip: row["bundle_id"], link: url,
      card: ExperienceCard(title: row["title"], subtitle: row["subtitle"], action: action),
      language: row["language"], status: status, place: try PlaceRuleColumns(row: row).rule(),
      listing: try ExperienceListing(row: row))
  }
}

/// A place rule, spread over the columns of its experience.
struct PlaceRuleColumns {
  var id: String?
  var path: String?
  var query: String?
  var latitudeItem: String?
  var longitudeItem: String?
  var radius: Double?

  init(_ rule: PlaceRule?) {
    switch rule {
    case .fixed(let id): self.id = id
    case .path(let template): path = template.text
    case .query(let item): query = item
    case .coordinates(let latitudeItem, let longitudeItem, let radius):
      self.latitudeItem = latitudeItem
      self.longitudeItem = longitudeItem
      self.radius = radius
    case nil: break
    }
  }

  init(row: Row) {
    id = row["place_id"]
    path = row["place_path"]
    query = row["place_query"]
    latitudeItem = row["place_latitude"]
    longitudeItem = row["place_longitude"]
    radius = row["place_radius"]
  }

  func rule() throws -> PlaceRule? {
    if let id { return .fixed(id: id) }
    if let path {
      guard let template = try? PathTemplate(path) else {
        throw RegistryError.damaged("the path template “\(path)”")
      }
      return .path(template: template)
    }
    if let query { return .query(item: query) }
    if let latitudeItem, let longitudeItem, let radius {
      return .coordinates(
        latitudeItem: latitudeItem, longitudeItem: longitudeItem, radius: radius)
    }
    return nil
  }
}

extension Place {
  init(row: Row) throws {
    self.init(id: row["id"], name: row["name"], region: try RegionColumns(row: row).region())
  }
}

/// A region, spread over the columns of its place; a polygon's corners are `[[lat,lon],…]`.
struct RegionColumns {
  var latitude: Double?
  var longitude: Double?
  var radius: Double?
  var polygon: String?
  /// All regions of a place of several, in the form of a registry file.
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

  init(row: Row) {
    latitude = row["latitude"]
    longitude = row["longitude"]
    radius = row["radius"]
    polygon = row["polygon"]
    regions = row["regions"]
  }

  func region() throws -> Region {
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

extension IssuedCode {
  init(row: Row) throws {
    let name: String = row["id"]
    let carrierName: String = row["carrier"]
    let statusName: String = row["status"]
    guard let id = CodeID(name) else { throw RegistryError.damaged("the code name “\(name)”") }
    guard let carrier = Carrier(rawValue: carrierName) else {
      throw RegistryError.damaged("the carrier “\(carrierName)”")
    }
    guard let status = Status(rawValue: statusName) else {
      throw RegistryError.damaged("the status “\(statusName)”")
    }
    self.init(
      id: id, payload: row["payload"], carrier: carrier, placeID: row["place_id"],
      created: Date(millisecondsSince1970: row["created"]), registered: row["registered"],
      status: status, output: row["output"], tagUID: row["tag_uid"], tagType: row["tag_type"],
      symbol: Symbol(row: row))
  }
}

extension IssuedCode.Symbol {
  fileprivate init?(row: Row) {
    guard let version: Int = row["symbol_version"],
      let errorCorrection: String = row["symbol_error_correction"],
      let moduleSize: Double = row["symbol_module_size"], let width: Double = row["symbol_width"]
    else { return nil }
    self.init(
      version: version, errorCorrection: errorCorrection, moduleSize: moduleSize, width: width)
  }
}

extension CodeEvent {
  init(row: Row) throws {
    let name: String = row["code"]
    let details: String = row["details"]
    guard let code = CodeID(name) else { throw RegistryError.damaged("the code name “\(name)”") }
    guard
      let facts = try? JSONDecoder().decode([String: String].self, from: Data(details.utf8))
    else { throw RegistryError.damaged("the event details \(details)") }
    self.init(
      code: code, sequence: row["sequence"], time: Date(millisecondsSince1970: row["time"]),
      kind: Kind(rawValue: row["kind"]), who: row["who"], details: facts)
  }
}

extension TagCounter {
  init(row: Row) {
    self.init(
      uid: row["uid"], counter: row["counter"], seen: Date(millisecondsSince1970: row["seen"]))
  }
}
