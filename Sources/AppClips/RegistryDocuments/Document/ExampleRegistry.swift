import CliptagBasics
import Foundation
import Invocation

/// A commented registry file for a business, to be completed by its owner.
///
/// The file is valid as it is: it can be imported and tried at once. What only the owner knows (the
/// team, the positions of places) has a value of the right form and a comment.
public struct ExampleRegistry: Hashable, Sendable {
  /// The name of the business, for cards and posters.
  public let business: String
  /// The host of its invocation URLs.
  public let host: String
  /// The bundle identifier of its App Clip.
  public let clip: String
  /// Its places.
  public let places: [ExamplePlace]

  /// A place of the business.
  public struct ExamplePlace: Hashable, Sendable {
    /// The name for people.
    public let name: String
    /// The id in URLs.
    public let id: String
  }

  /// Describes a business.
  ///
  /// - Parameters:
  ///   - business: The name of the business.
  ///   - host: The host of its invocation URLs; `nil` for one of `example.com`, made of the name.
  ///   - clip: The bundle identifier of its App Clip; `nil` for one made of the host.
  ///   - places: The names of its places; without any, one is made up.
  /// - Throws: ``RegistryError/Code/invalid`` for a name, a host or an identifier that a registry file
  ///   cannot have.
  public init(
    business: String, host: String? = nil, clip: String? = nil, places: [String] = []
  ) throws(RegistryError) {
    self.business = business
    let host = host?.lowercased() ?? "\(business.asPathSegment ?? "shop").example.com"
    self.host = host
    self.clip = clip ?? host.split(separator: ".").reversed().joined(separator: ".") + ".Clip"
    var ids: Set<String> = []
    self.places = (places.isEmpty ? ["Main Street"] : places).enumerated().map { index, name in
      var id = name.asPathSegment ?? "place-\(index + 1)"
      while !ids.insert(id).inserted { id += "-\(index + 1)" }
      return ExamplePlace(name: name, id: id)
    }
    do throws(RegistryError) {
      _ = try RegistryDocument.read(Data(text().utf8), as: .yaml)
    } catch {
      throw RegistryError(
        .invalid, error.problems.first?.message ?? error.message,
        hint: "Give another name or domain.")
    }
  }

  private var app: String { clip.split(separator: ".").dropLast().joined(separator: ".") }

  /// The URL of the code of the first place.
  public var firstURL: String { "https://\(host)/order/\(places[0].id)" }

  /// Returns the text of the file, in YAML.
  ///
  /// - Parameter instructions: What to do with the file, in lines that stand at its beginning.
  public func text(instructions: [String] = []) -> String {
    """
    # The registry of \(business): its App Clip, the URLs of its codes, and its places.
    #
    # Text after # is a comment. Correct the lines with “←”.
    \(instructions.map { "# \($0)" }.joined(separator: "\n"))

    clips:
      - clip: \(clip.jsonQuoted)  # ← bundle identifier of the App Clip
        app: \(app.jsonQuoted)  # ← bundle identifier of its app
        team: ABCDE12345  # ← team identifier, from the developer account
        # appStoreID: "1234567890"  # ← the app's number in the App Store, once it has one
        name: \(business.jsonQuoted)
        domains: [\(host.jsonQuoted)]  # the hosts of the clip's entitlement appclips:HOST
        # Whether the clip asks iOS if the phone is at the place before it acts.
        locationConfirmation: true
        # The card for URLs that no experience below covers. App Store Connect requires it.
        defaultExperience:
          title: \(business.jsonQuoted)
          subtitle: Open the menu
          action: OPEN
        experiences:
          # Every URL that begins with this link opens this card. {place} is the part of the path
          # that names the place: \(firstURL)
          - link: "https://\(host)/order"
            title: \(business.jsonQuoted)
            subtitle: Order here
            action: OPEN
            language: EN
            place: { path: "/order/{place}" }

    places:
    \(placeLines.joined(separator: "\n"))

    """
  }

  private var placeLines: [String] {
    places.enumerated().flatMap { index, place in
      // Far enough apart that none is taken for its neighbour.
      let latitude = 37.323 + Double(index % 1_000) / 20
      return [
        "  - id: \(place.id.jsonQuoted)",
        "    name: \(place.name.jsonQuoted)",
        "    # ← position in degrees (WGS 84), and the radius in metres, at most 500",
        "    region: { latitude: \(latitude.plain), longitude: -122.0322, radius: 80 }",
      ]
    }
  }
}

extension String {
  /// The text as a segment of a path: lower-case letters and digits of ASCII with hyphens; `nil` if it
  /// has none of them.
  fileprivate var asPathSegment: String? {
    let latin = self.applyingTransform(.toLatin, reverse: false) ?? self
    let plain = latin.applyingTransform(.stripDiacritics, reverse: false) ?? latin
    let words = plain.lowercased().split { !$0.isASCII || !$0.isLetter && !$0.isNumber }
    let segment = words.joined(separator: "-").prefix(40)
    return segment.isEmpty ? nil : String(segment)
  }
}
