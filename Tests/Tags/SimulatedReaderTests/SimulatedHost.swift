import CliptagPlatform
@testable import SimulatedReader
import TagTypes
import Testing

/// A host in front of the pure chip: sends commands, lets time pass, and checks the framing.
struct SimulatedHost {
  var chip: SimulatedPN532

  /// A chip that has been woken.
  init(_ tag: (any SimulatedCard)?, faults: [Fault] = []) {
    chip = SimulatedPN532(tag: tag, faults: faults)
    #expect(chip.receive([0x55, 0x55, 0x00, 0x00, 0x00]).isEmpty)
  }

  /// A chip with a deck that has been woken.
  init(deck: SimulatedDeck, faults: [Fault] = []) {
    chip = SimulatedPN532(deck: deck, faults: faults)
    wake()
  }

  /// Wakes the chip, as every client does.
  mutating func wake() { #expect(chip.receive([0x55, 0x55, 0x00, 0x00, 0x00]).isEmpty) }

  init(_ layout: Type2Layout, faults: [Fault] = []) throws {
    self.init(try SimulatedTag(layout), faults: faults)
  }

  /// Sends a command (code first) and returns the response after `D5`, waiting as long as the chip
  /// needs; `nil` for no acknowledgement, no response or an error frame.
  mutating func send(_ command: [UInt8]) -> [UInt8]? {
    var output = chip.receive(PN532Frame.information([0xD4] + command))
    guard output.starts(with: PN532Frame.acknowledge) else { return nil }
    output.removeFirst(PN532Frame.acknowledge.count)
    if output.isEmpty, chip.delay != nil { output = chip.delayElapsed() }
    var reader = PN532FrameReader()
    guard case .information(let body) = reader.take(output).first, body.first == 0xD5 else {
      return nil
    }
    return Array(body.dropFirst())
  }

  /// Selects whatever tag answers, and returns its UID.
  @discardableResult
  mutating func select() -> [UInt8]? {
    guard let found = send([0x4A, 0x01, 0x00]), found.count > 7, found[1] == 1 else { return nil }
    return Array(found[7...])
  }

  /// Sends a tag command through InDataExchange; status first, without the response code.
  mutating func exchange(_ command: [UInt8]) -> [UInt8]? {
    send([0x40, 0x01] + command).map { Array($0.dropFirst()) }
  }

  /// Sends a tag command through InCommunicateThru; status first, without the response code.
  mutating func through(_ command: [UInt8]) -> [UInt8]? {
    send([0x42] + command).map { Array($0.dropFirst()) }
  }

  /// Sets RFConfiguration's retries so that a search for no tag ends.
  mutating func searchBriefly() {
    #expect(send([0x32, 0x05, 0x00, 0x01, 0x02]) == [0x33])
  }
}

extension SimulatedTag {
  /// A tag that has been selected.
  static func active(
    _ layout: Type2Layout, configure: (inout SimulatedTag) -> Void = { _ in }
  ) throws -> SimulatedTag {
    var tag = try SimulatedTag(layout)
    configure(&tag)
    tag.activate()
    return tag
  }

  /// Switches the field off and on again, and selects the tag.
  mutating func activate() {
    fieldOff()
    fieldOn()
    reselect()
  }

  /// Selects the tag again without a field cycle.
  mutating func reselect() {
    if isActive { _ = request(wakeUp: true) }
    #expect(request(wakeUp: true))
    #expect(select())
  }
}

/// A client on its end of a terminal that uses only blocking system calls.
struct PlainClient: ~Copyable {
  let descriptor: Int32

  init(_ reader: SimulatedReader) throws {
    descriptor = open(reader.devicePath, O_RDWR | O_NOCTTY)
    try #require(descriptor >= 0)
    send([0x55, 0x55, 0x00, 0x00, 0x00])
  }

  deinit { close(descriptor) }

  func send(_ bytes: [UInt8]) {
    let count = write(descriptor, bytes, bytes.count)
    #expect(count == bytes.count)
  }

  /// Reads a number of bytes; fewer if the reader hangs up.
  func receive(_ count: Int) -> [UInt8] {
    var bytes: [UInt8] = []
    while bytes.count < count {
      var chunk = [UInt8](repeating: 0, count: count - bytes.count)
      let length = read(descriptor, &chunk, chunk.count)
      guard length > 0 else { break }
      bytes += chunk[0..<length]
    }
    return bytes
  }

  /// Sends a command, and returns the body after `D5`.
  func command(_ command: [UInt8]) -> [UInt8] {
    send(PN532Frame.information([0xD4] + command))
    let header = receive(11)
    guard header.count == 11, header[0..<6] == PN532Frame.acknowledge[...] else { return [] }
    return Array(receive(Int(header[9]) + 2).dropLast(2).dropFirst())
  }
}
