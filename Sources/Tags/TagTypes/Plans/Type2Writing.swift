import CliptagBasics

extension Type2Tag {
  /// Reads the pages on which a plan depends, then makes the plan and checks that the tag permits
  /// it.
  func plan(
    _ message: [UInt8], showing request: MirrorRequest = .unchanged,
    over channel: some TagChannel, overwritingForeignData: Bool
  ) async throws(TagError) -> WritePlan {
    try checkReach()
    try checkContent(overwritingForeignData: overwritingForeignData)
    // The container is programmed once: it cannot be opened again.
    if !message.isEmpty { try Tag.type2(self).checkPhonesMayRead(before: "written") }
    if message.count > capacity, overwritingForeignData, let start = map.startOfOtherData {
      var tag = self
      tag.map.start = start
      tag.map.startOfOtherData = nil
      return try await tag.plan(message, over: channel, overwritingForeignData: true)
    }
    guard message.count <= capacity, let image = TLVImage(map, message) else {
      throw TagError(
        .tagTooSmall,
        "the message has \(message.count) bytes, and \(name) \(uid.hexadecimal) holds "
          + "\(capacity)",
        hint: "use a shorter URL or a larger tag", uid: uid)
    }
    var tag = self
    do throws(TagChannelError) {
      tag = try await tag.loading(image.pages, over: channel)
      tag = try await tag.loadingConfiguration(over: channel)
    } catch {
      throw TagError(error, uid: uid)
    }
    if let page = image.pages.first(where: { tag.memory.isUnreadable($0) }) {
      throw TagError(unreadable: page, of: tag)
    }
    try tag.checkReach()
    let configuration = try tag.configuration(
      for: request, over: image, messageByteCount: message.count)
    let steps = tag.steps(to: image, configuration)
    if !steps.isEmpty { try tag.checkWriteAccess() }
    for page in steps.compactMap(\.page) { try tag.checkProtection(of: page) }
    if let page = tag.layout.configurationPage, steps.contains(where: { $0.page == page }) {
      tag = try await tag.confirmingConfiguration(over: channel)
    }
    return WritePlan(
      tag, message: message, steps: steps, pages: image.finished(on: tag.memory),
      configuration: configuration,
      pagesPerRead: tag.mayFastRead ? Type2Commands(channel).pagesPerFastRead : 4)
  }

  /// The steps from the present to the planned content of the tag.
  ///
  /// The message is withdrawn first (unless it is empty already), then every page that differs is
  /// written, then the configuration if it must change, and the page with the length last.
  ///
  /// Before a message is withdrawn, every page that will change and whose lock state is unknown is
  /// written: after the old message with the bytes of the new one, elsewhere with its present
  /// content. A tag that refuses such a write keeps its message.
  ///
  /// A torn page may hold the first bytes of the write and the last of its old content. The
  /// publishing step therefore changes only the length's first byte: the other bytes of that page
  /// are written before.
  private func steps(
    to image: TLVImage, _ configuration: Type2Configuration?
  ) -> [WritePlan.Step] {
    var steps: [WritePlan.Step] = []
    var after = memory
    func write(
      _ bytes: [UInt8]?, to page: Int, _ purpose: WritePlan.Step.Purpose, unseen: Bool = false
    ) {
      guard let bytes, let before = after[page], before != bytes || unseen else { return }
      steps.append(
        WritePlan.Step(purpose, at: .page(page), before: before, after: bytes))
      after.store(bytes, from: page)
    }

    let finished = image.finished(on: memory)
    let isFormatted = capabilityContainer?.isNDEF == true
    let configuring = self.steps(to: configuration)
    let differing = differing(from: finished, configuration)
    if isFormatted && configuring.isEmpty && differing.isEmpty,
      holdsMessage(ofByteCount: image.messageByteCount)
    {
      return []
    }
    let switched = image.switchedOff(on: memory)
    if isFormatted && configuring.isEmpty && isMessage && differing == [image.lengthPage]
      && image.differOnlyInLength(memory[image.lengthPage], finished[image.lengthPage])
    {
      write(finished[image.lengthPage], to: image.lengthPage, .publish)
      return steps
    }

    if !isPrepared {
      for page in Set(differing + [image.lengthPage]).sorted().reversed()
      where isFormatted && isLockUnknown(of: page) {
        if page != image.lengthPage, isBehindMessage(page) {
          write(finished[page], to: page, .data)
        } else if let bytes = after[page] {
          steps.append(WritePlan.Step(.probe, at: .page(page), before: bytes, after: bytes))
        }
      }
      // An unformatted tag gets the empty message of every formatter, because a tag left in that
      // state must be distinguishable from one with other data.
      let withdrawn = isFormatted ? switched : image.withdrawn(on: memory)
      // The length before the type, which makes the length effective.
      for page in [image.lengthPage, image.typePage] {
        write(withdrawn[page], to: page, .withdraw)
      }
    }
    if !isFormatted, let container = capabilityContainer {
      write(zip(container.bytes, layout.capabilityContainer).map { $0 | $1 }, to: 3, .format)
    }
    write(switched[image.lengthPage], to: image.lengthPage, .data)
    for page in differing where page != image.lengthPage {
      write(finished[page], to: page, .data, unseen: isMirrored(page))
    }
    steps += configuring
    write(finished[image.lengthPage], to: image.lengthPage, .publish)
    return steps
  }

  /// The pages to write, in order.
  ///
  /// Bytes under a mirror are invisible. They do not matter if the mirror stays and shows the right
  /// text; they are written if the mirror is removed, and if other pages are written without a
  /// request for the mirror.
  private func differing(
    from finished: [Int: [UInt8]], _ wanted: Type2Configuration?
  ) -> [Int] {
    let pages = finished.keys.sorted()
    let visible = pages.filter { page in finished[page].map { !shows($0, on: page) } ?? false }
    let plain = pages.filter { memory[$0] != finished[$0] }
    guard let wanted else { return visible.isEmpty ? [] : plain }
    if let mirror, wanted.mirror == mirror, fillsIn(mirror) { return visible }
    return Set(plain + pages.filter(isMirrored)).sorted()
  }

  private func isMirrored(_ page: Int) -> Bool {
    mirrored.overlaps(page * TagMemory.pageByteCount..<(page + 1) * TagMemory.pageByteCount)
  }

  /// Returns `true` if a reader finds a message of this length; one of no bytes is an empty one. A
  /// mirror over the TLV block's type or length hides the memory.
  func holdsMessage(ofByteCount count: Int) -> Bool {
    switch content {
    case .message(let bytes): bytes.count == count
    case .empty: count == 0
    default: false
    }
  }

  /// Returns `true` if a page lies after the message and its terminator, where no reader looks.
  private func isBehindMessage(_ page: Int) -> Bool {
    guard case .message(let bytes) = content, map.trailing.isEmpty, map.area.count > 0 else {
      return false
    }
    // For either form of the length.
    return page > map.area.page(of: min(map.start + 4 + bytes.count, map.area.count - 1))
  }

  private var isMessage: Bool {
    if case .message = content { true } else { false }
  }

  /// A Boolean value that indicates whether there is an NDEF message TLV of length 0, so that
  /// nothing needs to be withdrawn.
  private var isPrepared: Bool {
    switch content {
    case .empty, .unformatted: map.hasEmptyMessageTLV
    default: false
    }
  }
}

extension Type2Tag {
  func checkContent(overwritingForeignData: Bool) throws(TagError) {
    switch content {
    case .notNDEF:
      throw TagError(
        .notNDEF,
        "\(name) \(uid.hexadecimal) is not formatted for NDEF, and its page 3 "
          + "(\((memory[3] ?? []).hexadecimal)) does not permit formatting",
        hint: layout.isKnownProduct
          ? "use a new tag" : "format it with a tool that supports this product, or use an NTAG",
        page: 3, uid: uid)
    case .unformatted(holdsData: true) where !overwritingForeignData:
      throw TagError(
        .notNDEF, "\(name) \(uid.hexadecimal) is not formatted for NDEF and contains other data",
        hint: "use a blank tag, or request that the data be overwritten", page: 3, uid: uid)
    case .unreadable(let page):
      throw TagError(unreadable: page, of: self)
    default: break
    }
  }

  func checkWriteAccess() throws(TagError) {
    guard let container = capabilityContainer, container.isNDEF else { return }
    switch container.writeAccess {
    case 0: break
    case 0x8...0xE:
      throw TagError(
        .tagPassword,
        "\(name) \(uid.hexadecimal) requires a secret for write access "
          + "(capability container \(container.bytes.hexadecimal))",
        hint: "use the tool that set the secret, or another tag", page: 3, uid: uid)
    default:
      throw TagError(
        .tagLocked,
        "\(name) \(uid.hexadecimal) is read-only "
          + "(capability container \(container.bytes.hexadecimal))",
        hint: "use another tag: this is permanent", page: 3, uid: uid)
    }
  }

  /// Throws if a page must not be written.
  func checkProtection(of page: Int) throws(TagError) {
    switch protection(of: page) {
    case .open: break
    case .locked:
      throw TagError(
        .tagLocked, "page \(page) of \(name) \(uid.hexadecimal) is locked",
        hint: "use another tag: this is permanent", page: page, uid: uid)
    case .password:
      throw TagError(
        .tagPassword, "a password protects page \(page) of \(name) \(uid.hexadecimal)",
        hint: TagError.givePassword + ", or use another tag",
        page: page, uid: uid)
    }
  }
}

extension TagError {
  /// Makes the error for a tag that the reader reaches only in part.
  init(unreachedOn tag: Type2Tag) {
    let page = tag.firstUnreachedPage ?? 0
    self.init(
      .readerUnsupported,
      "this reader does not reach page \(page) of \(tag.name) \(tag.uid.hexadecimal) and those after "
        + "it; nothing was written",
      hint: "use an ACR1252U, an ACR1552U, an ACR122U or another reader with a PN53x", page: page,
      uid: tag.uid)
  }

  /// Makes the error for a required page that is unreadable: the reader does not reach it, or a
  /// password protects it.
  init(unreadable page: Int?, of tag: Type2Tag) {
    if tag.isUnreached(page) {
      self.init(unreachedOn: tag)
      return
    }
    let place = page.map { "page \($0)" } ?? "a page"
    self.init(
      .tagPassword, "\(place) of \(tag.name) \(tag.uid.hexadecimal) cannot be read",
      hint: TagError.givePassword + ", or use another tag",
      page: page, uid: tag.uid)
  }
}

extension WritePlan {
  /// Writes the pages of a Type 2 tag and reads them back; see ``execute(over:)``.
  func execute(
    on tag: Type2Tag, over channel: some TagChannel
  ) async throws(TagError) -> WriteReport {
    var commands = Type2Commands(channel)
    for (index, step) in steps.enumerated() {
      guard let page = step.page else { continue }
      let isWritten: Bool
      var found: [UInt8]?
      do throws(TagChannelError) {
        isWritten = try await commands.write(step.after, to: page)
        // It may be stored although the acknowledgement was lost.
        if !isWritten { found = try await commands.read(page, of: tag) }
      } catch {
        throw stopped(error, afterWriting: index, isNextUnknown: commands.exchanges > 0)
      }
      let isStored = isWritten || step.purpose != .probe && found == step.after
      if !isStored { throw await refused(page, found, at: index, on: tag, over: channel) }
    }
    let result = try await readBack(tag, &commands)
    return WriteReport(
      tag: .type2(result), byteCount: message.count, pagesWritten: changedPages.count,
      wasAlreadyCorrect: false,
      exchanges: commands.exchanges + result.exchanges - tag.exchanges)
  }

  /// Reads the tag after a new power-up, and compares it.
  private func readBack<Channel: TagChannel>(
    _ tag: Type2Tag, _ commands: inout Type2Commands<Channel>
  ) async throws(TagError) -> Type2Tag {
    var result: Type2Tag
    do throws(TagChannelError) {
      try await commands.restart()
      result = try await tag.readingAgain(
        through: max(pages.keys.max() ?? 3, 3),
        keepingConfiguration: configuration == nil, over: commands.channel)
      if let page = firstDifference(from: tag, in: result) {
        // One response may have been garbled, so the page is read again.
        result.memory.forget(page)
        result = try await result.loading(page...page, over: commands.channel)
      }
    } catch {
      throw stopped(error, afterWriting: steps.count)
    }
    if let page = firstDifference(from: tag, in: result) {
      throw different(page, from: tag, in: result)
    }
    guard result.holdsMessage(ofByteCount: message.count) else {
      throw TagError(
        .verifyFailed,
        "\(tag.name) \(tag.uid.hexadecimal) contains the written data, but readers find no message of "
          + "\(message.count) bytes on it: the tag mirrors its UID or counter over the start",
        hint: "turn off the tag's mirror, or use another tag",
        page: result.configuration?.mirror?.page, uid: tag.uid)
    }
    if let mirror = configuration?.mirror, !result.fillsIn(mirror) {
      throw TagError(
        .verifyFailed,
        "\(tag.name) \(tag.uid.hexadecimal) shows \(result.text(under: mirror) ?? "nothing") "
          + "on page \(mirror.page) instead of \(mirror.kind.placeholder)",
        hint: "run the command again; if the text differs again, discard the tag",
        page: mirror.page, uid: tag.uid)
    }
    return result
  }

  /// The first page that is not as planned, including the capability container.
  private func firstDifference(from tag: Type2Tag, in result: Type2Tag) -> Int? {
    var expected = pages
    if let page = result.layout.configurationPage, let configuration {
      expected[page] = configuration.firstPage
      expected[page + 1] = configuration.secondPage
    }
    expected[3] = steps.last { $0.page == 3 }?.after ?? tag.memory[3]
    return expected.keys.sorted().first { page in
      expected[page].map { !result.shows($0, on: page) } ?? false
    }
  }

  private func different(
    _ page: Int, from tag: Type2Tag, in result: Type2Tag
  ) -> TagError {
    let written = steps.last { $0.page == page }?.after
    let expected = (written ?? pages[page] ?? tag.layout.capabilityContainer).hexadecimal
    let found = result.memory[page].map { "reads \($0.hexadecimal)" } ?? "cannot be read"
    return TagError(
      .verifyFailed,
      "page \(page) of \(tag.name) \(tag.uid.hexadecimal) \(found) after \(expected) was "
        + "written",
      hint: "run the command again; if the page differs again, discard the tag",
      page: page, uid: tag.uid)
  }

  /// The error for a page that was refused three times, according to the present lock bits and
  /// AUTH0.
  private func refused(
    _ page: Int, _ found: [UInt8]?, at index: Int, on tag: Type2Tag, over channel: some TagChannel
  ) async -> TagError {
    var fresh = tag
    fresh.memory.forget(2)
    if let pages = tag.configurationPages {
      for page in pages { fresh.memory.forget(page) }
    }
    do throws(TagChannelError) {
      fresh = try await fresh.loading(2...2, over: channel)
      fresh = try await fresh.loadingConfiguration(over: channel)
    } catch {
      return stopped(error, afterWriting: index, isNextUnknown: found != steps[index].before)
    }
    let state = state(afterRefusalOf: index, finding: found)
    do throws(TagError) {
      try fresh.checkProtection(of: page)
    } catch {
      return error.adding(state)
    }
    return TagError(
      .writeRefused,
      "\(tag.name) \(tag.uid.hexadecimal) refused to write page \(page); \(state)",
      hint: "run the command again; if the page is refused again, discard the tag",
      page: page, uid: tag.uid)
  }
}
