import TagTypes
import Testing

@testable import SimulatedReader

@Suite("Tags of other technologies")
struct OtherTechnologyTests {
  @Test("FeliCa answers polling at 212 and 424 kbit/s, with its system code when asked for it")
  func feliCa() throws {
    var host = SimulatedHost(try SimulatedForeignTag(.feliCa))
    host.searchBriefly()
    let identity: [UInt8] =
      [0x01, 0x2E, 0x4C, 0xD1, 0x8B, 0x20, 0x41, 0x57]
      + [0x00, 0xF1, 0x00, 0x00, 0x00, 0x01, 0x43, 0x00]
    for speed in [0x01, 0x02] as [UInt8] {
      #expect(
        host.send([0x4A, 0x01, speed, 0x00, 0xFF, 0xFF, 0x00, 0x00])
          == [0x4B, 0x01, 0x01, 0x12, 0x01] + identity)
      #expect(host.send([0x04]) == [0x05, 0x00, 0x01, 0x01, 0x01, speed, speed, 0x10, 0x00])
      #expect(
        host.send([0x4A, 0x01, speed, 0x00, 0x12, 0xFC, 0x01, 0x00])
          == [0x4B, 0x01, 0x01, 0x14, 0x01] + identity + [0x12, 0xFC])
    }
    #expect(host.send([0x4A, 0x01, 0x01, 0x00, 0x00, 0x03, 0x00, 0x00]) == [0x4B, 0x00])
    #expect(host.select() == nil, "no type A tag")
  }

  @Test("a type B card answers with ATQB, and sleeps once it was deselected")
  func typeB() throws {
    var host = SimulatedHost(try SimulatedForeignTag(.typeB))
    host.searchBriefly()
    let found: [UInt8] = [
      0x4B, 0x01, 0x01, 0x50, 0x8B, 0x20, 0x41, 0x57, 0, 0, 0, 0, 0, 0x81, 0x81,
    ]
    #expect(host.send([0x4A, 0x01, 0x03, 0x00]) == found + [0x01, 0x00])
    #expect(host.exchange([0x00, 0xA4, 0x04, 0x00]) == [0x01])
    #expect(host.send([0x44, 0x01]) == [0x45, 0x00])
    #expect(host.send([0x4A, 0x01, 0x03, 0x00]) == [0x4B, 0x00])
    #expect(host.send([0x32, 0x01, 0x00]) == [0x33])
    #expect(host.send([0x4A, 0x01, 0x03, 0x00])?.count == 17)
  }

  @Test("a Jewel is found by its own request, and its answer to REQA shows in the FIFO")
  func jewel() throws {
    var host = SimulatedHost(try SimulatedJewelTag())
    host.searchBriefly()
    #expect(host.select() == nil)
    #expect(host.send([0x06, 0x63, 0x39]) == [0x07, 0x00], "REQA is not left over")
    let uid: [UInt8] = [0x57, 0x41, 0x20, 0x8B]
    #expect(host.send([0x4A, 0x01, 0x04]) == [0x4B, 0x01, 0x01, 0x0C, 0x00] + uid)
    #expect(host.exchange([0x78, 0, 0, 0, 0, 0, 0]) == [0x00, 0x11, 0x48] + uid)
    #expect(host.exchange([0x00, 0x00, 0x00] + uid)?.count == 1 + 2 + 120)
    #expect(host.exchange([0x53, 0x0C, 0x03] + uid) == [0x00, 0x0C, 0x03])
    #expect(host.exchange([0x1A, 0x0C, 0x04] + uid) == [0x00, 0x0C, 0x07])
    #expect(host.exchange([0x01, 0x0C, 0x00] + uid) == [0x00, 0x0C, 0x07])
    #expect(host.exchange([0x53, 0x00, 0x00] + uid) == [0x01], "the UID is not written")
    #expect(host.exchange([0x01, 0x0C, 0x00, 1, 2, 3, 4]) == [0x01], "another UID")
  }

  @Test(
    "InAutoPoll reports each as the type that was asked for",
    arguments: [(.felica, 0x01), (.felica, 0x12), (.typeb, 0x03), (.typeb, 0x23), (.jewel, 0x04)]
      as [(SimulatedTagKind, UInt8)])
  func autoPoll(kind: SimulatedTagKind, type: UInt8) throws {
    var host = SimulatedHost(try kind.card())
    let found = host.send([0x60, 0x01, 0x01, 0x10, type])
    #expect(found?.prefix(3) == [0x61, 0x01, type])
    #expect(found.map { $0.count == 4 + Int($0[3]) } == true)
  }

  @Test("a target that was deselected is woken by the technology it was found with")
  func reselection() throws {
    var host = SimulatedHost(try SimulatedJewelTag())
    #expect(host.send([0x4A, 0x01, 0x04])?.count == 9)
    #expect(host.send([0x44, 0x01]) == [0x45, 0x00])
    #expect(host.exchange([0x78, 0, 0, 0, 0, 0, 0])?.count == 7)
  }
}
