public import CliptagBasics
public import Invocation

/// The operations that look up and change the contents of a registry.
///
/// On a ``RegistryStore`` each call is a separate transaction. On the ``RegistryTransaction`` that
/// a store passes to a body, it is a part of that transaction, so that related changes are made
/// together:
///
/// ```swift
/// try registry.add(place)
/// try registry.write { registry in
///   try registry.retire(code.id, at: now, by: "Ada")
///   try registry.issue(successor, by: "print shop")
/// }
/// ```
public protocol RegistryOperations: ~Copyable {
  /// Runs `body` on one unchanging state.
  ///
  /// - Throws: The error of `body`, or `RegistryError` of the store. An error of another type
  ///   becomes `RegistryError.underlying` of `RegistryError.Code.failed`.
  borrowing func read<Value, Failure: Error>(
    _ body: (borrowing RegistryTransaction) throws(Failure) -> Value
  ) throws(RegistryError) -> Value

  /// Runs `body` and commits its changes; if it throws, nothing is changed.
  ///
  /// - Throws: As ``read(_:)``, and the errors that prevent a change, such as
  ///   `RegistryError.Code.locked`, `RegistryError.Code.diskFull` or
  ///   `RegistryError.Code.readOnly`.
  borrowing func write<Value, Failure: Error>(
    _ body: (borrowing RegistryTransaction) throws(Failure) -> Value
  ) throws(RegistryError) -> Value
}

/// A store of clips, experiences, places and issued codes.
///
/// All work happens in transactions: ``read(_:)`` sees one unchanging state, ``write(_:)`` is
/// committed completely or not at all. The available operations are those of
/// ``RegistryOperations``.
///
/// Calls without `await` block the calling thread. A change may wait for another process, at most
/// the store's busy time-out; a look-up never waits. With `await`, a transaction runs on the
/// store's own thread instead. A body must not call the store of its transaction.
public protocol RegistryStore: RegistryOperations, ExperienceDirectory, RecordSource {
  /// Notes for the caller that opened the store, for example that its file does not exist yet.
  var notes: [Hint] { get }

  /// The version of the store's schema; 0 if there is no registry yet.
  var schemaVersion: Int { get }

  /// The queue on which asynchronous transactions run, one after another.
  var queue: RegistryQueue { get }

  /// The user of the registry, for the record: on a server its login, followed by the person named
  /// at opening; for a file that person, otherwise the login of this computer.
  var who: String { get }

  /// Waits until the registry has changed or the time limit has passed. It may return early.
  func waitForChange(atMost patience: Duration) throws(RegistryError)

  /// Gives waiting writers time to begin, between two pieces of a long change.
  func makeWay()

  /// Returns a number that differs after any change of the registry; `nil` when changes cannot be
  /// detected.
  func changeNumber() throws(RegistryError) -> Int?

  /// A Boolean value that indicates whether the store still leads to the registry at its location,
  /// as it was built at the opening; otherwise, it has to be opened anew. Another file may have
  /// taken its place, or another cliptag may have upgraded it. Blocks for a short query at most.
  var isCurrent: Bool { get }

  // Declared again beside the forms with `await`: in an asynchronous function the compiler then
  // selects those, and refuses the ones that would block its thread.

  /// Runs `body` on one unchanging state; see ``RegistryOperations/read(_:)``.
  func read<Value, Failure: Error>(
    _ body: (borrowing RegistryTransaction) throws(Failure) -> Value
  ) throws(RegistryError) -> Value

  /// Runs `body` and commits its changes; see ``RegistryOperations/write(_:)``.
  func write<Value, Failure: Error>(
    _ body: (borrowing RegistryTransaction) throws(Failure) -> Value
  ) throws(RegistryError) -> Value
}

extension RegistryStore {
  /// Does nothing, which is enough if waiting writers are served in order, as on a server.
  public func makeWay() {}

  /// `true`, for a store that nothing replaces.
  public var isCurrent: Bool { true }

  /// Returns the clip with a demo link; of several, the first by bundle identifier.
  public func clip(demoLink: InvocationURL) throws(RegistryError) -> AppClip? {
    try read({ try $0.clips() }).first { $0.listing.demoLink?.normalized == demoLink.normalized }
  }

  /// Returns every experience, of any status, that covers a URL, or nearly does.
  public func experiences(near url: InvocationURL) throws(RegistryError) -> [AdvancedExperience] {
    try read { try $0.experiences(host: url.host, foldedKeys: url.foldedPrefixKeys) }
  }
}

/// Transactions that do not block the cooperative thread pool.
extension RegistryStore {
  /// Runs `body` on one unchanging state, on the store's own thread.
  ///
  /// It waits behind the store's other asynchronous transactions. Cancelling the task does not end
  /// it: the call returns after `body`.
  ///
  /// - Throws: As ``read(_:)`` without `await`.
  public func read<Value: Sendable, Failure: Error>(
    _ body: @escaping @Sendable (borrowing RegistryTransaction) throws(Failure) -> Value
  ) async throws(RegistryError) -> Value {
    try await queue.blocking.run { _ throws(RegistryError) in try self.read(body) }
  }

  /// Runs `body` on the store's own thread and commits its changes; if it throws, nothing is
  /// changed.
  ///
  /// It waits behind the store's other asynchronous transactions. Cancelling the task does not end
  /// it: a print or a written tag is recorded nevertheless, and the call returns then.
  ///
  /// - Throws: As ``write(_:)`` without `await`.
  public func write<Value: Sendable, Failure: Error>(
    _ body: @escaping @Sendable (borrowing RegistryTransaction) throws(Failure) -> Value
  ) async throws(RegistryError) -> Value {
    try await queue.blocking.run { _ throws(RegistryError) in try self.write(body) }
  }
}

/// The thread of a store's asynchronous transactions.
public struct RegistryQueue: Sendable {
  let blocking = BlockingQueue("cliptag.registry")

  /// Makes an empty queue.
  public init() {}
}

extension RegistryStore {
  /// Runs `body` as ``write(_:)`` does; for a rehearsal, the changes are rolled back.
  func rehearsing<Report: Sendable>(
    _ isRehearsal: Bool, _ body: (borrowing RegistryTransaction) throws -> Report
  ) throws(RegistryError) -> Report {
    do throws(RegistryError) {
      return try write { registry in
        let report = try body(registry)
        // A transaction that ends with an error changes nothing.
        if isRehearsal { throw Rehearsal(report: report) }
        return report
      }
    } catch {
      guard let rehearsal = error.underlying as? Rehearsal<Report> else { throw error }
      return rehearsal.report
    }
  }

  /// Returns a copy in memory for trying a change: everything except retired codes, and codes whose
  /// place was removed. A change that the registry would refuse fails on the copy as well.
  ///
  /// - Parameter who: The person who tries the change, for the copy's histories.
  public func rehearsalCopy(by who: String) throws(RegistryError) -> any RegistryStore {
    let (document, codes) = try read { registry in
      (try registry.document(), try registry.codes(CodeFilter(status: .issued)))
    }
    let places = Set(document.places.map(\.id))
    let copy = try RegistryLocation.memory.open()
    try copy.write { registry in
      try registry.apply(document)
      for code in codes where code.placeID.map(places.contains) ?? true {
        try registry.issue(code, by: who)
      }
    }
    return copy
  }
}

/// Rolls a rehearsal back, and carries its report.
private struct Rehearsal<Report: Sendable>: Error {
  let report: Report
}
