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
  let matching: PrefixEngine

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
  private func job(
    _ wanted: Order, in registry: any RegistryStore, needsPassword: Bool = true
  ) throws -> RunBatch {
    guard !wanted.batch.isEmpty else {
      throw Failure("usage", .usage, "The batch has no name.", hint: "Give it a name.")
    }
    var order = RunBatch(wanted.batch)
    let known = order.batch(in: Workplace(registry: registry))
    let recorded = try known.recordedOptions()
    guard recorded?.provisions != true else {
      throw Failure(
        "provisioning-keys", .malformedInput,
        "The batch \(wanted.batch.printable) makes tags ready with keys, which the station does not "
          + "have.", hint: "Continue it with cliptag tag batch --provision --keys FILE.")
    }
    let options = (wanted.options ?? .init()).completed(by: recorded)
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
          "malformed-password", .malformedInput, "The password is not a tag password.",
          hint: "Give 8 hexadecimal digits, or 8, a colon, and 4 for PACK.")
      }
      order.options.password = password
    }
    guard !needsPassword || !order.options.setsPassword || order.options.password != nil else {
      throw Failure(
        "malformed-password", .malformedInput, "The request has no password to set.",
        hint: "Give 8 hexadecimal digits, or 8, a colon, and 4 for PACK.")
    }
    return order
  }

  func list() async -> CommandAnswer {
    await runner.work { console in
      let workplace = try runner.workplace(matching, isRehearsal: true, console)
      for batch in try await ListBatches().run(in: workplace) {
        console.print(JSONValue(result: batch))
      }
    }
  }

  /// Reviews a file, and answers with the planned work.
  private func review(_ wanted: Order) async throws -> CommandAnswer {
    guard let file = wanted.file else {
      throw Failure(
        "malformed-request", .usage, "The request has no csv.",
        hint: "Send the file's text as csv.")
    }
    let source = wanted.batch.printable + ".csv"
    return await runner.workGivingMore { console in
      let workplace = try runner.workplace(matching, isRehearsal: true, console)
      let job = try job(wanted, in: workplace.registry, needsPassword: false)
      let review = try job.review(file, in: workplace)
      let rows: [(String, JSONValue)] = [
        (
          "rows",
          .array(try review.rows(atMost: Self.mostShownRows).map { JSONValue(result: $0) })
        ),
        ("rowCount", .integer(file.orders.count)), ("objections", .integer(review.objectionCount)),
      ]
      guard console.show(file.problems, review.objections, source: source) else { return rows }
      console.print(JSONValue(result: try job.rehearsal(of: review, in: workplace).result))
      return rows
    }
  }

  /// Begins a batch, or goes on with one that is on record.
  private func start(_ wanted: Order) async throws -> CommandAnswer {
    return await runner.work { console in
      // A refused batch is not put on record either.
      try await bench.checkIsFree(for: wanted.batch)
      let workplace = try await bench.workplace()
      var job = try job(wanted, in: workplace.registry)
      job.file = wanted.file
      do {
        try await job.begin(in: workplace) { event in
          if case .reviewed(let review) = event { console.warn(of: review) }
        }
      } catch let refused as RunBatch.Refused {
        return console.show(refused, source: wanted.batch.printable + ".csv")
      } catch is RunBatch.NotBegun {
        throw Failure(
          "not-found", .noInput, "No batch \(job.name.printable) is on record.",
          hint: "Begin it with its file.")
      }
      try await bench.start(job)
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
    let rows = try batch(name).rows(in: states ?? Set(BatchRow.State.allCases))
    var answer = CommandAnswer()
    answer.results = rows.dropFirst(offset).prefix(limit)
      .map { JSONValue(result: BatchRowResult($0)) }
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

  private func batch(_ name: String) throws -> TagBatch {
    let batch = RunBatch(name).batch(
      in: Workplace(registry: try runner.registryForReading(nil), engine: matching))
    guard try batch.exists() else { throw Failure.notFound("batch", name, see: "/api/batches") }
    return batch
  }
}
