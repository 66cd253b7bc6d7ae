import Basics
public import Foundation
import Invocation
public import Registry
import TagAuthenticity
import TagTypes

/// What was found out about the Secure Unique NFC message of a code.
public struct SecureMessageFacts: Hashable, Sendable {
  /// What the message amounts to.
  public enum Result: String, Hashable, Sendable, CaseIterable {
    /// The tag's, and new.
    case valid
    /// The tag's, and seen before.
    case replayed
    /// Not the tag's.
    case invalid
    /// Not there, or not whole.
    case missing
    /// Another tag's than the one it was read from.
    case wrongTag = "wrong-tag"
  }

  /// What the message amounts to.
  public let result: Result
  /// The UID of the tag that made it, in upper-case hexadecimal; `nil` when that is not known.
  public let uid: String?
  /// The counter that it shows; `nil` when that is not known.
  public let counter: Int?
  /// The counter that was the last before it; `nil` when there was none.
  public let lastCounter: Int?
  /// The decrypted file data; `nil` when there is none.
  package let fileData: [UInt8]?
}

/// Verifies the Secure Unique NFC messages of codes whose keys are known.
///
/// A message that verifies is good once. Which counter of a tag was the last is kept in the
/// registry, and comparing with it and moving it on are one transaction: of several stations that
/// are shown the same message, one accepts it.
public struct SecureMessageCheck: Sendable {
  /// Whether a message that verifies counts as seen.
  public enum Counting: Sendable {
    /// It is compared with what was seen before, and may come again.
    case comparing(any RegistryStore)
    /// It is remembered in the registry that the function opens, which is called for no other
    /// message.
    case remembering(@Sendable () throws(RegistryError) -> any RegistryStore)
  }

  private let keys: SecureMessageKeys
  private let counting: Counting
  private let now: @Sendable () -> Date

  /// Makes a check.
  ///
  /// - Parameters:
  ///   - keys: Which URLs carry messages, and with which keys.
  ///   - counting: Whether a message that verifies counts as seen.
  ///   - now: The clock.
  public init(
    keys: SecureMessageKeys, counting: Counting, now: @escaping @Sendable () -> Date = { Date() }
  ) {
    self.keys = keys
    self.counting = counting
    self.now = now
  }

  /// Examines the message of a code, and adds what it says.
  ///
  /// - Returns: The code with ``VerifiedCode/secureMessage`` and a finding; unchanged when no keys
  ///   are known for its URL.
  /// - Throws: `RegistryError` when the counter could not be compared or kept: the message is then
  ///   neither accepted nor used up. `AuthenticityError` when OpenSSL failed.
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

  /// Whether a code is one whose message would be examined.
  package func concerns(_ code: VerifiedCode) -> Bool {
    code.verification.url.map { keys.entry(for: $0) != nil } ?? false
  }

  fileprivate typealias Answer = (facts: SecureMessageFacts, finding: Finding)

  /// Why a message did not verify.
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
          "URLs under \(entry.prefix.payload) carry a Secure Unique NFC message, and this has "
            + (isThere ? "a part of one only. \(error.message)" : "none."))
      )
    default: throw error
    }
  }

  /// Whether a message that verified comes from its tag, and for the first time.
  private func judge(
    _ message: SecureUniqueMessage, on tag: TagFacts?
  ) async throws(RegistryError) -> Answer {
    guard let uid = message.uid?.hexadecimal, let counter = message.counter else {
      let part = message.uid == nil ? "UID" : "counter"
      return (
        SecureMessageFacts(.missing, message),
        Finding(
          .messageMissing, .error,
          "The Secure Unique NFC message does not show the tag's \(part), so a copy could not be "
            + "told from it. Mirror both.")
      )
    }
    if let tag, tag.uid != uid, !tag.hasRandomUID {
      return (
        SecureMessageFacts(.wrongTag, message),
        Finding(
          .messageOfAnotherTag, .error,
          "Tag \(uid) made the message, and tag \(tag.uid) carries it: somebody copied it.")
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
          "The message of tag \(uid) shows counter \(counter), and \(last.counter) was seen before: "
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
  /// Whether the UID is one that the tag makes up at each activation (ISO/IEC 14443-3, 6.5.4: four
  /// bytes, the first 08), behind which its own is hidden.
  fileprivate var hasRandomUID: Bool { uid.utf8.count == 8 && uid.hasPrefix("08") }
}

extension VerifiedCode {
  /// The same code with what its message amounts to.
  fileprivate func with(_ answer: SecureMessageCheck.Answer) -> VerifiedCode {
    var code = adding([answer.finding])
    code.secureMessage = answer.facts
    return code
  }
}
