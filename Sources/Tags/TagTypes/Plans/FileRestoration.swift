import CliptagBasics
import NDEF

extension Tag {
  /// Plans to restore the message of a dump of a Type 4 or Type 5 tag, by the plan for any message.
  /// Nothing is written.
  ///
  /// Container, locks, keys and passwords do not change. If the dumped tag mirrored its UID,
  /// counter or MAC, the dump contains the text of one reading. On a tag that mirrors at the same
  /// offsets, zeros are written there; on any other, that text is stored only if `options` freeze
  /// it.
  ///
  /// - Parameter overwritingForeignData: Pass `true` to format a tag that is neither formatted nor
  ///   blank.
  /// - Throws: ``TagError``: `dump-mismatch` for a tag of another type than the dump, or a dump
  ///   without an NDEF message; `mirrored-text` if a mirror would make wrong text of it; otherwise
  ///   as ``planWrite(_:over:overwritingForeignData:)-(NDEFMessage,_,_)``.
  package func planRestore(
    _ dump: TagFileDump, options: RestoreOptions, overwritingForeignData: Bool,
    over channel: some TagChannel
  ) async throws(TagError) -> RestorePlan {
    let dumped = try await dump.identify()
    guard (type4 == nil) == (dumped.type4 == nil), (type5 == nil) == (dumped.type5 == nil) else {
      throw TagError(
        .dumpMismatch,
        "the dump is of an \(dump.name), but the tag is \(name) \(uid.hexadecimal)",
        hint: "use a tag of the same kind, or write the URL with tag write", uid: uid)
    }
    var notes: [RestorePlan.Note] = dump.lockedBlocks?.isEmpty == false ? [.locksLeft] : []
    switch dumped.content {
    case .empty:
      return RestorePlan(write: try await planErase(over: channel), result: dumped, notes: notes)
    case .message(let bytes):
      let text = try await settled(bytes, of: dump, options, &notes, over: channel)
      var result = dumped
      if case .type4(var tag) = dumped {
        tag.content = .message(text)
        result = .type4(tag)
      }
      let message: NDEFMessage
      do throws(NDEFError) {
        message = try NDEFMessage(decoding: text)
      } catch {
        throw noMessage
      }
      let write = try await planWrite(
        message, over: channel, overwritingForeignData: overwritingForeignData)
      return RestorePlan(write: write, result: result, notes: notes)
    default: throw noMessage
    }
  }

  /// The error for a dump without a message.
  var noMessage: TagError {
    TagError(
      .dumpMismatch, "the dump contains no NDEF message to restore",
      hint: "take another dump", uid: uid)
  }

  /// The message to store: the text that the dumped tag mirrored is replaced by zeros, or frozen.
  private func settled(
    _ message: [UInt8], of dump: TagFileDump, _ options: RestoreOptions,
    _ notes: inout [RestorePlan.Note], over channel: some TagChannel
  ) async throws(TagError) -> [UInt8] {
    guard case .type4(let tag) = self, let container = tag.capabilityContainer else {
      return message
    }
    let shown = dump.mirrored ?? []
    // In the file the message follows its length.
    let start = container.lengthByteCount
    let places = shown.map {
      ($0.lowerBound - start..<$0.upperBound - start).clamped(to: message.indices)
    }
    guard places.contains(where: { !$0.isEmpty }) else { return message }
    let settings: [Range<Int>]?
    do throws(TagChannelError) {
      settings = try await tag.loadingSettings(over: channel).settings?.mirrored
    } catch {
      throw TagError(error, uid: uid)
    }
    if settings == shown {
      notes.append(.zerosUnderMirror)
      return places.reduce(into: message) { message, range in
        message.replaceSubrange(
          range, with: repeatElement(UInt8(ascii: "0"), count: range.count))
      }
    }
    guard options.freezesMirror else {
      throw TagError(
        .mirroredText,
        "the dump contains text that tag \(dump.uid.hexadecimal) mirrored into its message; restored, it would "
          + "be stored text on \(uid.hexadecimal)",
        hint: "write the URL with tag write, or freeze the mirror to keep the text",
        offset: shown.first?.lowerBound, uid: uid)
    }
    notes.append(.messageFrozen)
    return message
  }
}
