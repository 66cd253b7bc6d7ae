import CliptagBasics
import ArgumentParser
import Foundation
import Invocation
import Issuing
import Jobs
import Registry
import TagTypes

/// `cliptag tag dump FILE`
struct TagDumpCommand: ConsoleCommand {
  static let configuration = CommandConfiguration(
    commandName: "dump",
    abstract: "Copy the tag's memory to a file.",
    discussion: """
      A .json file has the tag type, UID, time, mirrored text, \
      and every page, null if unreadable. Any other file contains every page in \
      order, four bytes each, and is refused if one is unreadable. Passwords always read as zero. For a \
      Type 4 tag, .json has the capability container and the NDEF file, other files the NDEF file only; for a \
      Type 5 tag, every block; from these dumps the message is restored.

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
      throw ValidationError("--json and - both use standard output: give a file.")
    }
    var job = DumpTag(to: file == "-" ? nil : file)
    job.dryRun = dryRun
    job.access = try password.access(console)
    let made = try await job.run(on: reader.tagReader) { console.show($0) }
    guard file != "-" else { return console.write(made.bytes) }
    console.result(
      of: made.result,
      text: """
        \(dryRun ? "would write" : "wrote") \(file): \(made.bytes.count) bytes of \
        \(made.result.tagType) \(made.result.uid)
        """)
  }
}

/// `cliptag tag image URL -o FILE`
struct TagImageCommand: ConsoleCommand {
  static let configuration = CommandConfiguration(
    commandName: "image",
    abstract: "Make the memory of an NFC Type 5 tag as a file, for another writer.",
    discussion: """
      Readers with a PN53x cannot write Type 5 tags (ISO 15693), which Apple recommends for App Clip \
      codes; PC/SC readers that support them, such as the ACR1552U, can. For any \
      other writer, an encoder or an ST25R with its own tool, write the file from block 0 on. The size is that of the tag's user memory: 112 for \
      an ICODE SLIX, 316 for a SLIX2, 512 for an ST25DV04K. A .txt or .hex file contains \
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
      Declare support for reading several blocks at once; iPhones are reported not to \
      read such a tag.
      """)
  var readMultiple = false
  @OptionGroup var approvals: ApprovalOptions
  @Flag(name: [.long, .customShort("n")], help: "Make and verify the memory, but write nothing.")
  var dryRun = false
  @OptionGroup var matching: MatchingOptions
  @OptionGroup var global: GlobalOptions

  func validate() throws {
    if global.json, output == "-" {
      throw ValidationError("--json and -o - both use standard output: give a file.")
    }
  }

  func execute(_ console: Console) async throws {
    var job = MakeTagImage(url: url, byteCount: size, to: console.destination(output))
    job.blockByteCount = blockSize
    job.readsSeveralBlocks = readMultiple
    job.unregistered = approvals.unregistered
    job.strict = approvals.strict
    job.dryRun = dryRun
    let workplace = try global.workplace(matching, isRehearsal: dryRun, console)
    try await console.showingRefusal { [job] in
      let made = try await job.run(in: workplace) { console.warn(of: $0) }
      guard output != "-" else { return }
      console.result(of: made.result, text: text(made.image, made.result.code))
    }
  }

  private func text(_ image: TagImage, _ code: String?) -> ConsoleText {
    """
    \(dryRun ? "would write" : "wrote") \(output)
      code      \(code ?? "none")
      memory    \(size) bytes of a Type 5 tag, blocks of \(blockSize); the message takes \
    \(image.messageByteCount) of \(image.memory.capacity) bytes, read back
    """
  }
}
