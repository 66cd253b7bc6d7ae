import Jobs
import CliptagBasics
import ArgumentParser
import NFCReader
import Verifying

/// `cliptag reader …`
struct ReaderCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "reader",
    abstract: "List, diagnose, simulate and record NFC readers.",
    subcommands: [
      List.self, SimulateCommand.self, Doctor.self, RecordCommand.self, PlayCommand.self,
    ])

  /// `cliptag reader list`
  struct List: ConsoleCommand {
    static let configuration = CommandConfiguration(
      commandName: "list",
      abstract: "List readers and candidate serial ports.",
      discussion: """
        Nothing is sent to a serial port unless --probe is given, because another device may be \
        connected there.

        Examples:
          cliptag reader list
          cliptag reader list --probe
        """)
    @Flag(help: "Open each one in turn and read its name; about 3 s without a response.")
    var probe = false
    @OptionGroup var global: GlobalOptions

    func execute(_ console: Console) async throws {
      let readers = await NFCReader.discover(probing: probe)
      for reader in readers {
        console.result(of: FoundReaderResult(reader), text: reader.text)
      }
      if readers.isEmpty {
        console.report(
          Failure(
            "no-reader", .unavailable, "No NFC reader was found.",
            hint: "Plug one in and run cliptag reader doctor, or try cliptag reader simulate."))
      }
    }
  }

  /// `cliptag reader doctor`
  struct Doctor: ConsoleCommand {
    static let configuration = CommandConfiguration(
      commandName: "doctor",
      abstract: "Diagnose a reader that does not open.",
      discussion: """
        A PN532 on a serial port that another program left at another speed does not respond; --repair \
        tries every speed on the port of the given reader, and on no other.

        To report a reader that misbehaves, attach the doctor's output and a recording; see \
        cliptag reader record.

        Examples:
          cliptag reader doctor
          cliptag reader doctor --reader pn532_uart:/dev/ttyUSB0
          cliptag reader doctor --reader pn532_uart:/dev/ttyUSB0 --repair
        """)
    @Flag(help: "Set a chip on the given serial port back to libnfc's speed.")
    var repair = false
    @Option(
      help: ArgumentHelp(
        """
        The reader, as a libnfc connection string, or pcsc: and a part of a PC/SC reader's name \
        (default: $CLIPTAG_READER or $LIBNFC_DEVICE, else the first).
        """,
        valueName: "connstring"), completion: .readers)
    var reader: String?
    @OptionGroup var global: GlobalOptions

    func execute(_ console: Console) async throws {
      let checks = await NFCReader.examine(reader, repairing: repair)
      for check in checks {
        console.result(of: check.result, text: check.text(console.output))
      }
      if checks.contains(where: { $0.verdict == .problem }) {
        console.note(.unavailable)
      }
    }
  }
}

extension FoundReader {
  fileprivate var text: String {
    switch answer {
    case .opened(let name): "\(connectionString)  \(name)"
    case .failed(let error): "\(connectionString)  does not open: \(error.problem)"
    case .notAsked where source == .serialPort:
      "\(connectionString)  a serial port; --probe tests it"
    case .notAsked: connectionString
    }
  }
}

extension ReaderCheck {
  /// The object that the doctor prints.
  var result: ReaderCheckResult { ReaderCheckResult(self, hint: advice?.own) }

  fileprivate func text(_ style: Style) -> ConsoleText {
    let label: ConsoleText = "\(verdict.rawValue.padding(to: 8))"
    let mark =
      switch verdict {
      case .fine: style.green(label)
      case .note: style.dim(label)
      case .problem: style.red(label)
      }
    let advice: ConsoleText = self.advice.map { "\n         next: \($0.own)" } ?? ""
    return "\(mark) \(subject.rawValue): \(finding)\(advice)"
  }
}
