import NDEF
import Testing

@testable import TagTypes

@Suite("URLs that the tag fills in")
struct MirrorTests {
  static let templates = [
    "https://example.com/t?u={uid}", "https://example.com/{counter}",
    "https://e.example/{uid}x{counter}/e", "https://a.example/?{uid}",
    "https://ab.example/?{uid}", "https://abc.example/?{uid}x{counter}",
    "https://abcd.example/?n={counter}&x=1",
  ]

  private func template(_ text: String) throws -> MirrorTemplate {
    try #require(try MirrorTemplate(text))
  }

  private func write(_ template: MirrorTemplate, to model: ModelTag) async throws -> WriteReport {
    try await Type2Tag.identify(over: model).planWrite(template, over: model)
      .execute(over: model)
  }

  /// Returns the text that a phone opens.
  private func seen(_ model: ModelTag) async throws -> String? {
    guard let bytes = await messageByAnotherReader(model.shownMemory), !bytes.isEmpty else {
      return nil
    }
    return try NDEFMessage(decoding: bytes).firstURI()?.uri
  }

  @Test("what stands in the braces, and where, decides what is shown")
  func kinds() throws {
    #expect(try template("https://a.example/{uid}").kind == .uid)
    #expect(try template("https://a.example/{counter}/x").kind == .counter)
    let both = try template("https://a.example/{uid}x{counter}")
    #expect(both.kind == .uidAndCounter)
    #expect(
      both.filled(uid: ModelTag.uid, counter: 0x1F) == "https://a.example/04E10CDA993C80x00001F")
    #expect(both.reserved == "https://a.example/00000000000000x000000")
    for text in ["https://a.example/", "https://a.example/{1}", "{", "}{", "https://{}/"] {
      #expect(try MirrorTemplate(text) == nil)
    }
  }

  @Test("a name in braces that no tag fills in is told by name")
  func unknownPlaceholder() throws {
    for text in ["https://a.example/{place}", "https://a.example/{uid}/{place}"] {
      let problem = #expect(throws: MirrorTemplate.Problem.self) { try MirrorTemplate(text) }
      #expect(problem?.message == "no tag fills in {place}")
    }
  }

  @Test(
    "places that one mirror cannot fill in are refused",
    arguments: [
      "https://a.example/?u={uid}&n={counter}", "https://a.example/{counter}x{uid}",
      "https://a.example/{uid}/{uid}", "https://a.example/{uid}{counter}",
      "https://a.example/{uid}x{counter}x{uid}", "https://a.example/{uid}/{place}",
      "https://a.example/{uid}X{counter}", "https://a.example/{{uid}}",
    ])
  func impossible(text: String) {
    #expect(throws: MirrorTemplate.Problem.self) { try MirrorTemplate(text) }
  }

  @Test(
    "a phone gets the URL with this tag's UID and counter, and the other bits stay",
    arguments: [Type2Layout.ntag213, .ntag215, .ntag216], templates)
  func fillsIn(layout: Type2Layout, text: String) async throws {
    let template = try template(text)
    let page = try #require(layout.configurationPage)
    let model = ModelTag(layout)
    await model.store([0x04, 0x00, 0x00, 0xFF, 0x02, 0x05, 0x00, 0x00], at: page)
    let plan = try await Type2Tag.identify(over: model).planWrite(template, over: model)
    #expect(plan.irreversible.isEmpty)
    #expect(plan.changesMirror)
    #expect(plan.startsCounting == template.kind.showsCounter)
    let report = try await plan.execute(over: model)
    #expect(report.exchanges == plan.expectedExchanges)
    let count = template.kind.showsCounter ? 1 : 0
    #expect(try await seen(model) == template.filled(uid: ModelTag.uid, counter: count))
    #expect(await messageByAnotherReader(model.memory) == template.message.bytes)
    let configuration = await model.page(page) + (await model.page(page + 1))
    #expect(configuration[0] & 0x0F == 0x04)
    #expect(configuration[3] == 0xFF)
    #expect(configuration[4] == (template.kind.showsCounter ? 0x12 : 0x02))
    #expect(configuration[5] == 5)

    await model.setFaults(.init())
    let again = try await Type2Tag.identify(over: model).planWrite(template, over: model)
    #expect(again.isAlreadyCorrect)
    #expect(await model.commands.count == 2)
  }

  @Test("a small NTAG fills in its UID and nothing else")
  func smallNTAG() async throws {
    let model = ModelTag(.ntag212)
    _ = try await write(try template("https://a.example/{uid}"), to: model)
    #expect(try await seen(model) == "https://a.example/04E10CDA993C80")
    for (layout, text) in [
      (Type2Layout.ntag210, "{counter}"), (.ntag212, "{uid}x{counter}"), (.ultralight, "{uid}"),
      (.ultralightEV1Large, "{uid}"), (.ultralightC, "{uid}"),
    ] {
      let model = ModelTag(layout)
      let before = await model.memory
      await #expect(throws: TagError.Code.tagUnsupported) {
        try await codeOf { () async throws(TagError) in
          guard let template = try? MirrorTemplate("https://a.example/\(text)") else { return }
          _ = try await Type2Tag.identify(over: model).planWrite(template, over: model)
        }
      }
      #expect(await model.memory == before)
    }
  }

  @Test(
    "torn at any step a phone gets the old URL, nothing, or the new one, and the next run ends right",
    arguments: [
      nil, "https://old.example/{uid}x{counter}?more=than+before", "https://old.example/",
    ],
    [nil, 1, 2, 3])
  func torn(old: String?, halfByteCount: Int?) async throws {
    let template = try template("https://example.com/t/{uid}")
    func start() async throws -> ModelTag {
      let model = ModelTag(.ntag213)
      if let old, let template = try MirrorTemplate(old) {
        _ = try await write(template, to: model)
      } else if let old {
        let tag = try await Type2Tag.identify(over: model)
        _ = try await tag.planWrite(NDEFMessage(uri: old), over: model).execute(over: model)
      }
      return model
    }
    let fresh = try await start()
    let plan = try await Type2Tag.identify(over: fresh).planWrite(template, over: fresh)
    #expect(plan.steps.map(\.purpose).suffix(2) == [.configure, .publish])
    let before = try await seen(fresh)
    for count in 0..<plan.expectedExchanges {
      let model = try await start()
      var faults = ModelTag.Faults()
      faults.vanishesAfter = count
      faults.lastWriteByteCount = halfByteCount
      faults.lastCommandCounts = halfByteCount == nil && count.isMultiple(of: 2)
      await model.setFaults(faults)
      await #expect(throws: TagError.Code.tornWrite) {
        try await codeOf { () async throws(TagError) in _ = try await plan.execute(over: model) }
      }
      await model.setFaults(.init())
      // A page torn in its middle may be unreadable for a phone.
      if let now = try? await seen(model) {
        #expect(
          now == before || now == template.filled(uid: ModelTag.uid), "\(count)")
      }
      _ = try await write(template, to: model)
      #expect(try await seen(model) == template.filled(uid: ModelTag.uid))
    }
  }

  @Test("a plain URL switches a mirror off that would hide a part of it, and leaves another alone")
  func switchesOff() async throws {
    let model = ModelTag(.ntag215)
    let template = try template("https://example.com/menu/{uid}x{counter}")
    _ = try await write(template, to: model)
    let tag = try await Type2Tag.identify(over: model)
    let plan = try await tag.planWriteUnmirrored(example, over: model)
    #expect(plan.changesMirror)
    _ = try await plan.execute(over: model)
    #expect(try await seen(model) == exampleURI)
    #expect(await messageByAnotherReader(model.memory) == example.bytes)
    #expect(await model.page(0x83) == [0x04, 0, 0, 0xFF])

    await model.store([0x44, 0, 0x40, 0xFF], at: 0x83)
    let far = try await Type2Tag.identify(over: model).planWriteUnmirrored(example, over: model)
    #expect(far.isAlreadyCorrect)
    #expect(!far.changesMirror)
  }

  @Test("what a mirror hid is written when it goes, also where it showed the same")
  func hidden() async throws {
    let model = ModelTag(.ntag213)
    _ = try await write(try template("https://example.com/?n={counter}"), to: model)
    let page = (16 + 2 + 5 + "example.com/?n=".count) / 4
    await model.store([0x2A, 0x2A, 0x2A, 0x2A], at: page + 1)
    await model.setCounter(-1)
    let tag = try await Type2Tag.identify(over: model)
    let message = NDEFMessage(uri: "https://example.com/?n=000000")
    _ = try await tag.planWriteUnmirrored(message, over: model).execute(over: model)
    #expect(try await seen(model) == "https://example.com/?n=000000")
  }

  @Test("a configuration that is locked or behind a password is told before anything is written")
  func closedConfiguration() async throws {
    let template = try template("https://example.com/{uid}")
    for (bytes, code) in [
      ([0x04, 0, 0, 0xFF, 0x40, 0, 0, 0], TagError.Code.tagLocked),
      ([0x04, 0, 0, 0x83, 0x00, 0, 0, 0], .tagPassword),
      ([0x04, 0, 0, 0x84, 0x00, 0, 0, 0], .tagPassword),
      ([0x04, 0, 0, 0x84, 0x80, 0, 0, 0], .tagPassword),
    ] as [([UInt8], TagError.Code)] {
      let model = ModelTag(.ntag215)
      await model.store(bytes, at: 0x83)
      await #expect(throws: code) {
        try await codeOf { () async throws(TagError) in
          _ = try await Type2Tag.identify(over: model).planWrite(template, over: model)
        }
      }
      #expect(await model.writes.isEmpty)
    }
    let counting = try self.template("https://example.com/{counter}")
    let model = ModelTag(.ntag215)
    await model.store([0x08, 5, 0, 0], at: 0x84)
    await #expect(throws: TagError.Code.tagPassword) {
      try await codeOf { () async throws(TagError) in
        _ = try await Type2Tag.identify(over: model).planWrite(counting, over: model)
      }
    }
  }

  @Test("a locked configuration that is right already does not stand in the way")
  func lockedAndRight() async throws {
    let template = try template("https://example.com/{uid}")
    let model = ModelTag(.ntag213)
    _ = try await write(template, to: model)
    await model.store([0x40, 0, 0, 0], at: 0x2A)
    let report = try await write(template, to: model)
    #expect(report.wasAlreadyCorrect)
    let other = try self.template("https://example.org/{uid}")
    _ = try await write(other, to: model)
    #expect(try await seen(model) == other.filled(uid: ModelTag.uid))
  }

  @Test("a tag that stores its configuration but shows something else fails the verification")
  func lyingTag() async throws {
    let template = try template("https://example.com/{uid}")
    var faults = ModelTag.Faults()
    faults.mirroredText = "04E10CDA993C81"
    for text in ["04E10CDA993C81", "00000000000000", "04e10cda993c80", ""] {
      faults.mirroredText = text
      let model = ModelTag(.ntag213, faults: faults)
      for _ in 0..<2 {
        await #expect(throws: TagError.Code.verifyFailed) {
          try await codeOf { () async throws(TagError) in
            let tag = try await Type2Tag.identify(over: model)
            _ = try await tag.planWrite(template, over: model).execute(over: model)
          }
        }
      }
    }
    let counting = try self.template("https://example.com/{counter}")
    faults.mirroredText = "00000G"
    let model = ModelTag(.ntag213, faults: faults)
    await #expect(throws: TagError.Code.verifyFailed) {
      try await codeOf { () async throws(TagError) in
        let tag = try await Type2Tag.identify(over: model)
        _ = try await tag.planWrite(counting, over: model).execute(over: model)
      }
    }
  }

  @Test("configuration pages that read back differently are named")
  func wrongConfiguration() async throws {
    var faults = ModelTag.Faults()
    faults.wrongPages = [0x2A]
    let model = ModelTag(.ntag213, faults: faults)
    do {
      let tag = try await Type2Tag.identify(over: model)
      let plan = try await tag.planWrite(
        try template("https://example.com/{counter}"), over: model)
      _ = try await plan.execute(over: model)
      Issue.record("accepted")
    } catch let error as TagError {
      #expect(error.code == .verifyFailed)
      #expect(error.page == 0x2A)
    }
  }
}
