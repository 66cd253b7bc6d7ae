import CliptagPlatform
import Foundation

/// One finished run of a command, with the resources that the operating system accounts to it.
struct ProcessRun {
  /// Wall time in seconds.
  let wall: Double
  /// Processor time in seconds, user and system.
  let processor: Double
  /// The largest resident set in MiB.
  let peak: Double
  /// The exit status.
  let status: Int32

  /// Runs a command to its end and discards its output.
  ///
  /// - Parameter input: The file for its standard input.
  init(_ arguments: [String], input: String = "/dev/null") throws {
    let start = ContinuousClock.now
    let child = try Self.spawn(arguments, input: input, output: "/dev/null")
    var status: Int32 = 0
    var usage = rusage()
    guard wait4(child, &status, 0, &usage) == child else { throw BenchmarkError("wait4 failed") }
    wall = (ContinuousClock.now - start).inSeconds
    processor = usage.ru_utime.inSeconds + usage.ru_stime.inSeconds
    peak = Double(usage.ru_maxrss) / 1024
    self.status = status >> 8 & 0xFF
  }

  /// Starts a command. Without an output file, it inherits the standard output and error of this
  /// process.
  static func spawn(
    _ arguments: [String], input: String, output: String?, errors: String = "/dev/null"
  ) throws -> pid_t {
    var actions = posix_spawn_file_actions_t()
    posix_spawn_file_actions_init(&actions)
    defer { posix_spawn_file_actions_destroy(&actions) }
    posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, input, O_RDONLY, 0)
    if let output {
      posix_spawn_file_actions_addopen(
        &actions, STDOUT_FILENO, output, O_WRONLY | O_CREAT | O_TRUNC, 0o600)
      posix_spawn_file_actions_addopen(
        &actions, STDERR_FILENO, errors, O_WRONLY | O_CREAT | O_TRUNC, 0o600)
    }
    var child = pid_t()
    let words = arguments.map { strdup($0) } + [nil]
    defer { for word in words { free(word) } }
    let failure = posix_spawnp(&child, arguments[0], &actions, nil, words, environ)
    guard failure == 0 else {
      throw BenchmarkError("\(arguments[0]): \(String(cString: strerror(failure)))")
    }
    return child
  }
}

/// The reason why a measurement cannot be made.
struct BenchmarkError: Error, CustomStringConvertible {
  let description: String
  init(_ description: String) { self.description = description }
}

extension Duration {
  var inSeconds: Double {
    Double(components.seconds) + Double(components.attoseconds) / 1e18
  }
}

extension timeval {
  fileprivate var inSeconds: Double { Double(tv_sec) + Double(tv_usec) / 1e6 }
}
