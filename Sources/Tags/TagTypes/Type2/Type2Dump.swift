/// All pages of a Type 2 tag, as read or saved.
///
/// A saved dump is readable without the tag: ``content`` returns its NDEF message.
public struct Type2Dump: Hashable, Sendable {
  /// The tag's UID.
  public let uid: [UInt8]
  /// The product's name.
  public let name: String
  /// The four bytes of every page; `nil` for an unreadable page.
  ///
  /// Password and PACK of an NTAG always read as zero, and a mirrored range contains the mirror's
  /// text: a dump may differ from the stored bytes.
  public let pages: [[UInt8]?]

  /// Makes a dump of saved data.
  ///
  /// - Parameters:
  ///   - uid: The tag's UID.
  ///   - name: The product, such as `NTAG215`.
  ///   - pages: The pages from 0 on, four bytes each; `nil` for an unreadable one.
  /// - Returns: `nil` if a page does not have four bytes, or there are none or more than 256.
  public init?(uid: [UInt8], name: String, pages: [[UInt8]?]) {
    guard (1...256).contains(pages.count),
      pages.allSatisfy({ $0 == nil || $0?.count == TagMemory.pageByteCount })
    else { return nil }
    self.init(checked: uid, name, pages)
  }

  init(checked uid: [UInt8], _ name: String, _ pages: [[UInt8]?]) {
    self.uid = uid
    self.name = name
    self.pages = pages
  }

  /// The unreadable pages.
  public var unreadablePages: [Int] { pages.indices.filter { pages[$0] == nil } }

  /// The content of the tag when it was dumped, read from the pages like that of an identified tag.
  ///
  /// The product is that in ``Type2Layout/all`` with this ``name``; for any other tag the
  /// capability container in page 3 gives the place of messages. Text that a mirror showed is part
  /// of the message. NFC Forum, Type 2 Tag 1.1, sections 2.3 and 6.
  ///
  /// ``TagContent/message(_:)`` has the bytes of the NDEF message, for decoding with `NDEFMessage`
  /// of the library `NDEF`; ``TagContent/unreadable(page:)`` has the first required page that is
  /// missing or was unreadable.
  public var content: TagContent {
    let memory = memory
    do throws(MissingPages) {
      return try Type2Tag.map(of: memory, layout).content
    } catch {
      return .unreadable(page: error.first(in: memory))
    }
  }

  /// The map of the product.
  var layout: Type2Layout {
    Type2Layout.all.first { $0.name == name }
      ?? .unknown(memory[3].map(CapabilityContainer.init), version: nil)
  }

  /// The pages as a memory.
  var memory: TagMemory {
    var memory = TagMemory()
    for (page, bytes) in pages.enumerated() {
      if let bytes { memory.store(bytes, from: page) } else { memory.markUnreadable(page) }
    }
    return memory
  }
}

extension Type2Tag {
  /// Reads every page of the tag, including those already read.
  ///
  /// - Throws: ``TagError``: `tag-lost`, `tag-changed`, `reader-failed`, `cancelled`.
  public func dump(over channel: some TagChannel) async throws(TagError) -> Type2Dump {
    var tag = self
    tag.memory = TagMemory()
    do throws(TagChannelError) {
      tag = try await tag.loading(0...lastPage, over: channel)
    } catch {
      throw TagError(error, uid: uid)
    }
    return Type2Dump(checked: uid, name, (0...lastPage).map { tag.memory[$0] })
  }
}
