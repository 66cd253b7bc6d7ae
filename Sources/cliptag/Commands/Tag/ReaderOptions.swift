import ArgumentParser
import Foundation
import NFCReader
import TagTypes
import Verifying

/// Which reader, and how long to wait for a tag.
struct ReaderOptions: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      "The reader, as a libnfc connection string (default: $LIBNFC_DEVICE, else the first found).",
      valueName: "connstring"))
  var reader: String?

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp("How long to wait for a tag.", valueName: "seconds"))
  var timeout: Double = 10

  func validate() throws {
    guard timeout >= 0, timeout <= 86_400 else {
      throw ValidationError("--timeout takes seconds from 0 to 86400; got \(timeout).")
    }
  }

  /// Opens the reader, waits for a tag, works on it and closes the reader again.
  func withTag<Value>(
    _ console: Console, _ body: (NFCTag, _ reader: String) async throws -> Value
  ) async throws -> Value {
    let opened = try await NFCReader.open(reader)
    let name = await opened.name
    console.detail("reader \(opened.connectionString): \(name)")
    do {
      let tag = try await opened.waitForTag(timeout: .seconds(timeout))
      console.detail("tag \(tag.target.uid.hexadecimal)")
      let value = try await body(tag, opened.connectionString)
      await opened.close()
      return value
    } catch {
      await opened.close()
      // Whatever went wrong with the tag went wrong on this reader.
      throw Failure(describing: error, source: opened.connectionString)
    }
  }
}

/// Whether only genuine tags will do.
struct OriginalityOptions: ParsableArguments {
  @Flag(
    help: """
      Check the tag's originality signature, and take only a genuine tag. It takes one exchange \
      more.
      """)
  var checkOriginality = false
}

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
