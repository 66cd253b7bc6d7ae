import CliptagBasics
import NDEF
@testable import SecureTags
import TagAuthenticity
import Testing

@testable import SimulatedReader
import TagTypes

/// A simulated NTAG 424 DNA on a reader, which leaves at a command.
private actor SecureTagChannel: TagChannel {
  nonisolated let target: TagTarget
  private(set) var tag: SimulatedType4Tag
  private(set) var sent = 0
  private(set) var commands: [[UInt8]] = []
  /// The number of commands after which the tag is gone.
  private let limit: Int?
  /// A Boolean value that indicates whether the last command is still executed.
  private let isExecuted: Bool
  /// The command whose answer is lost, or whose answer is garbled.
  private let lost: Int?
  private let garbled: Int?
  /// The command that the tag says to have executed once its rights are locked.
  private let pretended: UInt8?

  init(
    _ tag: SimulatedType4Tag, leavingAfter limit: Int? = nil, executing isExecuted: Bool = false,
    losing lost: Int? = nil, garbling garbled: Int? = nil, pretending pretended: UInt8? = nil
  ) {
    var card = tag
    Self.powerUp(&card)
    self.tag = card
    (self.limit, self.isExecuted, self.lost, self.garbled) = (limit, isExecuted, lost, garbled)
    self.pretended = pretended
    target = TagTarget(atqa: [0x03, 0x44], sak: 0x20, uid: tag.chipUID)
  }

  private static func powerUp(_ tag: inout SimulatedType4Tag) {
    tag.fieldOff()
    tag.fieldOn()
    _ = tag.request(wakeUp: true)
    _ = tag.select()
  }

  func exchange(_ command: [UInt8]) throws(TagChannelError) -> [UInt8] {
    sent += 1
    commands.append(command)
    if let limit, sent > limit {
      if sent == limit + 1, isExecuted { _ = tag.response(to: command) }
      throw TagChannelError(.tagLost, "no answer")
    }
    var answer = tag.response(to: command)
    if command[1] == pretended, tag.containerSettings.rights == .locked {
      return [command[0] == 0x90 ? 0x91 : 0x90, 0x00]
    }
    if sent == lost {
      Self.powerUp(&tag)
      throw TagChannelError(.refused, "no answer")
    }
    if sent == garbled, answer.count > 2 { answer[0] ^= 0x01 }
    return answer
  }

  func reselect(fieldCycle: Bool) throws(TagChannelError) {
    sent += 1
    if let limit, sent > limit { throw TagChannelError(.tagLost, "no tag") }
    Self.powerUp(&tag)
  }
}

@Suite("Making an NTAG 424 DNA ready") struct ProvisioningTests {
  private static let url = "https://a.example/menu/12"

  fileprivate static func key(_ byte: UInt8) throws -> SecretKey {
    try SecretKey([UInt8](repeating: byte, count: 16))
  }

  fileprivate static func set(_ first: UInt8, version: UInt8 = 1) throws -> TagKeySet {
    try TagKeySet(
      masterKey: key(first), fileReadKey: key(first + 1), metaReadKey: key(first + 2),
      diversificationInput: [0x30, 0x42, 0xF5], version: version)
  }

  fileprivate static func provisioning(
    _ url: String = url, keys: TagKeySet? = nil, former: [TagKeySet] = []
  ) throws -> TagProvisioning {
    let keys = try keys ?? set(0x10)
    let configuration = try SecureUniqueMessageConfiguration(
      identification: .encrypted(parameter: "e", metaReadKey: try #require(keys.metaReadKey)),
      macParameter: "c", fileReadKey: keys.fileReadKey,
      diversificationInput: keys.diversificationInput)
    return TagProvisioning(
      try SecureMessagePlaces(url, for: configuration), configuration: configuration, keys: keys,
      formerKeys: former)
  }

  fileprivate static func run(
    _ wanted: TagProvisioning, on channel: SecureTagChannel
  ) async throws -> ProvisionReport {
    let tag = try await Type4Tag.identify(over: channel, includingConfiguration: true)
    return try await tag.planProvisioning(wanted, over: channel).execute(over: channel)
  }

  /// Whether a tag has all keys, settings and the message.
  private static func isReady(_ tag: SimulatedType4Tag, _ wanted: TagProvisioning) throws -> Bool {
    let keys = try wanted.keys.keys(ofTag: tag.chipUID)
    let file = [0x00, UInt8(wanted.message.bytes.count)] + wanted.message.bytes
    return tag.applicationKeys == keys.keys.map(\.bytes) && tag.ndefFile.starts(with: file)
      && tag.settings == SecureFileSettings(wanted.places, fileByteCount: file.count)
  }

  fileprivate static func blank() throws -> SimulatedType4Tag { try SimulatedType4Tag(.ntag424) }

  @Test(
    "a tag from the factory is made ready with one wrong key at most, and a second run changes nothing"
  )
  func factory() async throws {
    let wanted = try Self.provisioning()
    let channel = SecureTagChannel(try Self.blank())
    let tag = try await Type4Tag.identify(over: channel, includingConfiguration: true)
    let plan = try await tag.planProvisioning(wanted, over: channel)
    #expect(plan.wrongKeys == 0)
    let before = await channel.tag
    #expect(before.memory == (try Self.blank()).memory, "a plan changes nothing")
    let report = try await plan.execute(over: channel)
    #expect(report.steps == 7)
    #expect(try Self.isReady(await channel.tag, wanted))
    let memory = await channel.tag.memory
    let again = try await Self.run(wanted, on: channel)
    #expect(again.steps == 0 && again.counter > report.counter)
    #expect(await channel.tag.memory == memory)
    #expect(await channel.tag.failedAuthentications == 0)
  }

  @Test("a tag that leaves at any command is finished by the next run", arguments: [false, true])
  func torn(isExecuted: Bool) async throws {
    let wanted = try Self.provisioning()
    let whole = SecureTagChannel(try Self.blank())
    _ = try await Self.run(wanted, on: whole)
    for limit in 0..<(await whole.sent) {
      let channel = SecureTagChannel(
        try Self.blank(), leavingAfter: limit, executing: isExecuted)
      do {
        _ = try await Self.run(wanted, on: channel)
        Issue.record("ready without command \(limit)")
      } catch let error as TagError {
        let left = await channel.tag
        if error.message.contains("nothing was written") {
          #expect(left.memory == (try Self.blank()).memory, "\(limit): \(error.message)")
        }
        #expect([.tagLost, .tornWrite].contains(error.code), "\(limit): \(error)")
      }
      let next = SecureTagChannel(await channel.tag)
      _ = try await Self.run(wanted, on: next)
      #expect(try Self.isReady(await next.tag, wanted), "\(limit)")
    }
  }

  @Test("an answer that is lost or garbled at any command ends in a ready tag, or in the next run")
  func disturbed() async throws {
    let wanted = try Self.provisioning()
    let whole = SecureTagChannel(try Self.blank())
    _ = try await Self.run(wanted, on: whole)
    for number in 1...(await whole.sent) {
      for channel in [
        SecureTagChannel(try Self.blank(), losing: number),
        SecureTagChannel(try Self.blank(), garbling: number),
      ] {
        if (try? await Self.run(wanted, on: channel)) != nil {
          #expect(try Self.isReady(await channel.tag, wanted), "\(number)")
        }
        let next = SecureTagChannel(await channel.tag)
        _ = try await Self.run(wanted, on: next)
        #expect(try Self.isReady(await next.tag, wanted), "\(number)")
      }
    }
  }

  @Test("a tag with keys that are not known is left as it is")
  func otherKeys() async throws {
    let wanted = try Self.provisioning(former: [try Self.set(0x40)])
    for number in 0..<TagKeys.count {
      var tag = try Self.blank()
      var keys = tag.applicationKeys
      keys[number] = [UInt8](repeating: 0x77, count: 16)
      tag.hold(keys: keys, version: 0)
      let channel = SecureTagChannel(tag)
      do {
        _ = try await Self.run(wanted, on: channel)
        Issue.record("key \(number)")
      } catch let error as TagError {
        #expect(error.code == .keysDoNotFit)
        #expect(error.message.contains("another key \(number) "))
      }
      #expect(await channel.tag.memory == tag.memory)
      #expect(await channel.tag.failedAuthentications <= 3)
    }
  }

  @Test("former keys are replaced, and another URL opens the file first")
  func former() async throws {
    let old = try Self.provisioning()
    let channel = SecureTagChannel(try Self.blank())
    _ = try await Self.run(old, on: channel)
    let new = try Self.provisioning(
      "https://a.example/menu/13", keys: try Self.set(0x50, version: 2),
      former: [try Self.set(0x10)])
    let tag = try await Type4Tag.identify(over: channel, includingConfiguration: true)
    let plan = try await tag.planProvisioning(new, over: channel)
    #expect(plan.steps.first == .openFile && plan.steps.last == .changeKey(0, version: 2))
    let report = try await plan.execute(over: channel)
    #expect(report.steps == 8)
    #expect(report.url.hasPrefix("https://a.example/menu/13?e="))
    #expect(try Self.isReady(await channel.tag, new))
  }

  @Test("no key is ever sent, not even hidden by the factory's key alone")
  func secrets() async throws {
    let wanted = try Self.provisioning()
    let channel = SecureTagChannel(try Self.blank())
    _ = try await Self.run(wanted, on: channel)
    let keys = try wanted.keys.keys(ofTag: SimulatedType4Tag.genuineUID).keys.map(\.bytes)
    for command in await channel.commands {
      for key in keys { #expect(command.firstRange(of: key) == nil) }
    }
    var mask = SessionMask(.tag)
    mask.family = .isoDEP
    for command in await channel.commands {
      let masked = mask.command(command)
      if command.starts(with: [0x90, 0xC4]) {
        #expect(masked[6..<masked.count - 1].allSatisfy { $0 == 0 })
      }
    }
  }

  @Test("products and URLs that cannot be made ready are refused before a key is given")
  func refused() async throws {
    let wanted = try Self.provisioning()
    let other = SecureTagChannel(try SimulatedType4Tag(.ntag413))
    let long = try Self.provisioning("https://a.example/" + String(repeating: "x", count: 200))
    for (channel, wanted, code) in [
      (other, wanted, TagError.Code.tagUnsupported),
      (SecureTagChannel(try Self.blank()), long, .tagTooSmall),
    ] {
      do {
        _ = try await Self.run(wanted, on: channel)
        Issue.record("\(code)")
      } catch let error as TagError {
        #expect(error.code == code)
      }
      #expect(await !channel.commands.contains { $0.starts(with: [0x90, 0x71]) })
    }
  }
}

@Suite("Locking an NTAG 424 DNA") struct SecureLockTests {
  private typealias Making = ProvisioningTests

  private static func ready(_ wanted: TagProvisioning) async throws -> SimulatedType4Tag {
    let channel = SecureTagChannel(try Making.blank())
    _ = try await Making.run(wanted, on: channel)
    return await channel.tag
  }

  private static func plan(
    _ wanted: TagProvisioning, on channel: SecureTagChannel
  ) async throws -> LockPlan {
    let tag = try await Tag.identify(over: channel, includingConfiguration: true)
    guard case .message(let message) = tag.content else { throw TagChannelError(.refused, "") }
    return try await tag.planLock(of: message, with: wanted.lockKeys, over: channel)
  }

  private static func lock(
    _ wanted: TagProvisioning, on channel: SecureTagChannel
  ) async throws -> LockReport {
    try await plan(wanted, on: channel).execute(over: channel, with: wanted.lockKeys)
  }

  /// Whether a tag is locked, and otherwise as before.
  private static func isLocked(_ tag: SimulatedType4Tag, from before: SimulatedType4Tag) -> Bool {
    tag.settings == SecureFileSettings(rights: .locked, messages: before.settings.messages)
      && tag.containerSettings == SecureFileSettings(rights: .locked)
      && tag.files[0].bytes.enumerated().allSatisfy {
        $1 == ($0 == 14 ? 0xFF : before.files[0].bytes[$0])
      }
      && tag.ndefFile == before.ndefFile && tag.applicationKeys == before.applicationKeys
  }

  @Test("a ready tag is locked for every key, its messages go on, and a second run writes nothing")
  func whole() async throws {
    let wanted = try Making.provisioning()
    let before = try await Self.ready(wanted)
    let channel = SecureTagChannel(before)
    let plan = try await Self.plan(wanted, on: channel)
    #expect(
      plan.steps.map { "\($0.purpose)" } == ["lock-file", "close-container", "lock-container"])
    #expect(plan.steps.map { "\($0.place)" } == ["file 2", "offset 14", "file 1"])
    #expect(await channel.tag.memory == before.memory, "a plan changes nothing")
    let report = try await plan.execute(over: channel, with: wanted.lockKeys)
    #expect(report.pagesWritten == 3 && report.tag.isLocked)
    #expect(report.exchanges <= plan.expectedExchanges)
    let locked = await channel.tag
    #expect(Self.isLocked(locked, from: before))
    #expect(locked.failedAuthentications == 0)
    let again = try await Self.lock(wanted, on: channel)
    #expect(again.wasAlreadyLocked && again.pagesWritten == 0)
    #expect(await channel.tag.memory == locked.memory)
    // The URL stays, whatever keys come.
    let other = try Making.provisioning("https://a.example/menu/13")
    let tag = try await Type4Tag.identify(over: channel, includingConfiguration: true)
    let error = await #expect(throws: TagError.self) {
      try await tag.planProvisioning(other, over: channel)
    }
    #expect(error?.code == .tagLocked)
    // A ready tag that is locked is still ready.
    #expect(try await Making.run(wanted, on: channel).steps == 0)
  }

  @Test(
    "a tag that leaves at any command keeps its message and is locked by the next run",
    arguments: [false, true])
  func torn(isExecuted: Bool) async throws {
    let wanted = try Making.provisioning()
    let before = try await Self.ready(wanted)
    let whole = SecureTagChannel(before)
    _ = try await Self.lock(wanted, on: whole)
    for limit in 0..<(await whole.sent) {
      let channel = SecureTagChannel(before, leavingAfter: limit, executing: isExecuted)
      do {
        _ = try await Self.lock(wanted, on: channel)
        Issue.record("locked without command \(limit)")
      } catch let error as TagError {
        let left = await channel.tag
        if error.message.contains("nothing was written") {
          #expect(left.memory == before.memory, "\(limit): \(error.message)")
        }
        #expect(left.ndefFile == before.ndefFile)
        #expect([.tagLost, .tornWrite].contains(error.code), "\(limit): \(error)")
      }
      let next = SecureTagChannel(await channel.tag)
      _ = try await Self.lock(wanted, on: next)
      #expect(Self.isLocked(await next.tag, from: before), "\(limit)")
    }
  }

  @Test("an answer that is lost or garbled at any command ends in a locked tag, or in the next run")
  func disturbed() async throws {
    let wanted = try Making.provisioning()
    let before = try await Self.ready(wanted)
    let whole = SecureTagChannel(before)
    _ = try await Self.lock(wanted, on: whole)
    for number in 1...(await whole.sent) {
      for channel in [
        SecureTagChannel(before, losing: number), SecureTagChannel(before, garbling: number),
      ] {
        if (try? await Self.lock(wanted, on: channel)) != nil {
          #expect(Self.isLocked(await channel.tag, from: before), "\(number)")
        }
        let next = SecureTagChannel(await channel.tag)
        _ = try await Self.lock(wanted, on: next)
        #expect(Self.isLocked(await next.tag, from: before), "\(number)")
      }
    }
  }

  @Test(
    "a tag that takes a write after its lock, with or without a key, is not reported as locked",
    arguments: [0xD6, 0x8D] as [UInt8])
  func pretended(instruction: UInt8) async throws {
    let wanted = try Making.provisioning()
    let channel = SecureTagChannel(try await Self.ready(wanted), pretending: instruction)
    do {
      _ = try await Self.lock(wanted, on: channel)
      Issue.record("locked")
    } catch let error as TagError {
      #expect(error.code == .verifyFailed)
      #expect(error.message.contains("accepted a write despite its lock"))
    }
  }

  @Test("a tag with other keys, without messages or without the right to change is left as it is")
  func refused() async throws {
    let wanted = try Making.provisioning()
    let ready = try await Self.ready(wanted)
    var silent = ready
    silent.hold(
      keys: ready.applicationKeys, version: 1, settings: SecureFileSettings(rights: .keyed))
    var frozen = ready
    var settings = ready.settings
    settings.rights.change = SecureFileSettings.Rights.denied
    frozen.hold(keys: ready.applicationKeys, version: 1, settings: settings)
    var other = ready
    other.hold(
      keys: [[UInt8](repeating: 0x77, count: 16)] + ready.applicationKeys.dropFirst(), version: 1)
    for (tag, code) in [
      (silent, TagError.Code.verifyFailed), (frozen, .tagLocked), (other, .keysDoNotFit),
    ] {
      let channel = SecureTagChannel(tag)
      do {
        _ = try await Self.lock(wanted, on: channel)
        Issue.record("\(code)")
      } catch let error as TagError {
        #expect(error.code == code)
      }
      #expect(await channel.tag.memory == tag.memory)
      #expect(await channel.tag.failedAuthentications == (code == .keysDoNotFit ? 1 : 0))
    }
  }
}

extension TagProvisioning {
  /// The means to lock a tag that has this state.
  fileprivate var lockKeys: TagLockKeys { TagLockKeys(keys, configuration) }
}
