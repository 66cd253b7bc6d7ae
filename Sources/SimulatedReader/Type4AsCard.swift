/// A Type 4 tag on a simulated reader; its places are byte offsets in the file being written.
extension SimulatedType4Tag: SimulatedCard {
  /// Type A at 106 kbit/s.
  package var technology: SimulatedTechnology { .typeA }
  /// The product's name.
  package var name: String { product.name }
  /// The UID it shows: the chip's, or a random one since the field came on.
  package var uid: [UInt8] { randomUID ?? chipUID }

  /// ATQA 0344 (0304 with a random UID) and SAK 20, ISO/IEC 14443-4.
  package func targetData(for request: [UInt8]) -> [UInt8]? {
    [0x03, uid.count == 7 ? 0x44 : 0x04, 0x20, UInt8(uid.count)] + uid
  }

  /// The same product, blank, mirroring nothing; without a UID, with another than this one's.
  package func sister(uid: [UInt8]?) throws(SimulatedReaderError) -> SimulatedType4Tag {
    // Another UID with a published signature.
    let other: [UInt8] = [0x04, 0xC4, 0x6C, 0x22, 0x2A, 0x63, 0x80]
    return try SimulatedType4Tag(
      product, uid: uid ?? (chipUID == other ? Self.genuineUID : other))
  }

  /// The field comes on, and with it a random UID where the product shows one.
  package mutating func fieldOn() {
    guard state.isOff else { return }
    state.fieldOn()
    guard product.usesRandomUID else { return }
    // A random UID begins with 08 (ISO/IEC 14443-3, section 6.5.4).
    randomUID = [0x08] + (0..<3).map { _ in UInt8.random(in: 0...255) }
  }

  /// The field goes off.
  package mutating func fieldOff() {
    leaveProtocol()
    state.fieldOff()
  }

  /// A request comes. A tag that speaks ISO/IEC 14443-4 already does not hear it and stays as it
  /// is; only S(DESELECT) or the end of the field frees it.
  package mutating func request(wakeUp: Bool) -> Bool {
    !transponder.isActivated && state.request(wakeUp: wakeUp)
  }

  /// The tag is selected.
  package mutating func select() -> Bool { state.select() }

  /// Back to where a request found it.
  package mutating func fallBack() {
    leaveProtocol()
    state.fallBack()
  }

  /// S(DESELECT), or HLTA before RATS.
  package mutating func halt() {
    leaveProtocol()
    state.halt()
  }

  /// Whether the tag is selected.
  package var isActive: Bool { state.isActive }

  /// One block of ISO/IEC 14443-4, or RATS or HLTA before.
  package mutating func receive(_ frame: [UInt8]) -> TagAnswer {
    receive(frame) { tag, command in tag.response(to: command) }
  }

  /// A damaged block gets no answer; before RATS the tag falls back.
  package mutating func receiveDamagedFrame() -> TagAnswer {
    if isActive, !transponder.isActivated { fallBack() }
    return .silence
  }

  /// The offsets in the file that UPDATE BINARY writes, when its last block comes.
  package func places(writtenBy frame: [UInt8]) -> Range<Int>? {
    guard isActive, let command = transponder.command(completedBy: frame) else { return nil }
    return range(writtenBy: command)?.range
  }

  /// Status 6581, memory failure.
  package mutating func refuseWrite(_ frame: [UInt8]) -> TagAnswer {
    receive(frame) { _, _ in StatusWord.memoryFailure.bytes }
  }

  /// The status word, when the frame ends an APDU.
  package mutating func answer(_ frame: [UInt8], withStatus word: [UInt8]) -> TagAnswer? {
    guard isActive, transponder.command(completedBy: frame) != nil else { return nil }
    return receive(frame) { _, _ in word }
  }

  /// Stores the first half of the bytes at most, unless the product writes so few of them whole.
  package mutating func tear(_ frame: [UInt8], isHalf: Bool) {
    guard isHalf, let command = transponder.command(completedBy: frame),
      let (file, range) = range(writtenBy: command), range.count > product.atomicWriteByteCount
    else { return }
    let before = files[file].bytes
    _ = receive(frame)
    let kept = range.lowerBound + range.count / 2
    for offset in kept..<max(kept, min(range.upperBound, before.count)) {
      files[file].bytes[offset] = before[offset]
    }
  }

  /// Turns over the lowest bit at an offset of the file that was written last.
  package mutating func spoil(place offset: Int) {
    guard let file = selectedFile, files[file].bytes.indices.contains(offset) else { return }
    files[file].bytes[offset] ^= 0x01
  }

  private mutating func receive(
    _ frame: [UInt8], respond: (inout SimulatedType4Tag, [UInt8]) -> [UInt8]
  ) -> TagAnswer {
    guard isActive else { return .silence }
    switch transponder.receive(frame) {
    case .block(let block): return .data(block)
    case .command(let command):
      let response = respond(&self, command)
      return .data(transponder.send(response, answering: frame))
    case .deselected(let block):
      halt()
      return .data(block)
    case .silence: return .silence
    case .unknown:
      if frame == [0x50, 0x00] { halt() } else { fallBack() }
      return .silence
    }
  }

  private mutating func leaveProtocol() {
    transponder.reset()
    isApplicationSelected = false
    selectedFile = nil
    versionFrames = []
    mirroredFile = nil
  }
}
