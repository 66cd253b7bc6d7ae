import CBuild
import CliptagBasics
import ArgumentParser
import Foundation
import NFCReader

/// The command `cliptag`.
@main
struct Cliptag: AsyncParsableCommand {
  /// The version that `cliptag --version` prints.
  static let version = "0.2.0"
  /// The version with the commit of the sources, if the build knows it: `0.2.0 (4c28ea6f0c11)`.
  static let versionAndCommit: String = {
    let commit = String(cString: cliptag_build_commit())
    return commit.isEmpty ? version : "\(version) (\(commit))"
  }()
  /// The day of that version, at its beginning, in seconds since 1970: the date of the man pages.
  static let released = 1_795_824_000  // November 28, 2026

  static let configuration = CommandConfiguration(
    commandName: "cliptag",
    abstract: "Issues, reads and checks App Clip codes: NFC tags and QR codes.",
    discussion: """
      Checks every payload, issued or read, against the experience registry, and the place of \
      every code that is read.

      Examples:
        cliptag registry import Samples/fruta/registry.yaml
        cliptag check https://fruta.example.com/order/cupertino
        cliptag qr https://fruta.example.com/order/cupertino -o cupertino.svg
        cliptag scan wall.jpg --at 37.3230,-122.0322

      Options given often may be settings (cliptag config). Completion of commands, options and \
      recorded names is installed with the package; otherwise: \
      cliptag --generate-completion-script bash > ~/.local/share/bash-completion/completions/cliptag \
      (or zsh > a folder of $fpath/_cliptag, fish > ~/.config/fish/completions/cliptag.fish).

      Exit status: 0 accepted, 1 rejected or undecided, 2 nothing found, 64 and above trouble; \
      cliptag explain shows the meaning of codes.
      """,
    version: versionAndCommit,
    subcommands: [
      CheckCommand.self, QRCommand.self, ClipCodeCommand.self, PosterCommand.self,
      SheetCommand.self,
      ScanCommand.self, GradeCommand.self,
      TagCommand.self,
      ReaderCommand.self, StationCommand.self, ClipCommand.self, ExperienceCommand.self,
      PlaceCommand.self,
      RegistryCommand.self,
      CodeCommand.self, PackCommand.self, AuditCommand.self, AssociationCommand.self,
      BannerCommand.self, ConfigCommand.self, ExplainCommand.self,
      ScanPageCommand.self, ManualCommand.self,
    ])

  /// Parses, runs, and leaves with the status of the contract.
  static func main() async {
    // libnfc takes its log level from the environment, which only a lone thread may change.
    NFCReader.silenceLibrary()
    // Before the run begins: its output may be the caller's cue to send a signal.
    let interrupts = Interrupts()
    let run = Task { await parseAndRun() }
    interrupts.whenHeard { run.cancel() }
    let status = await run.value
    Foundation.exit(interrupts.exitStatus(of: status))
  }

  /// Parses and runs a command.
  ///
  /// - Parameter arguments: Its words; `nil` for those of the process.
  /// - Returns: The exit status.
  static func parseAndRun(_ arguments: [String]? = nil) async -> Int32 {
    let words = CommandWords(
      arguments ?? Array(CommandLine.arguments.dropFirst()), of: Cliptag.self)
    // With --json a failure is also an object on standard output, wrong usage included.
    let console = Console(
      json: words.arguments.contains("--json"), quiet: false, verbose: false, color: .auto)
    if let unknown = words.unknown {
      console.report(Failure(unknown))
      return ExitStatus.usage.rawValue
    }
    if let problem = words.problem {
      console.report(problem)
      return problem.status.rawValue
    }
    // With --quiet, too: another registry or person may be meant.
    for note in words.notes { console.say("note: \(note)") }
    do {
      var command = try await words.parsed(by: Cliptag.self)
      if let command = command as? any ConsoleCommand {
        for setting in words.settings { command.global.console.detail("note: \(setting.origin)") }
      }
      if var command = command as? any AsyncParsableCommand {
        try await command.run()
      } else {
        try command.run()
      }
      return ExitStatus.done.rawValue
    } catch let code as ExitCode {
      return code.rawValue
    } catch {
      guard exitCode(for: error).rawValue == ExitStatus.usage.rawValue else {
        // Help, or what else was asked for in place of a run.
        guard exitCode(for: error) == .success else { exit(withError: error) }
        print(ExampleFiles.naming(ExampleFiles.folder, in: fullMessage(for: error, columns: nil)))
        return ExitStatus.done.rawValue
      }
      var failure = Failure(
        usage: message(for: error), in: fullMessage(for: error, columns: nil))
      if let setting = words.settings.first(where: { failure.message.contains($0.option) }) {
        failure = Failure(
          "invalid-settings", .badSetting, failure.message, hint: setting.origin,
          source: setting.found.path)
      }
      console.report(failure)
      return failure.status.rawValue
    }
  }
}

/// A command that reports through a ``Console`` and leaves with its exit status.
protocol ConsoleCommand: AsyncParsableCommand {
  var global: GlobalOptions { get }
  func execute(_ console: Console) async throws
}

extension ConsoleCommand {
  mutating func run() async throws {
    let status = try await perform(global.console)
    guard status == .done else { throw ExitCode(status.rawValue) }
  }

  /// Does the work; what fails is reported on the console.
  ///
  /// - Returns: The exit status.
  /// - Throws: `ValidationError` alone, whose words are the parser's.
  func perform(_ console: Console) async throws -> ExitStatus {
    do {
      try await execute(console)
    } catch let error as ValidationError {
      throw error
    } catch is CancellationError {
      return .interrupted
    } catch {
      console.report(Failure(describing: error))
    }
    return Task.isCancelled ? .interrupted : console.exitStatus
  }
}
