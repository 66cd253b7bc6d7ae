import CliptagBasics
public import ArgumentParser
public import CodeScanning
import Foundation
import Pictures
import Verifying

/// `cliptag scan-page`: what `--isolate` runs for each page. Not for people.
struct ScanPageCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "scan-page", abstract: "Read one page and print its codes.",
    shouldDisplay: false)

  /// The number of bytes in a mebibyte.
  static let mebibyte = 1 << 20

  @Option(name: .long, help: "The page, from 1.")
  var page: Int

  @Option(name: .long, help: "The name of the file in messages.")
  var name: String

  @Option(name: .long, help: "The memory limit of renderers, in mebibytes.")
  var memoryLimit = PictureLimits.standard.rendererMemory / mebibyte

  @Option(name: .customLong("report"), help: "The request about the page.")
  var content = PageReport.Content.codes

  @OptionGroup var scanning: ScannerOptions
  @OptionGroup var capture: CaptureOptions

  @Argument(help: "The picture or document.")
  var path: String

  func run() async throws {
    let limits = PictureLimits(rendererMemory: memoryLimit * Self.mebibyte)
    let report = await PageReport(
      readingPage: page, ofFile: path, named: name, asking: content,
      loader: PictureLoader(limits: limits), grader: capture.grader(scanning.scanner))
    Console(json: true, quiet: true, verbose: false, color: .never).write(try report.bytes())
  }
}

extension PageReport.Content: ExpressibleByArgument {}

/// Options for reading pictures in this process, or each page in a separate one.
struct IsolationOptions: ParsableArguments {
  @Flag(
    inversion: .prefixedNo, exclusivity: .chooseLast,
    help: ArgumentHelp(
      """
      Read every page in a separate process, with limits on memory and time and without other \
      files, network or terminal, so that a hostile picture affects that process only (default: for \
      audit, grade and pack verify).
      """))
  var isolate: Bool?

  @Option(
    name: .long,
    help: ArgumentHelp(
      "The memory limit of such a process.", valueName: "mebibytes"))
  var memoryLimit = usualMemoryLimit

  private static let usualMemoryLimit =
    PictureLimits.standard.rendererMemory / ScanPageCommand.mebibyte

  func validate() throws {
    // With less, not even a small picture is read.
    guard (256...1 << 20).contains(memoryLimit) else {
      throw ValidationError(
        "--memory-limit must be 256 to \(1 << 20) mebibytes, not \(memoryLimit).")
    }
  }

  /// Returns this program as a process that reads one page and prints the result; `nil` if pages
  /// are read in this process.
  ///
  /// - Parameters:
  ///   - isUsual: Whether pages are read this way by default.
  ///   - arguments: The arguments for reading a page.
  func process(isUsual: Bool, _ arguments: [String]) -> PageProcess? {
    isolate ?? isUsual ? Self.process(memoryLimit: memoryLimit, arguments) : nil
  }

  /// The usual process: with the usual memory, and the default arguments.
  static var usual: PageProcess { process(memoryLimit: usualMemoryLimit, []) }

  private static func process(memoryLimit: Int, _ arguments: [String]) -> PageProcess {
    let itself =
      (try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe"))
      ?? CommandLine.arguments[0]
    return PageProcess(
      program: itself,
      arguments: [
        ScanPageCommand.configuration.commandName ?? "scan-page", "--memory-limit",
        "\(memoryLimit)",
      ] + arguments,
      limits: PictureLimits(rendererMemory: memoryLimit * ScanPageCommand.mebibyte))
  }
}

/// Options for how pictures whose prints are graded were taken.
struct CaptureOptions: ParsableArguments {
  @Option(
    name: .long,
    help: ArgumentHelp(
      "The resolution of flatbed scans.", valueName: "dots per inch"))
  var dpi: Double?

  @Option(
    name: .long,
    help: ArgumentHelp(
      "With --dpi: the paper's reflectance, 0 to 1; office paper has 0.80 to 0.85.",
      valueName: "reflectance"))
  var white: Double?

  func validate() throws {
    if let dpi, !(dpi >= 50 && dpi <= 20_000) {
      throw ValidationError("--dpi must be 50 to 20000 dots per inch, not \(dpi).")
    }
    if let white, !(white > 0 && white <= 1) {
      throw ValidationError("--white must be a reflectance above 0 and up to 1, not \(white).")
    }
    if white != nil, dpi == nil {
      throw ValidationError(
        "--white needs --dpi: a photograph does not measure reflectance.")
    }
  }

  /// Grades what a scanner finds.
  func grader(_ scanner: CodeScanner) -> PrintGrader {
    PrintGrader(
      capture: dpi.map { .flatbed(dotsPerInch: $0) } ?? .photograph, paperReflectance: white,
      scanner: scanner)
  }

  /// The options as arguments, for a process that grades instead of this one.
  var arguments: [String] {
    (dpi.map { ["--dpi", "\($0)"] } ?? []) + (white.map { ["--white", "\($0)"] } ?? [])
  }
}

/// Options for finding codes in pictures.
struct ScannerOptions: ParsableArguments {
  @Flag(name: .long, help: "Stop at the first code of a picture.")
  var first = false

  @Option(
    name: .long,
    help: ArgumentHelp(
      """
      The search limit for one picture or page after loading, in milliseconds of a \
      server core, for the same result on every machine; each code that \
      is read adds 3, and 0 sets no limit.
      """, valueName: "milliseconds"))
  var budget = 400

  @Option(
    name: .long,
    help: ArgumentHelp(
      "The kinds of codes, separated by commas: \(names).", valueName: "list"))
  var symbologies: SymbologyList = SymbologyList(symbologies: [.qr, .appClipCode])

  fileprivate static let names = DecodedCode.Symbology.all.map(\.rawValue).joined(separator: ", ")

  func validate() throws {
    guard (0...3_600_000).contains(budget) else {
      throw ValidationError(
        "--budget must be 0 (no limit) to 3600000 milliseconds, not \(budget).")
    }
  }

  var scanner: CodeScanner {
    CodeScanner(
      effort: first ? .firstCode : .everyCode,
      budget: budget == 0 ? nil : .milliseconds(budget), symbologies: symbologies.symbologies)
  }

  /// The options as arguments, for a process that scans instead of this one.
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
  /// Prints that a picture may show more codes than were read.
  func sayWhatWasLeft(_ seen: CodeObservation) {
    if let unsearched = seen.unsearched {
      say("note: \(seen.source.onPage(seen.page)): \(unsearched).")
    }
    guard seen.wasCutShort, !seen.codes.isEmpty else { return }
    say(
      "note: \(seen.source.onPage(seen.page)): the search ended at its budget after "
        + "\(seen.codes.count.of("code")); use --budget 0 to search for more.")
  }
}
