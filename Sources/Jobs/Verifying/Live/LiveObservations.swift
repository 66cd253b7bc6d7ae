public import CodeScanning
import Invocation
import Registry

extension Verifier {
  /// Observes a camera or a scanner; delivers one observation per code as it arrives.
  ///
  /// The source is read ahead on a separate thread; codes are verified one after another. The last
  /// observation gives the reason for the end, with a ``CodeObservation/failure`` when the device
  /// failed. Leaving the loop early or cancelling its task ends the reading within 100 ms, or when
  /// the camera frame in work is finished.
  ///
  /// - Parameters:
  ///   - source: The camera or scanner.
  ///   - scan: The timeout, and the rule that decides whether a code is new.
  public func observations<Time: Clock>(
    of source: any LiveSource,
    through scan: LiveScan<Time> = LiveScan(clock: ContinuousClock())
  ) -> Observations where Time.Duration == Duration {
    Observations {
      let (readings, reading) = AsyncStream.makeStream(of: LiveReading.self)
      let scanning = OwnedTask(
        Task {
          defer { reading.finish() }
          return try await scan.run(source) { next in
            reading.yield(next)
            return true
          }
        })
      var rest = readings.makeAsyncIterator()
      var isOver = false
      return {
        guard !isOver else { return nil }
        if let next = await rest.next() {
          let seen = await observe(next, from: source.name)
          isOver = seen.failure != nil
          return seen
        }
        isOver = true
        if Task.isCancelled { scanning.work.cancel() }
        var last = CodeObservation(.scanner, source: source.name)
        do {
          last.end = try await scanning.work.value == .timedOut ? .timedOut : .finished
        } catch {
          last.failure = error
          last.end = .finished
        }
        return Task.isCancelled ? nil : last
      }
    }
  }

  private func observe(_ reading: LiveReading, from source: String) async -> CodeObservation {
    var seen = CodeObservation(.scanner, source: source)
    seen.reading = reading
    seen.fix = location.measured
    do {
      if let code = try examine(reading, from: source) { seen.codes = [try await settle(code)] }
    } catch {
      seen.failure = error
    }
    return await deliver(seen)
  }

  /// Checks a reading; returns `nil` for a reading that is not a code.
  private func examine(_ reading: LiveReading, from source: String) throws -> VerifiedCode? {
    switch reading {
    case .decoded(let code): return try examine(code, source: source)
    case .appClipCode(let code): return try examine(code, source: source)
    case .text(let text, let symbology):
      let isQR = symbology.map { $0 == .qr } ?? options.assumesQR
      return try examine(text, on: isQR ? .qr : .barcode, source: source)
    case .unreadable: return nil
    }
  }
}
