/// The keys A of a MIFARE Classic that everybody knows (NXP AN10787, section 3.5; AN1305,
/// section 5.1).
enum ClassicPublicKey {
  /// The key of the application directory.
  static let directory: [UInt8] = [0xA0, 0xA1, 0xA2, 0xA3, 0xA4, 0xA5]
  /// The key of the sectors that hold NDEF.
  static let message: [UInt8] = [0xD3, 0xF7, 0xD3, 0xF7, 0xD3, 0xF7]
}

/// The commands of a MIFARE Classic over a channel, with their retries, counted.
///
/// A command is tried twice. A tag that refused one has been selected again and has forgotten which
/// sector was open, so the sector is opened again first; one that fell silent is looked for once
/// per command by switching the field off and on.
struct ClassicCommands<Channel: TagChannel> {
  let channel: Channel
  /// Commands sent and selections asked for so far.
  private(set) var exchanges = 0
  /// The sector that is open.
  private var openSector: Int?

  init(_ channel: Channel) { self.channel = channel }

  /// READ of a block (MF1S50YYX data sheet, section 12.2) of a sector, which key A opens.
  ///
  /// - Returns: Its 16 bytes; `nil` when the key does not open the sector or the block is closed.
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
