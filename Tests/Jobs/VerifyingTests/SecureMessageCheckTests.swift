import CliptagBasics
import JourneyFixtures
import Foundation
import Invocation
import Registry
import TagAuthenticity
import Testing
import Verifying

/// The meaning of a Secure Unique NFC message for the code that carries it.
@Suite("Messages of codes") struct SecureMessageCheckTests {
  private let registry: any RegistryStore

  init() throws { registry = try Fixtures.registry() }

  private static let uid = "04DE5F1EACC040"
  /// NXP AN12196, section 4.4: counter 61.
  private static let message = "e=EF963FF7828658A599F3041510671E88&c=94EED9EE65337086"
  private static let url = "https://fruta.example.com/order/cupertino?" + message

  private static let keys = """
    messages:
      - prefix: https://fruta.example.com/order
        piccData: e
        mac: c
        metaReadKey: "00000000000000000000000000000000"
        fileReadKey: "00000000000000000000000000000000"
    """

  private func check(consuming: Bool = true) throws -> SecureMessageCheck {
    let registry = registry
    return SecureMessageCheck(
      keys: try SecureMessageKeys.read(Data(Self.keys.utf8)),
      counting: consuming
        ? .remembering { () throws(RegistryError) in registry } : .comparing(registry))
  }

  private func code(_ url: String = url, tag uid: String? = uid) throws -> VerifiedCode {
    VerifiedCode(
      source: "reader",
      verification: try registry.check.examine(
        payload: url, carrier: uid == nil ? .url : .nfc, location: .waived),
      tag: uid.map {
        TagFacts(
          uid: $0, type: "NTAG 424 DNA", capacity: 254, used: 90, locked: false,
          passwordProtected: false)
      })
  }

  @Test("a message is accepted once; shown again, the code is rejected")
  func onlyOnce() async throws {
    let check = try check()
    let first = try await check.examine(try code())
    #expect(first.verdict == .accepted)
    #expect(first.findings.map(\.code) == [.messageValid])
    #expect(first.secureMessage?.uid == Self.uid && first.secureMessage?.counter == 61)
    #expect(first.secureMessage?.lastCounter == nil)
    let second = try await check.examine(try code())
    #expect(second.verdict == .rejected)
    #expect(second.verification.verdict == .accepted, "its URL is as right as before")
    #expect(second.findings.map(\.code) == [.messageReplayed])
    #expect(second.secureMessage?.result == .replayed)
    #expect(second.secureMessage?.lastCounter == 61)
  }

  @Test("comparing uses nothing up, and still knows what was used up")
  func comparing() async throws {
    let comparing = try check(consuming: false)
    for _ in 0..<2 { #expect(try await comparing.examine(try code()).verdict == .accepted) }
    #expect(try registry.tagCounters() == [])
    _ = try await check().examine(try code())
    #expect(try await comparing.examine(try code()).verdict == .rejected)
  }

  @Test("a forged message is rejected and leaves the counter alone")
  func forged() async throws {
    let forged = Self.url.replacing("7086", with: "7087")
    let answer = try await check().examine(try code(forged))
    #expect(answer.verdict == .rejected)
    #expect(answer.findings.map(\.code) == [.messageInvalid])
    #expect(answer.secureMessage?.uid == nil)
    #expect(try registry.tagCounters() == [])
  }

  @Test("a message that another tag carries is a copy, and is not used up")
  func otherTag() async throws {
    let answer = try await check().examine(try code(tag: "04958CAA5C5E80"))
    #expect(answer.verdict == .rejected)
    #expect(answer.findings.map(\.code) == [.messageOfAnotherTag])
    #expect(answer.secureMessage?.result == .wrongTag)
    #expect(try await check().examine(try code()).verdict == .accepted)
  }

  @Test("a tag with a random UID is taken by what its message says; a scanned code has no tag")
  func withoutTrueUID() async throws {
    #expect(try await check().examine(try code(tag: "08A1B2C3")).verdict == .accepted)
    #expect(try await check(consuming: false).examine(try code(tag: nil)).verdict == .rejected)
  }

  @Test("where a message belongs, one that is missing or not whole is rejected")
  func missing() async throws {
    for url in [
      "https://fruta.example.com/order/cupertino",
      "https://fruta.example.com/order?c=94EED9EE65337086",
    ] {
      let answer = try await check().examine(try code(url))
      #expect(answer.verdict == .rejected)
      #expect(answer.findings.map(\.code) == [.messageMissing])
    }
  }

  @Test("a message without a counter is not taken, for a copy could not be told from it")
  func withoutCounter() async throws {
    let uid: [UInt8] = [0x04, 0xDE, 0x5F, 0x1E, 0xAC, 0xC0, 0x40]
    let block = try PICCData(uid: uid, counter: nil).encrypted(
      metaReadKey: .factory, padding: [UInt8](repeating: 7, count: 15))
    let mac = try SecureMessaging(uid: uid, counter: [], fileReadKey: .factory).truncatedMAC(
      over: [])
    let answer = try await check().examine(
      try code("https://fruta.example.com/order?e=\(block.hexadecimal)&c=\(mac.hexadecimal)"))
    #expect(answer.verdict == .rejected)
    #expect(answer.findings.map(\.code) == [.messageMissing])
    #expect(try registry.tagCounters() == [])
  }

  @Test("a URL without keys, and what is no URL, is left as it was")
  func noKeys() async throws {
    for url in ["https://fruta.example.com/ordering?" + Self.message, "no url", ""] {
      let before = try code(url)
      let after = try await check().examine(before)
      #expect(after.findings == before.findings)
      #expect(after.verdict == before.verdict && after.secureMessage == nil)
    }
  }

  @Test("a message that cannot be remembered is not accepted, and the registry says why")
  func notRemembered() async throws {
    let readOnly = ReadOnlyRegistry(registry: registry)
    let check = SecureMessageCheck(
      keys: try SecureMessageKeys.read(Data(Self.keys.utf8)),
      counting: .remembering { () throws(RegistryError) in readOnly })
    await #expect(throws: RegistryError(.diskFull, "", hint: "")) {
      try await check.examine(try code())
    }
    #expect(try registry.tagCounters() == [])
  }

  @Test("the registry is opened for changes only for a message that verified")
  func openedLate() async throws {
    let check = SecureMessageCheck(
      keys: try SecureMessageKeys.read(Data(Self.keys.utf8)),
      counting: .remembering { () throws(RegistryError) in
        throw RegistryError(.unwritable, "opened", hint: "")
      })
    _ = try await check.examine(try code(Self.url.replacing("7086", with: "7087")))
    _ = try await check.examine(try code("https://fruta.example.com/order"))
    await #expect(throws: RegistryError(.unwritable, "", hint: "")) {
      try await check.examine(try code())
    }
  }

  @Test("of many tasks with the same message one accepts it")
  func race() async throws {
    let check = try check()
    let code = try code()
    let accepted = await withTaskGroup(of: Bool.self) { group in
      for _ in 0..<20 {
        group.addTask { (try? await check.examine(code).verdict) == .accepted }
      }
      return await group.reduce(0) { $0 + ($1 ? 1 : 0) }
    }
    #expect(accepted == 1)
  }
}
