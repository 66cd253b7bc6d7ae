import TagTypes

/// What a tag needs say nothing of unless its kind differs.
extension SimulatedCard {
  /// Answers carry nothing but data.
  package var protocolByteCount: Int { 0 }
  /// The tag knows no status words.
  package mutating func answer(_ frame: [UInt8], withStatus word: [UInt8]) -> TagAnswer? { nil }
  /// Half of the write, or nothing.
  package mutating func tear(_ frame: [UInt8], storing count: Int) {
    tear(frame, isHalf: count > 0)
  }

  /// A tag without memory has nothing to forget.
  package mutating func forgetWrite(memoryBefore: [UInt8]) {}

  /// Refuses a frame without carrying it out: NAK, or a status to one that ends an APDU.
  mutating func refuse(_ frame: [UInt8], code: UInt8, status: [UInt8]) -> TagAnswer {
    if let answer = answer(frame, withStatus: status) { return answer }
    // A block that ends no APDU is lost instead: ISO/IEC 14443-4 knows no NAK of a tag.
    guard protocolByteCount == 0 else { return .silence }
    fallBack()
    return .refused(code)
  }
}

extension SimulatedTag {
  /// Stores the first bytes of a page at most. Locks and OTP, which the data sheet guards against
  /// tearing, stay whole.
  package mutating func tear(_ command: [UInt8], storing count: Int) {
    guard count > 0, let page = places(writtenBy: command)?.first,
      page != 2, page != 3, page != layout.dynamicLockPage
    else { return }
    let old = self.page(page)
    guard receive(command) == .acknowledged else { return }
    let kept = min(count, old.count)
    overwrite(page: page, with: Array(self.page(page)[..<kept] + old[kept...]))
  }

  /// Every page is what it was.
  package mutating func forgetWrite(memoryBefore: [UInt8]) { memory = memoryBefore }
}

extension SimulatedType4Tag {
  /// The control byte of a block.
  package var protocolByteCount: Int { 1 }

  /// Stores the first bytes of what is written, unless the product writes so few of them whole.
  package mutating func tear(_ frame: [UInt8], storing count: Int) {
    guard count > 0, let command = transponder.command(completedBy: frame),
      let (file, range) = range(writtenBy: command), range.count > product.atomicWriteByteCount
    else { return }
    let before = files[file].bytes
    _ = receive(frame)
    let kept = min(range.lowerBound + count, range.upperBound)
    for offset in kept..<max(kept, min(range.upperBound, before.count)) {
      files[file].bytes[offset] = before[offset]
    }
  }

  /// Every file is what it was.
  package mutating func forgetWrite(memoryBefore: [UInt8]) {
    // The bytes come from a tag of the same product, so that they always fit.
    if let before = try? holding(memoryBefore) { files = before.files }
  }
}

extension SimulatedClassicTag {
  /// Every block is what it was.
  package mutating func forgetWrite(memoryBefore: [UInt8]) { memory = memoryBefore }
}

extension SimulatedJewelTag {
  /// Every byte is what it was.
  package mutating func forgetWrite(memoryBefore: [UInt8]) { memory = memoryBefore }
}
