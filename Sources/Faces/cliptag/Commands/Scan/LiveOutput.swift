import CliptagBasics
import CliptagPlatform
import CodeScanning
import Invocation
import Jobs
import Verifying

/// Shows what a camera or a scanner reads, as it comes.
struct LiveOutput {
  let options: LiveOptions
  let console: Console

  /// Reads the source in a workplace, to its end or until enough codes came.
  func run(
    _ source: any LiveSource, in workplace: Workplace, at location: LocationEvidence,
    _ verifying: Verifier.Options
  ) async throws {
    var job = job(source)
    job.location = location
    job.options = verifying
    begin(source)
    end(
      try await job.run(in: workplace) { event in
        guard let seen = observation(in: event, from: source) else { return }
        seen.codes.forEach(console.show)
        sound(seen)
      }, source)
  }

  /// Reads the source by a verifier that was made for it.
  ///
  /// - Parameter show: Shows one code that was read.
  func run(
    _ source: any LiveSource, through verifier: Verifier,
    show: (CodeObservation) async throws -> Void
  ) async throws {
    begin(source)
    end(
      try await job(source).run(through: verifier) { event in
        guard let seen = observation(in: event, from: source) else { return }
        try await show(seen)
        sound(seen)
      }, source)
  }

  private func job(_ source: any LiveSource) -> ScanLive {
    var job = ScanLive(source)
    job.count = options.count
    job.timeout = options.timeout.map { .seconds($0) }
    job.awayFor = .seconds(options.again)
    return job
  }

  private func begin(_ source: any LiveSource) {
    console.say("reading \(source.description); stop with Ctrl-C")
    for note in source.notes { console.say("\(console.error.yellow("note:")) \(note)") }
  }

  /// Returns the code that was read; reports any other event.
  private func observation(
    in event: ScanLive.Event, from source: any LiveSource
  ) -> CodeObservation? {
    switch event {
    case .unreadable(let reason): report(unreadable: reason, from: source.name)
    case .unnamedSymbology: explainSymbology()
    case .observed(let seen): return seen
    }
    return nil
  }

  private func sound(_ seen: CodeObservation) {
    sound(seen.codes.allSatisfy { $0.verdict == .accepted } ? 1 : 3)
  }

  private func end(_ scanned: ScanLive.Output, _ source: any LiveSource) {
    if let end = scanned.end { reportAbsence(end, scanned.count, source.name) }
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
      "\(console.error.yellow("note:")) the scanner does not report the kind of code: "
        + "enable its AIM identifiers, or add --assume-qr for QR codes only")
  }

  /// Reports fewer codes than requested, or none, as nothing found.
  private func reportAbsence(_ end: CodeObservation.End, _ found: Int, _ source: String) {
    guard found == 0 || options.count != nil else { return }
    let cause = end == .timedOut ? "before the time-out" : "before the input ended"
    let text =
      found == 0
      ? "No code was read \(cause)."
      : "\(found) of \(options.count ?? found) codes were read \(cause)."
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
