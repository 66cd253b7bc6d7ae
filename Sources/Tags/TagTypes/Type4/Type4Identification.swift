import CliptagBasics

extension Type4Tag {
  /// The length of the first READ BINARY of the NDEF file in bytes, sufficient for most messages.
  private static let firstReadByteCount = 64

  /// Identifies the tag on a channel and reads its NDEF message.
  ///
  /// An NTAG 424 DNA with a short message takes eight exchanges: three of GetVersion, three to
  /// select the NDEF application and its two files, and two to read these.
  ///
  /// - Parameters:
  ///   - channel: An activated tag whose SAK indicates ISO/IEC 14443-4.
  ///   - includingConfiguration: Pass `true` to read the settings of the NDEF file too, which takes
  ///     one or two more exchanges on an NTAG 424 DNA or NTAG 413 DNA.
  /// - Throws: ``TagError``: `tag-unsupported` for a message that this version cannot reach,
  ///   `tag-lost`, `tag-changed`, `reader-failed`, `cancelled`. A card without NDEF application is
  ///   not an error; ``content`` reports it.
  public static func identify(
    over channel: some TagChannel, includingConfiguration: Bool = false
  ) async throws(TagError) -> Type4Tag {
    var identification = Identification(commands: Type4Commands(channel))
    let tag: Type4Tag
    do throws(TagChannelError) {
      let found = try await identification.run()
      tag = includingConfiguration ? try await found.loadingSettings(over: channel) : found
    } catch {
      throw TagError(error, uid: channel.target.uid)
    }
    if let limit = identification.limit {
      throw TagError(
        .tagUnsupported, "\(tag.name) \(tag.uid.hexadecimal): \(limit)",
        hint: "read the tag with the tool that wrote it, or use another tag", uid: tag.uid)
    }
    return tag
  }

  /// Returns the same tag with the NDEF file read up to an offset, or as far as it is readable.
  package func loading(
    upTo end: Int, over channel: some TagChannel
  ) async throws(TagChannelError) -> Type4Tag {
    guard let container = capabilityContainer, end > file.count else { return self }
    var commands = Type4Commands(channel, usesFirstMapping: usesFirstMapping)
    var tag = self
    let rest = try await commands.read(
      file.count..<min(end, container.fileByteCount), of: container)
    tag.file += rest.bytes
    tag.exchanges += commands.exchanges
    return tag
  }

  /// The state given by the beginning of an NDEF file: empty, torn or the length of the message.
  static func content(
    of file: [UInt8], _ container: Type4CapabilityContainer
  ) -> (content: TagContent, end: Int)? {
    let start = container.lengthByteCount
    guard file.count >= start else { return nil }
    let length = file.prefix(start).reduce(0) { $0 << 8 | Int($1) }
    guard length > 0 else { return (.empty, start) }
    guard start + length <= container.fileByteCount else { return (.torn(page: nil), start) }
    guard start + length <= file.count else { return (.unreadable(page: nil), start + length) }
    return (.message(Array(file[start..<start + length])), start + length)
  }

  private struct Identification<Channel: TagChannel> {
    var commands: Type4Commands<Channel>
    var version: [UInt8]?
    /// The reason why a permitted message is not read.
    var limit: String?

    mutating func run() async throws(TagChannelError) -> Type4Tag {
      version = try await commands.version()
      var answer = try await commands.selectApplication()
      if answer?.status != .done {
        commands.usesFirstMapping = true
        let older = try await commands.selectApplication()
        if older?.status == .done { answer = older }
      }
      guard let answer else {
        return tag(.notNDEF, "it did not respond to the selection of its NDEF application")
      }
      guard answer.status == .done else {
        return tag(.notNDEF, "it has no NDEF application (\(answer.status))")
      }
      let read = try await readContainer()
      guard let container = Type4CapabilityContainer(read.bytes) else {
        if read.status == .securityNotSatisfied {
          return tag(.unreadable(page: nil), "a key protects its capability container")
        }
        guard read.bytes.isEmpty else {
          return tag(.notNDEF, "its capability container \(read.bytes.hexadecimal) is malformed")
        }
        return tag(.notNDEF, "its capability container cannot be read\(read.reason)")
      }
      // A container that denies reading may be wrong: an attempt to read the file decides.
      return try await readMessage(container)
    }

    private mutating func readContainer() async throws(TagChannelError) -> Type4FileBytes {
      let usual = Type4CapabilityContainer.usualByteCount
      let read = try await commands.read(
        0..<usual, of: Type4CapabilityContainer.fileID, inPiecesOf: usual)
      guard read.bytes.count == usual, Type4CapabilityContainer(read.bytes) == nil else {
        return read
      }
      let count = Int(read.bytes[0]) << 8 | Int(read.bytes[1])
      let end = min(count, Type4CapabilityContainer.largestByteCount)
      guard end > usual else { return read }
      var rest = try await commands.read(
        usual..<end, of: Type4CapabilityContainer.fileID, inPiecesOf: usual)
      rest.bytes = read.bytes + rest.bytes
      return rest
    }

    private mutating func readMessage(
      _ container: Type4CapabilityContainer
    ) async throws(TagChannelError) -> Type4Tag {
      let first = min(firstReadByteCount, container.fileByteCount)
      var read = try await commands.read(0..<first, of: container)
      guard var found = Type4Tag.content(of: read.bytes, container) else {
        switch read.status {
        case Type4Status.securityNotSatisfied:
          return tag(.unreadable(page: nil), "a key protects its NDEF file", container)
        case Type4Status.fileNotFound:
          return tag(.notNDEF, "its NDEF file does not exist\(read.reason)", container)
        default:
          return tag(.notNDEF, "its NDEF file cannot be read\(read.reason)", container)
        }
      }
      let messageByteCount = found.end - container.lengthByteCount
      if messageByteCount > Type4Limits.largestMessageByteCount {
        limit =
          "its length field has \(messageByteCount) bytes, and the limit for messages is "
          + "\(Type4Limits.largestMessageByteCount)"
      } else if found.end > read.bytes.count {
        let rest = try await commands.read(read.bytes.count..<found.end, of: container)
        read.bytes += rest.bytes
        found = Type4Tag.content(of: read.bytes, container) ?? found
        if found.end > read.bytes.count && rest.status != .securityNotSatisfied {
          limit =
            "its message of \(found.end - container.lengthByteCount) bytes cannot be read past "
            + "offset \(read.bytes.count)\(rest.reason)"
        }
      }
      let isCut = found.end > read.bytes.count
      let problem = isCut ? "a key protects the end of its message" : ""
      var result = tag(found.content, problem, container)
      result.file = read.bytes
      return result
    }

    private func tag(
      _ content: TagContent, _ problem: String, _ container: Type4CapabilityContainer? = nil
    ) -> Type4Tag {
      Type4Tag(
        target: commands.channel.target, version: version, capabilityContainer: container,
        content: content, problem: problem, file: [], exchanges: commands.exchanges)
    }
  }
}

/// The bytes of a file, and the tag's status if they end too early.
struct Type4FileBytes {
  var bytes: [UInt8] = []
  /// The status that ended the reading; `nil` if the tag did not answer, or if everything was read.
  var status: Type4Status?

  /// The status in parentheses, for a sentence.
  var reason: String { status.map { " (\($0))" } ?? "" }
}

extension Type4Commands {
  /// Reads part of the NDEF file.
  mutating func read(
    _ range: Range<Int>, of container: Type4CapabilityContainer
  ) async throws(TagChannelError) -> Type4FileBytes {
    try await read(
      range, of: container.fileID,
      inPiecesOf: Type4Limits.pieceByteCount(container.maximumReadByteCount, over: channel))
  }

  /// Reads part of a file, as far as it is readable.
  mutating func read(
    _ range: Range<Int>, of file: UInt16, inPiecesOf pieceByteCount: Int
  ) async throws(TagChannelError) -> Type4FileBytes {
    var result = Type4FileBytes()
    while result.bytes.count < range.count {
      let offset = range.lowerBound + result.bytes.count
      // A command's two parameter bytes hold no offset above 7FFF; a piece may extend across it.
      let room = offset > Type4Limits.largestShortOffset ? Type4Limits.offsetOverhead : 0
      let count = min(range.upperBound - offset, max(1, pieceByteCount - room))
      let answer = try await read(count, at: offset, of: file)
      guard let answer, answer.status.isData, !answer.data.isEmpty else {
        result.status = answer?.status
        return result
      }
      result.bytes += answer.data.prefix(count)
    }
    return result
  }
}
