import Issuing
import JourneyFixtures
import Registry
import SimulatedReader
import TagTypes
import Testing

/// A tag that phones refuse is not locked in; a problem reported by users delays the lock, unless
/// it is too late.
@Suite("What phones read, before a lock") struct PhoneRuleTests {
  private let protector: TagProtector

  init() throws {
    let registry = try Fixtures.registry()
    protector = TagProtector(ledger: registry.ledger(), check: registry.check)
  }

  private static let message: [UInt8] =
    [0xD1, 0x01, 0x22, 0x55, 0x04] + Array("fruta.example.com/order/cupertino".utf8)

  private func tag(
    container: [UInt8], message: [UInt8] = Self.message
  ) throws -> SimulatedVicinity {
    var card = try SimulatedType5Tag(.slix)
    card.place(container + [0x03, UInt8(message.count)] + message + [0xFE], atBlock: 0)
    return SimulatedVicinity(card)
  }

  private func planLock(
    _ tag: SimulatedVicinity, unregistered: Bool = false
  ) async throws -> TagProtector.LockJob {
    try await protector.planLock(on: tag, source: "reader", unregistered: unregistered)
  }

  @Test("MBREAD in a container that can still be written keeps a tag from being locked unasked")
  func open() async throws {
    let tag = try tag(container: [0xE1, 0x40, 0x0D, 0x01])
    await #expect(throws: LockRefusal.self) { try await planLock(tag) }
    #expect(try await !planLock(tag, unregistered: true).plan.isAlreadyLocked)
    #expect(
      try await !planLock(try self.tag(container: [0xE1, 0x40, 0x0D, 0x00])).plan.isAlreadyLocked)
  }

  @Test("a lock that was begun with MBREAD in the container is finished")
  func begun() async throws {
    let tag = try tag(container: [0xE1, 0x43, 0x0D, 0x01])
    #expect(try await !planLock(tag).plan.isAlreadyLocked)
  }

  @Test("a message that phones refuse, or may not read, is not locked in, whatever is allowed")
  func refused() async throws {
    let malformed = try tag(container: [0xE1, 0x40, 0x0D, 0x00], message: Self.message + [0x00])
    let denied = try tag(container: [0xE1, 0x4C, 0x0D, 0x00])
    for tag in [malformed, denied] {
      let before = await tag.card
      for unregistered in [false, true] {
        await #expect(throws: LockRefusal.self) {
          try await planLock(tag, unregistered: unregistered)
        }
      }
      #expect(await tag.card.blocks == before.blocks)
    }
  }
}
