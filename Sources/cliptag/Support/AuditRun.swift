import Deployment
import Foundation
import Glibc
import Invocation
import Pictures
import Registry
import Synchronization
import TagTypes

/// One run that adds to a walk, and the showing of what comes of it.
final class AuditRun: Sendable {
  let session: WalkSession
  let check: InvocationCheck
  /// What is known of the position before anything is read.
  let evidence: LocationEvidence
  /// Finds out where a code was read, when a receiver was named.
  let locate: (@Sendable (VerifiedCode) async throws -> VerifiedCode)?
  /// Verifies the messages that tags make anew at each reading, when their keys are known.
  let messageCheck: SecureMessageCheck?
  /// Whether nothing is kept.
  let isRehearsal: Bool
  let console: Console

  private struct Count {
    var stops = 0
    var codes = 0
    var troubled = 0
    var known = 0
    var skipped = 0
  }
  private let count = Mutex(Count())

  init(
    session: WalkSession, check: InvocationCheck, evidence: LocationEvidence,
    locate: (@Sendable (VerifiedCode) async throws -> VerifiedCode)?,
    messageCheck: SecureMessageCheck?, isRehearsal: Bool, console: Console
  ) {
    self.session = session
    self.check = check
    self.evidence = evidence
    self.locate = locate
    self.messageCheck = messageCheck
    self.isRehearsal = isRehearsal
    self.console = console
  }

  // MARK: What is read

  /// What else can be known of a code that was read.
  @Sendable func refined(_ code: VerifiedCode) async throws -> VerifiedCode {
    let located = try await locate?(code) ?? code
    return try messageCheck?.examine(located) ?? located
  }

  func take(_ tag: Tag, from reader: String) async throws {
    var sight = try WalkSight(tag, source: reader, by: check, location: evidence)
    for index in sight.codes.indices {
      sight.codes[index].verified = try await refined(sight.codes[index].verified)
    }
    sight.fix = evidence.measured
    let codes = try keep(sight)
    if isatty(STDERR_FILENO) == 1 {
      console.sound(codes.allSatisfy { $0.verdict == .accepted } ? 1 : 3)
    }
  }

  func take(print text: String) throws {
    var sight = try WalkSight(
      print: text, source: "--print", by: check, location: evidence, in: session.registry)
    sight.fix = evidence.measured
    _ = try keep(sight)
  }

  /// Keeps what a live source read.
  func keep(live code: VerifiedCode) throws -> VerifiedCode {
    var sight = WalkSight(.scanner, source: code.source, codes: [.init(code)])
    sight.fix = evidence.measured
    return try keep(sight).first ?? code
  }

  @discardableResult
  private func keep(_ sight: WalkSight) throws -> [VerifiedCode] {
    guard let kept = try session.take(sight) else { return [] }
    show(kept)
    return kept.codes
  }

  // MARK: What is shown

  func show(_ event: WalkPictures.Event, of input: PictureInput) {
    switch event {
    case .finished: break
    case .skipped:
      count.withLock { $0.skipped += 1 }
      console.detail("skipped \(input.path): no picture")
    case .known:
      count.withLock { $0.known += 1 }
      console.detail("\(input.path) is in the walk already")
    case .stop(let kept): show(kept)
    case .failed(let error): console.report(Failure(describing: error, source: input.path))
    case .cutShort(let codes, let page):
      console.sayCutShort(input.path, page: page, codes: codes)
    case .nothingFound:
      console.report(
        Failure(
          "no-code", .nothingFound, "No QR code was found in \(input.path).",
          hint: "Take the picture closer, sharper and straighter; nothing of it was kept.",
          source: input.path))
    }
  }

  private func show(_ kept: WalkSession.Kept) {
    let stop = kept.stop
    let isTroubled = stop.unreadCount > 0 || kept.codes.contains { $0.verdict != .accepted }
    count.withLock {
      $0.stops += 1
      $0.codes += kept.codes.count
      if isTroubled { $0.troubled += 1 }
    }
    for (code, reading) in zip(kept.codes, stop.readings) {
      console.note(code.verdict == .accepted ? .done : .notAccepted)
      console.result(
        code.json(
          also: [
            ("walk", .string(stop.walk.description)),
            ("stop", isRehearsal ? .null : .integer(stop.number)),
            ("dryRun", .bool(isRehearsal)), ("sign", JSONValue(stop.sign)),
            ("code", JSONValue(reading.code?.description)),
            ("grade", JSONValue(reading.grade.map { ($0 * 10).rounded() / 10 })),
          ]),
        text: code.text(console.output)
          + (reading.code.map { "\n  code      \($0)" } ?? "")
          + (isRehearsal ? "" : "\n  stop      \(stop.number)"))
    }
    if stop.unreadCount > 0 {
      console.note(.notAccepted)
      console.say(
        "\(stop.source): \(stop.unreadCount) more look\(stop.unreadCount == 1 ? "s" : "") like "
          + "codes and give no text; the walk names them")
    }
  }

  func finish() {
    let count = count.withLock { $0 }
    var parts = [
      "\(count.stops) stop\(count.stops == 1 ? "" : "s") with \(count.codes) "
        + "code\(count.codes == 1 ? "" : "s") \(isRehearsal ? "read, nothing kept" : "added")"
    ]
    if count.troubled > 0 { parts.append("\(count.troubled) with something wrong") }
    if count.known > 0 { parts.append("\(count.known) known before") }
    if count.skipped > 0 { parts.append("\(count.skipped) no pictures") }
    console.say("walk \(session.walk.name.printable): \(parts.joined(separator: ", "))")
  }
}
