import CliptagBasics
public import Foundation
import Invocation
public import Registry
import TagAuthenticity
import TagTypes

/// The result of examining the Secure Unique NFC message of a code.
public struct SecureMessageFacts: Hashable, Sendable {
  /// The outcome of the examination.
  public enum Result: String, Hashable, Sendable, CaseIterable {
    /// The message is the tag's, and new.
    case valid
    /// The message is the tag's, and was seen before.
    case replayed
    /// The message is not the tag's.
    case invalid
    /// The message is missing or incomplete.
    case missing
    /// The message was made by another tag than the one it was read from.
    case wrongTag = "wrong-tag"
  }

  /// The outcome of the examination.
  public let result: Result
  /// The UID of the tag that made it, in upper-case hexadecimal; `nil` if unknown.
  public let uid: String?
  /// The counter in the message; `nil` if unknown.
  public let counter: Int?
  /// The last counter seen before it; `nil` if there was none.
  public let lastCounter: Int?
  /// The decrypted file data; `nil` if there is none.
  package let fileData: [UInt8]?
}

/// Verifies the Secure Unique NFC messages of codes whose keys are known.
///
/// A message that verifies is accepted once. The registry keeps the last counter of each tag, and
/// compares and advances it in one transaction: if several stations are shown the same message, one
/// accepts it.
public struct SecureMessageCheck: Sendable {
  /// Whether a message that verifies counts as seen.
  public enum Counting: Sendable {
    /// Compares the counter with the last one seen; the message may be presented again.
    case comparing(any RegistryStore)
    /// Advances the counter in the registry that the function opens; the function is called for
    /// messages that verify only.
    case remembering(@Sendable () throws(RegistryError) -> any RegistryStore)
  }

  private let keys: SecureMessageKeys
  private let counting: Counting
  private let now: @Sendable () -> Date

  /// Makes a check.
  ///
  /// - Parameters:
  ///   - keys: The URL prefixes that carry messages, with their keys.
  ///   - counting: Whether a message that verifies counts as seen.
  ///   - now: The clock.
  public init(
    keys: SecureMessageKeys, counting: Counting, now: @escaping @Sendable () -> Date = { Date() }
  ) {
    self.keys = keys
    self.counting = counting
    self.now = now
  }

  /// Examines the message of a code, and adds the result.
  ///
  /// - Returns: The code with ``VerifiedCode/secureMessage`` and a finding; unchanged when no keys
  ///   are known for its URL.
  /// - Throws: `RegistryError` when the counter could not be compared or stored: the message is
  ///   then neither accepted nor used up. `AuthenticityError` when OpenSSL failed.
  public func examine(_ code: VerifiedCode) async throws -> VerifiedCode {
    guard let url = code.verification.url, let entry = keys.entry(for: url) else { return code }
    let message: SecureUniqueMessage
    do throws(AuthenticityError) {
      message = try SecureUniqueMessage(
        url: url.payload, configuration: entry.configuration)
    } catch {
      let answer = try refusal(error, entry, of: url)
      return code.with(answer)
    }
    let answer = try await judge(message, on: code.tag)
    return code.with(answer)
  }

  /// Whether the message of a code would be examined.
  package func concerns(_ code: VerifiedCode) -> Bool {
    code.verification.url.map { keys.entry(for: $0) != nil } ?? false
  }

  fileprivate typealias Answer = (facts: SecureMessageFacts, finding: Finding)

  /// The answer for a message that did not verify.
  private func refusal(
    _ error: AuthenticityError, _ entry: SecureMessageKeys.Entry, of url: InvocationURL
  ) throws(AuthenticityError) -> Answer {
    switch error.code {
    case .notAuthentic:
      return (
        SecureMessageFacts(.invalid),
        Finding(
          .messageInvalid, .error,
          "The Secure Unique NFC message is not one that the tag makes. \(error.message)")
      )
    case .missing:
      let isThere = SecureUniqueMessage.isPresent(
        in: url.payload, configuration: entry.configuration)
      return (
        SecureMessageFacts(.missing),
        Finding(
          .messageMissing, .error,
          "URLs under \(entry.prefix.payload) carry a Secure Unique NFC message, and this URL has "
            + (isThere ? "only a part of one. \(error.message)" : "none."))
      )
    default: throw error
    }
  }

  /// Checks that a message that verified was made by its tag, and is new.
  private func judge(
    _ message: SecureUniqueMessage, on tag: TagFacts?
  ) async throws(RegistryError) -> Answer {
    guard let uid = message.uid?.hexadecimal, let counter = message.counter else {
      let part = message.uid == nil ? "UID" : "counter"
      return (
        SecureMessageFacts(.missing, message),
        Finding(
          .messageMissing, .error,
          "The Secure Unique NFC message does not contain the tag's \(part), so a copy is not "
            + "distinguishable. Mirror both.")
      )
    }
    if let tag, tag.uid != uid, !tag.hasRandomUID {
      return (
        SecureMessageFacts(.wrongTag, message),
        Finding(
          .messageOfAnotherTag, .error,
          "Tag \(uid) made the message, but tag \(tag.uid) carries it: it is a copy.")
      )
    }
    switch try await count(counter, ofTag: uid) {
    case .new(let last):
      return (
        SecureMessageFacts(.valid, message, last: last),
        Finding(
          .messageValid, .note,
          "Tag \(uid) made this message\(message.mode == .lrp ? " in LRP mode" : ""), at counter "
            + "\(counter), and it is new.")
      )
    case .replayed(let last):
      return (
        SecureMessageFacts(.replayed, message, last: last),
        Finding(
          .messageReplayed, .error,
          "The message of tag \(uid) has counter \(counter), and \(last.counter) was read before: "
            + "it is a copy.")
      )
    }
  }

  private func count(
    _ counter: Int, ofTag uid: String
  ) async throws(RegistryError) -> CounterAnswer {
    switch counting {
    case .comparing(let registry):
      return try await registry.read { registry in
        try registry.compareCounter(ofTag: uid, with: counter)
      }
    case .remembering(let open):
      let time = now()
      return try await open().write { registry in
        try registry.advanceCounter(ofTag: uid, to: counter, at: time)
      }
    }
  }
}

extension SecureMessageFacts {
  fileprivate init(
    _ result: Result, _ message: SecureUniqueMessage? = nil, last: TagCounter? = nil
  ) {
    self.init(
      result: result, uid: message?.uid?.hexadecimal, counter: message?.counter,
      lastCounter: last?.counter, fileData: message?.fileData)
  }
}

extension TagFacts {
  /// Whether the UID is generated at each activation (ISO/IEC 14443-3, 6.5.4: four bytes, the first
  /// 08), which hides the tag's fixed UID.
  fileprivate var hasRandomUID: Bool { uid.utf8.count == 8 && uid.hasPrefix("08") }
}

extension VerifiedCode {
  /// Returns the code with the result of examining its message.
  fileprivate func with(_ answer: SecureMessageCheck.Answer) -> VerifiedCode {
    var code = adding([answer.finding])
    code.secureMessage = answer.facts
    return code
  }
}
