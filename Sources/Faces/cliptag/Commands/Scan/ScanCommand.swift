import ArgumentParser
import CodeScanning
import Foundation
import Invocation
import Jobs
import Pictures
import Synchronization
import Verifying

/// `cliptag scan FILE…`
struct ScanCommand: ConsoleCommand {
  static let configuration = CommandConfiguration(
    commandName: "scan",
    abstract: "Read the QR codes in pictures and documents, or live, and verify them.",
    discussion: """
      Reads JPEG, PNG, HEIC, AVIF, WebP, TIFF, GIF, BMP, PNM, SVG and PDF with any file \
      name; - is standard input. Files are read in parallel; results are in the order of the files. A code \
      whose clip requests a location confirmation is accepted only with a position that confirms \
      it, or with --no-location.

      With --camera, --serial, --wedge or --lines codes are read until Ctrl-C, --count or \
      --timeout; a code that remains visible is reported once.

      Examples:
        cliptag scan wall.jpg --at 37.3230,-122.0322
        cliptag scan proofs.pdf posters/*.png --no-location
        cliptag scan wall.jpg --gpsd 127.0.0.1:2947
        cliptag scan wall.jpg --exif-position --accuracy 20
        cliptag scan --recursive posters --isolate --no-location
        cliptag scan wall.jpg --no-location --annotate wall-checked.png
        cliptag scan --first --json - < photo.jpg
        cliptag scan --lines --assume-qr --json < urls.txt
      """)

  @Argument(
    help: ArgumentHelp("Pictures and documents; - for standard input.", valueName: "file"),
    completion: .file(extensions: PictureFormat.fileExtensions))
  var files: [String] = []

  @Flag(
    name: .shortAndLong,
    help: """
      Also scan folders and their subfolders. Hidden files are skipped, links to folders are \
      not followed, and files that are not pictures are counted.
      """)
  var recursive = false

  @Flag(
    name: .customLong("exif-position"),
    help: """
      Use the position in each picture; --accuracy applies to pictures that do not state \
      an accuracy.
      """)
  var exifPosition = false

  @OptionGroup var drawing: AnnotateOptions
  @OptionGroup(title: "Live") var live: LiveOptions
  @OptionGroup var scanning: ScannerOptions
  @OptionGroup var isolation: IsolationOptions
  @OptionGroup var position: PositionOptions
  @OptionGroup var matching: MatchingOptions
  @OptionGroup var messages: MessageOptions
  @OptionGroup var global: GlobalOptions

  func validate() throws {
    if drawing.annotate != nil, isolation.isolate == true {
      throw ValidationError(
        "--annotate decodes the picture in this process, contrary to --isolate: scan twice.")
    }
    try position.checkSources(fromPictures: exifPosition)
    try live.checkIsLive()
    guard live.isLive else {
      if files.isEmpty {
        throw ValidationError("Give a picture or a document, or a live source such as --lines.")
      }
      return
    }
    if !files.isEmpty || recursive || isolation.isolate == true || exifPosition
      || drawing.annotate != nil
    {
      throw ValidationError("Scan files or a live source, not both at once.")
    }
    if live.lines, messages.keys == "-" {
      throw ValidationError("--lines and --keys - both read standard input: give --keys a file.")
    }
  }

  func execute(_ console: Console) async throws {
    // A source that does not open is reported before anything else.
    let source = try live.open()
    let workplace = try global.workplace(matching, isRehearsal: true, console)
    var options = Verifier.Options()
    options.messages = try messages.check(
      comparingWith: workplace.registry, global, consumesUnlessTold: true, console)
    options.positions = try await position.watch(staysPut: source == nil, console)
    options.assumesQR = live.assumeQR
    if let source {
      return try await LiveOutput(options: live, console: console)
        .run(source, in: workplace, at: position.evidenceForReading, options)
    }
    options.scanner = scanning.scanner
    options.pictureLocation = exifPosition ? position.pictureLocation : nil
    options.isolation = isolation.process(isUsual: false, scanning.arguments)
    var job = ScanPictures(PictureInput.named(files, recursive: recursive, console))
    job.location = position.evidenceForReading
    job.options = options
    job.drawings = try drawing.place(for: job.pictures)
    let output = Mutex(
      ScanOutput(
        pictures: job.pictures.count, hasFolders: job.pictures.map(\.path) != files,
        console: console))
    _ = try await job.run(in: workplace) { event in output.withLock { $0.show(event) } }
  }
}
