import CliptagBasics
import ArgumentParser
import Foundation
import Invocation
import Issuing
import NFCReader
import Registry
import TagTypes

/// `cliptag tag dump FILE`
struct TagDumpCommand: ConsoleCommand {
  static let configuration = CommandConfiguration(
    commandName: "dump",
    abstract: "Copy the tag's memory to a file.",
    discussion: """
      A file that ends in .json says what it holds: tag type, UID, time, what the tag showed over \
      its memory, and every page, or that it could not be read. Any other file holds every page in \
      order, four bytes each, zero for one that cannot be read. Passwords always read as zero. Of a \
      Type 4 tag the capability container and the NDEF file are kept, bare the NDEF file alone; of a \
      Type 5 tag every block; of these dumps the message is restored.

      Examples:
        cliptag tag dump tag.json
        cliptag tag dump tag.bin
        cliptag tag dump - | xxd
      """)

  @Argument(help: "The file; - for standard output.", completion: .file())
  var file: String
  @Flag(name: [.long, .customShort("n")], help: "Read the tag, but write no file.")
  var dryRun = false
  @OptionGroup var reader: ReaderOptions
  @OptionGroup var password: TagPasswordOptions
  @OptionGroup var global: GlobalOptions

  func execute(_ console: Console) async throws {
    if file == "-", global.json {
      throw ValidationError("--json and - both want standard output: name a file.")
    }
    let isText = file.lowercased().hasSuffix(".json")
    let made = try await reader.withTag(console) { tag, name -> Dump? in
      let channel = try await password.open(tag, console)
      let found = try await Tag.identify(over: channel, includingConfiguration: true)
      try found.checkIsWritten()
      if let tag = found.type2 {
        let dump = try await tag.dump(over: channel)
        return Dump(dump, mirror: tag.mirror, isText: isText, reader: name)
      }
      let dump =
        if let tag = found.type4 { try await tag.dump(over: channel) } else {
          try await found.type5?.dump(over: channel)
        }
      return dump.map { Dump($0, isText: isText, reader: name) }
    }
    guard let made else { return }
    for warning in made.warnings { console.say("warning: \(warning)") }
    if file == "-" {
      console.write(made.bytes)
      return
    }
    if !dryRun { try AtomicFile(path: file, bytes: made.bytes).commit() }
    console.result(
      .object([
        ("type", "dump"), ("reader", .string(made.reader)), ("uid", .string(made.uid.hexadecimal)),
        ("tagType", .string(made.tagType)), ("output", .string(file)),
        ("bytes", .integer(made.bytes.count)),
        ("unreadablePages", .array(made.unreadablePages.map(JSONValue.integer))),
        ("mirror", JSONValue(made.mirror?.kind.name)), ("dryRun", .bool(dryRun)),
      ]),
      text: """
        \(dryRun ? "would write" : "wrote") \(file): \(made.bytes.count) bytes of \(made.tagType) \
        \(made.uid.hexadecimal)
        """)
  }
}

/// A dump of any kind of tag, in the form in which it is written.
private struct Dump {
  let uid: [UInt8]
  let tagType: String
  let bytes: [UInt8]
  let reader: String
  var unreadablePages: [Int] = []
  var mirror: TagMirror?
  var warnings: [String] = []

  init(_ dump: Type2Dump, mirror: TagMirror?, isText: Bool, reader: String) {
    (uid, tagType, self.reader, self.mirror) = (dump.uid, dump.name, reader, mirror)
    bytes = isText ? TagDumpFile.text(dump, mirror: mirror, time: Date()) : TagDumpFile.bare(dump)
    unreadablePages = dump.unreadablePages
    if !dump.unreadablePages.isEmpty {
      warnings.append(
        "pages that cannot be read, \(isText ? "null" : "zero") in the dump: "
          + "\(dump.unreadablePages)")
    }
    if let mirror {
      warnings.append(
        "from page \(mirror.page) on the dump holds \(mirror.kind.characterCount) "
          + "characters that the tag shows over its memory (\(mirror.kind.name))")
    }
  }

  init(_ dump: TagFileDump, isText: Bool, reader: String) {
    (uid, tagType, self.reader) = (dump.uid, dump.name, reader)
    bytes = isText ? dump.text(time: Date()) : dump.bare
    if dump.unreadableByteCount > 0 {
      warnings.append("\(dump.unreadableByteCount) bytes cannot be read")
    }
    if !isText, dump.parts.count > 1 {
      warnings.append(
        "the file holds the NDEF file alone; one that ends in .json has the capability container, too"
      )
    }
  }
}

/// `cliptag tag image URL -o FILE`
struct TagImageCommand: ConsoleCommand {
  static let configuration = CommandConfiguration(
    commandName: "image",
    abstract: "Make the memory of an NFC Type 5 tag as a file, for another writer.",
    discussion: """
      Readers with a PN53x cannot write Type 5 tags (ISO 15693), which Apple advises for App Clip \
      codes; with a PC/SC reader that reaches them, such as the ACR1552U, tag write does. For any \
      other writer, an encoder or an ST25R with its own tool, write the file from block 0 on. The size is that of the tag's user memory: 112 for \
      an ICODE SLIX, 316 for a SLIX2, 512 for an ST25DV04K. A file that ends in .txt or .hex holds \
      hexadecimal, one block a line; any other the bytes.

      Examples:
        cliptag tag image https://fruta.example.com/order/cupertino \\
          -o cupertino.bin --size 512
        cliptag tag image https://fruta.example.com/order/cupertino \\
          -o cupertino.txt --size 112
      """)

  /// The kinds of tags whose memory can be made.
  enum Kind: String, ExpressibleByArgument, CaseIterable {
    case type5
  }

  @Argument(help: "The invocation URL.")
  var url: String
  @Option(
    name: [.short, .long],
    help: ArgumentHelp("The file; - for standard output.", valueName: "file"),
    completion: .file())
  var output: String
  @Option(help: "The kind of tag, type5.")
  var type = Kind.type5
  @Option(
    parsing: .unconditional,
    help: ArgumentHelp("Bytes of the tag's memory.", valueName: "bytes"))
  var size: Int
  @Option(
    parsing: .unconditional,
    help: ArgumentHelp("Bytes in one block of it.", valueName: "bytes"))
  var blockSize = 4
  @Flag(
    inversion: .prefixedNo,
    help: """
      Whether the memory tells readers that the tag reads several blocks at once; iPhones are reported not to \
      read such a tag.
      """)
  var readMultiple = false
  @OptionGroup var approvals: ApprovalOptions
  @Flag(name: [.long, .customShort("n")], help: "Make and prove the memory, but write nothing.")
  var dryRun = false
  @OptionGroup var matching: MatchingOptions
  @OptionGroup var global: GlobalOptions

  func validate() throws {
    if global.json, output == "-" {
      throw ValidationError("--json and -o - both want standard output: name a file.")
    }
  }

  func execute(_ console: Console) async throws {
    let registry =
      dryRun ? try global.registryForReading(console) : try global.registryForWriting()
    let issuer = Issuer(
      registry: registry, who: registry.who, engine: matching.matching, isRehearsal: dryRun)
    try await console.showingRefusal {
      let approval = try console.approved(url, issuer.check, approvals)
      let image = try TagImage(
        url, byteCount: size, blockByteCount: blockSize, readsSeveralBlocks: readMultiple,
        as: TagImage.Format(fileName: output))
      let code = try await issuer.write(
        image, for: approval, to: console.destination(output), tagType: Self.tagType)
      guard output != "-" else { return }
      console.result(json(image, approval, code), text: text(image, code))
    }
  }

  private static let tagType = "Type 5"

  private func json(_ image: TagImage, _ approval: Approval, _ code: CodeID?) -> JSONValue {
    .object([
      ("type", "issue"), ("output", .string(output)), ("url", .string(url)),
      ("version", .null), ("errorCorrection", .null), ("moduleSize", .null), ("width", .null),
      ("verified", .bool(true)), ("code", JSONValue(code?.description)),
      ("dryRun", .bool(dryRun)), ("findings", .array(approval.verification.findings.map(\.json))),
      ("tagType", .string(Self.tagType)),
      ("bytes", .integer(image.messageByteCount)), ("capacity", .integer(image.memory.capacity)),
      ("size", .integer(size)), ("blockSize", .integer(blockSize)),
    ])
  }

  private func text(_ image: TagImage, _ code: CodeID?) -> ConsoleText {
    """
    \(dryRun ? "would write" : "wrote") \(output)
      code      \(code?.description ?? "none")
      memory    \(size) bytes of a Type 5 tag, blocks of \(blockSize); the message takes \
    \(image.messageByteCount) of \(image.memory.capacity) bytes, read back
    """
  }
}
