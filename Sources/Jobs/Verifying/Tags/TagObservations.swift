import CliptagBasics
public import NFCReader
import Registry
public import TagTypes

/// Changes of the presence of a tag on a reader.
public enum TagPresence: Hashable, Sendable {
  /// A tag was placed on the reader, and is being read.
  case met(uid: String)
  /// The tag was removed.
  case gone
}

extension Verifier {
  /// Observes the tags that are placed on a reader, one after another. A tag must be removed before
  /// the next is read.
  ///
  /// A tag of an unsupported technology is an observation with a failure, like one that cannot be
  /// read. The sequence ends when no tag arrived in time, when one stayed longer than the timeout,
  /// after `count` tags that could be read, or when the task is cancelled. If no tag arrived at
  /// all, or the reader failed, the last observation has a ``CodeObservation/failure`` and an
  /// ``CodeObservation/end``.
  ///
  /// - Parameters:
  ///   - reader: The reader, open; it stays open.
  ///   - timeout: The longest wait for the next tag, and the longest time that one may stay.
  ///   - count: The number of tags after which the sequence ends; `nil` for no limit.
  ///   - presence: Called when a tag was placed, before it is read, and when it was removed.
  public func observations(
    of reader: NFCReader, timeout: Duration = .seconds(10), count: Int? = nil,
    presence: @escaping @Sendable (TagPresence) -> Void = { _ in }
  ) -> Observations {
    Observations {
      var last: NFCTag?
      var foreign: ForeignTag?
      var mustLeave = false
      var found = 0
      var isOver = false
      return {
        guard !isOver else { return nil }
        do throws(NFCReaderError) {
          if let last, try await !reader.waitForRemoval(of: last, timeout: timeout) {
            isOver = true
            return nil
          }
          if let foreign, mustLeave {
            mustLeave = false
            if try await reader.waitForRemoval(of: foreign, timeout: timeout) { presence(.gone) }
          }
          if last != nil { presence(.gone) }
          last = nil
          let tag = try await reader.waitForTag(timeout: timeout, ignoring: foreign)
          last = tag
          foreign = nil
          presence(.met(uid: tag.target.uid.hexadecimal))
          var seen = await observe(tag, from: reader.connectionString)
          if seen.failure == nil { found += 1 }
          isOver = seen.failure?.isCancellation == true || count.map { found >= $0 } ?? false
          if isOver { seen.end = .finished }
          return seen
        } catch {
          var seen = CodeObservation(.tag, source: reader.connectionString)
          seen.failure = error
          if let other = error.foreignTag {
            // Reported once; the next tag is waited for when this one has been removed.
            (foreign, mustLeave) = (other, true)
            return seen
          }
          isOver = true
          if error.code == .cancelled || error.code == .noTag && found > 0 { return nil }
          seen.end = .finished
          return seen
        }
      }
    }
  }

  /// Observes the tag on a channel.
  ///
  /// - Parameters:
  ///   - channel: The tag, activated.
  ///   - source: The reader that holds the tag.
  public func observe(_ channel: some TagChannel, from source: String) async -> CodeObservation {
    var seen = CodeObservation(.tag, source: source)
    seen.fix = location.measured
    do {
      let tag = try await Tag.identify(over: channel, includingConfiguration: true)
        .namedByItself(over: channel)
      seen.codes = [try await settle(try examine(tag, source: source))]
      if options.keeping != nil, case .message(let bytes) = tag.content {
        seen.digest = try EntryHash.digest(of: bytes)
      }
    } catch {
      seen.failure = error
    }
    return await deliver(seen)
  }
}

extension Error {
  fileprivate var isCancellation: Bool {
    self is CancellationError || (self as? TagError)?.code == .cancelled
  }
}
