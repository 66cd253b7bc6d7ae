public import CliptagBasics
public import Issuing
package import NFCReader
public import TagTypes

/// The reader on which a job finds its tag, and the time to wait for it.
public struct TagReader: Sendable {
  /// The connection string: libnfc's, or `pcsc:` and a part of a PC/SC reader's name; `nil` for the
  /// first reader that is found.
  public var name: String?
  /// The time to wait for a tag. A PC/SC reader has the same time for each answer, but one second
  /// at least and ten at most.
  public var timeout: Duration

  /// Names a reader.
  public init(_ name: String? = nil, timeout: Duration = .seconds(10)) {
    self.name = name
    self.timeout = timeout
  }

  /// An error of a reader or of the tag on it.
  public struct Failed: Error {
    /// The connection string of the reader.
    public let reader: String
    /// The error: `TagError`, `NFCReaderError`, `IssuingError` or `RegistryError`.
    public let underlying: any Error
  }

  /// Opens the reader, waits for a tag, works on it and closes the reader again.
  ///
  /// - Parameters:
  ///   - report: Receives ``TagEvent/opened(reader:name:)`` and ``TagEvent/found(uid:)``.
  ///   - body: The work on the tag; its second argument is the reader's connection string.
  /// - Throws: `NFCReaderError` if the reader cannot be opened; `IssueRefusal` and `LockRefusal`,
  ///   which speak of a payload, as they are; every other error as ``Failed``.
  package func withTag<Value>(
    reporting report: (TagEvent) -> Void = { _ in },
    _ body: (NFCTag, _ reader: String) async throws -> Value
  ) async throws -> Value {
    let opened = try await NFCReader.open(name, answerTimeout: .answer(within: timeout))
    report(.opened(reader: opened.connectionString, name: await opened.name))
    let result: Result<Value, any Error>
    do {
      let tag = try await opened.waitForTag(timeout: timeout)
      report(.found(uid: tag.target.uid))
      result = .success(try await body(tag, opened.connectionString))
    } catch let refusal as IssueRefusal {
      result = .failure(refusal)
    } catch let refusal as LockRefusal {
      result = .failure(refusal)
    } catch {
      result = .failure(Failed(reader: opened.connectionString, underlying: error))
    }
    await opened.close()
    return try result.get()
  }
}

extension Duration {
  /// Returns the time limit of a reader for one answer: the time for which a tag is waited for, but
  /// from one to ten seconds, because a time of zero looks once, and no working reader takes ten
  /// seconds.
  package static func answer(within timeout: Duration) -> Duration {
    min(max(timeout, .seconds(1)), .seconds(10))
  }
}

/// The password that a job gives to a tag that has one.
public struct TagAccess: Sendable {
  /// The password; `nil` for none. A tag without a password is not given any.
  public var password: TagPassword?
  /// Whether the password is tried even on a tag that counts wrong ones and closes for good.
  public var risksAttempts: Bool

  /// Makes an access.
  public init(password: TagPassword? = nil, risksAttempts: Bool = false) {
    self.password = password
    self.risksAttempts = risksAttempts
  }

  /// Opens a tag.
  ///
  /// - Throws: `TagError` if the tag refuses the password.
  package func open<Base: TagChannel>(
    _ tag: Base, reporting report: (TagEvent) -> Void
  ) async throws(TagError) -> AuthenticatedChannel<Base> {
    guard let password else { return AuthenticatedChannel(withoutPassword: tag) }
    let channel = try await AuthenticatedChannel.open(
      tag, with: password, riskingAttempts: risksAttempts)
    report(.authenticated(channel.isAuthenticated))
    return channel
  }
}

/// A step of a job on a tag.
public enum TagEvent: Sendable {
  /// The reader was opened: its connection string and the name that it gives itself.
  case opened(reader: String, name: String)
  /// A tag lies on the reader.
  case found(uid: [UInt8])
  /// The tag took the password, or asked for none.
  case authenticated(Bool)
  /// The check accepted the URL, perhaps with warnings.
  case approved(Approval)
  /// A warning of the plan, before anything is written.
  case warning(String)
  /// A fact about the work to know.
  case note(Note)

  /// A fact that is no warning.
  public enum Note: Hashable, Sendable {
    /// The badge of the App Clip Code shows a camera, not a phone at a tag.
    case cameraBadge
    /// From now on the tag counts its readings.
    case startsCounting
    /// The tag inside the App Clip Code is this product, not a tag of Type 5.
    case unusualType(String)
    /// A part of a dump is not restored, or not unchanged.
    case restoration(Hint)
  }
}
