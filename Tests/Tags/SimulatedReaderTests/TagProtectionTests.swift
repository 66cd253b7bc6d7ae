import TagTypes
import Testing

@testable import SimulatedReader

@Suite("Locks, OTP and passwords")
struct TagProtectionTests {
  @Test("page 3 can only gain bits, until its lock closes it", arguments: Type2Layout.all)
  func oneTimeProgrammable(layout: Type2Layout) throws {
    var tag = try SimulatedTag.active(layout) { $0.place([0xE1, 0x10, 0x06, 0x00], atPage: 3) }
    #expect(tag.receive([0xA2, 3, 0x00, 0x00, 0x00, 0x0F]) == .acknowledged)
    #expect(tag.page(3) == [0xE1, 0x10, 0x06, 0x0F])
    #expect(tag.receive([0xA2, 2, 0, 0, 0x08, 0]) == .acknowledged)
    tag.activate()
    #expect(tag.receive([0xA2, 3, 0xFF, 0, 0, 0]) == .refused(0))
    tag.reselect()
    #expect(tag.receive([0xA2, 4, 1, 1, 1, 1]) == .acknowledged)
  }

  @Test("a static lock bit closes its page alone", arguments: 3...15)
  func staticLock(page: Int) throws {
    var tag = try SimulatedTag.active(.ntag213)
    let bits = UInt16(1) << page
    let write: [UInt8] = [0xA2, 2, 0xAA, 0xAA, UInt8(bits & 0xFF), UInt8(bits >> 8)]
    #expect(tag.receive(write) == .acknowledged)
    #expect(tag.page(2).prefix(2) == [0xFF, 0x48], "the internal bytes ignore a write")
    for other in 3...16 {
      let answer = tag.receive([0xA2, UInt8(other), 0, 0, 0, 0])
      #expect(answer == (other == page ? .refused(0) : .acknowledged))
      if other == page { tag.reselect() }
    }
    #expect(tag.receive([0xA2, 2, 0, 0, 0, 0]) == .acknowledged)
    #expect(tag.isLocked(page: page), "no write clears a lock")
  }

  @Test(
    "a block-lock bit freezes the lock bits of its group",
    arguments: [(0x01, 0xFFF7), (0x02, 0xFC0F), (0x04, 0x03FF)])
  func blockLock(bit: Int, stillSettable: Int) throws {
    var tag = try SimulatedTag.active(.ntag213)
    #expect(tag.receive([0xA2, 2, 0, 0, UInt8(bit), 0]) == .acknowledged)
    #expect(tag.receive([0xA2, 2, 0, 0, 0xFF, 0xFF]) == .acknowledged)
    let locks = Int(tag.page(2)[2]) | Int(tag.page(2)[3]) << 8
    #expect(locks == stillSettable | bit)
  }

  @Test("an NTAG obeys its lock bytes at once, an Ultralight when it is next requested")
  func whenLocksAct() throws {
    var ntag = try SimulatedTag.active(.ntag213)
    #expect(ntag.receive([0xA2, 2, 0, 0, 0xF0, 0xFF]) == .acknowledged)
    #expect(ntag.receive([0xA2, 4, 1, 1, 1, 1]) == .refused(0))
    var ultralight = try SimulatedTag.active(.ultralight)
    #expect(ultralight.receive([0xA2, 2, 0, 0, 0xF0, 0xFF]) == .acknowledged)
    #expect(ultralight.receive([0xA2, 4, 1, 1, 1, 1]) == .acknowledged)
    ultralight.reselect()
    #expect(ultralight.receive([0xA2, 4, 2, 2, 2, 2]) == .refused(0))
  }

  @Test(
    "a dynamic lock bit closes its run of pages",
    arguments: [
      (Type2Layout.ntag213, 0, 0x10...0x11), (.ntag213, 11, 0x26...0x27),
      (.ntag215, 0, 0x10...0x1F),
      (.ntag215, 7, 0x80...0x81), (.ntag216, 8, 0x90...0x9F), (.ntag216, 13, 0xE0...0xE1),
    ])
  func dynamicLock(layout: Type2Layout, bit: Int, closed: ClosedRange<Int>) throws {
    var tag = try SimulatedTag.active(layout)
    let page = try #require(layout.dynamicLockPage)
    let bits = UInt16(1) << bit
    let locks: [UInt8] = [UInt8(bits & 0xFF), UInt8(bits >> 8), 0, 0]
    #expect(tag.receive([0xA2, UInt8(page)] + locks) == .acknowledged)
    #expect(tag.page(page)[3] == 0xBD)
    #expect((0..<layout.pageCount).filter(tag.isLocked) == Array(closed))
  }

  @Test("dynamic block-lock bits freeze two lock bits each, and unused bits stay zero")
  func dynamicBlockLock() throws {
    var tag = try SimulatedTag.active(.ntag213)
    #expect(tag.receive([0xA2, 0x28, 0, 0, 0x02, 0]) == .acknowledged)
    #expect(tag.receive([0xA2, 0x28, 0xFF, 0xFF, 0xFF, 0xFF]) == .acknowledged)
    #expect(tag.page(0x28) == [0xF3, 0x0F, 0x3F, 0xBD])
    var larger = try SimulatedTag.active(.ntag215)
    #expect(larger.receive([0xA2, 0x82, 0xFF, 0xFF, 0xFF, 0xFF]) == .acknowledged)
    #expect(larger.page(0x82) == [0xFF, 0x00, 0x0F, 0xBD])
  }

  @Test("from AUTH0 on writing needs the password, and with PROT reading too")
  func password() throws {
    var tag = try SimulatedTag.active(.ntag213) {
      $0.place([0x04, 0, 0, 0x08, 0x00, 0, 0, 0, 1, 2, 3, 4, 5, 6], atPage: 0x29)
    }
    #expect(tag.receive([0xA2, 7, 1, 1, 1, 1]) == .acknowledged)
    #expect(tag.receive([0x30, 8]) == .data([UInt8](repeating: 0, count: 16)))
    #expect(tag.receive([0xA2, 8, 1, 1, 1, 1]) == .refused(0))
    tag.reselect()
    #expect(tag.receive([0x1B, 1, 2, 3, 4]) == .data([5, 6]))
    #expect(tag.receive([0xA2, 8, 1, 1, 1, 1]) == .acknowledged)
    #expect(tag.receive([0xA2, 0x2A, 0x80, 0, 0, 0]) == .acknowledged)
    tag.reselect()
    #expect(
      tag.receive([0x30, 7]) == .data([1, 1, 1, 1] + tag.memory[0..<12]), "it rolls at AUTH0")
    #expect(tag.receive([0x3A, 7, 8]) == .refused(0))
    tag.reselect()
    #expect(tag.receive([0x30, 8]) == .refused(0))
  }

  @Test("AUTHLIM wrong passwords close the protected area for good")
  func wrongPasswords() throws {
    var tag = try SimulatedTag.active(.ntag213) {
      $0.place([0x04, 0, 0, 0x08, 0x02], atPage: 0x29)
    }
    for _ in 0..<2 {
      #expect(tag.receive([0x1B, 0, 0, 0, 0]) == .refused(0))
      tag.activate()
    }
    #expect(tag.receive([0x1B, 0xFF, 0xFF, 0xFF, 0xFF]) == .refused(4))
  }

  @Test("CFGLCK closes both configuration pages after a power cycle, and not PWD")
  func configurationLock() throws {
    var tag = try SimulatedTag.active(.ntag213)
    #expect(tag.receive([0xA2, 0x2A, 0x40, 0, 0, 0]) == .acknowledged)
    #expect(tag.receive([0xA2, 0x29, 0x04, 0, 0, 0xFF]) == .acknowledged)
    tag.reselect()
    #expect(tag.receive([0xA2, 0x29, 0x04, 0, 0, 0xFF]) == .acknowledged)
    tag.activate()
    #expect(tag.receive([0xA2, 0x29, 0x04, 0, 0, 0xFF]) == .refused(0))
    tag.reselect()
    #expect(tag.receive([0xA2, 0x2B, 1, 2, 3, 4]) == .acknowledged)
  }

  @Test("a tag can be told to follow its configuration only when it is next selected")
  func latchedConfiguration() throws {
    var tag = try SimulatedTag.active(.ntag213) { $0.configurationActsAtOnce = false }
    #expect(tag.receive([0xA2, 0x29, 0x04, 0, 0, 0x04]) == .acknowledged)
    #expect(tag.receive([0xA2, 4, 1, 1, 1, 1]) == .acknowledged)
    tag.reselect()
    #expect(tag.receive([0xA2, 4, 2, 2, 2, 2]) == .refused(0))
  }
}
