import ArgumentParser
import Basics
import Dispatch
import Foundation
import Invocation
import Jobs
import Registry
import Synchronization

/// What a command answered: its JSON objects, its exit status, and what was made.
struct CommandAnswer: Sendable {
  var status = ExitStatus.done
  var results: [JSONValue] = []
  var notes: [String] = []
  /// Files that whoever asked may fetch: their names, and where.
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

  /// What a run said.
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

/// The words of a command, made of what a request says. A value stands behind its option's `=`, and
/// operands behind `--`, so that nobody's text is taken for an option.
struct CommandLineWords {
  private var words: [String]
  private var operands: [String] = []

  init(_ command: String...) { words = command }

  /// Gives an option, where there is a value.
  mutating func set(_ option: String, _ value: String?) {
    if let value { words.append("\(option)=\(value)") }
  }

  /// Gives an option, where a form has something in it: what is left empty is not said to be empty.
  mutating func set(_ option: String, filled value: String?) {
    if let value, !value.isEmpty { set(option, value) }
  }

  /// Gives a number, where there is one.
  mutating func set(_ option: String, _ value: Double?) { set(option, value.map { "\($0)" }) }

  /// Gives a flag, where it is wanted.
  mutating func set(_ flag: String, if isWanted: Bool?) {
    if isWanted == true { words.append(flag) }
  }

  mutating func add(_ operand: String) { operands.append(operand) }

  fileprivate func all(with global: [String]) -> [String] {
    words + global + (operands.isEmpty ? [] : ["--"] + operands)
  }
}

/// Runs commands for the station: the same commands, of which a program takes the words.
final class CommandRunner: Sendable {
  private let global: [String]
  private let person: Mutex<String?>
  private let jobs = Mutex<[String: Task<CommandAnswer, Never>]>([:])
  private let hub: EventHub

  init(_ options: GlobalOptions, telling hub: EventHub) {
    global = [
      "--registry=\(options.registryPath)", "--registry-wait=\(options.registryWait)", "--json",
    ]
    person = Mutex(options.person)
    self.hub = hub
  }

  /// Who works, when somebody said so.
  var who: String? {
    get { person.withLock { $0 } }
    set { person.withLock { $0 = newValue } }
  }

  /// The options that every command of the station gets.
  func options() throws -> GlobalOptions {
    try GlobalOptions.parse(all)
  }

  /// The workplace of a job that a request asks for.
  func workplace(
    _ matching: PrefixEngine, isRehearsal: Bool, _ console: Console
  ) throws -> Workplace {
    let options = try options()
    return Workplace(
      registry: isRehearsal
        ? try options.registryForReading(console) : try options.registryForWriting(),
      engine: matching, creationTime: SourceDate.seconds)
  }

  private var all: [String] { global + (who.map { ["--by=\($0)"] } ?? []) }

  /// Runs a command to its end.
  ///
  /// - Parameters:
  ///   - job: What whoever asked calls this run, to hear of its progress and to end it.
  ///   - sent: A file that it reads, which goes by its own name.
  func run(_ words: CommandLineWords, job: String? = nil, reading sent: SentFile? = nil) async
    -> CommandAnswer
  {
    let recording = recording(job)
    let names = sent.map { [$0.path: $0.name] } ?? [:]
    let answer = await SentFile.$names.withValue(names) {
      await perform(job) { [all] in
        do {
          guard let command = try Cliptag.parseAsRoot(words.all(with: all)) as? any ConsoleCommand
          else { return CommandAnswer() }
          let status = try await command.perform(Console(recordedBy: recording))
          return CommandAnswer(recording.content, status)
        } catch {
          let said = CommandAnswer(
            failure: Failure(
              "usage", .usage, Cliptag.message(for: error), hint: "Correct what was asked for."))
          var answer = CommandAnswer(recording.content, .usage)
          answer.results += said.results
          return answer
        }
      }
    }
    withExtendedLifetime(sent) {}
    return answer
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
      try await body(try options().registryForReading(console), console)
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
      } catch let error as ValidationError {
        console.report(
          Failure("usage", .usage, error.message, hint: "Correct what was asked for."))
        status = .usage
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

  /// Runs work on the threads of whoever asked, and keeps it by its name.
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
