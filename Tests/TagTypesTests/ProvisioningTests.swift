import CliptagBasics
import NDEF
import TagAuthenticity
import Testing

@testable import SimulatedReader
@testable import TagTypes

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

  init(
    _ tag: SimulatedType4Tag, leavingAfter limit: Int? = nil, executing isExecuted: Bool = false,
    losing lost: Int? = nil, garbling garbled: Int? = nil
  ) {
    var card = tag
    Self.powerUp(&card)
    self.tag = card
    (self.limit, self.isExecuted, self.lost, self.garbled) = (limit, isExecuted, lost, garbled)
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

  private static func key(_ byte: UInt8) throws -> SecretKey {
    try SecretKey([UInt8](repeating: byte, count: 16))
  }

  private static func set(_ first: UInt8, version: UInt8 = 1) throws -> TagKeySet {
    try TagKeySet(
      masterKey: key(first), fileReadKey: key(first + 1), metaReadKey: key(first + 2),
      diversificationInput: [0x30, 0x42, 0xF5], version: version)
  }

  private static func provisioning(
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

  private static func run(
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

  private static func blank() throws -> SimulatedType4Tag { try SimulatedType4Tag(.ntag424) }

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
