import CliptagBasics

/// A reader, or a port to which one may be connected.
public struct FoundReader: Equatable, Sendable {
  /// The source of a found reader.
  public enum Source: String, Hashable, Sendable {
    /// Named by `CLIPTAG_READER` or `LIBNFC_DEVICE`.
    case environment
    /// Reported by libnfc: on USB, or in its configuration files.
    case libnfc
    /// Known to the smart card service.
    case pcsc
    /// A serial port to which nothing was written.
    case serialPort = "serial-port"
  }

  /// The result of probing the reader.
  public enum Answer: Equatable, Sendable {
    /// The reader was not probed.
    case notAsked
    /// It opened; the name is ``NFCReader/name``.
    case opened(name: String)
    /// It did not open.
    case failed(NFCReaderError)
  }

  /// The connection string with which ``NFCReader/open(_:answerTimeout:clock:)`` opens it.
  public let connectionString: String
  /// The source from which the reader is known.
  public let source: Source
  /// The result of probing the reader.
  public let answer: Answer
}

extension NFCReader {
  /// Lists readers, and serial ports that may have one.
  ///
  /// - Parameter probing: Pass `true` to open each one, in turn, and read its name. This writes a
  ///   PN532 wake-up to every USB serial port, which may disturb other devices connected there: ask
  ///   the user first. A silent port takes about 3 s. Cancelling the task leaves the rest unprobed.
  public static func discover(probing: Bool = false) async -> [FoundReader] {
    await discover(probing: probing, library: .shared, system: .live)
  }

  static func discover(
    probing: Bool, library: NFCLibrary, system: SystemView, pcsc: PCSCCalls = .system
  ) async -> [FoundReader] {
    let named = system.preferredReader.map { [$0] } ?? []
    let reported = await ReaderExecutor().run { library.devices() }
    let ports = system.serialCandidates
      .filter { path in !(named + reported).contains { names(path, $0, system) } }
    let services = await ReaderExecutor().run { PCSCReaders.names(pcsc) }
      .map(PCSCName.connectionString)
    let all: [(String, FoundReader.Source)] =
      named.map { ($0, .environment) }
      + reported.filter { !named.contains($0) }.map { ($0, .libnfc) }
      + services.filter { !named.contains($0) }.map { ($0, .pcsc) }
      + ports.map { ("pn532_uart:\($0)", .serialPort) }
    var found: [FoundReader] = []
    for (text, source) in all {
      var answer = FoundReader.Answer.notAsked
      if probing && !Task.isCancelled {
        answer = await ask(text, library: library, system: system, pcsc: pcsc)
      }
      found.append(FoundReader(connectionString: text, source: source, answer: answer))
    }
    return found
  }

  /// Examines everything that affects opening a reader, and then opens it.
  ///
  /// Writes only to the named reader, or to the one that ``open(_:answerTimeout:clock:)`` would choose.
  ///
  /// - Parameters:
  ///   - connectionString: The reader; `nil` for the one that would be chosen.
  ///   - repairing: Pass `true` to ``repair(_:)`` a named serial reader first.
  /// - Returns: The checks of the machine, and one for ``ReaderCheck/Subject/opening``.
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
      return checks + [ReaderCheck(.opening, .fine, "opens and responds as \(name)")]
    } catch {
      return checks + [ReaderCheck(.opening, .problem, error.problem, hint: error.remedy)]
    }
  }

  private static func ask(
    _ text: String, library: NFCLibrary, system: SystemView, pcsc: PCSCCalls
  ) async -> FoundReader.Answer {
    do {
      let reader = try await open(
        text, library: library, system: system, pcsc: pcsc, clock: ContinuousClock())
      let name = await reader.name
      await reader.close()
      return .opened(name: name)
    } catch {
      return .failed(error)
    }
  }

  /// Returns `true` if a connection string refers to this port.
  private static func names(_ path: String, _ text: String, _ system: SystemView) -> Bool {
    guard let other = try? ReaderConnection(parsing: text).path else { return false }
    return system.resolve(other) == system.resolve(path)
  }
}
