/// An NFC Forum Type 2 tag that has been identified and read.
///
/// It is a value: it tells what was on the tag when it was read, and talks to the tag only in the
/// functions that take a channel.
///
/// Known exactly are the products of ``Type2Layout/all``. Any other tag with a capability container
/// of NDEF is handled by what that says, and called "unknown Type 2".
public struct Type2Tag: Hashable, Sendable {
  /// The tag as it answered when it was selected.
  public let target: TagTarget
  /// The product's memory map; for an unknown product what its capability container says.
  public let layout: Type2Layout
  /// The answer to GET_VERSION; `nil` when the tag does not know the command, or was not asked
  /// because it could be told without.
  public internal(set) var version: [UInt8]?
  /// The pages that have been read.
  package internal(set) var memory: Type2Memory
  /// Whether the product answers FAST_READ, as far as is known.
  let mayFastRead: Bool
  /// Commands and selections it took to get here.
  package internal(set) var exchanges: Int
  var map: TLVMap
  /// Whether it was read over a channel that gives the password, so that AUTH0 closes no page.
  var isAuthenticated = false

  /// The UID.
  public var uid: [UInt8] { target.uid }

  /// The product's name, for example `NTAG215`, or `unknown Type 2`.
  public var name: String { layout.name }

  /// Page 3; `nil` when it could not be read.
  public var capabilityContainer: CapabilityContainer? { memory[3].map(CapabilityContainer.init) }

  /// What the tag holds.
  public var content: TagContent { map.content }

  /// Bytes of the longest message that fits; 492 for a new NTAG215. 0 when the tag is not
  /// formatted for NDEF and cannot be.
  public var capacity: Int { map.capacity }

  /// Bytes of the message the tag holds.
  public var used: Int {
    if case .message(let bytes) = content { return bytes.count }
    return 0
  }

  /// The last page of the tag that is known.
  var lastPage: Int { layout.pageCount - 1 }
}

extension Type2Layout {
  /// Whether this is a product known exactly, not a tag read by its capability container.
  package var isKnownProduct: Bool { Type2Layout.all.contains(self) }

  /// The name of every Type 2 tag whose product is not known.
  static let unknownName = "unknown Type 2"

  /// A Type 2 tag of which only the capability container is known.
  static func unknown(_ container: CapabilityContainer?, version: [UInt8]?) -> Type2Layout {
    // READ and WRITE name a page with one byte, so 256 pages are as far as they reach.
    let pages = container.map { $0.isNDEF ? min($0.dataAreaByteCount / 4, 252) : 12 } ?? 12
    return Type2Layout(
      name: unknownName, pageCount: 4 + pages, userPages: 4...3 + pages,
      capabilityContainer: container?.bytes ?? [0, 0, 0, 0], factoryData: [], version: version)
  }

  /// The data area of a tag with this map: what the container says, but never more than the
  /// product has, for a wrong container must not lead into lock bytes and configuration.
  func dataArea(_ container: CapabilityContainer) -> DataArea {
    DataArea(
      byteCount: min(
        container.dataAreaByteCount, userPages.count * Type2Memory.pageByteCount))
  }
}
