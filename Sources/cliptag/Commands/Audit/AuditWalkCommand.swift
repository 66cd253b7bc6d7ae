import CliptagBasics
import ArgumentParser
import Auditing
import Foundation
import Glibc
import Invocation
import Jobs
import Pictures
import Registry
import Verifying

/// `cliptag audit FILE…`
struct AuditWalkCommand: ConsoleCommand {
  static let configuration = CommandConfiguration(
    commandName: "walk",
    abstract: "Read codes where they hang, compare each with the record, and keep what was seen.",
    discussion: """
      Each picture, each page of a document, each tag and each live code is a stop of the walk; a \
      picture may show many codes. Every code is checked against the registry and the position, and \
      compared with its record: retired codes, tags that are not ours, tags that can be changed \
      again, worn prints and codes of other places are named. What was read goes into the histories \
      of the codes.

      The position comes from --at, --gpsd, --nmea or --exif-position; indoors, --place says where \
      you stand. A picture that is in the walk is left out, unless another position, place or sign is \
      given for it: then the new reading counts, and both are kept. With --sign, everything that is read hangs on one sign and has to agree: its \
      printed code, its tag, and its small print, which --print takes as it is typed in.

      Examples:
        cliptag audit wall.jpg --place cupertino
        cliptag audit photos/*.jpg --exif-position --accuracy 20
        cliptag audit --recursive photos --place cupertino --name "Autumn 2026"
        cliptag audit --tags --timeout 1 --at 37.3230,-122.0322
        cliptag audit wall.jpg --place cupertino --sign door \\
          --print fruta.example.com/order/cupertino
        cliptag audit --tags --place cupertino --keys keys.yaml
        cliptag audit --lines --assume-qr --place cupertino < urls.txt
      """)

  @Argument(
    help: ArgumentHelp("Pictures and documents; - for standard input.", valueName: "file"),
    completion: .file(extensions: PictureFormat.fileExtensions))
  var files: [String] = []
  @Option(
    help: ArgumentHelp(
      "The walk; it is begun, or goes on (default: the day, in UTC).", valueName: "name"))
  var name: String?
  @Option(help: ArgumentHelp("The place where you stand, by its id.", valueName: "id"))
  var place: String?
  @Option(
    help: ArgumentHelp(
      "What is read now hangs on this sign, and has to agree.", valueName: "name"))
  var sign: String?
  @Option(
    name: .customLong("print"),
    help: ArgumentHelp(
      "Small print of the sign, as it is read: a URL, or the name of a code.", valueName: "text"))
  var smallPrint: [String] = []
  @Option(help: ArgumentHelp("Words to keep with each stop.", valueName: "text"))
  var note: String?
  @Flag(
    name: .shortAndLong,
    help: "Look at the pictures in folders and in all folders below them, too.")
  var recursive = false
  @Flag(help: "Read tags one after another; --reader says so as well.")
  var tags = false
  @Option(
    help: ArgumentHelp(
      "The reader of the tags, as a libnfc connection string.", valueName: "connstring"))
  var reader: String?
  @Flag(
    name: .customLong("exif-position"),
    help: """
      Take the position from each picture itself; --accuracy counts for pictures that do not say \
      how exact theirs is.
      """)
  var exifPosition = false
  @Flag(help: "Keep a small copy of every picture, not only of those with findings.")
  var keepPictures = false
  @Flag(
    help: """
      Read pictures once more that the walk has already, even when nothing else is said of them; \
      the new reading counts.
      """)
  var readAgain = false
  @Flag(name: [.long, .customShort("n")], help: "Only read and compare; keep nothing.")
  var dryRun = false
  @OptionGroup(title: "Live") var live: LiveOptions
  @OptionGroup var scanning: ScannerOptions
  @OptionGroup var isolation: IsolationOptions
  @OptionGroup var position: PositionOptions
  @OptionGroup var matching: MatchingOptions
  @OptionGroup var messages: MessageOptions
  @OptionGroup var global: GlobalOptions

  private var readsTags: Bool { tags || reader != nil }

  func validate() throws {
    try position.checkSources(fromPictures: exifPosition)
    guard !files.isEmpty || readsTags || live.isLive || !smallPrint.isEmpty else {
      throw ValidationError(
        "Name pictures, or --tags, or a live source such as --camera: a walk has to see something.")
    }
    if readsTags, live.isLive {
      throw ValidationError(
        "Read tags and a live source from two terminals at once, not from one: the walk takes both."
      )
    }
    if !readsTags { try live.checkIsLive() }
    if !smallPrint.isEmpty, sign == nil {
      throw ValidationError("--print is compared with what hangs on one sign: give --sign as well.")
    }
    if let name, name.isEmpty || name.count > 200 {
      throw ValidationError("--name takes 1 to 200 characters.")
    }
    if let sign, sign.isEmpty || sign.count > 200 {
      throw ValidationError("--sign takes 1 to 200 characters.")
    }
    try InputFile.checkStandardInputIsSingle(
      [("--keys", messages.keys), ("--lines", live.lines ? "-" : nil)]
        + files.map { ("a file", $0) })
    if exifPosition, files.isEmpty {
      throw ValidationError("--exif-position belongs to pictures: name some.")
    }
  }

  func execute(_ console: Console) async throws {
    // A source that does not open is reported before anything else.
    let source = try live.open()
    let registry =
      dryRun ? try global.registryForReading(console) : try global.registryForWriting()
    var base = Verifier(
      check: InvocationCheck(directory: RegistryDirectory(registry), engine: matching.matching),
      location: position.evidenceForReading)
    base.options.scanner = scanning.scanner
    base.options.isolation = isolation.process(isUsual: true, scanning.arguments)
    base.options.pictureLocation = exifPosition ? position.pictureLocation : nil
    base.options.assumesQR = live.assumeQR
    base.options.positions = try await position.watch(
      staysPut: !readsTags && source == nil, console)
    base.options.messages = try messages.check(
      comparingWith: registry, global, consumesUnlessTold: !dryRun, console)
    let (session, verifier) = try circumstances.begin(
      in: Workplace(registry: registry, engine: matching.matching), with: base)
    var output = AuditOutput(isRehearsal: dryRun, console: console)
    output.begin(session.walk)
    let inputs = PictureInput.named(files, recursive: recursive, console)
    do {
      try await session.read(inputs, by: verifier) { output.show($0) }
    } catch let error as WalkPictures.Ended {
      output.finish()
      throw error
    }
    for text in smallPrint {
      output.show(await session.observe(print: text, source: "--print", by: verifier))
    }
    if readsTags, !Task.isCancelled {
      let tags = TagSeries(
        reader: reader, timeout: .seconds(live.timeout ?? 10), count: live.count)
      try await tags.read(console, through: verifier) { tag in
        let seen = await session.take(tag, by: verifier)
        output.show(seen)
        let isAccepted = seen.codes.allSatisfy { $0.verdict == .accepted }
        if isatty(STDERR_FILENO) == 1 { console.sound(isAccepted ? 1 : 3) }
      }
    }
    if let source, !Task.isCancelled {
      try await LiveOutput(options: live, console: console)
        .run(source, through: verifier) { code in
          let seen = await session.take(code, by: verifier)
          if let failure = seen.failure { throw failure }
          output.show(seen)
        }
    }
    output.finish()
    try Task.checkCancellation()
  }

  private var circumstances: WalkCircumstances {
    var circumstances = WalkCircumstances()
    circumstances.name = name
    circumstances.place = place
    circumstances.sign = sign
    circumstances.note = note
    circumstances.keepsPictures = keepPictures
    circumstances.readsAgain = readAgain
    circumstances.dryRun = dryRun
    circumstances.isOwn = global.person != nil
    return circumstances
  }
}

/// Shows what is observed on a walk, and sums it up.
struct AuditOutput {
  /// Whether nothing is kept.
  let isRehearsal: Bool
  let console: Console
  private var name = ""

  private var stops = 0
  private var codes = 0
  private var troubled = 0
  private var known = 0
  private var skipped = 0
  private var readAgain = 0

  init(isRehearsal: Bool, console: Console) {
    self.isRehearsal = isRehearsal
    self.console = console
  }

  /// Shows a step of a job that adds pictures to a walk.
  mutating func show(_ event: WalkPictures.Event) {
    switch event {
    case .began(let walk): begin(walk)
    case .observed(let seen): show(seen)
    }
  }

  /// Names the walk.
  mutating func begin(_ walk: Walk) {
    name = walk.name.printable
    console.say("walk \(name)")
  }

  mutating func show(_ seen: WalkObservation) {
    if seen.end == .notAPicture {
      skipped += 1
      console.detail("skipped \(seen.source): no picture")
    } else if seen.isKnown {
      known += 1
      console.detail("\(seen.source) is in the walk already")
    } else if let failure = seen.failure {
      console.report(Failure(describing: failure, source: seen.source))
    } else if let stop = seen.stop {
      show(stop, seen.codes, superseding: seen.supersededStop)
      if seen.isEmpty { reportNothing(in: seen.seen, isVisit: true) }
      console.sayWhatWasLeft(seen.seen)
    } else {
      reportNothing(in: seen.seen, isVisit: false)
    }
  }

  /// Reports a picture without a code. If its place is known, it counts as a visit.
  private func reportNothing(in seen: CodeObservation, isVisit: Bool) {
    let isKept = isVisit && !isRehearsal
    console.report(
      seen.nothingFound(
        hint: isKept
          ? "It counts as a visit, at which every code of the place was missing; if one is there, "
            + "take the picture closer, sharper and straighter, and read it, too."
          : "Take the picture closer, sharper and straighter; nothing of it was kept."))
  }

  private mutating func show(
    _ stop: WalkStop, _ codes: [VerifiedCode], superseding superseded: Int?
  ) {
    stops += 1
    if superseded != nil { readAgain += 1 }
    self.codes += codes.count
    if stop.unreadCount > 0 || codes.contains(where: { $0.verdict != .accepted }) { troubled += 1 }
    for (code, reading) in zip(codes, stop.readings) {
      console.note(code.verdict == .accepted ? .done : .notAccepted)
      console.result(
        code.json(
          also: [
            ("walk", .string(stop.walk.description)),
            ("stop", isRehearsal ? .null : .integer(stop.number)),
            ("supersedes", JSONValue(superseded)),
            ("dryRun", .bool(isRehearsal)), ("sign", JSONValue(stop.sign)),
            ("code", JSONValue(reading.code?.description)),
            ("grade", JSONValue(reading.grade.map { ($0 * 10).rounded() / 10 })),
          ]),
        text: code.text(console.output)
          + (reading.code.map { "\n  code      \($0)" } ?? "" as ConsoleText)
          + (isRehearsal
            ? "" as ConsoleText
            : "\n  stop      \(stop.number)"
              + (superseded.map { ", which counts instead of stop \($0)" } ?? "" as ConsoleText)))
    }
    if stop.unreadCount > 0 {
      console.note(.notAccepted)
      console.say(
        "\(stop.source): \(stop.unreadCount) more look\(stop.unreadCount == 1 ? "s" : "") like "
          + "codes and give no text; the walk names them")
    }
  }

  func finish() {
    var parts = [
      "\(stops) stop\(stops == 1 ? "" : "s") with \(codes) "
        + "code\(codes == 1 ? "" : "s") \(isRehearsal ? "read, nothing kept" : "added")"
    ]
    if troubled > 0 { parts.append("\(troubled) with something wrong") }
    if readAgain > 0 { parts.append("\(readAgain) of them read again") }
    if known > 0 { parts.append("\(known) known before") }
    if skipped > 0 { parts.append("\(skipped) no pictures") }
    console.say("walk \(name): \(parts.joined(separator: ", "))")
  }
}
