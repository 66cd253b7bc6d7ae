import CliptagBasics

/// A parsed libnfc connection string: `driver:path:speed` or `driver:bus:device`.
struct ReaderConnection: Hashable, Sendable {
  /// The whole string.
  let text: String
  /// The driver's name, the part before the first colon.
  let driver: String
  /// The device node, for drivers that take one.
  let path: String?
  /// The speed in baud, if given.
  let speed: Int?

  /// The drivers of libnfc 1.8 that take the path of a serial port.
  static let serialDrivers: Set<String> = ["pn532_uart", "arygon", "acr122s"]
  /// The drivers that take another device node.
  static let busDrivers: Set<String> = ["pn532_i2c", "pn532_spi"]
  /// The drivers that find their reader on USB; `usb` means any of them.
  static let usbDrivers: Set<String> = ["acr122_usb", "pn53x_usb", "usb"]
  /// The speeds that libnfc can set.
  static let speeds: Set<Int> = [9600, 19_200, 38_400, 57_600, 115_200, 230_400, 460_800]

  /// The serial port, if the driver uses one.
  var serialPath: String? { Self.serialDrivers.contains(driver) ? path : nil }
  /// A Boolean value that indicates whether the reader is on USB.
  var isUSB: Bool { Self.usbDrivers.contains(driver) }
  /// A Boolean value that indicates whether the driver is known here; all of these use a PN53x
  /// chip.
  var isPN53x: Bool { path != nil || isUSB }
  /// A Boolean value that indicates whether this is an ACR122U on USB, whose "no tag" libnfc 1.8
  /// reports as a failure of the line.
  var reportsNoTagAsFailure: Bool { driver == "acr122_usb" || driver == "usb" }

  /// Parses a connection string.
  ///
  /// Unknown drivers are left to libnfc, which may be newer; known errors are refused with the
  /// reason.
  ///
  /// - Throws: `.noReader`, naming the part that is wrong.
  init(parsing text: String) throws(NFCReaderError) {
    func refusal(_ message: String, _ hint: Hint) -> NFCReaderError {
      NFCReaderError(
        .noReader, "the connection string \"\(text)\" \(message)", hint: hint,
        connectionString: text)
    }
    let example: Hint = "write it like pn532_uart:/dev/ttyUSB0"
    let parts = text.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
    let driver = String(parts[0])
    guard !text.utf8.contains(0), text.utf8.count < 1024 else {
      throw refusal("is not usable text", example)
    }
    guard driver.contains(where: { $0 != " " }) else { throw refusal("has no driver", example) }
    guard !driver.contains("/") else { throw refusal("is a path without a driver", example) }
    self.text = text
    self.driver = driver
    guard Self.serialDrivers.contains(driver) || Self.busDrivers.contains(driver) else {
      (path, speed) = (nil, nil)
      return
    }
    guard parts.count == 2, parts[1].hasPrefix("/") else {
      throw refusal("has no device path", "\(example), with the port of your reader")
    }
    let rest = parts[1]
    guard let colon = rest.lastIndex(of: ":"),
      rest[rest.index(after: colon)...].allSatisfy({ ("0"..."9").contains($0) })
    else {
      (path, speed) = (String(rest), nil)
      return
    }
    guard let speed = Int(rest[rest.index(after: colon)...]), Self.speeds.contains(speed) else {
      let known = Self.speeds.sorted().map(String.init).joined(separator: ", ")
      throw refusal("has an invalid speed", "leave it out, or use one of \(known)")
    }
    path = String(rest[..<colon])
    self.speed = speed
  }

  /// The string for libnfc, which ends a path at a colon and truncates long paths: links such as
  /// those of /dev/serial/by-path are replaced by their targets.
  func resolved(_ resolve: (String) -> String) -> String {
    guard let path, path.contains(":") || path.utf8.count > 100 else { return text }
    return "\(driver):\(resolve(path))" + (speed.map { ":\($0)" } ?? "")
  }
}
