import CliptagBasics
public import Foundation
import Issuing
import NFCReader
import TagTypes

/// Copies the memory of the tag on the reader to a file.
public struct DumpTag: Job {
  /// The file; `nil` to return the bytes alone.
  public var path: String?
  /// Whether the dump is JSON that names the tag, the time and every page; else it is the bytes.
  public var isDescribed: Bool
  /// Whether no file is written.
  public var dryRun = false
  /// The tag's password.
  public var access = TagAccess()

  /// Makes a job.
  ///
  /// - Parameter path: The file, which is JSON if its name ends in `.json`; `nil` to return the
  ///   bytes of the memory.
  public init(to path: String? = nil) {
    self.path = path
    isDescribed = path?.lowercased().hasSuffix(".json") ?? false
  }

  /// The dump of a finished job.
  public struct Output: Sendable {
    /// The content of the file.
    public let bytes: [UInt8]
    /// The result of the contract.
    public let result: DumpTagResult
  }

  /// Reads the tag and writes the file.
  ///
  /// - Throws: `NFCReaderError`; ``TagReader/Failed`` with the error of the tag; `IssuingError` if
  ///   the file cannot be written.
  public func run(
    in workplace: Workplace, reporting report: @Sendable (TagEvent) -> Void
  ) async throws -> Output {
    try await run(on: workplace.reader, at: workplace.now(), reporting: report)
  }

  /// Dumps the tag on a reader; no registry is needed.
  ///
  /// - Parameters:
  ///   - reader: The reader.
  ///   - time: The time that the dump states.
  ///   - report: Receives the steps.
  /// - Throws: The errors of ``run(in:reporting:)``.
  public func run(
    on reader: TagReader, at time: Date = Date(), reporting report: (TagEvent) -> Void = { _ in }
  ) async throws -> Output {
    let made = try await reader.withTag(reporting: report) { tag, reader in
      let channel = try await access.open(tag, reporting: report)
      let found = try await Tag.identify(over: channel, includingConfiguration: true)
      try found.checkIsWritten()
      switch found {
      case .type2(let tag):
        return try output(try await tag.dump(over: channel), tag.mirror, time, reader, report)
      case .type4(let tag): return output(try await tag.dump(over: channel), time, reader, report)
      case .type5(let tag): return output(try await tag.dump(over: channel), time, reader, report)
      }
    }
    if let path, !dryRun { try AtomicFile(path: path, bytes: made.bytes).commit() }
    return made
  }

  private func output(
    _ dump: Type2Dump, _ mirror: TagMirror?, _ time: Date, _ reader: String,
    _ report: (TagEvent) -> Void
  ) throws(TagError) -> Output {
    let bytes =
      isDescribed
      ? TagDumpFile.text(dump, mirror: mirror, time: time) : try TagDumpFile.bare(dump)
    if !dump.unreadablePages.isEmpty {
      report(
        .warning(
          "pages that cannot be read, \(isDescribed ? "null" : "zero") in the dump: "
            + "\(dump.unreadablePages)"))
    }
    if let mirror {
      report(
        .warning(
          "from page \(mirror.page) on the dump contains \(mirror.kind.characterCount) "
            + "characters that the tag mirrors over its memory (\(mirror.kind.name))"))
    }
    return Output(
      bytes: bytes,
      result: DumpTagResult(
        reader: reader, uid: dump.uid.hexadecimal, tagType: dump.name, output: path ?? "-",
        bytes: bytes.count, unreadablePages: dump.unreadablePages, mirror: mirror?.kind.name,
        dryRun: dryRun))
  }

  private func output(
    _ dump: TagFileDump, _ time: Date, _ reader: String, _ report: (TagEvent) -> Void
  ) -> Output {
    let bytes = isDescribed ? dump.text(time: time) : dump.bare
    if dump.unreadableByteCount > 0 {
      report(.warning("\(dump.unreadableByteCount) bytes cannot be read"))
    }
    if !isDescribed, dump.parts.count > 1 {
      report(
        .warning(
          "the file contains only the NDEF file; a .json file has the capability container, too"
        ))
    }
    return Output(
      bytes: bytes,
      result: DumpTagResult(
        reader: reader, uid: dump.uid.hexadecimal, tagType: dump.name, output: path ?? "-",
        bytes: bytes.count, unreadablePages: [], mirror: nil, dryRun: dryRun))
  }
}

/// The result of dumping a tag: the `dump` object of the command's contract.
public struct DumpTagResult: Encodable, Sendable {
  /// The type of the object.
  public let type = "dump"
  /// The connection string of the reader.
  public let reader: String
  /// The tag's UID in hexadecimal.
  public let uid: String
  /// The tag's product.
  public let tagType: String
  /// The file; `-` for none.
  public let output: String
  /// The size of the file.
  public let bytes: Int
  /// The pages that cannot be read.
  public let unreadablePages: [Int]
  /// The name of what the tag shows over its memory.
  public let mirror: String?
  /// Whether no file was written.
  public let dryRun: Bool
}
