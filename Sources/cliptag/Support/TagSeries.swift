import Foundation
import NFCReader
import TagTypes

/// Tags that are read one after another on one reader.
struct TagSeries {
  /// The reader, as a libnfc connection string; `nil` for the first found.
  let reader: String?
  /// How long the next tag is waited for, and how long one may stay before it counts as the last.
  let timeout: Duration
  /// After how many tags the series ends; `nil` for no such number.
  let count: Int?

  /// Reads tags until none came in time, enough came, or somebody pressed Ctrl-C, which is no error
  /// once a tag was read: what was read is told.
  ///
  /// - Parameter work: Gets each tag, with its configuration read, and the reader's name.
  /// - Throws: `NFCReaderError` with `no-tag` when none came at all; ``Failure``.
  func read(
    _ console: Console, _ work: (_ tag: Tag, _ reader: String) async throws -> Void
  ) async throws {
    let opened = try await NFCReader.open(reader)
    let name = opened.connectionString
    console.say("reading tags; Ctrl-C ends")
    var found = 0
    var isEnough: Bool { count.map { found >= $0 } ?? false }
    do {
      while !isEnough {
        let channel = try await opened.waitForTag(timeout: timeout)
        do {
          try await work(try await Tag.identify(over: channel, includingConfiguration: true), name)
          found += 1
        } catch {
          guard !(error is CancellationError), (error as? TagError)?.code != .cancelled else {
            throw error
          }
          // A tag that says nothing is no reason to leave the others unread.
          console.report(Failure(describing: error, source: name))
        }
        guard !isEnough, try await opened.waitForRemoval(of: channel, timeout: timeout) else {
          break
        }
      }
      await opened.close()
    } catch let error as NFCReaderError where [.noTag, .cancelled].contains(error.code) {
      await opened.close()
      if found == 0, error.code == .noTag { throw error }
    } catch {
      await opened.close()
      throw Failure(describing: error, source: name)
    }
  }
}
