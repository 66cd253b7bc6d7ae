import CliptagBasics
import Invocation
public import Registry

/// A name that the registry does not hold.
public struct NotOnRecord: Error, Hashable, Sendable, CustomStringConvertible {
  /// The kinds of things that have names.
  public enum Kind: String, Hashable, Sendable {
    /// A thing with a name of its own.
    case code, clip, experience, place, walk, finding
  }

  /// The kind of thing.
  public let kind: Kind
  /// The name that was given.
  public let name: String
  /// The names on record that may be meant, the nearest first; at most three.
  public let similar: [String]

  /// Names what was looked for.
  ///
  /// - Parameters:
  ///   - kind: The kind of thing.
  ///   - name: The name that was given.
  ///   - known: The names on record, among which similar ones are suggested.
  public init(kind: Kind, name: String, among known: [String] = []) {
    self.kind = kind
    self.name = name
    similar = known.meant(by: name)
  }

  /// Names a place that a registry does not hold, and suggests similar ones.
  ///
  /// - Parameters:
  ///   - id: The id that was given.
  ///   - registry: The registry.
  /// - Throws: `RegistryError`.
  public init(place id: String, in registry: any RegistryStore) throws(RegistryError) {
    self.init(kind: .place, name: id, among: try registry.places().map(\.id))
  }

  /// Names an experience that a registry does not hold, and suggests similar ones.
  ///
  /// - Parameters:
  ///   - link: The link that was given.
  ///   - registry: The registry.
  /// - Throws: `RegistryError`.
  public init(experience link: String, in registry: any RegistryStore) throws(RegistryError) {
    let links = try registry.experiences().map(\.link.payload)
    self.init(kind: .experience, name: link, among: links)
  }

  /// The sentence for people.
  public var description: String { "The registry has no \(kind.rawValue) \(name)." }
}
