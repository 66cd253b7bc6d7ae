import Subprocess

#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

/// Runs a rendering program as a child process within limits.
///
/// Why a child and not a library: a PDF or PostScript file from elsewhere is a program, its
/// interpreter and the decoders of the newer picture formats have a long history of memory faults,
/// which then end the child and not us; the ordinary build stays small, because nobody needs
/// libvips and its hundred packages who scans JPEG and PNG; and poppler and Ghostscript are
/// licensed under the GPL and AGPL, which allow to be run but not to be linked here.
///
/// The child gets an empty environment but for the search path and a private home, no input, no
/// core file, and limits on address space and processor time; its output is bounded and its
/// messages are kept apart from it, and it is killed when its time is up or the task is cancelled.
package struct RenderingChild: Sendable {
  /// The program, looked up in `$PATH`.
  let program: String
  /// The Debian package that brings it, for the hint when it is missing.
  let package: String
  /// Whether the program needs scratch files of its own.
  var writesFiles = false
  /// Whether the program starts programs of its own, which then end with it when it is killed.
  var startsOthers = false
  /// What the program finds in its environment besides the search path and its home.
  var settings: [String: String] = [:]

  static let pdftoppm = RenderingChild(program: "pdftoppm", package: "poppler-utils")
  static let pdfunite = RenderingChild(
    program: "pdfunite", package: "poppler-utils", writesFiles: true)
  static let pdfinfo = RenderingChild(program: "pdfinfo", package: "poppler-utils")
  static let rsvg = RenderingChild(program: "rsvg-convert", package: "librsvg2-bin")
  static let ghostscript = RenderingChild(
    program: "gs", package: "ghostscript", writesFiles: true)
  static let vips = RenderingChild(
    program: "vips", package: "libvips-tools", settings: vipsSettings)
  static let vipsheader = RenderingChild(
    program: "vipsheader", package: "libvips-tools", settings: vipsSettings)

  /// Only loaders that libvips's authors call fit for files from elsewhere (no PDF, SVG,
  /// ImageMagick and so on behind another file's first bytes), one thread, no scratch files.
  private static let vipsSettings = [
    "VIPS_BLOCK_UNTRUSTED": "1", "VIPS_CONCURRENCY": "1", "VIPS_DISC_THRESHOLD": "8g",
  ]

  package struct Outcome: Sendable {
    package let status: Int32
    package let output: [UInt8]
    /// What it wrote to its standard error, when that was to be kept.
    let messages: [UInt8]
  }

  /// Describes a program.
  package init(
    program: String, package: String, writesFiles: Bool = false, startsOthers: Bool = false,
    settings: [String: String] = [:]
  ) {
    self.program = program
    self.package = package
    self.writesFiles = writesFiles
    self.startsOthers = startsOthers
    self.settings = settings
  }

  /// Sets the limits and becomes the program. In a shell, because limits must be set between fork
  /// and exec, where no Swift may run. Arguments pass as arguments, never as shell text.
  ///
  /// A program at the limit for files gets an error (EFBIG) instead of the signal that would end
  /// it: fontconfig, which poppler and librsvg bring, tries to write a cache wherever none is there
  /// yet, and does without if it cannot.
  private static let script = """
    command -v "$4" >/dev/null || exit \(notInstalled)
    ulimit -c 0; ulimit -v "$1"; ulimit -t "$2"; ulimit -f "$3"; shift 3
    trap '' XFSZ
    exec "$@"
    """

  /// A status of our own, because 127 also comes from a program that has no memory to start in.
  private static let notInstalled: Int32 = 213

  /// Runs the program to its end.
  ///
  /// - Parameters:
  ///   - arguments: the program's arguments.
  ///   - folder: the folder that holds the document; it is also the child's home.
  ///   - outputLimit: the most bytes of output, and of messages that are kept; more is `tooLarge`.
  ///   - keepingMessages: whether messages are returned beside the output instead of dropped.
  ///   - source: the document's name in messages.
  package func run(
    _ arguments: [String], in folder: PrivateFolder, outputLimit: Int,
    keepingMessages: Bool = false, limits: PictureLimits, source: String
  ) async throws(PictureError) -> Outcome {
    let seconds = max(1, limits.timePerPage.components.seconds + 1)
    let shell = [
      "-c", Self.script, "sh", "\(limits.rendererMemory / 1024)", "\(seconds)",
      writesFiles ? "\(limits.rendererMemory / 512)" : "0", program,
    ]
    let configuration = Configuration(
      executable: .name("sh"), arguments: Arguments(shell + arguments),
      environment: environment(home: folder.path),
      platformOptions: platformOptions)
    let outcome: Outcome?
    do {
      outcome = try await within(limits.timePerPage) {
        if keepingMessages {
          let result = try await Subprocess.run(
            configuration, output: .bytes(limit: outputLimit), error: .bytes(limit: outputLimit))
          return Outcome(result.terminationStatus, result.standardOutput, result.standardError)
        }
        let result = try await Subprocess.run(
          configuration, output: .bytes(limit: outputLimit), error: .discarded)
        return Outcome(result.terminationStatus, result.standardOutput)
      }
    } catch {
      throw Task.isCancelled
        ? .cancelled(source)
        : failure(for: error, outputLimit: outputLimit, source: source)
    }
    // Killed because of that, a child may still have come to an ordinary end.
    if Task.isCancelled { throw .cancelled(source) }
    guard let outcome else {
      throw PictureError(
        .timedOut, source: source,
        message: "\(source) was not rendered within \(limits.timePerPage).",
        hint: "Export the page as PNG or JPEG and try that.")
    }
    guard outcome.status != Self.notInstalled else {
      throw PictureError(
        .rendererMissing, source: source,
        message: "\(source) cannot be rendered: \(program) is not installed.",
        hint: "Install it with: apt-get install \(package)")
    }
    return outcome
  }

  private var platformOptions: PlatformOptions {
    var options = PlatformOptions()
    if startsOthers {
      options.createSession = true
      options.teardownSequence = [
        .send(signal: .kill, toProcessGroup: true, allowedDurationToNextStep: .seconds(1))
      ]
    }
    return options
  }

  private func environment(home: String) -> Environment {
    var variables: [Environment.Key: String] = [
      "PATH": getenv("PATH").map { String(cString: $0) } ?? "/usr/bin:/bin",
      "HOME": home, "TMPDIR": home, "LC_ALL": "C",
    ]
    for (name, value) in settings {
      if let key = Environment.Key(rawValue: name) { variables[key] = value }
    }
    return .custom(variables)
  }

  /// What an error that kept the program from coming to its end means to the caller.
  func failure(for error: any Error, outputLimit: Int, source: String) -> PictureError {
    if error is CancellationError { return .cancelled(source) }
    switch (error as? SubprocessError)?.code {
    case .outputLimitExceeded:
      return PictureError(
        .tooLarge, source: source,
        message: "\(source) renders to more than the \(outputLimit) bytes expected of it.",
        hint: "Export the document at a smaller page size, or as PNG.")
    case .executableNotFound:
      // The program itself is looked for by the shell.
      return PictureError(
        .rendererMissing, source: source,
        message: "\(source) cannot be read: no sh is in the search path to start \(program) with.",
        hint: "Put the folder of sh into PATH, which is /bin or /usr/bin.")
    default:
      // Some of the library's sentences end in a full stop, which is ours to set.
      let sentence = "\(error)"
      return failed(source, sentence.hasSuffix(".") ? String(sentence.dropLast()) : sentence)
    }
  }

  func failed(_ source: String, _ reason: String) -> PictureError {
    PictureError(
      .rendererFailed, source: source, message: "\(program) could not render \(source): \(reason).",
      hint: "Check the document in a viewer, or export it as PNG.")
  }

  /// What the body makes, or `nil` when the time is over first; the body is then cancelled, which
  /// kills its child process.
  private func within(
    _ limit: Duration, _ body: @escaping @Sendable () async throws -> Outcome
  ) async throws -> Outcome? {
    try await withThrowingTaskGroup(of: Outcome?.self) { group in
      group.addTask { try await body() }
      group.addTask {
        try await Task.sleep(for: limit)
        return nil
      }
      defer { group.cancelAll() }
      return try await group.next() ?? nil
    }
  }
}

extension RenderingChild.Outcome {
  /// A child that a signal ended counts as a shell counts it: 128 and the signal.
  init(_ status: TerminationStatus, _ output: [UInt8], _ messages: [UInt8] = []) {
    self.output = output
    self.messages = messages
    self.status =
      switch status {
      case .exited(let code): code
      case .signaled(let signal): 128 + signal
      }
  }
}
