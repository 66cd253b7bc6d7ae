import SimulatedReader
import TagTypes

extension FuzzTarget {
  /// Whatever a host sends to a PN532: frames, parts of frames, noise.
  static let pn532 = FuzzTarget(name: "pn532") { bytes in
    var chip = SimulatedPN532(tag: try SimulatedTag(.ntag215))
    // Awake, or the first bytes would be lost to the wake-up.
    _ = chip.receive([0x55, 0x55])
    var rest = bytes[...]
    while let size = rest.popFirst() {
      // Bytes as the line delivers them: cut anywhere.
      let answers = chip.receive(rest.prefix(Int(size)))
      try checkFrames(answers)
      rest = rest.dropFirst(Int(size))
      if chip.delay != nil { try checkFrames(chip.delayElapsed()) }
    }
    // The next client is served, whatever the last one said.
    chip.lineClosed()
    _ = chip.receive([0x55, 0x55, 0x55, 0x00, 0x00, 0x00])
    let answer = chip.receive([0x00, 0x00, 0xFF, 0x02, 0xFE, 0xD4, 0x02, 0x2A, 0x00])
    let version: [UInt8] = [0xD5, 0x03, 0x32, 0x01, 0x06, 0x07]
    try require(
      answer.indices.contains { answer[$0...].starts(with: version) },
      "the next client is served")
  }

  /// The chip's own frames are whole and their checks are right.
  private static func checkFrames(_ bytes: [UInt8]) throws {
    var rest = bytes[...]
    while !rest.isEmpty {
      try require(rest.starts(with: [0x00, 0x00, 0xFF]), "a frame begins with its start code")
      rest = rest.dropFirst(3)
      if rest.starts(with: [0x00, 0xFF, 0x00]) {
        rest = rest.dropFirst(3)
        continue
      }
      guard let first = rest.first else { throw BrokenRule("a frame has a length") }
      let head = Array(rest.prefix(5))
      let isExtended = first == 0xFF && head.count == 5 && head[1] == 0xFF
      let length = isExtended ? Int(head[2]) << 8 | Int(head[3]) : Int(first)
      rest = rest.dropFirst(isExtended ? 5 : 2)
      try require(rest.count >= length + 2, "a frame is as long as it says")
      let sum = rest.prefix(length + 1).reduce(0, &+)
      try require(sum == 0, "a frame's data check is right")
      rest = rest.dropFirst(length + 2)
    }
  }
}
