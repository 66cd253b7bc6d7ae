import CliptagBasics

extension Type4Tag {
  /// Plans to make the tag read-only, reading the files on which that depends. Nothing is written.
  ///
  /// The capability container's write access becomes FF (NFC Forum, Type 4 Tag 2.0, section 5.4.7),
  /// which a standard Type 4 tag then enforces. NXP's products do not: they are protected by a key,
  /// and the byte alone has no effect. An NTAG 424 DNA is locked with its keys.
  ///
  /// - Throws: ``TagError``: `tag-unsupported` for such a product and for mapping version 1.0,
  ///   `tag-password`, `tag-lost`, `tag-changed`, `reader-failed`, `cancelled`.
  func planLock(
    of message: [UInt8], over channel: some TagChannel
  ) async throws(TagError) -> LockPlan {
    let (tag, steps) = try await lockSteps(over: channel)
    let count = (capabilityContainer?.lengthByteCount ?? 2) + message.count
    let piece = Type4Limits.pieceByteCount(
      capabilityContainer?.maximumReadByteCount ?? 15, over: channel)
    return LockPlan(
      tag: .type4(tag), message: message, steps: steps, probes: [0], notes: [],
      // Application and file twice, the container, the message, and a write that is refused.
      expectedExchanges: 2 * steps.count + 5 + (count + piece - 1) / piece + 2)
  }

  func lockSteps(
    over channel: some TagChannel
  ) async throws(TagError) -> (tag: Type4Tag, steps: [LockPlan.Step]) {
    guard let container = capabilityContainer, !usesFirstMapping else {
      throw TagError(
        .tagUnsupported,
        "\(name) \(uid.hexadecimal) has no capability container to lock",
        hint: "use a Type 4 tag of version 2.0 or 3.0, or an NTAG213, NTAG215 or NTAG216", uid: uid)
    }
    if version.flatMap(Type4Product.name) != nil {
      throw TagError(
        .tagUnsupported,
        "\(name) \(uid.hexadecimal) is locked by its rights, which only its key 0 changes",
        hint: takesLockKeys
          ? "\(.lockWithKeys)"
          : "lock it with the tool that set its keys, or use an NTAG 424 DNA, NTAG213, NTAG215 or "
            + "NTAG216", uid: uid)
    }
    guard container.writeAccess != 0xFF else { return (self, []) }
    guard container.writeAccess == 0 else {
      throw guarded("writing it needs a key (write access \([container.writeAccess].hexadecimal))")
    }
    let step = LockPlan.Step(
      .closeContainer, at: .offset(container.writeAccessOffset), before: [container.writeAccess],
      after: [0xFF])
    return (self, [step])
  }
}

extension LockPlan {
  /// Makes a Type 4 tag read-only; see ``execute(over:)``.
  func execute(
    on tag: Type4Tag, over channel: some TagChannel, _ progress: inout LockProgress
  ) async throws(LockStop) -> (tag: Tag, exchanges: Int) {
    var commands = Type4Commands(channel)
    let file = Type4CapabilityContainer.fileID
    for step in steps {
      progress.begin()
      let answer: Type4Answer?
      var isStored = false
      do throws(TagChannelError) {
        answer = try await commands.update(step.sent, at: step.place.number, of: file)
        isStored = answer?.status == .done
        if !isStored {
          // It may be stored although the acknowledgement was lost.
          let found = try await commands.read(step.sent.count, at: step.place.number, of: file)
          isStored = found?.status.isData == true && found?.data == step.sent
          progress.isNextUnknown = found?.status.isData != true
        }
      } catch {
        throw .channel(error)
      }
      if !isStored, answer?.status == .securityNotSatisfied {
        throw .other(tag.guarded("it refused to change its capability container"))
      }
      guard isStored else { throw .refused(step.place) }
      progress.isNextUnknown = false
      progress.done += 1
    }
    let result = try await proven(tag, over: channel, &commands)
    return (.type4(result), commands.exchanges + result.exchanges)
  }

  /// Reads container and message after a new power-up, and tries to write the present length.
  private func proven<Channel: TagChannel>(
    _ tag: Type4Tag, over channel: Channel, _ commands: inout Type4Commands<Channel>
  ) async throws(LockStop) -> Type4Tag {
    let result: Type4Tag
    do throws(TagChannelError) {
      try await commands.restart()
    } catch {
      throw .channel(error)
    }
    do throws(TagError) {
      result = try await Type4Tag.identify(over: channel)
    } catch {
      throw error.underlying.map(LockStop.channel) ?? .other(error)
    }
    guard let container = result.capabilityContainer, container.writeAccess == 0xFF else {
      throw .differs(
        .offset(tag.capabilityContainer?.writeAccessOffset ?? 0), expected: [0xFF],
        found: (result.capabilityContainer?.writeAccess).map { [$0] })
    }
    let length = container.length(of: message.count)
    guard result.content == .message(message) else {
      throw .differs(.offset(0), expected: length + message, found: result.file)
    }
    let answer: Type4Answer?
    do throws(TagChannelError) {
      answer = try await commands.update(length, at: 0, of: container.fileID)
    } catch {
      throw .channel(error)
    }
    if answer?.status == .done { throw .tookWrite(.offset(0)) }
    return result
  }
}
