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
