public import CliptagBasics

/// One check of the doctor, and its result.
public struct ReaderCheck: Hashable, Sendable {
  /// The effect of a finding on opening the reader.
  public enum Verdict: String, Hashable, Sendable {
    /// The reader is as expected.
    case fine
    /// The finding is informative and does not prevent opening.
    case note
    /// The finding prevents opening.
    case problem
  }

  /// The subject of a check; the raw value is stable.
  public enum Subject: String, Hashable, Sendable, CaseIterable {
    /// The libnfc library.
    case library
    /// The source and syntax of the connection string.
    case connectionString = "connection-string"
    /// The device node that the connection string names.
    case deviceNode = "device-node"
    /// The user's permission to read and write the node.
    case permission
    /// Other programs that have the node open.
    case holder
    /// Readers on USB.
    case usb
    /// The smart card daemon, which claims USB readers.
    case smartCardDaemon = "smart-card-daemon"
    /// Kernel drivers that claim USB readers.
    case kernelModules = "kernel-modules"
    /// Serial ports to which a reader may be connected.
    case serialPorts = "serial-ports"
    /// A serial port that the kernel or a login prompt uses as a console.
    case serialConsole = "serial-console"
    /// The speed of a chip on a serial port.
    case speed
    /// Opening the reader.
    case opening
  }

  /// The subject of the check.
  public let subject: Subject
  /// The effect on opening the reader.
  public let verdict: Verdict
  /// The finding, in one sentence without a full stop.
  public let finding: String
  /// The remedy, with its advice as values.
  public let advice: Hint?
  /// The remedy in the library's wording.
  public var hint: String? { advice?.text }

  /// Makes a check.
  package init(
    _ subject: Subject, _ verdict: Verdict, _ finding: String, hint: Hint? = nil
  ) {
    self.subject = subject
    self.verdict = verdict
    self.finding = finding
    advice = hint
  }
}

extension NFCReader {
  /// Looks for a PN532 on a serial port that another program left at another speed, and resets it
  /// to the speed that libnfc uses.
  ///
  /// Writes to this one port, at all speeds that such a chip has; any other device connected there
  /// receives these bytes. Takes up to 3 s, not on the caller's thread. Cancelling does not shorten
  /// it.
  ///
  /// - Parameter connectionString: A reader on a serial port, such as `pn532_uart:/dev/ttyUSB0`.
  /// - Returns: A check of ``ReaderCheck/Subject/speed``: `.fine` if no repair was needed or the
  ///   chip answers again, `.problem` if it does not.
  public static func repair(_ connectionString: String) async -> ReaderCheck {
    await repair(connectionString, system: .live)
  }

  static func repair(_ connectionString: String, system: SystemView) async -> ReaderCheck {
    await ReaderExecutor().run {
      do {
        let connection = try ReaderConnection(parsing: connectionString)
        guard connection.driver == "pn532_uart", let path = connection.serialPath else {
          return ReaderCheck(
            .speed, .note, "only a PN532 on a serial port has a speed to repair",
            hint: "give it, for example pn532_uart:/dev/ttyUSB0")
        }
        let port: PortLock
        do throws(PortLock.Failure) {
          port = try PortLock(path: path)
        } catch {
          throw OpenFailure.port(error, connection: connection, system: system)
        }
        let wanted = connection.speed ?? 115_200
        return withExtendedLifetime(port) {
          ReaderCheck(SpeedRepair(link: SerialLink(port)).run(wanted: wanted), path, wanted)
        }
      } catch let error as NFCReaderError {
        return ReaderCheck(.speed, .problem, error.problem, hint: error.remedy)
      } catch {
        return ReaderCheck(.speed, .problem, "\(error)")
      }
    }
  }
}

extension ReaderCheck {
  fileprivate init(_ finding: SpeedRepair.Finding, _ path: String, _ wanted: Int) {
    switch finding {
    case .right:
      self.init(.speed, .fine, "the chip on \(path) responds at \(wanted) baud")
    case .repaired(let baud):
      self.init(
        .speed, .fine, "the chip on \(path) was at \(baud) baud; it is at \(wanted) again")
    case .lost(let baud):
      self.init(
        .speed, .problem,
        "the chip on \(path) is at \(baud) baud and could not be set to \(wanted)",
        hint: "unplug the reader and plug it in again")
    case .silent:
      self.init(
        .speed, .problem, "no PN532 on \(path) responds at any speed",
        hint: "check the wires (RX and TX crossed), and that its switches are set to HSU")
    }
  }
}
