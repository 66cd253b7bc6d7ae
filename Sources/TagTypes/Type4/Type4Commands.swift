import Basics

/// How far the commands of a Type 4 tag reach.
enum Type4Limits {
  /// The largest offset that the two parameter bytes of a command can name.
  static let largestShortOffset = 0x7FFF
  /// Bytes of the longest message that is read. Nobody writes a longer one, and a tag whose length
  /// field lies would keep its reader busy for hours.
  static let largestMessageByteCount = 0xFFFF
  /// Bytes that the data objects of an offset above that take in a command.
  static let offsetOverhead = 8

  /// Bytes of a file that one exchange can carry besides header and status.
  ///
  /// A channel names the limit of its answers only; what carries an answer carries a command.
  ///
  /// - Parameter limit: What the capability container allows.
  static func pieceByteCount(_ limit: Int, over channel: some TagChannel) -> Int {
    min(limit, 255, channel.maximumAnswerByteCount - 5)
  }
}

/// The commands of a Type 4 tag over a channel, with their retries, counted.
///
/// Retries are bounded and harmless, for every command gives the same result when it is repeated:
/// a command is tried three times, and a tag that fell silent is looked for once per command by
/// selecting it anew. A tag that was selected anew has forgotten its application and file, so both
/// are selected again before the command. A status that says no is an answer, and not asked again.
struct Type4Commands<Channel: TagChannel> {
  /// What the tag has selected.
  enum Place: Hashable {
    case unknown, application
    case file(UInt16)
  }

  let channel: Channel
  /// Whether the NDEF application is that of mapping version 1.0.
  var usesFirstMapping = false
  /// Commands sent and selections asked for so far.
  private(set) var exchanges = 0
  /// How often an UPDATE BINARY was sent, answered or not.
  private(set) var updates = 0
  private var place = Place.unknown

  init(_ channel: Channel, usesFirstMapping: Bool = false) {
    self.channel = channel
    self.usesFirstMapping = usesFirstMapping
  }

  /// GetVersion as MIFARE DESFire, NTAG 413 DNA and NTAG 424 DNA know it (NT4H2421Gx data sheet,
  /// section 10.5.2), in its three parts; `nil` when the tag does not.
  mutating func version() async throws(TagChannelError) -> [UInt8]? {
    var version: [UInt8] = []
    var instruction: UInt8 = 0x60
    // A tag that goes on for ever is none of these.
    for _ in 0..<3 {
      let answer = try await transmit([0x90, instruction, 0, 0, 0], in: .unknown, attempts: 2)
      guard let answer else { return nil }
      version += answer.data
      if answer.status == .nativeDone { return version }
      guard answer.status == .nativeMore else { return nil }
      instruction = 0xAF
    }
    return nil
  }

  /// Read_Sig of NTAG 424 DNA (AN12196, section 7.2): 56 bytes; `nil` when the tag does not know it.
  mutating func signature() async throws(TagChannelError) -> [UInt8]? {
    let answer = try await transmit([0x90, 0x3C, 0, 0, 1, 0, 0], in: .unknown, attempts: 2)
    guard let answer, answer.status == .nativeSignature || answer.status == .nativeDone else {
      return nil
    }
    return answer.data
  }

  /// SELECT of the NDEF application (Type 4 Tag 2.0, section 5.4.2).
  mutating func selectApplication() async throws(TagChannelError) -> Type4Answer? {
    place = .unknown
    return try await transmit(applicationCommand, in: .unknown) { $0.place = .application }
  }

  /// READ BINARY (section 5.4.4) of a file; offsets above 7FFF with an offset data object.
  mutating func read(
    _ count: Int, at offset: Int, of file: UInt16
  ) async throws(TagChannelError) -> Type4Answer? {
    guard offset > Type4Limits.largestShortOffset else {
      return try await transmit(
        [0x00, 0xB0, UInt8(offset >> 8), UInt8(offset & 0xFF), UInt8(count & 0xFF)],
        in: .file(file))
    }
    let answer = try await transmit(
      [0x00, 0xB1, 0x00, 0x00, 0x05] + offsetObject(offset) + [UInt8(count + 3 & 0xFF)],
      in: .file(file))
    guard let answer, answer.status.isData else { return answer }
    return answer.withoutDataObject
  }

  /// UPDATE BINARY (section 5.4.5) of a file; offsets above 7FFF with an offset data object.
  mutating func update(
    _ bytes: [UInt8], at offset: Int, of file: UInt16
  ) async throws(TagChannelError) -> Type4Answer? {
    guard offset > Type4Limits.largestShortOffset else {
      return try await transmit(
        [0x00, 0xD6, UInt8(offset >> 8), UInt8(offset & 0xFF), UInt8(bytes.count)] + bytes,
        in: .file(file))
    }
    let length = bytes.count < 0x80 ? [UInt8(bytes.count)] : [0x81, UInt8(bytes.count)]
    let body = offsetObject(offset) + [0x53] + length + bytes
    return try await transmit([0x00, 0xD7, 0x00, 0x00, UInt8(body.count)] + body, in: .file(file))
  }

  /// Selects the tag again, after switching the field off and on if it stays the same tag by that.
  mutating func restart() async throws(TagChannelError) {
    exchanges += 1
    place = .unknown
    try await channel.reselect(fieldCycle: !channel.target.hasRandomUID)
  }

  private func offsetObject(_ offset: Int) -> [UInt8] {
    [0x54, 0x03, UInt8(offset >> 16 & 0xFF), UInt8(offset >> 8 & 0xFF), UInt8(offset & 0xFF)]
  }

  private var applicationCommand: [UInt8] {
    [0x00, 0xA4, 0x04, 0x00, 0x07, 0xD2, 0x76, 0x00, 0x00, 0x85, 0x01]
      + [usesFirstMapping ? 0x00 : 0x01, 0x00]
  }

  /// Sends a command until it is answered, from the application and file it belongs to.
  ///
  /// - Returns: `nil` when every attempt was refused or answered with something that is no answer.
  mutating func transmit(
    _ command: [UInt8], in wanted: Place, attempts: Int = 3,
    whenDone: (inout Self) -> Void = { _ in }
  ) async throws(TagChannelError) -> Type4Answer? {
    var attemptsLeft = attempts
    var hasLookedForTag = false
    while attemptsLeft > 0 {
      attemptsLeft -= 1
      do throws(TagChannelError) {
        if let refusal = try await enter(wanted) { return refusal }
        let answer = try await exchange(command)
        guard let answer, !answer.status.isTransient || attemptsLeft == 0 else { continue }
        if answer.status == .done { whenDone(&self) }
        return answer
      } catch {
        place = .unknown
        switch error.code {
        case .refused:
          continue
        case .tagLost where !hasLookedForTag:
          hasLookedForTag = true
          attemptsLeft += 1
          try await restart()
        default:
          throw error
        }
      }
    }
    return nil
  }

  private mutating func exchange(
    _ command: [UInt8]
  ) async throws(TagChannelError) -> Type4Answer? {
    if Task.isCancelled { throw TagChannelError(.cancelled, "the task was cancelled") }
    exchanges += 1
    if [0xD6, 0xD7].contains(command[1]) { updates += 1 }
    guard let answer = Type4Answer(try await channel.exchange(command)),
      answer.status.answers(command)
    else { return nil }
    return answer
  }

  /// Selects what is not selected yet.
  ///
  /// - Returns: The answer that forbids it; `nil` when everything is selected.
  private mutating func enter(_ wanted: Place) async throws(TagChannelError) -> Type4Answer? {
    guard wanted != .unknown, wanted != place else { return nil }
    if place == .unknown {
      let answer = try await select(applicationCommand)
      guard answer.status == .done else { return answer }
      place = .application
    }
    guard case .file(let id) = wanted else { return nil }
    // Mapping version 1.0 has no "no answer data" (P2 0C).
    let command: [UInt8] = [
      0x00, 0xA4, 0x00, usesFirstMapping ? 0x00 : 0x0C, 0x02, UInt8(id >> 8), UInt8(id & 0xFF),
    ]
    let answer = try await select(command)
    guard answer.status == .done else { return answer }
    place = wanted
    return nil
  }

  private mutating func select(
    _ command: [UInt8]
  ) async throws(TagChannelError) -> Type4Answer {
    guard let answer = try await exchange(command), !answer.status.isTransient else {
      throw TagChannelError(.refused, "SELECT was not answered with a status that decides")
    }
    return answer
  }
}

extension Type4Answer {
  private init(data: [UInt8], status: Type4Status) {
    self.data = data
    self.status = status
  }

  /// The value of the discretionary data object (53) that a READ BINARY with an offset data object
  /// answers; nothing when it is no such object.
  fileprivate var withoutDataObject: Type4Answer {
    guard data.count >= 2, data[0] == 0x53 else { return Type4Answer(data: [], status: status) }
    let isLong = data[1] == 0x81 && data.count >= 3
    let count = Int(data[isLong ? 2 : 1])
    return Type4Answer(
      data: Array(data.dropFirst(isLong ? 3 : 2).prefix(count)), status: status)
  }
}

/// The answer to one command of a Type 4 tag: data, and two status bytes behind it
/// (ISO/IEC 7816-4, section 5.1).
struct Type4Answer: Hashable, Sendable {
  let data: [UInt8]
  let status: Type4Status

  /// Takes an answer apart; `nil` when it is too short to be one.
  init?(_ bytes: [UInt8]) {
    guard bytes.count >= 2 else { return nil }
    data = Array(bytes.dropLast(2))
    status = Type4Status(
      rawValue: UInt16(bytes[bytes.count - 2]) << 8 | UInt16(bytes[bytes.count - 1]))
  }
}

/// What a Type 4 tag says of a command: the status bytes SW1 and SW2 (ISO/IEC 7816-4, section 5.6).
struct Type4Status: RawRepresentable, Hashable, Sendable {
  let rawValue: UInt16

  init(rawValue: UInt16) { self.rawValue = rawValue }

  static let done = Type4Status(rawValue: 0x9000)
  /// Fewer bytes than asked for, because the file ends.
  static let endOfFile = Type4Status(rawValue: 0x6282)
  static let memoryFailure = Type4Status(rawValue: 0x6581)
  static let securityNotSatisfied = Type4Status(rawValue: 0x6982)
  static let fileNotFound = Type4Status(rawValue: 0x6A82)
  static let noDiagnosis = Type4Status(rawValue: 0x6F00)
  /// Done, in the wrapped native commands of MIFARE DESFire and NTAG 424 DNA.
  static let nativeDone = Type4Status(rawValue: 0x9100)
  /// Done, and more data waits.
  static let nativeMore = Type4Status(rawValue: 0x91AF)

  /// Done, in answer to Read_Sig.
  static let nativeSignature = Type4Status(rawValue: 0x9190)

  /// Whether the data of the answer counts.
  var isData: Bool { self == .done || self == .endOfFile }

  /// Whether the same command may succeed when it is sent once more.
  var isTransient: Bool { self == .memoryFailure || self == .noDiagnosis }

  /// Whether a tag can mean this by the answer to a command: ISO/IEC 7816-4 knows 9000 and 61xx to
  /// 6Fxx, and the wrapped native commands (class 90) of MIFARE DESFire and NTAG 424 DNA 91xx too.
  /// Anything else was garbled on its way.
  func answers(_ command: [UInt8]) -> Bool {
    switch rawValue >> 8 {
    case 0x61...0x6F: true
    case 0x91: command.first == 0x90
    default: self == .done
    }
  }

  private static let meanings: [UInt16: String] = [
    0x6282: "the file ends before",
    0x6581: "memory failure",
    0x6700: "wrong length",
    0x6900: "command not allowed",
    0x6982: "security status not satisfied",
    0x6985: "conditions of use not satisfied",
    0x6986: "command not allowed",
    0x6A80: "wrong data",
    0x6A81: "function not supported",
    0x6A82: "file not found",
    0x6A84: "not enough memory in the file",
    0x6A86: "wrong parameters",
    0x6A87: "wrong length for the parameters",
    0x6B00: "wrong offset",
    0x6D00: "command not known",
    0x6E00: "class not known",
    0x6F00: "no precise diagnosis",
  ]
}

extension Type4Status: CustomStringConvertible {
  /// The number, and what it means if the standard says so.
  var description: String {
    let digits = [UInt8(rawValue >> 8), UInt8(rawValue & 0xFF)].hexadecimal
    return Self.meanings[rawValue].map { "status \(digits), \($0)" } ?? "status \(digits)"
  }
}
