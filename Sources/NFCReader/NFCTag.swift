public import TagTypes

/// A tag that a reader has selected.
///
/// It stays usable until the reader is closed, or until the reader's next
/// ``NFCReader/waitForTag(timeout:)`` begins; from then on its exchanges fail with `.tagLost`.
/// Every call runs on the reader's own thread and never blocks the caller's. A call that has begun
/// is not cut short by cancellation, because a write that was sent cannot be taken back: it ends
/// by itself in at most a few seconds, on a healthy reader in milliseconds.
public struct NFCTag: TagChannel {
  /// The tag as it answered when it was selected.
  public let target: TagTarget
  /// The reader that holds the tag.
  public let reader: NFCReader
  /// Which of the reader's selections this tag came from.
  let selection: Int

  /// The most bytes of an answer: 60 on an ACR122U, else 240 for a Type 2 tag and 258 for an APDU
  /// (256 bytes and the status word).
  public let maximumAnswerByteCount: Int

  /// Sends one command and returns the answer without its CRC.
  ///
  /// READ, WRITE and COMPATIBILITY_WRITE of a Type 2 tag, every APDU of an ISO/IEC 14443-4 tag and
  /// every command of a MIFARE Classic (`60` or `61`, block, key, UID; `30`, block) are framed by
  /// the reader (InDataExchange); all other commands go out as they are, with a CRC
  /// (InCommunicateThru). An answer that is longer than the command's data sheet says is cut;
  /// one that is shorter counts as a refusal. A command that may be repeated without harm is sent
  /// once more when the line to the reader, not the tag, was at fault; an APDU never is. A command
  /// of more than 262 bytes is refused unsent.
  ///
  /// An APDU may take 2 s and four of the tag's frame waiting times, 22 s for the slowest tag that
  /// the standard permits; any other command 0.7 s.
  public func exchange(_ command: [UInt8]) async throws(TagChannelError) -> [UInt8] {
    try await reader.exchange(command, with: self)
  }

  /// Selects the same tag again, with the field switched off for a moment when asked.
  public func reselect(fieldCycle: Bool) async throws(TagChannelError) {
    try await reader.reselect(self, fieldCycle: fieldCycle)
  }
}
