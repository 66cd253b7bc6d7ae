/// The tag's half of ISO/IEC 14443-4: RATS, blocks, chaining, deselection.
///
/// It turns frames into whole commands (APDUs) and whole responses into blocks. The same rules
/// apply to a chip that runs the protocol automatically and to a host that uses InCommunicateThru.
struct ISODEPTransponder: Hashable, Sendable {
  /// The outcome of a frame.
  enum Outcome: Hashable, Sendable {
    /// The tag answers with this block.
    case block([UInt8])
    /// A command is complete; pass its response to ``send(_:)``.
    case command([UInt8])
    /// S(DESELECT): the tag answers with this block and goes to HALT.
    case deselected([UInt8])
    /// The tag gives no answer and keeps its state.
    case silence
    /// The frame is not known to a tag that is not yet activated.
    case unknown
  }

  /// The answer to select, its length byte first.
  let ats: [UInt8]
  /// A Boolean value that indicates whether RATS has been answered. From then on the tag ignores
  /// all requests.
  private(set) var isActivated = false

  private var blockNumber: UInt8 = 1
  private var cardIdentifier: UInt8 = 0
  /// A Boolean value that indicates whether PPS is still accepted: only as the first frame after
  /// RATS.
  private var mayTakePPS = false
  private var readerFrameByteCount = 16
  private var command: [UInt8] = []
  private var response: [UInt8] = []
  private var lastBlock: [UInt8] = []

  init(ats: [UInt8]) { self.ats = ats }

  /// Resets the state, as at the loss of the field.
  mutating func reset() { self = ISODEPTransponder(ats: ats) }

  /// Takes a frame whose CRC was correct.
  mutating func receive(_ frame: [UInt8]) -> Outcome {
    guard let first = frame.first else { return isActivated ? .silence : .unknown }
    guard isActivated else { return activate(frame) }
    defer { mayTakePPS = false }
    if mayTakePPS, first & 0xF0 == 0xD0, first & 0x0F == cardIdentifier {
      return .block([first])
    }
    guard let block = Block(frame), block.cardIdentifier ?? 0 == cardIdentifier else {
      return .silence
    }
    switch block.kind {
    case .information(let isChained):
      blockNumber ^= 1
      command += block.payload
      if isChained { return .block(remembered(0xA2 | blockNumber, block, [])) }
      defer { command = [] }
      return .command(command)
    case .acknowledgement where block.number != blockNumber && !response.isEmpty:
      blockNumber ^= 1
      return .block(nextBlock(answering: block))
    case .negativeAcknowledgement where block.number != blockNumber:
      return .block(remembered(0xA2 | blockNumber, block, []))
    case .acknowledgement, .negativeAcknowledgement:
      return lastBlock.isEmpty ? .silence : .block(lastBlock)
    case .deselection:
      reset()
      return .deselected(frame)
    }
  }

  /// Sends the response to the command that ``receive(_:)`` has just returned.
  mutating func send(_ response: [UInt8], answering frame: [UInt8]) -> [UInt8] {
    self.response = response
    guard let block = Block(frame) else { return [] }
    return nextBlock(answering: block)
  }

  /// The whole command that this frame would complete; `nil` if it completes none.
  func command(completedBy frame: [UInt8]) -> [UInt8]? {
    guard isActivated, let block = Block(frame), case .information(isChained: false) = block.kind,
      block.cardIdentifier ?? 0 == cardIdentifier
    else { return nil }
    return command + block.payload
  }

  private mutating func activate(_ frame: [UInt8]) -> Outcome {
    guard frame.count == 2, frame[0] == 0xE0 else { return .unknown }
    let sizes = [16, 24, 32, 40, 48, 64, 96, 128, 256]
    readerFrameByteCount = sizes[min(Int(frame[1] >> 4), sizes.count - 1)]
    cardIdentifier = frame[1] & 0x0F
    isActivated = true
    mayTakePPS = true
    return .block(ats)
  }

  private mutating func nextBlock(answering block: Block) -> [UInt8] {
    // PCB, CID if the reader used one, and two bytes of CRC are part of the frame.
    let room = readerFrameByteCount - 3 - (block.cardIdentifier == nil ? 0 : 1)
    let payload = Array(response.prefix(room))
    response.removeFirst(payload.count)
    return remembered((response.isEmpty ? 0x02 : 0x12) | blockNumber, block, payload)
  }

  private mutating func remembered(
    _ control: UInt8, _ block: Block, _ payload: [UInt8]
  ) -> [UInt8] {
    let header = block.cardIdentifier.map { [control | 0x08, $0] } ?? [control]
    lastBlock = header + payload
    return lastBlock
  }
}

extension ISODEPTransponder {
  /// One block (ISO/IEC 14443-4, section 7.1); `nil` for anything else.
  struct Block: Hashable, Sendable {
    enum Kind: Hashable, Sendable {
      case information(isChained: Bool)
      case acknowledgement
      case negativeAcknowledgement
      case deselection
    }

    let kind: Kind
    let number: UInt8
    let cardIdentifier: UInt8?
    let payload: [UInt8]

    init?(_ frame: [UInt8]) {
      guard let control = frame.first else { return nil }
      switch control {
      case _ where control & 0xE6 == 0x02: kind = .information(isChained: control & 0x10 != 0)
      case _ where control & 0xF6 == 0xA2: kind = .acknowledgement
      case _ where control & 0xF6 == 0xB2: kind = .negativeAcknowledgement
      case _ where control & 0xF7 == 0xC2: kind = .deselection
      default: return nil
      }
      number = control & 0x01
      let hasIdentifier = control & 0x08 != 0
      guard frame.count > (hasIdentifier ? 1 : 0) else { return nil }
      cardIdentifier = hasIdentifier ? frame[1] & 0x0F : nil
      payload = Array(frame[(hasIdentifier ? 2 : 1)...])
    }
  }
}
