import CliptagBasics
import TagAuthenticity
import TagTypes

/// The reason why a protected command did not succeed.
enum SecureFailure: Error {
  /// The channel failed.
  case channel(TagChannelError)
  /// The tag refused the command with this status.
  case status(Type4Status)
  /// The response is not one that the tag makes.
  case garbled
  /// The system's cryptography failed.
  case cryptography(AuthenticityError)

  /// A Boolean value that indicates whether the same work may succeed after a new selection.
  var isTransient: Bool {
    switch self {
    case .channel(let error): error.code == .refused || error.code == .tagLost
    case .status(let status): status != .authenticationDelay
    case .garbled: true
    case .cryptography: false
    }
  }
}

extension Type4Status {
  /// The key is wrong, or the session does not permit the command.
  static let authenticationError = Type4Status(rawValue: 0x91AE)
  /// Too many wrong keys in a row: the tag demands a pause.
  static let authenticationDelay = Type4Status(rawValue: 0x91AD)
}

/// The commands of an NTAG 424 DNA that need a key, over a channel (NT4H2421Gx, sections 10.4 to
/// 10.8).
///
/// A command is never repeated within its session, in which each has a number. After a failure the
/// caller begins again.
struct SecureCommands<Channel: TagChannel> {
  private let channel: Channel
  /// The number of commands so far.
  private(set) var exchanges = 0
  private var session: SecureSession?

  init(_ channel: Channel) { self.channel = channel }

  /// AuthenticateEV2First, after the selection of the application.
  ///
  /// - Returns: `false` if the tag has another key, which it counts.
  mutating func authenticate(
    _ number: Int, with key: SecretKey
  ) async throws(SecureFailure) -> Bool {
    session = nil
    let selected = try await exchange([
      0x00, 0xA4, 0x04, 0x00, 0x07, 0xD2, 0x76, 0x00, 0x00, 0x85, 0x01, 0x01, 0x00,
    ])
    guard selected.status == .done else { throw .status(selected.status) }
    let reader = SecureAuthentication(key: key)
    let first = try await exchange([0x90, 0x71, 0x00, 0x00, 0x02, UInt8(number), 0x00, 0x00])
    guard first.status == .nativeMore else { throw .status(first.status) }
    guard first.data.count == SecureAuthentication.randomByteCount else { throw .garbled }
    do {
      let reply = try reader.reply(to: first.data)
      let second = try await exchange(
        [0x90, 0xAF, 0x00, 0x00, UInt8(reply.count)] + reply + [0x00])
      if second.status == .authenticationError { return false }
      guard second.status == .nativeDone else { throw SecureFailure.status(second.status) }
      guard second.data.count == 2 * SecureAuthentication.randomByteCount else {
        throw SecureFailure.garbled
      }
      session = try reader.session(challenge: first.data, confirmation: second.data)
      return true
    } catch {
      throw Self.failure(error)
    }
  }

  /// GetKeyVersion.
  mutating func version(ofKey number: Int) async throws(SecureFailure) -> UInt8 {
    let data = try await send(0x64, header: [UInt8(number)])
    guard data.count == 1 else { throw .garbled }
    return data[0]
  }

  /// ChangeKey. The session ends with the change of its own key, 0.
  mutating func changeKey(
    _ number: Int, from old: SecretKey, to new: SecretKey, version: UInt8
  ) async throws(SecureFailure) {
    let data = new.replacing(old, isOwn: number == 0, version: version)
    _ = try await send(0xC4, header: [UInt8(number)], data: data, endsSession: number == 0)
  }

  /// ChangeFileSettings.
  mutating func change(
    _ settings: SecureFileSettings, ofFile number: UInt8 = SecureFileSettings.fileNumber
  ) async throws(SecureFailure) {
    _ = try await send(0x5F, header: [number], data: settings.bytes)
  }

  /// WriteData to a file whose data are not protected in transmission (CommMode.Plain). The session
  /// ends here, since nothing in the answer proves it.
  mutating func write(
    _ bytes: [UInt8], at offset: Int, ofFile number: UInt8
  ) async throws(SecureFailure) {
    guard session != nil else { throw .status(.authenticationError) }
    session = nil
    let body =
      [number] + SecureFileSettings.number(offset) + SecureFileSettings.number(bytes.count) + bytes
    let answer = try await exchange([0x90, 0x8D, 0x00, 0x00, UInt8(body.count)] + body + [0x00])
    guard answer.status == .nativeDone else { throw .status(answer.status) }
  }

  private mutating func send(
    _ instruction: UInt8, header: [UInt8], data: [UInt8] = [], endsSession: Bool = false
  ) async throws(SecureFailure) -> [UInt8] {
    guard var session else { throw .status(.authenticationError) }
    let protection: SecureSession.Protection = data.isEmpty ? .mac : .full
    self.session = nil
    do {
      let answer = try await exchange(
        try session.command(instruction, header: header, data: data, protection))
      guard answer.status == .nativeDone else { throw SecureFailure.status(answer.status) }
      // The response to the change of the session's own key has no MAC.
      guard !endsSession else { return [] }
      let found = try session.response(
        answer.data, status: UInt8(answer.status.rawValue & 0xFF), protection)
      self.session = session
      return found
    } catch {
      throw Self.failure(error)
    }
  }

  private mutating func exchange(_ command: [UInt8]) async throws(SecureFailure) -> Type4Answer {
    if Task.isCancelled { throw .channel(TagChannelError(.cancelled, "the task was cancelled")) }
    exchanges += 1
    let bytes: [UInt8]
    do throws(TagChannelError) {
      bytes = try await channel.exchange(command)
    } catch {
      throw .channel(error)
    }
    guard let answer = Type4Answer(bytes), answer.status.answers(command) else { throw .garbled }
    return answer
  }

  private static func failure(_ error: any Error) -> SecureFailure {
    switch error {
    case let error as SecureFailure: error
    case let error as AuthenticityError:
      error.code == .notAuthentic ? .garbled : .cryptography(error)
    default: .garbled
    }
  }
}
