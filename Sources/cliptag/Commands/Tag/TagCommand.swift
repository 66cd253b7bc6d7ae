import Basics
import ArgumentParser
import Invocation
import Issuing
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
          let dump = try TagDumpFile(reading: bytes).dump()
          let tag = try await Tag.identify(over: DumpChannel(dump), includingConfiguration: true)
          console.show(try await verifier.verify(tag, source: fromDump))
        } catch {
          throw Failure(describing: error, source: fromDump)
        }
        return
      }
      let read = try await reader.withTag(console) { [verifier] tag, name in
        let channel = try await password.open(tag, console)
        let tag = try await Tag.identify(over: channel, includingConfiguration: true)
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
      discussion: "Example:\n  cliptag tag info")
    @OptionGroup var reader: ReaderOptions
    @OptionGroup var password: TagPasswordOptions
    @OptionGroup var global: GlobalOptions

    func execute(_ console: Console) async throws {
      let (tag, originality, details, name) = try await reader.withTag(console) { tag, name in
        let channel = try await password.open(tag, console)
        let tag = try await Tag.identify(over: channel, includingConfiguration: true)
        let originality = try await tag.originality(over: channel)
        guard let pages = tag.type2 else { return (tag, originality, TagDetails?.none, name) }
        return (tag, originality, try await TagDetails(pages, over: channel), name)
      }
      let facts = TagFacts(tag).with(originality)
      let payload = try? TagPayload(tag)
      // What refuses everything holds nobody knows what; a password would be a guess.
      let content = tag.type2?.isMute == true ? "unreadable" : tag.content.name
      console.result(
        .object([
          ("type", "tag"), ("source", .string(name)), ("tag", facts.json),
          ("content", .string(content)), ("payload", JSONValue(payload?.uri)),
          ("findings", .array(payload?.findings.map(\.json) ?? [])),
          ("details", details?.json ?? .null),
        ]),
        text: ([facts.text, "  holds     \(payload?.uri?.printable ?? content)"]
          + (details?.lines ?? [])
          + (payload?.findings ?? []).map {
            // An empty tag is no error to who asks what a tag is.
            let severity = $0.code == .emptyTag ? .note : $0.severity
            return "  \(severity.rawValue.padding(to: 8))  \($0.message)"
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
      let registry =
        dryRun ? try global.registryForReading(console) : try global.registryForWriting()
      let issuer = TagIssuer(
        ledger: CodeLedger(registry: registry, who: Operator.name),
        check: InvocationCheck(directory: registry))
      let line = try await reader.withTag(console) { tag, name -> (JSONValue, ConsoleText) in
        let channel = try await password.open(tag, console)
        let plan = try await issuer.planErase(on: channel, overwriting: overwrite)
        let report =
          dryRun ? nil : try await issuer.executeErase(plan, on: channel, reader: name)
        return (
          JSONValue.object(
            [
              ("type", "erase"), ("reader", .string(name)),
              ("uid", .string(tag.target.uid.hexadecimal)), ("tagType", .string(plan.tag.name)),
              ("pagesWritten", .integer(report?.pagesWritten ?? 0)),
              ("alreadyCorrect", .bool(plan.isAlreadyCorrect)), ("verified", .bool(report != nil)),
              ("fieldCycled", JSONValue(report?.fieldCycled)),
            ] + plan.dryRunMembers(dryRun)),
          dryRun
            ? plan.text
            : plan.isAlreadyCorrect
              ? "\(plan.tag.name) \(tag.target.uid.hexadecimal) was empty already; nothing was written"
              : "erased \(plan.tag.name) \(tag.target.uid.hexadecimal) "
                + "(\(report?.work ?? ""), verified\(report?.caveat ?? ""))"
        )
      }
      console.result(line.0, text: line.1)
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

/// What only a Type 2 tag has: its product, locks, password, mirror and counter.
struct TagDetails {
  let tag: Type2Tag
  let counter: Int?

  /// Reads what identifying left out.
  init(_ tag: Type2Tag, over channel: some TagChannel) async throws(TagError) {
    self.tag = try await tag.readingVersion(over: channel)
    counter = try await tag.readCounter(over: channel)
  }

  var json: JSONValue {
    .object([
      ("version", JSONValue(tag.version?.hexadecimal)),
      ("vendor", JSONValue(vendor)),
      (
        "storageBytes",
        storage.map { .array([.integer($0.lowerBound), .integer($0.upperBound)]) } ?? .null
      ),
      ("pages", .integer(tag.layout.pageCount)),
      ("userBytes", .integer(userByteCount)),
      ("capabilityContainer", JSONValue(tag.capabilityContainer?.bytes.hexadecimal)),
      ("staticLocks", JSONValue(tag.staticLockBytes?.hexadecimal)),
      ("dynamicLocks", JSONValue(tag.dynamicLockBytes?.hexadecimal)),
      ("lockedPages", .array(tag.lockedPages.map(JSONValue.integer))),
      ("firstProtectedPage", JSONValue(tag.firstProtectedPage)),
      ("configuration", tag.configuration.map(json) ?? .null),
      ("mirror", tag.mirror.map(json) ?? .null),
      ("counter", JSONValue(counter)),
    ])
  }

  private func json(_ configuration: Type2Configuration) -> JSONValue {
    .object([
      ("bytes", .string(configuration.bytes.hexadecimal)),
      ("protectsReading", .bool(configuration.protectsReading)),
      ("wrongPasswordLimit", .integer(configuration.wrongPasswordLimit)),
      ("locked", .bool(configuration.isLocked)),
      ("counterEnabled", .bool(configuration.counterIsEnabled)),
      ("counterNeedsPassword", .bool(configuration.counterNeedsPassword)),
    ])
  }

  private func json(_ mirror: TagMirror) -> JSONValue {
    .object([
      ("shows", .string(mirror.kind.placeholder)), ("page", .integer(mirror.page)),
      ("byte", .integer(mirror.byte)),
    ])
  }

  /// One line for each thing there is to say.
  var lines: [String] {
    [
      ("product", product), ("NDEF", container), ("locks", locks), ("password", password),
      ("mirror", mirror), ("counter", count),
    ].compactMap { name, text in text.map { "  \(name.padding(to: 9)) \($0)" } }
  }

  private var userByteCount: Int { tag.layout.userPages.count * TagMemory.pageByteCount }

  /// How much user memory the chip says it has, at least and at most.
  private var storage: ClosedRange<Int>? { tag.productVersion?.storageByteCount }

  private var vendor: String? {
    tag.productVersion.map { $0.vendor == 4 ? "NXP" : "number \($0.vendor)" }
  }

  private var product: String {
    var text = "\(userByteCount) bytes of user memory on \(tag.layout.pageCount) pages"
    if let vendor { text += ", chip by \(vendor)" }
    if let version = tag.version { text += " (version \(version.hexadecimal))" }
    return text
  }

  private var container: String? {
    guard let container = tag.capabilityContainer else { return nil }
    let bytes = "capability container \(container.bytes.hexadecimal)"
    guard container.isNDEF else { return bytes + ", not one of NDEF" }
    let access =
      switch container.writeAccess {
      case 0x0: "everybody may write"
      case 0xF: "nobody may write, for good"
      default: "writing needs a secret"
      }
    return "\(container.dataAreaByteCount) bytes, \(access) (\(bytes))"
  }

  private var locks: String {
    let pages = tag.lockedPages
    let user = Array(tag.layout.userPages)
    let locked =
      pages.isEmpty
      ? "no page is locked"
      : Set(user).isSubset(of: pages)
        ? "every page is locked for good" : "locked for good: pages \(ranges(pages))"
    return tag.configuration?.isLocked == true
      ? "\(locked); the configuration is locked for good" : locked
  }

  private var password: String? {
    guard let page = tag.firstProtectedPage else {
      guard tag.isPasswordProtected == true else { return nil }
      return "pages cannot be read, so a password guards them"
    }
    if tag.layout.tripleDESPage != nil {
      return "a 3DES key guards the tag from page \(page) on"
    }
    guard let configuration = tag.configuration else {
      return "needed from page \(page) on, to read too"
    }
    let access = configuration.protectsReading ? "to read and to write" : "to write"
    let limit = configuration.wrongPasswordLimit
    guard limit > 0 else { return "needed \(access) from page \(page) on, any number of tries" }
    return
      "needed \(access) from page \(page) on; after \(limit) wrong ones in a row (AUTHLIM) those pages "
      + "are closed to everybody, for good"
  }

  private var mirror: String? {
    tag.mirror.map {
      "shows \($0.kind.placeholder) over its memory from page \($0.page), byte \($0.byte) on"
    }
  }

  private var count: String? {
    if let counter { return counter == 1 ? "read once" : "read \(counter) times" }
    guard let configuration = tag.configuration, configuration.counterIsEnabled else { return nil }
    return "counts its readings, but tells them only to who knows the password"
  }

  /// Numbers as `4-9, 12`.
  private func ranges(_ pages: [Int]) -> String {
    var ranges: [ClosedRange<Int>] = []
    for page in pages {
      if let last = ranges.last, last.upperBound + 1 == page {
        ranges[ranges.count - 1] = last.lowerBound...page
      } else {
        ranges.append(page...page)
      }
    }
    return ranges.map { $0.count == 1 ? "\($0.lowerBound)" : "\($0.lowerBound)-\($0.upperBound)" }
      .joined(separator: ", ")
  }
}
