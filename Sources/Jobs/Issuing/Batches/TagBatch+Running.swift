import CliptagBasics
import CliptagPlatform
import Foundation
public import NFCReader
public import Registry
import TagTypes

extension TagBatch {
  /// The events of a run, for display.
  public enum Event: Sendable {
    /// A tag is wanted for this row.
    case wants(BatchRow, BatchProgress)
    /// All remaining rows wait for the tag that was begun for them; no other tag fits.
    case wantsOwnTags([BatchRow], BatchProgress)
    /// A tag was laid on the reader, and is read.
    case met(uid: String)
    /// The tag was found fit for this row, and is written.
    case writes(BatchRow)
    /// A tag was laid on the reader, with this result.
    case served(Served, BatchProgress)
    /// Another tag came than the one for which this row waits. It was not changed; the row
    /// continues to wait, and the next tag is asked for.
    case isAnotherTag(uid: String, than: BatchRow)
  }

  /// Writes one tag after another until every row is done, or the limit is reached.
  ///
  /// Nothing is written to a tag before the operator was asked for its row, so that a label in the
  /// operator's hand and the tag under it match: if a tag is left half written, another tag is not
  /// taken at once but causes a request for the next row.
  ///
  /// Cancelling the task ends the run at the next page, or at the next look for a tag.
  ///
  /// - Parameters:
  ///   - reader: The reader.
  ///   - show: Called for each event, in order.
  /// - Returns: The progress of the batch.
  /// - Throws: `NFCReaderError`: `no-tag` when none came in time, `reader-failed`, `cancelled`; or
  ///   an error of the registry. Every row can be continued.
  @discardableResult
  public func run(
    on reader: NFCReader, show: @Sendable (Event) -> Void
  ) async throws -> BatchProgress {
    var run = Run(batch: self, reader: reader)
    do {
      while let tag = try await run.nextTag(show) {
        show(.met(uid: tag.target.uid.hexadecimal))
        var counts: BatchCounts?
        let served = try await serve(
          tag, asked: run.asked, writing: { show(.writes($0)) }, counting: { counts = $0 })
        try await run.take(served, of: tag, counted: counts, show)
      }
      try await release()
      return run.pace.progress(try counts())
    } catch {
      // The failure matters more than a claim, which ends with this process anyway.
      try? await release()
      throw error
    }
  }
}

/// One run of a batch.
private struct Run {
  /// The number of attempts on a tag that comes and goes at the edge of the field before it must be
  /// taken away.
  static let attemptsInPlace = 3

  let batch: TagBatch
  let reader: NFCReader
  let elapsed: () -> Duration
  var pace = BatchPace()
  /// The row that the operator was asked for.
  var asked: BatchRow?
  /// The row of this run whose tag has just left half written.
  private var awaited: BatchRow?
  private var mustAsk = true
  private var attempts = 0
  /// The tag on the reader that cannot be served and was reported.
  private var foreign: ForeignTag?
  /// The UID of the tag that left in the middle of its work. Until the field was seen empty, no
  /// other tag is taken: it may have caused the report, which says that nothing was written to it.
  private var interrupted: [UInt8]?

  init(batch: TagBatch, reader: NFCReader) {
    self.batch = batch
    self.reader = reader
    elapsed = stopwatch(batch.clock)
  }

  /// Asks for a row if that is due, and waits for a tag; `nil` when nothing is left to do.
  mutating func nextTag(_ show: (TagBatch.Event) -> Void) async throws -> NFCTag? {
    let waited = stopwatch(batch.clock)
    while true {
      if let limit = batch.options.limit, pace.finished >= limit { return nil }
      guard try await ask(show) else { return nil }
      // A station without its own row checks now and then whether one is available again, or
      // whether the others have finished theirs.
      let slice =
        asked == nil && awaited == nil ? TagBatch.restInterval : TagBatch.renewalInterval
      let remaining = batch.options.timeout.map { max($0 - waited(), .zero) }
      var intruder: (tag: NFCTag, expected: [UInt8])?
      do throws(NFCReaderError) {
        let tag = try await reader.waitForTag(
          timeout: interrupted == nil ? min(slice, remaining ?? slice) : .zero, ignoring: foreign)
        foreign = nil
        guard let expected = interrupted, expected != tag.target.uid else {
          interrupted = nil
          return tag
        }
        intruder = (tag, expected)
      } catch {
        if error.code == .noTag, interrupted != nil {
          interrupted = nil
          continue
        }
        if let other = error.foreignTag {
          // It is not taken, like a tag of another type, and the row waits for the next.
          foreign = other
          show(
            .served(
              .refused(uid: other.identifier.hexadecimal, asked, error),
              pace.progress(try batch.counts())))
          // The refusal holds until that tag is gone, as for any other tag.
          let left = batch.options.timeout.map { max($0 - waited(), .zero) }
          _ = try await reader.waitForRemoval(
            of: other, timeout: min(TagBatch.renewalInterval, left ?? TagBatch.renewalInterval))
          try await batch.renew()
          mustAsk = awaited == nil
          continue
        }
        guard error.code == .noTag, remaining.map({ $0 > slice }) ?? true else { throw error }
      }
      if let (tag, expected) = intruder { try await refuse(tag, insteadOf: expected, show) }
      try await batch.renew()
    }
  }

  /// Reports a tag that came instead of the one that was worked on, and waits until it is gone.
  private mutating func refuse(
    _ tag: NFCTag, insteadOf expected: [UInt8], _ show: (TagBatch.Event) -> Void
  ) async throws {
    let uid = tag.target.uid.hexadecimal
    if let row = awaited {
      show(.isAnotherTag(uid: uid, than: row))
    } else {
      let error = TagError(
        .tagChanged,
        "tag \(uid) came instead of tag \(expected.hexadecimal); nothing was written to it",
        hint: "remove it; then put a tag on the reader for the row that is asked for",
        uid: tag.target.uid)
      show(.served(.refused(uid: uid, asked, error), pace.progress(try batch.counts())))
    }
    try await waitForRemoval(of: tag, counted: nil)
    awaited = nil
    mustAsk = true
  }

  /// Makes sure that the operator knows the request.
  ///
  /// - Returns: Whether there is one.
  private mutating func ask(_ show: (TagBatch.Event) -> Void) async throws -> Bool {
    if awaited != nil || asked != nil && !mustAsk { return true }
    var counts: BatchCounts?
    if asked == nil {
      (asked, counts) = try await batch.claimNextCounting()
      if asked != nil { mustAsk = true }
    }
    let progress = pace.progress(try counts ?? batch.counts())
    if let asked {
      if mustAsk { show(.wants(asked, progress)) }
    } else {
      let rows = try batch.rowsForOneTag()
      guard !rows.isEmpty else { return false }
      if mustAsk { show(.wantsOwnTags(rows, progress)) }
    }
    mustAsk = false
    return true
  }

  /// Takes in the result of a tag, and waits until the tag is taken away.
  ///
  /// - Parameter counted: The number of rows in each state when the tag was recorded, if it was.
  mutating func take(
    _ served: TagBatch.Served, of tag: NFCTag, counted: BatchCounts?,
    _ show: (TagBatch.Event) -> Void
  ) async throws {
    var counts = counted
    var isTransient = false
    switch served {
    case .finished(let row, _):
      pace.count(at: elapsed())
      if row.number == asked?.number { asked = nil }
      awaited = nil
    case .alreadyDone, .refused: break
    case .left: isTransient = true
    case .torn(let row, _):
      awaited = row
      asked = nil
      isTransient = true
    case .spoiled(let row, _):
      // The row still belongs to this station; it is asked for again, for another tag.
      if asked != nil || awaited != nil { asked = row.order.wantedUID == nil ? row : nil }
      awaited = nil
    case .unasked(let uid):
      if let row = awaited { show(.isAnotherTag(uid: uid, than: row)) }
      awaited = nil
    }
    if case .unasked = served {
    } else {
      let now = try counts ?? batch.counts()
      counts = now
      show(.served(served, pace.progress(now)))
    }
    attempts = isTransient ? attempts + 1 : 0
    interrupted = isTransient ? tag.target.uid : nil
    if !isTransient || attempts > Self.attemptsInPlace {
      attempts = 0
      try await waitForRemoval(of: tag, counted: counts)
    }
    mustAsk = awaited == nil
  }

  private func waitForRemoval(of tag: NFCTag, counted: BatchCounts?) async throws {
    // The last tag of a run may stay where it is.
    if let limit = batch.options.limit, pace.finished >= limit { return }
    if asked == nil, awaited == nil, try (counted ?? batch.counts()).remaining == 0 { return }
    var tag = tag
    let waited = stopwatch(batch.clock)
    while true {
      let slice = TagBatch.renewalInterval
      let remaining = batch.options.timeout.map { max($0 - waited(), .zero) } ?? slice
      if try await reader.waitForRemoval(of: tag, timeout: min(slice, remaining)) { return }
      guard remaining >= slice else { throw notTakenAway(tag) }
      try await batch.renew()
      do throws(NFCReaderError) {
        let found = try await reader.waitForTag(timeout: .zero)
        guard found.target.uid == tag.target.uid else { return }
        tag = found
      } catch {
        guard error.code == .noTag else { throw error }
        return
      }
    }
  }

  private func notTakenAway(_ tag: NFCTag) -> NFCReaderError {
    NFCReaderError(
      .noTag, "tag \(tag.target.uid.hexadecimal) was not removed, and no other tag was found",
      hint: "remove it and run the command again",
      connectionString: reader.connectionString)
  }
}

/// The time since now by a clock whose type is not known.
private func stopwatch<C: Clock<Duration>>(_ clock: C) -> () -> Duration {
  let start = clock.now
  return { start.duration(to: clock.now) }
}

extension BatchStation {
  /// The lifetime in seconds of a claim of a process that cannot be inspected from here (another
  /// machine, another container) and that has not renewed it since. A waiting station renews its
  /// claims every ``TagBatch/renewalInterval``.
  static let foreignClaimLifetime: TimeInterval = 300

  /// Creates the station of this process.
  ///
  /// - Parameters:
  ///   - reader: The reader that it uses.
  ///   - who: The name of the operator.
  public init(reader: String, who: String) {
    let machine = ProcessIdentity.machine
    self.init(
      holder: BatchClaim.Holder(
        machine: machine, process: Int(getpid()),
        started: ProcessIdentity.startTime(of: Int(getpid())) ?? ""),
      reader: reader, who: who,
      isAlive: { claim in
        guard claim.holder.machine == machine else {
          return Date().timeIntervalSince(claim.renewed) < Self.foreignClaimLifetime
        }
        return ProcessIdentity.isAlive(claim.holder)
      })
  }
}

/// Returns whether a process that was met before still runs.
private enum ProcessIdentity {
  /// The machine, this start of its system, and the set of process numbers that is seen from here:
  /// after a power cut, and in another container, the same number is another process.
  static let machine: String = {
    let boot = contents("/proc/sys/kernel/random/boot_id") ?? ""
    let processes = try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/ns/pid")
    var name = [CChar](repeating: 0, count: 256)
    gethostname(&name, name.count - 1)
    let host = String(decoding: name.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)), as: UTF8.self)
    return [host, boot, processes ?? ""].joined(separator: " ")
  }()

  static func isAlive(_ holder: BatchClaim.Holder) -> Bool {
    guard let number = pid_t(exactly: holder.process), number > 0 else { return false }
    // EPERM: it runs, but belongs to another user.
    guard kill(number, 0) == 0 || errno == EPERM else { return false }
    return startTime(of: holder.process).map { $0 == holder.started } ?? true
  }

  /// Returns the start time of a process, in ticks since the system's start (proc(5), field 22 of
  /// `stat`); `nil` if it cannot be read, and for a process that has ended and was not waited for
  /// yet.
  static func startTime(of process: Int) -> String? {
    guard let text = contents("/proc/\(process)/stat"), let name = text.lastIndex(of: ")") else {
      return nil
    }
    // The name may hold anything; behind its parenthesis field 3 begins, the state.
    let fields = text[name...].dropFirst().split(separator: " ")
    guard fields.count > 19 else { return nil }
    return fields[0] == "Z" || fields[0] == "X" ? "ended" : String(fields[19])
  }

  private static func contents(_ path: String) -> String? {
    guard let data = FileManager.default.contents(atPath: path) else { return nil }
    return String(decoding: data, as: UTF8.self).trimmingCharacters(in: .whitespacesAndNewlines)
  }
}
