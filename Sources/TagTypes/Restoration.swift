/// A dump on its way back to a tag.
struct Restoration {
  /// The tag, with user pages and configuration read.
  let tag: Type2Tag
  /// The tag that the dump shows.
  let dumped: Type2Tag
  let options: RestoreOptions
  var notes: [RestorePlan.Note] = []

  init(tag: Type2Tag, dumped: Type2Tag, options: RestoreOptions) {
    self.tag = tag
    self.dumped = dumped
    self.options = options
  }

  var layout: Type2Layout { tag.layout }

  mutating func plan(pagesPerRead: Int) throws(TagError) -> RestorePlan {
    var image = try dataPages()
    let configuration = try configurationPages()
    try settleMirror(in: &image)
    let container = finalContainer
    let result = try finalTag(image, container)
    noteWhatIsLeft(container)

    let steps = steps(to: image, configuration, container)
    if !steps.isEmpty { try tag.checkWriteAccess() }
    for step in steps {
      if let page = step.page { try tag.checkProtection(of: page) }
    }
    var message: [UInt8] = []
    if case .message(let bytes) = result.content { message = bytes }
    return RestorePlan(
      write: WritePlan(
        tag, message: message, steps: steps,
        pages: image.merging(configuration.map { ($0.page, $0.bytes) }) { $1 },
        pagesPerRead: pagesPerRead),
      result: result, notes: notes)
  }

  /// The pages to put back. Of a product that is not known only those that lie in the data area as a
  /// whole: what its control TLVs reserve may be lock bits.
  private func dataPages() throws(TagError) -> [Int: [UInt8]] {
    let size = Type2Memory.pageByteCount
    guard layout.isKnownProduct || dumped.capabilityContainer?.isNDEF == true else {
      throw tag.mismatch(
        "the dump is not one of NDEF, and nothing is known of the memory of such a tag",
        hint: "restore it with the tool that knows this product")
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
        throw tag.mismatch("the dump lacks page \(page), which could not be read", page: page)
      }
      image[page] = bytes
    }
    return image
  }

  /// The configuration pages as they shall be, when they shall change: CFG1 first, because a counter
  /// that is not counting cannot be mirrored.
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

  /// What the tag will show over its memory when all is done.
  private var finalMirror: TagMirror? {
    options.restoresConfiguration && layout.mirroring != .none ? dumped.mirror : tag.mirror
  }

  /// A dump has what a mirror showed, not what was stored: that must not become stored text unasked.
  private mutating func settleMirror(in image: inout [Int: [UInt8]]) throws(TagError) {
    let final = finalMirror
    if let mirror = dumped.mirror, mirror == final {
      for (address, character) in zip(mirror.addresses, mirror.text()) {
        let size = Type2Memory.pageByteCount
        image[address / size]?[address % size] = character
      }
      notes.append(.placeholders(mirror))
      return
    }
    if let mirror = dumped.mirror {
      guard options.freezesMirror else {
        throw TagError(
          .mirroredText,
          "the dump holds text that a mirror showed on tag \(dumped.uid.hexadecimal) from page "
            + "\(mirror.page) on; restored, it would be stored text on \(tag.uid.hexadecimal)",
          hint: "restore the mirror too (--configuration), or keep the text (--freeze-mirror)",
          page: mirror.page, uid: tag.uid)
      }
      notes.append(.mirrorFrozen(mirror))
    }
    guard let final else { return }
    throw TagError(
      .mirroredText,
      "\(tag.name) \(tag.uid.hexadecimal) shows its UID or counter over page \(final.page) and "
        + "would hide what is restored",
      hint: dumped.mirror == nil
        ? "restore the dump's settings too (--configuration)"
        : "switch the tag's mirror off with the tool that set it",
      page: final.page, uid: tag.uid)
  }

  /// Page 3 as it shall be: the tag's own, or on a tag without one that of the product, when the dump
  /// is one of NDEF.
  private var finalContainer: [UInt8] {
    let held = tag.memory[3] ?? []
    guard tag.capabilityContainer?.isNDEF != true, dumped.capabilityContainer?.isNDEF == true
    else { return held }
    return zip(held, layout.capabilityContainer).map { $0 | $1 }
  }

  /// The tag with what the dump held.
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
      throw tag.mismatch("the dump ends before its data area does")
    }
    if case .message(let bytes) = dumped.content, dumped.mirror == nil || options.freezesMirror,
      result.content != dumped.content
    {
      throw TagError(
        .tagTooSmall,
        "the dump's message of \(bytes.count) bytes does not lie in the memory that "
          + "\(tag.name) \(tag.uid.hexadecimal) has for messages",
        hint: "write the URL with tag write, or use another tag", uid: tag.uid)
    }
    return result
  }

  private mutating func noteWhatIsLeft(_ container: [UInt8]) {
    if dumped.memory[3] != container { notes.append(.containerLeft) }
    let isUnlocked = [2, layout.dynamicLockPage].compactMap(\.self).contains { page in
      guard let held = tag.memory[page], let wanted = dumped.memory[page] else { return false }
      // Of page 2 the lock bits are the last two bytes, of the dynamic lock page the first three.
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
