/// The order in which a dump is put back.
extension Restoration {
  /// Where the length of the dump's message lies, and the bytes in front of it are those of the tag
  /// already: then one byte decides whether the message is seen. `nil` when it is not so.
  private var lengthAddress: Int? {
    guard case .message = dumped.content, dumped.map.start + 1 < dumped.map.area.count,
      tag.map.start == dumped.map.start
    else { return nil }
    let isSame = dumped.map.area.addresses[..<dumped.map.start].allSatisfy { address in
      let size = Type2Memory.pageByteCount
      return tag.memory[address / size]?[address % size]
        == dumped.memory[address / size]?[address % size]
    }
    return isSame ? dumped.map.area.addresses[dumped.map.start + 1] : nil
  }

  func steps(
    to image: [Int: [UInt8]], _ configuration: [(page: Int, bytes: [UInt8])],
    _ container: [UInt8]
  ) -> [WritePlan.Step] {
    var steps: [WritePlan.Step] = []
    var after = tag.memory
    func write(_ bytes: [UInt8]?, to page: Int, _ purpose: WritePlan.Step.Purpose) {
      guard let bytes, let before = after[page], before != bytes else { return }
      steps.append(WritePlan.Step(purpose, at: .page(page), before: before, after: bytes))
      after.store(bytes, from: page)
    }

    let size = Type2Memory.pageByteCount
    let isFormatted = container == tag.memory[3]
    let isRight = isFormatted && image.allSatisfy { tag.shows($0.value, on: $0.key) }
    let differing = isRight ? [] : image.keys.filter { tag.memory[$0] != image[$0] }.sorted()
    let first = layout.userPages.lowerBound
    let last = lengthAddress.map { $0 / size } ?? first
    // The page that is written last, as long as nothing shall be seen: an empty message.
    var hidden: [UInt8] = [0x03, 0x00, 0xFE, 0x00]
    if let lengthAddress, let bytes = image[last] {
      hidden = bytes
      hidden[lengthAddress % size] = 0
    }
    if !isRight, CapabilityContainer(container).isNDEF {
      // An unformatted tag gets the empty message that every formatter writes.
      if !isFormatted { write([0x03, 0x00, 0xFE, 0x00], to: first, .withdraw) }
      if lengthAddress == nil { hideMessage(write) }
      if isFormatted, isMoreThanLength(differing, last, image) {
        write(hidden, to: last, .withdraw)
      }
    }
    if !isFormatted { write(container, to: 3, .format) }
    if lengthAddress != nil, !isFormatted { write(hidden, to: last, .data) }
    for page in differing where page != last { write(image[page], to: page, .data) }
    for item in configuration { write(item.bytes, to: item.page, .configure) }
    if !isRight { write(image[last], to: last, .publish) }
    return steps
  }

  /// Sets the length of the message that the tag holds to 0 where that lies, before what is in front
  /// of it changes.
  private func hideMessage(
    _ write: ([UInt8]?, Int, WritePlan.Step.Purpose) -> Void
  ) {
    guard case .message = tag.content, tag.map.start + 1 < tag.map.area.count else { return }
    let address = tag.map.area.addresses[tag.map.start + 1]
    let page = address / Type2Memory.pageByteCount
    guard var bytes = tag.memory[page] else { return }
    bytes[address % Type2Memory.pageByteCount] = 0
    write(bytes, page, .withdraw)
  }

  /// Whether more has to change than the one byte that a page can change without being seen half
  /// done.
  private func isMoreThanLength(
    _ differing: [Int], _ last: Int, _ image: [Int: [UInt8]]
  ) -> Bool {
    guard let lengthAddress, differing == [last], let held = tag.memory[last],
      let final = image[last]
    else { return !differing.isEmpty }
    let length = lengthAddress % Type2Memory.pageByteCount
    return held.indices.contains { $0 != length && held[$0] != final[$0] }
  }
}
