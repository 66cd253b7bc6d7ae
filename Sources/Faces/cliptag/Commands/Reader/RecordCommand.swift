import ArgumentParser
import CliptagBasics
import CliptagPlatform
import Jobs
import NFCReader

/// `cliptag reader record`
struct RecordCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "record",
    abstract: "Run a command and record its exchange with the reader.",
    discussion: """
      The file is what to attach to a report about a reader or a tag: every command and answer with \
      its time, the reader, its driver and the versions. It is written line by line, for its owner \
      alone; a run that crashes leaves what came before.

      Passwords and keys are zeros in it, and UIDs are replaced, the same by the same other one; if \
      the command reads an originality signature, which proves nothing without its UID, they stay, \
      as with tag info, and that is said. What a message says stays unless --no-message is given, which leaves its \
      headers. Read the file before you give it away.

      The exit status is that of the command.

      Examples:
        cliptag reader record session.yaml -- tag read --no-location
        cliptag reader record session.yaml --no-message -- tag info
      """)

  @Argument(
    help: ArgumentHelp("The file to write; replaced if it exists.", valueName: "file"),
    completion: .file())
  var file: String
  @Argument(
    parsing: .postTerminator,
    help: ArgumentHelp("The command, without cliptag, behind --.", valueName: "command"))
  var command: [String]
  @Flag(help: "Leave UIDs as they are.")
  var keepUids = false
  @Flag(help: "Replace the letters and digits of messages by x.")
  var noMessage = false
  @OptionGroup var global: GlobalOptions

  func validate() throws {
    guard file != "-" else { throw ValidationError("A recording is a file; - is none.") }
    guard command.first != "reader" || command.dropFirst().first != "record" else {
      throw ValidationError("A recording of a recording is none: name another command.")
    }
  }

  func run() async throws {
    let console = global.console
    let status: Int32
    do throws(RecordingError) {
      var options = SessionRecorder.Options()
      (options.keepsUIDs, options.keepsMessages) = (keepUids, !noMessage)
      let recorder = try SessionRecorder(
        path: file, program: "cliptag \(Cliptag.version)", options: options)
      status = await recorder.record { await Cliptag.parseAndRun(command) }
      tell(try recorder.finish(), console)
    } catch {
      console.report(
        Failure(
          "cannot-create", .cannotCreate,
          "The recording cannot be written: \(String(cString: strerror(error.systemError))).",
          hint: "Name a file in a folder where you may write.", source: error.path))
      throw ExitCode(console.exitStatus.rawValue)
    }
    guard status == ExitStatus.done.rawValue else { throw ExitCode(status) }
    guard console.exitStatus == .done else { throw ExitCode(console.exitStatus.rawValue) }
  }

  private func tell(_ summary: SessionRecorder.Summary?, _ console: Console) {
    guard let summary else {
      console.report(
        Failure(
          "nothing-recorded", .nothingFound,
          "The command opened no reader, so nothing was recorded.",
          hint: "Record a command that works on a tag, such as tag read.", source: file))
      return
    }
    if summary.isUIDNeeded {
      console.say("note: UIDs stay in the recording, because a signature was read")
    }
    let count = summary.exchanges
    let words: ConsoleText =
      "recorded \(count == 1 ? "1 command" : "\(count) commands") and the answers in \(file)"
    if console.json {
      console.print(
        of: RecordingResult(output: file, exchanges: count, keepsUIDs: summary.keepsUIDs))
    } else {
      console.say(words)
    }
  }
}
