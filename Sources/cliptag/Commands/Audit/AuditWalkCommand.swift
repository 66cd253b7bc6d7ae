import ArgumentParser
import Auditing
import CodeScanning
import Foundation
import Glibc
import Invocation
import Pictures
import Registry
import Synchronization
import TagTypes
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
      you stand. With --sign, everything that is read hangs on one sign and has to agree: its \
      printed code, its tag, and its small print, which --print takes as it is typed in.

      Examples:
        cliptag audit wall.jpg --place cupertino
        cliptag audit photos/*.jpg --exif-position --accuracy 20
        cliptag audit --recursive photos --place cupertino --name "Autumn 2026"
        cliptag audit --tags --timeout 1 --at 37.3230,-122.0322
        cliptag audit wall.jpg --place cupertino --sign door \\
          --print fruta.example.com/order/cupertino
        cliptag audit --tags --place cupertino --keys Samples/fruta/keys.yaml
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
  @Flag(name: [.long, .customShort("n")], help: "Only read and compare; keep nothing.")
  var dryRun = false
  @OptionGroup(title: "Live") var live: LiveOptions
  @OptionGroup var scanning: ScannerOptions
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
    // A source that does not open is told before anything else.
    let source = try live.open()
    let registry =
      dryRun ? try global.registryForReading(console) : try global.registryForWriting()
    let stated = try place.map { id in
      guard let place = try registry.place(id: id) else {
        throw Failure.notFound("place", id, see: "cliptag place list")
      }
      return place
    }
    let check = InvocationCheck(directory: RegistryDirectory(registry), engine: matching.matching)
    let session = try WalkSession(
      named: name ?? Self.today, by: Operator.name, in: registry, sign: sign, statedPlace: stated,
      note: note, isRehearsal: dryRun)
    let run = AuditRun(
      session: session, check: check, evidence: evidence(at: stated),
      locate: try await position.locator(staysPut: !readsTags && source == nil, by: check, console),
      messageCheck: try messages.check(
        comparingWith: registry, global, consumesUnlessTold: !dryRun, console),
      isRehearsal: dryRun, console: console)
    console.say("walk \(session.walk.name.printable)")
    try await readPictures(run, console)
    for text in smallPrint {
      console.attempt("--print") { try run.take(print: text) }
    }
    if readsTags, !Task.isCancelled {
      let tags = TagSeries(
        reader: reader, timeout: .seconds(live.timeout ?? 10), count: live.count)
      try await tags.read(console) { tag, name in try await run.take(tag, from: name) }
    }
    if let source, !Task.isCancelled { try await read(source, run) }
    run.finish()
    try Task.checkCancellation()
  }

  /// What is known of the position before anything is read. A stated place stands for a position
  /// within it.
  private func evidence(at stated: Place?) -> LocationEvidence {
    let evidence = position.evidenceForReading
    guard evidence == .missing, !exifPosition, !position.hasReceiver, let stated else {
      return evidence
    }
    return stated.statedFix.map(LocationEvidence.fix) ?? .waived
  }

  private static var today: String { String(Date().registryTimestamp.prefix(10)) }

  // MARK: Sources

  private func readPictures(_ run: AuditRun, _ console: Console) async throws {
    let inputs = PictureInput.named(files, recursive: recursive, console)
    guard !inputs.isEmpty else { return }
    let pictures = WalkPictures(
      run.session,
      verifier: PictureVerifier(
        check: run.check, location: run.evidence,
        pictureLocation: exifPosition ? position.pictureLocation : nil,
        scanner: scanning.scanner),
      refine: run.refined, keepsAll: keepPictures)
    await pictures.run(inputs) { input, event in run.show(event, of: input) }
  }

  private func read(_ source: any LiveSource, _ run: AuditRun) async throws {
    let verifier = LiveVerifier(
      check: run.check, location: run.evidence, assumesQR: live.assumeQR)
    let live = LiveScanRun(
      options: live, verifier: verifier, locate: run.locate,
      messageCheck: run.messageCheck,
      console: run.console,
      keep: { try run.keep(live: $0) })
    try await live.run(source)
  }
}

/// One run that adds to a walk, and the showing of what comes of it.
final class AuditRun: Sendable {
  let session: WalkSession
  let check: InvocationCheck
  /// What is known of the position before anything is read.
  let evidence: LocationEvidence
  /// Finds out where a code was read, when a receiver was named.
  let locate: (@Sendable (VerifiedCode) async throws -> VerifiedCode)?
  /// Verifies the messages that tags make anew at each reading, when their keys are known.
  let messageCheck: SecureMessageCheck?
  /// Whether nothing is kept.
  let isRehearsal: Bool
  let console: Console

  private struct Count {
    var stops = 0
    var codes = 0
    var troubled = 0
    var known = 0
    var skipped = 0
  }
  private let count = Mutex(Count())

  init(
    session: WalkSession, check: InvocationCheck, evidence: LocationEvidence,
    locate: (@Sendable (VerifiedCode) async throws -> VerifiedCode)?,
    messageCheck: SecureMessageCheck?, isRehearsal: Bool, console: Console
  ) {
    self.session = session
    self.check = check
    self.evidence = evidence
    self.locate = locate
    self.messageCheck = messageCheck
    self.isRehearsal = isRehearsal
    self.console = console
  }

  // MARK: What is read

  /// What else can be known of a code that was read.
  @Sendable func refined(_ code: VerifiedCode) async throws -> VerifiedCode {
    let located = try await locate?(code) ?? code
    return try messageCheck?.examine(located) ?? located
  }

  func take(_ tag: Tag, from reader: String) async throws {
    var sight = try WalkSight(tag, source: reader, by: check, location: evidence)
    for index in sight.codes.indices {
      sight.codes[index].verified = try await refined(sight.codes[index].verified)
    }
    sight.fix = evidence.measured
    let codes = try keep(sight)
    if isatty(STDERR_FILENO) == 1 {
      console.sound(codes.allSatisfy { $0.verdict == .accepted } ? 1 : 3)
    }
  }

  func take(print text: String) throws {
    var sight = try WalkSight(
      print: text, source: "--print", by: check, location: evidence, in: session.registry)
    sight.fix = evidence.measured
    _ = try keep(sight)
  }

  /// Keeps what a live source read.
  func keep(live code: VerifiedCode) throws -> VerifiedCode {
    var sight = WalkSight(.scanner, source: code.source, codes: [.init(code)])
    sight.fix = evidence.measured
    return try keep(sight).first ?? code
  }

  @discardableResult
  private func keep(_ sight: WalkSight) throws -> [VerifiedCode] {
    guard let kept = try session.take(sight) else { return [] }
    show(kept)
    return kept.codes
  }

  // MARK: What is shown

  func show(_ event: WalkPictures.Event, of input: PictureInput) {
    switch event {
    case .finished: break
    case .skipped:
      count.withLock { $0.skipped += 1 }
      console.detail("skipped \(input.path): no picture")
    case .known:
      count.withLock { $0.known += 1 }
      console.detail("\(input.path) is in the walk already")
    case .stop(let kept): show(kept)
    case .failed(let error): console.report(Failure(describing: error, source: input.path))
    case .cutShort(let codes, let page):
      console.sayCutShort(input.path, page: page, codes: codes)
    case .nothingFound:
      console.report(
        Failure(
          "no-code", .nothingFound, "No QR code was found in \(input.path).",
          hint: "Take the picture closer, sharper and straighter; nothing of it was kept.",
          source: input.path))
    }
  }

  private func show(_ kept: WalkSession.Kept) {
    let stop = kept.stop
    let isTroubled = stop.unreadCount > 0 || kept.codes.contains { $0.verdict != .accepted }
    count.withLock {
      $0.stops += 1
      $0.codes += kept.codes.count
      if isTroubled { $0.troubled += 1 }
    }
    for (code, reading) in zip(kept.codes, stop.readings) {
      console.note(code.verdict == .accepted ? .done : .notAccepted)
      console.result(
        code.json(
          also: [
            ("walk", .string(stop.walk.description)),
            ("stop", isRehearsal ? .null : .integer(stop.number)),
            ("dryRun", .bool(isRehearsal)), ("sign", JSONValue(stop.sign)),
            ("code", JSONValue(reading.code?.description)),
            ("grade", JSONValue(reading.grade.map { ($0 * 10).rounded() / 10 })),
          ]),
        text: code.text(console.output)
          + (reading.code.map { "\n  code      \($0)" } ?? "")
          + (isRehearsal ? "" : "\n  stop      \(stop.number)"))
    }
    if stop.unreadCount > 0 {
      console.note(.notAccepted)
      console.say(
        "\(stop.source): \(stop.unreadCount) more look\(stop.unreadCount == 1 ? "s" : "") like "
          + "codes and give no text; the walk names them")
    }
  }

  func finish() {
    let count = count.withLock { $0 }
    var parts = [
      "\(count.stops) stop\(count.stops == 1 ? "" : "s") with \(count.codes) "
        + "code\(count.codes == 1 ? "" : "s") \(isRehearsal ? "read, nothing kept" : "added")"
    ]
    if count.troubled > 0 { parts.append("\(count.troubled) with something wrong") }
    if count.known > 0 { parts.append("\(count.known) known before") }
    if count.skipped > 0 { parts.append("\(count.skipped) no pictures") }
    console.say("walk \(session.walk.name.printable): \(parts.joined(separator: ", "))")
  }
}
