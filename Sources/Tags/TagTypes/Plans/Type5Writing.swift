import CliptagBasics
public import NDEF

extension Type5Tag {
  /// Plans to write a message, reading the affected blocks if they have not been read.
  ///
  /// The order is that of a Type 2 tag: the message is withdrawn, differing blocks are written, and
  /// the length's first byte is written last. Only blocks that differ are written. A tag without
  /// capability container gets one; a container that denies reading, or has MBREAD set and is
  /// writable, is mended.
  ///
  /// - Parameters:
  ///   - message: The message.
  ///   - channel: The tag.
  ///   - overwritingForeignData: Pass `true` to format a tag without capability container whose
  ///     memory is not blank.
  /// - Returns: The plan; ``WritePlan/isAlreadyCorrect`` if there is nothing to do.
  /// - Throws: ``TagError``: `not-ndef`, `tag-too-small`, `tag-locked`, `tag-password` (with the
  ///   block), `tag-lost`, `tag-changed`, `reader-failed`, `cancelled`. Nothing has been written.
  public func planWrite(
    _ message: NDEFMessage, over channel: some TagChannel, overwritingForeignData: Bool = false
  ) async throws(TagError) -> WritePlan {
    try await plan(
      message.bytes, over: channel, overwritingForeignData: overwritingForeignData)
  }

  /// Plans to set the message's length to 0; foreign TLV blocks are preserved.
  ///
  /// - Throws: ``TagError`` as ``planWrite(_:over:overwritingForeignData:)``.
  public func planErase(over channel: some TagChannel) async throws(TagError) -> WritePlan {
    switch content {
    case .unformatted, .noMessage, .empty:
      return WritePlan(self, message: [], steps: [], blocks: [:], readBackCount: 0)
    case .notNDEF, .otherData, .message, .torn, .unreadable:
      return try await plan([], over: channel, overwritingForeignData: false)
    }
  }

  private func plan(
    _ message: [UInt8], over channel: some TagChannel, overwritingForeignData: Bool
  ) async throws(TagError) -> WritePlan {
    try checkContent(overwritingForeignData: overwritingForeignData)
    if message.count > capacity, overwritingForeignData, let start = map.startOfOtherData {
      var tag = self
      tag.map.start = start
      tag.map.startOfOtherData = nil
      return try await tag.plan(message, over: channel, overwritingForeignData: true)
    }
    // A present message that fills the area to the last byte needs no room for a terminator.
    guard message.count <= capacity || map.content == .message(message),
      let image = TLVImage(map, message)
    else {
      throw TagError(
        .tagTooSmall,
        "the message has \(message.count) bytes, and \(name) \(uid.hexadecimal) holds \(capacity)",
        hint: "use a shorter URL or a larger tag", uid: uid)
    }
    var tag = self
    let blocks = block(ofPage: 0)...block(ofPage: image.pages.upperBound)
    let pages = self.pages(of: 0).lowerBound..<self.pages(of: blocks.upperBound).upperBound
    do throws(TagChannelError) {
      tag = try await tag.loading(pages: pages.lowerBound...pages.upperBound - 1, over: channel)
      tag = try await tag.loadingConfiguration(over: channel)
    } catch {
      throw TagError(error, uid: uid)
    }
    if let page = pages.first(where: { tag.memory[$0] == nil }) {
      throw tag.unreadable(block(ofPage: page))
    }
    if case .unformatted(holdsData: false) = map.content, !overwritingForeignData,
      image.pages.contains(where: { page in
        // The pages that were checked for blankness may be part of the message that formatting
        // begins with.
        page > image.lengthPage && tag.memory[page]?.contains { $0 != 0 } == true
      })
    {
      throw holdsOtherData
    }
    let steps = tag.steps(to: image)
    if !steps.isEmpty { try tag.checkWriteAccess() }
    for step in steps { try tag.checkProtection(of: step.place.number) }
    var finished: [Int: [UInt8]] = [:]
    for block in blocks { finished[block] = tag.bytes(of: block) }
    for step in steps { finished[step.place.number] = step.after }
    let perRead = max(1, channel.maximumAnswerByteCount / blockByteCount)
    return WritePlan(
      tag, message: message, steps: steps, blocks: finished,
      readBackCount: tag.readsSeveralBlocks ? (blocks.count + perRead - 1) / perRead : blocks.count)
  }

  /// The steps from the present to the planned content of the tag.
  private func steps(to image: TLVImage) -> [WritePlan.Step] {
    var steps: [WritePlan.Step] = []
    var after = memory
    // A block may contain more than one piece of four bytes.
    func write(_ pages: [Int: [UInt8]], _ purpose: WritePlan.Step.Purpose) {
      for (block, parts) in Dictionary(grouping: pages.keys, by: block(ofPage:)).sorted(by: {
        $0.key < $1.key
      }) {
        let held = after
        let before = self.pages(of: block).flatMap { held[$0] ?? [0, 0, 0, 0] }
        for page in parts { after.store(pages[page] ?? [], from: page) }
        let result = after
        let bytes = self.pages(of: block).flatMap { result[$0] ?? [0, 0, 0, 0] }
        guard before != bytes else { continue }
        steps.append(WritePlan.Step(purpose, at: .block(block), before: before, after: bytes))
      }
    }
    func only(_ page: Int, of pages: [Int: [UInt8]]) -> [Int: [UInt8]] {
      pages.filter { $0.key == page }
    }

    func writeContainer(_ bytes: [UInt8]?) {
      guard let bytes else { return }
      let words = stride(from: 0, to: bytes.count, by: 4).map { offset in
        (offset / 4, Array(bytes[offset..<offset + 4]))
      }
      // The mark in block 0 comes last: before it, a size that was written by half is none.
      for (_, part) in Dictionary(grouping: words, by: { block(ofPage: $0.0) }).sorted(by: {
        $0.key > $1.key
      }) {
        write(Dictionary(uniqueKeysWithValues: part), .format)
      }
    }

    let finished = image.finished(on: memory)
    let differing = finished.filter { memory[$0.key] != $0.value }
    let isFormatted = capabilityContainer != nil
    let container = image.messageByteCount > 0 ? wantedContainer : nil
    if isFormatted, differing.isEmpty, holdsMessage(ofByteCount: image.messageByteCount) {
      writeContainer(container)
      return steps
    }
    let switched = image.switchedOff(on: memory)
    if isFormatted, case .message = map.content, Array(differing.keys) == [image.lengthPage],
      image.differOnlyInLength(memory[image.lengthPage], finished[image.lengthPage])
    {
      writeContainer(container)
      write(differing, .publish)
      return steps
    }
    if !isPrepared {
      // If the lock state of the blocks is unknown, the last one is written before a message is
      // withdrawn: with the new message if the old one does not reach it, otherwise with its
      // present content.
      if isFormatted, case .message = map.content, let page = differing.keys.max(),
        isLockUnknown(of: block(ofPage: page)), page > image.lengthPage
      {
        let last = block(ofPage: page)
        if last > messageBlocks.upperBound + 1 {
          write(differing.filter { block(ofPage: $0.key) == last }, .data)
        } else if let bytes = bytes(of: last) {
          steps.append(WritePlan.Step(.probe, at: .block(last), before: bytes, after: bytes))
        }
      }
      let withdrawn = isFormatted ? switched : image.withdrawn(on: memory)
      for page in [image.lengthPage, image.typePage] { write(only(page, of: withdrawn), .withdraw) }
    }
    writeContainer(isFormatted ? container : formatted?.bytes)
    write(only(image.lengthPage, of: switched), .data)
    // Bytes that share a block with the length are published with it, unless they are there before.
    write(differing.filter { $0.key != image.lengthPage }, .data)
    write(only(image.lengthPage, of: finished), .publish)
    return steps
  }

  /// The planned capability container, if it differs from the tag's.
  ///
  /// A container that denies reading is opened, because no reader could read the message otherwise.
  /// MBREAD is switched off only if the block is known to be writable: a mere report of users must
  /// not cost the message.
  private var wantedContainer: [UInt8]? {
    guard let held = capabilityContainer, held.mended != held.bytes else { return nil }
    if held.readAccess != 0 { return held.mended }
    let isOpen = held.writeAccess == 0 && lockedBlocks?.first == false
    let isGuarded = protection?.guardsWriting(0) == true && !isAuthenticated
    return isOpen && !isGuarded ? held.mended : nil
  }

  func holdsMessage(ofByteCount count: Int) -> Bool {
    switch map.content {
    case .message(let bytes): bytes.count == count
    case .empty: count == 0
    default: false
    }
  }

  /// A Boolean value that indicates whether there is an NDEF message TLV of length 0, so that
  /// nothing needs to be withdrawn.
  private var isPrepared: Bool {
    switch map.content {
    case .empty, .unformatted: map.hasEmptyMessageTLV
    default: false
    }
  }

  private func checkContent(overwritingForeignData: Bool) throws(TagError) {
    switch map.content {
    case .notNDEF:
      throw TagError(
        .notNDEF,
        "\(name) \(uid.hexadecimal) is not formatted for NDEF"
          + (isSizeUnasked
            ? ", and this reader cannot query its size"
            : ", and it does not report its size"),
        hint: isSizeUnasked
          ? "use an ACR1552U or another reader that passes ISO/IEC 15693 commands, or a tag "
            + "that is formatted"
          : "use a tag that is formatted", page: 0, uid: uid)
    case .unformatted(holdsData: true) where !overwritingForeignData: throw holdsOtherData
    case .unreadable: throw unreadable(nil)
    default: break
    }
  }

  private var holdsOtherData: TagError {
    TagError(
      .notNDEF, "\(name) \(uid.hexadecimal) is not formatted for NDEF and contains other data",
      hint: "use a blank tag, or request that the data be overwritten", page: 0, uid: uid)
  }

  private func checkWriteAccess() throws(TagError) {
    switch capabilityContainer?.writeAccess {
    case 3?:
      throw TagError(
        .tagLocked,
        "\(name) \(uid.hexadecimal) is read-only "
          + "(capability container \((capabilityContainer?.bytes ?? []).hexadecimal))",
        hint: isClosedOnlyByContainer
          ? "use another tag; this one is closed only by its container, which is not locked"
          : "use another tag: this is permanent", page: 0, uid: uid)
    case 1?, 2?:
      throw TagError(
        .tagPassword,
        "\(name) \(uid.hexadecimal) requires a secret for write access "
          + "(capability container \((capabilityContainer?.bytes ?? []).hexadecimal))",
        hint: "use the tool that set the secret, or another tag", page: 0, uid: uid)
    default: break
    }
  }

  /// Throws if a block must not be written, as far as that is known.
  func checkProtection(of block: Int) throws(TagError) {
    if let lockedBlocks, lockedBlocks.indices.contains(block), lockedBlocks[block] {
      throw TagError(
        .tagLocked, "block \(block) of \(name) \(uid.hexadecimal) is locked",
        hint: "use another tag: this is permanent", page: block, uid: uid)
    }
    if let protection, protection.guardsWriting(block), !isAuthenticated {
      throw TagError(
        .tagPassword, "a password protects block \(block) of \(name) \(uid.hexadecimal)",
        hint: TagError.givePassword + ", or use another tag", page: block, uid: uid)
    }
  }

  /// The error for a tag that writes and locks only with the OPTION flag, over a reader that does
  /// not carry it.
  func needsCarriedOption(_ state: String) -> TagError {
    TagError(
      .readerUnsupported,
      "\(name) \(uid.hexadecimal) writes and locks blocks only with the OPTION flag of ISO/IEC "
        + "15693, which this reader does not carry; \(state)",
      hint: "use an ACR1552U or another reader that passes commands of ISO/IEC 15693 on", uid: uid)
  }

  /// Returns `true` if the lock state of a block is unknown.
  private func isLockUnknown(of block: Int) -> Bool {
    lockedBlocks?.indices.contains(block) != true
  }

  private func unreadable(_ block: Int?) -> TagError {
    TagError(
      .tagPassword,
      "\(block.map { "block \($0)" } ?? "the memory") of \(name) \(uid.hexadecimal) cannot be read",
      hint: (takesPassword ? TagError.givePassword : "read it with the tool that set its password")
        + ", or use another tag", page: block, uid: uid)
  }
}

extension WritePlan {
  /// Writes the blocks of a Type 5 tag and reads them back; see ``execute(over:)``.
  func execute(
    on tag: Type5Tag, over channel: some TagChannel
  ) async throws(TagError) -> WriteReport {
    var commands = tag.commands(over: channel)
    for (index, step) in steps.enumerated() {
      let block = step.place.number
      let isWritten: Bool
      var found: [UInt8]?
      do throws(TagChannelError) {
        isWritten = try await commands.write(step.after, to: block)
        // It may be stored although the acknowledgement was lost.
        if !isWritten { found = try await commands.read(block) }
      } catch {
        throw stopped(error, afterWriting: index, isNextUnknown: commands.exchanges > 0)
      }
      if !isWritten, step.purpose == .probe || found != step.after {
        if commands.lacksOption {
          throw tag.needsCarriedOption(state(afterRefusalOf: index, finding: found))
        }
        throw await refused(block, found, at: index, on: tag, over: channel)
      }
    }
    var result = try await readBack(tag, &commands)
    result.needsOption = commands.needsOption
    return WriteReport(
      tag: .type5(result), byteCount: message.count, pagesWritten: changedPages.count,
      wasAlreadyCorrect: false, exchanges: commands.exchanges)
  }

  /// Reads the tag after a new power-up, and compares it.
  private func readBack<Channel: TagChannel>(
    _ tag: Type5Tag, _ commands: inout Type5Commands<Channel>
  ) async throws(TagError) -> Type5Tag {
    let blocks = pages.keys.sorted()
    var different: (block: Int, found: [UInt8]?)?
    do throws(TagChannelError) {
      try await commands.restart()
      let last = blocks.last ?? 0
      let bytes = try await commands.read(0...last)
      for block in blocks {
        let start = block * tag.blockByteCount
        let found =
          bytes.count >= start + tag.blockByteCount
          ? Array(bytes[start..<start + tag.blockByteCount]) : nil
        guard found != pages[block] else { continue }
        // One response may have been garbled, so the block is read again.
        let again = try await commands.read(block)
        guard again == pages[block] else {
          different = (block, again)
          break
        }
      }
    } catch {
      throw stopped(error, afterWriting: steps.count)
    }
    if let (block, found) = different {
      let reads = found.map { "reads \($0.hexadecimal)" } ?? "cannot be read"
      throw TagError(
        .verifyFailed,
        "block \(block) of \(tag.name) \(tag.uid.hexadecimal) \(reads) after "
          + "\((pages[block] ?? []).hexadecimal) was written",
        hint: "run the command again; if the block differs again, discard the tag",
        page: block, uid: tag.uid)
    }
    return tag.holding(message, pages)
  }

  /// The error for a block that was refused three times, according to the present locks and
  /// password.
  private func refused(
    _ block: Int, _ found: [UInt8]?, at index: Int, on tag: Type5Tag, over channel: some TagChannel
  ) async -> TagError {
    var fresh = tag
    fresh.hasReadConfiguration = false
    do throws(TagChannelError) {
      fresh = try await fresh.loadingConfiguration(over: channel)
    } catch {
      return stopped(error, afterWriting: index, isNextUnknown: found != steps[index].before)
    }
    let state = state(afterRefusalOf: index, finding: found)
    do throws(TagError) {
      try fresh.checkProtection(of: block)
    } catch {
      return error.adding(state)
    }
    let reason =
      fresh.lockedBlocks == nil ? "; its lock state is not readable with this reader" : ""
    return TagError(
      .writeRefused,
      "\(tag.name) \(tag.uid.hexadecimal) refused to write block \(block); \(state)\(reason)",
      hint: "run the command again; if the block is refused again, discard the tag",
      page: block, uid: tag.uid)
  }
}

extension Type5Tag {
  /// The tag as read back.
  fileprivate func holding(_ message: [UInt8], _ blocks: [Int: [UInt8]]) -> Type5Tag {
    var tag = self
    for (block, bytes) in blocks { tag.memory.store(bytes, from: pages(of: block).lowerBound) }
    return tag.rescanned(message)
  }
}
