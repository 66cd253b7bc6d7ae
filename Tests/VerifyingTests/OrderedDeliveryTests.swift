import Synchronization
import Testing

@testable import Verifying

@Suite("Work in order")
struct OrderedDeliveryTests {
  /// What was handled, in the order in which it was.
  private final class Log: Sendable {
    private let entries = Mutex<[String]>([])

    func note(_ index: Int, _ value: String) { entries.withLock { $0.append("\(index)\(value)") } }

    var all: [String] { entries.withLock { $0 } }
  }

  @Test("the first piece is handled at once, later ones when it is their turn")
  func order() async throws {
    let log = Log()
    let delivery = OrderedDelivery<String>(count: 3, window: 3) { log.note($0, $1) }
    let pieces = [await delivery.next(), await delivery.next(), await delivery.next()]
    #expect(pieces == [0, 1, 2])
    #expect(await delivery.next() == nil)
    await delivery.deliver("a", of: 2)
    await delivery.finish(2)
    await delivery.deliver("a", of: 1)
    #expect(log.all == [])
    await delivery.deliver("a", of: 0)
    #expect(log.all == ["0a"])
    await delivery.finish(0)
    #expect(log.all == ["0a", "1a"])
    await delivery.deliver("b", of: 1)
    await delivery.finish(1)
    #expect(log.all == ["0a", "1a", "1b", "2a"])
  }

  @Test("no worker gets further ahead of the first unfinished piece than the window")
  func window() async {
    let delivery = OrderedDelivery<String>(count: 4, window: 2) { _, _ in }
    _ = await delivery.next()
    _ = await delivery.next()
    await delivery.finish(1)
    let third = Task { await delivery.next() }
    await Task.yield()
    // Whether the task has begun to wait or not: it gets its piece when the first one is finished.
    await delivery.finish(0)
    #expect(await third.value == 2)
    #expect(await delivery.next() == 3)
  }

  @Test("many workers bring everything, each value once and in order")
  func manyWorkers() async {
    let log = Log()
    let delivery = OrderedDelivery<String>(count: 500, window: 6) { log.note($0, $1) }
    await withTaskGroup(of: Void.self) { group in
      for _ in 0..<4 {
        group.addTask {
          while let index = await delivery.next() {
            for value in ["a", "b"] {
              await delivery.deliver(value, of: index)
              if index.isMultiple(of: 3) { await Task.yield() }
            }
            await delivery.finish(index)
          }
        }
      }
    }
    #expect(log.all == (0..<500).flatMap { ["\($0)a", "\($0)b"] })
  }
}
