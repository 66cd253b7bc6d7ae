/// Hands out numbered work to several workers and brings what they make back into order.
///
/// What the first unfinished piece makes is handled at once; what later pieces make is kept until
/// their turn. No piece is handed out that is more than a window ahead of the first unfinished one,
/// so what is kept stays bounded, however long that one takes.
package actor OrderedDelivery<Value: Sendable> {
  private let count: Int
  private let window: Int
  private let handle: @Sendable (_ index: Int, _ value: Value) -> Void
  private var handedOut = 0
  private var first = 0
  private var kept: [Int: [Value]] = [:]
  private var finished: Set<Int> = []
  private var waiting: [CheckedContinuation<Void, Never>] = []

  /// Prepares the work.
  ///
  /// - Parameters:
  ///   - count: How many pieces there are.
  ///   - window: How many pieces may be under way or kept, at least as many as there are workers.
  ///   - handle: What is done with each value, one after another.
  package init(
    count: Int, window: Int, handle: @escaping @Sendable (_ index: Int, _ value: Value) -> Void
  ) {
    self.count = count
    self.window = max(1, window)
    self.handle = handle
  }

  /// The next piece for a worker, who must finish it; `nil` when there is none left, or the task is
  /// cancelled.
  package func next() async -> Int? {
    while handedOut < count, handedOut >= first + window {
      await withCheckedContinuation { waiting.append($0) }
    }
    guard handedOut < count, !Task.isCancelled else { return nil }
    defer { handedOut += 1 }
    return handedOut
  }

  /// Takes a value of a piece that is under way.
  package func deliver(_ value: Value, of index: Int) {
    if index == first {
      handle(index, value)
    } else {
      kept[index, default: []].append(value)
    }
  }

  /// Notes that a piece makes no more.
  package func finish(_ index: Int) {
    finished.insert(index)
    while finished.remove(first) != nil {
      first += 1
      for value in kept.removeValue(forKey: first) ?? [] { handle(first, value) }
    }
    let woken = waiting
    waiting = []
    for one in woken { one.resume() }
  }
}
