/// All pages of a tag.
public struct Type2Dump: Hashable, Sendable {
  /// The tag's UID.
  public let uid: [UInt8]
  /// The product's name.
  public let name: String
  /// The four bytes of every page; `nil` for a page that cannot be read.
  ///
  /// Password and PACK of an NTAG read as zero whatever they are, and a mirrored range shows
  /// what the tag put over it: a dump is not always what is stored.
  public let pages: [[UInt8]?]
}

extension Type2Tag {
  /// Reads every page of the tag, those already read included.
  ///
  /// - Throws: ``TagError``: `tag-lost`, `tag-changed`, `reader-failed`, `cancelled`.
  public func dump(over channel: some TagChannel) async throws(TagError) -> Type2Dump {
    var tag = self
    tag.memory = Type2Memory()
    do throws(TagChannelError) {
      tag = try await tag.loading(0...lastPage, over: channel)
    } catch {
      throw TagError(error, uid: uid)
    }
    return Type2Dump(uid: uid, name: name, pages: (0...lastPage).map { tag.memory[$0] })
  }
}
