import CliptagBasics
import Foundation
import Invocation
import Issuing
import Jobs
import Registry
import TagTypes

/// Batches: a file is reviewed before the first tag, written on the bench, and continued.
struct BatchDesk: Sendable {
  let runner: RequestRunner
  let bench: ReaderBench

  /// The most rows of a file that a review shows.
  private static let mostShownRows = 500

  var routes: [StationRoute] {
    [
      StationRoute("GET", "/api/batches") { _ in await list().response },
      StationRoute("POST", "/api/batches/review", taking: .file) {
        try await review($0.json()).response
      },
      StationRoute("POST", "/api/batches/start", taking: .file) {
        try await start($0.json()).response
      },
      StationRoute("GET", "/api/batches/:batch/rows") { try await rows($0).response },
      StationRoute("GET", "/api/batches/:batch/report.csv", for: .document) {
        try report($0.parameter("batch"))
      },
      StationRoute("POST", "/api/batch/stop") { request in
        let wanted: Decision = try request.json()
        return await runner.work { _ in try await bench.stop(wanted.batch) }.response
      },
      StationRoute("POST", "/api/batch/skip") { request in
        let wanted: Decision = try request.json()
        return try await decide(wanted) { $0.skip = [wanted.row].compactMap(\.self) }
      },
      StationRoute("POST", "/api/batch/redo") { request in
        let wanted: Decision = try request.json()
        return try await decide(wanted) { $0.redo = [wanted.row].compactMap(\.self) }
      },
      StationRoute("POST", "/api/batch/give-up-torn") { request in
        try await decide(try request.json()) { $0.givesUpTorn = true }
      },
    ]
  }

  /// The requested batch.
  private struct Order: Decodable {
    struct Options: Decodable {
      var lock: Bool?
      var setPassword: Bool?
      var password: String?
      var overwrite: Bool?
      var reuse: Bool?
      var unregistered: Bool?
      var strict: Bool?
      var requireGenuine: Bool?
      var type: String?
      var allowDuplicates: Bool?

      /// Returns the options with missing ones taken from the record.
      func completed(by recorded: TagBatch.Options?) -> Options {
        guard let recorded else { return self }
        var options = self
        options.lock = lock ?? (setPassword == true ? false : recorded.locks)
        options.setPassword = setPassword ?? (lock == true ? false : recorded.setsPassword)
        options.overwrite = overwrite ?? recorded.overwrites
        options.reuse = reuse ?? recorded.reuses
        options.unregistered = unregistered ?? recorded.unregistered
        options.strict = strict ?? recorded.refusesWarnings
        options.requireGenuine = requireGenuine ?? recorded.requiresGenuine
        options.type = type ?? recorded.type
        return options
      }
    }

    let batch: String
    /// The file; `nil` for a batch that is on record.
    var csv: String?
    var options: Options?

    var file: BatchFile? {
      csv.map { BatchFile(Array($0.utf8), allowsDuplicates: options?.allowDuplicates ?? false) }
    }
  }

  private struct Decision: Decodable {
    var batch: String?
    var row: Int?
    var reason: String?
  }

  /// The batch with its options, checked.
  ///
  /// - Parameters:
  ///   - registry: The registry, which has the options of a batch that was begun.
  ///   - needsPassword: Whether a password that will be put in force must be present: the file is
  ///     checked before the password is entered.
  private func order(
    _ wanted: Order, in registry: any RegistryStore, needsPassword: Bool = true
  ) async throws -> ReaderBench.BatchOrder {
    let known = await bench.batch(.init(name: wanted.batch), reader: "-", in: registry)
    let options = (wanted.options ?? .init()).completed(by: try known.recordedOptions())
    var order = ReaderBench.BatchOrder(name: wanted.batch)
    order.options.locks = options.lock ?? false
    order.options.setsPassword = options.setPassword ?? false
    order.options.overwrites = options.overwrite ?? false
    order.options.reuses = options.reuse ?? false
    order.options.unregistered = options.unregistered ?? false
    order.options.refusesWarnings = options.strict ?? false
    order.options.requiresGenuine = options.requireGenuine ?? false
    order.options.type = options.type.flatMap { $0.isEmpty ? nil : $0 }
    try order.options.validate()
    if let text = options.password, !text.isEmpty {
      guard let password = TagPassword(text) else {
        // The text is never quoted.
        throw Failure(
          "malformed-password", .malformedInput, "The password is not one of a tag.",
          hint: "Give 8 hexadecimal digits, or 8, a colon, and 4 for PACK.")
      }
      order.options.password = password
    }
    guard !needsPassword || !order.options.setsPassword || order.options.password != nil else {
      throw Failure(
        "malformed-password", .malformedInput, "There is no password to put in force.",
        hint: "Give 8 hexadecimal digits, or 8, a colon, and 4 for PACK.")
    }
    return order
  }

  func list() async -> CommandAnswer {
    await runner.work { console in
      let registry = try runner.registryForReading(console)
      let batches = try registry.read { registry throws(RegistryError) in
        try registry.batches().map { batch throws(RegistryError) in
          var unfinished = BatchRowFilter(
            batch: batch.name, states: [.pending, .intended, .written])
          unfinished.limit = 1
          return (
            batch, try registry.batchCounts(batch.name), try registry.batchOptions(batch.name),
            try registry.batchRows(unfinished).first?.number
          )
        }
      }
      for (batch, counts, options, next) in batches.sorted(by: { $0.0.created > $1.0.created }) {
        console.print(
          .object(
            [("type", "batch"), ("batch", .string(batch.name))] + counts.members + [
              ("created", .string(batch.created.registryTimestamp)), ("who", .string(batch.who)),
              ("next", JSONValue(next)),
              ("options", JSONValue(options.map(TagBatch.Options.init(recorded:)))),
            ]))
      }
    }
  }

  /// Reviews a file, and answers with the planned work.
  private func review(_ wanted: Order) async throws -> CommandAnswer {
    guard let file = wanted.file else {
      throw Failure(
        "malformed-request", .usage, "There is no csv, and so nothing to look through.",
        hint: "Send the file's text as csv.")
    }
    let source = wanted.batch.printable + ".csv"
    return await runner.workGivingMore { console in
      let registry = try runner.registryForReading(console)
      let order = try await order(wanted, in: registry, needsPassword: false)
      let batch = await bench.batch(order, reader: "-", in: registry)
      let (objections, findings) = try batch.review(of: file)
      let rows: [(String, JSONValue)] = [
        ("rows", .array(try Self.preview(file, of: batch, objections, findings))),
        ("rowCount", .integer(file.orders.count)),
        // A row that is objected to and a line that cannot be read count once each.
        ("objections", .integer(Set(objections.map(\.row)).count + file.problems.count)),
      ]
      guard console.show(file.problems, objections, source: source) else { return rows }
      let new = try batch.newRows(file.orders)
      console.print(
        BatchOutput.summary(
          order.name, try batch.counts(), finished: 0, new: new.count, findings,
          BatchSignatures(try batch.rows(in: [.intended, .written, .done]), refused: 0),
          dryRun: true))
      return rows
    }
  }

  /// Returns the rows of a file with the objections to them: those with objections first.
  private static func preview(
    _ file: BatchFile, of batch: TagBatch, _ objections: [BatchObjection],
    _ findings: [Int: [Finding]]
  ) throws -> [JSONValue] {
    let states = Dictionary(
      try batch.rows(in: Set(BatchRow.State.allCases)).map { ($0.number, $0.state.rawValue) }
    ) { first, _ in first }
    let sentences = Dictionary(objections.map { ($0.row, $0.sentence) }) { first, _ in first }
    let numbers = Array(1...max(1, file.orders.count)).prefix(file.orders.count)
    let shown = (numbers.filter { sentences[$0] != nil } + numbers.filter { sentences[$0] == nil })
      .prefix(mostShownRows)
    return shown.map { number in
      let row = file.orders[number - 1]
      return .object([
        ("row", .integer(number)), ("line", .integer(file.position(ofRow: number).line)),
        ("label", JSONValue(row.label)), ("url", .string(row.url)),
        ("place", JSONValue(row.placeID)), ("uid", JSONValue(row.wantedUID)),
        ("state", .string(states[number] ?? "new")), ("objection", JSONValue(sentences[number])),
        ("findings", .array((findings[number] ?? []).map(\.json))),
      ])
    }
  }

  /// Begins a batch, or goes on with one that is on record.
  private func start(_ wanted: Order) async throws -> CommandAnswer {
    let file = wanted.file
    let source = wanted.batch.printable + ".csv"
    return await runner.work { console in
      // A refused batch is not put on record either.
      try await bench.checkIsFree(for: wanted.batch)
      let registry = try await bench.registry()
      let order = try await order(wanted, in: registry)
      let batch = await bench.batch(order, reader: "-", in: registry)
      if let file {
        guard try console.accept(file, for: batch, source: source) != nil else { return }
        _ = try await batch.begin(file.orders)
      } else if try !batch.exists() {
        throw Failure(
          "not-found", .noInput, "There is no batch \(order.name.printable) on record.",
          hint: "Begin it with its file.")
      } else {
        try await batch.recordOptions()
      }
      try await bench.start(order)
    }
  }

  private func decide(
    _ wanted: Decision, _ change: @Sendable @escaping (inout TagBatch.Decisions) -> Void
  ) async throws -> StationResponse {
    await runner.work { _ in
      var decisions = TagBatch.Decisions()
      change(&decisions)
      decisions.reason = wanted.reason.flatMap { $0.isEmpty ? nil : $0 }
      try await bench.decide(decisions, in: wanted.batch)
    }.response
  }

  private func rows(_ request: StationRequest) async throws -> CommandAnswer {
    let name = request.parameter("batch")
    let known = BatchRow.State.allCases.map(\.rawValue)
    let states = try request.query("state", (known + ["torn"]).joined(separator: ", ")) { text in
      text == "torn"
        ? Set(BatchRow.State.allCases.filter(\.isTorn))
        : BatchRow.State(rawValue: text).map { Set([$0]) }
    }
    let offset = try request.number("offset", in: 0...Int.max) ?? 0
    let limit = try request.number("limit", in: 1...1000) ?? 200
    let rows = try await batch(name).rows(in: states ?? Set(BatchRow.State.allCases))
    var answer = CommandAnswer()
    answer.results = rows.dropFirst(offset).prefix(limit).map(\.stationJSON)
    answer.more = [("total", .integer(rows.count))]
    return answer
  }

  private func report(_ name: String) throws -> StationResponse {
    let registry = try runner.registryForReading(nil)
    let rows = try registry.read { registry in
      try registry.batchRows(BatchRowFilter(batch: name))
    }
    guard !rows.isEmpty else { throw Failure.notFound("batch", name, see: "/api/batches") }
    return .download(
      Array(BatchReport(rows).text.utf8), type: "text/csv; charset=utf-8", named: "\(name).csv")
  }

  private func batch(_ name: String) async throws -> TagBatch {
    let batch = await bench.batch(
      .init(name: name), reader: "-", in: try runner.registryForReading(nil))
    guard try batch.exists() else { throw Failure.notFound("batch", name, see: "/api/batches") }
    return batch
  }
}

extension BatchObjection {
  /// The reason that the row may not be written, in a sentence.
  fileprivate var sentence: String {
    switch reason {
    case .wrongPlace(let message), .placeholder(let message), .appClipCode(let message): message
    case .refused(let verification):
      verification.findings.first { $0.severity == .error }?.advice.own
        ?? verification.findings.first?.advice.own ?? verification.state.rawValue
    }
  }
}

extension JSONValue {
  /// The options of a batch on record, by the names that a request has for them.
  fileprivate init(_ options: TagBatch.Options?) {
    guard let options else {
      self = .null
      return
    }
    self = .object([
      ("lock", .bool(options.locks)), ("setPassword", .bool(options.setsPassword)),
      ("overwrite", .bool(options.overwrites)), ("reuse", .bool(options.reuses)),
      ("unregistered", .bool(options.unregistered)), ("strict", .bool(options.refusesWarnings)),
      ("requireGenuine", .bool(options.requiresGenuine)), ("type", JSONValue(options.type)),
    ])
  }
}
