import TestSupport
import Testing

@testable import CodeScanning

@Suite("When a code is news")
struct SightingTests {
  private let clock = ManualClock()

  @Test("a code that stays is reported once, however long it stays")
  func staying() {
    var filter = SightingFilter(clock: clock)
    var news: [Bool] = []
    for _ in 0..<100 {
      news.append(filter.isNew(.scanned("a")))
      clock.advance(by: .seconds(2.9))
    }
    #expect(news == [true] + Array(repeating: false, count: 99))
  }

  @Test("a code that was away for three seconds is reported again, and not a moment earlier")
  func away() {
    var filter = SightingFilter(clock: clock)
    var news = [filter.isNew(.scanned("a"))]
    for pause in [Duration.milliseconds(2999), .seconds(3)] {
      clock.advance(by: pause)
      news.append(filter.isNew(.scanned("a")))
    }
    #expect(news == [true, false, true])
  }

  @Test("codes do not hide each other, nor does one text in two symbologies")
  func several() {
    var filter = SightingFilter(clock: clock)
    let readings: [LiveReading] = [
      .scanned("a"), .scanned("b"), .text("a", symbology: .qr), .scanned("a"), .scanned("b"),
    ]
    let news = readings.map { filter.isNew($0) }
    #expect(news == [true, true, true, false, false])
  }

  @Test("a code that has to be met twice is reported at the second time, and once")
  func twice() {
    var filter = SightingFilter(clock: clock, sightingsNeeded: 2)
    var news = (0..<4).map { _ in filter.isNew(.scanned("a")) }
    // Away after it was reported; then met once, and not again for long.
    for away in [3, 30] {
      clock.advance(by: .seconds(away))
      news.append(filter.isNew(.scanned("a")))
    }
    #expect(news == [false, true, false, false, false, false])
    // A slow machine may take its time for the next picture.
    clock.advance(by: .seconds(10))
    let isNews = filter.isNew(.scanned("a"))
    #expect(isNews)
  }

  @Test("with no time to be away every reading is reported; what is unreadable always is")
  func always() {
    var open = SightingFilter(clock: clock, awayFor: .zero)
    var filter = SightingFilter(clock: clock)
    let news = (0..<3).map { _ in
      (open.isNew(.scanned("a")), filter.isNew(.unreadable(reason: "no text")))
    }
    #expect(news.allSatisfy { $0.0 && $0.1 })
  }
}

@Suite("A live scan")
struct LiveScanTests {
  private static let gone = LiveSourceError(
    .deviceLost, source: "list", message: "It is gone.", hint: "Find it.")

  private func texts(
    _ source: any LiveSource, timeout: Duration? = nil, clock: ManualClock = ManualClock(),
    count: Int = .max
  ) async throws -> ([String], LiveScan<ManualClock>.End) {
    var texts: [String] = []
    let end = try await LiveScan(clock: clock, timeout: timeout).run(source) { reading in
      texts.append(reading.text ?? "?")
      return texts.count < count
    }
    return (texts, end)
  }

  @Test("every new reading is reported in order, up to the end of input")
  func end() async throws {
    let source = ListedSource(["a", "b", "a", "c"].map(LiveReading.scanned))
    let (texts, end) = try await texts(source)
    #expect(texts == ["a", "b", "c"])
    #expect(end == .endOfInput)
  }

  @Test("a scan ends when enough was read, although more would come")
  func enough() async throws {
    let source = ListedSource(["a", "b", "c"].map(LiveReading.scanned))
    let (texts, end) = try await texts(source, count: 2)
    #expect(texts == ["a", "b"])
    #expect(end == .enough)
  }

  @Test("what was read before the device was lost is reported before the failure")
  func failure() async throws {
    let source = ListedSource(["a", "b"].map(LiveReading.scanned), failure: Self.gone)
    var texts: [String] = []
    await #expect(throws: Self.gone) {
      _ = try await LiveScan(clock: ManualClock()).run(source) { reading in
        texts.append(reading.text ?? "?")
        return true
      }
    }
    #expect(texts == ["a", "b"])
  }

  @Test("the time-out begins anew with each new code, and not with one that stays")
  func timeout() async throws {
    let clock = ManualClock()
    // Two seconds pass before each reading; the third b is still there and no news.
    let source = ListedSource(["a", "b", "b", "b", "c"].map(LiveReading.scanned)) {
      clock.advance(by: .seconds(2))
    }
    let (texts, end) = try await texts(source, timeout: .seconds(5), clock: clock)
    #expect(texts == ["a", "b"])
    #expect(end == .timedOut)
  }

  @Test("a code that has to be met twice and is met once is not reported")
  func unconfirmed() async throws {
    let source = ListedSource(["a", "b", "a"].map(LiveReading.scanned), sightingsNeeded: 2)
    #expect(try await texts(source).0 == ["a"])
  }

  @Test("a cancelled scan ends, also while the device is silent")
  func cancellation() async throws {
    let pipe = Pipe()
    let source = LineScanner.reading(pipe.reading, isOwned: true)
    pipe.write(Array("a\n".utf8))
    let (seen, tell) = AsyncStream.makeStream(of: String.self)
    let scan = Task {
      try await LiveScan(clock: ContinuousClock()).run(source) { reading in
        tell.yield(reading.text ?? "?")
        return true
      }
    }
    var iterator = seen.makeAsyncIterator()
    #expect(await iterator.next() == "a")
    scan.cancel()
    await #expect(throws: CancellationError.self) { try await scan.value }
    pipe.end()
  }
}
