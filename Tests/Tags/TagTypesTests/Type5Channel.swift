import SimulatedReader
@testable import TagTypes

/// A simulated Type 5 tag under a reader that may carry only single blocks, and a tag that may leave.
actor Type5Channel: TagChannel {
  nonisolated let target: TagTarget
  private(set) var tag: SimulatedType5Tag
  /// Whether only reading and writing of single blocks reach the tag, without the OPTION flag.
  private let carriesBlocksOnly: Bool
  /// The commands in order, without selections and flags.
  private(set) var commands: [[UInt8]] = []
  /// The indices of the commands that were sent with the OPTION flag.
  private(set) var optionCommands: [Int] = []
  /// Whether a refusal comes without the tag's error code.
  private var hidesErrors = false
  /// The blocks that refuse to be locked.
  private var neverLocked: Set<Int> = []
  /// Answers to the next commands with these first bytes, in place of the tag's.
  private var replacements: [UInt8: [[UInt8]]] = [:]
  /// The write, counted from 1, during which the tag leaves, and the number of bytes it still
  /// stores.
  private var tear: (write: Int, byteCount: Int)?
  private var writes = 0
  private var isGone = false

  init(_ tag: SimulatedType5Tag, carriesBlocksOnly: Bool = false) {
    target = TagTarget(vicinityUID: tag.uid)
    self.tag = tag
    self.carriesBlocksOnly = carriesBlocksOnly
    self.tag.fieldOn()
    _ = self.tag.select()
  }

  func leave(inWrite write: Int, storing byteCount: Int) { tear = (write, byteCount) }

  /// Puts the tag back on the reader in its present state.
  func comeBack() {
    (tear, writes, isGone) = (nil, 0, false)
    tag.fieldOff()
    tag.fieldOn()
    _ = tag.select()
  }

  func hideErrors() { hidesErrors = true }
  func neverLock(_ blocks: Set<Int>) { neverLocked = blocks }
  func answer(_ code: UInt8, with answers: [[UInt8]]) { replacements[code] = answers }

  func alter(_ change: @Sendable (inout SimulatedType5Tag) -> Void) { change(&tag) }

  func exchange(_ command: [UInt8]) throws(TagChannelError) -> [UInt8] {
    try exchange(command, flags: 0x22)
  }

  func exchangeWithOption(_ command: [UInt8]) throws(TagChannelError) -> [UInt8] {
    if carriesBlocksOnly { throw TagChannelError(.notCarried, "no flags") }
    optionCommands.append(commands.count)
    return try exchange(command, flags: 0x62)
  }

  private func exchange(
    _ command: [UInt8], flags: UInt8
  ) throws(TagChannelError) -> [UInt8] {
    guard !isGone else { throw TagChannelError(.tagLost, "the tag is gone") }
    if carriesBlocksOnly, ![0x20, 0x21].contains(command[0]) {
      throw TagChannelError(.notCarried, "blocks only")
    }
    commands.append(command)
    if var answers = replacements[command[0]], !answers.isEmpty {
      defer { replacements[command[0]] = answers }
      return answers.removeFirst()
    }
    if command[0] & 0x0F == 0x02, command[0] < 0xA0, neverLocked.contains(Int(command[1])) {
      throw TagChannelError(.refused, "never", refusal: hidesErrors ? nil : 0x10)
    }
    let head = command[0] >= 0xA0 ? 2 : 1
    let frame = [flags] + command.prefix(head) + tag.uid.reversed() + command.dropFirst(head)
    if tag.places(writtenBy: frame) != nil {
      writes += 1
      if writes == tear?.write {
        tag.tear(frame, storing: tear?.byteCount ?? 0)
        isGone = true
        throw TagChannelError(.tagLost, "the tag is gone")
      }
    }
    switch tag.receive(frame) {
    case .data(let bytes): return bytes
    case .acknowledged: return []
    case .refused(let code):
      try reselect(fieldCycle: true)
      throw TagChannelError(
        .refused, "the tag refused the command", refusal: hidesErrors ? nil : code)
    case .silence, .damaged:
      try reselect(fieldCycle: true)
      throw TagChannelError(.refused, "the tag did not answer")
    }
  }

  func reselect(fieldCycle: Bool) throws(TagChannelError) {
    guard !isGone else { throw TagChannelError(.tagLost, "the tag is gone") }
    tag.fieldOff()
    tag.fieldOn()
    _ = tag.select()
  }

  /// Returns the NDEF message of the stored bytes, found without the code under test: a container
  /// of four or eight bytes, then blocks of type, length and value.
  func storedMessage() -> [UInt8]? {
    let memory = tag.blocks.flatMap(\.self)
    guard memory[0] == 0xE1 || memory[0] == 0xE2 else { return nil }
    var offset = memory[2] == 0 ? 8 : 4
    while offset + 1 < memory.count {
      switch memory[offset] {
      case 0x00: offset += 1
      case 0x03:
        let isLong = memory[offset + 1] == 0xFF
        let start = offset + (isLong ? 4 : 2)
        let count =
          isLong
          ? Int(memory[offset + 2]) << 8 | Int(memory[offset + 3]) : Int(memory[offset + 1])
        return start + count <= memory.count ? Array(memory[start..<start + count]) : nil
      case 0xFE: return nil
      default: offset += 2 + Int(memory[offset + 1])
      }
    }
    return nil
  }
}
