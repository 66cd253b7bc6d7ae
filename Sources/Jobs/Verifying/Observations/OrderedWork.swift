/// Runs several numbered pieces of work at a time, and delivers their values in the order of the
/// pieces.
///
/// The values of the first unfinished piece are delivered as they are made; those of later pieces
/// are buffered until their turn. No piece begins that is more than a window ahead of it, which
/// bounds the buffer.
struct OrderedWork<Value: Sendable>: AsyncSequence, Sendable {
  /// The number of pieces.
  let count: Int
  /// The number of pieces that run at the same time.
  let workers: Int
  /// The number of pieces that may be running or buffered; at least the number of workers.
  let window: Int
  /// Performs a piece, and calls its second argument with each value.
  let work: @Sendable (_ index: Int, _ emit: @Sendable (Value) -> Void) async -> Void

  func makeAsyncIterator() -> Iterator {
    let (pieces, begun) = AsyncStream.makeStream(of: AsyncStream<Value>.self)
    let (permits, permit) = AsyncStream.makeStream(of: Void.self)
    for _ in 0..<Swift.max(1, window) { permit.yield() }
    let task = Task {
      await withTaskGroup(of: Void.self) { group in
        var permits = permits.makeAsyncIterator()
        for index in 0..<count {
          guard await permits.next() != nil, !Task.isCancelled else { break }
          if index >= workers { await group.next() }
          let (values, value) = AsyncStream.makeStream(of: Value.self)
          begun.yield(values)
          group.addTask {
            await work(index) { value.yield($0) }
            value.finish()
          }
        }
      }
      begun.finish()
    }
    return Iterator(
      task: OwnedTask(task), pieces: pieces.makeAsyncIterator(), finished: { permit.yield() })
  }

  struct Iterator: AsyncIteratorProtocol {
    fileprivate let task: OwnedTask<Void, Never>
    fileprivate var pieces: AsyncStream<AsyncStream<Value>>.Iterator
    fileprivate let finished: () -> Void
    fileprivate var values: AsyncStream<Value>.Iterator?

    /// The next value; `nil` at the end, or when the task was cancelled and all work has ended.
    mutating func next() async -> Value? {
      while !Task.isCancelled {
        if let value = await values?.next() { return value }
        if values != nil { finished() }
        guard let piece = await pieces.next() else { break }
        values = piece.makeAsyncIterator()
      }
      task.work.cancel()
      await task.work.value
      return nil
    }
  }
}

/// A task that is cancelled when its last reference is released.
final class OwnedTask<Success: Sendable, Failure: Error>: Sendable {
  let work: Task<Success, Failure>

  init(_ work: Task<Success, Failure>) { self.work = work }

  deinit { work.cancel() }
}
