/// A reader, or a port where one may be.
public struct FoundReader: Equatable, Sendable {
  /// How the reader was found.
  public enum Source: String, Hashable, Sendable {
    /// Named by `LIBNFC_DEVICE`.
    case environment
    /// Reported by libnfc: on USB, or in its configuration files.
    case libnfc
    /// A serial port to which nothing was written.
    case serialPort = "serial-port"
  }

  /// What asking it brought.
  public enum Answer: Equatable, Sendable {
    /// It was not asked.
    case notAsked
    /// It opened; the name is ``NFCReader/name``.
    case opened(name: String)
    /// It did not open.
    case failed(NFCReaderError)
  }

  /// How ``NFCReader/open(_:clock:)`` opens it.
  public let connectionString: String
  /// How it was found.
  public let source: Source
  /// What asking it brought.
  public let answer: Answer
}

extension NFCReader {
  /// Lists readers, and serial ports that may have one.
  ///
  /// - Parameter probing: Whether to open each one, in turn, and ask its name. This writes a PN532
  ///   wake-up to every USB serial port, which may disturb what else is connected there: ask the
  ///   user first. A port where nothing answers takes about 3 s. Cancelling the task leaves the
  ///   rest unasked.
  public static func discover(probing: Bool = false) async -> [FoundReader] {
    await discover(probing: probing, library: .shared, system: .live)
  }

  static func discover(
    probing: Bool, library: NFCLibrary, system: SystemView
  ) async -> [FoundReader] {
    let named = system.preferredReader.map { [$0] } ?? []
    let reported = await ReaderExecutor().run { library.devices() }
    let ports = system.serialCandidates
      .filter { path in !(named + reported).contains { names(path, $0, system) } }
    let all: [(String, FoundReader.Source)] =
      named.map { ($0, .environment) }
      + reported.filter { !named.contains($0) }.map { ($0, .libnfc) }
      + ports.map { ("pn532_uart:\($0)", .serialPort) }
    var found: [FoundReader] = []
    for (text, source) in all {
      var answer = FoundReader.Answer.notAsked
      if probing && !Task.isCancelled {
        answer = await ask(text, library: library, system: system)
      }
      found.append(FoundReader(connectionString: text, source: source, answer: answer))
    }
    return found
  }

  /// Examines everything that decides whether a reader opens, and then opens it.
  ///
  /// Writes to the reader that is named, or that ``open(_:clock:)`` would choose, and to no other.
  ///
  /// - Parameters:
  ///   - connectionString: The reader; `nil` for the one that would be chosen.
  ///   - repairing: Whether to ``repair(_:)`` a named serial reader first.
  /// - Returns: What the machine shows, and one check for ``ReaderCheck/Subject/opening``.
  public static func examine(
    _ connectionString: String? = nil, repairing: Bool = false
  ) async -> [ReaderCheck] {
    var checks = ReaderDoctor().examine(connectionString)
    if repairing {
      let named = connectionString ?? SystemView.live.preferredReader
      checks.append(await repair(named ?? "usb"))
    }
    do {
      let reader = try await open(connectionString)
      let name = await reader.name
      await reader.close()
      return checks + [ReaderCheck(.opening, .fine, "opens and answers as \(name)")]
    } catch {
      return checks + [ReaderCheck(.opening, .problem, error.message, hint: error.hint)]
    }
  }

  private static func ask(
    _ text: String, library: NFCLibrary, system: SystemView
  ) async -> FoundReader.Answer {
    do {
      let reader = try await open(
        text, library: library, system: system, clock: ContinuousClock())
      let name = await reader.name
      await reader.close()
      return .opened(name: name)
    } catch {
      return .failed(error)
    }
  }

  /// Whether a connection string means this port.
  private static func names(_ path: String, _ text: String, _ system: SystemView) -> Bool {
    guard let other = try? ReaderConnection(parsing: text).path else { return false }
    return system.resolve(other) == system.resolve(path)
  }
}

/// A libnfc connection string, taken apart: `driver:path:speed` or `driver:bus:device`.
struct ReaderConnection: Hashable, Sendable {
  /// The whole string.
  let text: String
  /// The driver's name, the part before the first colon.
  let driver: String
  /// The device node, for drivers that take one.
  let path: String?
  /// The speed in baud, when it is given.
  let speed: Int?

  /// The drivers of libnfc 1.8 that take the path of a serial port.
  static let serialDrivers: Set<String> = ["pn532_uart", "arygon", "acr122s"]
  /// Those that take another device node.
  static let busDrivers: Set<String> = ["pn532_i2c", "pn532_spi"]
  /// Those that find their reader on USB; `usb` stands for any of them.
  static let usbDrivers: Set<String> = ["acr122_usb", "pn53x_usb", "usb"]
  /// Speeds that libnfc can set.
  static let speeds: Set<Int> = [9600, 19_200, 38_400, 57_600, 115_200, 230_400, 460_800]

  /// The serial port, when the driver uses one.
  var serialPath: String? { Self.serialDrivers.contains(driver) ? path : nil }
  /// Whether the reader is looked for on USB.
  var isUSB: Bool { Self.usbDrivers.contains(driver) }
  /// Whether the driver is one of those here, all of which talk to a PN53x chip.
  var isPN53x: Bool { path != nil || isUSB }
  /// Whether this is an ACR122U on USB, whose "no tag" libnfc 1.8 reports as a failure of the line.
  var reportsNoTagAsFailure: Bool { driver == "acr122_usb" || driver == "usb" }

  /// Takes a connection string apart.
  ///
  /// Drivers that are not known here are left to libnfc, which may be newer; what is known to
  /// fail is refused with the reason.
  ///
  /// - Throws: `.noReader`, naming the part that is wrong.
  init(parsing text: String) throws(NFCReaderError) {
    func refusal(_ message: String, _ hint: String) -> NFCReaderError {
      NFCReaderError(
        .noReader, "the connection string \"\(text)\" \(message)", hint: hint,
        connectionString: text)
    }
    let example = "write it like pn532_uart:/dev/ttyUSB0"
    let parts = text.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
    let driver = String(parts[0])
    guard !text.utf8.contains(0), text.utf8.count < 1024 else {
      throw refusal("is not usable text", example)
    }
    guard driver.contains(where: { $0 != " " }) else { throw refusal("names no driver", example) }
    guard !driver.contains("/") else { throw refusal("is a path without a driver", example) }
    self.text = text
    self.driver = driver
    guard Self.serialDrivers.contains(driver) || Self.busDrivers.contains(driver) else {
      (path, speed) = (nil, nil)
      return
    }
    guard parts.count == 2, parts[1].hasPrefix("/") else {
      throw refusal("names no device path", "\(example), with the port of your reader")
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
      throw refusal("has an impossible speed", "leave it out, or give one of \(known)")
    }
    path = String(rest[..<colon])
    self.speed = speed
  }

  /// The string to give to libnfc, which reads a colon in a path as the end of it and cuts long
  /// paths: links such as those of /dev/serial/by-path are replaced by what they point to.
  func resolved(_ resolve: (String) -> String) -> String {
    guard let path, path.contains(":") || path.utf8.count > 100 else { return text }
    return "\(driver):\(resolve(path))" + (speed.map { ":\($0)" } ?? "")
  }
}
