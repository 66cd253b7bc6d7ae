import Basics
import Verifying
import AppStoreConnect
import CodeDrawing
import CodeScanning
import Invocation
import Issuing
import NFCReader
import Pictures
import PositionSources
import QRSymbol
import Registry
import SimulatedReader
import TagAuthenticity
import TagTypes
import WebFetching
import WebPages

/// A failure in the words of the command: what was wrong, where, and what to do next.
struct Failure: Error, Sendable {
  /// The stable name printed in JSON, for example `tag-lost`.
  let code: String
  /// What was wrong and where, in one line.
  let message: String
  /// What to do next, in one line.
  let hint: String
  /// The input it is about: a file, a connection string, a URL.
  let source: String?
  /// Further facts that scripts use: `page`, `offset`, `uid`, `line`,
  /// `column`.
  let facts: [(String, JSONValue)]
  /// The exit status it leads to.
  let status: ExitStatus

  init(
    _ code: String, _ status: ExitStatus, _ message: String, hint: String, source: String? = nil,
    facts: [(String, JSONValue)] = []
  ) {
    self.code = code
    self.status = status
    self.message = message
    self.hint = hint
    self.source = source
    self.facts = facts
  }

  /// A failure of a kind that has its exit status.
  init(
    _ code: some FailureCode, _ message: String, hint: String, source: String? = nil,
    facts: [(String, JSONValue)] = []
  ) {
    self.init(code.rawValue, code.status, message, hint: hint, source: source, facts: facts)
  }

  /// The line printed on standard output with `--json`; facts that are absent are `null`.
  var json: JSONValue {
    let given = Dictionary(facts) { first, _ in first }
    return .object(
      [
        ("type", "error"), ("code", .string(code)), ("message", .string(message)),
        ("hint", .string(hint)), ("source", JSONValue(source)),
      ] + ["page", "offset", "uid", "line", "column"].map { ($0, given[$0] ?? .null) })
  }
}

/// The one table from the libraries' errors to sentences and next steps; ``FailureCode`` has the
/// exit statuses.
extension Failure {
  /// What an error of any layer means to whoever runs the command.
  init(describing error: any Error, source: String? = nil) {
    switch error {
    case let failure as Failure: self = failure
    case let error as TagError: self.init(error, source: source)
    case let error as NFCReaderError: self.init(error)
    case let error as AppStoreConnectError: self.init(error, source: source)
    case let error as RegistryError: self = Self.all(of: error, source: source)[0]
    case let error as PictureError: self.init(error)
    case let error as LiveSourceError:
      self.init(error.code, error.message, hint: error.hint, source: error.source)
    case let error as PositionError:
      self.init(error.code, error.message, hint: error.hint, source: error.source)
    case let error as Type5ImageError:
      self.init(
        error.code, error.message.asSentence, hint: error.hint.asSentence, source: source)
    case let error as IssuingError: self.init(error, source: source)
    case let error as CodeDrawingError:
      self.init(error.code, error.message, hint: error.hint, source: source)
    case let error as TextError:
      self.init(error.code, error.message, hint: error.hint, source: source)
    case let error as QRSymbolError:
      self.init(error.code, error.message, hint: error.hint, source: source)
    case let error as InvocationURLError:
      self.init(
        error.code.rawValue, .usage, "\(error.problem) (at byte \(error.offset))".asSentence,
        hint: error.hint.asSentence, source: source)
    case let error as PathTemplateError:
      self.init(
        error.code, error.description.asSentence,
        hint: "Write it like /order/{place}/table/{table}.", source: source)
    case let error as SimulatedReaderError: self.init(error)
    case let error as WebFetchError: self.init(error, source: source)
    case let error as SiteAssociationFileError: self.init(error, source: source)
    case let error as WebPageError:
      self.init(error.code, error.message, hint: error.hint, source: source)
    case let error as EntitlementsFileError:
      self = Failure(
        "malformed-entitlements", .malformedInput, error.message, hint: error.hint,
        source: error.name)
    case let error as AuthenticityError:
      self.init(
        error.code, error.message,
        hint: "Check that OpenSSL's library (libssl3) is whole and of a current version.",
        source: source)
    case let refusal as LockRefusal:
      self.init(
        "lock-refused", .notAccepted,
        "The tag was not locked: it holds "
          + (refusal.code.verification.payload.isEmpty
            ? "no URL" : refusal.code.verification.payload.printable)
          + ", which is not accepted.",
        hint: "Look at it with tag read; add --unregistered to lock it in all the same.",
        source: source)
    case is CancellationError:
      self.init(
        "cancelled", .interrupted, "Stopped.", hint: "Run the command again to go on.",
        source: source)
    default:
      self.init(
        "internal", .defect, "\(error)",
        hint: "This is a defect of cliptag; please report it with the command you ran.",
        source: source)
    }
  }

  private init(_ error: TagError, source: String?) {
    self.init(
      error.code, error.message.asSentence, hint: error.hint.asSentence,
      source: source,
      facts: [
        ("page", JSONValue(error.page)), ("offset", JSONValue(error.offset)),
        ("uid", JSONValue(error.uid?.hexadecimal)),
      ])
  }

  private init(_ error: NFCReaderError) {
    let nextStep =
      error.code == .cancelled ? "Run the same command again." : "Run cliptag reader doctor."
    self.init(
      error.code, error.message.asSentence,
      hint: (error.hint ?? nextStep).asSentence, source: error.connectionString)
  }

  /// Every problem of a registry error: a document's mistakes one by one, else the error itself.
  static func all(of error: RegistryError, source: String?) -> [Failure] {
    guard !error.problems.isEmpty else {
      return [
        Failure(error.code, error.message, hint: error.hint, source: error.path ?? source)
      ]
    }
    return error.problems.map { problem in
      Failure(
        error.code,
        "\(source ?? error.path ?? "-"):\(problem.line):\(problem.column): \(problem.message)",
        hint: error.hint, source: source,
        facts: [("line", .integer(problem.line)), ("column", .integer(problem.column))])
    }
  }

  private init(_ error: PictureError) {
    self.init(
      error.code, error.message, hint: error.hint,
      // Results and failures call standard input what the command line calls it.
      source: error.source == PictureLoader.standardInputName ? "-" : error.source)
  }

  private init(_ error: IssuingError, source: String?) {
    // What kept the registry from taking the record says how this ends.
    let cause = error.code == .notRecorded ? error.underlying : nil
    self.init(
      error.code.rawValue, cause.map { Failure(describing: $0).status } ?? error.code.status,
      error.message, hint: error.hint, source: source)
  }

  private init(_ error: SimulatedReaderError) {
    self.init(error.code, error.message, hint: error.hint, source: error.path)
  }
}

extension String {
  /// A clause as a sentence: the tag and reader libraries say what is wrong as a clause, and people
  /// should not see the difference. A name or a path at the start keeps its case.
  fileprivate var asSentence: String {
    let firstWord = prefix { $0 != " " }
    var text = self
    if firstWord.allSatisfy({ $0.isLowercase || $0 == "," }), let first = text.first {
      text = first.uppercased() + text.dropFirst()
    }
    return text.last.map { ".!?:".contains($0) } ?? true ? text : text + "."
  }
}

extension Failure {
  /// What a failure of App Store Connect means to whoever runs the command.
  init(_ error: AppStoreConnectError, source: String?) {
    self.init(error.code, error.message, hint: error.hint, source: source)
  }
}

extension Failure {
  /// What a request that cannot be made or answered means to whoever runs the command.
  init(_ error: WebFetchError, source: String?) {
    self.init(
      error.code, error.message, hint: error.hint, source: source ?? error.url)
  }

  /// Why no association file could be made, with the place in the file that was to be kept.
  init(_ error: SiteAssociationFileError, source: String?) {
    let place = error.position.map { "\(source ?? "-"):\($0.line):\($0.column): " } ?? ""
    self.init(
      "association-not-made", error.position == nil ? .usage : .malformedInput,
      "\(place)\(error.message).",
      hint: error.hint.prefix(1).uppercased()
        + error.hint.dropFirst() + ".",
      source: source,
      facts: error.position.map {
        [("line", .integer($0.line)), ("column", .integer($0.column))]
      } ?? [])
  }
}
