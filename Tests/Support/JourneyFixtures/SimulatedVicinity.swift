package import SimulatedReader
package import TagTypes

/// A Type 5 tag in memory.
package actor SimulatedVicinity: TagChannel {
  package nonisolated let target: TagTarget
  package private(set) var card: SimulatedType5Tag

  package init(_ card: SimulatedType5Tag) {
    target = TagTarget(vicinityUID: card.uid)
    self.card = card
    self.card.fieldOn()
    _ = self.card.select()
  }

  package func exchange(_ command: [UInt8]) async throws(TagChannelError) -> [UInt8] {
    let head = command[0] >= 0xA0 ? 2 : 1
    let frame = [0x22] + command.prefix(head) + card.uid.reversed() + command.dropFirst(head)
    switch card.receive(frame) {
    case .data(let bytes): return bytes
    case .acknowledged: return []
    default: throw TagChannelError(.refused, "refused")
    }
  }

  package func reselect(fieldCycle: Bool) async throws(TagChannelError) {}
}
