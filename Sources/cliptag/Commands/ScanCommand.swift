import ArgumentParser
import Deployment
import Invocation
import Pictures

/// `cliptag scan FILE…`
struct ScanCommand: ConsoleCommand {
  static let configuration = CommandConfiguration(
    commandName: "scan",
    abstract: "Read the QR codes in pictures and documents and verify them.",
    discussion: """
      JPEG, PNG, HEIC, AVIF, WebP, TIFF, GIF, BMP, PNM, SVG and PDF are read, whatever the file is \
      called; - is standard input. A code \
      whose clip asks for a location confirmation is accepted only with a position that confirms \
      it, or with --no-location.

      Examples:
        cliptag scan wall.jpg --at 37.3230,-122.0322
        cliptag scan proofs.pdf posters/*.png --no-location
        cliptag scan --json - < photo.jpg
      """)

  @Argument(
    help: ArgumentHelp("Pictures and documents; - for standard input.", valueName: "file"),
    completion: .file(extensions: PictureFormat.fileExtensions))
  var files: [String]

  @OptionGroup var position: PositionOptions
  @OptionGroup var matching: MatchingOptions
  @OptionGroup var messages: MessageOptions
  @OptionGroup var global: GlobalOptions

  func execute(_ console: Console) async throws {
    let registry = try global.registryForReading(console)
    let verifier = PictureVerifier(
      check: InvocationCheck(directory: registry, engine: matching.matching),
      location: position.evidenceForReading)
    let messageCheck = try messages.check(
      comparingWith: registry, global, consumesUnlessTold: true, console)
    for name in files {
      do throws(PictureError) {
        let file =
          name == "-"
          ? try await PictureLoader().openStandardInput()
          : try await PictureLoader().open(path: name)
        try await scan(file, named: name, verifier, messageCheck, console)
      } catch {
        console.report(Failure(describing: error))
      }
      try Task.checkCancellation()
    }
  }

  /// Every page is scanned and reported, also after one that failed.
  private func scan(
    _ file: PictureFile, named name: String, _ verifier: PictureVerifier,
    _ messageCheck: SecureMessageCheck?, _ console: Console
  ) async throws(PictureError) {
    var found = 0
    var isWhole = true
    for number in 1...max(1, file.pageCount) where !Task.isCancelled {
      do {
        for code in try await verifier.verify(page: number, of: file, named: name) {
          console.show(try messageCheck?.examine(code) ?? code)
          found += 1
        }
      } catch {
        console.report(Failure(describing: error))
        isWhole = false
      }
    }
    if found == 0, isWhole, !Task.isCancelled {
      console.report(
        Failure(
          "no-code", .nothingFound, "No QR code was found in \(file.source).",
          hint: "Take the picture closer, sharper and straighter; the code needs its white border.",
          source: name))
    }
  }
}
