import CliptagBasics
import Foundation
import Invocation
import Issuing
import Registry

extension LabelRows {
  /// The rows of the places of a registry.
  public struct OfPlaces: Sendable {
    /// The rows, by place; `nil` if there are none.
    public let rows: LabelRows?
    /// The ids of places without a code on record and an experience that gives their URL.
    public let placesLeftOut: [String]
  }

  /// Makes a row for each QR code on record that is in use at a place, and for each place without one
  /// a row with the URL that the rule of an active experience gives.
  ///
  /// A row is named by the id of its place, and a number from the second on.
  ///
  /// - Parameters:
  ///   - workplace: The registry.
  ///   - id: The only place; `nil` for all.
  ///   - clip: The bundle identifier of the only clip; `nil` for all.
  /// - Throws: ``NotOnRecord`` for an unknown place, or `RegistryError`.
  public static func ofPlaces(
    in workplace: Workplace, place id: String? = nil, clip: String? = nil
  ) throws -> OfPlaces {
    let registry = workplace.registry
    let places = try registry.places().filter { id == nil || $0.id == id }
    if let id, places.isEmpty { throw NotOnRecord(kind: .place, name: id) }
    let experiences = try registry.experiences(ofClip: clip)
    let codes = Dictionary(
      grouping: try registry.codes(CodeFilter(status: .issued, carrier: .qr, placeID: id)),
      by: \.placeID)
    let check = try workplace.check.inMemory(of: registry)
    func isAccepted(_ url: String, at place: Place) throws -> Bool {
      do {
        let verification = try check.approve(url).verification
        return verification.place?.id == place.id
          && (clip == nil || verification.clip?.bundleID == clip)
      } catch is IssueRefusal {
        return false
      }
    }
    var lines = ["url", "id"].csvLine
    var leftOut: [String] = []
    for place in places {
      var urls: [String] = []
      for code in codes[place.id] ?? []
      where try !urls.contains(code.payload) && isAccepted(code.payload, at: place) {
        urls.append(code.payload)
      }
      if urls.isEmpty {
        urls +=
          try experiences.compactMap { $0.url(of: place) }
          .first { try isAccepted($0, at: place) }.map { [$0] } ?? []
      }
      if urls.isEmpty { leftOut.append(place.id) }
      for (index, url) in urls.enumerated() {
        lines += [url, index == 0 ? place.id : "\(place.id)-\(index + 1)"].csvLine
      }
    }
    let isEmpty = leftOut.count == places.count
    return OfPlaces(
      rows: isEmpty ? nil : try LabelRows(Array(lines.utf8), named: "registry"),
      placesLeftOut: leftOut)
  }
}

extension AdvancedExperience {
  /// Returns the URL whose place is the given one by the rule of the experience; `nil` if the rule
  /// needs more than the place, or there is none.
  fileprivate func url(of place: Place) -> String? {
    guard status == .received else { return nil }
    let unreserved = CharacterSet(charactersIn: "-._~")
      .union(CharacterSet(charactersIn: "a"..."z")).union(CharacterSet(charactersIn: "A"..."Z"))
      .union(CharacterSet(charactersIn: "0"..."9"))
    let id = place.id.addingPercentEncoding(withAllowedCharacters: unreserved) ?? place.id
    return switch self.place {
    case .fixed(place.id): link.payload
    case .path(let template): template.path(naming: id).map { "https://\(link.host)\($0)" }
    case .query(let item): link.payload + (link.query == nil ? "?" : "&") + "\(item)=\(id)"
    case .fixed, .coordinates, nil: nil
    }
  }
}
