import CliptagBasics
import NDEF
import SimulatedReader
import Testing

@testable import TagTypes

/// A channel to a tag on which some commands are carried out but reported as refused, as when every
/// acknowledgement is lost.
private struct UnheardChannel<Base: TagChannel>: TagChannel {
  let base: Base
  /// The answer that replaces the refusal; for APDUs, a status word.
  var answer: [UInt8]?
  /// Whether the command is carried out.
  var isDone = true
  let isUnheard: @Sendable ([UInt8]) -> Bool

  var target: TagTarget { base.target }
  var maximumAnswerByteCount: Int { base.maximumAnswerByteCount }

  func exchange(_ command: [UInt8]) async throws(TagChannelError) -> [UInt8] {
    guard isUnheard(command) else { return try await base.exchange(command) }
    if isDone { _ = try? await base.exchange(command) }
    if let answer { return answer }
    try await reselect(fieldCycle: false)
    throw TagChannelError(.refused, "not heard")
  }

  func reselect(fieldCycle: Bool) async throws(TagChannelError) {
    try await base.reselect(fieldCycle: fieldCycle)
  }
}

/// Reading back after every refusal, before anything is reported.
@Suite("Refused writes")
struct RefusalTests {
  private let old = NDEFMessage(uri: "https://example.org/old")

  @Test("a page that was stored though nobody heard of it counts as written", arguments: 4...14)
  func storedPage(page: Int) async throws {
    for layout in [Type2Layout.ntag215, .ultralight, .ntag203] {
      for isNew in [true, false] {
        let model = ModelTag(layout)
        if !isNew {
          let tag = try await Type2Tag.identify(over: model)
          _ = try await tag.planWrite(old, over: model).execute(over: model)
        }
        let channel = UnheardChannel(base: model) { $0[0] == 0xA2 && Int($0[1]) == page }
        let tag = try await Type2Tag.identify(over: channel)
        let report = try await tag.planWrite(example, over: channel).execute(over: channel)
        #expect(report.tag.content == .message(example.bytes))
        #expect(await messageByAnotherReader(model.memory) == example.bytes)
      }
    }
  }

  @Test("of a page that holds something else after a refusal it is told what that is")
  func otherPage() async throws {
    for page in [4, 9] {
      let model = try await modelWithExample(.ntag215)
      let channel = UnheardChannel(base: model) { $0[0] == 0xA2 && Int($0[1]) == page }
      let tag = try await Type2Tag.identify(over: channel)
      let plan = try await tag.planWrite(
        NDEFMessage(uri: "https://example.org/other"), over: channel)
      await model.setFaults(ModelTag.Faults(wrongPages: [page]))
      let error = await errorOf { () async throws(TagError) in
        _ = try await plan.execute(over: channel)
      }
      let held = await model.page(page).hexadecimal
      #expect(error?.code == .writeRefused && error?.page == page)
      #expect(error?.message.contains("page \(page) reads \(held) now") == true)
      #expect(error?.message.contains("nothing was written") == false)
    }
  }

  @Test("a page that was not stored is told as that, with what the tag holds now")
  func refusedPage() async throws {
    let model = try await modelWithExample(.ntag215)
    let tag = try await Type2Tag.identify(over: model)
    let plan = try await tag.planWrite(NDEFMessage(uri: "https://example.org/other"), over: model)
    for (page, words) in [(4, "nothing was written"), (9, "the tag reads as empty")] {
      await model.setFaults(ModelTag.Faults(refusedWrites: [page: .max]))
      let error = await errorOf { () async throws(TagError) in
        _ = try await plan.execute(over: model)
      }
      #expect(error?.message.contains(words) == true)
    }
  }

  @Test("a tag that leaves while a refusal is looked into may have been written to")
  func leavesAfterRefusal() async throws {
    let model = try await modelWithExample(.ntag215)
    let tag = try await Type2Tag.identify(over: model)
    let plan = try await tag.planWrite(NDEFMessage(uri: "https://example.org/other"), over: model)
    for count in 1...5 {
      await model.setFaults(
        ModelTag.Faults(vanishesAfter: count, refusedWrites: [4: .max]))
      let error = await errorOf { () async throws(TagError) in
        _ = try await plan.execute(over: model)
      }
      // If the page reads as before, it is certain that nothing was written.
      #expect(
        error?.code == (count < 4 ? .tornWrite : .tagLost), "\(count): \(error?.message ?? "")")
    }
  }

  @Test("a block that was stored though nobody heard of it counts as written", arguments: 1...11)
  func storedBlock(block: Int) async throws {
    for isNew in [true, false] {
      let base = Type5Channel(try SimulatedType5Tag(.slix2))
      if !isNew {
        let tag = try await Tag.identify(over: base)
        _ = try await tag.planWrite(old, over: base).execute(over: base)
      }
      let channel = UnheardChannel(base: base) { $0[0] == 0x21 && Int($0[1]) == block }
      let tag = try await Tag.identify(over: channel)
      let report = try await tag.planWrite(example, over: channel).execute(over: channel)
      #expect(report.tag.content == .message(example.bytes))
      #expect(await base.storedMessage() == example.bytes)
    }
  }

  @Test("a container that was closed though nobody heard of it counts as closed")
  func storedContainerOfType5() async throws {
    let base = Type5Channel(try SimulatedType5Tag(.slix2))
    let blank = try await Tag.identify(over: base)
    _ = try await blank.planWrite(example, over: base).execute(over: base)
    let channel = UnheardChannel(base: base) { $0[0] == 0x21 && $0[1] == 0 }
    let tag = try await Tag.identify(over: channel, includingConfiguration: true)
    let plan = try await tag.planLock(of: example.bytes, over: channel)
    _ = try await plan.execute(over: channel)
    #expect(await base.tag.blocks[0][1] & 0x03 == 3)
  }

  @Test(
    "bytes of a file that were stored count as written, whatever was answered",
    arguments: [nil, [0x65, 0x81], [0x69, 0x82], [0x6A, 0x82]] as [[UInt8]?])
  func storedBytes(answer: [UInt8]?) async throws {
    for isNew in [true, false] {
      let model = ModelType4Tag()
      if !isNew {
        let tag = try await Tag.identify(over: model)
        _ = try await tag.planWrite(old, over: model).execute(over: model)
      }
      for offset: UInt8 in [0, 2] {
        let channel = UnheardChannel(base: model, answer: answer) {
          $0[1] == 0xD6 && $0[3] == offset
        }
        let tag = try await Tag.identify(over: channel)
        let report = try await tag.planWrite(example, over: channel).execute(over: channel)
        #expect(report.tag.content == .message(example.bytes))
        #expect(await model.message == example.bytes)
      }
    }
  }

  @Test("of a file that refused and holds what it held, nothing was written is said")
  func refusedBytes() async throws {
    for answer in [nil, [0x65, 0x81], [0x69, 0x82]] as [[UInt8]?] {
      let model = ModelType4Tag()
      let empty = try await Tag.identify(over: model)
      _ = try await empty.planWrite(old, over: model).execute(over: model)
      let channel = UnheardChannel(base: model, answer: answer, isDone: false) { $0[1] == 0xD6 }
      let tag = try await Tag.identify(over: channel)
      let error = await errorOf { () async throws(TagError) in
        _ = try await tag.planWrite(example, over: channel).execute(over: channel)
      }
      #expect(error?.message.contains("nothing was written") == true)
      #expect(await model.message == old.bytes)
    }
  }

  @Test("a Type 4 tag that was closed though nobody heard of it counts as closed")
  func storedContainerOfType4() async throws {
    let container = ModelType4Tag.container(size: 256)
    let model = ModelType4Tag(container: container, version: [])
    let empty = try await Tag.identify(over: model)
    _ = try await empty.planWrite(example, over: model).execute(over: model)
    await model.setFaults(ModelType4Tag.Faults(opensContainer: true))
    let channel = UnheardChannel(base: model) { $0[1] == 0xD6 && $0[3] == 14 }
    let tag = try await Tag.identify(over: channel)
    let plan = try await tag.planLock(of: example.bytes, over: channel)
    let report = try await plan.execute(over: channel)
    #expect(report.tag.isLocked)
    #expect(await model.files[0xE103]?.last == 0xFF)
  }

  @Test("a password that was stored though nobody heard of it counts as written")
  func storedPassword() async throws {
    for page in [0x83, 0x84, 0x85, 0x86] {
      let model = try await modelWithExample(.ntag215)
      let base = UnheardChannel(base: model) { $0[0] == 0xA2 && Int($0[1]) == page }
      let channel = AuthenticatedChannel(withoutPassword: base)
      let tag = try await Type2Tag.identify(over: channel, includingConfiguration: true)
      let plan = try await tag.planPassword(.old, PasswordRule(), over: channel)
      let report = try await plan.execute(over: channel)
      #expect(report.refusedPage != nil)
    }
  }

  @Test("a block of unknown lock that refuses leaves the message that the tag has")
  func blockKeepsMessage() async throws {
    for (before, after) in [(old, example), (example, old)] {
      var card = try SimulatedType5Tag(.slix2)
      card.place(try Type5Image(before, byteCount: 316).bytes, atBlock: 0)
      let base = Type5Channel(card, carriesBlocksOnly: true)
      let tag = try await Tag.identify(over: base, includingConfiguration: true)
      let plan = try await tag.planWrite(after, over: base)
      let last = try #require(plan.changedPages.last)
      let channel = UnheardChannel(base: base, isDone: false) {
        $0[0] == 0x21 && Int($0[1]) == last
      }
      let error = await errorOf { () async throws(TagError) in
        _ = try await plan.execute(over: channel)
      }
      #expect(error?.page == last)
      #expect(await base.storedMessage() == before.bytes)
    }
  }
}

/// The commands that operations on a large Type 5 tag cost.
@Suite("Commands that a large Type 5 tag takes")
struct LargeType5Tests {
  @Test("the locks of a product that locks by areas take one command, a blank memory three reads")
  func counts() async throws {
    let channel = Type5Channel(try SimulatedType5Tag(.st25dv64k))
    let blank = try await Tag.identify(over: channel, includingConfiguration: true)
    #expect(blank.content == .unformatted(holdsData: false))
    var commands = await channel.commands.map { $0[0] }
    #expect(commands.filter { [0x2C, 0x3C].contains($0) }.count == 1)
    let reads = commands.count
    _ = try await blank.planWrite(example, over: channel).execute(over: channel)
    let count = await channel.commands.count
    let used = try await Tag.identify(over: channel, includingConfiguration: true)
    #expect(used.content == .message(example.bytes))
    commands = await channel.commands.dropFirst(count).map { $0[0] }
    #expect(commands.filter { [0x2C, 0x3C].contains($0) }.count == 1)
    #expect(commands.count <= 4 && reads <= 8)
  }

  @Test("other data far behind the beginning of a large memory is not written over")
  func otherData() async throws {
    var card = try SimulatedType5Tag(.st25dv64k)
    card.place([1, 2, 3, 4], atBlock: 100)
    let channel = Type5Channel(card)
    let tag = try await Tag.identify(over: channel, includingConfiguration: true)
    let long = NDEFMessage(uri: "https://example.com/" + String(repeating: "a", count: 600))
    let error = await errorOf { () async throws(TagError) in
      _ = try await tag.planWrite(long, over: channel)
    }
    #expect(error?.code == .notNDEF)
    _ = try await tag.planWrite(example, over: channel).execute(over: channel)
    #expect(await channel.tag.blocks[100] == [1, 2, 3, 4])
    #expect(await channel.storedMessage() == example.bytes)
  }
}
