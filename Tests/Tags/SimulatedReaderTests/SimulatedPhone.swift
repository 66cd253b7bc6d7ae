@testable import SimulatedReader

/// A phone that reads a Type 2 tag, with the commands and in the order of Android's NFC stack
/// (libnfc-nci of AOSP, `rw_t2t_ndef`): READ alone, without GET_VERSION, FAST_READ and passwords.
///
/// An iPhone's order is not published. The rule that matters to both is the NFC Forum's: a message
/// counts if READ from page 0 on shows container, TLV blocks and the whole message.
struct SimulatedPhone {
  /// The result of a reading.
  enum Outcome: Hashable, Sendable {
    /// The bytes of the NDEF message.
    case message([UInt8])
    /// The phone finds no message; the page whose READ was refused, or `nil` if the bytes that it
    /// read show none.
    case nothing(refusedPage: UInt8?)
  }

  /// The commands that the phone sent, in order.
  private(set) var commands: [[UInt8]] = []
  private var card: any SimulatedCard
  private var pages: [UInt8: [UInt8]] = [:]

  private struct Refusal: Error {
    let page: UInt8
  }

  private init(_ card: any SimulatedCard) { self.card = card }

  /// Holds a phone to a tag.
  ///
  /// - Parameter card: A Type 2 tag, without field before.
  /// - Returns: The result, and the commands that led to it.
  static func read(_ card: any SimulatedCard) -> (outcome: Outcome, commands: [[UInt8]]) {
    var phone = SimulatedPhone(card)
    phone.card.fieldOn()
    guard phone.card.request(wakeUp: false), phone.card.select() else {
      return (.nothing(refusedPage: nil), [])
    }
    do throws(Refusal) {
      let message = try phone.message()
      return (message.map(Outcome.message) ?? .nothing(refusedPage: nil), phone.commands)
    } catch {
      return (.nothing(refusedPage: error.page), phone.commands)
    }
  }

  /// READ of four pages, which are kept.
  private mutating func four(from page: UInt8) throws(Refusal) -> [UInt8] {
    if let known = pages[page] { return known }
    commands.append([0x30, page])
    guard case .data(let bytes) = card.receive([0x30, page]), bytes.count == 16 else {
      throw Refusal(page: page)
    }
    pages[page] = bytes
    return bytes
  }

  /// A byte of the memory, counted from page 0, in the group of four pages that has it.
  private mutating func byte(_ offset: Int) throws(Refusal) -> UInt8 {
    try four(from: UInt8(offset / 16 * 4))[offset % 16]
  }

  private mutating func message() throws(Refusal) -> [UInt8]? {
    let container = Array(try four(from: 0)[12...])
    guard container[0] == 0xE1, container[1] >> 4 == 1, container[3] >> 4 == 0 else { return nil }
    let end = min(16 + Int(container[2]) * 8, 1024)
    var reserved: [Range<Int>] = []
    // A tag of more than 64 bytes has lock bytes after its memory, or where a block puts them.
    var lockBytes = end > 64 ? end : nil
    var offset = 16
    /// The next byte that is no lock and not reserved.
    func skip(_ offset: Int) -> Int {
      reserved.reduce(offset) { $1.contains($0) ? $1.upperBound : $0 }
    }
    while offset < end {
      let kind = try byte(offset)
      if kind == 0x00 {
        offset = skip(offset + 1)
        continue
      }
      guard kind != 0xFE, offset + 1 < end else { return nil }
      var (length, value) = (Int(try byte(offset + 1)), offset + 2)
      if length == 0xFF {
        guard offset + 3 < end else { return nil }
        (length, value) = (Int(try byte(offset + 2)) << 8 | Int(try byte(offset + 3)), offset + 4)
      }
      switch kind {
      case 0x01 where length == 3, 0x02 where length == 3:
        let (place, count, sizes) = (
          try byte(value), Int(try byte(value + 1)), try byte(value + 2)
        )
        let start = Int(place >> 4) << Int(sizes & 0x0F) + Int(place & 0x0F)
        let known = count == 0 ? 256 : count
        if kind == 0x01 { lockBytes = start }
        reserved.append(start..<start + (kind == 0x01 ? (known + 7) / 8 : known))
        offset = value + length
      case 0x03:
        // A tag that may be written has its dynamic lock bytes read before the message.
        if container[3] & 0x0F == 0, let lockBytes {
          _ = try four(from: UInt8(truncatingIfNeeded: lockBytes / 16 * 4))
        }
        guard length > 0 else { return nil }
        var message: [UInt8] = []
        var position = skip(value)
        while message.count < length {
          guard position < end else { return nil }
          message.append(try byte(position))
          position = skip(position + 1)
        }
        return message
      default: offset = value + length
      }
    }
    return nil
  }
}
