import Foundation
import Subprocess
import SystemPackage
import Testing

/// The built command in an isolated environment: home, registry and working folder are temporary,
/// and no variable of the environment that runs the tests is passed on.
final class Sandbox: Sendable {
  /// The longest that one command may take; a hanging one fails its test instead of the suite.
  private static let limit = Duration.seconds(600)

  /// The folder that holds everything, without symbolic links in its path.
  let root: String
  /// The folder in which commands are run.
  let folder: String
  /// The registry file.
  let registry: String

  /// The sample keys in a file that only its owner may read, as keys must be.
  var keys: String {
    get throws {
      let path = root + "/keys.yaml"
      if !FileManager.default.fileExists(atPath: path) {
        let bytes = FileManager.default.contents(atPath: Repository.path("Samples/fruta/keys.yaml"))
        try #require(
          FileManager.default.createFile(
            atPath: path, contents: bytes, attributes: [.posixPermissions: 0o600]))
      }
      return path
    }
  }

  /// Creates an empty sandbox.
  init() throws {
    root = NSTemporaryDirectory() + "cliptag-tests-" + UUID().uuidString
    folder = root + "/work"
    registry = root + "/registry.sqlite"
    for path in [folder, root + "/home", root + "/tmp", root + "/bin"] {
      try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
    }
    try FileManager.default.createSymbolicLink(
      atPath: root + "/bin/cliptag", withDestinationPath: Repository.command)
  }

  deinit { try? FileManager.default.removeItem(atPath: root) }

  /// Returns a sandbox whose registry holds `Samples/fruta/registry.yaml`.
  static func withFruta() async throws -> Sandbox {
    let sandbox = try Sandbox()
    try await template.value.bytes.write(to: URL(filePath: sandbox.registry))
    return sandbox
  }

  /// The sample registry, imported once for all tests. Its file stays open, so that no other file gets its
  /// inode number, by which a copy would be taken for the file itself.
  private static let template = Task {
    let sandbox = try Sandbox()
    let outcome = try await sandbox.run(
      "registry", "import", Repository.path("Samples/fruta/registry.yaml"))
    try #require(outcome.status == 0, "\(outcome.errors)")
    let file = try FileHandle(forReadingFrom: URL(filePath: sandbox.registry))
    return (bytes: try file.readToEnd() ?? Data(), file: file)
  }

  /// The path of a file in the working folder.
  func path(_ name: String) -> String { folder + "/" + name }

  /// Puts a file into the working folder.
  func write(_ bytes: [UInt8], to name: String) throws {
    try Data(bytes).write(to: URL(filePath: path(name)))
  }

  /// Puts a text file into the working folder.
  func write(_ text: String, to name: String) throws { try write(Array(text.utf8), to: name) }

  /// Returns the bytes of a file in the working folder; `nil` when the file does not exist.
  func bytes(of name: String) -> [UInt8]? {
    FileManager.default.contents(atPath: path(name)).map { Array($0) }
  }

  /// The names in the working folder, hidden ones too, in order.
  func listing() throws -> [String] {
    try FileManager.default.contentsOfDirectory(atPath: folder).sorted()
  }

  /// Returns the processes that were started in this sandbox and still run, by their numbers.
  func processes() -> [String] {
    let all = (try? FileManager.default.contentsOfDirectory(atPath: "/proc")) ?? []
    return all.filter { number in
      guard Int(number) != nil,
        let environment = FileManager.default.contents(atPath: "/proc/\(number)/environ")
      else { return false }
      return environment.range(of: Data(root.utf8)) != nil
    }
  }

  /// Runs the command to its end.
  @discardableResult
  func run(
    _ arguments: String..., stdin: [UInt8] = [], environment: [String: String] = [:]
  ) async throws -> Outcome {
    try await run(arguments, stdin: stdin, environment: environment)
  }

  /// Runs the command to its end.
  @discardableResult
  func run(
    _ arguments: [String], stdin: [UInt8] = [], environment: [String: String] = [:]
  ) async throws -> Outcome {
    let outcome = try await run(
      configuration([Repository.command] + arguments, environment), stdin: stdin)
    if arguments.contains("--json") {
      try Schemas.check(output: outcome.outputBytes, in: arguments.prefix(3).joined(separator: " "))
    }
    return outcome
  }

  /// Runs a line of shell, for limits and redirections; `cliptag` is the command, `$1` the first
  /// argument.
  func shell(
    _ script: String, _ arguments: String..., stdin: [UInt8] = [],
    environment: [String: String] = [:]
  ) async throws -> Outcome {
    try await run(
      configuration(["/bin/sh", "-c", script, "sh"] + arguments, environment), stdin: stdin)
  }

  private func run(_ configuration: Configuration, stdin: [UInt8]) async throws -> Outcome {
    try await Self.bounded {
      let result = try await Subprocess.run(
        configuration, input: .array(stdin), output: .bytes(limit: 1 << 26),
        error: .bytes(limit: 1 << 26))
      return Outcome(
        result.terminationStatus, output: result.standardOutput, errors: result.standardError)
    }
  }

  /// Starts the command and hands it over while it runs; its standard error comes at the end.
  func start(
    _ arguments: String..., environment: [String: String] = [:],
    body: @escaping @Sendable (RunningCommand) async throws -> Void
  ) async throws -> Outcome {
    try await start(arguments, environment: environment, body: body)
  }

  /// Starts the command and hands it over while it runs; its standard error comes at the end.
  func start(
    _ arguments: [String], environment: [String: String] = [:],
    body: @escaping @Sendable (RunningCommand) async throws -> Void
  ) async throws -> Outcome {
    try await start(configuration([Repository.command] + arguments, environment), body: body)
  }

  /// Starts a line of shell, as ``shell(_:_:stdin:environment:)`` takes it, and hands it over while
  /// it runs.
  func startShell(
    _ script: String, _ arguments: [String], environment: [String: String] = [:],
    body: @escaping @Sendable (RunningCommand) async throws -> Void
  ) async throws -> Outcome {
    try await start(
      configuration(["/bin/sh", "-c", script, "sh"] + arguments, environment), body: body)
  }

  private func start(
    _ configuration: Configuration, body: @escaping @Sendable (RunningCommand) async throws -> Void
  ) async throws -> Outcome {
    try await Self.bounded {
      let result = try await Subprocess.run(
        configuration, input: .inputWriter, output: .sequence, error: .bytes(limit: 1 << 20)
      ) { execution in
        try await body(RunningCommand(execution))
      }
      return Outcome(result.terminationStatus, output: [], errors: result.standardError)
    }
  }

  private func configuration(
    _ command: [String], _ extra: [String: String]
  ) -> Configuration {
    let outside = ProcessInfo.processInfo.environment
    var environment = [
      "PATH": root + "/bin:" + (outside["PATH"] ?? "/usr/bin:/bin"), "HOME": root + "/home",
      "XDG_DATA_HOME": root + "/data", "CLIPTAG_REGISTRY": registry, "TMPDIR": root + "/tmp",
      "TERM": "xterm",
    ]
    // So that `swift test --enable-code-coverage` counts what the command runs.
    environment["LLVM_PROFILE_FILE"] = outside["LLVM_PROFILE_FILE"]
    environment.merge(extra) { $1 }
    return Configuration(
      executable: .path(FilePath(command[0])), arguments: Arguments(Array(command.dropFirst())),
      environment: .custom(
        Dictionary(uniqueKeysWithValues: environment.map { (Environment.Key($0), $1) })),
      workingDirectory: FilePath(folder))
  }

  private static func bounded(
    _ body: @escaping @Sendable () async throws -> Outcome
  ) async throws -> Outcome {
    try await withThrowingTaskGroup(of: Outcome?.self) { group in
      group.addTask { try await body() }
      group.addTask {
        try? await Task.sleep(for: limit)
        return nil
      }
      defer { group.cancelAll() }
      return try #require(
        try await group.next() ?? nil, "the command did not end within \(limit)")
    }
  }
}

extension Environment.Key {
  fileprivate init(_ name: String) { self = Environment.Key(rawValue: name) ?? "UNNAMED" }
}
