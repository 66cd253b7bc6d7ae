import CliptagBasics
import JourneyFixtures
import Foundation
@testable import Issuing
import NDEF
import Registry
import SimulatedReader
import Synchronization
import TagTypes
import Verifying

enum BatchFixtures {
  static func url(_ number: Int) -> String { "https://fruta.example.com/order/\(number)" }

  static let hashOfRow1 = "EBEEF59DC1CD7067952C6B9DCF4ECB683379B96FC19EED0308664B10DBB49CA2"

  static func orders(_ count: Int) -> [BatchRow.Order] {
    (1...count).map { BatchRow.Order(url: url($0), label: "Table \($0)") }
  }

  /// A batch named `b` as a station of this number sees it.
  static func batch(
    in registry: any RegistryStore, station: Int = 1, dead: Set<Int> = [],
    _ change: (inout TagBatch.Options) -> Void = { _ in }
  ) -> TagBatch {
    var options = TagBatch.Options()
    change(&options)
    return TagBatch(
      named: "b", in: registry,
      station: BatchStation(
        holder: .init(machine: "bench", process: station, started: "0"), reader: "r\(station)",
        who: "op", isAlive: { !dead.contains($0.holder.process) }),
      options: options)
  }

  /// Returns an NTAG213 with a separate UID.
  static func tag(
    _ number: UInt8, prepare: @Sendable (inout SimulatedTag) -> Void = { _ in }
  ) throws -> TagInMemory {
    try TagInMemory(.ntag213, uid: [0x04, 1, 2, 3, 4, 5, number], prepare: prepare)
  }
}

extension RegistryStore {
  /// Begins the batch `b`.
  func begin(_ orders: [BatchRow.Order]) async throws {
    _ = try await BatchFixtures.batch(in: self).begin(orders)
  }
}

extension TagInMemory {
  /// The URL that a phone reads.
  func url() async throws -> String? { try TagPayload(try await identified()).uri }
}

/// A tag that leaves, or whose reader fails, after some exchanges, or that refuses a command.
struct LosingChannel: TagChannel {
  private let base: TagInMemory
  private let count: Counter
  private let failure: TagChannelError.Code
  private let refused: UInt8?
  private let losesAnswer: Bool

  /// - Parameter losesAnswer: Whether the last command still reaches the tag.
  init(
    _ base: TagInMemory, after count: Int, with failure: TagChannelError.Code = .tagLost,
    refusing refused: UInt8? = nil, losesAnswer: Bool = false
  ) {
    self.base = base
    self.count = Counter(count)
    self.failure = failure
    self.refused = refused
    self.losesAnswer = losesAnswer
  }

  var target: TagTarget { base.target }

  func exchange(_ command: [UInt8]) async throws(TagChannelError) -> [UInt8] {
    do throws(TagChannelError) {
      try await pass()
    } catch {
      if losesAnswer, await count.isFirstRefusal() { _ = try? await base.exchange(command) }
      throw error
    }
    if command.first == refused { throw TagChannelError(.refused, "refused") }
    return try await base.exchange(command)
  }

  func reselect(fieldCycle: Bool) async throws(TagChannelError) {
    try await pass()
    try await base.reselect(fieldCycle: fieldCycle)
  }

  private func pass() async throws(TagChannelError) {
    guard await count.next() else { throw TagChannelError(failure, "gone") }
  }

  private actor Counter {
    private var rest: Int
    init(_ rest: Int) { self.rest = rest }
    private var wasRefused = false
    func isFirstRefusal() -> Bool {
      defer { wasRefused = true }
      return !wasRefused
    }
    func next() -> Bool {
      guard rest > 0 else { return false }
      rest -= 1
      return true
    }
  }
}

/// A registry that takes some changes and then no more, as if the process had been killed.
final class FailingRegistry: RegistryStore {
  private let registry: any RegistryStore
  private let rest: Mutex<Int>

  init(_ registry: any RegistryStore, after count: Int) {
    self.registry = registry
    rest = Mutex(count)
  }

  var notes: [Hint] { registry.notes }
  var schemaVersion: Int { registry.schemaVersion }
  var queue: RegistryQueue { registry.queue }
  var who: String { registry.who }

  func waitForChange(atMost patience: Duration) throws(RegistryError) {
    try registry.waitForChange(atMost: patience)
  }

  func changeNumber() throws(RegistryError) -> Int? { try registry.changeNumber() }

  func read<Value, Failure: Error>(
    _ body: (borrowing RegistryTransaction) throws(Failure) -> Value
  ) throws(RegistryError) -> Value {
    try registry.read(body)
  }

  func write<Value, Failure: Error>(
    _ body: (borrowing RegistryTransaction) throws(Failure) -> Value
  ) throws(RegistryError) -> Value {
    let isAlive = rest.withLock { rest in
      rest -= 1
      return rest >= 0
    }
    guard isAlive else { throw RegistryError(.diskFull, "The disk is full.", hint: "Make room.") }
    return try registry.write(body)
  }
}
