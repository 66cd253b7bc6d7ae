public import TagTypes

/// The dump of a tag, with the name of its file.
public struct NamedTagDump: Sendable {
  /// The dump.
  public let tag: SavedTag
  /// The name of its file.
  public let name: String

  /// Names a dump.
  public init(_ tag: SavedTag, named name: String) {
    self.tag = tag
    self.name = name
  }
}
