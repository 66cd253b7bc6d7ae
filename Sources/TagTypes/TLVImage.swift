/// The bytes a tag's data area shall hold from the NDEF message TLV on, laid over its pages.
struct TLVImage {
  private let area: DataArea
  private let start: Int
  /// Bytes of the message in it.
  let messageByteCount: Int
  private let bytes: [UInt8]
  private let messageRange: Range<Int>

  /// The message TLV, the blocks of others behind it, and a terminator where there is room.
  /// - Returns: `nil` when the area has no room for them.
  init?(_ map: TLVMap, _ message: [UInt8]) {
    var bytes: [UInt8] = [0x03]
    if message.count < 0xFF {
      bytes.append(UInt8(message.count))
    } else if message.count <= 0xFFFF {
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
  func finished(on memory: Type2Memory) -> [Int: [UInt8]] {
    overlay(bytes, on: memory)
  }

  /// The pages of type and length as an empty message, closed by a terminator if that fits into
  /// the same page.
  func withdrawn(on memory: Type2Memory) -> [Int: [UInt8]] {
    var empty: [UInt8] = [0x03, 0x00]
    if start + 2 < area.count && area.page(of: start + 2) == lengthPage { empty.append(0xFE) }
    return overlay(empty, on: memory)
  }

  /// The finished pages of type and length, but with 0 where the length begins, which is an empty
  /// message whatever follows it.
  func switchedOff(on memory: Type2Memory) -> [Int: [UInt8]] {
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

  private func overlay(_ bytes: [UInt8], on memory: Type2Memory) -> [Int: [UInt8]] {
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
