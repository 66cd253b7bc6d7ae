import AppClipCodes
import CliptagBasics
import Publishing
import Auditing
import Verifying
import AppStoreConnect
import ArgumentParser
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

/// `cliptag explain`
struct ExplainCommand: ConsoleCommand {
  static let configuration = CommandConfiguration(
    commandName: "explain",
    abstract: "Explain the code of a finding or a failure.",
    discussion: """
      Codes are in brackets after findings, and in the member code of JSON. They do not \
      change their meaning. Without arguments, lists every code.

      Examples:
        cliptag explain bare-prefix
        cliptag explain torn-write tag-locked
        cliptag explain --json > codes.jsonl
      """)

  @Argument(help: ArgumentHelp("The codes.", valueName: "code"))
  var codes: [String] = []

  @OptionGroup var global: GlobalOptions

  func execute(_ console: Console) async throws {
    guard !codes.isEmpty else {
      for entry in CodeEntry.all { console.result(of: MeaningResult(entry), text: entry.text) }
      return
    }
    for code in codes {
      let entries = CodeEntry.all.filter { $0.code == code }
      if entries.isEmpty { console.report(Self.unknown(code)) }
      for entry in entries { console.result(of: MeaningResult(entry), text: entry.text) }
    }
  }

  private static func unknown(_ code: String) -> Failure {
    if let status = Int32(code).flatMap(ExitStatus.init(rawValue:)) {
      return Failure(
        "unknown-code", .usage, "\(code.printable) is an exit status, not a code.",
        hint: "It means: \(status.meaning)")
    }
    return Failure(
      "unknown-code", .usage, "The code “\(code.printable)” is unknown.",
      hint: [
        CodeEntry.all.map(\.code).question(about: code), "List all codes with cliptag explain.",
      ].sentences)
  }
}

/// A code that results and failures carry, with what it means.
struct CodeEntry: Hashable {
  /// The kinds of codes.
  enum Kind: String {
    /// A reason of a verdict, or a noteworthy fact about a job.
    case finding
    /// An error that keeps a command from its work.
    case failure
  }

  /// The stable name.
  let code: String
  let kind: Kind
  /// The severity of a finding, if its code alone determines it.
  let severity: Finding.Severity?
  /// The exit statuses of a failure, ascending; empty for a finding, whose verdict decides.
  let statuses: [ExitStatus]
  /// The meaning, in one sentence.
  let meaning: String
  /// The advice for a finding at the place where it is met; `nil` if its own sentence suffices.
  var advice: String?

  /// Every finding's code, in the order of the documentation.
  static let findings: [CodeEntry] = {
    let warnings =
      SizeWarning.codes + ContrastWarning.codes + InkWarning.codes + LogoWarning.codes
      + DesignProof.codes
    typealias Code = Finding.Code
    let lists = [
      Code.ofPayloads, Code.ofFetching, Code.ofTags, Code.ofAuthenticity, Code.ofSymbols,
      Code.ofPositions, Code.ofParcels, Code.ofWalks, Code.ofRegistries, Code.ofAssociations,
      Code.ofBanners, Code.ofRecords, Code.ofAppClipCodeFiles, Code.ofAppClipCodes,
    ]
    return lists.joined().map { code in
      CodeEntry(
        code: code.rawValue, kind: .finding, severity: nil, statuses: [], meaning: code.meaning,
        advice: code.advice)
    }
      + warnings.map { warning in
        CodeEntry(
          code: warning.code, kind: .finding, severity: .warning, statuses: [],
          meaning: warning.meaning)
      }
  }()

  /// The kinds of the libraries' failures.
  private static let kinds: [any FailureCode.Type] = [
    TagError.Code.self,
    Type5ImageError.Code.self,
    TagDumpError.Code.self,
    NFCReaderError.Code.self,
    AuthenticityError.Code.self,
    SimulatedReaderError.Code.self,
    QRSymbolError.Code.self,
    AppClipCodeError.Code.self,
    CodeDrawingError.Code.self,
    TextError.Code.self,
    PictureError.Code.self,
    LiveSourceError.Code.self,
    PositionError.Code.self,
    PathTemplateError.Code.self,
    EntitlementsFileError.Code.self,
    SiteAssociationFileError.Code.self,
    RegistryError.Code.self,
    WebFetchError.Code.self,
    WebPageError.Code.self,
    AppStoreConnectError.Code.self,
    IssuingError.Code.self,
  ]

  /// Every failure's code by exit status and name. A code that two libraries use in different
  /// ways is there twice.
  static let failures: [CodeEntry] = {
    var entries: [CodeEntry] = own
    for kind in kinds {
      for code in kind.all as [any FailureCode] {
        let entry = CodeEntry(
          code: code.rawValue, kind: .failure, severity: nil, statuses: code.definition.statuses,
          meaning: code.meaning)
        // What the command reports in place of a library is said once.
        let isThere = entries.contains { $0.code == entry.code && $0.meaning == entry.meaning }
        if !isThere { entries.append(entry) }
      }
    }
    return entries.enumerated().sorted { left, right in
      (left.element.statuses[0].rawValue, left.element.code, left.offset)
        < (right.element.statuses[0].rawValue, right.element.code, right.offset)
    }.map(\.element)
  }()

  /// Every code.
  static var all: [CodeEntry] { findings + failures }

  private static var own: [CodeEntry] {
    Failure.own.map {
      CodeEntry(
        code: $0.code, kind: .failure, severity: nil, statuses: $0.statuses, meaning: $0.meaning)
    }
  }
}

/// The `meaning` object of a code.
private struct MeaningResult: Encodable {
  /// The type of the object.
  let type = "meaning"
  /// The code of a finding or a failure.
  let code: String
  /// `finding` or `failure`.
  let kind: String
  /// `note`, `warning` or `error`; `nil` for a failure.
  let severity: String?
  /// The exit statuses of a failure.
  let exitStatuses: [Int]
  /// The meaning in a sentence.
  let meaning: String
  /// The next step.
  let hint: String?

  init(_ entry: CodeEntry) {
    (code, kind, severity) = (entry.code, entry.kind.rawValue, entry.severity?.rawValue)
    exitStatuses = entry.statuses.map { Int($0.rawValue) }
    (meaning, hint) = (entry.meaning, entry.advice)
  }
}

extension CodeEntry {
  /// The exit statuses as people read them: `74`, `65, 78`.
  var statusText: String {
    statuses.map { String($0.rawValue) }.joined(separator: ", ")
  }

  var text: ConsoleText {
    let what =
      switch kind {
      case .finding: severity?.rawValue ?? "finding"
      case .failure: "failure, exit status \(statusText)"
      }
    let next: ConsoleText = advice.map { "\n  What to do: \($0)" } ?? ""
    return "\(code)  (\(what))\n  \(meaning)\(next)"
  }
}
