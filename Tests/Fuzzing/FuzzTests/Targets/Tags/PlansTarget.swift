import NDEF
import SimulatedReader
import TagTypes

extension FuzzTarget {
  /// Every plan on every kind of tag, with answers that are now and then short, long, wrong or lost.
  ///
  /// The first byte chooses the tag, the second what is done with it. The others are what goes wrong, and
  /// when.
  static let plans = FuzzTarget(name: "plans") { bytes in
    var source = ByteSource(bytes)
    let card = try ObedientCard(Int(source.byte()))
    let job = PlanJob(source.byte())
    let channel = MoodyChannel(card)
    let moods = source
    try runInline {
      do throws(TagError) { try await job.prepare(channel) } catch {
        // What is asked of a tag it may not be able to do at all.
        try require(!error.message.isEmpty && !error.hint.isEmpty, "an error explains itself")
      }
      let before = await channel.memory
      await channel.misbehave(moods)
      var written: [UInt8]?
      do throws(TagError) {
        written = try await job.run(channel)
      } catch {
        try require(!error.message.isEmpty && !error.hint.isEmpty, "an error explains itself")
        let claimsNothing =
          error.code != .tagChanged && job.isOnePlan
          && (error.message.contains("nothing was written")
            || error.message.contains("nothing was changed"))
        let (after, lies) = (await channel.memory, await channel.hasLied)
        try require(
          !claimsNothing || lies || after == before, "“\(error.message)” is not true")
      }
      if let written, await !channel.hasLied {
        let tag = try await Tag.identify(over: channel.behaving())
        try require(tag.content == .message(written), "what is said to be written is there")
      }
      let count = await channel.commandCount
      try require(count < ScriptedChannel.limit, "no answers lead into a loop")
    }
  }
}

/// What is done with a tag.
private struct PlanJob: Sendable {
  private let kind: UInt8
  private let isNew: Bool
  private let old: NDEFMessage
  private let new: NDEFMessage

  /// - Parameter choice: The job in its lowest three bits; then how long the messages are.
  init(_ choice: UInt8) {
    kind = choice & 0x07
    isNew = choice & 0x08 != 0
    let letters = [0, 20, 60, 110]
    func message(_ letter: String, _ length: UInt8) -> NDEFMessage {
      NDEFMessage(
        uri: "https://example.com/" + String(repeating: letter, count: letters[Int(length & 3)]))
    }
    old = message("a", choice >> 4)
    new = message("b", choice >> 6)
  }

  /// Whether an error tells of everything that was done; a restoration follows a write of its own.
  var isOnePlan: Bool { kind != 6 }

  private static let password = TagPassword("01020304")

  func prepare(_ channel: MoodyChannel) async throws(TagError) {
    guard !isNew else { return }
    let tag = try await Tag.identify(over: channel)
    _ = try await tag.planWrite(old, over: channel).execute(over: channel)
  }

  /// - Returns: The message that the tag has now, where that is what was done.
  func run(_ channel: MoodyChannel) async throws(TagError) -> [UInt8]? {
    let tag = try await Tag.identify(over: channel, includingConfiguration: true)
    switch kind {
    case 0, 1:
      _ = try await tag.planWrite(new, over: channel, overwritingForeignData: true)
        .execute(over: channel)
      return new.bytes
    case 2:
      _ = try await tag.planErase(over: channel).execute(over: channel)
      return nil
    case 3:
      guard case .message(let bytes) = tag.content else { return nil }
      _ = try await tag.planLock(of: bytes, over: channel).execute(over: channel)
      return bytes
    case 4, 5:
      guard let password = Self.password else { return nil }
      let opened = try await AuthenticatedChannel.open(channel, with: password)
      let found = try await Tag.identify(over: opened, includingConfiguration: true)
      let plan =
        kind == 4
        ? try await found.planPassword(password, found.usualPasswordRule, over: opened)
        : try await found.planPasswordRemoval(over: opened)
      _ = try await plan.execute(over: opened)
      return nil
    case 6:
      guard let type2 = tag.type2 else { return nil }
      let dump = try await type2.dump(over: channel)
      _ = try await tag.planWrite(new, over: channel, overwritingForeignData: true)
        .execute(over: channel)
      let changed = try await Tag.identify(over: channel, includingConfiguration: true)
      guard let found = changed.type2 else { return nil }
      let plan = try await found.planRestore(dump, over: channel)
      _ = try await plan.write.execute(over: channel)
      return nil
    default:
      guard let template = try? MirrorTemplate("https://e.xy/{uid}") else { return nil }
      _ = try await tag.planWrite(template, over: channel, overwritingForeignData: true)
        .execute(over: channel)
      return nil
    }
  }
}

/// A simulated tag of any kind that does what it is told.
private enum ObedientCard: Sendable {
  case type2(SimulatedTag)
  case type4(SimulatedType4Tag)
  case type5(SimulatedType5Tag)

  init(_ choice: Int) throws {
    let type5: [SimulatedType5Tag.Product] = [
      .slix, .slix2, .st25dv04k, .st25dv64k, .mb89r118, .icode3, .lri2k, .tagIt,
    ]
    let known = Type2Layout.all.map { layout in
      { ObedientCard.type2(try SimulatedTag(layout)) }
    }
    let sizes = [8, 32, 48, 56, 144, 240, 496, 888, 1008]
    let unknown = sizes.map { size in { ObedientCard.type2(try Self.unknown(areaByteCount: size)) }
    }
    let others = [
      { ObedientCard.type2(try SimulatedTag.generic()) },
      { ObedientCard.type4(try SimulatedType4Tag(.ntag424)) },
      { ObedientCard.type4(try SimulatedType4Tag(.generic())) },
    ]
    let all =
      known + unknown + others
      + type5.map { product in { ObedientCard.type5(try SimulatedType5Tag(product)) } }
    self = try all[choice % all.count]()
  }

  /// A Type 2 tag that tells no version, and where its lock bits are only if its size permits.
  private static func unknown(areaByteCount: Int) throws -> SimulatedTag {
    let lockPage = 4 + areaByteCount / 4
    let isNamed = areaByteCount > 48 && lockPage * 4 % 64 < 16 && lockPage * 4 / 64 < 16
    let pagesPerBit = lockPage <= 0x30 ? 2 : 16
    let place = UInt8(lockPage * 4 / 64 * 16 % 256 + lockPage * 4 % 16)
    let bits = UInt8(max(0, lockPage - 17) / pagesPerBit + 1)
    let control: [UInt8] =
      isNamed
      ? [1, 3, place, bits, pagesPerBit == 2 ? 0x36 : 0x66, 3, 0, 0xFE]
      : [3, 0, 0xFE, 0, 0, 0, 0, 0]
    let layout = Type2Layout(
      name: "other", pageCount: lockPage + (isNamed ? 1 : 0), userPages: 4...lockPage - 1,
      capabilityContainer: [0xE1, 0x10, UInt8(areaByteCount / 8), 0], factoryData: control,
      dynamicLockPage: isNamed ? lockPage : nil)
    return try SimulatedTag(layout)
  }

  var target: TagTarget {
    switch self {
    case .type2(let tag): TagTarget(atqa: [0x00, 0x44], sak: 0x00, uid: tag.uid)
    case .type4(let tag):
      TagTarget(atqa: [0x03, 0x44], sak: 0x20, uid: tag.uid, ats: [0x77, 0x77, 0x71, 0x02, 0x80])
    case .type5(let tag): TagTarget(vicinityUID: tag.uid)
    }
  }

  var memory: [UInt8] {
    switch self {
    case .type2(let tag): tag.memory
    case .type4(let tag): tag.memory
    case .type5(let tag): tag.memory
    }
  }

  /// - Returns: `nil` for a refusal or silence.
  mutating func answer(_ command: [UInt8], hasOption: Bool = false) -> [UInt8]? {
    let answer: TagAnswer
    switch self {
    case .type4(var tag):
      defer { self = .type4(tag) }
      return tag.response(to: command)
    case .type2(var tag):
      answer = tag.receive(command)
      self = .type2(tag)
    case .type5(var tag):
      let head = command.first ?? 0 >= 0xA0 ? 2 : 1
      answer = tag.receive(
        [hasOption ? 0x62 : 0x22] + command.prefix(head) + tag.uid.reversed()
          + command.dropFirst(head))
      self = .type5(tag)
    }
    switch answer {
    case .data(let bytes): return bytes
    case .acknowledged: return []
    case .refused, .silence, .damaged: return nil
    }
  }

  /// The field goes off and on, and the tag is selected.
  mutating func powerUp() {
    func select(_ card: inout some SimulatedCard) {
      card.fieldOff()
      card.fieldOn()
      _ = card.request(wakeUp: true)
      _ = card.select()
    }
    switch self {
    case .type2(var tag):
      select(&tag)
      self = .type2(tag)
    case .type4(var tag):
      select(&tag)
      self = .type4(tag)
    case .type5(var tag):
      select(&tag)
      self = .type5(tag)
    }
  }
}

/// A channel to a tag that does what it is told, with answers that do not always arrive as they were given.
///
/// The input is pairs: how many commands are answered as they should be, and what happens to the next one.
private actor MoodyChannel: TagChannel {
  nonisolated let target: TagTarget
  private var card: ObedientCard
  private var source = ByteSource([])
  private var isMisbehaving = false
  private var commandsLeft = 0
  private(set) var commandCount = 0
  /// Whether an answer was given that says something else than is so, with the right length perhaps.
  private(set) var hasLied = false

  var memory: [UInt8] { card.memory }

  init(_ card: ObedientCard) {
    self.card = card
    target = card.target
    self.card.powerUp()
  }

  func misbehave(_ source: ByteSource) {
    self.source = source
    isMisbehaving = !source.isEmpty
    commandsLeft = Int(self.source.byte())
  }

  /// The channel, from now on without moods.
  func behaving() -> MoodyChannel {
    (isMisbehaving, refusedCommand) = (false, nil)
    card.powerUp()
    return self
  }

  func exchange(_ command: [UInt8]) throws(TagChannelError) -> [UInt8] {
    commandCount += 1
    guard commandCount < ScriptedChannel.limit else {
      throw TagChannelError(.readerFailed, "endless")
    }
    guard isMisbehaving, commandsLeft == 0 else {
      commandsLeft -= isMisbehaving ? 1 : 0
      return try obey(command)
    }
    let mood = source.byte()
    let detail = source.byte()
    isMisbehaving = !source.isEmpty
    commandsLeft = Int(source.byte())
    switch mood % 12 {
    case 0: return Array(try obey(command).prefix(Int(detail)))
    case 1:
      return try obey(command) + [UInt8](repeating: detail, count: 1 + Int(detail % 20))
    case 2:
      let answer = try obey(command)
      hasLied = true
      return (0..<(detail < 128 ? answer.count : Int(detail % 40))).map { _ in source.byte() }
    case 3:
      var answer = try obey(command)
      guard !answer.isEmpty else { return [detail] }
      hasLied = true
      answer[Int(detail) % answer.count] ^= 1 << (detail >> 5)
      return answer
    case 4, 5, 6:
      // A refusal as long as somebody tries, of something that was done.
      _ = try obey(command)
      refusedCommand = detail & 1 == 0 ? command : nil
      return try refuse()
    case 7:
      refusedCommand = detail & 1 == 0 ? command : nil
      isCarriedOut = false
      return try refuse()
    case 8:
      _ = try obey(command)
      throw TagChannelError(.tagLost, "lost")
    case 9: throw TagChannelError(detail & 1 == 0 ? .notCarried : .tagLost, "not carried, or lost")
    case 10: throw TagChannelError(detail & 1 == 0 ? .tagChanged : .readerFailed, "failed")
    default: return []
    }
  }

  func exchangeWithOption(_ command: [UInt8]) throws(TagChannelError) -> [UInt8] {
    hasOption = true
    defer { hasOption = false }
    return try exchange(command)
  }

  private var hasOption = false

  /// A command that is refused whenever it comes, and whether it is carried out all the same.
  private var refusedCommand: [UInt8]?
  private var isCarriedOut = true

  private func obey(_ command: [UInt8]) throws(TagChannelError) -> [UInt8] {
    if command == refusedCommand {
      if isCarriedOut { _ = card.answer(command, hasOption: hasOption) }
      return try refuse()
    }
    guard let answer = card.answer(command, hasOption: hasOption) else { return try refuse() }
    return answer
  }

  private func refuse() throws(TagChannelError) -> [UInt8] {
    card.powerUp()
    throw TagChannelError(.refused, "refused")
  }

  func reselect(fieldCycle: Bool) throws(TagChannelError) {
    commandCount += 1
    guard commandCount < ScriptedChannel.limit else {
      throw TagChannelError(.readerFailed, "endless")
    }
    card.powerUp()
  }
}
