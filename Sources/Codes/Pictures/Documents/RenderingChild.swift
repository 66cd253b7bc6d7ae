import CliptagBasics
import CConfinement

import CliptagPlatform

/// Runs a rendering program as a child process within limits.
///
/// Reasons for a child process instead of a library: a PDF or PostScript file from elsewhere is a
/// program, and its interpreter and the decoders of the newer picture formats have a long history
/// of memory faults, which end the child and not this process; the ordinary build stays small,
/// because libvips and its hundred packages are not needed to scan JPEG and PNG; and poppler and
/// Ghostscript are licensed under the GPL and AGPL, which allow them to be run but not to be linked
/// here.
///
/// The child gets only the search path and a private home in its environment, no input, no
/// terminal, no core file, and limits on address space, processor time and processes; its output is
/// bounded and separate from its messages, and it is killed when its time limit passes, when the
/// task is cancelled, and when this process ends.
///
/// A compromised child gains little more (`CConfinement`): it has no privileges, no sockets and no
/// signals to others, and with Landlock in the kernel it reads only the system's programs, its
/// document and its home, and writes only to its home, if at all.
package struct RenderingChild: Sendable {
  /// The program, looked up in `$PATH`.
  let program: String
  /// The Debian package of the program, for the hint when it is missing.
  let package: String
  /// A Boolean value that indicates whether the program needs scratch files.
  var writesFiles = false
  /// A Boolean value that indicates whether the program starts other programs, which end with it
  /// when it is killed.
  var startsOthers = false
  /// The environment variables of the program besides the search path and its home.
  var settings: [String: String] = [:]

  static let pdftoppm = RenderingChild(program: "pdftoppm", package: "poppler-utils")
  static let pdftocairo = RenderingChild(program: "pdftocairo", package: "poppler-utils")
  static let pdftops = RenderingChild(program: "pdftops", package: "poppler-utils")
  static let pdfunite = RenderingChild(
    program: "pdfunite", package: "poppler-utils", writesFiles: true)
  static let pdfinfo = RenderingChild(program: "pdfinfo", package: "poppler-utils")
  static let qpdf = RenderingChild(program: "qpdf", package: "qpdf")
  static let rsvg = RenderingChild(program: "rsvg-convert", package: "librsvg2-bin")
  static let ghostscript = RenderingChild(
    program: "gs", package: "ghostscript", writesFiles: true)
  /// It starts with a temporary folder. The date in fonts is fixed, so that the same page gives the
  /// same bytes.
  static let weasyprint = RenderingChild(
    program: "weasyprint", package: "weasyprint", writesFiles: true,
    settings: ["SOURCE_DATE_EPOCH": "0"])
  static let vips = RenderingChild(
    program: "vips", package: "libvips-tools", settings: vipsSettings)
  static let vipsheader = RenderingChild(
    program: "vipsheader", package: "libvips-tools", settings: vipsSettings)

  /// Only loaders that libvips's authors consider fit for untrusted files (no PDF, SVG, ImageMagick
  /// and so on behind another file's first bytes), one thread, no scratch files.
  private static let vipsSettings = [
    "VIPS_BLOCK_UNTRUSTED": "1", "VIPS_CONCURRENCY": "1", "VIPS_DISC_THRESHOLD": "8g",
  ]

  package struct Outcome: Sendable {
    package let status: Int32
    package let output: [UInt8]
    /// The standard error of the program, if it was kept.
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

  /// Runs the program to its end.
  ///
  /// - Parameters:
  ///   - arguments: the program's arguments.
  ///   - folder: the folder that holds the document; it is also the child's home.
  ///   - readable: other files and folders that the child reads.
  ///   - outputLimit: the size limit in bytes of the output, and of messages that are kept; more is
  ///     `tooLarge`.
  ///   - keepingMessages: whether messages are returned besides the output instead of dropped.
  ///   - source: the document's name in messages.
  package func run(
    _ arguments: [String], in folder: PrivateFolder, reading readable: [String] = [],
    outputLimit: Int, keepingMessages: Bool = false, limits: PictureLimits, source: String
  ) async throws(PictureError) -> Outcome {
    guard !Task.isCancelled else { throw .cancelled(source) }
    guard let path = Self.path(of: program) else { throw missing(source) }
    let process = ConfinedProcess(
      program: path, arguments: arguments, environment: environment(home: folder.path),
      folder: folder.path, readable: startsOthers ? readable + Self.searchPath : readable,
      writesFiles: writesFiles,
      startsOthers: startsOthers, keepsMessages: keepingMessages, outputLimit: outputLimit,
      limits: limits)
    let end = await BlockingQueue.waiting.run { process.run($0) }
    // A child killed by the cancellation may still have ended normally.
    if Task.isCancelled { throw .cancelled(source) }
    switch end {
    case .ended(let status, let output, let messages):
      return Outcome(status: status, output: output, messages: messages)
    case .notStarted(let number):
      throw number == ENOENT ? missing(source) : failure(for: number, source: source)
    case .unwanted: throw .cancelled(source)
    case .timedOut:
      throw PictureError(
        .timedOut, source: source,
        message: "\(source) was not rendered within \(limits.timePerPage).",
        hint: "Export the page as PNG or JPEG and scan that file.")
    case .tooMuchOutput:
      throw PictureError(
        .tooLarge, source: source,
        message: "\(source) renders to more than the \(outputLimit) bytes expected of it.",
        hint: "Export the document at a smaller page size, or as PNG.")
    }
  }

  /// The version of Landlock that restricts children to their files: 1 since Linux 5.13; 0 if the
  /// kernel has none, or it is turned off.
  package static var landlockVersion: Int { Int(cconfinement_landlock()) }

  /// Returns the path of a program: the given path, or the first executable file of that name in
  /// `$PATH`.
  private static func path(of program: String) -> String? {
    if program.contains("/") { return program }
    return searchPath.map { "\($0)/\(program)" }.first { path in
      var facts = stat()
      return stat(path, &facts) == 0 && facts.st_mode & S_IFMT == S_IFREG
        && access(path, X_OK) == 0
    }
  }

  /// The folders of the search path.
  private static var searchPath: [String] {
    paths.split(separator: ":").filter { $0.hasPrefix("/") }.map(String.init)
  }

  private static var paths: String { getenv("PATH").map { String(cString: $0) } ?? "/usr/bin:/bin" }

  private func environment(home: String) -> [String: String] {
    let variables = [
      "PATH": Self.paths,
      "HOME": home, "TMPDIR": home, "LC_ALL": "C",
    ]
    return variables.merging(settings) { $1 }
  }

  private func missing(_ source: String) -> PictureError {
    PictureError(
      .rendererMissing, source: source,
      message: "\(source) cannot be rendered: \(program) is not installed.",
      hint: "Install it with: apt-get install \(package)")
  }

  /// Returns the error for a program that does not start, by the system's error number.
  func failure(for number: Int32, source: String) -> PictureError {
    failed(source, "it does not start (\(String(cString: strerror(number))))")
  }

  func failed(_ source: String, _ reason: String) -> PictureError {
    PictureError(
      .rendererFailed, source: source, message: "\(program) could not render \(source): \(reason).",
      hint: "Check the document in a viewer, or export it as PNG.")
  }
}
