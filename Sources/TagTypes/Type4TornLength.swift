import NDEF

extension Type4Tag {
  /// How long messages are that ``messageUnderTornLength(over:)`` finds; longer than any URL that is
  /// issued.
  private static let longestTornMessage = 4096

  /// The whole message of a tag that left while its length field was set to 0.
  ///
  /// The field of a message of 256 bytes or more has several bytes that are not 0. Stopped between
  /// them, it says fewer bytes than the message has, which is all there. No phone reads it, and who
  /// wrote it has to know it again.
  ///
  /// - Returns: `nil` when no longer length makes an NDEF message of what the file holds.
  /// - Throws: ``TagError``: `tag-lost`, `tag-changed`, `reader-failed`, `cancelled`.
  package func messageUnderTornLength(
    over channel: some TagChannel
  ) async throws(TagError) -> [UInt8]? {
    guard let container = capabilityContainer, case .message(let cut) = content,
      cut.count < 0x100
    else { return nil }
    let start = container.lengthByteCount
    let longest = min(container.capacity, Self.longestTornMessage)
    guard longest > 0xFF else { return nil }
    let tag: Type4Tag
    do throws(TagChannelError) {
      tag = try await loading(upTo: start + longest, over: channel)
    } catch {
      throw TagError(error, uid: uid)
    }
    for count in stride(from: 0x100 + cut.count, through: longest, by: 0x100)
    where start + count <= tag.file.count {
      let message = Array(tag.file[start..<start + count])
      if (try? NDEFMessage(decoding: message)) != nil { return message }
    }
    return nil
  }
}
