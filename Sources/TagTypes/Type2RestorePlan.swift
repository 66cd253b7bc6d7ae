/// What restoring a dump may change beside the data area.
public struct RestoreOptions: Hashable, Sendable {
  /// Whether mirror and counter settings are written back. Password start, access rights, limit of
  /// wrong passwords and configuration lock never are.
  public var restoresConfiguration: Bool
  /// Whether text that a mirror showed when the dump was made is written as if it were stored: the
  /// UID of one tag, for good, on another.
  public var freezesMirror: Bool

  /// Makes options.
  public init(restoresConfiguration: Bool = false, freezesMirror: Bool = false) {
    self.restoresConfiguration = restoresConfiguration
    self.freezesMirror = freezesMirror
  }
}

/// What restoring a dump would do to a tag.
public struct RestorePlan: Hashable, Sendable {
  /// What of a dump is not restored, or not as it stands there.
  public enum Note: Hashable, Sendable {
    /// Lock bits are set in the dump that are not on the tag; they stay open.
    case locksLeft
    /// The dumped tag was guarded by a password from this page on; no password is set.
    case passwordLeft(fromPage: Int)
    /// Mirror or counter are set differently, and stay as they are on the tag.
    case configurationLeft
    /// The capability container is another one, and stays as it is on the tag.
    case containerLeft
    /// Text that a mirror showed is written as stored text.
    case mirrorFrozen(TagMirror)
    /// Below a mirror, where a dump does not see, zeros in ASCII are written.
    case placeholders(TagMirror)
  }

  /// The pages to write.
  public let write: WritePlan
  /// The tag as a reader will find it: with its UID where a mirror shows it, and a counter of zero.
  package let result: Type2Tag
  /// What is not restored.
  public let notes: [Note]

  /// What a reader will find on the tag.
  package var content: TagContent { result.content }
}

extension TagMirror {
  /// What the tag with this UID shows as long as it has not been counted; without a UID, or with one
  /// that is not of seven bytes, zeros in its place, which read as part of a URL too.
  func text(uid: [UInt8] = []) -> [UInt8] {
    let counter = String(repeating: "0", count: Kind.counter.characterCount)
    let digits =
      uid.count == 7 ? uid.hexadecimal : String(repeating: "0", count: Kind.uid.characterCount)
    return switch kind {
    case .uid: Array(digits.utf8)
    case .counter: Array(counter.utf8)
    case .uidAndCounter: Array("\(digits)x\(counter)".utf8)
    }
  }
}

extension Type2Memory {
  /// Puts bytes over those that are known.
  mutating func show(_ text: [UInt8], at start: Int) {
    for (address, byte) in zip(start..., text) {
      guard var page = self[address / Self.pageByteCount] else { continue }
      page[address % Self.pageByteCount] = byte
      store(page, from: address / Self.pageByteCount)
    }
  }
}
