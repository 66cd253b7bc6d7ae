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
    let places = try workplace.registry.places().filter { id == nil || $0.id == id }
    if let id, places.isEmpty { throw try NotOnRecord(place: id, in: workplace.registry) }
    let known = try PlaceURLs(in: workplace, clip: clip)
    var lines = ["url", "id"].csvLine
    var leftOut: [String] = []
    for place in places {
      let urls = try known.urls(of: place)
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

extension LabelRows {
  /// The URLs of places: those of the QR codes on record that are in use there, else the one that the
  /// rule of an active experience gives.
  public struct PlaceURLs {
    private let registry: any RegistryStore
    private let clip: String?
    private let check: InvocationCheck
    private let experiences: [AdvancedExperience]

    /// Reads the experiences of a registry.
    ///
    /// - Parameters:
    ///   - workplace: The registry, and its check of URLs.
    ///   - clip: The bundle identifier of the only clip; `nil` for all.
    public init(in workplace: Workplace, clip: String? = nil) throws {
      registry = workplace.registry
      self.clip = clip
      check = try workplace.check.inMemory(of: registry)
      experiences = try registry.experiences(ofClip: clip)
    }

    /// Returns the URLs of a place; none for an unknown one.
    public func urls(ofPlace id: String) throws -> [String] {
      try registry.place(id: id).map { try urls(of: $0) } ?? []
    }

    /// Returns the URLs of a place.
    func urls(of place: Place) throws -> [String] {
      let codes = try registry.codes(
        CodeFilter(status: .issued, carrier: .qr, placeID: place.id))
      var urls: [String] = []
      for code in codes
      where try !urls.contains(code.payload) && isAccepted(code.payload, at: place) {
        urls.append(code.payload)
      }
      guard urls.isEmpty else { return urls }
      return try experiences.compactMap { $0.url(of: place) }
        .first { try isAccepted($0, at: place) }.map { [$0] } ?? []
    }

    private func isAccepted(_ url: String, at place: Place) throws -> Bool {
      do {
        let verification = try check.approve(url).verification
        return verification.place?.id == place.id
          && (clip == nil || verification.clip?.bundleID == clip)
      } catch is IssueRefusal {
        return false
      }
    }
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
