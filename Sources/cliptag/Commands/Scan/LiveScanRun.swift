import CodeScanning
import Foundation
import Glibc
import Invocation
import Registry
import Verifying

/// `cliptag scan` on a camera or a scanner: every code is verified and reported as it comes.
struct LiveScanRun: Sendable {
  let options: LiveOptions
  let verifier: LiveVerifier
  let locate: (@Sendable (VerifiedCode) async throws -> VerifiedCode)?
  let messageCheck: SecureMessageCheck?
  let console: Console
  /// What is done with each code; without it, it is shown.
  var keep: (@Sendable (VerifiedCode) throws -> VerifiedCode)?

  func run(_ source: any LiveSource) async throws {
    console.say("reading \(source.description); Ctrl-C ends")
    for note in source.notes { console.say("\(console.error.yellow("note:")) \(note)") }
    let scan = LiveScan(
      clock: ContinuousClock(), timeout: options.timeout.map { .seconds($0) },
      awayFor: .seconds(options.again))
    var found = 0
    var isExplained = false
    let end = try await scan.run(source) { reading in
      guard let read = try verifier.verify(reading, from: source.name) else {
        report(reading, from: source.name)
        return true
      }
      explainSymbology(of: reading, once: &isExplained)
      let code = try await locate?(read) ?? read
      let examined = try messageCheck?.examine(code) ?? code
      let answer = try keep?(examined) ?? examined
      if keep == nil { console.show(answer) }
      if isatty(STDERR_FILENO) == 1 { console.sound(answer.verdict == .accepted ? 1 : 3) }
      found += 1
      return options.count.map { found < $0 } ?? true
    }
    reportAbsence(of: end, found, source.name)
  }

  private func report(_ reading: LiveReading, from source: String) {
    guard case .unreadable(let reason) = reading else { return }
    console.report(
      Failure(
        "unreadable-scan", .malformedInput, reason,
        hint: "Set the scanner to a US keyboard, or better to serial mode with UTF-8, and scan "
          + "again.",
        source: source))
    if isatty(STDERR_FILENO) == 1 { console.sound(3) }
  }

  /// A code that no iPhone would take for lack of its symbology is worth a word to the user.
  private func explainSymbology(of reading: LiveReading, once isExplained: inout Bool) {
    guard case .text(_, nil) = reading, !verifier.assumesQR, !isExplained else { return }
    isExplained = true
    console.say(
      "\(console.error.yellow("note:")) the scanner does not say what kind of code it reads: "
        + "switch its AIM identifiers on, or add --assume-qr when it is shown QR codes only")
  }

  /// Fewer codes than were asked for are nothing found; none at all, too.
  private func reportAbsence(of end: LiveScan<ContinuousClock>.End, _ found: Int, _ source: String)
  {
    guard end != .enough, found == 0 || options.count != nil else { return }
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
}
