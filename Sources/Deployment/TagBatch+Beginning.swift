import Foundation
public import Invocation
public import Registry
import TagTypes

/// Why a row of a batch's file may not be written.
public struct BatchObjection: Sendable {
  /// What is wrong with it.
  public enum Reason: Sendable {
    /// The check does not accept the URL.
    case refused(Verification)
    /// The row names another place than its URL does, in a sentence.
    case wrongPlace(String)
    /// The URL has a place for the tag's UID or counter, which a batch does not fill in.
    case placeholder(String)
  }

  /// The row's number, from 1.
  public let row: Int
  /// The line of the file, from 1.
  public let line: Int
  /// The column in the line, from 1.
  public let column: Int
  /// What is wrong.
  public let reason: Reason
}

extension TagBatch {
  /// Checks every row of a file, so that nothing is begun that cannot be finished.
  ///
  /// - Returns: What may not be written, in the order of the rows.
  /// - Throws: What the directory throws.
  public func objections(to file: BatchFile) throws -> [BatchObjection] {
    let check = try check.inMemory(of: registry)
    var objections: [BatchObjection] = []
    for (index, order) in file.orders.enumerated() {
      if let problem = order.placeholderProblem {
        let (line, column) = file.position(ofRow: index + 1)
        objections.append(
          BatchObjection(row: index + 1, line: line, column: column, reason: .placeholder(problem)))
        continue
      }
      let found = try check.examine(payload: order.url, carrier: .url, location: .notAsked)
      if found.verdict != .accepted, !options.unregistered {
        let (line, column) = file.position(ofRow: index + 1)
        objections.append(
          BatchObjection(row: index + 1, line: line, column: column, reason: .refused(found)))
      } else if let problem = order.placeProblem(found) {
        let (line, column) = file.position(ofPlaceInRow: index + 1)
        objections.append(
          BatchObjection(row: index + 1, line: line, column: column, reason: .wrongPlace(problem)))
      }
    }
    return objections
  }

  /// Begins the batch, or goes on with it.
  ///
  /// - Returns: How many rows are new.
  /// - Throws: `RegistryError`, with code `batch-changed` when the batch was begun with
  ///   other rows; rows may be added at the end.
  public func begin(_ orders: [BatchRow.Order]) async throws(RegistryError) -> Int {
    let time = now()
    return try await registry.write { registry in
      try registry.openBatch(name, orders, at: time, by: station.who)
    }
  }

  /// The numbers of the rows that ``begin(_:)`` would add.
  ///
  /// - Throws: As ``begin(_:)``.
  package func newRows(_ orders: [BatchRow.Order]) throws(RegistryError) -> Range<Int> {
    try registry.read { registry in try registry.comparison(name, orders) }
  }

  /// What an operator decides about rows before a run.
  public struct Decisions: Sendable {
    /// Rows that need a tag again: done, begun or skipped ones. The tags they had are spoiled, and
    /// their codes retired; a row that is pending is left so.
    public var redo: [Int] = []
    /// Rows that need no tag.
    public var skip: [Int] = []
    /// Whether the tags are given up that were begun and that nobody works on; their rows need
    /// others.
    public var givesUpTorn = false
    /// Why, for the ledger; `nil` for a general reason.
    public var reason: String?

    /// Decides nothing.
    public init() {}
  }

  /// Records decisions about rows: all of them, or none.
  ///
  /// - Returns: The rows whose tags were given up for being half written.
  /// - Throws: `RegistryError` with code `not-found`, or `row-not-free` when a row to be
  ///   skipped is not pending or another station works on a row; nothing is changed then.
  @discardableResult
  public func record(_ decisions: Decisions) async throws(RegistryError) -> [BatchRow] {
    let time = now()
    let torn = decisions.givesUpTorn ? try rowsForOneTag().filter(\.state.isTorn) : []
    return try await registry.write { registry in
      var given: [BatchRow] = []
      for row in torn {
        let reason = decisions.reason ?? "given up: the tag did not come back"
        given.append(try registry.spoil(row, at: time, by: station.who, reason: reason))
      }
      for number in decisions.redo {
        let row = try claimed(number, at: time, in: registry)
        guard row.state != .pending else { continue }
        let reason = decisions.reason ?? "to be done again"
        _ = try registry.redo(row, at: time, by: station.who, reason: reason)
      }
      for number in decisions.skip {
        let row = try claimed(number, at: time, in: registry)
        guard row.state != .skipped else { continue }
        let reason = decisions.reason ?? "skipped by the operator"
        _ = try registry.skip(row, at: time, by: station.who, reason: reason)
      }
      try registry.releaseClaims(of: name, for: station)
      return given
    }
  }

  /// A row that this station may change now.
  private func claimed(
    _ number: Int, at time: Date, in registry: borrowing RegistryTransaction
  ) throws(RegistryError) -> BatchRow {
    guard let row = try registry.batchRow(name, number) else {
      throw RegistryError(
        .notFound, "The batch \(name) has no row \(number).",
        hint: "Rows are counted from 1; the header does not count.")
    }
    guard try registry.claim(row, for: station, at: time) else {
      throw RegistryError(
        .rowNotFree, "Another station is working on row \(number) of the batch \(name).",
        hint: "Try again when it has finished the row.")
    }
    return row
  }
}

extension BatchRow.Order {
  /// Why its URL cannot be written by a batch, when the tag is to fill something in.
  fileprivate var placeholderProblem: String? {
    do throws(MirrorTemplate.Problem) {
      return try MirrorTemplate(url).map {
        "A batch does not let tags fill in \($0.kind.placeholder). Write such tags with tag write."
      }
    } catch {
      return "The URL has braces, and \(error.message)."
    }
  }
}
