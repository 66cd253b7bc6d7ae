import ArgumentParser
import CliptagBasics
import Jobs
import SimulatedReader
import TagTypes

/// `cliptag reader play`
struct PlayCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "play",
    abstract: "Simulate the reader of a recorded session.",
    discussion: """
      Plays a file of reader record to one client after another, as reader simulate does: a recording \
      of libnfc on a pseudo-terminal, one of PC/SC at the socket that --pcsc names. The first line on \
      standard output is the connection string.

      The commands have to come as they were recorded; another one ends the player with \
      session-differs. With --lenient, recorded commands get their recorded answers in any order, and \
      the tag that --tag names, or the recorded one as far as the file shows it, answers the rest.

      Examples:
        cliptag reader play session.yaml
        cliptag reader play session.yaml --lenient --tag ntag215
      """)

  @Argument(
    help: ArgumentHelp("The recording; - is standard input.", valueName: "file"),
    completion: .file())
  var file: String
  @Flag(help: "Take any command, in any order.")
  var lenient = false
  @Option(help: "With --lenient, what answers where the recording does not.")
  var tag: SimulatedTagKind?
  @Option(
    help: ArgumentHelp(
      """
      Be a PC/SC reader at this Unix socket, in place of pcscd; programs find it by \
      PCSCLITE_CSOCK_NAME.
      """,
      valueName: "socket"),
    completion: .file())
  var pcsc: String?
  @Option(
    help: ArgumentHelp(
      "Write every frame in words, passwords too, to this file; - is standard error.",
      valueName: "file"),
    completion: .file())
  var trace: String?
  @OptionGroup var global: GlobalOptions

  func validate() throws {
    guard lenient || tag == nil else {
      throw ValidationError("--tag answers only with --lenient.")
    }
  }

  func run() async throws {
    let console = global.console
    do {
      let bytes = try InputFile.bytes(of: file, limit: RecordedSession.maximumSize)
      let session = try RecordedSession(parsing: String(decoding: bytes, as: UTF8.self), path: file)
      let played = try PlayedSession(session, mode: lenient ? .lenient : .strict)
      let socket = try socket(of: played)
      let output: TraceOutput? = if let trace { try TraceOutput(trace) } else { nil }
      let reader = try SimulatedReader(
        playing: played, tag: try tag?.card(), trace: output?.write, pcsc: socket)
      if global.json {
        console.print(
          of: PlayedReaderResult(
            reader: reader.connectionString, session: session.id, exchanges: played.answers.count))
      } else {
        print(reader.connectionString)
        flushStandardOutput()
      }
      try await reader.run()
    } catch {
      console.report(Failure(describing: error, source: file))
      throw ExitCode(console.exitStatus.rawValue)
    }
  }

  /// The socket for a recording of PC/SC.
  private func socket(of played: PlayedSession) throws(Failure) -> PCSCSocket? {
    guard let pcsc else {
      guard !played.needsSocket else {
        throw Failure(
          "usage", .usage, "The recording is one of PC/SC, which a serial port does not carry.",
          hint: "Name a socket: --pcsc play.socket", source: file)
      }
      return nil
    }
    guard !played.needsLine else {
      throw Failure(
        "usage", .usage, "The recording is one of a chip on a line, which PC/SC does not carry.",
        hint: "Leave --pcsc out.", source: file)
    }
    return PCSCSocket(played.model, path: pcsc)
  }
}
