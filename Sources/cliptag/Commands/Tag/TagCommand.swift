import CliptagBasics
import ArgumentParser
import Invocation
import Jobs
import NFCReader
import TagTypes
import Verifying

/// `cliptag tag …`
struct TagCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "tag",
    abstract: "Work on the tag on the reader.",
    subcommands: [
      Read.self, TagWriteCommand.self, TagBatchCommand.self, Info.self, TagLockCommand.self,
      TagPasswordCommand.self, Erase.self, TagDumpCommand.self, TagRestoreCommand.self,
      TagImageCommand.self,
    ])

  /// `cliptag tag read`
  struct Read: ConsoleCommand {
    static let configuration = CommandConfiguration(
      abstract: "Read the tag and verify what it says.",
      discussion: """
        A tag that makes Secure Unique NFC messages makes a new one at each reading. When its keys \
        are known, the message is verified, and a copy of an earlier one is rejected.

        Examples:
          cliptag tag read --at 37.3230,-122.0322
          cliptag tag read --no-location --reader pn532_uart:/dev/ttyUSB0
          cliptag tag read --no-location --check-originality
          cliptag tag read --no-location --keys keys.yaml
        """)
    @Option(
      help: ArgumentHelp(
        "Read a dump that was saved by tag dump, Proxmark or Flipper, in place of a tag.",
        valueName: "file"),
      completion: .file())
    var fromDump: String?
    @OptionGroup var originality: OriginalityOptions
    @OptionGroup var reader: ReaderOptions
    @OptionGroup var password: TagPasswordOptions
    @OptionGroup var position: PositionOptions
    @OptionGroup var matching: MatchingOptions
    @OptionGroup var messages: MessageOptions
    @OptionGroup var global: GlobalOptions

    func validate() throws {
      try position.checkSources()
      try InputFile.checkStandardInputIsSingle([
        ("--from-dump", fromDump), ("--password-file", password.passwordFile),
        ("--keys", messages.keys),
      ])
      if fromDump != nil, reader.reader != nil || originality.checkOriginality {
        throw ValidationError(
          "--from-dump reads a file: leave --reader and --check-originality out. A dump cannot prove "
            + "that its tag was genuine.")
      }
    }

    func execute(_ console: Console) async throws {
      let registry = try global.registryForReading(console)
      var verifier = Verifier(
        check: InvocationCheck(directory: registry, engine: matching.matching),
        location: position.evidenceForReading)
      verifier.options.messages = try messages.check(
        comparingWith: registry, global, consumesUnlessTold: fromDump == nil, console)
      verifier.options.positions = try await position.watch(staysPut: true, console)
      if let fromDump {
        do {
          let bytes = try InputFile.bytes(of: fromDump, limit: TagDumpFile.maximumSize)
          let tag = try await SavedTag(reading: bytes).identify()
          console.show(try await verifier.verify(tag, source: fromDump))
        } catch {
          throw Failure(describing: error, source: fromDump)
        }
        return
      }
      let read = try await reader.withTag(console) { [verifier] tag, name in
        let channel = try await password.open(tag, console)
        let tag = try await Tag.identify(over: channel, includingConfiguration: true)
          .namedByItself(over: channel)
        let seen = try verifier.examine(tag, source: name)
        guard originality.checkOriginality else { return seen }
        return seen.requiring(try await tag.originality(over: channel))
      }
      console.show(try await verifier.complete(read))
    }
  }

  /// `cliptag tag info`
  struct Info: ConsoleCommand {
    static let configuration = CommandConfiguration(
      abstract: "Say what kind of tag it is and what it holds, without judging it.",
      discussion: "Examples:\n  cliptag tag info\n  cliptag tag info --hex")
    @Flag(help: "Also show the bytes of the message and of each record, in hexadecimal.")
    var hex = false
    @OptionGroup var reader: ReaderOptions
    @OptionGroup var password: TagPasswordOptions
    @OptionGroup var global: GlobalOptions

    func execute(_ console: Console) async throws {
      let (tag, originality, details, name) = try await reader.withTag(console) { tag, name in
        let channel = try await password.open(tag, console)
        let tag = try await Tag.identify(over: channel, includingConfiguration: true)
          .namedByItself(over: channel)
        let originality = try await tag.originality(over: channel)
        return (tag, originality, try await TagDetails(tag, over: channel), name)
      }
      let facts = TagFacts(tag).with(originality)
      let payload = try? TagPayload(tag)
      let findings = payload?.asPhonesSee(tag).findings ?? []
      // A tag that refuses every command has unknown content; a password would be a guess.
      let content = tag.type2?.isMute == true ? "unreadable" : tag.content.name
      let records = TagRecords(tag, withHexadecimal: hex)
      console.result(
        .object([
          ("type", "tag"), ("source", .string(name)), ("tag", facts.json),
          ("content", .string(content)), ("payload", JSONValue(payload?.uri)),
          ("findings", .array(findings.map(\.json))),
          ("details", details?.json ?? .null), ("records", records.json),
        ]),
        text: ([facts.text, "  holds     \(payload?.uri?.printable ?? content)"]
          + (tag.problem.map { ["  reason    \($0)"] } ?? []) + records.lines
          + (details?.lines ?? [])
          + findings.map {
            // An empty tag is no error for `tag info`.
            let severity = $0.code == .emptyTag ? .note : $0.severity
            return "  \(severity.rawValue.padding(to: 8))  \($0.advice.own)"
          })
          .asLines)
    }
  }

  /// `cliptag tag erase`
  struct Erase: ConsoleCommand {
    static let configuration = CommandConfiguration(
      abstract: "Empty the tag's NDEF message.",
      discussion: """
        The codes that the tag carried are retired in the registry. Data that is not ours is kept \
        unless --overwrite is given.

        Examples:
          cliptag tag erase --dry-run
          cliptag tag erase
        """)
    @Flag(help: "Erase data that is not ours, too.")
    var overwrite = false
    @Flag(name: [.long, .customShort("n")], help: "Only say which pages would change.")
    var dryRun = false
    @OptionGroup var reader: ReaderOptions
    @OptionGroup var password: TagPasswordOptions
    @OptionGroup var global: GlobalOptions

    func execute(_ console: Console) async throws {
      var job = EraseTag()
      job.overwrite = overwrite
      job.dryRun = dryRun
      job.access = try password.access(console)
      var workplace = try global.workplace(isRehearsal: dryRun, console)
      workplace.reader = reader.tagReader
      let erased = try await job.run(in: workplace) { console.show($0) }
      console.result(of: erased.result, text: text(of: erased))
    }

    private func text(of erased: EraseTag.Output) -> ConsoleText {
      let name = "\(erased.plan.tag.name) \(erased.result.uid)"
      guard let report = erased.report else { return erased.plan.text }
      return erased.plan.isAlreadyCorrect
        ? "\(name) was empty already; nothing was written"
        : "erased \(name) (\(report.work), verified\(report.caveat))"
    }
  }
}

extension TagContent {
  /// The stable name that `tag info` prints.
  fileprivate var name: String {
    switch self {
    case .unformatted(let holdsData): holdsData ? "not-ndef" : "blank"
    case .notNDEF: "not-ndef"
    case .noMessage, .empty: "empty"
    case .message: "message"
    case .otherData: "other-data"
    case .torn: "torn"
    case .unreadable: "password"
    }
  }
}
