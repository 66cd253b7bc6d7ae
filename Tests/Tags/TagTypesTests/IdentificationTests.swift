import NDEF
@testable import TagTypes
import Testing

let exampleURI = "https://example.com/menu/dinner/item/1234"
let example = NDEFMessage(uri: exampleURI)

@Suite("Identifying and reading")
struct IdentificationTests {
  @Test(
    "every product is told by GET_VERSION and has its capacity",
    arguments: [
      (Type2Layout.ntag213, 137), (.ntag215, 492), (.ntag216, 868), (.ultralight, 46),
      (.ntag210, 46), (.ntag212, 121), (.ultralightEV1Small, 46), (.ultralightEV1Large, 126),
    ])
  func products(layout: Type2Layout, capacity: Int) async throws {
    let tag = try await Type2Tag.identify(over: ModelTag(layout))
    #expect(tag.layout == layout)
    #expect(tag.capacity == capacity)
    #expect(tag.used == 0)
    #expect(!tag.isLocked)
    #expect(tag.uid == ModelTag.uid)
    #expect(
      tag.content == (layout.isFormattedAtFactory ? .empty : .unformatted(holdsData: false)))
  }

  @Test("the input capacitance and a later minor version do not make another product")
  func versions() {
    for layout in Type2Layout.all {
      guard var version = layout.version else { continue }
      for (capacitance, minor) in [(UInt8(1), UInt8(0)), (2, 0), (1, 1), (2, 7)] {
        version[3] = capacitance
        version[5] = minor
        #expect(Type2Layout.all.filter { $0.matches(version) } == [layout])
      }
      version[4] = 2
      #expect(!layout.matches(version))
      #expect(!layout.matches(Array(version.dropLast())))
    }
  }

  @Test("a new NTAG is identified and read in two exchanges, an Ultralight in five")
  func exchanges() async throws {
    for layout in [Type2Layout.ntag213, .ntag215, .ntag216] {
      #expect(try await Type2Tag.identify(over: ModelTag(layout)).exchanges == 2)
    }
    #expect(try await Type2Tag.identify(over: ModelTag(.ultralight)).exchanges == 5)
  }

  @Test(
    "disturbed answers do not make an unknown product of an NTAG: its version is asked for again",
    arguments: [
      (Type2Layout.ntag215, [0, 2]), (.ntag215, [0, 2, 4]), (.ntag213, [0, 2, 4]),
      (.ntag212, [1, 2]), (.ultralightEV1Large, [0, 2]),
    ])
  func disturbedVersion(layout: Type2Layout, commands: [Int]) async throws {
    let model = ModelTag(layout)
    await model.setFaults(ModelTag.Faults(cutAnswers: Set(commands)))
    #expect(try await Type2Tag.identify(over: model).layout == layout)
  }

  @Test(
    "a tag of another kind is named",
    arguments: [
      (UInt8(0x08), "MIFARE Classic 1K (SAK 08), which no iPhone reads"),
      (0x18, "MIFARE Classic 4K (SAK 18), which no iPhone reads"), (0x20, "ISO-DEP"),
      (0x40, "peer-to-peer"),
    ])
  func otherKinds(sak: UInt8, name: String) async throws {
    let channel = SilentTag(target: TagTarget(atqa: [0, 4], sak: sak, uid: [1, 2, 3, 4]))
    do {
      _ = try await Type2Tag.identify(over: channel)
      Issue.record("accepted")
    } catch {
      #expect(error.code == .tagUnsupported)
      #expect(error.message.contains(name))
    }
  }

  @Test("a tag of unknown version is read by its capability container")
  func unknownVersion() async throws {
    let layout = Type2Layout.other(pageCount: 48, container: [0xE1, 0x10, 0x12, 0x00])
    for knowsFastRead in [true, false] {
      let model = ModelTag(layout, knowsFastRead: knowsFastRead)
      let plan = try await Type2Tag.identify(over: model).planWrite(example, over: model)
      #expect(plan.tag.name == "like MIFARE Ultralight EV1 MF0UL21")
      #expect(plan.tag.capacity == 142)
      #expect(plan.tag.type2?.layout.isKnownProduct == false)
      #expect(try await plan.execute(over: model).tag.content == .message(example.bytes))
    }
  }

  @Test("a twin is called what it is like, with its maker, and handled as a tag that nobody knows")
  func twin() async throws {
    let uid: [UInt8] = [0x53, 0x5C, 0x4D, 0xCA, 0xEE, 0x02, 0x1F]
    for (layout, maker) in [(Type2Layout.ntag213, UInt8(0x53)), (.ntag215, 0x1D), (.ntag216, 0x34)]
    {
      let model = ModelTag(layout.by(maker), memory: ModelTag.factory(layout, uid: uid), uid: uid)
      for message in [nil, example] {
        if let message {
          let plan = try await Type2Tag.identify(over: model).planWrite(message, over: model)
          _ = try await plan.execute(over: model)
        }
        let tag = try await Type2Tag.identify(over: model, includingConfiguration: true)
        #expect(tag.name == "like \(layout.name)")
        #expect(!tag.layout.isKnownProduct)
        #expect(tag.productVersion?.vendor == maker)
        #expect(tag.productVersion?.vendorName != nil && tag.productVersion?.vendorName != "NXP")
        #expect(TagTypes.Tag.productNames.contains(tag.name))
      }
    }
  }

  @Test(
    "a product that is known by its name alone is called by it, and handled by its container",
    arguments: [
      ("NTAG I2C 1K", [0x00, 0x04, 0x04, 0x05, 0x02, 0x01, 0x13, 0x03] as [UInt8], 0),
      ("NTAG I2C plus 2K", [0x00, 0x04, 0x04, 0x05, 0x02, 0x02, 0x15, 0x03], 32),
      ("NTAG 223 DNA", [0x00, 0x04, 0x04, 0x02, 0x04, 0x00, 0x0F, 0x03], 48),
      ("NTAG 224 DNA StatusDetect", [0x00, 0x04, 0x04, 0x08, 0x05, 0x00, 0x10, 0x03], 48),
      ("MIFARE Ultralight AES", [0x00, 0x04, 0x03, 0x02, 0x04, 0x00, 0x0F, 0x03], 48),
    ])
  func namedAlone(name: String, version: [UInt8], signatureByteCount: Int) async throws {
    let layout = Type2Layout(
      name: name, pageCount: 0x3C, userPages: 0x04...0x27,
      capabilityContainer: [0xE1, 0x10, 0x12, 0x00],
      factoryData: [0x03, 0x00, 0xFE, 0x00, 0x00, 0x00, 0x00, 0x00], version: version)
    let tag = try await Type2Tag.identify(over: ModelTag(layout), includingConfiguration: true)
    #expect(tag.name == name && !tag.layout.isKnownProduct)
    #expect(tag.content == .empty && tag.capacity == 142)
    #expect(TagTypes.Tag.productNames.contains(name))
    for count in [32, 48] {
      let answer = [UInt8](repeating: 0xA5, count: count)
      let channel = SignatureChannel(answer: answer)
      let signature = try await tag.readSignature(over: channel)
      #expect(signature == (count == signatureByteCount ? answer : nil))
    }
  }

  @Test("a chip of another maker with the pages of a MIFARE Ultralight is called like one")
  func twinWithoutVersion() async throws {
    let tag = try await Type2Tag.identify(
      over: ModelTag(.ultralight, uid: [0x05, 0x5C, 0x4D, 0xCA, 0xEE, 0x02, 0x1F]))
    #expect(tag.name == "like MIFARE Ultralight")
    #expect(tag.layout == .ultralight)
    #expect(TagTypes.Tag.productNames.contains(tag.name))
    #expect(try await Type2Tag.identify(over: ModelTag(.ultralight)).name == "MIFARE Ultralight")
  }

  @Test("a twin with a UID of NXP's is found out when it is asked, and not before it said so twice")
  func twinWithForeignUID() async throws {
    let model = ModelTag(Type2Layout.ntag213.by(0x53), memory: ModelTag.factory(.ntag213))
    let plan = try await Type2Tag.identify(over: model).planWrite(example, over: model)
    _ = try await plan.execute(over: model)
    let tag = try await TagTypes.Tag.identify(over: model, includingConfiguration: true)
    let asked = try await tag.namedByItself(over: model)
    #expect(asked.name == "like NTAG213")
    #expect(asked.content == .message(example.bytes))
    let genuine = ModelTag(.ntag213)
    let right = try await TagTypes.Tag.identify(over: genuine, includingConfiguration: true)
    await genuine.setFaults(ModelTag.Faults(cutAnswers: [0]))
    #expect(try await right.namedByItself(over: genuine).name == "NTAG213")
  }

  @Test("locks of pages that no known lock bits close are not known on a tag of no known product")
  func unknownLocks() async throws {
    let uid: [UInt8] = [0x53, 0x5C, 0x4D, 0xCA, 0xEE, 0x02, 0x1F]
    func tag(like layout: Type2Layout) async throws -> Type2Tag {
      let model = ModelTag(layout.by(0x53), memory: ModelTag.factory(layout, uid: uid), uid: uid)
      if let page = layout.dynamicLockPage { await model.store([0xFF, 0, 0, 0xBD], at: page) }
      return try await Type2Tag.identify(over: model, includingConfiguration: true)
    }
    let large = try await tag(like: .ntag215)
    #expect(large.lockedPages == [])
    #expect(large.pagesWithUnknownLocks == 16...127)
    // The factory's Lock Control TLV of an NTAG213 locates the lock bytes.
    let small = try await tag(like: .ntag213)
    #expect(small.pagesWithUnknownLocks == nil)
    #expect(small.lockedPages == Array(16...31))
    let known = try await Type2Tag.identify(over: ModelTag(.ntag215), includingConfiguration: true)
    #expect(known.pagesWithUnknownLocks == nil)
  }

  @Test(
    "a container that denies reading is neither written nor locked, whatever the nibble",
    arguments: [UInt8(0x10), 0x70, 0x80, 0x88, 0xF0, 0xFF])
  func readingDenied(access: UInt8) async throws {
    let model = ModelTag(.ntag213)
    let first = try await Type2Tag.identify(over: model).planWrite(example, over: model)
    _ = try await first.execute(over: model)
    await model.store([0xE1, 0x10, 0x12, access], at: 3)
    await model.setFaults(.init())
    let tag = try await TagTypes.Tag.identify(over: model, includingConfiguration: true)
    #expect(tag.content == .message(example.bytes))
    #expect(tag.containerThatDeniesReading == [0xE1, 0x10, 0x12, access])
    for message in [example, NDEFMessage(uri: "https://other.example")] {
      await #expect(throws: TagError.Code.notNDEF) {
        try await codeOf { () async throws(TagError) in
          _ = try await tag.planWrite(message, over: model)
        }
      }
    }
    await #expect(throws: TagError.Code.notNDEF) {
      try await codeOf { () async throws(TagError) in
        _ = try await tag.planLock(of: example.bytes, over: model)
      }
    }
    #expect(await model.writes == [])
  }

  @Test("a tag silent to GET_VERSION that is larger than an Ultralight is not called one")
  func silentButLarge() async throws {
    let layout = Type2Layout.other(
      pageCount: 135, container: [0xE1, 0x10, 0x3E, 0x00], version: nil)
    let model = ModelTag(layout, memory: ModelTag.factory(.ntag215))
    let tag = try await Type2Tag.identify(over: model)
    #expect(tag.name == "unknown Type 2")
    #expect(tag.capacity == 492)
    let plan = try await tag.planWrite(example, over: model)
    #expect(try await plan.execute(over: model).tag.content == .message(example.bytes))
  }

  @Test("one lost answer to GET_VERSION does not turn an NTAG into something else")
  func lostVersion() async throws {
    for lost in [Set([0]), [1], [2]] {
      var faults = ModelTag.Faults()
      faults.lostAnswers = lost
      let tag = try await Type2Tag.identify(over: ModelTag(.ntag215, faults: faults))
      #expect(tag.layout == .ntag215)
    }
  }

  @Test("an answer of the wrong length is asked for again")
  func cutAnswer() async throws {
    for cut in 0...1 {
      var faults = ModelTag.Faults()
      faults.cutAnswers = [cut]
      let tag = try await Type2Tag.identify(over: ModelTag(.ntag215, faults: faults))
      #expect(tag.layout == .ntag215)
      #expect(tag.content == .empty)
    }
  }

  @Test("a capability container larger than the product does not lead into its configuration")
  func oversizedContainer() async throws {
    let model = ModelTag(.ntag213)
    await model.store([0xE1, 0x10, 0x6D, 0x00], at: 3)
    #expect(try await Type2Tag.identify(over: model).capacity == 137)
  }

  @Test("a capability container that is not one of NDEF is reported, not an error")
  func notNDEF() async throws {
    for container: [UInt8] in [[0x12, 0x34, 0x56, 0x78], [0xE1, 0x20, 0x06, 0x00]] {
      let model = ModelTag(.ultralight)
      await model.store(container, at: 3)
      let tag = try await Type2Tag.identify(over: model)
      #expect(tag.content == .notNDEF)
      #expect(tag.capacity == 0)
      await #expect(throws: TagError.Code.notNDEF) {
        try await codeOf { () async throws(TagError) in
          _ = try await tag.planWrite(example, over: model)
        }
      }
    }
  }

  @Test("a tag that leaves while it is read is lost, and another one is not mistaken for it")
  func lost() async throws {
    for count in 0..<2 {
      var faults = ModelTag.Faults()
      faults.vanishesAfter = count
      await #expect(throws: TagError.Code.tagLost) {
        try await codeOf { () async throws(TagError) in
          _ = try await Type2Tag.identify(over: ModelTag(.ntag215, faults: faults))
        }
      }
      faults = ModelTag.Faults()
      faults.swappedAfter = count
      await #expect(throws: TagError.Code.tagChanged) {
        try await codeOf { () async throws(TagError) in
          _ = try await Type2Tag.identify(over: ModelTag(.ntag215, faults: faults))
        }
      }
    }
  }
}

extension Type2Layout {
  /// The same product with another maker in the answer to GET_VERSION.
  func by(_ maker: UInt8) -> Type2Layout {
    var answer = version ?? []
    if answer.count > 1 { answer[1] = maker }
    return Type2Layout(
      name: "twin", pageCount: pageCount, userPages: userPages,
      capabilityContainer: capabilityContainer, factoryData: factoryData,
      dynamicLockPage: dynamicLockPage, pagesPerLockBit: pageCount > 100 ? 16 : 2,
      configurationPage: configurationPage, version: answer, mirroring: mirroring)
  }
}

/// A tag that answers no command.
struct SilentTag: TagChannel {
  let target: TagTarget

  func exchange(_ command: [UInt8]) async throws(TagChannelError) -> [UInt8] {
    throw TagChannelError(.tagLost, "silent")
  }

  func reselect(fieldCycle: Bool) async throws(TagChannelError) {
    throw TagChannelError(.tagLost, "silent")
  }
}

extension TagError.Code: Error {}

/// Converts a tag error into its code, so that a test can compare the code alone.
func codeOf<Value: Sendable>(
  _ body: () async throws(TagError) -> Value
) async throws(TagError.Code) -> Value {
  do throws(TagError) {
    return try await body()
  } catch {
    throw error.code
  }
}

/// A tag that answers READ_SIG and nothing else.
private struct SignatureChannel: TagChannel {
  let answer: [UInt8]
  let target = TagTarget(atqa: [0x00, 0x44], sak: 0x00, uid: ModelTag.uid)

  func exchange(_ command: [UInt8]) async throws(TagChannelError) -> [UInt8] {
    guard command == [0x3C, 0x00] else { throw TagChannelError(.refused, "not READ_SIG") }
    return answer
  }
  func reselect(fieldCycle: Bool) async throws(TagChannelError) {}
}
