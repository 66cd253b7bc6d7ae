import CliptagBasics

/// The restoration of a dump to a tag.
struct Restoration {
  /// The tag, with user pages and configuration read.
  let tag: Type2Tag
  /// The tag described by the dump.
  let dumped: Type2Tag
  let options: RestoreOptions
  var notes: [RestorePlan.Note] = []

  var layout: Type2Layout { tag.layout }

  mutating func plan(pagesPerRead: Int) throws(TagError) -> RestorePlan {
    var image = try dataPages()
    let configuration = try configurationPages()
    try settleMirror(in: &image)
    let container = finalContainer
    let result = try finalTag(image, container)
    if case .message = result.content {
      try Tag.type2(result).checkPhonesMayRead(before: "written")
    }
    noteWhatIsLeft(container)

    let steps = steps(to: image, configuration, container)
    if !steps.isEmpty { try tag.checkWriteAccess() }
    for step in steps {
      if let page = step.page { try tag.checkProtection(of: page) }
    }
    var message: [UInt8] = []
    if case .message(let bytes) = result.content { message = bytes }
    // The proof at the end would fail, on a tag without its message.
    guard steps.isEmpty || result.holdsMessage(ofByteCount: message.count) else {
      throw Tag.type2(tag).noMessage
    }
    return RestorePlan(
      write: WritePlan(
        tag, message: message, steps: steps,
        pages: image.merging(configuration.map { ($0.page, $0.bytes) }) { $1 },
        pagesPerRead: pagesPerRead),
      result: .type2(result), notes: notes)
  }

  /// The pages to restore. For an unknown product, only those that lie entirely in the data area:
  /// memory reserved by its control TLVs may contain lock bits.
  private func dataPages() throws(TagError) -> [Int: [UInt8]] {
    let size = TagMemory.pageByteCount
    guard layout.isKnownProduct || dumped.capabilityContainer?.isNDEF == true else {
      throw tag.mismatch(
        "the dump is not an NDEF dump, and the memory layout of the tag is unknown",
        hint: "restore it with a tool that supports this product")
    }
    let areas = [tag.map.area, dumped.map.area].map { Set($0.addresses) }
    var image: [Int: [UInt8]] = [:]
    for page in layout.userPages {
      let addresses = page * size..<(page + 1) * size
      guard
        layout.isKnownProduct
          || areas.allSatisfy({ area in addresses.allSatisfy(area.contains) })
      else { continue }
      guard tag.memory[page] != nil else { throw TagError(unreadable: page, of: tag) }
      guard let bytes = dumped.memory[page] else {
        throw tag.mismatch(lacking: page)
      }
      image[page] = bytes
    }
    return image
  }

  /// The planned configuration pages, if they are to be restored: CFG1 first, because an inactive
  /// counter cannot be mirrored.
  private func configurationPages() throws(TagError) -> [(page: Int, bytes: [UInt8])] {
    guard options.restoresConfiguration, layout.mirroring != .none,
      let page = layout.configurationPage
    else { return [] }
    guard let wanted = dumped.configuration else {
      throw tag.mismatch("the dump lacks page \(page), the configuration", page: page)
    }
    guard let held = tag.configuration else { throw TagError(unreadable: page, of: tag) }
    let restored = held.restoring(wanted)
    guard restored != held else { return [] }
    guard !held.isLocked else {
      throw TagError(
        .tagLocked,
        "the configuration of \(tag.name) \(tag.uid.hexadecimal) is locked",
        hint: "restore without the configuration, or use another tag", page: page, uid: tag.uid)
    }
    return [(page + 1, restored.secondPage), (page, restored.firstPage)]
      .filter { tag.memory[$0.0] != $0.1 }
  }

  /// The tag's mirror after the restoration.
  private var finalMirror: TagMirror? {
    options.restoresConfiguration && layout.mirroring != .none ? dumped.mirror : tag.mirror
  }

  /// Handles mirrored text: a dump contains the text of a mirror instead of the stored bytes, which
  /// must not be stored without a request.
  private mutating func settleMirror(in image: inout [Int: [UInt8]]) throws(TagError) {
    let final = finalMirror
    if let mirror = dumped.mirror, mirror == final {
      for (address, character) in zip(mirror.addresses, mirror.text()) {
        let size = TagMemory.pageByteCount
        image[address / size]?[address % size] = character
      }
      notes.append(.placeholders(mirror))
      return
    }
    if let mirror = dumped.mirror {
      guard options.freezesMirror else {
        throw TagError(
          .mirroredText,
          "the dump contains text that a mirror inserted on tag \(dumped.uid.hexadecimal) from page "
            + "\(mirror.page) on; restored, it would be stored text on \(tag.uid.hexadecimal)",
          hint: "\(.restoreMirror)",
          page: mirror.page, uid: tag.uid)
      }
      notes.append(.mirrorFrozen(mirror))
    }
    guard let final else { return }
    throw TagError(
      .mirroredText,
      "\(tag.name) \(tag.uid.hexadecimal) mirrors its UID or counter over page \(final.page) and "
        + "would hide restored data",
      hint: dumped.mirror == nil
        ? "\(.restoreSettings)"
        : "turn off the tag's mirror with the tool that set it",
      page: final.page, uid: tag.uid)
  }

  /// The planned page 3: the tag's own, or on a tag without one that of the product, if the dump is
  /// one of NDEF.
  private var finalContainer: [UInt8] {
    let held = tag.memory[3] ?? []
    guard tag.capabilityContainer?.isNDEF != true, dumped.capabilityContainer?.isNDEF == true
    else { return held }
    return zip(held, layout.capabilityContainer).map { $0 | $1 }
  }

  /// The tag with the content of the dump.
  private func finalTag(
    _ image: [Int: [UInt8]], _ container: [UInt8]
  ) throws(TagError) -> Type2Tag {
    var memory = tag.memory
    memory.store(container, from: 3)
    for (page, bytes) in image { memory.store(bytes, from: page) }
    if let mirror = finalMirror { memory.show(mirror.text(uid: tag.uid), at: mirror.start) }
    var result = tag
    result.memory = memory
    do throws(MissingPages) {
      result.map = try Type2Tag.map(of: memory, layout)
    } catch {
      throw tag.mismatch(lacking: error.first(in: memory))
    }
    if case .message(let bytes) = dumped.content, dumped.mirror == nil || options.freezesMirror,
      result.content != dumped.content
    {
      throw TagError(
        .tagTooSmall,
        "the dump's message of \(bytes.count) bytes is outside the message memory of "
          + "\(tag.name) \(tag.uid.hexadecimal)",
        hint: "write the URL with tag write, or use another tag", uid: tag.uid)
    }
    return result
  }

  private mutating func noteWhatIsLeft(_ container: [UInt8]) {
    if dumped.memory[3] != container { notes.append(.containerLeft) }
    let isUnlocked = [2, layout.dynamicLockPage].compactMap(\.self).contains { page in
      guard let held = tag.memory[page], let wanted = dumped.memory[page] else { return false }
      // In page 2 the lock bits are the last two bytes, in the dynamic lock page the first three.
      let bits = page == 2 ? 2...3 : 0...2
      return bits.contains { wanted[$0] & ~held[$0] != 0 }
    }
    if isUnlocked { notes.append(.locksLeft) }
    if let page = dumped.firstProtectedPage, tag.firstProtectedPage != page {
      notes.append(.passwordLeft(fromPage: page))
    }
    if !options.restoresConfiguration, let held = tag.configuration,
      let wanted = dumped.configuration, held.restoring(wanted) != held
    {
      notes.append(.configurationLeft)
    }
  }
}

/// The order in which a dump is restored.
extension Restoration {
  /// The address of the length of the dump's message, if the bytes before it are already on the
  /// tag: then one byte determines whether the message is visible. `nil` otherwise.
  private var lengthAddress: Int? {
    guard case .message = dumped.content, dumped.map.start + 1 < dumped.map.area.count,
      tag.map.start == dumped.map.start
    else { return nil }
    let isSame = dumped.map.area.addresses[..<dumped.map.start].allSatisfy { address in
      let size = TagMemory.pageByteCount
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

    let size = TagMemory.pageByteCount
    let isFormatted = container == tag.memory[3]
    let isRight = isFormatted && image.allSatisfy { tag.shows($0.value, on: $0.key) }
    let differing = isRight ? [] : image.keys.filter { tag.memory[$0] != image[$0] }.sorted()
    let first = layout.userPages.lowerBound
    let last = lengthAddress.map { $0 / size } ?? first
    // The content of the last page while no message must be visible: an empty message.
    var hidden: [UInt8] = [0x03, 0x00, 0xFE, 0x00]
    if let lengthAddress, let bytes = image[last] {
      hidden = bytes
      hidden[lengthAddress % size] = 0
    }
    if isFormatted, case .message = tag.content {
      // A page whose lock state is unknown is written before the message is hidden.
      for page in differing.reversed() where tag.isLockUnknown(of: page) {
        guard let bytes = after[page] else { continue }
        steps.append(WritePlan.Step(.probe, at: .page(page), before: bytes, after: bytes))
      }
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

  /// Sets the length of the tag's message to 0, before the bytes in front of it change.
  private func hideMessage(
    _ write: ([UInt8]?, Int, WritePlan.Step.Purpose) -> Void
  ) {
    guard case .message = tag.content, tag.map.start + 1 < tag.map.area.count else { return }
    let address = tag.map.area.addresses[tag.map.start + 1]
    let page = address / TagMemory.pageByteCount
    guard var bytes = tag.memory[page] else { return }
    bytes[address % TagMemory.pageByteCount] = 0
    write(bytes, page, .withdraw)
  }

  /// Returns `true` if more must change than the one byte that a page can change atomically.
  private func isMoreThanLength(
    _ differing: [Int], _ last: Int, _ image: [Int: [UInt8]]
  ) -> Bool {
    guard let lengthAddress, differing == [last], let held = tag.memory[last],
      let final = image[last]
    else { return !differing.isEmpty }
    let length = lengthAddress % TagMemory.pageByteCount
    return held.indices.contains { $0 != length && held[$0] != final[$0] }
  }
}
