import CliptagBasics

/// The changes beside the data area that restoring a dump may make.
public struct RestoreOptions: Hashable, Sendable {
  /// A Boolean value that indicates whether mirror and counter settings are restored. Password
  /// start, access rights, limit of wrong passwords and configuration lock never are.
  public var restoresConfiguration: Bool
  /// A Boolean value that indicates whether text that a mirror showed when the dump was made is
  /// stored: the UID of one tag, permanently, on another.
  public var freezesMirror: Bool

  /// Makes options.
  public init(restoresConfiguration: Bool = false, freezesMirror: Bool = false) {
    self.restoresConfiguration = restoresConfiguration
    self.freezesMirror = freezesMirror
  }
}

/// The steps to restore a dump to a tag.
public struct RestorePlan: Hashable, Sendable {
  /// A part of a dump that is not restored, or not unchanged.
  public enum Note: Hashable, Sendable {
    /// Lock bits are set in the dump but not on the tag; they stay open.
    case locksLeft
    /// The dumped tag was protected by a password from this page on; no password is set.
    case passwordLeft(fromPage: Int)
    /// Mirror or counter settings differ, and stay unchanged on the tag.
    case configurationLeft
    /// The capability container differs, and stays unchanged on the tag.
    case containerLeft
    /// Text that a mirror showed is stored.
    case mirrorFrozen(TagMirror)
    /// Under a mirror, which hides the stored bytes in a dump, zeros in ASCII are written.
    case placeholders(TagMirror)
    /// Text that Secure Dynamic Messaging mirrored into the message is stored.
    case messageFrozen
    /// Under the text that Secure Dynamic Messaging mirrors into the message, zeros in ASCII are
    /// written.
    case zerosUnderMirror
  }

  /// The pages to write.
  public let write: WritePlan
  /// The tag as a reader will find it: with its UID if a mirror shows it, and a counter of zero.
  package let result: Tag
  /// The parts that are not restored.
  public let notes: [Note]

  /// The content that a reader will find on the tag.
  package var content: TagContent { result.content }
}

extension TagMirror {
  /// The text that the tag with this UID shows before its counter counts. Without a UID, or with
  /// one that is not of seven bytes, it has zeros instead, which are also readable as part of a
  /// URL.
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
  /// Overwrites known bytes.
  mutating func show(_ text: [UInt8], at start: Int) {
    for (address, byte) in zip(start..., text) {
      guard var page = self[address / Self.pageByteCount] else { continue }
      page[address % Self.pageByteCount] = byte
      store(page, from: address / Self.pageByteCount)
    }
  }
}

extension Type2Tag {
  /// Plans to restore the data area of a dump to a tag, reading the pages on which that depends.
  /// Nothing is written.
  ///
  /// Only user pages that differ are written, and the capability container of a tag that has none.
  /// First the message's length becomes 0, then the other pages follow, then the length: if it is
  /// stopped at any point, the tag holds its old content, no message, or the content of the dump,
  /// and the same plan made again finishes it. If other blocks precede the message on the tag than
  /// in the dump, page 4 takes the place of the length. Password, PACK and lock bits are never
  /// written, the configuration only on request.
  ///
  /// - Parameters:
  ///   - dump: The dump, of this tag or of another one of its product.
  ///   - options: The permitted changes beside the data area.
  ///   - channel: The tag.
  /// - Throws: ``TagError``: `dump-mismatch` for a dump of another product or one that lacks a
  ///   page, `mirrored-text` if a mirror would make wrong text of it, `tag-too-small` if the tag's
  ///   capability container would truncate the message, `not-ndef`, `tag-locked`, `tag-password`,
  ///   `tag-lost`, `tag-changed`, `reader-failed`, `cancelled`.
  public func planRestore(
    _ dump: Type2Dump, options: RestoreOptions = RestoreOptions(), over channel: some TagChannel
  ) async throws(TagError) -> RestorePlan {
    guard dump.name == name, dump.pages.count == layout.pageCount else {
      throw mismatch(
        "the dump is of \(dump.name) with \(dump.pages.count) pages, and tag "
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
      throw mismatch(lacking: error.first(in: memory))
    }
  }

  /// The error for a page that the dump lacks.
  func mismatch(lacking page: Int) -> TagError {
    mismatch("the dump lacks page \(page), which was not read", page: page)
  }

  func mismatch(
    _ message: String, hint: Hint = "make the dump again, from a readable tag",
    page: Int? = nil
  ) -> TagError {
    TagError(.dumpMismatch, message, hint: hint, page: page, uid: uid)
  }
}

extension Type2Configuration {
  /// These settings with the mirror and counter of others. The access rights and the limit of wrong
  /// passwords do not change.
  func restoring(_ other: Type2Configuration) -> Type2Configuration {
    with(mirror: other.mirror)
      .with(counterIsEnabled: other.counterIsEnabled)
  }
}
