/// The pages that must be read before a scan can continue.
struct MissingPages: Error {
  let pages: ClosedRange<Int>

  /// The first of them that is missing in a memory.
  func first(in memory: TagMemory) -> Int {
    pages.first { memory[$0] == nil } ?? pages.lowerBound
  }
}

/// The position of the NDEF message TLV of a tag, present or future, and its surroundings.
struct TLVMap: Hashable, Sendable {
  var area: DataArea
  var content: TagContent
  /// The offset in the area of the present or future NDEF message TLV.
  var start = 0
  /// A Boolean value that indicates whether there is an NDEF message TLV at ``start`` whose first
  /// length byte is 0.
  var hasEmptyMessageTLV = false
  /// The offset of data that is neither a message nor a preserved block, if there is no message. It
  /// may be overwritten if the message does not fit after it.
  var startOfOtherData: Int?
  /// The foreign TLV blocks after the NDEF message TLV, without padding and terminator.
  var trailing: [UInt8] = []
  /// The first Lock Control TLV.
  var lockBits: DynamicLockBits?
  /// A Boolean value that indicates whether a message must leave room for a terminator.
  var needsTerminator = false

  /// The length of the longest message that fits: a message TLV of up to 254 bytes needs two bytes
  /// besides its value, a longer one four; a terminator is written if there is room, or requires
  /// room.
  var capacity: Int {
    let room = area.count - start - trailing.count - (needsTerminator ? 1 : 0)
    return room - 4 > 254 ? min(room - 4, 0xFFFE) : max(0, min(254, room - 2))
  }
}

/// A scan of the TLV blocks of a tag (NFC Forum, Type 2 Tag 1.1, section 2.3).
struct TLVScan {
  private enum Kind {
    static let null: UInt8 = 0x00
    static let lockControl: UInt8 = 0x01
    static let memoryControl: UInt8 = 0x02
    static let message: UInt8 = 0x03
    static let proprietary: UInt8 = 0xFD
    static let terminator: UInt8 = 0xFE
    /// The types of blocks that are preserved when a message is written.
    static let others = [lockControl, memoryControl, proprietary]
  }

  /// The reason why a scan stops early.
  private enum Stop: Error {
    case missing(MissingPages)
    case unreadable(page: Int)
  }

  /// The length of a TLV block and the offset of its value.
  private struct Block {
    let valueStart: Int
    let end: Int
    var valueByteCount: Int { end - valueStart }
  }

  /// The number of pages to request if the end of the scanned data is not known.
  private static let pagesAhead = 15

  private let memory: TagMemory
  private var map: TLVMap
  /// The offset of the first block of a type that the standard does not define.
  private var firstUnknown: Int?
  /// A Boolean value that indicates whether a control block follows that one. Overwriting it would
  /// change which bytes are usable.
  private var isUnknownFollowedByControl = false

  private init(_ memory: TagMemory, _ area: DataArea) {
    self.memory = memory
    map = TLVMap(area: area, content: .noMessage)
  }

  /// Scans the data area.
  ///
  /// - Throws: ``MissingPages`` if the scan needs pages that have not been read.
  static func run(_ memory: TagMemory, area: DataArea) throws(MissingPages) -> TLVMap {
    var scan = TLVScan(memory, area)
    do throws(Stop) {
      try scan.findMessage()
    } catch {
      switch error {
      case .missing(let pages): throw pages
      case .unreadable(let page): scan.map.content = .unreadable(page: page)
      }
    }
    return scan.map
  }

  /// Checks whether the area of a tag without capability container is blank: all zero, or zero
  /// after the empty message that formatting writes first, any byte of which may be missing if that
  /// write was interrupted.
  ///
  /// - Parameter count: The number of bytes to check at the beginning of the area; all by default.
  static func runUnformatted(
    _ memory: TagMemory, area: DataArea, lookingAt count: Int? = nil
  ) throws(MissingPages) -> TLVMap {
    var scan = TLVScan(memory, area)
    do throws(Stop) {
      let bytes = try scan.bytes(0..<min(count ?? area.count, area.count))
      let prepared: [UInt8] = [Kind.message, 0, Kind.terminator]
      scan.map.hasEmptyMessageTLV = bytes.starts(with: prepared)
      let isBlank =
        zip(bytes, prepared).allSatisfy { $0 == 0 || $0 == $1 }
        && bytes.dropFirst(prepared.count).allSatisfy { $0 == 0 }
      scan.map.content = .unformatted(holdsData: !isBlank)
    } catch {
      switch error {
      case .missing(let pages): throw pages
      case .unreadable(let page): scan.map.content = .unreadable(page: page)
      }
    }
    return scan.map
  }

  private mutating func findMessage() throws(Stop) {
    var offset = 0
    while offset < map.area.count {
      switch try byte(offset) {
      case Kind.null:
        offset += 1
      case Kind.terminator:
        return try findOtherData(behind: offset)
      case let kind:
        guard let block = try block(at: offset) else {
          map.start = offset
          let page = map.area.page(of: offset)
          map.content = kind == Kind.message ? .torn(page: page) : .otherData(page: page)
          return
        }
        if kind == Kind.message {
          map.start = offset
          let value = try bytes(block.valueStart..<block.end)
          map.content = value.isEmpty ? .empty : .message(value)
          map.hasEmptyMessageTLV = try byte(offset + 1) == 0
          try keepTrailing(from: block.end)
          return
        }
        // A control block of another length than 3 controls nothing: its first byte is
        // coincidental.
        let isKnown =
          kind == Kind.proprietary || Kind.others.contains(kind) && block.valueByteCount == 3
        if isKnown {
          isUnknownFollowedByControl =
            isUnknownFollowedByControl || firstUnknown != nil && kind != Kind.proprietary
          try note(kind, block)
        } else {
          firstUnknown = firstUnknown ?? offset
        }
        offset = block.end
        map.start = offset
      }
    }
    try findOtherData(behind: offset)
  }

  /// Looks for data in an area without message TLV. Padding and terminators do not count, since an
  /// interrupted write leaves them after the terminator it found.
  private mutating func findOtherData(behind offset: Int) throws(Stop) {
    let rest = min(offset, map.area.count)..<map.area.count
    let stray = try bytes(rest).firstIndex { $0 != Kind.null && $0 != Kind.terminator }
    guard let found = firstUnknown ?? stray.map({ rest.lowerBound + $0 }) else { return }
    map.content = .otherData(page: map.area.page(of: found))
    map.startOfOtherData = isUnknownFollowedByControl ? nil : firstUnknown
  }

  /// Preserves the foreign blocks after the message, if the bytes are such: remains of an older,
  /// longer message are not.
  private mutating func keepTrailing(from start: Int) throws(Stop) {
    var offset = start
    var kept: [UInt8] = []
    while offset < map.area.count {
      let kind = try byte(offset)
      if kind == Kind.terminator { break }
      if kind == Kind.null {
        offset += 1
        continue
      }
      guard Kind.others.contains(kind), let block = try block(at: offset) else { return }
      kept += try bytes(offset..<block.end)
      offset = block.end
    }
    map.trailing = kept
  }

  private mutating func note(_ kind: UInt8, _ block: Block) throws(Stop) {
    switch kind {
    case Kind.lockControl:
      let bits = DynamicLockBits(try bytes(block.valueStart..<block.end))
      map.lockBits = map.lockBits ?? bits
      map.area.reserve(bits.reserved, behind: block.end)
    case Kind.memoryControl:
      let reserved = DynamicLockBits.reservedMemory(try bytes(block.valueStart..<block.end))
      map.area.reserve(reserved, behind: block.end)
    default: break
    }
  }

  /// The block at `offset`; `nil` if it extends past the area.
  private func block(at offset: Int) throws(Stop) -> Block? {
    guard offset + 1 < map.area.count else { return nil }
    var length = Int(try byte(offset + 1))
    var valueStart = offset + 2
    if length == 0xFF {
      guard offset + 3 < map.area.count else { return nil }
      length = Int(try byte(offset + 2)) << 8 | Int(try byte(offset + 3))
      valueStart = offset + 4
    }
    guard valueStart + length <= map.area.count else { return nil }
    return Block(valueStart: valueStart, end: valueStart + length)
  }

  private func byte(_ offset: Int) throws(Stop) -> UInt8 {
    let page = map.area.page(of: offset)
    if let bytes = memory[page] { return bytes[map.area.indexInPage(of: offset)] }
    if memory.isUnreadable(page) { throw .unreadable(page: page) }
    let last = min(page + Self.pagesAhead, map.area.page(of: map.area.count - 1))
    throw .missing(MissingPages(pages: page...last))
  }

  private func bytes(_ offsets: Range<Int>) throws(Stop) -> [UInt8] {
    var bytes: [UInt8] = []
    for offset in offsets {
      let page = map.area.page(of: offset)
      if memory[page] == nil && !memory.isUnreadable(page) {
        // All of it at once, and the next page, which contains the terminator.
        let last = map.area.page(of: min(offsets.upperBound, map.area.count - 1))
        throw .missing(MissingPages(pages: page...last))
      }
      bytes.append(try byte(offset))
    }
    return bytes
  }
}

/// The planned bytes of a tag's data area from the NDEF message TLV on, as they map to its pages.
struct TLVImage {
  private let area: DataArea
  private let start: Int
  /// The length of the contained message in bytes.
  let messageByteCount: Int
  /// The bytes to write, from ``typePage`` on.
  let bytes: [UInt8]
  private let messageRange: Range<Int>

  /// Makes the message TLV, the foreign blocks after it, and a terminator if there is room.
  ///
  /// - Returns: `nil` if the area has no room for them.
  init?(_ map: TLVMap, _ message: [UInt8]) {
    var bytes: [UInt8] = [0x03]
    if message.count < 0xFF {
      bytes.append(UInt8(message.count))
    } else if message.count <= 0xFFFE {
      bytes += [0xFF, UInt8(message.count >> 8), UInt8(message.count & 0xFF)]
    } else {
      return nil
    }
    messageRange = bytes.count..<bytes.count + message.count
    bytes += message + map.trailing
    guard map.start + bytes.count <= map.area.count else { return nil }
    if map.start + bytes.count < map.area.count { bytes.append(0xFE) }
    area = map.area
    messageByteCount = message.count
    start = map.start
    self.bytes = bytes
  }

  /// The addresses of a part of the message, in order.
  ///
  /// - Parameter part: Offsets in the message, within it.
  func addresses(ofMessageBytes part: Range<Int>) -> [Int] {
    let first = start + messageRange.lowerBound
    return Array(area.addresses[first + part.lowerBound..<first + part.upperBound])
  }

  /// The addresses of all bytes that the image writes.
  var addresses: [Int] { Array(area.addresses[start..<start + bytes.count]) }

  /// The page with the TLV's type.
  var typePage: Int { area.page(of: start) }

  /// The page with the first byte of the length, which switches between old and new: while that
  /// byte is 0 the message is empty, regardless of the other pages.
  var lengthPage: Int { area.page(of: start + 1) }

  /// The pages from the first to the last that the image touches.
  var pages: ClosedRange<Int> { typePage...area.page(of: start + bytes.count - 1) }

  /// The finished pages, with the bytes around the image from `memory`.
  func finished(on memory: TagMemory) -> [Int: [UInt8]] {
    overlay(bytes, on: memory)
  }

  /// The pages of type and length as an empty message, closed by a terminator if that fits into the
  /// same page.
  func withdrawn(on memory: TagMemory) -> [Int: [UInt8]] {
    var empty: [UInt8] = [0x03, 0x00]
    if start + 2 < area.count && area.page(of: start + 2) == lengthPage { empty.append(0xFE) }
    return overlay(empty, on: memory)
  }

  /// The finished pages of type and length, but with 0 as the first length byte, which is an empty
  /// message regardless of the bytes after it.
  func switchedOff(on memory: TagMemory) -> [Int: [UInt8]] {
    var off = bytes
    off[1] = 0
    let pages = overlay(off, on: memory)
    return pages.filter { [typePage, lengthPage].contains($0.key) }
  }

  /// Returns `true` if two contents of the page with the length differ only in the length's first
  /// byte.
  func differOnlyInLength(_ one: [UInt8]?, _ other: [UInt8]?) -> Bool {
    guard var one, let other else { return false }
    one[area.indexInPage(of: start + 1)] = other[area.indexInPage(of: start + 1)]
    return one == other
  }

  private func overlay(_ bytes: [UInt8], on memory: TagMemory) -> [Int: [UInt8]] {
    var pages: [Int: [UInt8]] = [:]
    for (index, byte) in bytes.enumerated() {
      let page = area.page(of: start + index)
      // The caller has read these pages; an unreadable page is later found to be unwritable.
      var content = pages[page] ?? memory[page] ?? [0, 0, 0, 0]
      content[area.indexInPage(of: start + index)] = byte
      pages[page] = content
    }
    return pages
  }
}
