import NDEF
import Testing

@testable import TagTypes

/// Returns the plan that locks a tag with a message.
private func lockPlan(
  _ model: ModelTag, lockingConfiguration: Bool = true
) async throws(TagError) -> LockPlan {
  let tag = try await Type2Tag.identify(over: model, includingConfiguration: true)
  return try await tag.planLock(
    of: example.bytes, over: model, lockingConfiguration: lockingConfiguration)
}

/// Returns the error that `body` throws, or `nil`.
func errorOf(_ body: () async throws(TagError) -> Void) async -> TagError? {
  do throws(TagError) {
    try await body()
    return nil
  } catch {
    return error
  }
}

/// Returns a tag that holds the example message.
func modelWithExample(_ layout: Type2Layout) async throws -> ModelTag {
  let model = ModelTag(layout)
  let tag = try await Type2Tag.identify(over: model)
  _ = try await tag.planWrite(example, over: model).execute(over: model)
  await model.setFaults(.init())
  return model
}

/// Products, and the pages written to lock them, in order.
private let products: [(layout: Type2Layout, pages: [Int])] = [
  (.ntag213, [0x2A, 3, 0x28, 0x28, 2, 2]), (.ntag215, [0x84, 3, 0x82, 0x82, 2, 2]),
  (.ntag216, [0xE4, 3, 0xE2, 0xE2, 2, 2]), (.ntag212, [0x26, 3, 0x24, 0x24, 2, 2]),
  (.ntag210, [0x11, 3, 2, 2]), (.ultralight, [3, 2, 2]), (.ultralightEV1Small, [0x11, 3, 2, 2]),
  (.ultralightEV1Large, [0x26, 3, 0x24, 0x24, 2, 2]), (.ultralightC, [3, 0x28, 0x28, 2, 2]),
]

@Suite("Locking for good")
struct LockTests {
  @Test(
    "a tag is locked in the order configuration, container, dynamic, static, and proven",
    arguments: products)
  func order(layout: Type2Layout, pages: [Int]) async throws {
    let model = try await modelWithExample(layout)
    let message = await messageByAnotherReader(model.memory)
    let plan = try await lockPlan(model)
    #expect(plan.steps.map(\.page) == pages)
    #expect(plan.irreversible.count == pages.count)
    #expect(await model.writes.isEmpty)
    await model.setFaults(.init())
    let report = try await plan.execute(over: model)
    #expect(report.pagesWritten == Set(pages).count)
    #expect(await Array(model.writes.prefix(pages.count)) == pages)
    #expect(report.refusedPages == plan.probes)
    #expect(report.exchanges <= plan.expectedExchanges)
    #expect(report.tag.type2?.lockState == .permanent)
    #expect(await messageByAnotherReader(model.memory) == message)
    for page in layout.userPages {
      await #expect(throws: TagChannelError.self) {
        _ = try await model.exchange([0xA2, UInt8(page), 1, 2, 3, 4])
      }
    }
  }

  @Test("reserved bits of the dynamic lock page are sent as zero, every other bit as one")
  func reservedBits() async throws {
    for (layout, expected) in [
      (Type2Layout.ntag213, [0xFF, 0x0F, 0x3F, 0x00] as [UInt8]), (.ntag215, [0xFF, 0, 0x0F, 0]),
      (.ntag216, [0xFF, 0x3F, 0x7F, 0]), (.ntag212, [0xFF, 0x03, 0x1F, 0]),
      (.ultralightC, [0xFF, 0x66, 0, 0]),
    ] {
      let step = try await lockPlan(try await modelWithExample(layout)).steps
        .first { $0.purpose == .freezeDynamically }
      #expect(step?.sent == expected, "\(layout.name)")
    }
  }

  @Test("no lock bit is sent along with a bit that would freeze it before it was read back")
  func locksBeforeFreezing() async throws {
    for (layout, _) in products {
      let steps = try await lockPlan(try await modelWithExample(layout)).steps
      for (lock, freeze) in zip(steps, steps.dropFirst()) where lock.page == freeze.page {
        let isStatic = lock.page == 2
        let blocks: [UInt8] =
          isStatic ? [0, 0, 7, 0] : layout == .ultralightC ? [0x11, 6, 0, 0] : [0, 0, 0xFF, 0]
        #expect(zip(lock.sent, blocks).allSatisfy { $0 & $1 == 0 }, "\(layout.name)")
        #expect(freeze.before == lock.after)
      }
    }
  }

  @Test("lock bits that cover the last data pages do not lock the page they stand on")
  func lockPageStaysOpen() async throws {
    for (layout, page) in [(Type2Layout.ntag215, 0x82), (.ntag216, 0xE2)] {
      let model = try await modelWithExample(layout)
      await model.store([0xFF, 0x3F, 0, 0xBD], at: page)
      let report = try await lockPlan(model).execute(over: model)
      #expect(report.tag.type2?.configuration?.isLocked == true)
      #expect(report.tag.type2?.lockState == .permanent)
    }
  }

  @Test("every bit of the configuration that is not CFGLCK is kept")
  func configurationIsKept() async throws {
    let model = try await modelWithExample(.ntag213)
    await model.store([0x13, 0xA5, 0x5A, 0xC3], at: 0x2A)
    let step = try await lockPlan(model).steps.first
    #expect(step?.after == [0x53, 0xA5, 0x5A, 0xC3])
  }

  @Test("a bit of the configuration that one answer showed wrongly is not locked in")
  func garbledConfiguration() async throws {
    let page = Type2Layout.ntag213.configurationPage ?? 0
    let undisturbed = try await modelWithExample(.ntag213)
    _ = try await lockPlan(undisturbed)
    let commands = await undisturbed.commands
    for (index, command) in commands.enumerated() where [0x30, 0x3A].contains(command[0]) {
      for byte in 0..<64 {
        let model = try await modelWithExample(.ntag213)
        let before = await Array(model.memory[page * 4..<page * 4 + 8])
        let first = await model.commands.count - commands.count
        await model.setFaults(.init(garbledAnswers: [first + commands.count + index: byte]))
        _ = await errorOf { () throws(TagError) in
          _ = try await lockPlan(model).execute(over: model)
        }
        let after = await Array(model.memory[page * 4..<page * 4 + 8])
        let locked = before.enumerated().map { $0.offset == 4 ? $0.element | 0x40 : $0.element }
        #expect(after == before || after == locked, "answer \(index), byte \(byte)")
      }
    }
  }

  @Test("a locked tag is written no more, and its locks are tried all the same")
  func alreadyLocked() async throws {
    for (layout, _) in products {
      let model = try await modelWithExample(layout)
      _ = try await lockPlan(model).execute(over: model)
      let memory = await model.memory
      await model.setFaults(.init())
      let plan = try await lockPlan(model)
      #expect(plan.isAlreadyLocked)
      let report = try await plan.execute(over: model)
      #expect(report.wasAlreadyLocked)
      #expect(report.refusedPages.isEmpty == false)
      #expect(await Set(model.writes) == Set(plan.probes))
      #expect(await model.memory == memory)
    }
  }

  @Test("a tag that takes a write is not locked, whatever its lock bytes say")
  func counterfeit() async throws {
    for (layout, _) in products {
      let model = try await modelWithExample(layout)
      var faults = ModelTag.Faults()
      faults.ignoresLocks = true
      await model.setFaults(faults)
      do throws(TagError) {
        _ = try await lockPlan(model).execute(over: model)
        Issue.record("\(layout.name) was reported as locked")
      } catch {
        #expect(error.code == .verifyFailed)
        #expect(error.page == 15)
        #expect(error.message.contains("not locked"))
      }
      #expect(await messageByAnotherReader(model.memory) == example.bytes)
    }
  }

  @Test("only a tag that holds the message can be locked")
  func otherMessage() async throws {
    for model in [ModelTag(.ntag215), try await modelWithExample(.ntag215)] {
      let tag = try await TagTypes.Tag.identify(over: model)
      #expect(
        await errorOf { () async throws(TagError) in
          _ = try await tag.planLock(of: NDEFMessage(uri: "https://a.example/").bytes, over: model)
        }?.code == .verifyFailed)
      #expect(await model.writes.isEmpty)
    }
  }

  @Test("a message that changed before it was locked in fails the check")
  func changedMessage() async throws {
    let model = try await modelWithExample(.ntag215)
    let plan = try await lockPlan(model)
    await model.store([0x78], at: 7)
    let failure = await errorOf { () async throws(TagError) in
      _ = try await plan.execute(over: model)
    }
    #expect(failure?.code == .verifyFailed)
    #expect(failure?.page == 7)
  }

  @Test("a lock bit that is frozen open is found before anything is written")
  func frozen() async throws {
    for (layout, page, bytes, open) in [
      (Type2Layout.ntag215, 2, [0, 0x48, 0x02, 0x00] as [UInt8], 4),
      (.ntag215, 2, [0, 0x48, 0x04, 0x00], 10), (.ntag213, 0x28, [0, 0, 0x01, 0xBD], 16),
      (.ultralightC, 0x28, [0x10, 0, 0, 0], 0x1C),
    ] {
      let model = try await modelWithExample(layout)
      await model.store(bytes, at: page)
      let failure = await errorOf { () async throws(TagError) in _ = try await lockPlan(model) }
      #expect(failure?.code == .tagLocked)
      #expect(failure?.page == open)
      #expect(await model.writes.isEmpty)
    }
  }

  @Test("a container that was frozen while it said writable is told, and the tag is locked")
  func frozenContainer() async throws {
    let model = try await modelWithExample(.ntag215)
    await model.store([0, 0x48, 0x08, 0x00], at: 2)
    let plan = try await lockPlan(model)
    #expect(plan.notes.count == 1)
    #expect(plan.steps.map(\.page) == [0x84, 0x82, 0x82, 2, 2])
    let report = try await plan.execute(over: model)
    #expect(report.tag.type2?.lockState == .permanent)
  }

  @Test(
    "a tag with a password is locked only when it was given, and never when it hides the message")
  func password() async throws {
    let model = try await modelWithExample(.ntag215)
    await model.store([0x04, 0, 0, 4], at: 0x83)
    #expect(
      await errorOf { () async throws(TagError) in _ = try await lockPlan(model) }?.code
        == .tagPassword)
    let password = try #require(TagPassword("FFFFFFFF"))
    let channel = try await AuthenticatedChannel.open(model, with: password)
    let tag = try await Type2Tag.identify(over: channel, includingConfiguration: true)
    let plan = try await tag.planLock(of: example.bytes, over: channel)
    #expect(plan.notes.count == 1)
    let report = try await plan.execute(over: channel)
    #expect(report.tag.type2?.lockState == .permanent)

    let hidden = try await modelWithExample(.ntag215)
    await hidden.store([0x04, 0, 0, 4, 0x80, 5, 0, 0], at: 0x83)
    let open = try await AuthenticatedChannel.open(hidden, with: password)
    let hiddenTag = try await Type2Tag.identify(over: open, includingConfiguration: true)
    #expect(hiddenTag.hidesMessage)
    #expect(
      await errorOf { () async throws(TagError) in
        _ = try await hiddenTag.planLock(of: example.bytes, over: open)
      }?.code == .tagPassword)
    #expect(await hidden.writes.isEmpty)
  }

  @Test("an unknown product is locked where its Lock Control block says, and not without one")
  func unknownProduct() async throws {
    let layout = Type2Layout.other(pageCount: 48, container: [0xE1, 0x10, 0x14, 0x00])
    let model = ModelTag(layout)
    await model.store([0x01, 0x03, 0xB0, 0x0E, 0x34, 0x03, 0x00, 0xFE], at: 4)
    await model.store([0, 0, 0, 0xBD], at: 44)
    let tag = try await Type2Tag.identify(over: model)
    _ = try await tag.planWrite(example, over: model).execute(over: model)
    let plan = try await lockPlan(model)
    #expect(plan.steps.map(\.page) == [3, 44, 2, 2])
    #expect(plan.steps[1].sent == [0xFF, 0x3F, 0x00, 0xBD])

    let bare = ModelTag(layout)
    await bare.store([0x03, 0x00, 0xFE, 0x00], at: 4)
    let bareTag = try await Type2Tag.identify(over: bare)
    _ = try await bareTag.planWrite(example, over: bare).execute(over: bare)
    #expect(
      await errorOf { () async throws(TagError) in _ = try await lockPlan(bare) }?.code
        == .tagUnsupported)
  }

  @Test(
    "a tag that looks like a product, but does not say so, is neither locked nor given a password")
  func impostor() async throws {
    let layout = Type2Layout(
      name: "impostor", pageCount: 45, userPages: 4...39,
      capabilityContainer: [0xE1, 0x10, 0x12, 0],
      factoryData: Type2Layout.ntag213.factoryData, version: [0, 0x53, 4, 2, 1, 0, 0x0F, 3])
    let model = try await modelWithExample(layout)
    await model.store([0, 0, 0, 0xBD], at: 40)
    let tag = try await Type2Tag.identify(over: model, includingConfiguration: true)
    #expect(tag.name == "NTAG213")
    #expect(
      await errorOf { () async throws(TagError) in _ = try await lockPlan(model) }?.code
        == .tagUnsupported)
    let channel = AuthenticatedChannel(withoutPassword: model)
    let password = try #require(TagPassword("01020304"))
    #expect(
      await errorOf { () async throws(TagError) in
        _ = try await tag.planPassword(password, nil, over: channel)
      }?.code == .tagUnsupported)
    #expect(await model.writes.isEmpty)
  }

  @Test("a Lock Control block that points at the container or the data is not believed")
  func lyingLockControl() async throws {
    let layout = Type2Layout.other(pageCount: 48, container: [0xE1, 0x10, 0x12, 0x00])
    let model = ModelTag(layout)
    // Byte 12, the capability container.
    await model.store([0x01, 0x03, 0x30, 0x0C, 0x32, 0x03, 0x00, 0xFE], at: 4)
    let tag = try await Type2Tag.identify(over: model)
    _ = try await tag.planWrite(example, over: model).execute(over: model)
    await model.setFaults(.init())
    #expect(
      await errorOf { () async throws(TagError) in _ = try await lockPlan(model) }?.code
        == .tagUnsupported)
    #expect(await model.writes.isEmpty)
  }

  @Test("without the configuration, mirror and password stay open and are not tried")
  func withoutConfiguration() async throws {
    let model = try await modelWithExample(.ntag215)
    let plan = try await lockPlan(model, lockingConfiguration: false)
    #expect(plan.steps.map(\.page) == [3, 0x82, 0x82, 2, 2])
    #expect(plan.probes == [15, 0x7F])
    let report = try await plan.execute(over: model)
    #expect(report.tag.type2?.configuration?.isLocked == false)
  }

  @Test("the state of the locks is told apart: open, in part, for good")
  func state() async throws {
    let model = try await modelWithExample(.ntag215)
    func state() async throws -> Type2Tag.LockState {
      try await Type2Tag.identify(over: model, includingConfiguration: true).lockState
    }
    #expect(try await state() == .open)
    await model.store([0xE1, 0x10, 0x3E, 0x0F], at: 3)
    #expect(try await state() == .partial)
    await model.store([0, 0x48, 0xFF, 0xFF], at: 2)
    #expect(try await state() == .partial)
    await model.store([0xFF, 0, 0, 0xBD], at: 0x82)
    #expect(try await state() == .permanent)
  }
}
