import Basics
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
      order, four bytes each, zero for one that cannot be read. Passwords always read as zero.

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
    let (dump, mirror, name) = try await reader.withTag(console) { tag, name in
      let channel = try await password.open(tag, console)
      let found = try await Tag.identify(over: channel, includingConfiguration: true)
      guard let tag = found.type2 else {
        throw TagError(
          .tagUnsupported,
          "\(found.name) \(found.uid.hexadecimal) is not a Type 2 tag, and only those are dumped",
          hint: "look at it with tag info", uid: found.uid)
      }
      return (try await tag.dump(over: channel), tag.mirror, name)
    }
    let isText = file.lowercased().hasSuffix(".json")
    let bytes =
      isText ? TagDumpFile.text(dump, mirror: mirror, time: Date()) : TagDumpFile.bare(dump)
    if !dump.unreadablePages.isEmpty {
      console.say(
        "warning: pages that cannot be read, \(isText ? "null" : "zero") in the dump: "
          + "\(dump.unreadablePages)")
    }
    if let mirror {
      console.say(
        "warning: from page \(mirror.page) on the dump holds \(mirror.kind.characterCount) "
          + "characters that the tag shows over its memory (\(mirror.kind.name))")
    }
    if file == "-" {
      console.write(bytes)
      return
    }
    if !dryRun { try AtomicFile(path: file, bytes: bytes).commit() }
    console.result(
      .object([
        ("type", "dump"), ("reader", .string(name)), ("uid", .string(dump.uid.hexadecimal)),
        ("tagType", .string(dump.name)), ("output", .string(file)),
        ("bytes", .integer(bytes.count)),
        ("unreadablePages", .array(dump.unreadablePages.map(JSONValue.integer))),
        ("mirror", JSONValue(mirror?.kind.name)), ("dryRun", .bool(dryRun)),
      ]),
      text: """
        \(dryRun ? "would write" : "wrote") \(file): \(bytes.count) bytes of \(dump.name) \
        \(dump.uid.hexadecimal)
        """)
  }
}

/// `cliptag tag image URL -o FILE`
struct TagImageCommand: ConsoleCommand {
  static let configuration = CommandConfiguration(
    commandName: "image",
    abstract: "Make the memory of an NFC Type 5 tag as a file, for another writer.",
    discussion: """
      Readers with a PN53x cannot write Type 5 tags (ISO 15693), which Apple advises for App Clip \
      codes. Write the file from block 0 on with an ST25R or PN5180 reader and its own tool, or \
      with a PC/SC reader such as the ACR1552. The size is that of the tag's user memory: 112 for \
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
  @Flag(inversion: .prefixedNo, help: "Whether the tag reads several blocks at once; most do.")
  var readMultiple = true
  @Flag(help: "Issue it although the check does not accept it.")
  var unregistered = false
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
      registry: registry, who: Operator.name, engine: matching.matching, isRehearsal: dryRun)
    guard let approval = try console.approve(url, issuer.check, unregistered: unregistered) else {
      return
    }
    let image = try TagImage(
      url, byteCount: size, blockByteCount: blockSize, readsSeveralBlocks: readMultiple,
      as: TagImage.Format(fileName: output))
    let code = try await issuer.write(
      image, for: approval, to: console.destination(output), tagType: Self.tagType)
    guard output != "-" else { return }
    console.result(json(image, code), text: text(image, code))
  }

  private static let tagType = "Type 5"

  private func json(_ image: TagImage, _ code: CodeID?) -> JSONValue {
    .object([
      ("type", "issue"), ("output", .string(output)), ("url", .string(url)),
      ("version", .null), ("errorCorrection", .null), ("moduleSize", .null), ("width", .null),
      ("verified", .bool(true)), ("code", JSONValue(code?.description)),
      ("dryRun", .bool(dryRun)), ("findings", .array([])), ("tagType", .string(Self.tagType)),
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
