import ArgumentParser
import CodeScanning
import Pictures

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
