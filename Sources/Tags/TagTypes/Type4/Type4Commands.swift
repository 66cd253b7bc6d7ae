import CliptagBasics

/// The limits of the commands of a Type 4 tag.
package enum Type4Limits {
  /// The largest offset that the two parameter bytes of a command can hold.
  static let largestShortOffset = 0x7FFF
  /// The length of the longest message that is read, in bytes. Longer ones do not occur, and a tag
  /// with a false length field would keep its reader busy for hours.
  static let largestMessageByteCount = 0xFFFF
  /// The size of the data objects of a larger offset in a command, in bytes.
  static let offsetOverhead = 8

  /// The number of bytes of a file that one exchange can carry besides header and status.
  ///
  /// A channel states the limit of its responses only; the same limit is used for commands.
  ///
  /// - Parameter limit: The limit in the capability container.
  package static func pieceByteCount(_ limit: Int, over channel: some TagChannel) -> Int {
    min(limit, 255, channel.maximumAnswerByteCount - 5)
  }
}

/// The commands of a Type 4 tag over a channel, with retries and a count.
///
/// Retries are bounded and harmless, since every command gives the same result when repeated: a
/// command is tried three times, and a silent tag is searched once per command by selecting it
/// again. A tag that was selected again has lost its application and file, so both are selected
/// again before the command. A status that refuses the command is a response, and the command is
/// not repeated.
package struct Type4Commands<Channel: TagChannel> {
  /// The selection on the tag.
  package enum Place: Hashable {
    case unknown, application
    case file(UInt16)
  }

  let channel: Channel
  /// A Boolean value that indicates whether the NDEF application is that of mapping version 1.0.
  var usesFirstMapping = false
  /// The number of commands and selections so far.
  package private(set) var exchanges = 0
  /// The number of UPDATE BINARY commands sent, answered or not.
  private(set) var updates = 0
  private var place = Place.unknown

  package init(_ channel: Channel, usesFirstMapping: Bool = false) {
    self.channel = channel
    self.usesFirstMapping = usesFirstMapping
  }

  /// GetVersion of MIFARE DESFire, NTAG 413 DNA and NTAG 424 DNA (NT4H2421Gx data sheet, section
  /// 10.5.2), in its three parts; `nil` if the tag does not support it.
  mutating func version() async throws(TagChannelError) -> [UInt8]? {
    var version: [UInt8] = []
    var instruction: UInt8 = 0x60
    // A tag with more parts is none of these.
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

  /// Read_Sig of NTAG 424 DNA (AN12196, section 7.2): 56 bytes; `nil` if the tag does not support
  /// it.
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
  package mutating func read(
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
  package mutating func update(
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

  /// Selects the tag again, after a field cycle unless its UID is random.
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

  /// Sends a command, with the application and file it needs selected, until it is answered.
  ///
  /// - Returns: `nil` if every attempt was refused or got an invalid response.
  package mutating func transmit(
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

  /// Selects the application and file that are not selected yet.
  ///
  /// - Returns: The response that refuses it; `nil` if everything is selected.
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
      throw TagChannelError(.refused, "SELECT returned an ambiguous status")
    }
    return answer
  }
}

extension Type4Answer {
  /// Parses a response; `nil` if it is too short.
  package init?(_ bytes: [UInt8]) {
    guard bytes.count >= 2 else { return nil }
    data = Array(bytes.dropLast(2))
    status = Type4Status(
      rawValue: UInt16(bytes[bytes.count - 2]) << 8 | UInt16(bytes[bytes.count - 1]))
  }

  /// The value of the discretionary data object (53) in the response to a READ BINARY with an
  /// offset data object; empty if it is no such object.
  fileprivate var withoutDataObject: Type4Answer {
    guard data.count >= 2, data[0] == 0x53 else { return Type4Answer(data: [], status: status) }
    let isLong = data[1] == 0x81 && data.count >= 3
    let count = Int(data[isLong ? 2 : 1])
    return Type4Answer(
      data: Array(data.dropFirst(isLong ? 3 : 2).prefix(count)), status: status)
  }
}

/// The response to one command of a Type 4 tag: data, followed by two status bytes (ISO/IEC 7816-4,
/// section 5.1).
package struct Type4Answer: Hashable, Sendable {
  package let data: [UInt8]
  package let status: Type4Status
}

/// The status bytes SW1 and SW2 of a Type 4 tag's response (ISO/IEC 7816-4, section 5.6).
package struct Type4Status: RawRepresentable, Hashable, Sendable {
  package let rawValue: UInt16

  package init(rawValue: UInt16) { self.rawValue = rawValue }

  package static let done = Type4Status(rawValue: 0x9000)
  /// Fewer bytes than requested, because the file ends.
  static let endOfFile = Type4Status(rawValue: 0x6282)
  static let memoryFailure = Type4Status(rawValue: 0x6581)
  static let securityNotSatisfied = Type4Status(rawValue: 0x6982)
  static let fileNotFound = Type4Status(rawValue: 0x6A82)
  static let noDiagnosis = Type4Status(rawValue: 0x6F00)
  /// Success, in the wrapped native commands of MIFARE DESFire and NTAG 424 DNA.
  package static let nativeDone = Type4Status(rawValue: 0x9100)
  /// Success, and more data follows.
  package static let nativeMore = Type4Status(rawValue: 0x91AF)

  /// Success, in response to Read_Sig.
  static let nativeSignature = Type4Status(rawValue: 0x9190)

  /// A Boolean value that indicates whether the data of the response is valid.
  var isData: Bool { self == .done || self == .endOfFile }

  /// A Boolean value that indicates whether the same command may succeed when repeated.
  var isTransient: Bool { self == .memoryFailure || self == .noDiagnosis }

  /// Returns `true` if the status is a possible response to a command: ISO/IEC 7816-4 defines 9000
  /// and 61xx to 6Fxx, and the wrapped native commands (class 90) of MIFARE DESFire and NTAG 424
  /// DNA also 91xx. Any other status was garbled in transmission.
  package func answers(_ command: [UInt8]) -> Bool {
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
  /// The number, and its meaning in the standard, if any.
  package var description: String {
    let digits = [UInt8(rawValue >> 8), UInt8(rawValue & 0xFF)].hexadecimal
    return Self.meanings[rawValue].map { "status \(digits), \($0)" } ?? "status \(digits)"
  }
}
