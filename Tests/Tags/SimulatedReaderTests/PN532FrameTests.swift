import TagTypes
import Testing

@testable import SimulatedReader

@Suite("Frames of the serial line (UM0701-02, section 6.2.1)")
struct PN532FrameTests {
  /// The manual's own example: GetFirmwareVersion.
  static let firmwareCommand: [UInt8] = [0x00, 0x00, 0xFF, 0x02, 0xFE, 0xD4, 0x02, 0x2A, 0x00]
  static let firmwareResponse: [UInt8] = [
    0x00, 0x00, 0xFF, 0x06, 0xFA, 0xD5, 0x03, 0x32, 0x01, 0x06, 0x07, 0xE8, 0x00,
  ]

  @Test("the manual's firmware exchange comes out byte for byte")
  func firmware() throws {
    var host = SimulatedHost(nil)
    #expect(
      host.chip.receive(Self.firmwareCommand) == PN532Frame.acknowledge + Self.firmwareResponse)
  }

  @Test("a command in an extended frame is a command, however the bytes are cut")
  func extendedFrame() {
    var host = SimulatedHost(nil)
    let frame: [UInt8] = [
      0x00, 0x00, 0xFF, 0xFF, 0xFF, 0x00, 0x02, 0xFE, 0xD4, 0x02, 0x2A, 0x00,
    ]
    var output: [UInt8] = []
    for byte in frame { output += host.chip.receive([byte]) }
    #expect(output == PN532Frame.acknowledge + Self.firmwareResponse)
  }

  @Test("bodies of every length survive framing", arguments: [1, 2, 254, 255, 256, 265])
  func lengths(count: Int) {
    let body = (0..<count).map { UInt8(truncatingIfNeeded: $0) }
    var reader = PN532FrameReader()
    #expect(reader.take(PN532Frame.information(body)) == [.information(body)])
    #expect(PN532Frame.information(body).count == count + (count > 255 ? 10 : 7))
  }

  @Test("a frame with a damaged byte is not acknowledged, and the next one is", arguments: 2..<9)
  func damage(at offset: Int) {
    var host = SimulatedHost(nil)
    var damaged = Self.firmwareCommand
    damaged[offset] ^= 0x10
    // The last byte is the postamble, which is not checked.
    let first = host.chip.receive(damaged)
    #expect(first.isEmpty == (offset != 8))
    let padding = [UInt8](repeating: 0, count: 40)
    let output = first + host.chip.receive(padding + Self.firmwareCommand)
    #expect(output.suffix(13) == Self.firmwareResponse[...])
  }

  @Test("a NAK from the host brings the last response again")
  func repetition() {
    var host = SimulatedHost(nil)
    _ = host.chip.receive(Self.firmwareCommand)
    let again = host.chip.receive([0x00, 0x00, 0xFF, 0xFF, 0x00, 0x00])
    #expect(again == Self.firmwareResponse)
  }

  @Test("an ACK from the host ends a search that would last for ever")
  func abort() throws {
    var host = SimulatedHost(nil)
    let search = PN532Frame.information([0xD4, 0x4A, 0x01, 0x00])
    #expect(host.chip.receive(search) == PN532Frame.acknowledge)
    #expect(host.chip.receive(PN532Frame.acknowledge).isEmpty)
    #expect(host.chip.replaceTag(with: try SimulatedTag(.ntag213)).isEmpty)
  }

  @Test("a command that the chip does not know is acknowledged and answered by an error frame")
  func syntaxError() {
    var host = SimulatedHost(nil)
    let output = host.chip.receive(PN532Frame.information([0xD4, 0xEE]))
    #expect(output == PN532Frame.acknowledge + PN532Frame.syntaxError)
  }

  @Test("CRC_A is ISO/IEC 14443-3's, annex B")
  func crc() {
    #expect(CRCA.checksum([0x00, 0x00]) == [0xA0, 0x1E])
    #expect(CRCA.checksum([0x12, 0x34]) == [0x26, 0xCF])
    #expect(CRCA.stripped([0x12, 0x34, 0x26, 0xCF]) == [0x12, 0x34])
    #expect(CRCA.stripped([0x12, 0x34, 0x26, 0xCE]) == nil)
  }
}
