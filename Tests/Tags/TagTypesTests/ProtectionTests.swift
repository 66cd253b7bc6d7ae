import NDEF
import Testing

@testable import TagTypes

@Suite("Locks, passwords, mirrors")
struct ProtectionTests {
  private let long = NDEFMessage(uri: "https://" + String(repeating: "x", count: 200))

  private func failure(
    writing message: NDEFMessage, to model: ModelTag
  ) async -> (code: TagError.Code, page: Int?)? {
    do {
      let tag = try await Type2Tag.identify(over: model)
      _ = try await tag.planWrite(message, over: model).execute(over: model)
      return nil
    } catch {
      return (error.code, error.page)
    }
  }

  @Test("a page with its static lock bit set is found before anything is written")
  func staticLock() async throws {
    for (page, bits) in [
      (4, [0x10, 0x00]), (7, [0x80, 0x00]), (8, [0x00, 0x01]), (14, [0, 0x40]),
    ] {
      let model = ModelTag(.ntag215)
      await model.store([0, 0x48, UInt8(bits[0]), UInt8(bits[1])], at: 2)
      let before = await model.memory
      let failure = await failure(writing: example, to: model)
      #expect(failure?.code == .tagLocked)
      #expect(failure?.page == page)
      #expect(await model.memory == before)
      let tag = try await Type2Tag.identify(over: model)
      #expect(tag.isLocked)
      #expect(tag.protection(of: page) == .locked)
    }
  }

  @Test("a lock bit on a page that does not change does not matter")
  func unrelatedLock() async throws {
    let model = ModelTag(.ntag215)
    await model.store([0, 0x48, 0, 0x80], at: 2)
    #expect(await failure(writing: example, to: model) == nil)
  }

  @Test("every dynamic lock bit locks the pages the data sheet says")
  func dynamicLock() async throws {
    let cases: [(Type2Layout, Int, ClosedRange<Int>)] = [
      (.ntag213, 0, 0x10...0x11), (.ntag213, 11, 0x26...0x27), (.ntag215, 0, 0x10...0x1F),
      (.ntag215, 7, 0x80...0x81), (.ntag216, 13, 0xE0...0xE1), (.ntag216, 8, 0x90...0x9F),
      (.ntag212, 0, 0x10...0x11), (.ntag212, 9, 0x22...0x23),
      (.ultralightEV1Large, 1, 0x12...0x13), (.ultralightEV1Large, 9, 0x22...0x23),
    ]
    for (layout, bit, pages) in cases {
      let model = ModelTag(layout)
      let bits = 1 << bit
      let lockPage = try #require(layout.dynamicLockPage)
      await model.store([UInt8(bits & 0xFF), UInt8(bits >> 8), 0, 0xBD], at: lockPage)
      let tag = try await Type2Tag.identify(over: model, includingConfiguration: true)
      for page in layout.userPages {
        #expect(tag.protection(of: page) == (pages.contains(page) ? .locked : .open))
      }
      guard layout.isFormattedAtFactory else { continue }
      // The data area of NTAG215 and NTAG216 ends before the last user pages.
      let lastOfArea = try #require(tag.capabilityContainer).dataAreaByteCount / 4 + 3
      #expect(tag.isLocked == (pages.lowerBound <= lastOfArea))
    }
  }

  @Test("dynamic lock bits are read before a message that reaches their pages is written")
  func dynamicLockBeforeWriting() async throws {
    let model = ModelTag(.ntag215)
    await model.store([0x02, 0, 0, 0xBD], at: 0x82)
    let before = await model.memory
    let failure = await failure(writing: long, to: model)
    #expect(failure?.code == .tagLocked)
    #expect(failure?.page == 0x20)
    #expect(await model.memory == before)
    #expect(await self.failure(writing: example, to: model) == nil)
  }

  @Test("the lock bits of an unknown product are where its Lock Control block says")
  func lockControl() async throws {
    let layout = Type2Layout.other(pageCount: 48, container: [0xE1, 0x10, 0x12, 0x00])
    let model = ModelTag(layout)
    await model.store([0x01, 0x03, 0xA0, 0x0C, 0x34, 0x03, 0x00, 0xFE], at: 4)
    await model.store([0x02, 0, 0, 0], at: 40)
    let tag = try await Type2Tag.identify(over: model, includingConfiguration: true)
    #expect(tag.protection(of: 0x12) == .locked)
    #expect(tag.protection(of: 0x13) == .locked)
    #expect(tag.protection(of: 0x14) == .open)
    #expect(tag.isLocked)
  }

  @Test(
    "a capability container without write access is locked, with proprietary access a password",
    arguments: [
      (UInt8(0x0F), TagError.Code.tagLocked), (0x08, .tagPassword), (0x0E, .tagPassword),
      (0x01, .tagLocked),
    ])
  func container(access: UInt8, code: TagError.Code) async throws {
    let model = ModelTag(.ntag215)
    await model.store([0xE1, 0x10, 0x3E, access], at: 3)
    #expect(await failure(writing: example, to: model)?.code == code)
    #expect(await model.writes.isEmpty)
  }

  @Test("a locked tag that holds the message already is no failure")
  func lockedButCorrect() async throws {
    let model = ModelTag(.ntag215)
    #expect(await failure(writing: example, to: model) == nil)
    await model.store([0, 0x48, 0xFF, 0xFF], at: 2)
    #expect(await failure(writing: example, to: model) == nil)
    #expect(await failure(writing: long, to: model)?.code == .tagLocked)
  }

  @Test("a password is found before a message is lost, or from the first refusal")
  func password() async throws {
    for firstProtectedPage in [4, 8, 14] {
      let model = ModelTag(.ntag215)
      #expect(await failure(writing: NDEFMessage(uri: "https://a.example"), to: model) == nil)
      await model.store([0x04, 0, 0, UInt8(firstProtectedPage)], at: 0x83)
      let before = await model.memory
      let failure = await failure(writing: example, to: model)
      #expect(failure?.code == .tagPassword)
      #expect(failure?.page == (firstProtectedPage == 4 ? 4 : firstProtectedPage))
      #expect(await model.memory == before)
    }
    let blank = ModelTag(.ntag215)
    await blank.store([0x04, 0, 0, 8], at: 0x83)
    let failure = await failure(writing: example, to: blank)
    #expect(failure?.code == .tagPassword)
    #expect(failure?.page == 8)
    #expect(await messageByAnotherReader(blank.memory) == [])
  }

  @Test("whether a password is set is only said when the configuration was read")
  func passwordKnown() async throws {
    // A product identified by its version, so that its configuration is not read on the way.
    let model = ModelTag(.ntag212)
    let tag = try await Type2Tag.identify(over: model)
    #expect(tag.isPasswordProtected == nil)
    #expect(try await tag.readingConfiguration(over: model).isPasswordProtected == false)
    await model.store([0x04, 0, 0, 0x10], at: 0x25)
    let protected = try await tag.readingConfiguration(over: model)
    #expect(protected.isPasswordProtected == true)
    #expect(protected.firstProtectedPage == 0x10)
    let ultralight = try await Type2Tag.identify(over: ModelTag(.ultralight))
    #expect(ultralight.isPasswordProtected == false)
  }

  @Test(
    "pages guarded against reading are never filled from an answer that rolled over",
    arguments: [4, 5, 6, 7, 8, 13, 60])
  func readProtection(firstProtectedPage: Int) async throws {
    let model = ModelTag(.ntag215)
    #expect(await failure(writing: long, to: model) == nil)
    await model.store([0x04, 0, 0, UInt8(firstProtectedPage), 0x80, 0, 0, 0], at: 0x83)
    let tag = try await Type2Tag.identify(over: model, includingConfiguration: true)
    if firstProtectedPage < 56 {
      #expect(tag.content == .unreadable(page: firstProtectedPage))
      #expect(await failure(writing: example, to: model)?.code == .tagPassword)
    } else {
      #expect(tag.content == .message(long.bytes))
    }
    #expect(tag.isPasswordProtected == true)
    let dump = try await tag.dump(over: model)
    let memory = await model.memory
    for (page, bytes) in dump.pages.enumerated() {
      let stored = Array(memory[page * 4..<page * 4 + 4])
      #expect(bytes == (page < firstProtectedPage ? stored : nil))
    }
  }

  @Test("a mirrored UID does not fail verification, and the tag counts as correct")
  func mirror() async throws {
    let uri = "https://example.com/t/00000000000000/x"
    let model = ModelTag(.ntag213)
    // The mirror begins where the placeholder will be: byte 33 is page 8, byte 1.
    let message = NDEFMessage(uri: uri)
    let start = 16 + 5 + 2 + message.bytes.count - 16
    await model.store([0x44 | UInt8(start % 4) << 4, 0, UInt8(start / 4), 0xFF], at: 0x29)
    #expect(await failure(writing: message, to: model) == nil)
    #expect(await messageByAnotherReader(model.memory) == message.bytes)
    let tag = try await Type2Tag.identify(over: model)
    guard case .message(let shown) = tag.content else {
      Issue.record("no message")
      return
    }
    let seen = try NDEFMessage(decoding: shown).firstURI()?.uri
    #expect(seen == "https://example.com/t/04E10CDA993C80/x")
    #expect(try await tag.planWrite(message, over: model).isAlreadyCorrect)
    #expect(try await !tag.planWrite(example, over: model).isAlreadyCorrect)
  }
}
