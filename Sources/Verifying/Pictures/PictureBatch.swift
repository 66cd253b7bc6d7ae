public import CodeScanning
import Foundation
public import Pictures

/// Reads and verifies the codes of many pictures, on all cores, in the order they were named.
public struct PictureBatch: Sendable {
  /// What came of one picture.
  public enum Event: Sendable {
    /// A code on it.
    case code(VerifiedCode)
    /// It, or one page of it, could not be read; other pages may follow.
    case failed(any Error)
    /// A symbol on it that gives no text.
    ///
    /// - Parameter page: The page, from 1, of a document; `nil` for anything else.
    case unread(UnreadSymbol, page: Int?)
    /// The scanner's budget ended the search after some codes; there may be more.
    ///
    /// - Parameters:
    ///   - codes: How many were read.
    ///   - page: The page, from 1, of a document; `nil` for anything else.
    case cutShort(codes: Int, page: Int?)
    /// It was read, and there is no code on it.
    ///
    /// - Parameter cutShort: Whether the scanner's budget ended the search.
    case nothingFound(cutShort: Bool)
    /// It was met in a folder and is no picture.
    case skipped
    /// Nothing more comes of it.
    case finished
  }

  /// How codes are verified, and looked for unless in a process of its own.
  package let verifier: PictureVerifier
  /// How pictures are opened.
  package let loader: PictureLoader
  /// Reads each page in a process of its own, when given.
  package let isolation: PageProcess?
  /// Finds out where a code was read, when that is not known yet.
  package let locate: (@Sendable (VerifiedCode) async throws -> VerifiedCode)?
  /// How many pictures are read at the same time.
  package let workers: Int

  /// How many pictures each worker may be ahead of the first unfinished one.
  private static let lookAhead = 8

  /// Makes a batch.
  ///
  /// - Parameters:
  ///   - verifier: How codes are verified.
  ///   - loader: How pictures are opened.
  ///   - isolation: Reads each page in a process of its own, when given.
  ///   - locate: Finds out where a code was read, when that is not known yet.
  ///   - workers: How many pictures are read at the same time; as many as there are cores when
  ///     `nil`. Each may take the memory of one picture.
  public init(
    verifier: PictureVerifier, loader: PictureLoader = PictureLoader(),
    isolation: PageProcess? = nil,
    locate: (@Sendable (VerifiedCode) async throws -> VerifiedCode)? = nil, workers: Int? = nil
  ) {
    self.verifier = verifier
    self.loader = loader
    self.isolation = isolation
    self.locate = locate
    self.workers = max(1, workers ?? ProcessInfo.processInfo.activeProcessorCount)
  }

  /// Reads the pictures.
  ///
  /// A cancelled task ends the run early, with the events of what was under way missing.
  ///
  /// - Parameters:
  ///   - inputs: The pictures.
  ///   - handle: Gets every event, one after another and in the order of the inputs: the events of
  ///     the first unfinished picture as they happen, those of others when it is their turn.
  public func run(
    _ inputs: [PictureInput],
    _ handle: @escaping @Sendable (_ input: PictureInput, _ event: Event) -> Void
  ) async {
    let workers = min(workers, inputs.count)
    let delivery = OrderedDelivery<Event>(
      count: inputs.count, window: workers * Self.lookAhead
    ) { handle(inputs[$0], $1) }
    await withTaskGroup(of: Void.self) { group in
      for _ in 0..<workers {
        group.addTask {
          while let index = await delivery.next() {
            await read(inputs[index]) { await delivery.deliver($0, of: index) }
            await delivery.deliver(.finished, of: index)
            await delivery.finish(index)
          }
        }
      }
    }
  }

  private func read(_ input: PictureInput, _ emit: (Event) async -> Void) async {
    if input.isNoPicture() { return await emit(.skipped) }
    do {
      let pages = try await pages(of: input)
      var isEmpty = true
      var wasCutShort = false
      for number in 1...max(1, pages.count) where !Task.isCancelled {
        do {
          let page = try await pages.read(number)
          for code in page.codes { await emit(.code(try await locate?(code) ?? code)) }
          for symbol in page.unread { await emit(.unread(symbol, page: page.number)) }
          if page.wasCutShort, !page.codes.isEmpty {
            await emit(.cutShort(codes: page.codes.count, page: page.number))
          }
          isEmpty = isEmpty && page.codes.isEmpty
          wasCutShort = wasCutShort || page.wasCutShort
        } catch {
          isEmpty = false
          await emit(.failed(error))
        }
      }
      if isEmpty, !Task.isCancelled { await emit(.nothingFound(cutShort: wasCutShort)) }
    } catch {
      await emit(.failed(error))
    }
  }

  /// The pages of a picture, however they are read.
  private struct Pages {
    let count: Int
    let read: (_ number: Int) async throws -> VerifiedPage
  }

  private func pages(of input: PictureInput) async throws -> Pages {
    let isStandardInput = input.path == "-"
    guard let isolation else {
      let file =
        isStandardInput
        ? try await loader.openStandardInput() : try await loader.open(path: input.path)
      return Pages(count: file.pageCount) { number in
        try await verifier.verify(page: number, of: file, named: input.path)
      }
    }
    let job =
      isStandardInput
      ? try await isolation.openStandardInput() : try isolation.open(path: input.path)
    let first = try await job.read(page: 1)
    return Pages(count: first.pageCount) { number in
      let report = number == 1 ? first : try await job.read(page: number)
      return try verifier.verify(
        try report.result(), page: report.isDocument ? number : nil, source: input.path)
    }
  }
}
