import CliptagBasics
import CodeScanning
import Glibc
import Invocation
import Verifying

/// Shows what a camera or a scanner reads, as it comes.
struct LiveOutput {
  let options: LiveOptions
  let console: Console

  /// Reads the source to its end, or until enough codes came.
  ///
  /// - Parameter show: Shows one code that was read.
  func run(
    _ source: any LiveSource, through verifier: Verifier, show: (CodeObservation) -> Void
  ) async throws {
    console.say("reading \(source.description); Ctrl-C ends")
    for note in source.notes { console.say("\(console.error.yellow("note:")) \(note)") }
    let scan = LiveScan(
      clock: ContinuousClock(), timeout: options.timeout.map { .seconds($0) },
      awayFor: .seconds(options.again))
    var found = 0
    var isExplained = options.assumeQR
    for await seen in verifier.observations(of: source, through: scan) {
      if let failure = seen.failure ?? seen.codes.lazy.compactMap(\.failure).first { throw failure }
      switch seen.reading {
      case nil: reportAbsence(seen.end, found, source.name)
      case .unreadable(let reason): report(unreadable: reason, from: source.name)
      case .decoded, .appClipCode, .text:
        if case .text(_, nil) = seen.reading, !isExplained {
          isExplained = true
          explainSymbology()
        }
        show(seen)
        sound(seen.codes.allSatisfy { $0.verdict == .accepted } ? 1 : 3)
        found += 1
        if let count = options.count, found >= count { return }
      }
    }
    try Task.checkCancellation()
  }

  private func report(unreadable reason: String, from source: String) {
    console.report(
      Failure(
        "unreadable-scan", .malformedInput, reason,
        hint: "Set the scanner to a US keyboard, or better to serial mode with UTF-8, and scan "
          + "again.",
        source: source))
    sound(3)
  }

  /// Explains that the scanner does not report the symbology of its codes.
  private func explainSymbology() {
    console.say(
      "\(console.error.yellow("note:")) the scanner does not say what kind of code it reads: "
        + "switch its AIM identifiers on, or add --assume-qr when it is shown QR codes only")
  }

  /// Reports fewer codes than requested, or none, as nothing found.
  private func reportAbsence(_ end: CodeObservation.End?, _ found: Int, _ source: String) {
    guard found == 0 || options.count != nil else { return }
    let cause = end == .timedOut ? "before the time-out" : "before the input ended"
    let text =
      found == 0
      ? "No code came \(cause)."
      : "\(found) of \(options.count ?? found) codes came \(cause)."
    console.report(
      Failure(
        "no-code", .nothingFound, text,
        hint: "Hold the code in front of it until it beeps, or give a longer --timeout.",
        source: source))
  }

  private func sound(_ times: Int) {
    if isatty(STDERR_FILENO) == 1 { console.sound(times) }
  }
}
