/// What executing a plan did.
public struct WriteReport: Hashable, Sendable {
  /// The tag as it was read back and compared, or as it was planned when nothing was to do.
  public let tag: Type2Tag
  /// Bytes of the message the tag holds now.
  public let byteCount: Int
  /// How many pages were written; a page that was withdrawn and published counts twice.
  public let pagesWritten: Int
  /// Whether the tag held the message already.
  public let wasAlreadyCorrect: Bool
  /// Commands and selections the execution took.
  public let exchanges: Int
}

extension WritePlan {
  /// Writes the pages, then switches the field off and on, reads everything back and compares.
  ///
  /// A write that is refused is repeated twice. Stopped at any point, the tag holds the old
  /// message, none, or the new one, and the same job run again finishes it. Cancelling the task
  /// stops before the next page.
  ///
  /// - Parameter channel: The tag the plan was made for.
  /// - Throws: ``TagError``: `tag-changed` (another tag: nothing is written to it), `torn-write`
  ///   (the tag left; even when the first write stayed unanswered, for it may have been carried
  ///   out), `tag-lost` (it left after it refused the first page), `tag-locked`, `tag-password` or
  ///   `write-refused` with the page that was refused, `verify-failed` with the page that
  ///   differs, `reader-failed`, `cancelled`.
  public func execute(over channel: some TagChannel) async throws(TagError) -> WriteReport {
    guard channel.target.uid == tag.uid else {
      throw TagError(TagChannelError(.tagChanged, "the UID differs"), uid: tag.uid)
    }
    guard !isAlreadyCorrect else {
      return WriteReport(
        tag: tag, byteCount: message.count, pagesWritten: 0, wasAlreadyCorrect: true,
        exchanges: 0)
    }
    var commands = Type2Commands(channel)
    for (index, step) in steps.enumerated() {
      let isWritten: Bool
      do throws(TagChannelError) {
        isWritten = try await commands.write(step.after, to: step.page)
      } catch {
        throw stopped(error, afterWriting: index, isNextUnknown: commands.exchanges > 0)
      }
      if !isWritten { throw await refused(at: index, over: channel) }
    }
    let result = try await readBack(&commands)
    return WriteReport(
      tag: result, byteCount: message.count, pagesWritten: steps.count, wasAlreadyCorrect: false,
      exchanges: commands.exchanges + result.exchanges - tag.exchanges)
  }

  /// Reads the tag as if it had just come, and compares.
  private func readBack<Channel: TagChannel>(
    _ commands: inout Type2Commands<Channel>
  ) async throws(TagError) -> Type2Tag {
    var result: Type2Tag
    do throws(TagChannelError) {
      try await commands.restart()
      result = try await tag.readingAgain(through: lastPage, over: commands.channel)
      if let page = firstDifference(in: result) {
        // Before blaming the tag: one answer may have been garbled.
        result.memory.forget(page)
        result = try await result.loading(page...page, over: commands.channel)
      }
    } catch {
      throw stopped(error, afterWriting: steps.count)
    }
    if let page = firstDifference(in: result) { throw different(page, in: result) }
    return result
  }

  /// The first page that is not as planned, the capability container included.
  private func firstDifference(in result: Type2Tag) -> Int? {
    var expected = pages
    expected[3] = steps.last { $0.page == 3 }?.after ?? tag.memory[3]
    return expected.keys.sorted().first { page in
      expected[page].map { !result.shows($0, on: page) } ?? false
    }
  }

  private func different(_ page: Int, in result: Type2Tag) -> TagError {
    let expected = (pages[page] ?? tag.layout.capabilityContainer).hexadecimal
    let found = result.memory[page].map { "reads \($0.hexadecimal)" } ?? "cannot be read"
    return TagError(
      .verifyFailed,
      "page \(page) of \(tag.name) \(tag.uid.hexadecimal) \(found) after \(expected) was "
        + "written",
      remedy: "run the same command again; if the page differs again, discard the tag",
      page: page, uid: tag.uid)
  }

  /// What a page that was refused three times means, by the lock bits and AUTH0 as they are now.
  private func refused(at index: Int, over channel: some TagChannel) async -> TagError {
    let page = steps[index].page
    var fresh = tag
    fresh.memory.forget(2)
    if let pages = tag.configurationPages {
      for page in pages { fresh.memory.forget(page) }
    }
    do throws(TagChannelError) {
      fresh = try await fresh.loading(2...2, over: channel)
      fresh = try await fresh.loadingConfiguration(over: channel)
    } catch {
      return stopped(error, afterWriting: index)
    }
    do throws(TagError) {
      try fresh.checkProtection(of: page)
    } catch {
      return error
    }
    let state = index == 0 ? "nothing was written" : "the tag reads as empty"
    return TagError(
      .writeRefused,
      "\(tag.name) \(tag.uid.hexadecimal) refused to write page \(page); \(state)",
      remedy: "run the same command again; if the page is refused again, discard the tag",
      page: page, uid: tag.uid)
  }

  /// What a failure of the channel means after `count` steps were acknowledged.
  ///
  /// - Parameter isNextUnknown: Whether the next step was sent as well, perhaps, so that its page
  ///   may be as before, as wanted, or half of each.
  private func stopped(
    _ error: TagChannelError, afterWriting count: Int, isNextUnknown: Bool = false
  ) -> TagError {
    guard count > 0 || isNextUnknown else { return TagError(error, uid: tag.uid) }
    let isWritten = count == steps.count
    let pages = steps.count == 1 ? "page" : "pages"
    let written = "\(count) of \(steps.count) \(pages) of tag \(tag.uid.hexadecimal)"
    let done =
      count == 0
      ? "page \(steps[0].page) of tag \(tag.uid.hexadecimal) was being written"
      : "\(written) had been written" + (isWritten ? " but not yet read back" : "")
    let again = "nothing is lost: put the tag back and run the same command again"
    let (code, message): (TagError.Code, String) =
      switch error.code {
      case .tagLost: (.tornWrite, "the tag left when \(done)")
      case .tagChanged: (.tagChanged, "another tag came when \(done); it was not written to")
      case .cancelled: (.cancelled, "stopped when \(done)")
      default: (.readerFailed, "the reader failed when \(done): \(error.message)")
      }
    return TagError(
      code, message, remedy: again, page: isWritten ? nil : steps[count].page, uid: tag.uid,
      underlying: error)
  }
}
