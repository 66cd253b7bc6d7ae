import Jobs
import AppClipCodeFiles
import AppClipCodes
import ArgumentParser
import CliptagBasics
import Foundation
import Invocation
import Issuing
import Registry
import Verifying

/// `cliptag clipcode …`
struct ClipCodeCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "clipcode",
    abstract: "Import and list App Clip Codes from Apple's tools.",
    subcommands: [Import.self, List.self, Show.self, Export.self])

  /// `cliptag clipcode import FILE…`
  struct Import: ConsoleCommand {
    static let configuration = CommandConfiguration(
      commandName: "import",
      abstract: "Import App Clip Codes into the record.",
      discussion: """
        Reads SVG files, folders, and the ZIP file of App Store Connect with its mapping, up to \
        10,000 codes at once. Each file is compared with the format of Apple's tools, its URL is checked \
        like that of any code, and all of them are compared with each other, with those on record and \
        with the mapping. If one is refused, none is imported, unless --skip-refused is given.

        App Clip Codes come from App Store Connect or Apple's generator only, and must not be \
        altered: cliptag does not generate them.

        Examples:
          cliptag clipcode import Samples/fruta/app-clip-codes
          cliptag clipcode import codes.zip
          cliptag clipcode import table-7.svg --map mapping.csv
        """)
    @Argument(
      help: ArgumentHelp("SVG files, folders and ZIP files.", valueName: "file"),
      completion: .file(extensions: ["svg", "zip"]))
    var files: [String]
    @Option(
      help: ArgumentHelp(
        "The CSV file of files and URLs (default: that in the folder or ZIP file).",
        valueName: "csv"),
      completion: .file(extensions: ["csv"]))
    var map: String?
    @Flag(help: "Import the others if some are refused.")
    var skipRefused = false
    @Flag(help: "Accept colours outside Apple's templates, from Apple's generator.")
    var ownColours = false
    @Flag(help: "Accept a glyph that the other codes of its kind do not have.")
    var otherBadges = false
    @OptionGroup var approvals: ApprovalOptions
    @Flag(name: [.long, .customShort("n")], help: "Only show the planned import.")
    var dryRun = false
    @OptionGroup var matching: MatchingOptions
    @OptionGroup var global: GlobalOptions

    func execute(_ console: Console) async throws {
      let registry =
        dryRun ? try global.registryForReading(console) : try global.registryForWriting()
      let issuer = Issuer(
        registry: registry, who: registry.who, engine: matching.matching, isRehearsal: dryRun)
      try await console.showingRefusal(of: map ?? files.joined(separator: ", ")) {
        let mapping = try map.map {
          AppClipCodeMapping(
            try InputFile.bytes(of: $0, limit: AppClipCodeCollection.mostMappingBytes), path: $0)
        }
        var options = AppClipCodeImport.Options()
        options.reading.allowsOwnColours = ownColours
        options.allowsOtherBadges = otherBadges
        options.unregistered = approvals.unregistered
        options.refusingWarnings = approvals.strict
        let found = try issuer.examine(
          AppClipCodeCollection(files), mapping: mapping, options: options)
        if let note = found.note { console.show(note) }
        for refusal in found.refusals { console.show(refusal) }
        guard found.refusals.isEmpty || skipRefused else {
          let count = found.refusals.count
          console.say(
            "Nothing was imported: \(count) of \(count + found.candidates.count) refused. Correct"
              + " that, or add --skip-refused.")
          return
        }
        let taken = try await issuer.take(found.candidates)
        for code in taken {
          console.result(
            of: TakenAppClipCodeResult(code, isRehearsal: dryRun),
            text: code.text(dryRun, console.output))
        }
        console.say(Self.summary(taken, found.refusals.count, dryRun: dryRun))
      }
    }

    private static func summary(
      _ taken: [TakenAppClipCode], _ refused: Int, dryRun: Bool
    ) -> String {
      func count(_ outcome: CodeLedger.Taken) -> Int { taken.count { $0.outcome == outcome } }
      var parts = [dryRun ? "would import \(taken.count)" : "imported \(count(.new))"]
      if count(.known) > 0 { parts.append("\(count(.known)) known before") }
      if count(.changed) > 0 { parts.append("\(count(.changed)) known before in other colours") }
      if refused > 0 { parts.append("\(refused) refused") }
      return parts.joined(separator: ", ") + "."
    }
  }

  /// `cliptag clipcode list`
  struct List: ConsoleCommand {
    static let configuration = CommandConfiguration(
      commandName: "list",
      abstract: "List the App Clip Codes on record, oldest first.",
      discussion: """
        Examples:
          cliptag clipcode list
          cliptag clipcode list --place cupertino
        """)
    @Option(help: "Only codes of this place, by its id.", completion: .places)
    var place: String?
    @Option(help: "Only the code with exactly this URL.")
    var url: String?
    @Flag(help: "Retired codes too.")
    var all = false
    @OptionGroup var global: GlobalOptions

    func execute(_ console: Console) async throws {
      let codes = try global.registryForReading(console).codes(
        CodeFilter(
          status: all ? nil : .issued, carrier: .appClipCode, placeID: place, payload: url))
      for code in codes {
        console.result(of: IssuedAppClipCodeResult(code), text: code.appClipCodeText)
      }
      if codes.isEmpty {
        console.say("No App Clip Codes. Import some: cliptag clipcode import FILE")
      }
    }
  }

  /// `cliptag clipcode show CODE…`
  struct Show: ConsoleCommand {
    static let configuration = CommandConfiguration(
      commandName: "show",
      abstract: "Show App Clip Codes on record or in files.",
      discussion: """
        The URL of a file is its text. Whether its arcs carry that text cannot be known without Apple's \
        tables; --json has the arcs as 128 characters (gaps, thirds) for programs that can.

        Examples:
          cliptag clipcode show c-01HF8Z3V9Q4T6W2X8Y0B1C3D5F
          cliptag clipcode show table-7.svg
        """)
    @Argument(help: ArgumentHelp("Names of codes, or SVG files.", valueName: "code"))
    var codes: [String]
    @OptionGroup var global: GlobalOptions

    func execute(_ console: Console) async throws {
      let registry = try global.registryForReading(console)
      for text in codes {
        console.attempt(text) {
          if case .code(let name) = AppClipCodeChoice(text) {
            guard let code = try registry.code(called: name), code.carrier == .appClipCode else {
              throw Failure.notFound("App Clip Code", text, see: "cliptag clipcode list --all")
            }
            let history = try registry.history(of: code.id)
            let bits = "  bits      \(code.appClipCode?.pattern.description ?? "")"
            console.result(
              of: IssuedAppClipCodeResult(code),
              text: ([code.appClipCodeText, bits] + history.map { "  \($0.text)" }).asLines)
          } else {
            let bytes = try InputFile.bytes(of: text, limit: AppClipCode.mostBytes)
            let code = try AppClipCode(
              svg: bytes, options: AppClipCode.Options(allowsOwnColours: true))
            console.result(
              of: AppClipCodeFileResult(code, source: text), text: code.text(source: text))
          }
        }
      }
    }
  }

  /// `cliptag clipcode export -o FILE`
  struct Export: ConsoleCommand {
    static let configuration = CommandConfiguration(
      commandName: "export",
      abstract: "Write the mapping of files to URLs.",
      discussion: """
        A CSV file with the columns of Apple's mapping (SVG File Name, URL, Background Color, \
        Foreground Color, Type, Logo), followed by the names of codes and places.

        Example:
          cliptag clipcode export -o mapping.csv
        """)
    @Option(
      name: .shortAndLong, help: "The file to write; - for standard output.",
      completion: .file(extensions: ["csv"]))
    var output: String
    @Flag(help: "Retired codes too.")
    var all = false
    @Flag(name: [.long, .customShort("n")], help: "Only show the planned output.")
    var dryRun = false
    @OptionGroup var global: GlobalOptions

    func validate() throws {
      guard !global.json || output != "-" else {
        throw ValidationError("--json and -o - both use standard output: give a file.")
      }
      guard ["", "csv", "txt"].contains((output as NSString).pathExtension.lowercased()) else {
        throw ValidationError(
          "The mapping is a CSV file: give \(output.withEnding("csv").printable), not "
            + "\(output.printable).")
      }
    }

    func execute(_ console: Console) async throws {
      let registry = try global.registryForReading(console)
      let codes = try registry.codes(
        CodeFilter(status: all ? nil : .issued, carrier: .appClipCode))
      var lines = [
        [
          "SVG File Name", "URL", "Background Color", "Foreground Color", "Type", "Logo", "Code",
          "Place",
        ].csvLine
      ]
      // Few badges serve all codes, and a server is asked for each once.
      var logos: [String?: String] = [:]
      for code in codes {
        guard let facts = code.appClipCode else { continue }
        let logo = try logos[facts.badgeDigest] ?? registry.appClipCode(of: code)?.logo ?? ""
        logos[facts.badgeDigest] = logo
        lines.append(
          [
            code.output ?? "", code.payload,
            String(facts.colours.background.hexadecimal.uppercased().dropFirst()),
            String(facts.colours.foreground.hexadecimal.uppercased().dropFirst()),
            facts.kind?.rawValue ?? "",
            logo, code.id.description, code.placeID ?? "",
          ].csvLine)
      }
      let bytes = Array(lines.joined().utf8)
      if output == "-" {
        if !dryRun { console.write(bytes) }
        return
      }
      if !dryRun { try AtomicFile(path: output, bytes: bytes).commit() }
      console.result(
        of: AppClipCodeMappingResult(
          output: output, codes: lines.count - 1, isRehearsal: dryRun),
        text:
          "\(dryRun ? "would write" : "wrote") \(output): \(lines.count - 1) App Clip Codes")
    }
  }
}

extension Console {
  /// Prints the reason that a file is not taken in.
  fileprivate func show(_ refusal: AppClipCodeImport.Refusal) {
    if let objection = refusal.reason as? IssueRefusal {
      show(VerifiedCode(source: refusal.path, verification: objection.verification))
      note(.notAccepted)
    } else {
      report(Failure(describing: refusal.reason, source: refusal.path))
    }
  }
}

extension TakenAppClipCode {
  fileprivate func text(_ isDryRun: Bool, _ style: Style) -> ConsoleText {
    let words =
      switch outcome {
      case _ where isDryRun: "would import"
      case .new: "took in"
      case .known: "known"
      case .changed: "known, in other colours now"
      }
    var lines: [ConsoleText] = [
      "\(words) \(candidate.path.printable)  \(candidate.code.payload.printable)\(id.map { "  \($0)" } ?? "")"
    ]
    for finding in candidate.findings {
      let label = finding.severity.rawValue.padding(to: 8)
      lines.append(
        "  \(finding.severity.colored("\(label)", style))  \(finding.advice.own) [\(finding.code)]"
      )
    }
    return lines.joined(separator: "\n")
  }
}

extension AppClipCodeColours {
  /// In a few words.
  fileprivate var text: String {
    "\(foreground.hexadecimal) on \(background.hexadecimal)"
      + (template.map { " (template \($0))" } ?? "")
  }
}

extension IssuedCode {
  fileprivate var appClipCodeText: String {
    var parts = ["\(id)", payload.printable]
    if let placeID { parts.append("place \(placeID)") }
    if let appClipCode {
      if let kind = appClipCode.kind { parts.append(kind.rawValue) }
      parts.append(appClipCode.colours.text)
    }
    if let output { parts.append(output) }
    if !registered { parts.append("not registered") }
    if status == .retired { parts.append("RETIRED") }
    return parts.joined(separator: "  ")
  }
}

extension AppClipCode {
  fileprivate func text(source: String) -> ConsoleText {
    [
      "\(source.printable)  \(payload.printable)",
      "  kind      \(badge?.kind.rawValue ?? "no glyph"), \(hasLockup ? "with badge" : "the disc alone")",
      "  colours   \(colours.text)", "  arcs      \(pattern.arcs.count)",
      "  bits      \(pattern)",
      "  note      The URL is the text of the file. Whether the arcs carry it cannot be known without",
      "            Apple's tables: scan a print with a phone before you make many.",
    ].asLines
  }
}
