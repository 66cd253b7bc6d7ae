public import Invocation

/// Clips, experiences and places as one value: what a registry file says.
///
/// Codes and their history are not part of it; they stay in the registry that issued them.
public struct RegistryDocument: Hashable, Sendable {
  /// The clips, in the order of the file.
  public var clips: [AppClip]
  /// The advanced experiences of all clips, in the order of the file.
  public var experiences: [AdvancedExperience]
  /// The places, in the order of the file.
  public var places: [Place]

  /// Makes a document.
  public init(
    clips: [AppClip] = [], experiences: [AdvancedExperience] = [], places: [Place] = []
  ) {
    self.clips = clips
    self.experiences = experiences
    self.places = places
  }

  /// The same content in the one order that stores and exports use: clips by bundle identifier,
  /// experiences by clip and then by link, places by id, each in the order of their UTF-8 bytes.
  package func sorted() -> RegistryDocument {
    RegistryDocument(
      clips: clips.sorted { $0.bundleID.utf8Precedes($1.bundleID) },
      experiences: experiences.sorted {
        $0.clip == $1.clip
          ? $0.link.normalized.utf8Precedes($1.link.normalized) : $0.clip.utf8Precedes($1.clip)
      },
      places: places.sorted { $0.id.utf8Precedes($1.id) })
  }
}

extension RegistryDocument {
  /// How a document is written down.
  public enum Format: String, Hashable, Sendable, CaseIterable {
    /// YAML 1.2, one document.
    case yaml
    /// JSON (RFC 8259).
    case json

    /// The format that a file's ending names (`.yaml`, `.yml`, `.json`, in any case), or `nil`.
    public init?(path: String) {
      let ending = path.split(separator: "/").last?.split(separator: ".").last?.lowercased()
      switch ending {
      case "yaml", "yml": self = .yaml
      case "json": self = .json
      default: return nil
      }
    }
  }
}

extension String {
  /// Whether the string's UTF-8 bytes sort before another's: the order of a `BINARY` column in
  /// SQLite, and the same on every platform.
  func utf8Precedes(_ other: String) -> Bool {
    utf8.lexicographicallyPrecedes(other.utf8)
  }
}

extension ExperienceCatalog {
  /// A document compiled for checks.
  public init(_ document: RegistryDocument) {
    self.init(
      clips: document.clips, experiences: document.experiences, places: document.places)
  }
}
