import CliptagBasics
public import NDEF

extension Type4Tag {
  /// Plans to write a message, reading the replaced bytes if they have not been read.
  ///
  /// Only bytes that differ are written. If one command can carry them and replaces only zeros, as
  /// on a new tag, it is the only step: if the field is lost during its execution, zeros follow the
  /// part that arrived, which the next run recognises. Otherwise the length becomes 0 first,
  /// together with as much of the message as fits, and is written last, so that two messages are
  /// never mixed.
  ///
  /// - Returns: The plan; ``WritePlan/isAlreadyCorrect`` if there is nothing to do.
  /// - Throws: ``TagError``: `not-ndef`, `tag-too-small`, `tag-locked`, `tag-password`,
  ///   `tag-unsupported` (mapping version 1.0), `mirrored-text` (the tag mirrors its UID, counter
  ///   or code over a part of the message that is not zeros), `tag-lost`, `tag-changed`,
  ///   `reader-failed`, `cancelled`. Nothing has been written.
  public func planWrite(
    _ message: NDEFMessage, over channel: some TagChannel
  ) async throws(TagError) -> WritePlan {
    try await plan(message.bytes, over: channel)
  }

  /// Plans to set the message's length to 0.
  ///
  /// - Throws: ``TagError`` as ``planWrite(_:over:)``.
  public func planErase(over channel: some TagChannel) async throws(TagError) -> WritePlan {
    if case .notNDEF = content { throw notNDEF }
    return try await plan([], over: channel)
  }

  private func plan(
    _ message: [UInt8], over channel: some TagChannel
  ) async throws(TagError) -> WritePlan {
    guard let container = capabilityContainer, content != .notNDEF else { throw notNDEF }
    if case .unreadable = content { throw guarded("reading it needs a key: \(problem)") }
    if !message.isEmpty { try Tag.type4(self).checkPhonesMayRead(before: "written") }
    guard message.count <= container.capacity else {
      throw TagError(
        .tagTooSmall,
        "the message has \(message.count) bytes, and \(name) \(uid.hexadecimal) holds "
          + "\(container.capacity)",
        hint: "use a shorter URL or a larger tag", uid: uid)
    }
    let wanted = container.length(of: message.count) + message
    var tag = self
    do throws(TagChannelError) {
      tag = try await tag.loading(upTo: wanted.count, over: channel)
      // A tag that shows exactly these bytes needs no more: no mirror affects them.
      if !tag.file.starts(with: wanted) { tag = try await tag.loadingSettings(over: channel) }
    } catch {
      throw TagError(error, uid: uid)
    }
    guard tag.file.count >= wanted.count else {
      throw TagError(
        .notNDEF,
        "\(name) \(uid.hexadecimal): its NDEF file ends at offset \(tag.file.count), and its "
          + "capability container states \(container.fileByteCount)",
        hint: "use another tag", uid: uid)
    }
    let piece = Type4Limits.pieceByteCount(container.maximumWriteByteCount, over: channel)
    if !message.isEmpty { try tag.checkPlaceholders(in: wanted) }
    let steps = tag.steps(to: wanted, container, inPiecesOf: piece)
    if steps.isEmpty { tag.content = message.isEmpty ? .empty : .message(message) }
    if !steps.isEmpty { try tag.checkWriteAccess(container) }
    let readPiece = Type4Limits.pieceByteCount(container.maximumReadByteCount, over: channel)
    return WritePlan(
      tag, message: message, steps: steps,
      readBackCount: (wanted.count + readPiece - 1) / readPiece)
  }

  /// The steps from the present to the planned content of the file.
  ///
  /// One command is sufficient if it carries everything and replaces only zeros, or one byte.
  /// Otherwise the length becomes 0, in the command with the first bytes that differ, and is
  /// written last.
  private func steps(
    to wanted: [UInt8], _ container: Type4CapabilityContainer, inPiecesOf pieceByteCount: Int
  ) -> [WritePlan.Step] {
    if unmirrored(file, as: wanted).starts(with: wanted) { return [] }
    // Bytes under a mirror are invisible: they are written whenever anything is.
    let file = unmirrored(file, as: wanted.map { ~$0 })
    guard let changed = differing(0..<wanted.count, wanted, file) else { return [] }
    let length = 0..<container.lengthByteCount
    let replacesNothing = file[changed].allSatisfy { $0 == 0 }
    if changed.count == 1 || changed.upperBound <= length.upperBound
      || (replacesNothing && changed.count <= pieceByteCount
        && changed.lowerBound <= Type4Limits.largestShortOffset)
    {
      return [step(.publish, changed, from: file, to: wanted)]
    }
    let none = [UInt8](repeating: 0, count: length.count)
    let unpublished = none + wanted.dropFirst(length.count)
    var steps: [WritePlan.Step] = []
    var rest = length.upperBound..<wanted.count
    if Array(file[length]) != none {
      let first = 0..<min(pieceByteCount, wanted.count)
      // Nothing is sent after the last byte that differs within the piece.
      let end = differing(first, unpublished, file)?.upperBound ?? length.upperBound
      steps.append(
        step(.withdraw, 0..<max(end, length.upperBound), from: file, to: unpublished))
      rest = first.upperBound..<wanted.count
    }
    while let changed = differing(rest, unpublished, file) {
      let isFar = changed.lowerBound > Type4Limits.largestShortOffset
      let room = isFar ? Type4Limits.offsetOverhead : 0
      let end = min(changed.upperBound, changed.lowerBound + max(1, pieceByteCount - room))
      let piece = differing(changed.lowerBound..<end, unpublished, file) ?? changed
      steps.append(step(.data, piece, from: file, to: unpublished))
      rest = end..<rest.upperBound
    }
    steps.append(step(.publish, length, from: unpublished, to: wanted))
    return steps
  }

  private func step(
    _ purpose: WritePlan.Step.Purpose, _ range: Range<Int>, from before: [UInt8],
    to after: [UInt8]
  ) -> WritePlan.Step {
    WritePlan.Step(
      purpose, at: .offset(range.lowerBound), before: Array(before[range]),
      after: Array(after[range]))
  }

  /// The range from the first to the last byte in which two files differ.
  private func differing(_ range: Range<Int>, _ wanted: [UInt8], _ held: [UInt8]) -> Range<Int>? {
    guard let first = range.first(where: { wanted[$0] != held[$0] }),
      let last = range.last(where: { wanted[$0] != held[$0] })
    else { return nil }
    return first..<last + 1
  }

  private func checkWriteAccess(_ container: Type4CapabilityContainer) throws(TagError) {
    guard !usesFirstMapping else {
      throw TagError(
        .tagUnsupported,
        "\(name) \(uid.hexadecimal) has mapping version 1.0, which cliptag only reads",
        hint: "use another tag", uid: uid)
    }
    if let settings, settings.isWriteDenied {
      throw TagError(
        .tagLocked, "\(name) \(uid.hexadecimal) does not permit writing its NDEF file",
        hint: "use another tag, or change the file's settings with the tool that set them",
        uid: uid)
    }
    if let settings, !settings.isWriteFree { throw guarded("writing its NDEF file needs a key") }
    switch container.writeAccess {
    case 0xFF:
      throw TagError(
        .tagLocked, "\(name) \(uid.hexadecimal) is read-only (write access FF)",
        hint: "use another tag, or unlock it with the tool that locked it", uid: uid)
    case 0x80...0xFE:
      let access = [container.writeAccess].hexadecimal
      throw guarded("writing it needs a key (write access \(access))")
    default: break
    }
  }

  private var notNDEF: TagError {
    TagError(
      .notNDEF, "\(name) \(uid.hexadecimal) is not an NDEF tag: \(problem)",
      hint: "use another tag, or one with an NDEF application", uid: uid)
  }

  /// The error for an operation that a key forbids.
  func guarded(_ reason: String) -> TagError {
    TagError(
      .tagPassword, "a key protects \(name) \(uid.hexadecimal): \(reason)",
      hint: "open the file with the tool that set the key, or use another tag", uid: uid)
  }
}

extension Type4CapabilityContainer {
  /// The length field of a message of `count` bytes.
  package func length(of count: Int) -> [UInt8] {
    (0..<lengthByteCount).reversed().map { UInt8(count >> (8 * $0) & 0xFF) }
  }
}

extension WritePlan {
  /// Writes the pieces of a Type 4 tag's file and reads them back; see ``execute(over:)``.
  func execute(
    on tag: Type4Tag, over channel: some TagChannel
  ) async throws(TagError) -> WriteReport {
    guard let container = tag.capabilityContainer else { throw tag.guarded(tag.problem) }
    var commands = Type4Commands(channel, usesFirstMapping: tag.usesFirstMapping)
    for (index, step) in steps.enumerated() {
      guard let offset = step.offset else { continue }
      let answer: Type4Answer?
      var found: [UInt8]?
      let updatesBefore = commands.updates
      do throws(TagChannelError) {
        answer = try await commands.update(step.after, at: offset, of: container.fileID)
        // It may be stored although the acknowledgement was lost.
        if answer?.status != .done {
          found = try await held(by: tag, container, at: index, &commands)
        }
      } catch {
        throw stopped(error, afterWriting: index, isNextUnknown: commands.updates > updatesBefore)
      }
      guard answer?.status == .done || found == step.after else {
        throw refused(offset, answer?.status, finding: found, at: index, on: tag)
      }
    }
    let result = try await readBack(tag, container, &commands)
    return WriteReport(
      tag: .type4(result), byteCount: message.count, pagesWritten: steps.count,
      wasAlreadyCorrect: false, exchanges: commands.exchanges)
  }

  /// The content of the file at the place of a step. Bytes under a mirror count as the step's, or
  /// as the old ones, whichever matches all other bytes.
  ///
  /// - Returns: `nil` if the file is not readable that far.
  private func held<Channel: TagChannel>(
    by tag: Type4Tag, _ container: Type4CapabilityContainer, at index: Int,
    _ commands: inout Type4Commands<Channel>
  ) async throws(TagChannelError) -> [UInt8]? {
    let step = steps[index]
    let range = step.place.number..<step.place.number + step.after.count
    let read = try await commands.read(0..<range.upperBound, of: container).bytes
    guard read.count == range.upperBound else { return nil }
    for bytes in [step.after, step.before] where bytes.count == range.count {
      var expected = read
      expected.replaceSubrange(range, with: bytes)
      if Array(tag.unmirrored(read, as: expected)[range]) == bytes { return bytes }
    }
    return Array(read[range])
  }

  /// Reads the message after a new power-up, and compares it.
  private func readBack<Channel: TagChannel>(
    _ tag: Type4Tag, _ container: Type4CapabilityContainer,
    _ commands: inout Type4Commands<Channel>
  ) async throws(TagError) -> Type4Tag {
    let wanted = container.length(of: message.count) + message
    var read = Type4FileBytes()
    do throws(TagChannelError) {
      try await commands.restart()
      read = try await commands.read(0..<wanted.count, of: container)
      read.bytes = tag.unmirrored(read.bytes, as: wanted)
      if read.bytes != wanted {
        // One response may have been garbled, so the message is read again.
        read = try await commands.read(0..<wanted.count, of: container)
        read.bytes = tag.unmirrored(read.bytes, as: wanted)
      }
    } catch {
      throw stopped(error, afterWriting: steps.count)
    }
    guard read.bytes == wanted else { throw different(read, from: wanted, on: tag) }
    var result = tag
    result.file = read.bytes
    result.content = message.isEmpty ? .empty : .message(message)
    result.exchanges += commands.exchanges
    return result
  }

  private func different(
    _ read: Type4FileBytes, from wanted: [UInt8], on tag: Type4Tag
  ) -> TagError {
    let equal = zip(read.bytes, wanted).prefix { $0 == $1 }.count
    let found =
      equal < read.bytes.count
      ? "reads \(read.bytes[equal...].prefix(4).hexadecimal) after "
        + "\(wanted[equal...].prefix(4).hexadecimal) was written"
      : "cannot be read\(read.reason)"
    return TagError(
      .verifyFailed,
      "the NDEF file of \(tag.name) \(tag.uid.hexadecimal) \(found) at offset \(equal)",
      hint: "run the command again; if the file differs again, discard the tag",
      offset: equal, uid: tag.uid)
  }

  /// The error for a piece that was not accepted.
  private func refused(
    _ offset: Int, _ status: Type4Status?, finding found: [UInt8]?, at index: Int, on tag: Type4Tag
  ) -> TagError {
    let state = state(afterRefusalOf: index, finding: found)
    if status == .securityNotSatisfied {
      return tag.guarded("it refused to write its NDEF file (\(Type4Status.securityNotSatisfied))")
        .adding(state)
    }
    let reason = status.map { " (\($0))" } ?? ", without a reason"
    return TagError(
      .writeRefused,
      "\(tag.name) \(tag.uid.hexadecimal) refused to write its NDEF file at offset "
        + "\(offset)\(reason); \(state)",
      hint: "run the command again; if the file is refused again, discard the tag",
      offset: offset, uid: tag.uid)
  }
}

extension Type4Tag {
  /// The length of the longest message that ``messageUnderTornLength(over:)`` finds, in bytes;
  /// longer than any URL that is issued.
  private static let longestTornMessage = 4096

  /// The whole message of a tag that left while its length field was set to 0.
  ///
  /// The field of a message of 256 bytes or more has several bytes that are not 0. If it is
  /// interrupted between them, it states fewer bytes than the message has, which is complete. No
  /// phone reads it, and its writer must recognise it.
  ///
  /// - Returns: `nil` if no greater length makes an NDEF message of the file's content.
  /// - Throws: ``TagError``: `tag-lost`, `tag-changed`, `reader-failed`, `cancelled`.
  package func messageUnderTornLength(
    over channel: some TagChannel
  ) async throws(TagError) -> [UInt8]? {
    guard let container = capabilityContainer, case .message(let cut) = content,
      cut.count < 0x100
    else { return nil }
    let start = container.lengthByteCount
    let longest = min(container.capacity, Self.longestTornMessage)
    guard longest > 0xFF else { return nil }
    let tag: Type4Tag
    do throws(TagChannelError) {
      tag = try await loading(upTo: start + longest, over: channel)
    } catch {
      throw TagError(error, uid: uid)
    }
    for count in stride(from: 0x100 + cut.count, through: longest, by: 0x100)
    where start + count <= tag.file.count {
      let message = Array(tag.file[start..<start + count])
      if (try? NDEFMessage(decoding: message)) != nil { return message }
    }
    return nil
  }
}
