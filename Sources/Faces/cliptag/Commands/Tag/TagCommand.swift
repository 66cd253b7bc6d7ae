import ArgumentParser
import CliptagBasics
import Invocation
import Jobs
import NFCReader
import TagAuthenticity
import TagTypes
import Verifying

/// `cliptag tag …`
struct TagCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "tag",
    abstract: "Read, write and protect the tag on the reader.",
    subcommands: [
      Read.self, TagWriteCommand.self, TagProvisionCommand.self, TagBatchCommand.self, Info.self,
      TagLockCommand.self,
      TagPasswordCommand.self, Erase.self, TagDumpCommand.self, TagRestoreCommand.self,
      TagImageCommand.self,
    ])

  /// `cliptag tag read`
  struct Read: ConsoleCommand {
    static let configuration = CommandConfiguration(
      commandName: "read",
      abstract: "Read the tag and verify its URL.",
      discussion: """
        A tag with Secure Unique NFC messages makes a new one at each reading. If its keys \
        are known, the message is verified, and a copy of an earlier one is rejected.

        Examples:
          cliptag tag read --at 37.3230,-122.0322
          cliptag tag read --no-location --reader pn532_uart:/dev/ttyUSB0
          cliptag tag read --no-location --check-originality
          cliptag tag read --no-location --keys keys.yaml
        """)
    @Option(
      help: ArgumentHelp(
        "Read a dump saved by tag dump, Proxmark or Flipper, instead of a tag.",
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
      var workplace = try global.workplace(matching, isRehearsal: true, console)
      workplace.reader = reader.tagReader
      var job = ReadTag()
      job.requiresGenuine = originality.checkOriginality
      job.location = position.evidenceForReading
      job.options.messages = try messages.check(
        comparingWith: workplace.registry, global, consumesUnlessTold: fromDump == nil, console)
      job.options.positions = try await position.watch(staysPut: true, console)
      do {
        if let fromDump {
          let bytes = try InputFile.bytes(of: fromDump, limit: TagDumpFile.maximumSize)
          job.dump = .init(try SavedTag(reading: bytes), named: fromDump)
        } else {
          job.access = try password.access(console)
        }
        console.show(try await job.run(in: workplace) { console.show($0) })
      } catch  where fromDump != nil {
        throw Failure(describing: error, source: fromDump)
      }
    }
  }

  /// `cliptag tag info`
  struct Info: ConsoleCommand {
    static let configuration = CommandConfiguration(
      commandName: "info",
      abstract: "Show the kind and the contents of the tag, without a verdict.",
      discussion: "Examples:\n  cliptag tag info\n  cliptag tag info --hex")
    @Flag(help: "Also show the bytes of the message and of each record, in hexadecimal.")
    var hex = false
    @OptionGroup var reader: ReaderOptions
    @OptionGroup var password: TagPasswordOptions
    @OptionGroup var global: GlobalOptions

    func execute(_ console: Console) async throws {
      var job = DescribeTag()
      job.showsBytes = hex
      job.access = try password.access(console)
      let found = try await job.run(on: reader.tagReader) { console.show($0) }
      console.result(of: found.result, text: found.text(withHexadecimal: hex))
    }
  }

  /// `cliptag tag erase`
  struct Erase: ConsoleCommand {
    static let configuration = CommandConfiguration(
      commandName: "erase",
      abstract: "Empty the tag's NDEF message.",
      discussion: """
        The codes on the tag are retired in the registry. Foreign data is kept \
        unless --overwrite is given.

        Examples:
          cliptag tag erase --dry-run
          cliptag tag erase
        """)
    @Flag(help: "Also erase foreign data.")
    var overwrite = false
    @Flag(name: [.long, .customShort("n")], help: "Only show the pages to change.")
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
        ? "\(name) was already empty; nothing was written"
        : "erased \(name) (\(report.work), verified\(report.caveat))"
    }
  }
}

extension DescribeTag.Output {
  /// The lines that people read.
  ///
  /// - Parameter showsBytes: Whether the bytes of the message and of each record are shown.
  fileprivate func text(withHexadecimal showsBytes: Bool) -> ConsoleText {
    ([facts.text, "  holds     \(result.payload?.printable ?? result.content)"]
      + (tag.problem.map { ["  reason    \($0)"] } ?? [])
      + TagRecords(records: result.records, message: tag.message, showsHexadecimal: showsBytes)
      .lines
      + TagDetails(
        tag, counter: counter,
        isMakerUnproven: facts.originality?.hasUnverifiedSignature == true
      ).lines
      + findings.map {
        // An empty tag is no error for `tag info`.
        let severity = $0.code == .emptyTag ? .note : $0.severity
        return "  \(severity.rawValue.padding(to: 8))  \($0.advice.own)"
      })
      .asLines
  }
}
