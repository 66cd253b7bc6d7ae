import CliptagBasics
package import NDEF
package import TagAuthenticity
package import TagTypes

/// The state of an NTAG 424 DNA made ready: a URL with messages, and the keys that make them.
package struct TagProvisioning: Sendable {
  /// The URL with the places of its messages.
  package let places: SecureMessagePlaces
  /// The way in which a verifier reads the messages.
  package let configuration: SecureUniqueMessageConfiguration
  /// The keys of each tag.
  package let keys: TagKeySet
  /// The keys with which tags may have been made ready before.
  package let formerKeys: [TagKeySet]

  /// Makes a state.
  package init(
    _ places: SecureMessagePlaces, configuration: SecureUniqueMessageConfiguration,
    keys: TagKeySet, formerKeys: [TagKeySet]
  ) {
    self.places = places
    self.configuration = configuration
    self.keys = keys
    self.formerKeys = formerKeys
  }

  /// The NDEF message.
  package var message: NDEFMessage { NDEFMessage(uri: places.url) }
}

/// The steps that make an NTAG 424 DNA ready, in order.
///
/// The message is written while the file is open, then keys 1 to 4 change, then the file is closed
/// and shows messages, and key 0 changes last. However early the execution stops, a new plan for
/// the same tag finds the keys that each number has, and finishes the work.
package struct ProvisionPlan: Sendable {
  /// One command, or the commands that write the message.
  package enum Step: Hashable, Sendable {
    /// Opens the file to writing and switches messages off.
    case openFile
    /// Writes the message, of this many bytes.
    case writeMessage(byteCount: Int)
    /// Changes a key to one of this version.
    case changeKey(Int, version: UInt8)
    /// Sets rights and messages of the file.
    case setFile(SecureFileSettings)
  }

  /// The tag as read when the plan was made.
  package let tag: Type4Tag
  /// The wanted state.
  package let provisioning: TagProvisioning
  /// The steps.
  package let steps: [Step]
  /// The number of wrong keys that the tag was given, each counted by it until a right one follows.
  package let wrongKeys: Int
  /// The present keys.
  fileprivate let present: [SecretKey]
  fileprivate let exchanges: Int

  /// A Boolean value that indicates whether there is nothing to do.
  package var isAlreadyCorrect: Bool { steps.isEmpty }
  /// A Boolean value that indicates whether the tag gets another key 0, after which it obeys the
  /// owner of the key file only.
  package var changesMasterKey: Bool {
    steps.contains { if case .changeKey(0, _) = $0 { true } else { false } }
  }
}

/// The report of a tag that was made ready.
package struct ProvisionReport: Sendable {
  /// The tag as a phone read it last.
  package let tag: Type4Tag
  /// The URL that it showed then, with a message that was verified.
  package let url: String
  /// The counter in that message.
  package let counter: Int
  /// The number of steps.
  package let steps: Int
  /// The number of commands and selections.
  package let exchanges: Int

  /// The report of writing the message, with zeros in its places.
  package var asWritten: WriteReport {
    let written = tag.withoutMirror
    return WriteReport(
      tag: .type4(written), byteCount: Tag.type4(written).used, pagesWritten: steps,
      wasAlreadyCorrect: steps == 0, exchanges: exchanges)
  }
}

extension Type4Tag {
  /// Plans to make the tag ready. Nothing is written, but the tag is given keys: the one that fits
  /// by the file's settings and the key's version first, and no further one after the right one.
  /// A tag counts wrong keys in a row, and demands pauses after 50 (NT4H2421Gx, section 8.4).
  ///
  /// - Throws: ``TagError``: `tag-unsupported` for another product or a random UID,
  ///   `keys-do-not-fit`, `tag-locked` if the settings can never be changed, `tag-too-small`,
  ///   `not-ndef`, `tag-password`, `tag-lost`, `tag-changed`, `reader-failed`, `cancelled`.
  package func planProvisioning(
    _ wanted: TagProvisioning, over channel: some TagChannel
  ) async throws(TagError) -> ProvisionPlan {
    try await planProvisioning(wanted, over: channel, isChanged: false)
  }

  /// - Parameter isChanged: `true` if an earlier plan may have changed something.
  fileprivate func planProvisioning(
    _ wanted: TagProvisioning, over channel: some TagChannel, isChanged: Bool
  ) async throws(TagError) -> ProvisionPlan {
    let container = try checkIsProvisioned(wanted)
    do {
      return try await plan(wanted, container, over: channel, isChanged: isChanged)
    } catch {
      throw stopped(by: error, isChanged: isChanged)
    }
  }

  private func checkIsProvisioned(
    _ wanted: TagProvisioning
  ) throws(TagError) -> Type4CapabilityContainer {
    guard name.hasPrefix("NTAG 424 DNA"), uid.count == 7 else {
      throw TagError(
        .tagUnsupported,
        "\(name) \(uid.hexadecimal) "
          + (target.hasRandomUID
            ? "has a random UID, from which no key can be derived"
            : "makes no Secure Unique NFC messages that cliptag sets up"),
        hint: "use an NTAG 424 DNA with its own UID", uid: uid)
    }
    guard let container = capabilityContainer, content != .notNDEF else {
      throw TagError(
        .notNDEF, "\(name) \(uid.hexadecimal) is not an NDEF tag: \(problem)",
        hint: "use another tag", uid: uid)
    }
    let count = wanted.message.bytes.count
    guard count <= container.capacity else {
      throw TagError(
        .tagTooSmall,
        "the message has \(count) bytes, and \(name) \(uid.hexadecimal) holds "
          + "\(container.capacity)",
        hint: "use a shorter URL", uid: uid)
    }
    return container
  }

  private func plan<Channel: TagChannel>(
    _ wanted: TagProvisioning, _ container: Type4CapabilityContainer, over channel: Channel,
    isChanged: Bool
  ) async throws -> ProvisionPlan {
    let file = container.length(of: wanted.message.bytes.count) + wanted.message.bytes
    let settings = SecureFileSettings(wanted.places, fileByteCount: file.count)
    let tag = try await loadingSettings(over: channel).loading(upTo: file.count, over: channel)
    var commands = Type4Commands(channel)
    let held = try await commands.secureSettings()
    let isContentRight = tag.unmirrored(tag.file, as: file).starts(with: file)
    let isFileRight = held?.messages == settings.messages && held?.rights.isClosed == true

    let keys = try wanted.keys.keys(ofTag: uid)
    var candidates = [keys]
    for former in wanted.formerKeys { candidates.append(try former.keys(ofTag: uid)) }
    candidates.append(.factory)
    // Key 0 changes last: a file that is not closed is that of a tag with its former keys, most
    // often the factory's.
    if !isFileRight { candidates = [.factory] + candidates.dropLast() }
    var search = KeySearch(commands: SecureCommands(channel), candidates: candidates)
    guard let present = try await search.run() else {
      let tried = search.wrongKeys == 1 ? "key was" : "keys were"
      let state = isChanged ? "its work is not finished" : "nothing was changed"
      throw TagError(
        .keysDoNotFit,
        "\(name) \(uid.hexadecimal) has another key \(search.number) than those of the key file and "
          + "the factory; \(search.wrongKeys) wrong \(tried) given; \(state)",
        hint: "add the tag's keys to the key file as former ones, or use another tag", uid: uid)
    }
    var steps: [ProvisionPlan.Step] = []
    let isOpen = held?.messages == nil && held?.rights.write == SecureFileSettings.Rights.free
    if !isContentRight {
      if !isOpen { steps.append(.openFile) }
      steps.append(.writeMessage(byteCount: wanted.message.bytes.count))
    }
    func changed(_ number: Int) -> [ProvisionPlan.Step] {
      present[number].key.bytes == keys[number].bytes && present[number].version == keys.version
        ? [] : [.changeKey(number, version: keys.version)]
    }
    steps += (1..<TagKeys.count).flatMap(changed)
    if !isContentRight || !isFileRight { steps.append(.setFile(settings)) }
    steps += changed(0)
    let changesFile = steps.contains { if case .setFile = $0 { true } else { $0 == .openFile } }
    if changesFile, held?.rights.change == SecureFileSettings.Rights.denied {
      throw TagError(
        .tagLocked, "the settings of \(name) \(uid.hexadecimal) can never be changed again",
        hint: "use another tag", uid: uid)
    }
    return ProvisionPlan(
      tag: tag, provisioning: wanted, steps: steps, wrongKeys: search.wrongKeys,
      present: present.map(\.key),
      exchanges: tag.exchanges + commands.exchanges + search.commands.exchanges)
  }

  /// The error for work with keys that stopped.
  ///
  /// - Parameter isChanged: `true` if something may have been changed.
  func stopped(by error: any Error, isChanged: Bool) -> TagError {
    switch error {
    case let error as SecureFailure: return refusal(error, isChanged: isChanged)
    case let error as TagChannelError: return refusal(.channel(error), isChanged: isChanged)
    case let error as AuthenticityError: return refusal(.cryptography(error), isChanged: isChanged)
    case let error as TagError:
      // An error of reading says that nothing was written, which may be wrong here.
      guard isChanged, let channel = error.underlying else { return error }
      return refusal(.channel(channel), isChanged: true)
    default: return refusal(.garbled, isChanged: isChanged)
    }
  }

  /// The error for a protected command that failed.
  ///
  /// - Parameters:
  ///   - isChanged: `true` if something may have been changed.
  ///   - state: The state of the work; `nil` for a general clause.
  func refusal(_ failure: SecureFailure, isChanged: Bool, state: String? = nil) -> TagError {
    let tag = "\(name) \(uid.hexadecimal)"
    let state = state ?? (isChanged ? "its work is not finished" : "nothing was written")
    let again: Hint = "put the tag back and run the command again, which finishes the work"
    switch failure {
    case .channel(let error) where !isChanged: return TagError(error, uid: uid)
    case .channel(let error):
      let code: TagError.Code =
        switch error.code {
        case .tagLost: .tornWrite
        case .tagChanged: .tagChanged
        case .cancelled: .cancelled
        default: .readerFailed
        }
      return TagError(
        code, "\(tag): \(error.message); \(state)", hint: again, uid: uid, underlying: error)
    case .status(.authenticationDelay):
      return TagError(
        .tagPassword,
        "\(tag) demands a pause, because it was given too many wrong keys; \(state)",
        hint:
          "leave it on the reader for a while and run the command again, with the right key file",
        uid: uid)
    case .status(let status):
      return TagError(
        .writeRefused, "\(tag) refused a protected command (\(status)); \(state)",
        hint:
          "run the command again; if it is refused again, use another tag (a tag in LRP mode is not "
          + "supported)", uid: uid)
    case .garbled:
      return TagError(
        .verifyFailed, "\(tag) gave a response that it cannot have made; \(state)", hint: again,
        uid: uid)
    case .cryptography(let error):
      return TagError(
        .readerFailed, "\(error.message) \(tag): \(state)", hint: Hint(error.hint), uid: uid)
    }
  }
}

extension SecureFileSettings.Rights {
  /// A Boolean value that indicates whether phones read the file, and only key 0 or nobody writes.
  fileprivate var isClosed: Bool { self == .keyed || self == .locked }
}

extension Type4Commands {
  /// GetFileSettings without a session; `nil` for settings that cliptag does not make.
  mutating func secureSettings(
    of number: UInt8 = SecureFileSettings.fileNumber
  ) async throws(TagChannelError) -> SecureFileSettings? {
    let answer = try await transmit(
      [0x90, 0xF5, 0x00, 0x00, 0x01, number, 0x00], in: .application)
    guard let answer, answer.status == .nativeDone else { return nil }
    return SecureFileSettings(reported: answer.data)
  }
}

/// The search for the present keys of a tag among known ones.
private struct KeySearch<Channel: TagChannel> {
  var commands: SecureCommands<Channel>
  let candidates: [TagKeys]
  /// The number of wrong keys that were given.
  private(set) var wrongKeys = 0
  /// The number of the key that is searched.
  private(set) var number = 0

  /// Finds the keys; `nil` if one is not known.
  mutating func run() async throws -> [(key: SecretKey, version: UInt8)]? {
    guard let first = try await key(0, among: candidates) else { return nil }
    // Only an authenticated reader learns the versions.
    var versions: [UInt8] = []
    for number in 0..<TagKeys.count { versions.append(try await commands.version(ofKey: number)) }
    var found = [(key: first, version: versions[0])]
    for number in 1..<TagKeys.count {
      self.number = number
      let likely = candidates.filter { $0.version == versions[number] }
      let others = candidates.filter { $0.version != versions[number] }
      guard let key = try await key(number, among: likely + others) else { return nil }
      found.append((key, versions[number]))
    }
    return found
  }

  private mutating func key(
    _ number: Int, among sets: [TagKeys]
  ) async throws(SecureFailure) -> SecretKey? {
    var tried: Set<[UInt8]> = []
    for key in sets.map({ $0[number] }) where tried.insert(key.bytes).inserted {
      if try await commands.authenticate(number, with: key) { return key }
      wrongKeys += 1
    }
    return nil
  }
}

extension ProvisionPlan {
  /// The number of times that the steps are begun; each time the tag is read anew.
  private static let attempts = 3

  /// Carries out the steps, and proves the tag: it is read as a phone reads it after a new
  /// power-up, its message is verified, its keys and settings are read, and an unauthenticated
  /// write must be refused.
  ///
  /// - Throws: ``TagError``: `tag-changed`, `torn-write`, `tag-lost`, `write-refused`,
  ///   `verify-failed`, `keys-do-not-fit`, `reader-failed`, `cancelled`.
  package func execute(over channel: some TagChannel) async throws(TagError) -> ProvisionReport {
    guard channel.target.uid == tag.uid else {
      throw TagError(TagChannelError(.tagChanged, "the UID differs"), uid: tag.uid)
    }
    var (plan, done, isChanged, exchanges) = (self, 0, false, self.exchanges)
    for attempt in 1... {
      do {
        try await plan.perform(over: channel, &done, &isChanged, &exchanges)
        return try await plan.proof(over: channel, steps: done, isChanged: isChanged, &exchanges)
      } catch {
        guard attempt < Self.attempts, Self.isTransient(error) else {
          throw tag.stopped(by: error, isChanged: isChanged)
        }
      }
      do {
        try await channel.reselect(fieldCycle: true)
        plan = try await Type4Tag.identify(over: channel, includingConfiguration: true)
          .planProvisioning(provisioning, over: channel, isChanged: isChanged)
        exchanges += plan.exchanges + 1
      } catch {
        throw tag.stopped(by: error, isChanged: isChanged)
      }
    }
    throw tag.refusal(.garbled, isChanged: isChanged)
  }

  private static func isTransient(_ error: any Error) -> Bool {
    switch error {
    case let error as SecureFailure: error.isTransient
    case let error as TagError: [.verifyFailed, .writeRefused].contains(error.code)
    default: false
    }
  }

  private func perform<Channel: TagChannel>(
    over channel: Channel, _ done: inout Int, _ isChanged: inout Bool, _ exchanges: inout Int
  ) async throws {
    guard !isAlreadyCorrect else { return }
    let keys = try provisioning.keys.keys(ofTag: tag.uid)
    var commands = SecureCommands(channel)
    defer { exchanges += commands.exchanges }
    var isAuthenticated = false
    for step in steps {
      if case .writeMessage = step {
        let found = try await Tag.identify(over: channel, includingConfiguration: true)
        let plan = try await found.planWrite(provisioning.message, over: channel)
        isChanged = true
        exchanges += found.exchanges + (try await plan.execute(over: channel)).exchanges
        isAuthenticated = false
        done += 1
        continue
      }
      if !isAuthenticated {
        guard try await commands.authenticate(0, with: present[0]) else {
          throw SecureFailure.status(.authenticationError)
        }
        isAuthenticated = true
      }
      isChanged = true
      switch step {
      case .openFile: try await commands.change(SecureFileSettings(rights: .open))
      case .changeKey(let number, let version):
        try await commands.changeKey(
          number, from: present[number], to: keys[number], version: version)
      case .setFile(let settings): try await commands.change(settings)
      case .writeMessage: break
      }
      done += 1
    }
  }

  /// Reads the tag as a phone does and verifies what it shows.
  private func proof<Channel: TagChannel>(
    over channel: Channel, steps done: Int, isChanged: Bool, _ exchanges: inout Int
  ) async throws -> ProvisionReport {
    try await channel.reselect(fieldCycle: true)
    let read = try await Type4Tag.identify(over: channel, includingConfiguration: true)
    let (url, counter) = try read.verifiedMessage(provisioning.configuration)
    let rest = try await read.planProvisioning(
      provisioning, over: channel, isChanged: isChanged)
    guard rest.isAlreadyCorrect else { throw tag.unproven("did not keep every key and setting") }
    // A write without a key, of what the file holds, has to be refused.
    var commands = Type4Commands(channel)
    let length = Array(read.file.prefix(2))
    let answer: Type4Answer?
    do throws(TagChannelError) {
      answer = try await commands.update(
        length, at: 0, of: read.capabilityContainer?.fileID ?? 0xE104)
    } catch {
      throw SecureFailure.channel(error)
    }
    if answer?.status == .done { throw tag.unproven("accepts a write without a key") }
    exchanges += 1 + read.exchanges + rest.exchanges + commands.exchanges
    return ProvisionReport(
      tag: read, url: url, counter: counter, steps: done, exchanges: exchanges)
  }
}

extension Type4Tag {
  /// Verifies the message that the tag shows.
  ///
  /// - Throws: ``TagError`` with code `verify-failed`; `AuthenticityError` if the system's
  ///   cryptography fails.
  func verifiedMessage(
    _ configuration: SecureUniqueMessageConfiguration, hint: Hint = Self.runAgain
  ) throws -> (url: String, counter: Int) {
    guard case .message(let bytes) = content,
      let url = (try? NDEFMessage(decoding: bytes))?.firstURI(options: .strict)?.uri
    else { throw unproven("shows no URL", hint: hint) }
    let message: SecureUniqueMessage
    do throws(AuthenticityError) {
      message = try SecureUniqueMessage(url: url, configuration: configuration)
    } catch {
      guard error.code != .cryptography else { throw error }
      throw unproven("shows a message that is not valid: \(error.message)", hint: hint)
    }
    guard message.uid == uid, let counter = message.counter else {
      throw unproven("shows a message with another UID", hint: hint)
    }
    return (url, counter)
  }

  func unproven(_ reason: String, hint: Hint = Self.runAgain) -> TagError {
    TagError(.verifyFailed, "\(name) \(uid.hexadecimal) \(reason)", hint: hint, uid: uid)
  }

  private static let runAgain: Hint =
    "run the command again; if the error persists, use another tag"
}
