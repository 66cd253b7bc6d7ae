/// All pages of a Type 2 tag, as they were read or saved.
///
/// A saved dump can be read without the tag: ``content`` gives its NDEF message.
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

  /// Takes what was kept of a dump.
  ///
  /// - Parameters:
  ///   - uid: The tag's UID.
  ///   - name: The product, such as `NTAG215`.
  ///   - pages: From page 0 on, four bytes each; `nil` for one that could not be read.
  /// - Returns: `nil` when a page has not four bytes, or there are none or more than 256.
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

  /// The pages that could not be read.
  public var unreadablePages: [Int] { pages.indices.filter { pages[$0] == nil } }

  /// What the tag held when it was dumped, read from the pages as an identified tag's are.
  ///
  /// The product is told by ``name``, which one of ``Type2Layout/all`` has; of any other tag the
  /// capability container in page 3 says where messages lie. Text that a mirror showed is part of
  /// the message. NFC Forum, Type 2 Tag 1.1, sections 2.3 and 6.
  ///
  /// ``TagContent/message(_:)`` has the bytes of the NDEF message, to be decoded with `NDEFMessage`
  /// of the library `NDEF`; ``TagContent/unreadable(page:)`` names the first page that is needed and
  /// is missing or could not be read.
  public var content: TagContent {
    let memory = memory
    let container = memory[3].map(CapabilityContainer.init)
    let layout =
      Type2Layout.all.first { $0.name == name } ?? .unknown(container, version: nil)
    do throws(MissingPages) {
      return try Type2Tag.map(of: memory, layout).content
    } catch {
      return .unreadable(page: error.pages.first { memory[$0] == nil } ?? error.pages.lowerBound)
    }
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
  /// Reads every page of the tag, those already read included.
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
