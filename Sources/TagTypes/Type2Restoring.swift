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
