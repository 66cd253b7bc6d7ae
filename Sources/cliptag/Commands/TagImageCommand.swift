import ArgumentParser
import Deployment
import Invocation
import Registry
import TagTypes

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
    let check = InvocationCheck(directory: registry, engine: matching.matching)
    guard let approval = try console.approve(url, check, unregistered: unregistered) else { return }
    let image = try TagImage(
      url, byteCount: size, blockByteCount: blockSize, readsSeveralBlocks: readMultiple,
      as: TagImage.Format(fileName: output))
    let ledger = CodeLedger(registry: registry, who: Operator.name)
    let code = dryRun ? nil : try await write(image, approval, ledger, console)
    guard output != "-" else { return }
    console.result(json(image, code), text: text(image, code))
  }

  /// The file is complete beside its destination before the code is recorded, and only renamed
  /// after: a full disk or a busy registry leaves neither a file nor a record.
  private func write(
    _ image: TagImage, _ approval: Approval, _ ledger: CodeLedger, _ console: Console
  ) async throws -> CodeID {
    guard output != "-" else {
      let code = try await ledger.recordImage(approval, output: output, tagType: Self.tagType)
      console.write(image.bytes)
      return code
    }
    let file = try AtomicFile(path: output, bytes: image.bytes)
    let code = try await ledger.recordImage(approval, output: output, tagType: Self.tagType)
    try file.commit()
    return code
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

  private func text(_ image: TagImage, _ code: CodeID?) -> String {
    """
    \(dryRun ? "would write" : "wrote") \(output)
      code      \(code?.description ?? "none")
      memory    \(size) bytes of a Type 5 tag, blocks of \(blockSize); the message takes \
    \(image.messageByteCount) of \(image.memory.capacity) bytes, read back
    """
  }
}
