import CliptagBasics
import Foundation
import GRDB
import RegistryFixtures
import TestSupport
import Testing

@testable import Registry

/// The current facts of a code are stored beside its history, so that a later print costs no more
/// than the first.
@Suite("Last prints")
struct LastPrintTests {
  private func print(_ number: UInt64, _ output: String) -> IssuedCode {
    let code = Fixtures.code(number)
    return IssuedCode(
      id: code.id, payload: code.payload, carrier: .qr, created: code.created, registered: true,
      output: output, symbol: code.symbol)
  }

  /// A session that counts its queries.
  private final class CountingSession: RegistrySession {
    private let session: any RegistrySession
    private(set) var questions = 0

    init(_ session: any RegistrySession) { self.session = session }

    var home: String { session.home }
    var who: String { session.who }
    func run(_ sql: String, _ arguments: [(any SQLValue)?]) throws(RegistryError) {
      try session.run(sql, arguments)
    }
    func rows(
      _ sql: String, _ arguments: [(any SQLValue)?], isShared: Bool
    ) throws(RegistryError) -> any RegistryRows {
      questions += 1
      return try session.rows(sql, arguments, isShared: isShared)
    }
    func forEachRow(
      _ sql: String, ofEach lists: [[(any SQLValue)?]],
      _ body: (Int, any RegistryRow) throws(RegistryError) -> Void
    ) throws(RegistryError) {
      questions += 1
      try session.forEachRow(sql, ofEach: lists, body)
    }
    func letReferencesFollow() throws(RegistryError) { try session.letReferencesFollow() }
  }

  /// Returns the queries that recording labels makes to the registry.
  private func questions(
    _ payloads: [String], in registry: any RegistryStore
  ) throws -> Int {
    try registry.write { transaction throws(RegistryError) in
      let session = CountingSession(transaction.session)
      let registry = RegistryTransaction(session, mayChange: true)
      try registry.lookAhead(payloads: payloads)
      for (index, payload) in payloads.enumerated() {
        let known = try registry.codes(
          CodeFilter(status: .issued, carrier: .qr, payload: payload)
        ).last
        var generator = SeededGenerator(seed: UInt64(index))
        let last = try registry.lastCodeID()
        let id = known?.id ?? CodeID(at: Fixtures.noon, after: last, using: &generator)
        let code = IssuedCode(
          id: id, payload: payload, carrier: .qr, created: Fixtures.noon, registered: true,
          output: "\(index).svg")
        if known == nil {
          try registry.issue(code, by: "Ada")
        } else {
          try registry.reissue(code, at: Fixtures.noon, by: "Ada")
        }
        try registry.record(.verified, of: id, at: Fixtures.noon, by: "Ada")
      }
      return session.questions
    }
  }

  @Test(
    "labels of one URL, or of many, are recorded with as many questions as two",
    arguments: [true, false])
  func questions(areSame: Bool) throws {
    let registry = try RegistryLocation.memory.open()
    func payloads(_ count: Int) -> [String] {
      (0..<count).map { "https://a.example.com/\(areSame ? 0 : $0)" }
    }
    _ = try questions(payloads(2), in: registry)
    let few = try questions(payloads(2), in: registry)
    #expect(try questions(payloads(200), in: registry) <= few + 8)
    #expect(try questions(payloads(200), in: registry) <= few)
    let codes = try registry.codes()
    #expect(codes.count == (areSame ? 1 : 200))
    #expect(codes.last?.output == "199.svg")
    // A look-up within the change gives the same as one after it.
    #expect(try registry.history(of: codes[0].id).map(\.sequence) == Array(1...(areSame ? 808 : 8)))
  }

  @Test(
    "a print again gives the place that the event has in the history, whoever else wrote of the code"
  )
  func places() throws {
    let (mine, other) = (try RegistryLocation.memory.open(), try RegistryLocation.memory.open())
    try other.issue(Fixtures.code(1), by: "Ben")
    for minute in 1...3 {
      let time = Fixtures.noon.addingTimeInterval(Double(60 * minute))
      try other.reissue(print(1, "ben-\(minute).svg"), at: time, by: "Ben")
    }
    _ = try mine.merge(other, name: "other")
    for (minute, place) in [(2.5, 4), (9, 6), (2, 7)] {
      let event = try mine.reissue(
        print(1, "ada-\(minute).svg"), at: Fixtures.noon.addingTimeInterval(60 * minute), by: "Ada")
      #expect(event.sequence == place)
    }
  }

  @Test(
    "the last print is the one that the history tells last, in whatever order it was merged",
    arguments: 0..<12)
  func merged(seed: UInt64) throws {
    var generator = SeededGenerator(seed: seed)
    let stations = try (0..<3).map { _ in try RegistryLocation.memory.open() }
    try stations[0].issue(Fixtures.code(1), by: "Ada")
    try stations[0].issue(Fixtures.code(2), by: "Ada")
    for step in 0..<40 {
      let station = stations.randomElement(using: &generator)!
      if Bool.random(using: &generator), let other = stations.randomElement(using: &generator),
        other as AnyObject !== station as AnyObject
      {
        _ = try station.merge(other, name: "other")
      } else if let code = try station.codes().randomElement(using: &generator) {
        // Clocks go back and forth.
        let time = Fixtures.noon.addingTimeInterval(
          .random(in: -50...50, using: &generator).rounded())
        let number: UInt64 = code.id == Fixtures.code(1).id ? 1 : 2
        if Bool.random(using: &generator) {
          try station.reissue(print(number, "\(step).svg"), at: time, by: "Ada")
        } else {
          try station.record(.verified, of: code.id, at: time, by: "Ada")
        }
      }
    }
    for station in stations {
      for code in try station.codes() {
        let last = try station.history(of: code.id).last {
          $0.kind == .issued && $0.details["output"] != nil
        }
        #expect(code.output == last?.details["output"] ?? code.output)
      }
      var findings: [RecordFinding] = []
      _ = try station.verifyRecord { findings.append($0) }
      #expect(findings.isEmpty)
    }
  }

  @Test("a last print that was altered is found")
  func altered() throws {
    let folder = try TemporaryFolder()
    let path = folder.file("registry.sqlite")
    let registry = try RegistryLocation.file(path).open()
    try registry.issue(Fixtures.code(1), by: "Ada")
    try registry.reissue(print(1, "new.svg"), at: Fixtures.noon, by: "Ada")
    for sql in ["UPDATE code_print SET details = '{}'", "DELETE FROM code_print"] {
      try DatabaseQueue(path: path).write { try $0.executeWithoutGuards(sql) }
      var found: [String] = []
      _ = try RegistryLocation.file(path).open(for: .lookUp).verifyRecord {
        found.append("\($0.code)")
      }
      #expect(found == ["print-altered"])
    }
  }

  @Test("a file of an older format knows its last prints afterwards")
  func older() throws {
    let queue = try DatabaseQueue()
    try queue.write { database in
      try RegistrySchema.migrate(database, from: 0, to: 11, home: "here")
      let registry = RegistryTransaction(
        SQLiteSession(database, path: "", home: "here"), mayChange: true)
      try registry.issue(Fixtures.code(1), by: "Ada")
      try registry.issue(Fixtures.code(2), by: "Ada")
      for (output, minute) in [("a.svg", 5.0), ("b.svg", 3), ("c.svg", 4)] {
        try registry.reissue(
          print(1, output), at: Fixtures.noon.addingTimeInterval(60 * minute), by: "Ada")
      }
      try RegistrySchema.migrate(database, from: 11, home: "here")
      #expect(try registry.codes().map(\.output) == ["c.svg", "sign-2.svg"])
      #expect(try registry.codesOfWrongPrint().isEmpty)
    }
  }

  @Test("codes come piece by piece, each once and in order", arguments: StoreKind.allCases)
  func pieces(kind: StoreKind) throws {
    let folder = try TemporaryFolder()
    let registry = try kind.make(in: folder)
    try registry.issue((1...7).map { Fixtures.code($0, "https://a.example.com/\($0)") }, by: "Ada")
    for size in [1, 3, 7, 8] {
      var pieces: [[IssuedCode]] = []
      try registry.forEachPiece(size: size) { pieces.append($0) }
      #expect(pieces.flatMap(\.self) == (try registry.codes()))
      #expect(pieces.dropLast().allSatisfy { $0.count == size })
      for piece in pieces {
        let histories = try registry.recordedHistories(of: piece)
        #expect(Set(histories.keys) == Set(piece.map(\.id)))
      }
    }
  }
}
