import ArgumentParser
import Foundation

/// The options that every command takes.
struct GlobalOptions: ParsableArguments {
  @Option(
    name: .long,
    help: ArgumentHelp(
      "The registry file.",
      discussion: """
        Without it: $CLIPTAG_REGISTRY, else $XDG_DATA_HOME/cliptag/registry.sqlite, else \
        ~/.local/share/cliptag/registry.sqlite.
        """,
      valueName: "path"),
    completion: .file(extensions: ["sqlite"]))
  var registry: String?

  @Option(
    name: .long, parsing: .unconditional,
    help: ArgumentHelp(
      "How long to wait while another process is changing the registry.",
      valueName: "seconds"))
  var registryWait: Double = 10

  @Flag(name: .long, help: "Print JSON Lines on standard output, one object per result.")
  var json = false

  @Flag(name: [.long, .customShort("q")], help: "Print errors only; with --json, results too.")
  var quiet = false

  @Flag(name: [.long, .customShort("v")], help: "Say more on standard error.")
  var verbose = false

  @Option(name: .long, help: "Use colour: auto, always or never.")
  var color: ColorChoice = .auto

  func validate() throws {
    guard registryWait >= 0, registryWait <= 86_400 else {
      throw ValidationError("--registry-wait takes seconds from 0 to 86400; got \(registryWait).")
    }
  }

  /// Where the registry is, by the order of the contract.
  var registryPath: String { namedRegistry ?? dataFolder + "/cliptag/registry.sqlite" }

  /// Whether somebody named the registry, by option or environment.
  var isRegistryNamed: Bool { namedRegistry != nil }

  private var namedRegistry: String? { registry ?? Self.setting("CLIPTAG_REGISTRY") }

  private var dataFolder: String {
    Self.setting("XDG_DATA_HOME") ?? (Self.setting("HOME") ?? ".") + "/.local/share"
  }

  /// An environment variable; an empty one counts as unset (XDG Base Directory Specification).
  static func setting(_ name: String) -> String? {
    ProcessInfo.processInfo.environment[name].flatMap { $0.isEmpty ? nil : $0 }
  }

  /// The console of this run.
  var console: Console { Console(json: json, quiet: quiet, verbose: verbose, color: color) }
}
