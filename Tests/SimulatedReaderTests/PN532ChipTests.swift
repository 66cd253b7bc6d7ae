import TagTypes
import Testing

@testable import SimulatedReader

@Suite("The chip itself")
struct PN532ChipTests {
  @Test("five rising edges wake the chip, and what came before them is lost")
  func wakeUp() {
    let command = PN532FrameTests.firmwareCommand
    var asleep = SimulatedPN532(tag: nil)
    #expect(asleep.receive(command).isEmpty)
    var byFives = SimulatedPN532(tag: nil)
    #expect(!byFives.receive([0x55] + command).isEmpty)
    var byZeros = SimulatedPN532(tag: nil)
    #expect(!byZeros.receive([0, 0, 0, 0, 0] + command).isEmpty)
  }

  @Test("after PowerDown the chip needs waking again and its field is off")
  func powerDown() throws {
    var host = try SimulatedHost(.ntag213)
    #expect(host.select() != nil)
    #expect(host.send([0x16, 0xF0]) == [0x17, 0x00])
    #expect(host.send([0x02]) == nil)
    #expect(!host.chip.field.isOn)
    _ = host.chip.receive([0x55, 0x55])
    #expect(host.send([0x02]) == [0x03, 0x32, 0x01, 0x06, 0x07])
  }

  @Test(
    "commands that need no tag are answered as the manual says",
    arguments: [
      ([0x00, 0x00] + Array("libnfc".utf8), [0x01, 0x00] + Array("libnfc".utf8)),
      ([0x00, 0x01], [0x01, 0x00]), ([0x00, 0x02], [0x01, 0x00]), ([0x00, 0x06], [0x01, 0x27]),
      ([0x04], [0x05, 0x00, 0x00, 0x00, 0x00]), ([0x10, 0x07], [0x11]), ([0x12, 0x14], [0x13]),
      ([0x14, 0x01, 0x14, 0x01], [0x15]), ([0x32, 0x01, 0x01], [0x33]),
      ([0x32, 0x05, 0xFF, 0x01, 0x02], [0x33]), ([0x44, 0x00], [0x45, 0x00]),
      ([0x52, 0x00], [0x53, 0x00]), ([0x52, 0x01], [0x53, 0x27]), ([0x54, 0x01], [0x55, 0x27]),
      ([0x50, 0x01, 0x00], [0x51, 0x27]), ([0x56, 0x00, 0x00, 0x00], [0x57, 0x01]),
      ([0x40, 0x01, 0x30, 0x00], [0x41, 0x27]), ([0x42, 0x30, 0x00], [0x43, 0x01]),
      ([0x86], [0x87, 0x27]),
    ] as [([UInt8], [UInt8])])
  func withoutTag(command: [UInt8], response: [UInt8]) {
    var host = SimulatedHost(nil)
    #expect(host.send(command) == response)
  }

  @Test(
    "wrong parameters bring an error frame",
    arguments: [
      [0x06], [0x06, 0x63], [0x08, 0x63, 0x02], [0x10, 0x09], [0x12], [0x14, 0x00], [0x16],
      [0x32, 0x03, 0x00], [0x40], [0x4A, 0x00, 0x00], [0x4A, 0x03, 0x00], [0x4A, 0x01, 0x05],
      [0x44], [0x54, 0x01, 0x01], [0x60, 0x01, 0x01],
    ] as [[UInt8]])
  func wrongParameters(command: [UInt8]) {
    var host = SimulatedHost(nil)
    let output = host.chip.receive(PN532Frame.information([0xD4] + command))
    #expect(output == PN532Frame.acknowledge + PN532Frame.syntaxError)
  }

  @Test("registers hold what was written")
  func registers() {
    var host = SimulatedHost(nil)
    #expect(host.send([0x08, 0x63, 0x02, 0x00, 0x63, 0x3D, 0x07]) == [0x09])
    #expect(host.send([0x06, 0x63, 0x3D, 0x63, 0x02]) == [0x07, 0x07, 0x00])
  }

  @Test("a silent tag costs the time that RFConfiguration sets")
  func answerTime() {
    var host = SimulatedHost(nil)
    _ = host.chip.receive(PN532Frame.information([0xD4, 0x42, 0x30, 0x00]))
    #expect(host.chip.delay == .microseconds(51_200))
    #expect(host.send([0x32, 0x02, 0x00, 0x0B, 0x04]) == [0x33])
    _ = host.chip.receive(PN532Frame.information([0xD4, 0x42, 0x30, 0x00]))
    #expect(host.chip.delay == .microseconds(800))
  }

  @Test("any bytes at all leave the chip answering", arguments: 0..<20 as Range<UInt64>)
  func noise(seed: UInt64) throws {
    var generator = SplitMix64(state: seed)
    var host = try SimulatedHost(.ntag213)
    for _ in 0..<300 {
      let body = (0..<Int.random(in: 1...24, using: &generator)).map { _ in
        UInt8.random(in: 0...255, using: &generator)
      }
      // Half are frames with a real command code, so that parameters are reached.
      let code = UInt8.random(in: 0...0x4B, using: &generator) * 2
      let isFramed = Bool.random(using: &generator)
      _ = host.chip.receive(isFramed ? PN532Frame.information([0xD4, code] + body) : body)
      if host.chip.delay != nil { _ = host.chip.delayElapsed() }
    }
    // The rest of a frame that noise began, then a wake-up in case noise said PowerDown.
    _ = host.chip.receive([UInt8](repeating: 0x55, count: 300))
    #expect(host.send([0x02]) == [0x03, 0x32, 0x01, 0x06, 0x07])
  }
}

/// A generator whose sequence a seed fixes.
struct SplitMix64: RandomNumberGenerator {
  var state: UInt64
  mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var mixed = state
    mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
    mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
    return mixed ^ (mixed >> 31)
  }
}
