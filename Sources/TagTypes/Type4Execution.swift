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
      let updatesBefore = commands.updates
      do throws(TagChannelError) {
        answer = try await commands.update(step.after, at: offset, of: container.fileID)
      } catch {
        throw stopped(error, afterWriting: index, isNextUnknown: commands.updates > updatesBefore)
      }
      guard answer?.status == .done else {
        throw refused(offset, answer?.status, at: index, on: tag)
      }
    }
    let result = try await readBack(tag, container, &commands)
    return WriteReport(
      tag: .type4(result), byteCount: message.count, pagesWritten: steps.count,
      wasAlreadyCorrect: false, exchanges: commands.exchanges)
  }

  /// Reads the message as if the tag had just come, and compares.
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
        // Before blaming the tag: one answer may have been garbled.
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
      hint: "run the same command again; if the file differs again, discard the tag",
      offset: equal, uid: tag.uid)
  }

  /// What it means that a piece was not taken.
  private func refused(
    _ offset: Int, _ status: Type4Status?, at index: Int, on tag: Type4Tag
  ) -> TagError {
    if status == .securityNotSatisfied {
      return tag.guarded("it refused to write its NDEF file (\(Type4Status.securityNotSatisfied))")
    }
    // Without a status nobody knows whether the command was carried out.
    let state =
      status == nil
      ? "whether it was written is not known"
      : index == 0 ? "nothing was written" : "the tag reads as empty"
    let reason = status.map { " (\($0))" } ?? ", without saying why"
    return TagError(
      .writeRefused,
      "\(tag.name) \(tag.uid.hexadecimal) refused to write its NDEF file at offset "
        + "\(offset)\(reason); \(state)",
      hint: "run the same command again; if the file is refused again, discard the tag",
      offset: offset, uid: tag.uid)
  }
}
