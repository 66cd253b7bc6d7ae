/// One thing the doctor looked at, and what it found.
public struct ReaderCheck: Hashable, Sendable {
  /// What a finding means for opening the reader.
  public enum Verdict: String, Hashable, Sendable {
    /// As it should be.
    case fine
    /// Worth knowing; not in the way.
    case note
    /// In the way.
    case problem
  }

  /// What was looked at; the raw value is stable.
  public enum Subject: String, Hashable, Sendable, CaseIterable {
    /// The libnfc library.
    case library
    /// Where the connection string comes from, and how it is written.
    case connectionString = "connection-string"
    /// The device node that the connection string names.
    case deviceNode = "device-node"
    /// Whether the user may read and write it.
    case permission
    /// Other programs that have it open.
    case holder
    /// Readers on USB.
    case usb
    /// The smart card daemon, which claims USB readers.
    case smartCardDaemon = "smart-card-daemon"
    /// Kernel drivers that claim USB readers.
    case kernelModules = "kernel-modules"
    /// Serial ports that may have a reader behind them.
    case serialPorts = "serial-ports"
    /// A serial port that the kernel or a login prompt uses as a console.
    case serialConsole = "serial-console"
    /// The speed of a chip on a serial port.
    case speed
    /// Opening the reader.
    case opening
  }

  /// What was looked at.
  public let subject: Subject
  /// What it means.
  public let verdict: Verdict
  /// What was found, in one sentence without a full stop.
  public let finding: String
  /// What to do about it.
  public let hint: String?

  /// Makes a check.
  package init(
    _ subject: Subject, _ verdict: Verdict, _ finding: String, hint: String? = nil
  ) {
    self.subject = subject
    self.verdict = verdict
    self.finding = finding
    self.hint = hint
  }
}

extension NFCReader {
  /// Looks for a PN532 on a serial port that another program left at another speed, and sets it back
  /// to the one that libnfc uses.
  ///
  /// Writes to this one port, at all speeds that such a chip has; whatever else is connected there
  /// sees these bytes. Takes up to 3 s, not on the caller's thread. Cancelling does not cut it short.
  ///
  /// - Parameter connectionString: A reader on a serial port, such as `pn532_uart:/dev/ttyUSB0`.
  /// - Returns: A check of ``ReaderCheck/Subject/speed``: `.fine` when nothing was to be done or the
  ///   chip answers again, `.problem` when it does not.
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
            hint: "name it, for example pn532_uart:/dev/ttyUSB0")
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
        return ReaderCheck(.speed, .problem, error.problem, hint: error.advice)
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
      self.init(.speed, .fine, "the chip on \(path) answers at \(wanted) baud")
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
        .speed, .problem, "nothing on \(path) answers like a PN532 at any speed",
        hint: "check the wires (RX and TX crossed), and that its switches are set to HSU")
    }
  }
}
