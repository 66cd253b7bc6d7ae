import CliptagBasics
import Foundation
import Invocation
import Jobs
import Registry
import Synchronization

/// The answer of a command: its JSON objects, its exit status, and the files it made.
struct CommandAnswer: Sendable {
  var status = ExitStatus.done
  var results: [JSONValue] = []
  var notes: [String] = []
  /// Files that the client may fetch: their names and paths.
  var files: [(name: String, path: String)] = []
  /// A picture of the result.
  var preview: String?
  /// Further members of the answer.
  var more: [(String, JSONValue)] = []

  init() {}

  init(failure: Failure) {
    status = failure.status
    results = [JSONValue(result: failure.result)]
  }

  /// Creates the answer from the output of a run.
  init(_ content: ConsoleRecording.Content, _ status: ExitStatus) {
    self.status = status
    results = content.results
    notes = content.notes
  }

  /// The results of a type.
  func results(_ type: String) -> [JSONValue] { results.filter { $0["type"]?.text == type } }

  var json: JSONValue { JSONValue(result: self) }

  /// The answer, with the status of HTTP that fits the command's.
  var response: StationResponse { .json(json, status: status.httpStatus) }
}

extension CommandAnswer: Encodable {
  private struct File: Encodable {
    let name: String
    let url: String
  }

  func encode(to encoder: any Encoder) throws {
    var values = encoder.container(keyedBy: NameKey.self)
    try values.encode(Int(status.rawValue), forKey: "status")
    try values.encode(results, forKey: "results")
    try values.encode(notes, forKey: "notes")
    try values.encode(files.map { File(name: $0.name, url: $0.path) }, forKey: "files")
    try values.encodeIfPresent(preview, forKey: "preview")
    for (name, value) in more { try values.encode(value, forKey: NameKey(stringValue: name)) }
  }
}

/// The progress of a job, for all clients.
private struct JobProgress: Encodable {
  let job: String
  let done: Int
  let total: Int
}

extension ExitStatus {
  /// The status of HTTP that says the same (RFC 9110, section 15).
  var httpStatus: Int {
    switch self {
    case .done, .notAccepted, .nothingFound, .interrupted: 200
    case .usage, .malformedInput: 400
    case .noInput: 404
    case .unavailable: 503
    case .exchangeFailed, .tagLocked: 409
    case .defect, .cannotCreate, .badSetting: 500
    }
  }
}

/// Runs the work of requests: on the threads of the client, with progress, and so that it can be
/// ended.
final class RequestRunner: Sendable {
  private let global: GlobalOptions
  private let person: Mutex<String?>
  private let jobs = Mutex<[String: Task<CommandAnswer, Never>]>([:])
  private let hub: EventHub
  /// The registry as it was opened for an operator.
  private let opened = Mutex<(person: String?, registry: any RegistryStore)?>(nil)

  init(_ options: GlobalOptions, telling hub: EventHub) {
    global = options
    person = Mutex(options.person)
    self.hub = hub
  }

  /// The name of the operator, if one was given.
  var who: String? {
    get { person.withLock { $0 } }
    set { person.withLock { $0 = newValue } }
  }

  /// The registry and its options, for the present operator.
  private var options: GlobalOptions {
    var options = global
    options.by = who
    return options
  }

  /// The registry for lookups, for the present operator: the one for changes, unless there is none
  /// or it cannot be changed.
  func registryForReading(_ console: Console?) throws(RegistryError) -> any RegistryStore {
    let options = options
    if let registry = kept(for: options.by) { return registry }
    // A lookup creates no registry.
    let registry = try options.registryForReading(console)
    return registry.schemaVersion > 0 ? (try? registryForWriting()) ?? registry : registry
  }

  /// The registry for changes, for the present operator.
  ///
  /// It is opened once, and again after a change of the operator or of what is at its location: a
  /// file that was replaced, moved away or upgraded, another database at the server's address.
  func registryForWriting() throws(RegistryError) -> any RegistryStore {
    let options = options
    if let registry = kept(for: options.by) { return registry }
    let registry = try options.registryForWriting()
    opened.withLock { $0 = (options.by, registry) }
    return registry
  }

  private func kept(for person: String?) -> (any RegistryStore)? {
    guard let (known, registry) = opened.withLock(\.self), known == person, registry.isCurrent
    else { return nil }
    return registry
  }

  /// Leaves the registry if it is no longer the one at its location, so that its log is not applied
  /// to another file.
  func leaveReplacedRegistry() {
    let kept = opened.withLock(\.self)?.registry
    if kept?.isCurrent == false { opened.withLock { $0 = nil } }
  }

  /// The workplace of a job that a request asks for.
  func workplace(
    _ matching: PrefixEngine, isRehearsal: Bool, _ console: Console
  ) throws -> Workplace {
    Workplace(
      registry: isRehearsal ? try registryForReading(console) : try registryForWriting(),
      engine: matching, creationTime: SourceDate.seconds)
  }

  /// Does work that says its words to a console, as a command does.
  func work(
    job: String? = nil, _ body: @escaping @Sendable (Console) async throws -> Void
  ) async -> CommandAnswer {
    await workGivingMore(job) { console in
      try await body(console)
      return []
    }
  }

  /// Does work that only reads the registry.
  func look(
    _ body: @escaping @Sendable (any RegistryStore, Console) async throws -> Void
  ) async -> CommandAnswer {
    await work { [self] console in
      try await body(try registryForReading(console), console)
    }
  }

  /// The same for work whose answer has further members.
  func workGivingMore(
    _ job: String? = nil,
    _ body: @escaping @Sendable (Console) async throws -> [(String, JSONValue)]
  ) async -> CommandAnswer {
    let recording = recording(job)
    let console = Console(recordedBy: recording)
    return await perform(job) {
      var status = ExitStatus.done
      var more: [(String, JSONValue)] = []
      do {
        more = try await body(console)
        status = console.exitStatus
      } catch is CancellationError {
        status = .interrupted
      } catch {
        console.report(Failure(describing: error))
        status = console.exitStatus
      }
      var answer = CommandAnswer(recording.content, Task.isCancelled ? .interrupted : status)
      answer.more = more
      return answer
    }
  }

  private func recording(_ job: String?) -> ConsoleRecording {
    guard let job else { return ConsoleRecording() }
    return ConsoleRecording { [hub] done, total in
      hub.tell("progress", JobProgress(job: job, done: done, total: total))
    }
  }

  /// Runs work on the threads of the client, and keeps it by its name.
  private func perform(
    _ job: String?, _ body: @escaping @Sendable () async -> CommandAnswer
  ) async -> CommandAnswer {
    let task = Task(executorPreference: WorkExecutor.current) {
      await InputNames.$areOptions.withValue(false) { await body() }
    }
    if let job { jobs.withLock { $0[job] = task } }
    defer { if let job { jobs.withLock { $0[job] = nil } } }
    return await withTaskCancellationHandler {
      await task.value
    } onCancel: {
      task.cancel()
    }
  }

  /// Ends a run, if it is still under way.
  func cancel(_ job: String) { jobs.withLock { $0[job] }?.cancel() }
}

extension JSONValue {
  /// A member of an object.
  subscript(name: String) -> JSONValue? {
    guard case .object(let members) = self else { return nil }
    return members.first { $0.0 == name }?.1
  }

  /// A string's text.
  var text: String? {
    guard case .string(let text) = self else { return nil }
    return text
  }

  /// The object with further members.
  func with(_ members: [(String, JSONValue)]) -> JSONValue {
    guard case .object(let own) = self else { return self }
    return .object(own + members)
  }

  /// The value as people read it in a table.
  var words: String {
    switch self {
    case .null: ""
    case .bool(let value): value ? "✓" : ""
    case .string(let text): text
    case .object: self["name"]?.text ?? self["message"]?.text ?? self["title"]?.text ?? ""
    case .array(let values): values.map(\.words).joined(separator: ", ")
    case .integer, .number, .exact: line
    }
  }
}
