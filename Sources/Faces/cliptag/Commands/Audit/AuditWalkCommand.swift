import CliptagBasics
import ArgumentParser
import Auditing
import CliptagPlatform
import Foundation
import Invocation
import Jobs
import Pictures
import Registry
import Verifying

/// `cliptag audit FILE…`
struct AuditWalkCommand: ConsoleCommand {
  static let configuration = CommandConfiguration(
    commandName: "walk",
    abstract: "Read codes on site, compare each with the record, and store the readings.",
    discussion: """
      Each picture, each page of a document, each tag and each live code is a stop of the walk; a \
      picture may show many codes. Every code is checked against the registry and the position, and \
      compared with its record: findings are retired codes, foreign tags, tags that are unlocked \
      again, worn prints and codes of other places. Readings are recorded in the histories \
      of the codes.

      The position comes from --at, --gpsd, --nmea or --exif-position; indoors, use --place. \
      A picture that is already in the walk is skipped, unless another position, place or sign is \
      given for it: then the new reading applies, and both are stored. With --sign, all readings are of one sign and must agree: its \
      printed code, its tag, and its small print, as typed with --print.

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
      "The walk, new or continued (default: the day, in UTC).", valueName: "name"))
  var name: String?
  @Option(
    help: ArgumentHelp("The place of the readings, by its id.", valueName: "id"),
    completion: .places)
  var place: String?
  @Option(
    help: ArgumentHelp(
      "The sign of all readings, which must agree.", valueName: "name"))
  var sign: String?
  @Option(
    name: .customLong("print"),
    help: ArgumentHelp(
      "Small print of the sign: a URL, or the name of a code or its tail.", valueName: "text"))
  var smallPrint: [String] = []
  @Option(help: ArgumentHelp("A note for each stop.", valueName: "text"))
  var note: String?
  @Flag(
    name: .shortAndLong,
    help: "Also read the pictures in folders and their subfolders.")
  var recursive = false
  @Flag(help: "Read tags one after another; implied by --reader.")
  var tags = false
  @Option(
    help: ArgumentHelp(
      "The reader of the tags, as a libnfc connection string.", valueName: "connstring"))
  var reader: String?
  @Flag(
    name: .customLong("exif-position"),
    help: """
      Use the position in each picture; --accuracy applies to pictures that do not state \
      an accuracy.
      """)
  var exifPosition = false
  @Flag(help: "Store a small copy of every picture, not only of those with findings.")
  var keepPictures = false
  @Flag(
    help: """
      Read pictures again that are already in the walk, even with unchanged details; \
      the new reading applies.
      """)
  var readAgain = false
  @Flag(name: [.long, .customShort("n")], help: "Only read and compare; store nothing.")
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
        "Give pictures, --tags, or a live source such as --camera.")
    }
    if readsTags, live.isLive {
      throw ValidationError(
        "Read tags and a live source from two terminals, not from one: both can add to the walk."
      )
    }
    if !readsTags { try live.checkIsLive() }
    if !smallPrint.isEmpty, sign == nil {
      throw ValidationError("--print needs --sign.")
    }
    if let name, name.isEmpty || name.count > 200 {
      throw ValidationError("--name must have 1 to 200 characters.")
    }
    if let sign, sign.isEmpty || sign.count > 200 {
      throw ValidationError("--sign must have 1 to 200 characters.")
    }
    try InputFile.checkStandardInputIsSingle(
      [("--keys", messages.keys), ("--lines", live.lines ? "-" : nil)]
        + files.map { ("a file", $0) })
    if exifPosition, files.isEmpty {
      throw ValidationError("--exif-position needs pictures: give some.")
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
      let reader = TagReader(reader, timeout: .seconds(live.timeout ?? 10))
      try await console.readTags(on: reader, count: live.count, through: verifier) { tag in
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
  /// The pictures whose position was not used, because they do not state its accuracy.
  private var inexact = 0
  private var remarks = SaidRemarks()

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
      console.detail("skipped \(seen.source): not a picture")
    } else if seen.isKnown {
      known += 1
      console.detail("\(seen.source) is already in the walk")
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
          ? "It is recorded as a visit with every code of the place missing; if one is present, "
            + "take the picture closer, sharper and straighter, and read it, too."
          : "Take the picture closer, sharper and straighter; nothing was stored."))
  }

  private mutating func show(
    _ stop: WalkStop, _ codes: [VerifiedCode], superseding superseded: Int?
  ) {
    stops += 1
    if superseded != nil { readAgain += 1 }
    self.codes += codes.count
    if stop.unreadCount > 0 || codes.contains(where: { $0.verdict != .accepted }) { troubled += 1 }
    if codes.contains(where: { $0.findings.contains { $0.code == .inexactPicture } }) {
      inexact += 1
    }
    for (code, reading) in zip(codes, stop.readings) {
      console.note(code.verdict == .accepted ? .done : .notAccepted)
      console.result(
        of: WalkReadingResult(
          code, reading, at: stop, superseding: superseded, isRehearsal: isRehearsal),
        text: code.text(console.output, isRepeating: remarks.isSaid(of: code))
          + (reading.code.map { "\n  code      \($0)" } ?? "" as ConsoleText)
          + (isRehearsal
            ? "" as ConsoleText
            : "\n  stop      \(stop.number)"
              + (superseded.map { ", which replaces stop \($0)" } ?? "" as ConsoleText)))
    }
    for finding in stop.findings where finding.code != .unfinishedSearch {
      console.say("note: \(stop.source.onPage(stop.page)): \(finding.message) [\(finding.code)]")
    }
    if stop.unreadCount > 0 {
      console.note(.notAccepted)
      console.say(
        stop.unreadCount == 1
          ? "\(stop.source): one thing resembles a code but does not decode; the walk lists it"
          : "\(stop.source): \(stop.unreadCount) things resemble codes but do not decode; the walk lists them"
      )
    }
  }

  func finish() {
    var parts = [
      "\(stops.of("stop")) with \(codes.of("code")) \(isRehearsal ? "read, nothing kept" : "added")"
    ]
    if troubled > 0 { parts.append("\(troubled) with faults") }
    if readAgain > 0 { parts.append("\(readAgain) of them read again") }
    if known > 0 { parts.append("\(known) known before") }
    if skipped > 0 { parts.append("\(skipped) not pictures") }
    console.say("walk \(name): \(parts.joined(separator: ", "))")
    if inexact > 1 {
      console.say(
        "note: The positions of \(inexact) pictures were not used, because they have no accuracy; "
          + "give it with --accuracy METRES.")
    }
  }
}
