import CliptagBasics
import ArgumentParser
import Foundation

/// `cliptag manual`: writes the man pages and the list of codes. For `make`, not for people.
struct ManualCommand: ConsoleCommand {
  static let configuration = CommandConfiguration(
    commandName: "manual",
    abstract: "Write the man pages, the list of codes, or the reference of registry files.",
    shouldDisplay: false)

  @Option(
    name: .long,
    help: ArgumentHelp("The folder for man pages, in man1, man5 and man7.", valueName: "folder"))
  var output: String?

  @Option(name: .long, help: ArgumentHelp("The file for the list of codes.", valueName: "file"))
  var codes: String?

  @Option(
    name: .long, help: ArgumentHelp("The file for the keys of registry files.", valueName: "file"))
  var keys: String?

  @Option(
    name: .long,
    help: ArgumentHelp("The folder of the example files that pages name.", valueName: "folder"))
  var examples: String?

  @OptionGroup var global: GlobalOptions

  func validate() throws {
    guard output != nil || codes != nil || keys != nil else {
      throw ValidationError("Give --output, --codes or --keys.")
    }
  }

  func execute(_ console: Console) async throws {
    if let codes { try write(CodesArticle.text, to: codes) }
    if let keys { try write(KeysArticle.text, to: keys) }
    guard let output else { return }
    let tree = try CommandTree(dumpedHelp: Cliptag._dumpHelp())
    let date = ManualPage.date(SourceDate.seconds ?? Cliptag.released)
    for page in ManualPage.all(of: tree, date: date, version: Cliptag.version) {
      let text = examples.map { ExampleFiles.naming($0 + "/", in: page.text) } ?? page.text
      try write(text, to: output + "/" + page.path)
    }
  }

  private func write(_ text: String, to path: String) throws(Failure) {
    let file = URL(fileURLWithPath: path)
    do {
      try FileManager.default.createDirectory(
        at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
      try Data(text.utf8).write(to: file, options: .atomic)
    } catch {
      throw Failure(
        "cannot-create", .cannotCreate, "\(path) cannot be written.",
        hint: "Check the folder, its permissions and the free disk space.", source: path)
    }
  }
}

/// The man page that lists every exit status, failure and finding.
enum CodesPage {
  static let name = "cliptag-codes"

  /// The page without its head.
  static var text: String {
    var page = Mdoc()
    page.macro("Sh NAME")
    page.macro("Nm cliptag\\-codes")
    page.macro("Nd findings and failures of cliptag")
    page.macro("Sh DESCRIPTION")
    page.prose(
      "Each reason of a verdict and each failure has a code with a stable name and "
        + "meaning. Findings are shown with their code in brackets; with --json both have a member "
        + "code. The command cliptag explain shows the meaning of one.")
    page.macro("Sh EXIT STATUS")
    page.list(ExitStatus.allCases.map { ("\($0.rawValue)", $0.meaning) })
    page.macro("Pp")
    page.prose(ExitStatus.ofSeveral)
    page.macro("Sh FAILURES")
    page.prose(
      "The reasons that prevent a command's work, with the exit status. If a URL is required and "
        + "another text is given, the code is that of the finding, and the status is "
        + "\(ExitStatus.usage.rawValue).")
    page.list(
      CodeEntry.failures.map { ("Cm \(Mdoc.argument($0.code)) Pq \($0.statusText)", $0.meaning) })
    page.macro("Sh FINDINGS")
    page.prose(
      "The reasons of a verdict, and notes about a job. Each has a "
        + "severity: note, warning or error.")
    page.list(
      CodeEntry.findings.map { entry in
        let next = entry.advice.map { " \($0)" } ?? ""
        return ("Cm \(Mdoc.argument(entry.code))", entry.meaning + next)
      })
    page.macro("Sh SEE ALSO")
    page.macro("Xr cliptag 1 ,")
    page.macro("Xr cliptag-explain 1")
    return page.text
  }
}

/// The DocC article that lists every exit status, finding and failure.
enum CodesArticle {
  /// The article, exactly as in the sources.
  static var text: String {
    """
    # Findings and failures

    The meanings of exit statuses and of the codes of results.

    ## Overview

    Made from the sources by `make codes`; do not edit it. `cliptag explain CODE` shows the same, and
    `cliptag explain --json` all of it for programs. The names and meanings of codes are stable.

    ## Exit status

    | status | meaning |
    | --- | --- |
    \(Markdown.table(ExitStatus.allCases.map { ["\($0.rawValue)", $0.meaning] }))

    \(ExitStatus.ofSeveral)

    ## Failures

    The reasons that prevent a command's work. With `--json` a failure is an `error` line with the
    members `code`, `message` and `hint`. If a URL is required and another text is given, the code is
    that of the finding, and the status is \(ExitStatus.usage.rawValue).

    | code | status | meaning |
    | --- | --- | --- |
    \(Markdown.table(CodeEntry.failures.map { ["`\($0.code)`", $0.statusText, $0.meaning] }))

    ## Findings

    The reasons of a verdict, and notes about a job. Each has a severity:
    `note`, `warning` or `error`. The last ones are warnings about prints. The third column has the
    advice that is the same in every case.

    | code | meaning | advice |
    | --- | --- | --- |
    \(Markdown.table(CodeEntry.findings.map { ["`\($0.code)`", $0.meaning, $0.advice ?? ""] }))

    """
  }

}

/// Parts of articles.
enum Markdown {
  /// The rows of a table, without its head.
  static func table(_ rows: [[String]]) -> String {
    rows.map { "| " + $0.joined(separator: " | ") + " |" }.joined(separator: "\n")
  }
}

/// A variable of the environment or a file, for the man pages of the commands that use it.
struct ManualNote {
  /// The variable, or the path.
  let name: String
  let meaning: String
  /// The commands that use it, without `cliptag`, with all below them; `nil` for one that all use
  /// and only the page of `cliptag` itself describes.
  let commands: [String]?

  init(_ name: String, _ meaning: String, of commands: [String]? = nil) {
    self.name = name
    self.meaning = meaning
    self.commands = commands
  }

  /// Returns whether the page of a command describes it. The page of `cliptag` itself describes
  /// all.
  func belongs(to path: [String]) -> Bool {
    let command = path.dropFirst().joined(separator: " ")
    return path.count == 1
      || commands?.contains { command == $0 || command.hasPrefix($0 + " ") } == true
  }

  private static let registries = [
    "check", "qr", "poster", "sheet", "scan", "tag", "experience", "place", "registry", "code",
    "pack", "audit", "association", "banner",
  ]
  private static let readers = [
    "tag read", "tag write", "tag batch", "tag info", "tag lock", "tag password", "tag erase",
    "tag dump", "tag restore", "reader list", "reader doctor", "pack verify", "audit walk",
  ]
  private static let passwords = [
    "tag read", "tag write", "tag info", "tag lock", "tag password", "tag erase", "tag dump",
    "tag restore",
  ]
  private static let keys = ["check", "scan", "tag read", "audit walk"]
  private static let documents = [
    "qr", "poster", "sheet", "pack list", "audit report", "manual",
  ]
  private static let pictures = [
    "qr", "poster", "sheet", "scan", "grade", "pack verify", "audit walk", "audit report",
  ]
  private static let web = [
    "association", "banner", "registry pull", "registry push", "registry diff",
  ]

  /// Every variable that the sources read, and those that a library below is asked to.
  static let environment = [
    ManualNote("CLIPTAG_BY", "The person, unless --by is given.", of: registries),
    ManualNote(
      "CLIPTAG_KEYS", "The file with the keys of tags, unless --keys is given.", of: keys),
    ManualNote(
      "CLIPTAG_NEW_TAG_PASSWORD", "The new password of a tag, unless --new-password-file is given.",
      of: ["tag password change"]),
    ManualNote(
      "CLIPTAG_REGISTRY", "The registry, unless --registry is given.", of: registries),
    ManualNote(
      "CLIPTAG_STATION",
      "The name of this station in a registry on a server (default: the computer's name).",
      of: registries),
    ManualNote(
      "CLIPTAG_TAG_PASSWORD", "The password of a tag, unless --password-file is given.",
      of: passwords),
    ManualNote(
      "CLIPTAG_READER",
      "The reader, as a libnfc connection string or pcsc:NAME, unless --reader is given.",
      of: readers),
    ManualNote("HOME", "The parent folder of the registry and settings by default."),
    ManualNote(
      "HTTPS_PROXY, ALL_PROXY, NO_PROXY", "The proxy for requests, and the hosts without a proxy.",
      of: web),
    ManualNote(
      "LIBNFC_DEVICE", "The reader, as a libnfc connection string, unless --reader is given.",
      of: readers),
    ManualNote(
      "LIBNFC_LOG_LEVEL", "The amount of libnfc's messages on standard error, 0 (default) to 3.",
      of: readers),
    ManualNote("NO_COLOR", "If not empty, turns colours off by default."),
    ManualNote(
      "PATH", "The folders of the programs that render PDF and SVG and read other pictures.",
      of: pictures),
    ManualNote(
      "SOURCE_DATE_EPOCH",
      "The creation time of documents, in seconds since 1970; without it a "
        + "drawing has none.", of: documents),
    ManualNote("TERM", "If dumb, turns off colours and progress."),
    ManualNote("TMPDIR", "The folder of temporary files, instead of /tmp.", of: pictures),
    ManualNote("XDG_CONFIG_HOME", "The folder of settings, instead of ~/.config."),
    ManualNote(
      "XDG_DATA_DIRS", "Folders of the system with label templates, separated by colons.",
      of: ["sheet"]),
    ManualNote("XDG_DATA_HOME", "The folder of data, instead of ~/.local/share."),
    ManualNote(
      "XDG_STATE_HOME", "The folder of the station's sessions, instead of ~/.local/state.",
      of: ["station"]),
  ]

  /// The files at fixed places.
  static let files = [
    ManualNote(
      "~/.config/cliptag/keys.yaml",
      "The keys of tags that make Secure Unique NFC messages; it must be readable by its owner only.",
      of: keys),
    ManualNote(
      "~/.config/cliptag/printers.json", "The calibrations of printers for --printer.",
      of: ["sheet"]),
    ManualNote(
      "~/.config/cliptag/settings.yaml",
      "Values for options that are not given; cliptag config shows them."),
    ManualNote(
      "~/.config/libglabels/templates", "The user's label templates, in the format of glabels.",
      of: ["sheet"]),
    ManualNote(
      "~/.local/share/cliptag/registry.sqlite",
      "The registry: clips, experiences, places, issued codes and their history.", of: registries),
    ManualNote(
      "/etc/nfc/libnfc.conf", "The readers of this computer for libnfc.", of: readers),
    ManualNote(
      "/usr/share/libglabels-3.0/templates", "The label templates of the system.", of: ["sheet"]),
  ]
}
