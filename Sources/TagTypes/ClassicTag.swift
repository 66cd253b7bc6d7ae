import CliptagBasics

/// A MIFARE Classic that has been identified, and read as far as the public keys open it.
///
/// iPhones do not read such tags, so they are not written here. This is a value: it describes the
/// tag at the time of the reading.
public struct ClassicTag: Hashable, Sendable {
  /// The tag's description from its selection.
  public let target: TagTarget
  /// The product's sectors.
  package let layout: ClassicLayout
  /// The sectors that hold NDEF, according to the tag's directory.
  package let sectors: [Int]
  /// The content of the tag.
  public let content: TagContent
  /// The reason why the tag is not an NDEF tag or cannot be read, for people; empty otherwise.
  package let problem: String
  /// The length of the longest message that fits into the NDEF sectors, in bytes.
  public let capacity: Int
  /// A Boolean value that indicates whether the first NDEF sector is marked read-only (AN1305,
  /// section 6.1).
  public let isLocked: Bool
  /// The number of commands and selections used so far.
  package let exchanges: Int

  /// The UID.
  public var uid: [UInt8] { target.uid }
  /// The product's name, for example `MIFARE Classic 1K`.
  public var name: String { layout.name }
  /// A Boolean value that indicates whether a key that is not public protects the message; a blank
  /// card has only the factory key.
  public var isPasswordProtected: Bool {
    if case .unreadable = content { return true }
    return false
  }

  /// The error for an attempt to write such a tag.
  package var refusal: TagError {
    TagError(
      .tagUnsupported,
      "tag \(uid.hexadecimal) is a \(name), which iPhones do not read; it is not written",
      hint: "use an NTAG213, NTAG215, NTAG216 or NTAG 424 DNA", uid: uid)
  }
}

extension ClassicTag {
  /// Identifies the tag on a channel and reads its NDEF message, if it has one.
  ///
  /// - Parameter channel: An activated tag.
  /// - Throws: ``TagError``: `tag-unsupported` for a tag of another type, `tag-lost`,
  ///   `tag-changed`, `reader-failed`, `cancelled`. A tag with other keys is not an error;
  ///   ``content`` reports it.
  public static func identify(over channel: some TagChannel) async throws(TagError) -> ClassicTag {
    guard let layout = ClassicLayout(sak: channel.target.sak) else {
      throw TagError(unsupported: channel.target)
    }
    do throws(TagChannelError) {
      var reading = ClassicReading(ClassicCommands(channel), layout)
      return try await reading.run()
    } catch {
      throw TagError(error, uid: channel.target.uid)
    }
  }
}

/// Reads the public part of a MIFARE Classic.
private struct ClassicReading<Channel: TagChannel> {
  var commands: ClassicCommands<Channel>
  let layout: ClassicLayout
  var sectors: [Int] = []
  var isLocked = false
  var map = TLVMap(area: DataArea(byteCount: 0), content: .notNDEF)

  init(_ commands: ClassicCommands<Channel>, _ layout: ClassicLayout) {
    self.commands = commands
    self.layout = layout
  }

  mutating func run() async throws(TagChannelError) -> ClassicTag {
    if let problem = try await readDirectory() {
      map.content = problem.content
      return tag(problem.reason)
    }
    let key = ClassicPublicKey.message
    let trailer = try await commands.read(
      ClassicLayout.trailer(of: sectors[0]), in: sectors[0], key: key)
    guard let trailer else {
      map.content = .unreadable(page: nil)
      return tag("sector \(sectors[0]) does not open with the public key of NDEF")
    }
    // General purpose byte, write access: 0 free, 3 none.
    isLocked = trailer[9] & 0x03 == 0x03
    try await readMessage(key)
    if case .unreadable = map.content { return tag("a block does not open with the public key") }
    return tag("")
  }

  private struct Problem {
    let content: TagContent
    let reason: String
  }

  /// - Returns: The reason why the directory is unusable; `nil` if there are NDEF sectors.
  private mutating func readDirectory() async throws(TagChannelError) -> Problem? {
    let key = ClassicPublicKey.directory
    guard let trailer = try await commands.read(3, in: 0, key: key) else {
      // A blank card is not protected: its factory key is public.
      if try await commands.read(3, in: 0, key: ClassicPublicKey.factory) != nil {
        return Problem(
          content: .notNDEF,
          reason: "its first sector has the key of the factory and no application directory")
      }
      return Problem(
        content: .unreadable(page: nil),
        reason: "its directory opens neither with the public key nor with that of the factory: "
          + "it is somebody's card")
    }
    // General purpose byte: bit 8 indicates a directory, the last two bits its version.
    guard trailer[9] & 0x80 != 0 else {
      return Problem(content: .notNDEF, reason: "it has no application directory")
    }
    let malformed = Problem(
      content: .notNDEF, reason: "the CRC of its application directory does not fit")
    guard let first = try await blocks(1...2, of: 0, key),
      let directory = ClassicDirectory(sector0: first)
    else { return malformed }
    sectors = directory.sectors
    if trailer[9] & 0x03 == 2, layout.sectorCount > 16 {
      guard let second = try await blocks(64...66, of: 16, key),
        let directory = ClassicDirectory(sector16: second)
      else { return malformed }
      sectors += directory.sectors
    }
    sectors = sectors.filter { [layout] in $0 < layout.sectorCount }
    return sectors.isEmpty
      ? Problem(content: .notNDEF, reason: "its application directory names no NDEF") : nil
  }

  private mutating func blocks(
    _ range: ClosedRange<Int>, of sector: Int, _ key: [UInt8]
  ) async throws(TagChannelError) -> [UInt8]? {
    var bytes: [UInt8] = []
    for block in range {
      guard let read = try await commands.read(block, in: sector, key: key) else { return nil }
      bytes += read
    }
    return bytes
  }

  /// Scans the TLV blocks, which are those of a Type 2 tag: the data blocks of the sectors in
  /// sequence take the place of pages from 4 on. Blocks are read as the scan requests them.
  private mutating func readMessage(_ key: [UInt8]) async throws(TagChannelError) {
    let places = sectors.flatMap { sector in
      ClassicLayout.dataBlocks(of: sector).map { (sector: sector, block: $0) }
    }
    let pagesPerBlock = ClassicLayout.blockByteCount / TagMemory.pageByteCount
    var memory = TagMemory()
    while true {
      do throws(MissingPages) {
        map = try TLVScan.run(
          memory, area: DataArea(byteCount: places.count * ClassicLayout.blockByteCount))
        return
      } catch {
        // One block at a time: the scan requests more than it may need.
        let index = (error.pages.lowerBound - 4) / pagesPerBlock
        guard places.indices.contains(index) else { return }
        let place = places[index]
        let page = 4 + index * pagesPerBlock
        if let bytes = try await commands.read(place.block, in: place.sector, key: key) {
          memory.store(bytes, from: page)
        } else {
          for page in page..<page + pagesPerBlock { memory.markUnreadable(page) }
        }
      }
    }
  }

  private func tag(_ problem: String) -> ClassicTag {
    // The page numbers of these blocks are not known to users.
    let content: TagContent =
      switch map.content {
      case .torn: .torn(page: nil)
      case .otherData: .otherData(page: nil)
      case .unreadable: .unreadable(page: nil)
      default: map.content
      }
    return ClassicTag(
      target: commands.channel.target, layout: layout, sectors: sectors, content: content,
      problem: problem, capacity: map.capacity, isLocked: isLocked, exchanges: commands.exchanges)
  }
}

/// The sectors of a MIFARE Classic, and its data blocks.
///
/// NXP MF1S50YYX and MF1S70YYX data sheets, section 8.6.
package struct ClassicLayout: Hashable, Sendable {
  /// The product's name.
  package let name: String
  /// The number of sectors: the first 32 have 4 blocks, the others 16.
  package let sectorCount: Int

  /// Makes the layout of a tag with this SAK (NXP AN10833); `nil` if it is not a MIFARE Classic.
  init?(sak: UInt8) {
    switch sak {
    case 0x08, 0x88, 0x28: self.init(name: "MIFARE Classic 1K", sectorCount: 16)
    case 0x09, 0x89: self.init(name: "MIFARE Classic Mini", sectorCount: 5)
    case 0x18, 0x98, 0x38, 0xB8: self.init(name: "MIFARE Classic 4K", sectorCount: 40)
    case 0x19: self.init(name: "MIFARE Classic 2K", sectorCount: 32)
    default: return nil
    }
  }

  private init(name: String, sectorCount: Int) {
    self.name = name
    self.sectorCount = sectorCount
  }

  /// The size of a block in bytes.
  static let blockByteCount = 16

  /// The first block of a sector.
  static func firstBlock(of sector: Int) -> Int {
    sector < 32 ? sector * 4 : 128 + (sector - 32) * 16
  }

  /// The block with the keys and access rights of a sector, the last one.
  static func trailer(of sector: Int) -> Int { firstBlock(of: sector + 1) - 1 }

  /// The data blocks of a sector.
  static func dataBlocks(of sector: Int) -> Range<Int> {
    firstBlock(of: sector)..<trailer(of: sector)
  }
}

/// The MIFARE application directory, which lists the NDEF sectors of a MIFARE Classic.
///
/// NXP AN10787 (MAD) and AN1305 (NDEF on MIFARE Classic).
struct ClassicDirectory: Hashable, Sendable {
  /// The sectors with the application identifier E103 of NDEF, in ascending order.
  let sectors: [Int]

  /// Reads the two blocks of sector 0, which list the use of sectors 1 to 15.
  ///
  /// - Returns: `nil` if the CRC in the first byte is wrong.
  init?(sector0 blocks: [UInt8]) {
    self.init(blocks, firstSector: 1)
  }

  /// Reads the three blocks of sector 16, which list the use of sectors 17 to 39.
  init?(sector16 blocks: [UInt8]) {
    self.init(blocks, firstSector: 17)
  }

  private init?(_ blocks: [UInt8], firstSector: Int) {
    guard blocks.count >= 2, Self.crc(blocks.dropFirst()) == blocks[0] else { return nil }
    sectors = stride(from: 2, to: blocks.count - 1, by: 2).filter {
      blocks[$0] == 0x03 && blocks[$0 + 1] == 0xE1
    }.map { firstSector + ($0 - 2) / 2 }
  }

  /// CRC-8 with polynomial 1D and preset C7 (AN10787, section 3.7).
  static func crc(_ bytes: some Sequence<UInt8>) -> UInt8 {
    var crc: UInt8 = 0xC7
    for byte in bytes {
      crc ^= byte
      for _ in 0..<8 { crc = crc & 0x80 == 0 ? crc << 1 : crc << 1 ^ 0x1D }
    }
    return crc
  }
}

/// The public keys A of a MIFARE Classic (NXP AN10787, section 3.5; AN1305, section 5.1).
enum ClassicPublicKey {
  /// The key of the application directory.
  static let directory: [UInt8] = [0xA0, 0xA1, 0xA2, 0xA3, 0xA4, 0xA5]
  /// The factory key of every sector (MF1S50YYX data sheet, section 8.6.3).
  static let factory: [UInt8] = [0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF]
  /// The key of the NDEF sectors.
  static let message: [UInt8] = [0xD3, 0xF7, 0xD3, 0xF7, 0xD3, 0xF7]
}

/// The commands of a MIFARE Classic over a channel, with retries and a count.
///
/// A command is tried twice. A tag that refused one has been selected again and has closed the open
/// sector, so the sector is opened again first; a silent tag is searched once per command by a
/// field cycle.
struct ClassicCommands<Channel: TagChannel> {
  let channel: Channel
  /// The number of commands and selections so far.
  private(set) var exchanges = 0
  /// The open sector.
  private var openSector: Int?

  init(_ channel: Channel) { self.channel = channel }

  /// READ of a block (MF1S50YYX data sheet, section 12.2) of a sector, which key A opens.
  ///
  /// - Returns: Its 16 bytes; `nil` if the key does not open the sector or the block is closed.
  mutating func read(
    _ block: Int, in sector: Int, key: [UInt8]
  ) async throws(TagChannelError) -> [UInt8]? {
    var attemptsLeft = 2
    var hasLookedForTag = false
    while attemptsLeft > 0 {
      attemptsLeft -= 1
      do throws(TagChannelError) {
        if openSector != sector {
          // AUTHENTICATE with key A (section 10.1), for the UID's last four bytes (AN10927).
          let uid = channel.target.uid.suffix(4)
          _ = try await exchange([0x60, UInt8(ClassicLayout.trailer(of: sector))] + key + uid)
          openSector = sector
        }
        let answer = try await exchange([0x30, UInt8(block)])
        if answer.count == ClassicLayout.blockByteCount { return answer }
      } catch {
        openSector = nil
        switch error.code {
        case .refused: continue
        case .tagLost where !hasLookedForTag:
          hasLookedForTag = true
          attemptsLeft += 1
          exchanges += 1
          try await channel.reselect(fieldCycle: true)
        default: throw error
        }
      }
    }
    return nil
  }

  private mutating func exchange(
    _ command: [UInt8]
  ) async throws(TagChannelError) -> [UInt8] {
    if Task.isCancelled { throw TagChannelError(.cancelled, "the task was cancelled") }
    exchanges += 1
    return try await channel.exchange(command)
  }
}
