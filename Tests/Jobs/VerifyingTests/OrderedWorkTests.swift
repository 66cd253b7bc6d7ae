import Synchronization
import Testing

@testable import Verifying

@Suite("Work in order")
struct OrderedWorkTests {
  /// The record of the pieces while they run.
  private final class Log: Sendable {
    struct State {
      var running = 0
      var mostRunning = 0
      var ended = 0
      var begun = 0
      var received = 0
      var farthestAhead = 0
    }
    let state = Mutex(State())

    func begin(_ index: Int) {
      state.withLock {
        $0.begun += 1
        $0.running += 1
        $0.mostRunning = max($0.mostRunning, $0.running)
        $0.farthestAhead = max($0.farthestAhead, index - $0.received)
      }
    }

    func end() {
      state.withLock {
        $0.running -= 1
        $0.ended += 1
      }
    }
  }

  @Test("later pieces that are done first wait for their turn, and every value comes once")
  func order() async {
    let (others, other) = AsyncStream.makeStream(of: Int.self)
    let work = OrderedWork<String>(count: 3, workers: 3, window: 3) { index, emit in
      emit("\(index)a")
      if index == 0 {
        var rest = 2
        for await _ in others {
          rest -= 1
          if rest == 0 { break }
        }
      }
      emit("\(index)b")
      other.yield(index)
    }
    var values: [String] = []
    for await value in work { values.append(value) }
    #expect(values == ["0a", "0b", "1a", "1b", "2a", "2b"])
  }

  @Test("the first piece's values are there before it is done")
  func first() async {
    let (gate, open) = AsyncStream.makeStream(of: Void.self)
    let work = OrderedWork<Int>(count: 1, workers: 1, window: 1) { _, emit in
      emit(1)
      for await _ in gate { break }
      emit(2)
    }
    var values = work.makeAsyncIterator()
    #expect(await values.next() == 1)
    open.yield()
    #expect(await values.next() == 2)
    #expect(await values.next() == nil)
  }

  @Test("no more pieces run than there are workers, and none begins beyond the window")
  func bounds() async {
    let log = Log()
    let work = OrderedWork<Int>(count: 300, workers: 4, window: 6) { index, emit in
      log.begin(index)
      for _ in 0..<(index % 5) { await Task.yield() }
      log.end()
      emit(index)
    }
    var values: [Int] = []
    for await value in work {
      log.state.withLock { $0.received += 1 }
      values.append(value)
    }
    let state = log.state.withLock { $0 }
    #expect(values == Array(0..<300))
    #expect(state.mostRunning <= 4)
    #expect(state.farthestAhead < 6)
  }

  @Test("cancelling whoever iterates cancels the work, and the end comes when it has stopped")
  func cancellation() async {
    let log = Log()
    let work = endless(log)
    let reading = Task {
      for await _ in work { withUnsafeCurrentTask { $0?.cancel() } }
      let state = log.state.withLock { $0 }
      return state.begun > 0 && state.ended == state.begun
    }
    #expect(await reading.value)
  }

  @Test("leaving the loop cancels the work")
  func leaving() async {
    let (ends, ended) = AsyncStream.makeStream(of: Void.self)
    let work = OrderedWork<Int>(count: 1, workers: 1, window: 1) { index, emit in
      emit(index)
      try? await Task.sleep(for: .seconds(3_600))
      ended.yield()
    }
    for await _ in work { break }
    for await _ in ends { break }
  }

  /// Pieces that end only when they are cancelled.
  private func endless(_ log: Log) -> OrderedWork<Int> {
    OrderedWork(count: 5, workers: 2, window: 4) { index, emit in
      log.begin(index)
      emit(index)
      try? await Task.sleep(for: .seconds(3_600))
      log.end()
    }
  }
}
