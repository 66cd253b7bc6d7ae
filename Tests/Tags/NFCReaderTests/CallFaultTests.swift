import CliptagBasics
import CNFC
import TagTypes
import TestSupport
import Testing

@testable import NFCReader

/// Each libnfc call failing once with each error, over a simulated libnfc.
@Suite("Faults at the C boundary", .timeLimit(.minutes(10)))
struct CallFaultTests {
  let trace = CallTrace()

  func open(
    _ connectionString: String? = FakeLibNFC.connectionString
  ) async throws(NFCReaderError) -> NFCReader {
    let library = NFCLibrary(calls: trace.calls(over: FakeLibNFC.calls()))
    // Other tests have a service of PC/SC with readers in this process.
    var pcsc = PCSCCalls.system
    pcsc.trouble = { "not in this test" }
    return try await NFCReader.open(
      connectionString, library: library, system: .fake(), pcsc: pcsc, clock: ManualClock())
  }

  func openWithTag() async throws -> (NFCReader, NFCTag) {
    let reader = try await open()
    let tag = try await reader.waitForTag(timeout: .zero)
    trace.forget()
    return (reader, tag)
  }

  @Test("opening makes these calls and no others")
  func trace() async throws {
    let reader = try await open()
    await reader.close()
    #expect(
      trace.calls == [
        .initialize, .open, .setNumber, .initiatorInitialize, .setFlag, .information, .close,
      ])
  }

  @Test(
    "a reader that does not take its settings is closed and reported",
    arguments: [LibNFCCall.setNumber, .initiatorInitialize, .setFlag])
  func settings(call: LibNFCCall) async throws {
    trace.fail(call, with: NFC_ECHIP)
    let error = await #expect(throws: NFCReaderError.self) { _ = try await open() }
    #expect(error?.code == .readerFailed)
    #expect(error?.status == .libnfc(.chip))
    #expect(trace.calls.last == .close)
  }

  @Test("a context that cannot be made is reported, and made the next time")
  func context() async throws {
    let library = NFCLibrary(calls: trace.calls(over: FakeLibNFC.calls()))
    trace.fail(.initialize, with: 0)
    for expected in ["reader-failed", nil] {
      let code = await codeThrown {
        _ = try await NFCReader.open(
          FakeLibNFC.connectionString, library: library, system: .fake(), clock: ManualClock())
      }
      #expect(code == expected)
    }
  }

  @Test("a reader that does not open is no reader, and nothing is closed")
  func unopened() async throws {
    trace.fail(.open, with: 0)
    #expect(await codeThrown { _ = try await open() } == "no-reader")
    #expect(trace.calls == [.initialize, .open])
  }

  @Test("a driver that this libnfc does not have is named as what is missing")
  func driverMissing() async throws {
    for (text, hint) in [("acr122_pcsc", "pcsc:ACR122"), ("foo:bar", "pn532_uart")] {
      let trace = CallTrace()
      var calls = FakeLibNFC.calls()
      calls.hasDriver = { ["pn532_uart", "acr122_usb"].contains($0) }
      trace.fail(.open, with: 0)
      let library = NFCLibrary(calls: trace.calls(over: calls))
      let error = await #expect(throws: NFCReaderError.self) {
        _ = try await NFCReader.open(
          text, library: library, system: .fake(), clock: ManualClock())
      }
      #expect(error?.code == .noReader)
      #expect(error?.message.contains("his libnfc has no such driver") == true)
      #expect(error?.hint.contains(hint) == true)
    }
    // A function that exists, or that cannot be checked, is not reported missing.
    trace.fail(.open, with: 0)
    let error = await #expect(throws: NFCReaderError.self) { _ = try await open("acr122_usb") }
    #expect(error?.message.contains("driver") == false)
  }

  @Test("a reader without information is called by its connection string")
  func unnamed() async throws {
    trace.fail(.information, with: NFC_ESOFT)
    #expect(try await open().name == FakeLibNFC.connectionString)
  }

  @Test(
    "the first reader that libnfc lists is opened when none is named; an empty list is no reader")
  func listed() async throws {
    #expect(try await open(nil).connectionString == FakeLibNFC.connectionString)
    let empty = CallFaultTests()
    empty.trace.fail(.listDevices, with: 0)
    #expect(await codeThrown { _ = try await empty.open(nil) } == "no-reader")
  }

  @Test(
    "a selection that fails once does not end a wait",
    arguments: [NFC_EIO, NFC_ETIMEOUT, NFC_ERFTRANS, NFC_ECHIP, NFC_EINVARG])
  func oneLook(status: Int32) async throws {
    trace.fail(.select, with: status)
    let reader = try await open()
    #expect(try await reader.waitForTag(timeout: .seconds(1)).target.uid == FakeLibNFC.uid)
  }

  @Test("a second wait switches the field first, because an active tag misses the first request")
  func secondWait() async throws {
    let (reader, _) = try await openWithTag()
    _ = try await reader.waitForTag(timeout: .zero)
    #expect(trace.calls == [.setFlag, .setFlag, .select])
  }

  @Test("a wait whose every look failed ends as a failed reader, not as an absent tag")
  func failingLooks() async throws {
    trace.fail(.select, with: NFC_ECHIP, NFC_ECHIP)
    let reader = try await open()
    let error = await #expect(throws: NFCReaderError.self) {
      _ = try await reader.waitForTag(timeout: .milliseconds(50))
    }
    #expect(error?.code == .readerFailed)
    #expect(error?.status == .libnfc(.chip))
  }

  @Test("a reader that does not recover is given up, and asked nothing more")
  func givenUp() async throws {
    let (_, tag) = try await openWithTag()
    trace.fail(.transceive, with: NFC_ETIMEOUT)
    // The first flag chooses the path of the command; the next three try to recover.
    trace.fail(.setFlag, with: 0, NFC_EIO, NFC_EIO, NFC_EIO)
    #expect(await codeThrown { _ = try await tag.exchange([0x30, 4]) } == "reader-failed")
    #expect(trace.calls == [.setFlag, .transceive, .setFlag, .setFlag, .setFlag])
    #expect(trace.pauses.suffix(3) == [20, 100, 350])
    trace.forget()
    #expect(await codeThrown { _ = try await tag.exchange([0x30, 4]) } == "reader-failed")
    #expect(trace.calls == [])
  }

  @Test("a late answer is waited out before the command is repeated")
  func lateAnswer() async throws {
    let (_, tag) = try await openWithTag()
    trace.fail(.transceive, with: NFC_ETIMEOUT)
    let answer = try await tag.exchange([0x30, 4])
    #expect(answer.count == 16)
    #expect(
      trace.calls == [.setFlag, .transceive, .setFlag, .select, .setFlag, .transceive])
  }

  @Test("a command that fails on the line twice is refused, and never sent a third time")
  func twice() async throws {
    let (_, tag) = try await openWithTag()
    trace.fail(.transceive, with: NFC_EIO, NFC_EIO)
    #expect(await codeThrown { _ = try await tag.exchange([0xA2, 4, 1, 2, 3, 4]) } == "refused")
    #expect(trace.calls.count { $0 == .transceive } == 2)
    #expect(trace.calls.last == .select)
  }

  @Test("a password is sent once, whatever happens", arguments: [NFC_EIO, NFC_ETIMEOUT])
  func password(status: Int32) async throws {
    let (_, tag) = try await openWithTag()
    trace.fail(.transceive, with: status)
    #expect(await codeThrown { _ = try await tag.exchange([0x1B, 1, 2, 3, 4]) } == "refused")
    #expect(trace.calls.count { $0 == .transceive } == 1)
  }

  @Test(
    "a refusal costs one selection and is not repeated",
    arguments: [NFC_ERFTRANS, NFC_EINVARG, NFC_ETGRELEASED, NFC_ECHIP, NFC_EOVFLOW])
  func refusal(status: Int32) async throws {
    let (_, tag) = try await openWithTag()
    trace.fail(.transceive, with: status)
    #expect(await codeThrown { _ = try await tag.exchange([0x30, 4]) } == "refused")
    #expect(trace.calls == [.setFlag, .transceive, .select])
  }

  @Test("a tag that answers no selection after a refusal is lost, and selected before the next try")
  func lost() async throws {
    let (_, tag) = try await openWithTag()
    trace.fail(.transceive, with: NFC_ERFTRANS)
    trace.fail(.select, with: 0, 0, 0)
    #expect(await codeThrown { _ = try await tag.exchange([0x30, 4]) } == "tag-lost")
    trace.forget()
    let answer = try await tag.exchange([0x30, 4])
    #expect(answer.count == 16)
    #expect(trace.calls == [.select, .setFlag, .transceive])
  }

  @Test("a field that does not switch is settled before the tag is selected again")
  func fieldCycle() async throws {
    let (_, tag) = try await openWithTag()
    trace.fail(.setFlag, with: NFC_EIO)
    try await tag.reselect(fieldCycle: true)
    #expect(trace.calls == [.setFlag, .setFlag, .select])
  }

  @Test("a USB reader that has fallen out of step is opened anew, and the wait goes on")
  func outOfStep() async throws {
    let reader = try await open("acr122_usb:001:007")
    trace.forget()
    trace.fail(.selectPatiently, with: NFC_ECHIP)
    trace.fail(.setFlag, with: NFC_EIO, NFC_EIO, NFC_EIO)
    #expect(try await reader.waitForTag(timeout: .seconds(1)).target.uid == FakeLibNFC.uid)
    #expect(trace.calls.count { $0 == .open } == 1)
    #expect(trace.calls.count { $0 == .close } == 1)
  }

  @Test("a USB reader that cannot be opened anew has failed")
  func gone() async throws {
    let reader = try await open("acr122_usb:001:007")
    trace.fail(.selectPatiently, with: NFC_ECHIP)
    trace.fail(.setFlag, with: NFC_EIO, NFC_EIO, NFC_EIO)
    trace.fail(.open, with: 0)
    #expect(await codeThrown { _ = try await reader.waitForTag() } == "reader-failed")
    #expect(await codeThrown { _ = try await reader.waitForTag() } == "reader-failed")
  }

  @Test("an ACR122U without a tag waits on, is opened anew now and then, and finds the tag")
  func withoutTag() async throws {
    let reader = try await open("acr122_usb:001:007")
    trace.forget()
    for _ in 0..<150 { trace.fail(.selectPatiently, with: NFC_EIO) }
    #expect(try await reader.waitForTag().target.uid == FakeLibNFC.uid)
    #expect(trace.calls.count { $0 == .open } == 1)
  }

  @Test("no reader with a PN53x is asked by way of libnfc, which believes every length")
  func asksTheChip() async throws {
    for text in ["acr122_usb:001:007", "pn53x_usb:001:007", "usb"] {
      let trace = CallTrace()
      let reader = try await NFCReader.open(
        text, library: NFCLibrary(calls: trace.calls(over: FakeLibNFC.calls())),
        system: .fake(), clock: ManualClock())
      _ = try await reader.waitForTag(timeout: .zero)
      trace.fail(.selectPatiently, with: 0)
      #expect(await codeThrown { _ = try await reader.waitForTag(timeout: .zero) } == "no-tag")
      #expect(!trace.calls.contains(.select) && !trace.calls.contains(.selectOther))
      #expect(trace.calls.contains(.selectOtherPatiently))
    }
    // A libnfc that does not export the required functions.
    trace.fail(.selectPatiently, with: NFC_ENOTIMPL)
    let reader = try await open("acr122_usb:001:007")
    #expect(try await reader.waitForTag(timeout: .zero).target.uid == FakeLibNFC.uid)
    #expect(trace.calls.contains(.select))
  }

  @Test("an ACR122U carries 60 bytes of an answer, other readers 240")
  func answerLimits() async throws {
    for (text, count) in [("acr122_usb:001:007", 60), ("pn53x_usb:001:007", 240)] {
      let tag = try await open(text).waitForTag(timeout: .zero)
      #expect(tag.maximumAnswerByteCount == count)
    }
  }
}
