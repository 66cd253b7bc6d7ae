import TagTypes
import Testing

@testable import SimulatedReader

@Suite("Faults")
struct FaultTests {
  static let write: [UInt8] = [0xA2, 0x06, 1, 2, 3, 4]

  @Test("every text form reads and prints as itself", arguments: Fault.forms)
  func forms(text: String) throws {
    #expect(try Fault(parsing: text).description == text)
  }

  @Test("numbers may be hexadecimal")
  func hexadecimal() {
    #expect(Fault("refuse-page=0x82") == .refusePage(0x82))
  }

  @Test(
    "what is no fault is refused",
    arguments: [
      "", "refuse-page", "refuse-page=", "refuse-page=x", "refuse-page=-1", "refuse-page=+1",
      "refuse-page=1:", "refuse-page=1:2:3", "tear-write=4:whole", "swap-after=1:0102",
      "swap-after=1:zz", "remove-after=1:2", "=1", "explode=1", "remove-after=99999999999999999999",
    ])
  func malformed(text: String) {
    #expect(throws: SimulatedReaderError.self) { try Fault(parsing: text) }
  }

  @Test("a refused page answers NAK and stays as it was, as often as it says")
  func refusePage() throws {
    var host = try SimulatedHost(.ntag213, faults: [.refusePage(6, times: 1)])
    host.select()
    #expect(host.exchange([0xA2, 0x05, 9, 9, 9, 9]) == [0x00])
    #expect(host.exchange(Self.write) == [0x13])
    #expect(host.chip.field.tag?.page(6) == [0, 0, 0, 0])
    host.select()
    #expect(host.exchange(Self.write) == [0x00])
    var lasting = try SimulatedHost(.ntag213, faults: [.refusePage(6)])
    for _ in 0..<3 {
      lasting.select()
      #expect(lasting.exchange(Self.write) == [0x13])
    }
    lasting.select()
    let compatible: [UInt8] = [0xA0, 0x06, 1, 2, 3, 4] + [UInt8](repeating: 0, count: 12)
    #expect(lasting.exchange(compatible) == [0x13])
  }

  @Test("a wrongly stored byte is acknowledged and shows when it is read")
  func storeWrong() throws {
    var host = try SimulatedHost(.ntag213, faults: [.storeWrong(page: 6, times: 1)])
    host.select()
    #expect(host.exchange(Self.write) == [0x00])
    #expect(host.exchange([0x30, 0x06])?.prefix(5) == [0, 0, 2, 3, 4])
    #expect(host.exchange(Self.write) == [0x00])
    #expect(host.exchange([0x30, 0x06])?.prefix(5) == [0, 1, 2, 3, 4])
  }

  @Test("a removed tag is gone after so many commands and back for the next client")
  func removeTag() throws {
    var host = try SimulatedHost(.ntag213, faults: [.removeTag(afterCommands: 2)])
    host.searchBriefly()
    host.select()
    #expect(host.exchange(Self.write) == [0x00])
    #expect(host.exchange([0x30, 0x06])?.first == 0x00)
    #expect(host.exchange([0x30, 0x06]) == [0x01])
    #expect(host.select() == nil)
    host.chip.lineClosed()
    #expect(host.select() != nil)
    #expect(host.exchange([0x30, 0x06])?.prefix(5) == [0, 1, 2, 3, 4])
  }

  @Test("after a swap another UID answers, and what is written there is not the first tag's")
  func swapTag() throws {
    let uid: [UInt8] = [4, 1, 2, 3, 4, 5, 6]
    var host = try SimulatedHost(.ntag213, faults: [.swapTag(afterCommands: 1, uid: uid)])
    host.searchBriefly()
    host.select()
    #expect(host.exchange([0x30, 0x00])?.first == 0x00)
    #expect(host.exchange(Self.write) == [0x01], "the new tag was never selected")
    #expect(host.send([0x4A, 1, 0, 0x88] + SimulatedTag.defaultUID) == [0x4B, 0x00])
    #expect(host.select() == uid)
    #expect(host.exchange(Self.write) == [0x00])
    #expect(host.chip.field.tag?.page(6) == [0, 0, 0, 0])
    host.chip.lineClosed()
    #expect(host.select() == SimulatedTag.defaultUID)
  }

  @Test(
    "a torn write leaves the old page or half of the new one, and the tag is gone",
    arguments: [(false, [9, 9, 9, 9]), (true, [1, 2, 9, 9])] as [(Bool, [UInt8])])
  func tearWrite(isHalf: Bool, remains: [UInt8]) throws {
    var tag = try SimulatedTag(.ntag213)
    tag.place([9, 9, 9, 9], atPage: 6)
    var host = SimulatedHost(tag, faults: [.tearWrite(2, halfWritten: isHalf)])
    host.searchBriefly()
    host.select()
    #expect(host.exchange([0xA2, 0x05, 7, 7, 7, 7]) == [0x00])
    #expect(host.exchange(Self.write) == [0x01])
    #expect(host.select() == nil)
    #expect(host.chip.field.tag?.page(6) == remains)
  }

  @Test("lock bytes and OTP are guarded against tearing")
  func guardedPages() throws {
    var host = try SimulatedHost(.ntag213, faults: [.tearWrite(1, halfWritten: true)])
    host.select()
    #expect(host.exchange([0xA2, 0x03, 0xFF, 0xFF, 0xFF, 0xFF]) == [0x01])
    #expect(host.chip.field.tag?.page(3) == Type2Layout.ntag213.capabilityContainer)
  }

  @Test("a dropped response can be asked for again, and a damaged one has a wrong check byte")
  func responses() throws {
    var host = SimulatedHost(nil, faults: [.dropResponse(1), .corruptResponse(2)])
    let command = PN532FrameTests.firmwareCommand
    let response = PN532FrameTests.firmwareResponse
    #expect(host.chip.receive(command) == PN532Frame.acknowledge)
    #expect(host.chip.receive([0, 0, 0xFF, 0xFF, 0, 0]) == response)
    let damaged = host.chip.receive(command)
    #expect(damaged.count == 19 && damaged.suffix(13) != response[...])
    #expect(host.chip.receive(command) == PN532Frame.acknowledge + response)
  }

  @Test("an unplugged reader answers as many commands as it says and then nothing")
  func unplug() {
    var host = SimulatedHost(nil, faults: [.unplug(afterCommands: 2)])
    #expect(host.send([0x02]) != nil)
    #expect(host.send([0x02]) != nil)
    #expect(!host.chip.isUnplugged)
    #expect(host.send([0x02]) == nil)
    #expect(host.chip.isUnplugged)
  }

  @Test("a write that is forgotten is acknowledged and leaves the page as it was")
  func forgetWrite() throws {
    var host = try SimulatedHost(.ntag213, faults: [.forgetWrite(2)])
    host.select()
    #expect(host.exchange([0xA2, 0x05, 9, 9, 9, 9]) == [0x00])
    #expect(host.exchange(Self.write) == [0x00])
    #expect(host.chip.field.tag?.page(6) == [0, 0, 0, 0])
    #expect(host.exchange(Self.write) == [0x00])
    #expect(host.chip.field.tag?.page(6) == [1, 2, 3, 4])
    #expect(host.chip.field.tag?.page(5) == [9, 9, 9, 9])
  }

  @Test(
    "a torn write leaves as many bytes as it says",
    arguments: [
      ("0", [9, 9, 9, 9]), ("1", [1, 9, 9, 9]), ("half", [1, 2, 9, 9]), ("3", [1, 2, 3, 9]),
      ("4", [1, 2, 3, 4]),
    ] as [(String, [UInt8])])
  func tearWriteAfter(bytes: String, remains: [UInt8]) throws {
    var tag = try SimulatedTag(.ntag213)
    tag.place([9, 9, 9, 9], atPage: 6)
    var host = SimulatedHost(tag, faults: [try Fault(parsing: "tear-write=1:\(bytes)")])
    host.searchBriefly()
    host.select()
    #expect(host.exchange(Self.write) == [0x01])
    #expect(host.select() == nil)
    #expect(host.chip.field.tag?.page(6) == remains)
  }

  @Test("a lost acknowledgement follows a write that was carried out, and the tag listens on")
  func muteAfterWrite() throws {
    var host = try SimulatedHost(.ntag213, faults: [.muteAfterWrite(1)])
    host.select()
    #expect(host.exchange(Self.write) == [0x01])
    #expect(host.chip.field.tag?.page(6) == [1, 2, 3, 4])
    #expect(host.exchange([0x30, 0x06])?.prefix(5) == [0, 1, 2, 3, 4])
  }

  @Test("a refused command changes nothing and silences the tag; a mute one leaves it listening")
  func refusedAndMute() throws {
    var host = try SimulatedHost(
      .ntag213, faults: [.refuseCommand(1), .refuseCommand(2, code: 4), .muteCommand(3)])
    host.select()
    #expect(host.exchange(Self.write) == [0x13])
    #expect(host.chip.field.writes == 0)
    #expect(host.exchange(Self.write) == [0x01], "mute until it is selected again")
    host.select()
    #expect(host.send([0x08, 0x63, 0x03, 0x00]) == [0x09])
    #expect(host.through(Self.write) == [0x00, 0x04])
    host.select()
    #expect(host.exchange(Self.write) == [0x01])
    #expect(host.chip.field.tag?.page(6) == [0, 0, 0, 0])
    #expect(host.exchange(Self.write) == [0x00])
  }

  @Test("answers are lost, damaged, garbled, cut or too long, and the next one is right again")
  func answers() throws {
    var host = try SimulatedHost(
      .ntag213,
      faults: [
        .loseAnswer(1), .damageAnswer(2), .damageAnswer(3, status: 0x0B), .garbleAnswer(4),
        .garbleAnswer(5, byte: 15), .shortAnswer(6), .shortAnswer(7, bytes: 0), .longAnswer(8),
        .garbleAnswer(9, byte: 16),
      ])
    host.select()
    let read: [UInt8] = [0x30, 0x00]
    var right = try #require(host.chip.field.tag).memory.prefix(16).map { $0 }
    #expect(host.exchange(read) == [0x01])
    #expect(host.exchange(read) == [0x02])
    #expect(host.exchange(read) == [0x0B])
    right[0] ^= 1
    #expect(host.exchange(read) == [0] + right)
    right[0] ^= 1
    right[15] ^= 1
    #expect(host.exchange(read) == [0] + right)
    right[15] ^= 1
    #expect(host.exchange(read) == [0] + right.dropLast())
    #expect(host.exchange(read) == [0])
    #expect(host.exchange(read) == [0] + right + [0])
    #expect(host.exchange(read) == [0] + right, "there is no byte 16")
    #expect(host.exchange(read) == [0] + right)
  }

  @Test("an APDU gets another status word instead of being carried out")
  func apduStatus() throws {
    let select: [UInt8] = [0, 0xA4, 4, 0, 7, 0xD2, 0x76, 0, 0, 0x85, 1, 1, 0]
    var host = SimulatedHost(
      try SimulatedType4Tag(.ntag424), faults: [.apduStatus(2, status: 0x6982), .refuseCommand(4)])
    host.select()
    #expect(host.exchange(select) == [0, 0x90, 0])
    #expect(host.exchange([0, 0xA4, 0, 0x0C, 2, 0xE1, 4]) == [0, 0x69, 0x82])
    #expect(host.exchange([0, 0xA4, 0, 0x0C, 2, 0xE1, 4]) == [0, 0x90, 0])
    #expect(host.exchange([0, 0xB0, 0, 0, 2]) == [0, 0x6F, 0])
    #expect(host.exchange([0, 0xB0, 0, 0, 2])?.suffix(2) == [0x90, 0])
    var type2 = try SimulatedHost(.ntag213, faults: [.apduStatus(1, status: 0x6982)])
    type2.select()
    #expect(type2.exchange([0x30, 0])?.first == 0, "a Type 2 tag knows no APDU")
  }

  @Test("a torn UPDATE BINARY keeps the bytes before the tear, a forgotten one none")
  func tornUpdate() throws {
    let select: [UInt8] = [0, 0xA4, 4, 0, 7, 0xD2, 0x76, 0, 0, 0x85, 1, 1, 0]
    for (fault, kept) in [
      (Fault.tearWriteAfter(1, bytes: 3), [7, 7, 7, 0]), (.forgetWrite(1), [0, 0, 0, 0]),
    ] as [(Fault, [UInt8])] {
      var host = SimulatedHost(try SimulatedType4Tag(.generic()), faults: [fault])
      host.searchBriefly()
      host.select()
      #expect(host.exchange(select) == [0, 0x90, 0])
      #expect(host.exchange([0, 0xA4, 0, 0x0C, 2, 0xE1, 4]) == [0, 0x90, 0])
      let answer = host.exchange([0, 0xD6, 0, 2, 4, 7, 7, 7, 7])
      #expect(answer == (fault == .forgetWrite(1) ? [0, 0x90, 0] : [1]))
      host.chip.lineClosed()
      #expect(host.send([0x32, 0x01, 0x00]) == [0x33])
      host.select()
      #expect(host.exchange(select) == [0, 0x90, 0])
      #expect(host.exchange([0, 0xA4, 0, 0x0C, 2, 0xE1, 4]) == [0, 0x90, 0])
      #expect(host.exchange([0, 0xB0, 0, 2, 4]) == [0] + kept + [0x90, 0])
    }
  }

  @Test("a search misses a tag that lies there, once")
  func missTag() throws {
    var host = try SimulatedHost(.ntag213, faults: [.missTag(2)])
    host.searchBriefly()
    #expect(host.select() != nil)
    #expect(host.select() == nil)
    #expect(host.select() != nil)
  }

  @Test("a busy reader does not even acknowledge, and an error frame stands for a command not done")
  func busyAndErrorFrame() throws {
    var host = try SimulatedHost(.ntag213, faults: [.busy(2), .errorFrame(3)])
    host.select()
    #expect(host.chip.receive(PN532FrameTests.firmwareCommand).isEmpty)
    #expect(host.exchange(Self.write) == nil)
    #expect(host.chip.exchanges.last?.response == [0x7F])
    #expect(host.chip.field.tag?.page(6) == [0, 0, 0, 0])
    #expect(host.exchange(Self.write) == [0x00])
  }

  @Test("a late response is held back, and stray bytes come before a noisy one")
  func lateAndNoisy() throws {
    var host = SimulatedHost(nil, faults: [.delayResponse(1, milliseconds: 900), .noise(2)])
    let late = host.chip.hear(PN532FrameTests.firmwareCommand)
    #expect(late.reduce(.zero) { $0 + $1.delay(.none) } == .milliseconds(900))
    #expect(late.flatMap(\.bytes) == PN532Frame.acknowledge + PN532FrameTests.firmwareResponse)
    let noisy = host.chip.receive(PN532FrameTests.firmwareCommand)
    #expect(noisy.count > 19 && noisy.suffix(13) == PN532FrameTests.firmwareResponse[...])
  }

  @Test("a reader that starts anew knows no target, and its field was off")
  func restart() throws {
    var host = try SimulatedHost(.ntag213, faults: [.restart(afterCommands: 1)])
    host.select()
    #expect(host.exchange(Self.write) == [0x27])
    #expect(host.chip.field.tag?.isActive == false)
    #expect(host.select() != nil)
  }
}
