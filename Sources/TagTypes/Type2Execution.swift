extension WritePlan {
  /// Writes the pages of a Type 2 tag and reads them back; see ``execute(over:)``.
  func execute(
    on tag: Type2Tag, over channel: some TagChannel
  ) async throws(TagError) -> WriteReport {
    var commands = Type2Commands(channel)
    for (index, step) in steps.enumerated() {
      guard let page = step.page else { continue }
      let isWritten: Bool
      do throws(TagChannelError) {
        isWritten = try await commands.write(step.after, to: page)
      } catch {
        throw stopped(error, afterWriting: index, isNextUnknown: commands.exchanges > 0)
      }
      if !isWritten { throw await refused(page, at: index, on: tag, over: channel) }
    }
    let result = try await readBack(tag, &commands)
    return WriteReport(
      tag: .type2(result), byteCount: message.count, pagesWritten: changedPages.count,
      wasAlreadyCorrect: false,
      exchanges: commands.exchanges + result.exchanges - tag.exchanges)
  }

  /// Reads the tag as if it had just come, and compares.
  private func readBack<Channel: TagChannel>(
    _ tag: Type2Tag, _ commands: inout Type2Commands<Channel>
  ) async throws(TagError) -> Type2Tag {
    var result: Type2Tag
    do throws(TagChannelError) {
      try await commands.restart()
      result = try await tag.readingAgain(
        through: max(pages.keys.max() ?? 3, 3),
        keepingConfiguration: configuration == nil, over: commands.channel)
      if let page = firstDifference(from: tag, in: result) {
        // Before blaming the tag: one answer may have been garbled.
        result.memory.forget(page)
        result = try await result.loading(page...page, over: commands.channel)
      }
    } catch {
      throw stopped(error, afterWriting: steps.count)
    }
    if let page = firstDifference(from: tag, in: result) {
      throw different(page, from: tag, in: result)
    }
    guard result.holdsMessage(ofByteCount: message.count) else {
      throw TagError(
        .verifyFailed,
        "\(tag.name) \(tag.uid.hexadecimal) holds what was written, but readers find no message of "
          + "\(message.count) bytes on it: the tag shows its UID or counter over where it begins",
        hint: "switch the tag's mirror off, or use another tag",
        page: result.configuration?.mirror?.page, uid: tag.uid)
    }
    if let mirror = configuration?.mirror, !result.fillsIn(mirror) {
      throw TagError(
        .verifyFailed,
        "\(tag.name) \(tag.uid.hexadecimal) shows \(result.text(under: mirror) ?? "nothing") "
          + "on page \(mirror.page) instead of \(mirror.kind.placeholder)",
        hint: "run the same command again; if it shows that again, discard the tag",
        page: mirror.page, uid: tag.uid)
    }
    return result
  }

  /// The first page that is not as planned, the capability container included.
  private func firstDifference(from tag: Type2Tag, in result: Type2Tag) -> Int? {
    var expected = pages
    if let page = result.layout.configurationPage, let configuration {
      expected[page] = configuration.firstPage
      expected[page + 1] = configuration.secondPage
    }
    expected[3] = steps.last { $0.page == 3 }?.after ?? tag.memory[3]
    return expected.keys.sorted().first { page in
      expected[page].map { !result.shows($0, on: page) } ?? false
    }
  }

  private func different(
    _ page: Int, from tag: Type2Tag, in result: Type2Tag
  ) -> TagError {
    let written = steps.last { $0.page == page }?.after
    let expected = (written ?? pages[page] ?? tag.layout.capabilityContainer).hexadecimal
    let found = result.memory[page].map { "reads \($0.hexadecimal)" } ?? "cannot be read"
    return TagError(
      .verifyFailed,
      "page \(page) of \(tag.name) \(tag.uid.hexadecimal) \(found) after \(expected) was "
        + "written",
      hint: "run the same command again; if the page differs again, discard the tag",
      page: page, uid: tag.uid)
  }

  /// What a page that was refused three times means, by the lock bits and AUTH0 as they are now.
  private func refused(
    _ page: Int, at index: Int, on tag: Type2Tag, over channel: some TagChannel
  ) async -> TagError {
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
      hint: "run the same command again; if the page is refused again, discard the tag",
      page: page, uid: tag.uid)
  }
}
