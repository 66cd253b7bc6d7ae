public import Pictures

/// Loads and scans each page in a separate process, within limits, so that a picture that crashes a
/// decoder affects nothing else.
///
/// A fault in a decoder ends the process, an excessive picture reaches its limit on memory or time,
/// and the output is trusted no more than a picture: codes are only text to be verified. With
/// Landlock in the kernel, a compromised process can read the system's programs and this one file,
/// write to its own folder, and open no socket; see `RenderingChild`.
public struct PageProcess: Sendable {
  /// The program to run: it must write a ``PageReport`` to its standard output.
  package let program: String
  /// The arguments before `--page NUMBER --report CONTENT --name NAME -- PATH`.
  package let arguments: [String]
  /// The limits. The process may use `PictureLimits.rendererMemory` and three times
  /// `PictureLimits.timePerPage`, because it scans and grades the page that it loads.
  package let limits: PictureLimits

  /// Describes the process.
  public init(program: String, arguments: [String], limits: PictureLimits = .standard) {
    self.program = program
    self.arguments = arguments
    self.limits = limits
  }

  /// A file whose pages are read by successive processes.
  package struct Job: Sendable {
    let path: String
    let source: String
    let folder: PrivateFolder
    let process: PageProcess
    let time: DocumentTime

    fileprivate init(path: String, source: String, folder: PrivateFolder, process: PageProcess) {
      self.path = path
      self.source = source
      self.folder = folder
      self.process = process
      // Scanning and grading a page takes twice the time of rendering it.
      time = DocumentTime(process.limits.timePerDocument * 3, source: source)
    }

    /// Runs the process for one page.
    ///
    /// - Parameters:
    ///   - page: The number of the page, from 1.
    ///   - content: The requested content.
    /// - Throws: `PictureError`: `decoderCrashed` if the process did not end normally in its time,
    ///   or wrote anything but a report; `cancelled`. Errors of the picture itself are in the
    ///   report.
    package func read(
      page: Int, asking content: PageReport.Content = .codes
    ) async throws(PictureError) -> PageReport {
      var limits = process.limits
      limits.timePerPage *= 3
      let child = RenderingChild(
        program: process.program, package: "cliptag", writesFiles: true, startsOthers: true,
        settings: [
          // A second arena reserves 128 MB of address space, whether or not it fits beside the
          // stacks of threads: a thread that then cannot start would be waited for forever.
          "MALLOC_ARENA_MAX": "1",
          // The status indicates a crash; a backtrace would take seconds and is not needed.
          "SWIFT_BACKTRACE": "enable=no",
        ])
      let outcome: RenderingChild.Outcome
      do throws(PictureError) {
        outcome = try await time.run(limits) { limits throws(PictureError) in
          try await child.run(
            process.arguments
              + ["--page", "\(page)", "--report", content.rawValue, "--name", source, "--", path],
            in: folder, reading: [path], outputLimit: 1 << 24, limits: limits, source: source)
        }
      } catch {
        guard error.code == .timedOut else { throw error }
        throw crashed("did not end within \(limits.timePerPage) and was killed")
      }
      guard outcome.status == 0 else {
        throw crashed(
          outcome.status > 128
            ? "was ended by signal \(outcome.status - 128)" : "ended with status \(outcome.status)")
      }
      guard let report = PageReport(outcome.output, answering: content) else {
        throw crashed("wrote no valid report")
      }
      guard report.pageCount <= process.limits.pages else {
        throw crashed(
          "reported \(report.pageCount) pages; the limit is \(process.limits.pages)")
      }
      return report
    }

    private func crashed(_ how: String) -> PictureError {
      PictureError(
        .decoderCrashed, source: source,
        message: "The process that read \(source) \(how).",
        hint: "The picture is damaged, hostile, or needs more memory than the process is allowed.")
    }
  }

  /// Creates a job for a file; nothing is read yet.
  package func open(path: String) throws(PictureError) -> Job {
    let folder = try PrivateFolder(holding: [], fileName: "empty", source: path)
    return Job(path: path, source: path, folder: folder, process: self)
  }

  /// Reads standard input to its end and stores it for the processes.
  package func openStandardInput() async throws(PictureError) -> Job {
    try open(
      try await PictureLoader(limits: limits).standardInput(),
      named: PictureLoader.standardInputName)
  }

  /// Stores a file that was read for the processes.
  package func open(_ bytes: [UInt8], named source: String) throws(PictureError) -> Job {
    let folder = try PrivateFolder(holding: bytes, fileName: "picture", source: source)
    return Job(path: folder.file, source: source, folder: folder, process: self)
  }
}
