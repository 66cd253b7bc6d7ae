import ArgumentParser
import Foundation
import Issuing
import NFCReader
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
