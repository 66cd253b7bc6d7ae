import Basics

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
    /// Text that Secure Dynamic Messaging mirrored into the message is written as stored text.
    case messageFrozen
    /// Below what Secure Dynamic Messaging mirrors into the message, zeros in ASCII are written.
    case zerosUnderMirror
  }

  /// The pages to write.
  public let write: WritePlan
  /// The tag as a reader will find it: with its UID where a mirror shows it, and a counter of zero.
  package let result: Tag
  /// What is not restored.
  public let notes: [Note]

  /// Makes a plan.
  package init(write: WritePlan, result: Tag, notes: [Note]) {
    (self.write, self.result, self.notes) = (write, result, notes)
  }

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

extension TagMemory {
  /// Puts bytes over those that are known.
  mutating func show(_ text: [UInt8], at start: Int) {
    for (address, byte) in zip(start..., text) {
      guard var page = self[address / Self.pageByteCount] else { continue }
      page[address % Self.pageByteCount] = byte
      store(page, from: address / Self.pageByteCount)
    }
  }
}

extension Type2Tag {
  /// Plans to put the data area of a dump back on a tag, reading what that depends on. Nothing is
  /// written.
  ///
  /// Only user pages that differ are written, and the capability container of a tag that has none.
  /// First the message's length becomes 0, then the other pages follow, then the length: stopped at
  /// any point, the tag holds what it held, nothing, or what the dump held, and the same plan made
  /// again finishes it. Where other blocks lie in front of the message on the tag than in the dump,
  /// page 4 takes the place of the length. Password, PACK and lock bits are never written,
  /// configuration only when asked for.
  ///
  /// - Parameters:
  ///   - dump: The dump, of this tag or of another one of its product.
  ///   - options: What may be changed beside the data area.
  ///   - channel: The tag.
  /// - Throws: ``TagError``: `dump-mismatch` for a dump of another product or one that lacks a page,
  ///   `mirrored-text` when a mirror would make wrong text of it, `tag-too-small` when the tag's own
  ///   capability container would cut the message, `not-ndef`, `tag-locked`, `tag-password`,
  ///   `tag-lost`, `tag-changed`, `reader-failed`, `cancelled`.
  public func planRestore(
    _ dump: Type2Dump, options: RestoreOptions = RestoreOptions(), over channel: some TagChannel
  ) async throws(TagError) -> RestorePlan {
    guard dump.name == name, dump.pages.count == layout.pageCount else {
      throw mismatch(
        "the dump is one of \(dump.name) with \(dump.pages.count) pages, and tag "
          + "\(uid.hexadecimal) is \(name) with \(layout.pageCount)",
        hint: "use a tag of the same type, or write the URL with tag write")
    }
    if case .notNDEF = content { try checkContent(overwritingForeignData: true) }
    var tag = self
    do throws(TagChannelError) {
      tag = try await tag.loading(layout.userPages, over: channel)
      tag = try await tag.loadingConfiguration(over: channel)
    } catch {
      throw TagError(error, uid: uid)
    }
    var restoration = Restoration(tag: tag, dumped: try tag.seen(as: dump), options: options)
    return try restoration.plan(
      pagesPerRead: tag.mayFastRead ? Type2Commands(channel).pagesPerFastRead : 4)
  }

  /// A tag of this product with the pages of a dump.
  private func seen(as dump: Type2Dump) throws(TagError) -> Type2Tag {
    let memory = dump.memory
    do throws(MissingPages) {
      return Type2Tag(
        target: TagTarget(atqa: target.atqa, sak: target.sak, uid: dump.uid), layout: layout,
        version: version, memory: memory, mayFastRead: mayFastRead, exchanges: 0,
        map: try Self.map(of: memory, layout))
    } catch {
      throw mismatch("the dump ends before its data area does")
    }
  }

  func mismatch(
    _ message: String, hint: String = "make the dump again, from a tag that can be read",
    page: Int? = nil
  ) -> TagError {
    TagError(.dumpMismatch, message, hint: hint, page: page, uid: uid)
  }
}

extension Type2Configuration {
  /// These settings with mirror and counter of others. Who may read and write, and how often a
  /// password may be wrong, stays.
  func restoring(_ other: Type2Configuration) -> Type2Configuration {
    with(mirror: other.mirror)
      .with(counterIsEnabled: other.counterIsEnabled)
  }
}
