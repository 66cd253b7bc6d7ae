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
    results = [failure.json]
  }

  /// Creates the answer from the output of a run.
  init(_ content: ConsoleRecording.Content, _ status: ExitStatus) {
    self.status = status
    results = content.results
    notes = content.notes
  }

  /// The results of a type.
  func results(_ type: String) -> [JSONValue] { results.filter { $0["type"]?.text == type } }

  var json: JSONValue {
    .object(
      [
        ("status", .integer(Int(status.rawValue))), ("results", .array(results)),
        ("notes", .array(notes.map { .string($0) })),
        (
          "files",
          .array(
            files.map { file in
              .object([("name", .string(file.name)), ("url", .string(file.path))])
            })
        ),
        ("preview", JSONValue(preview)),
      ] + more)
  }

  /// The answer, with the status of HTTP that fits the command's.
  var response: StationResponse { .json(json, status: status.httpStatus) }
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
  private let servers = Mutex<[ServerUse: any RegistryStore]>([:])

  /// A use of a registry on a server, whose connections are kept.
  private struct ServerUse: Hashable {
    let changes: Bool
    let person: String?
  }

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

  /// The registry for lookups, for the present operator.
  func registryForReading(_ console: Console?) throws(RegistryError) -> any RegistryStore {
    let options = options
    return try kept(ServerUse(changes: false, person: options.by)) { () throws(RegistryError) in
      try options.registryForReading(console)
    }
  }

  /// The registry for changes, for the present operator.
  func registryForWriting() throws(RegistryError) -> any RegistryStore {
    let options = options
    return try kept(ServerUse(changes: true, person: options.by)) { () throws(RegistryError) in
      try options.registryForWriting()
    }
  }

  /// Opens a registry, or returns the one that was opened for this use.
  ///
  /// Only connections to a server are kept, each of which takes several round trips to make. A file
  /// is opened for each request: another one may have taken its place.
  private func kept(
    _ use: ServerUse, _ open: () throws(RegistryError) -> any RegistryStore
  ) throws(RegistryError) -> any RegistryStore {
    guard global.registryLocation.isOnServer else { return try open() }
    if let opened = servers.withLock({ $0[use] }) { return opened }
    let opened = try open()
    return servers.withLock { servers in
      // The connections of an operator who left are closed.
      servers = servers.filter { $0.key.person == use.person }
      if let first = servers[use] { return first }
      servers[use] = opened
      return opened
    }
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
      hub.tell(
        "progress",
        .object([("job", .string(job)), ("done", .integer(done)), ("total", .integer(total))]))
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
