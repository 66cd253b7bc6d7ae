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
}
