import CliptagBasics
import Invocation
import Issuing
import Jobs
import Pictures
import Registry
import TagTypes
import Verifying
import WebFetching

/// A failure in the words of the command: what was wrong, where, and what to do next.
struct Failure: Error, Sendable {
  /// The stable name printed in JSON, for example `tag-lost`.
  let code: String
  /// The problem and its place, in one line.
  let message: String
  /// The next step, in one line.
  let hint: String
  /// The input it is about: a file, a connection string, a URL.
  let source: String?
  /// The mistake in the inputs of a job, where that is what failed.
  private(set) var mistake: InputError?
  /// The place of the failure in its input.
  let place: FailureResult.Place
  /// The exit status it leads to.
  let status: ExitStatus

  init(
    _ code: String, _ status: ExitStatus, _ message: String, hint: String, source: String? = nil,
    at place: FailureResult.Place = .init()
  ) {
    self.code = code
    self.status = status
    self.message = message
    self.hint = hint
    self.source = source
    self.place = place
  }

  /// A failure of a kind that has its exit status.
  init(
    _ code: some ErrorCode, _ message: String, hint: String, source: String? = nil,
    at place: FailureResult.Place = .init()
  ) {
    self.init(code.rawValue, code.status, message, hint: hint, source: source, at: place)
  }

  /// The line printed on standard output with `--json`. A page translates the mistake, and leads to
  /// the field.
  var result: FailureResult {
    FailureResult(
      code: code, message: message, hint: hint, source: source, place: place,
      mistake: InputNames.areOptions ? nil : mistake)
  }

  /// The same as a value.
  var json: JSONValue { JSONValue(result: result) }
}

extension Failure {
  /// Creates the failure that an error of any layer means to the user.
  init(describing error: any Error, source: String? = nil) {
    switch error {
    case let failure as Failure: self = failure
    case let error as RegistryError: self = Self.all(of: error, source: source)[0]
    case let error as any CodedError: self.init(error, source: source)
    case let refusal as LockRefusal:
      self.init(
        "lock-refused", .notAccepted,
        "The tag was not locked: it contains "
          + (refusal.code.verification.payload.isEmpty
            ? "no URL" : refusal.code.verification.payload.printable)
          + ", which is not accepted.",
        hint: "Check it with tag read, or add --unregistered to lock it regardless.",
        source: source)
    case let error as TagReader.Failed:
      // An error of the tag is an error on this reader.
      self.init(describing: error.underlying, source: error.reader)
    case let error as InputError: self.init(error, source: source)
    case let error as AnnotationPlace.Problem: self.init(error)
    case let error as NotOnRecord:
      let list =
        switch error.kind {
        case .code: "cliptag code list --all"
        case .clip: "cliptag clip list"
        case .experience: "cliptag experience list"
        case .place: "cliptag place list"
        case .walk: "cliptag audit list"
        case .finding: "cliptag audit findings --state all"
        }
      self = .notFound(error.kind.rawValue, error.name, similar: error.similar, see: list)
    case is MakeReport.NoWalk:
      self.init(
        "no-walk", .nothingFound, "The registry has no walk to report.",
        hint: "Begin one with cliptag audit FILE… for pictures, or --tags for tags.", source: source
      )
    case let error as PackParcel.NothingToPack:
      self.init(
        "nothing-to-pack", .nothingFound,
        "No code of \(error.place.name) (\(error.place.id)) was issued.",
        hint: "Make posters, labels or tags for it first; see cliptag code list.",
        source: error.place.id)
    case let error as NoteCode.OtherTag:
      self.init(
        "uid-differs", .usage,
        "The code \(error.code) is on the tag \(error.recorded), not on \(error.given).",
        hint: "Give the code of this tag; find it with code list --uid \(error.given).",
        source: source)
    case let error as WalkPictures.Ended:
      let failure = Failure(describing: error.underlying, source: error.source)
      self.init(
        failure.code, failure.status,
        "\(error.source) could not be stored in the walk: \(failure.message)",
        hint: failure.hint + " Then run it again: stored readings are skipped.",
        source: error.source)
    case let error as PlainFile.Trouble: self = .unreadable(error.path, error.number)
    case is CancellationError:
      self.init(
        "cancelled", .interrupted, "Stopped.", hint: "Run the command again to continue.",
        source: source)
    default:
      self.init(
        "internal", .defect, "\(error)",
        hint: "This is a defect of cliptag; please report it with the command you ran.",
        source: source)
    }
  }

  /// A mistake in the inputs of a job, named as the face that runs it names them.
  private init(_ error: InputError, source: String?) {
    let sentence = error.sentence(naming: InputNames.own)
    if case .noColumn(_, _, let columns, let file) = error {
      self.init(
        "unknown-column", .usage, sentence,
        hint: "It has \(columns.map(\.printable).joined(separator: ", ")).", source: file)
    } else {
      self.init(
        "usage", .usage, sentence,
        hint: InputNames.areOptions
          ? "See --help after the command." : "Correct the request.", source: source)
    }
    mistake = error
  }

  /// An error of a library, with what the command adds.
  init(_ error: some CodedError, source given: String?) {
    var (status, message, source) = (error.code.status, error.message, error.subject ?? given)
    var place = FailureResult.Place()
    switch error {
    case let error as IssuingError where error.code == .notRecorded:
      // The reason that the registry did not take the record determines the status.
      status = error.underlying.map { Failure(describing: $0).status } ?? .badSetting
    case let error as PictureError where error.source == PictureLoader.standardInputName:
      // Results and failures call standard input what the command line calls it.
      source = "-"
    case let error as SiteAssociationFileError:
      guard let position = error.position else { break }
      // With the place in the file that was to be kept.
      status = .malformedInput
      message = "\(given ?? "-"):\(position.line):\(position.column): \(message)"
      place = .init(line: position.line, column: position.column)
    case let error as TagError:
      place = .init(page: error.page, offset: error.offset, uid: error.uid?.hexadecimal)
    case let error as WebFetchError: source = given ?? error.url
    default: break
    }
    self.init(
      error.code.rawValue, status, message, hint: error.advice.own, source: source, at: place)
  }

  /// Every problem of a registry error: a document's mistakes one by one, else the error itself.
  static func all(of error: RegistryError, source: String?) -> [Failure] {
    guard !error.problems.isEmpty else { return [Failure(error, source: source)] }
    return error.problems.map { problem in
      Failure(
        error.code,
        "\(source ?? error.path ?? "-"):\(problem.line):\(problem.column): \(problem.advice.own)",
        hint: error.advice.own, source: source,
        at: .init(line: problem.line, column: problem.column))
    }
  }
}
