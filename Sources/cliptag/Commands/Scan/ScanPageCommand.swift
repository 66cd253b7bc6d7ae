import ArgumentParser
import CodeScanning
import Pictures
import Verifying

/// `cliptag scan-page`: what `scan --isolate` runs for each page. Not for people.
struct ScanPageCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "scan-page", abstract: "Read one page and print what is on it.",
    shouldDisplay: false)

  /// How many bytes a mebibyte has.
  static let mebibyte = 1 << 20

  @Option(name: .long, help: "The page, from 1.")
  var page: Int

  @Option(name: .long, help: "What to call the file in messages.")
  var name: String

  @Option(name: .long, help: "The most memory of renderers, in mebibytes.")
  var memoryLimit = PictureLimits.standard.rendererMemory / mebibyte

  @OptionGroup var scanning: ScannerOptions

  @Argument(help: "The picture or document.")
  var path: String

  func run() async throws {
    let limits = PictureLimits(rendererMemory: memoryLimit * Self.mebibyte)
    let report = await PageReport(
      readingPage: page, ofFile: path, named: name, loader: PictureLoader(limits: limits),
      scanner: scanning.scanner)
    Console(json: true, quiet: true, verbose: false, color: .never).write(try report.line())
  }
}

/// How codes are looked for in pictures.
struct ScannerOptions: ParsableArguments {
  @Flag(name: .long, help: "Stop at the first code of a picture.")
  var first = false

  @Option(
    name: .long,
    help: ArgumentHelp(
      """
      The work that one picture or page may cost after it was loaded, counted in milliseconds of a \
      server core, so that the same picture gives the same answer on every machine; each code that \
      is read allows 3 more, and 0 sets no limit.
      """, valueName: "milliseconds"))
  var budget = 400

  @Option(
    name: .long,
    help: ArgumentHelp(
      "What to look for, separated by commas: \(names).", valueName: "list"))
  var symbologies: SymbologyList = SymbologyList(symbologies: [.qr])

  fileprivate static let names = DecodedCode.Symbology.all.map(\.rawValue).joined(separator: ", ")

  func validate() throws {
    guard (0...3_600_000).contains(budget) else {
      throw ValidationError(
        "--budget takes milliseconds from 0 (no limit) to 3600000; got \(budget).")
    }
  }

  var scanner: CodeScanner {
    CodeScanner(
      effort: first ? .firstCode : .everyCode,
      budget: budget == 0 ? nil : .milliseconds(budget), symbologies: symbologies.symbologies)
  }

  /// The same as arguments, for a process that scans in our stead.
  var arguments: [String] {
    (first ? ["--first"] : []) + ["--budget", "\(budget)"]
      + ["--symbologies", symbologies.defaultValueDescription]
  }
}

/// Symbologies by their names.
struct SymbologyList: ExpressibleByArgument {
  let symbologies: Set<DecodedCode.Symbology>

  init(symbologies: Set<DecodedCode.Symbology>) { self.symbologies = symbologies }

  init?(argument: String) {
    let names = argument.split(separator: ",", omittingEmptySubsequences: false).map(String.init)
    let known = names.map { name in DecodedCode.Symbology.all.first { $0.rawValue == name } }
    let found = known.compactMap { $0 }
    guard found.count == names.count else { return nil }
    symbologies = Set(found)
  }

  var defaultValueDescription: String {
    DecodedCode.Symbology.all.filter(symbologies.contains).map(\.rawValue).joined(separator: ",")
  }
}

extension Console {
  /// Says that a picture may show more codes than were read.
  func sayCutShort(_ seen: Observation) {
    let codes = seen.codes.count
    say(
      "note: \(seen.source.onPage(seen.page)): the search ended at its budget after \(codes) "
        + "code\(codes == 1 ? "" : "s"); --budget 0 looks on for more.")
  }
}
