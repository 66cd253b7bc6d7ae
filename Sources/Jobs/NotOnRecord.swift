/// A name that the registry does not hold.
public struct NotOnRecord: Error, Hashable, Sendable, CustomStringConvertible {
  /// The kinds of things that have names.
  public enum Kind: String, Hashable, Sendable {
    /// A thing with a name of its own.
    case code, place, walk, finding
  }

  /// The kind of thing.
  public let kind: Kind
  /// The name that was given.
  public let name: String

  /// Names what was looked for.
  public init(kind: Kind, name: String) {
    self.kind = kind
    self.name = name
  }

  /// The sentence for people.
  public var description: String { "The registry has no \(kind.rawValue) \(name)." }
}
