public import Foundation

/// One round on which somebody reads what hangs out there.
///
/// A walk is only ever added to, by the laptop that began it. Several people who walk at once each
/// have a walk of their own, of one name, and a report is about all walks of a name.
public struct Walk: Hashable, Sendable, Identifiable {
  /// The name of one walk among all walks of all laptops: a UUID made at random.
  public struct ID: Hashable, Sendable, Comparable, CustomStringConvertible {
    /// The UUID (RFC 9562) in lower case.
    public let description: String

    /// Makes a new name.
    package init() { description = UUID().uuidString.lowercased() }

    /// Reads a name; `nil` when the text is no UUID.
    public init?(_ text: String) {
      guard text.utf8.count == 36, let uuid = UUID(uuidString: text) else { return nil }
      description = uuid.uuidString.lowercased()
    }

    /// By the bytes of the names.
    public static func < (left: ID, right: ID) -> Bool {
      left.description.utf8.lexicographicallyPrecedes(right.description.utf8)
    }
  }

  /// What tells this walk from all others.
  public let id: ID
  /// What people call it, for example `Autumn 2026`; walks of several people may share it.
  public let name: String
  /// Who walks.
  public let who: String
  /// When it began, in whole milliseconds.
  public let started: Date
  /// The registry file that began it and adds to it.
  public let recorder: Recorder

  /// Makes a walk.
  package init(id: ID = ID(), name: String, who: String, started: Date, recorder: Recorder) {
    self.id = id
    self.name = name
    self.who = who
    self.started = started.inWholeMilliseconds
    self.recorder = recorder
  }
}
