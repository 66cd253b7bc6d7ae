import CliptagBasics
package import TagAuthenticity
package import TagTypes

/// The means to lock an NTAG 424 DNA that was made ready: its keys, and the way in which its
/// messages are verified.
package struct TagLockKeys: Sendable {
  /// The keys of each tag.
  package let keys: TagKeySet
  /// The way in which a verifier reads the messages.
  package let configuration: SecureUniqueMessageConfiguration

  /// Makes the means.
  package init(_ keys: TagKeySet, _ configuration: SecureUniqueMessageConfiguration) {
    self.keys = keys
    self.configuration = configuration
  }
}

/// The state of an NTAG 424 DNA that its lock changes, as the tag reports it to everybody.
private struct SecureLockState {
  /// The settings of the NDEF file.
  let file: SecureFileSettings
  /// The settings of the file with the capability container.
  let container: SecureFileSettings
  /// The write access in the capability container.
  let writeAccess: UInt8
  /// The number of commands and selections.
  let exchanges: Int
}

/// The lock of an NTAG 424 DNA: a change of the rights of its files (NT4H2421Gx, sections 8.2.3.3
/// and 10.7.1).
///
/// First the rights of the NDEF file, whose content no key can change afterwards, nor its places of
/// messages; then the write access in the capability container becomes FF, and the rights of that
/// file follow. The right to change the rights ends, too, so that no step can be undone. Key 0 still
/// changes keys: with another key 1 or 2 the tag makes other messages, at the same URL.
extension Type4Tag {
  /// The steps of the lock that are left, whatever the tag holds.
  ///
  /// - Throws: ``TagError``: `tag-unsupported` for another product, or settings that cliptag does
  ///   not make; `tag-locked` if rights can never be changed; `tag-lost`, `tag-changed`,
  ///   `reader-failed`, `cancelled`.
  package func secureLockSteps(
    over channel: some TagChannel
  ) async throws(TagError) -> [LockPlan.Step] {
    do {
      return try lockSteps(from: try await secureLockState(over: channel))
    } catch {
      throw stopped(by: error, isChanged: false)
    }
  }

  /// Plans to lock the tag with its message.
  ///
  /// - Throws: ``TagError`` as ``secureLockSteps(over:)``, `verify-failed` if the tag shows no message
  ///   that its keys verify, `keys-do-not-fit`, `tag-password` if it demands a pause.
  func planLock(
    with keys: TagLockKeys, over channel: some TagChannel
  ) async throws(TagError) -> LockPlan {
    do {
      let tag = try await loadingSettings(over: channel)
      let state = try await tag.secureLockState(over: channel)
      let steps = try tag.lockSteps(from: state)
      guard state.file.messages != nil, case .message(let message) = tag.withoutMirror.content
      else {
        throw tag.unproven("shows no messages, so it is not ready", hint: Self.makeReady)
      }
      _ = try tag.verifiedMessage(keys.configuration, hint: Self.makeReady)
      var commands = SecureCommands(channel)
      guard try await commands.authenticate(0, with: keys.keys.keys(ofTag: uid)[0]) else {
        throw TagError(
          .keysDoNotFit,
          "\(name) \(uid.hexadecimal) has another key 0 than that of the key file; 1 wrong key was "
            + "given; nothing was changed", hint: Self.makeReady, uid: uid)
      }
      let piece = Type4Limits.pieceByteCount(
        capabilityContainer?.maximumReadByteCount ?? 15, over: channel)
      let reads = (message.count + 2 + piece - 1) / piece
      return LockPlan(
        tag: .type4(tag), message: message, steps: steps, probes: [0], notes: [],
        // State, steps each with an authentication, a power-up, identification and settings, the
        // state again, a write without a key, and a write and a change of rights with key 0.
        expectedExchanges: 6 + 4 * steps.count + 1 + 9 + reads + 6 + 3 + 8)
    } catch {
      throw stopped(by: error, isChanged: false)
    }
  }

  private static let makeReady: Hint = "make it ready with the key file first, then lock it"

  fileprivate func secureLockState(over channel: some TagChannel) async throws -> SecureLockState {
    guard takesLockKeys, let container = capabilityContainer else {
      throw TagError(
        .tagUnsupported, "\(name) \(uid.hexadecimal) has no rights of files that cliptag changes",
        hint: "use an NTAG 424 DNA", uid: uid)
    }
    var commands = Type4Commands(channel)
    guard let file = try await commands.secureSettings(),
      let closed = try await commands.secureSettings(of: SecureFileSettings.containerFileNumber),
      let access = try await commands.read(
        1, at: container.writeAccessOffset, of: Type4CapabilityContainer.fileID)?.data.first
    else {
      throw TagError(
        .tagUnsupported,
        "\(name) \(uid.hexadecimal) has settings of its files that cliptag does not make",
        hint: "run the command again; if the error persists, lock it with the tool that set them",
        uid: uid)
    }
    return SecureLockState(
      file: file, container: closed, writeAccess: access, exchanges: commands.exchanges)
  }

  fileprivate func lockSteps(from state: SecureLockState) throws(TagError) -> [LockPlan.Step] {
    var steps: [LockPlan.Step] = []
    func lock(
      _ purpose: LockPlan.Step.Purpose, file number: UInt8, _ settings: SecureFileSettings
    ) throws(TagError) {
      guard settings.rights != .locked else { return }
      guard settings.rights.change == 0 else {
        throw TagError(
          .tagLocked,
          "key 0 of \(name) \(uid.hexadecimal) cannot change the rights of its file \(number)",
          hint: "use another tag", uid: uid)
      }
      var locked = settings
      locked.rights = .locked
      steps.append(
        LockPlan.Step(
          purpose, at: .file(Int(number)), before: settings.rights.bytes,
          after: locked.rights.bytes, sent: locked.bytes))
    }
    try lock(.lockFile, file: SecureFileSettings.fileNumber, state.file)
    if state.writeAccess != 0xFF, state.container.rights.areWriting(forKey: 0) {
      steps.append(
        LockPlan.Step(
          .closeContainer, at: .offset(capabilityContainer?.writeAccessOffset ?? 0),
          before: [state.writeAccess], after: [0xFF]))
    }
    try lock(.lockContainer, file: SecureFileSettings.containerFileNumber, state.container)
    return steps
  }
}

extension SecureFileSettings.Rights {
  /// Returns `true` if a reader with a key may write.
  fileprivate func areWriting(forKey number: UInt8) -> Bool {
    [write, readWrite].contains { $0 == number || $0 == Self.free }
  }
}

extension LockPlan {
  /// Locks the tag as `execute(over:)`, an NTAG 424 DNA with its keys.
  ///
  /// - Parameter keys: The keys with which the plan for an NTAG 424 DNA was made.
  package func execute(
    over channel: some TagChannel, with keys: TagLockKeys?
  ) async throws(TagError) -> LockReport {
    guard let keys, case .type4(let tag) = tag else { return try await execute(over: channel) }
    return try await run(over: channel) { (progress: inout LockProgress) async throws(LockStop) in
      var work = SecureLockWork(
        plan: self, tag: tag, keys: keys, channel: channel, progress: progress)
      defer { progress = work.progress }
      let result = try await work.run()
      return (.type4(result), work.exchanges)
    }
  }
}

extension Tag {
  /// Plans to lock the tag as `planLock(of:over:)`, an NTAG 424 DNA with its keys.
  ///
  /// - Parameters:
  ///   - message: The message to keep, as read.
  ///   - keys: The keys of an NTAG 424 DNA; others have none.
  ///   - channel: The tag.
  /// - Throws: `TagError` as there, and `keys-do-not-fit`.
  package func planLock(
    of message: [UInt8], with keys: TagLockKeys?, over channel: some TagChannel
  ) async throws(TagError) -> LockPlan {
    guard let keys, case .type4(let tag) = self else {
      return try await planLock(of: message, over: channel)
    }
    try checkLockable(message)
    return try await tag.planLock(with: keys, over: channel)
  }
}

/// The failure of a command of the lock.
private struct SecureLockFailure: KeyedCommandFailure {
  let cause: SecureFailure
  let tag: Type4Tag

  func error(isChanged: Bool, state: String) -> TagError {
    tag.refusal(cause, isChanged: isChanged, state: state)
  }
}

/// One execution of the lock of an NTAG 424 DNA.
private struct SecureLockWork<Channel: TagChannel> {
  /// A command that only an authenticated reader may send.
  private enum Command {
    case write([UInt8], at: Int, ofFile: UInt8)
    case change(SecureFileSettings, ofFile: UInt8)
  }

  let plan: LockPlan
  let tag: Type4Tag
  let keys: TagLockKeys
  let channel: Channel
  var progress: LockProgress
  /// The number of commands and selections so far.
  private(set) var exchanges = 0
  /// The number of times that the work is begun; each time the tag is asked what is left.
  private static var attempts: Int { 3 }

  mutating func run() async throws(LockStop) -> Type4Tag {
    var attempt = 1
    while true {
      do throws(LockStop) {
        try await lock()
        return try await proven()
      } catch {
        guard attempt < Self.attempts, error.mayPass else { throw error }
        attempt += 1
      }
      try await restart()
    }
  }

  /// Takes the steps that are left, each in a session with key 0.
  private mutating func lock() async throws(LockStop) {
    let rest = try await look().steps
    progress.isNextUnknown = false
    progress.done = max(0, plan.steps.count - rest.count)
    for step in rest {
      let command: Command
      if case .file(let number) = step.place, let settings = SecureFileSettings(step.sent) {
        command = .change(settings, ofFile: UInt8(number))
      } else {
        command = .write(
          step.sent, at: step.place.number, ofFile: SecureFileSettings.containerFileNumber)
      }
      try await send(command, isLocking: true)
      progress.isNextUnknown = false
      progress.done += 1
    }
  }

  /// Reads the tag as a phone does and verifies its message; reads rights and container back; and
  /// tries to write the present length without a key and with key 0, and to set the present rights.
  private mutating func proven() async throws(LockStop) -> Type4Tag {
    try await restart()
    let result: Type4Tag
    do throws(TagError) {
      result = try await Type4Tag.identify(over: channel, includingConfiguration: true)
    } catch {
      throw error.underlying.map(LockStop.channel) ?? .other(error)
    }
    exchanges += result.exchanges
    do {
      _ = try result.verifiedMessage(keys.configuration)
    } catch {
      throw .unproven(result.stopped(by: error, isChanged: progress.hasSentWrite))
    }
    let stored = result.withoutMirror
    guard stored.content == .message(plan.message) else {
      throw .differs(.offset(0), expected: plan.message, found: stored.file)
    }
    let (file, steps) = try await look()
    if let step = steps.first {
      throw .differs(step.place, expected: step.after, found: step.before)
    }
    let length = result.capabilityContainer?.length(of: plan.message.count) ?? []
    var commands = Type4Commands(channel)
    defer { exchanges += commands.exchanges }
    let answer: Type4Answer?
    do throws(TagChannelError) {
      answer = try await commands.update(
        length, at: 0, of: result.capabilityContainer?.fileID ?? 0xE104)
    } catch {
      throw .channel(error)
    }
    if answer?.status == .done { throw .tookWrite(.offset(0)) }
    let number = SecureFileSettings.fileNumber
    if try await isTaken(.write(length, at: 0, ofFile: number)) { throw .tookWrite(.offset(0)) }
    if try await isTaken(.change(file, ofFile: number)) { throw .tookWrite(.file(Int(number))) }
    return result
  }

  /// The settings of the NDEF file, and the steps that are left.
  private mutating func look() async throws(LockStop) -> (
    file: SecureFileSettings, steps: [LockPlan.Step]
  ) {
    do {
      let state = try await tag.secureLockState(over: channel)
      exchanges += state.exchanges
      return (state.file, try tag.lockSteps(from: state))
    } catch let error as TagChannelError {
      throw .channel(error)
    } catch {
      // The plan found a tag that has rights, so they were not read.
      throw .unproven(tag.stopped(by: error, isChanged: progress.hasSentWrite))
    }
  }

  /// Returns `true` if the tag does not refuse a command with key 0.
  private mutating func isTaken(_ command: Command) async throws(LockStop) -> Bool {
    do throws(LockStop) {
      try await send(command, isLocking: false)
      return true
    } catch {
      if case .keyed(let failure as SecureLockFailure) = error, case .status = failure.cause {
        return false
      }
      throw error
    }
  }

  private mutating func send(_ command: Command, isLocking: Bool) async throws(LockStop) {
    var commands = SecureCommands(channel)
    defer { exchanges += commands.exchanges }
    do {
      let key = try keys.keys.keys(ofTag: tag.uid)[0]
      guard try await commands.authenticate(0, with: key) else {
        throw LockStop.unproven(
          tag.refusal(.garbled, isChanged: progress.hasSentWrite))
      }
      if isLocking { progress.begin() }
      switch command {
      case .write(let bytes, let offset, let file):
        try await commands.write(bytes, at: offset, ofFile: file)
      case .change(let settings, let file): try await commands.change(settings, ofFile: file)
      }
    } catch let error as LockStop {
      throw error
    } catch SecureFailure.channel(let error) {
      throw .channel(error)
    } catch let error as SecureFailure {
      throw .keyed(SecureLockFailure(cause: error, tag: tag))
    } catch {
      throw .other(tag.stopped(by: error, isChanged: progress.hasSentWrite))
    }
  }

  private mutating func restart() async throws(LockStop) {
    exchanges += 1
    do throws(TagChannelError) {
      try await channel.reselect(fieldCycle: true)
    } catch {
      throw .channel(error)
    }
  }
}

extension LockStop {
  /// A Boolean value that indicates whether the same work may succeed after a new selection.
  fileprivate var mayPass: Bool {
    switch self {
    case .channel(let error): error.code == .refused || error.code == .tagLost
    case .keyed(let failure): (failure as? SecureLockFailure)?.cause.isTransient ?? false
    case .differs, .unproven: true
    case .refused, .tookWrite, .other: false
    }
  }
}
