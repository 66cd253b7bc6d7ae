import TagTypes
import Testing

@testable import NFCReader

@Suite("Connection strings")
struct ReaderConnectionTests {
  @Test(
    "a connection string is taken apart as libnfc does",
    arguments: [
      ("pn532_uart:/dev/ttyUSB0", "/dev/ttyUSB0", Int?.none),
      ("pn532_uart:/dev/ttyUSB0:115200", "/dev/ttyUSB0", 115_200),
      ("arygon:/dev/ttyS1:9600", "/dev/ttyS1", 9600),
      (
        "pn532_uart:/dev/serial/by-path/usb-0:1:1.0-port0", "/dev/serial/by-path/usb-0:1:1.0-port0",
        nil
      ),
      ("pn532_uart:/dev/by-path/usb-0:1.0:57600", "/dev/by-path/usb-0:1.0", 57_600),
      ("acr122_usb:001:004", nil, nil), ("usb", nil, nil), ("newer_driver:x", nil, nil),
    ])
  func parsing(text: String, path: String?, speed: Int?) throws {
    let connection = try ReaderConnection(parsing: text)
    #expect(connection.path == path)
    #expect(connection.speed == speed)
    #expect(connection.text == text)
  }

  @Test("a path that libnfc would cut at a colon, or for its length, is replaced by its target")
  func resolved() throws {
    let resolve: (String) -> String = { _ in "/dev/ttyUSB3" }
    let long = "/dev/serial/by-id/" + String(repeating: "x", count: 100)
    for (text, expected) in [
      ("pn532_uart:/dev/by-path/usb-0:1.0:57600", "pn532_uart:/dev/ttyUSB3:57600"),
      ("pn532_uart:\(long)", "pn532_uart:/dev/ttyUSB3"),
      ("pn532_uart:/dev/ttyUSB0:57600", "pn532_uart:/dev/ttyUSB0:57600"),
      ("acr122_usb:001:004", "acr122_usb:001:004"),
    ] {
      #expect(try ReaderConnection(parsing: text).resolved(resolve) == expected)
    }
  }

  @Test(
    "text that cannot name a reader is refused without asking libnfc",
    arguments: [
      "", " ", ":", "pn532_uart", "pn532_uart:", "pn532_uart:ttyUSB0", "/dev/ttyUSB0",
      "pn532_uart:/dev/ttyUSB0:", "pn532_uart:/dev/ttyUSB0:1", "pn532_uart:/a\u{0}b",
      "pn532_uart:/" + String(repeating: "y", count: 1100),
      "pn532_uart:/dev/ttyUSB0:99999999999999999999999",
    ])
  func refused(text: String) {
    let error = #expect(throws: NFCReaderError.self) { try ReaderConnection(parsing: text) }
    #expect(error?.code == .noReader)
    #expect(error?.hint != nil)
  }
}

@Suite("Exchange rules")
struct ExchangeRuleTests {
  let ntag = TagTarget(atqa: [0, 0x44], sak: 0, uid: [4, 1, 2, 3, 4, 5, 6])

  @Test(
    "READ, WRITE and COMPATIBILITY_WRITE are framed by the reader, all else goes out as it is",
    arguments: [
      ([0x30, 4], true), ([0xA2, 4, 0, 0, 0, 0], true), ([0xA0, 4], true), ([0x60], false),
      ([0x3A, 0, 7], false), ([0x39, 2], false), ([0x3C, 0], false), ([0x1B, 0, 0, 0, 0], false),
      ([0x4B], false), ([], false),
    ] as [([UInt8], Bool)])
  func framing(command: [UInt8], isFramed: Bool) {
    #expect(ExchangeRule(command, target: ntag).isFramedByReader == isFramed)
  }

  @Test("every command of an ISO/IEC 14443-4 tag is an APDU, which is never repeated")
  func apdu() {
    let desfire = TagTarget(
      atqa: [0x03, 0x44], sak: 0x20, uid: [4, 1, 2, 3, 4, 5, 6], ats: [0x75])
    for command: [UInt8] in [[0x60], [0x00, 0xA4], [0x30, 4]] {
      let rule = ExchangeRule(command, target: desfire)
      #expect(rule.isFramedByReader && !rule.isRepeatable && rule.answerLength == nil)
    }
  }

  @Test(
    "an answer is cut to the data sheet's length, and a shorter one is a refusal",
    arguments: [
      ([0x30, 4], 18, 16), ([0x30, 4], 16, 16), ([0x30, 4], 15, nil), ([0x30, 4], 1, nil),
      ([0x3A, 4, 6], 14, 12), ([0x3A, 4, 6], 11, nil), ([0x3A, 6, 4], 3, 3), ([0x60], 10, 8),
      ([0x60], 0, nil), ([0x39, 2], 3, 3), ([0x3C, 0], 34, 34), ([0x1B, 0, 0, 0, 0], 2, 2),
      ([0xA2, 4, 0, 0, 0, 0], 0, 0), ([0x4B], 5, 5),
    ] as [([UInt8], Int, Int?)])
  func answers(command: [UInt8], length: Int, accepted: Int?) {
    let answer = [UInt8](repeating: 0x11, count: length)
    #expect(ExchangeRule(command, target: ntag).accept(answer)?.count == accepted)
  }

  @Test("a four-bit answer to a write that arrives as a byte is read as ACK or NAK")
  func fourBits() {
    let rule = ExchangeRule([0xA2, 4, 0, 0, 0, 0], target: ntag)
    #expect(rule.accept([0x0A]) == [])
    for nak: UInt8 in [0x00, 0x01, 0x04, 0x05] { #expect(rule.accept([nak]) == nil) }
  }
}

@Suite("libnfc's codes")
struct NFCStatusTests {
  @Test("a count is passed on and a negative code is thrown")
  func check() throws {
    #expect(try NFCStatus.check(0) == 0)
    #expect(try NFCStatus.check(16) == 16)
    #expect(throws: NFCStatus.radioTransmission) { try NFCStatus.check(-20) }
    #expect(throws: NFCStatus(rawValue: -77)) { try NFCStatus.check(-77) }
  }

  @Test("a code that libnfc may add later still says its number")
  func unknown() {
    #expect("\(NFCStatus(rawValue: -77))" == "an unknown failure (libnfc -77)")
    #expect("\(NFCStatus.timedOut)" == "the reader did not respond in time (libnfc -6)")
  }
}
