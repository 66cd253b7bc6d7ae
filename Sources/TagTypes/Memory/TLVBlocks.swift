/// Pages that have to be read before a scan can go on.
struct MissingPages: Error {
  let pages: ClosedRange<Int>
}

/// Where the NDEF message TLV of a tag is or belongs, and what is around it.
struct TLVMap: Hashable, Sendable {
  var area: DataArea
  var content: TagContent
  /// Offset in the area where the NDEF message TLV begins, or where one would be put.
  var start = 0
  /// Whether there is an NDEF message TLV at ``start`` whose first length byte is 0.
  var hasEmptyMessageTLV = false
  /// Where data begins that is neither a message nor a block of a kind that is kept, if there is no
  /// message: what may be given up when the message does not fit behind it.
  var startOfOtherData: Int?
  /// TLV blocks of others that follow the NDEF message TLV, without padding and terminator.
  var trailing: [UInt8] = []
  /// The first Lock Control TLV.
  var lockBits: DynamicLockBits?
  /// Whether a message has to leave room for a terminator.
  var needsTerminator = false

  /// The longest message that fits: a message TLV of up to 254 bytes needs two bytes besides its
  /// value, a longer one four; a terminator is written where there is room, or has to have it.
  var capacity: Int {
    let room = area.count - start - trailing.count - (needsTerminator ? 1 : 0)
    return room - 4 > 254 ? min(room - 4, 0xFFFE) : max(0, min(254, room - 2))
  }
}

/// Walks over the TLV blocks of a tag (NFC Forum, Type 2 Tag 1.1, section 2.3).
struct TLVScan {
  private enum Kind {
    static let null: UInt8 = 0x00
    static let lockControl: UInt8 = 0x01
    static let memoryControl: UInt8 = 0x02
    static let message: UInt8 = 0x03
    static let proprietary: UInt8 = 0xFD
    static let terminator: UInt8 = 0xFE
    /// The kinds of blocks that are kept when a message is written.
    static let others = [lockControl, memoryControl, proprietary]
  }

  /// Why a scan stops early.
  private enum Stop: Error {
    case missing(MissingPages)
    case unreadable(page: Int)
  }

  /// A TLV block's length and where its value begins.
  private struct Block {
    let valueStart: Int
    let end: Int
    var valueByteCount: Int { end - valueStart }
  }

  /// Pages to ask for when the end of what is looked for is not known.
  private static let pagesAhead = 15

  private let memory: TagMemory
  private var map: TLVMap
  /// Where the first block of a kind that the standard does not name begins.
  private var firstUnknown: Int?
  /// Whether a control block follows that one. Writing over it would change which bytes may be used.
  private var isUnknownFollowedByControl = false

  private init(_ memory: TagMemory, _ area: DataArea) {
    self.memory = memory
    map = TLVMap(area: area, content: .noMessage)
  }

  /// Scans the data area.
  ///
  /// - Throws: ``MissingPages`` when the scan needs pages that have not been read.
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

  /// Looks whether the area of a tag without capability container is blank: all zero, or zero
  /// behind the empty message that formatting writes first, each byte of which may be missing
  /// when that write was interrupted.
  ///
  /// - Parameter count: Bytes at the beginning of the area that are looked at; all of them unless given.
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
        // A control block of another length than 3 controls nothing: its first byte is an accident.
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

  /// Looks for data where there is no message TLV. Padding and terminators are none, and an
  /// interrupted write leaves such behind the terminator it found.
  private mutating func findOtherData(behind offset: Int) throws(Stop) {
    let rest = min(offset, map.area.count)..<map.area.count
    let stray = try bytes(rest).firstIndex { $0 != Kind.null && $0 != Kind.terminator }
    guard let found = firstUnknown ?? stray.map({ rest.lowerBound + $0 }) else { return }
    map.content = .otherData(page: map.area.page(of: found))
    map.startOfOtherData = isUnknownFollowedByControl ? nil : firstUnknown
  }

  /// Keeps the blocks of others behind the message, if that is what the bytes there are: remains
  /// of an older, longer message are not.
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

  /// The block at `offset`; `nil` when it runs past the area.
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
        // All of it at once, and the page behind it, where the terminator is.
        let last = map.area.page(of: min(offsets.upperBound, map.area.count - 1))
        throw .missing(MissingPages(pages: page...last))
      }
      bytes.append(try byte(offset))
    }
    return bytes
  }
}

/// The bytes a tag's data area shall hold from the NDEF message TLV on, laid over its pages.
struct TLVImage {
  private let area: DataArea
  private let start: Int
  /// Bytes of the message in it.
  let messageByteCount: Int
  /// What is written, from ``typePage`` on.
  let bytes: [UInt8]
  private let messageRange: Range<Int>

  /// The message TLV, the blocks of others behind it, and a terminator where there is room.
  /// - Returns: `nil` when the area has no room for them.
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

  /// The addresses at which a part of the message lies, in order.
  ///
  /// - Parameter part: Offsets in the message, within it.
  func addresses(ofMessageBytes part: Range<Int>) -> [Int] {
    let first = start + messageRange.lowerBound
    return Array(area.addresses[first + part.lowerBound..<first + part.upperBound])
  }

  /// The addresses of all that the image writes.
  var addresses: [Int] { Array(area.addresses[start..<start + bytes.count]) }

  /// The page with the TLV's type.
  var typePage: Int { area.page(of: start) }

  /// The page with the first byte of the length, which is the switch between old and new: while
  /// that byte is 0 the message is empty, whatever the other pages hold.
  var lengthPage: Int { area.page(of: start + 1) }

  /// The pages from the first to the last that the image touches.
  var pages: ClosedRange<Int> { typePage...area.page(of: start + bytes.count - 1) }

  /// The finished pages, with what lies around the image as it is in `memory`.
  func finished(on memory: TagMemory) -> [Int: [UInt8]] {
    overlay(bytes, on: memory)
  }

  /// The pages of type and length as an empty message, closed by a terminator if that fits into
  /// the same page.
  func withdrawn(on memory: TagMemory) -> [Int: [UInt8]] {
    var empty: [UInt8] = [0x03, 0x00]
    if start + 2 < area.count && area.page(of: start + 2) == lengthPage { empty.append(0xFE) }
    return overlay(empty, on: memory)
  }

  /// The finished pages of type and length, but with 0 where the length begins, which is an empty
  /// message whatever follows it.
  func switchedOff(on memory: TagMemory) -> [Int: [UInt8]] {
    var off = bytes
    off[1] = 0
    let pages = overlay(off, on: memory)
    return pages.filter { [typePage, lengthPage].contains($0.key) }
  }

  /// Whether two contents of the page with the length are alike but for the length's first byte.
  func differOnlyInLength(_ one: [UInt8]?, _ other: [UInt8]?) -> Bool {
    guard var one, let other else { return false }
    one[area.indexInPage(of: start + 1)] = other[area.indexInPage(of: start + 1)]
    return one == other
  }

  private func overlay(_ bytes: [UInt8], on memory: TagMemory) -> [Int: [UInt8]] {
    var pages: [Int: [UInt8]] = [:]
    for (index, byte) in bytes.enumerated() {
      let page = area.page(of: start + index)
      // The caller has read these pages; a page that refused to be read is checked as refused
      // to be written later.
      var content = pages[page] ?? memory[page] ?? [0, 0, 0, 0]
      content[area.indexInPage(of: start + index)] = byte
      pages[page] = content
    }
    return pages
  }
}
