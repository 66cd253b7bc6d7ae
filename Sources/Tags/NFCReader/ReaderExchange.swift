import CliptagBasics
public import TagTypes

/// A tag that a reader has selected.
///
/// It is usable until the reader is closed, or until the reader's next
/// ``NFCReader/waitForTag(timeout:ignoring:)`` begins; after that, its exchanges fail with `.tagLost`. Every
/// call runs on the reader's thread and never blocks the caller's. Cancellation does not interrupt
/// a call that has begun, because a write cannot be undone once sent: the call ends in at most a
/// few seconds, on a healthy reader in milliseconds.
public struct NFCTag: TagChannel {
  /// The tag's description from its selection.
  public let target: TagTarget
  /// The reader that holds the tag.
  public let reader: NFCReader
  /// The number of the reader's selection from which this tag came.
  let selection: Int

  /// The maximum length of a response in bytes: 60 on an ACR122U, else 240 for a Type 2 tag and 258
  /// for an APDU (256 bytes and the status word).
  public let maximumAnswerByteCount: Int

  /// Sends one command and returns the response without its CRC.
  ///
  /// READ, WRITE and COMPATIBILITY_WRITE of a Type 2 tag and every APDU of an ISO/IEC 14443-4 tag
  /// are framed by the reader (InDataExchange); all other commands are sent unchanged, with a CRC
  /// (InCommunicateThru). A response longer than in the command's data sheet is truncated; a
  /// shorter one counts as a refusal. A command that is safe to repeat is sent once more if the
  /// line to the reader, not the tag, failed; an APDU never is. A command of more than 262 bytes is
  /// refused unsent.
  ///
  /// Through libnfc an APDU may take 2 s and four of the tag's frame waiting times, 22 s for the
  /// slowest tag that the standard permits; any other command 0.7 s. A PC/SC reader is given up if
  /// it has not answered within the time limit of ``NFCReader/open(_:answerTimeout:clock:)``.
  public func exchange(_ command: [UInt8]) async throws(TagChannelError) -> [UInt8] {
    try await reader.hurriedByCancellation { () async throws(TagChannelError) -> [UInt8] in
      try await reader.exchange(command, with: self)
    }
  }

  /// Sends one command of ISO/IEC 15693 with the OPTION flag, which a PC/SC reader carries in a
  /// transparent session only.
  public func exchangeWithOption(
    _ command: [UInt8]
  ) async throws(TagChannelError) -> [UInt8] {
    try await reader.hurriedByCancellation { () async throws(TagChannelError) -> [UInt8] in
      try await reader.exchange(command, hasOption: true, with: self)
    }
  }

  /// Selects the same tag again, optionally with the field switched off for a moment.
  public func reselect(fieldCycle: Bool) async throws(TagChannelError) {
    try await reader.hurriedByCancellation { () async throws(TagChannelError) -> Void in
      try await reader.reselect(self, fieldCycle: fieldCycle)
    }
  }
}

extension NFCReader {
  /// Runs `body`, which may wait for a reader that never answers; after the task is cancelled, the
  /// wait lasts no longer than ``CallLimit/grace``.
  nonisolated func hurriedByCancellation<Value: Sendable, Failure: Error>(
    _ body: @Sendable () async throws(Failure) -> Value
  ) async throws(Failure) -> Value {
    let result = await withTaskCancellationHandler { () async -> Result<Value, Failure> in
      do throws(Failure) {
        return .success(try await body())
      } catch {
        return .failure(error)
      }
    } onCancel: {
      limit.isHurried = true
    }
    return try result.get()
  }

  /// Sends a command to a tag; see ``NFCTag/exchange(_:)``.
  ///
  /// Runs without suspension, so that the commands of two callers never mix.
  func exchange(
    _ command: [UInt8], hasOption: Bool = false, with tag: NFCTag
  ) throws(TagChannelError) -> [UInt8] {
    let device = try device(for: tag)
    if !isSelected { try select(tag, on: device) }
    var rule = ExchangeRule(command, target: tag.target)
    rule.hasOption = hasOption
    let outcome: Outcome
    do throws(DeviceFailure) {
      outcome = try attempt(command, rule, on: device)
    } catch {
      // The line failed, not the tag: a damaged or late response. Settle the line, then try once
      // more.
      try settle(error, tag, on: device)
      guard rule.isRepeatable else { throw refusal(of: command, "\(error)") }
      return try repeated(command, rule, tag, on: device)
    }
    return try answer(of: outcome, to: command, tag, on: device)
  }

  private func repeated(
    _ command: [UInt8], _ rule: ExchangeRule, _ tag: NFCTag, on device: any ReaderDevice
  ) throws(TagChannelError) -> [UInt8] {
    let outcome: Outcome
    do throws(DeviceFailure) {
      outcome = try attempt(command, rule, on: device)
    } catch {
      try settle(error, tag, on: device)
      throw refusal(of: command, "\(error), twice")
    }
    return try answer(of: outcome, to: command, tag, on: device)
  }

  private func answer(
    of outcome: Outcome, to command: [UInt8], _ tag: NFCTag, on device: any ReaderDevice
  ) throws(TagChannelError) -> [UInt8] {
    switch outcome {
    case .answer(let answer): return answer
    case .notCarried(let reason): throw TagChannelError(.notCarried, reason)
    case .refusal(let reason, let code):
      try select(tag, on: device)
      throw refusal(of: command, reason, code)
    }
  }

  /// Selects a tag again; see ``NFCTag/reselect(fieldCycle:)``.
  func reselect(_ tag: NFCTag, fieldCycle: Bool) throws(TagChannelError) {
    let device = try device(for: tag)
    isSelected = false
    if fieldCycle {
      do {
        if tag.target.hasRandomUID {
          try device.deselect()
        } else {
          // The chip switches the field on automatically when it looks for a tag.
          try device.setField(on: false)
        }
      } catch {
        try recover(device, after: error)
      }
    }
    try select(tag, on: device, hasForgotten: fieldCycle && !tag.target.hasRandomUID)
  }

  /// The outcome of one command.
  private enum Outcome {
    case answer([UInt8])
    case refusal(String, UInt8? = nil)
    /// The reader cannot send the command; the tag is unchanged.
    case notCarried(String)
  }

  /// - Throws: A failure between the host and the reader.
  private func attempt(
    _ command: [UInt8], _ rule: ExchangeRule, on device: any ReaderDevice
  ) throws(DeviceFailure) -> Outcome {
    do {
      let answer = try device.transceive(command, rule)
      return rule.accept(answer).map(Outcome.answer)
        ?? .refusal("the tag responded with a NAK, or with too few bytes")
    } catch {
      if error.isOfTheLine { throw error }
      if case .notCarried(let reason) = error { return .notCarried(reason) }
      if case .refusedWith(let code) = error { return .refusal("\(error)", code) }
      return .refusal("\(error)")
    }
  }

  private func settle(
    _ status: DeviceFailure, _ tag: NFCTag, on device: any ReaderDevice
  ) throws(TagChannelError) {
    isSelected = false
    // After a time-out the response may still arrive; other failures leave a clean line.
    if status.mayAnswerLate { try recover(device, after: status) }
    try select(tag, on: device)
  }

  /// Selects the tag, halted or not, and confirms its identity.
  ///
  /// - Parameter hasForgotten: `true` if the field has been off, so that nothing is active.
  private func select(
    _ tag: NFCTag, on device: any ReaderDevice, hasForgotten: Bool = false
  ) throws(TagChannelError) {
    isSelected = false
    let found: TagTarget?
    do {
      found = try find(tag, on: device, hasForgotten: hasForgotten)
    } catch {
      try recover(device, after: error)
      do {
        found = try find(tag, on: device)
      } catch {
        throw failed(error)
      }
    }
    guard let found else {
      throw TagChannelError(.tagLost, "tag \(tag.target.uid.hexadecimal) no longer responds")
    }
    guard found.uid == tag.target.uid else {
      let doubt = tag.target.hasRandomUID && found.hasRandomUID ? "; both are random" : ""
      throw TagChannelError(
        .tagChanged,
        "tag \(found.uid.hexadecimal) responds in place of \(tag.target.uid.hexadecimal)\(doubt)")
    }
    isSelected = true
  }

  /// Finds the tag by its UID, which also wakes a halted tag; otherwise any tag that answers.
  ///
  /// An active tag answers only the second request, and some chips must be instructed to switch the
  /// field on. A tag in ISO/IEC 14443-4 receives no request until it is deselected; if it has lost
  /// synchronisation, not until the field was off.
  private func find(
    _ tag: NFCTag, on device: any ReaderDevice, hasForgotten: Bool = false
  ) throws(DeviceFailure) -> TagTarget? {
    if tag.target.speaksISODEP {
      // A tag that was without field would not answer that, and the chip would wait for it.
      if !hasForgotten { try device.deselect() }
      if let target = try device.select(uid: tag.target.uid) { return target }
      try device.setField(on: false)
      try device.setField(on: true)
      return try device.select()
    }
    if let target = try device.select(uid: tag.target.uid) { return target }
    try device.setField(on: true)
    if let target = try device.select() { return target }
    return try device.select()
  }

  private func device(for tag: NFCTag) throws(TagChannelError) -> any ReaderDevice {
    if Task.isCancelled { throw TagChannelError(.cancelled, "cancelled") }
    guard let device else { throw TagChannelError(.readerFailed, "the reader is closed") }
    guard tag.selection == selection else {
      throw TagChannelError(.tagLost, "the reader selected another tag")
    }
    return device
  }

  private func recover(_ device: any ReaderDevice, after status: DeviceFailure)
    throws(TagChannelError)
  {
    do {
      try device.recover()
    } catch {
      throw failed(status)
    }
  }

  private func failed(_ status: DeviceFailure) -> TagChannelError {
    if Task.isCancelled, status == .pcsc(.timedOut) {
      return TagChannelError(.cancelled, "cancelled while the reader did not respond")
    }
    return TagChannelError(
      .readerFailed, "the reader \(connectionString) stopped working: \(status)")
  }

  private func refusal(
    of command: [UInt8], _ reason: String, _ code: UInt8? = nil
  ) -> TagChannelError {
    // The bytes after PWD_AUTH are secret.
    let shown = command.prefix(command.first == 0x1B ? 1 : 2).hexadecimal
    return TagChannelError(.refused, "command \(shown): \(reason)", refusal: code)
  }
}

/// The transport of one tag command, and the form of its response.
struct ExchangeRule: Hashable, Sendable {
  /// A Boolean value that indicates whether the reader frames the command (InDataExchange) or
  /// passes it on unchanged.
  let isFramedByReader: Bool
  /// The length of the response in bytes, if the data sheet fixes it.
  let answerLength: Int?
  /// A Boolean value that indicates whether sending the command twice has the same effect as
  /// sending it once.
  let isRepeatable: Bool
  /// The time limit of the reader in milliseconds; `nil` for the reader's default.
  let timeout: Int32?
  /// A Boolean value that indicates whether the command may change a tag: its memory, its locks, or
  /// the count of wrong passwords. `true` for every command that is not known to only read.
  let mayChangeTag: Bool
  /// A Boolean value that indicates whether the request has the OPTION flag of ISO/IEC 15693.
  var hasOption = false

  /// The longest command in bytes that libnfc and the chip's frame take, besides InDataExchange's
  /// two bytes (UM0701-02, 7.3.8). libnfc copies a longer one past the end of its buffer.
  static let commandByteLimit = 262

  init(_ command: [UInt8], target: TagTarget) {
    if target.speaksISODEP {
      // SELECT and READ BINARY (ISO/IEC 7816-4, 11.2.2 and 11.3.3).
      let onlyReads = command.count > 1 && command[0] == 0x00 && [0xA4, 0xB0].contains(command[1])
      self.init(
        isFramedByReader: true, answerLength: nil, isRepeatable: false,
        timeout: Self.timeout(answerToSelect: target.ats), onlyReads: onlyReads)
    } else if target.technology == .iso15693 {
      self.init(ofType5: command)
    } else {
      self.init(ofType2: command)
    }
  }

  /// Makes the rule for a Type 2 command (NTAG213/215/216 data sheet, section 10).
  private init(ofType2 command: [UInt8]) {
    switch command.first {
    case 0x30:  // READ
      self.init(isFramedByReader: true, answerLength: 16, isRepeatable: true, onlyReads: true)
    case 0xA2, 0xA0:  // WRITE, COMPATIBILITY_WRITE
      self.init(isFramedByReader: true, answerLength: 0, isRepeatable: true)
    case 0x60:  // GET_VERSION
      self.init(isFramedByReader: false, answerLength: 8, isRepeatable: true, onlyReads: true)
    case 0x3A:  // FAST_READ
      let pages = command.count == 3 ? Int(command[2]) - Int(command[1]) + 1 : 0
      self.init(
        isFramedByReader: false, answerLength: pages > 0 ? pages * 4 : nil, isRepeatable: true,
        onlyReads: true)
    case 0x39:  // READ_CNT
      self.init(isFramedByReader: false, answerLength: 3, isRepeatable: true, onlyReads: true)
    case 0x3C:  // READ_SIG: 32 or 48 bytes, by the product
      self.init(isFramedByReader: false, answerLength: nil, isRepeatable: true, onlyReads: true)
    case 0x1B:  // PWD_AUTH: a wrong password sent twice is counted twice
      self.init(isFramedByReader: false, answerLength: 2, isRepeatable: false)
    default: self.init(isFramedByReader: false, answerLength: nil, isRepeatable: false)
    }
  }

  /// Makes the rule for a Type 5 command (ISO/IEC 15693-3, section 10): reading may be repeated,
  /// and so may writing a block.
  private init(ofType5 command: [UInt8]) {
    switch command.first {
    case 0x20, 0x23, 0x2B, 0x2C, 0x30, 0x33, 0x3B, 0x3C:
      self.init(isFramedByReader: true, answerLength: nil, isRepeatable: true, onlyReads: true)
    case 0x21, 0x31:
      self.init(isFramedByReader: true, answerLength: nil, isRepeatable: true)
    case 0xB2:  // GET RANDOM NUMBER of an ICODE SLIX2
      self.init(isFramedByReader: true, answerLength: nil, isRepeatable: false, onlyReads: true)
    default: self.init(isFramedByReader: true, answerLength: nil, isRepeatable: false)
    }
  }

  private init(
    isFramedByReader: Bool, answerLength: Int?, isRepeatable: Bool, timeout: Int32? = nil,
    onlyReads: Bool = false
  ) {
    self.isFramedByReader = isFramedByReader
    self.answerLength = answerLength
    self.isRepeatable = isRepeatable
    self.timeout = timeout
    mayChangeTag = !onlyReads
  }

  /// The time limit for one APDU in milliseconds: 2 s for the line and for a tag that requests more
  /// time, and four frame waiting times, because the chip repeats an unanswered block.
  ///
  /// The frame waiting time is 302 µs · 2^FWI, with FWI in the upper half of TB(1), or 4 if that is
  /// absent (ISO/IEC 14443-4, 5.2.5 and 7.2).
  private static func timeout(answerToSelect ats: [UInt8]) -> Int32 {
    var waitingIndex: UInt8 = 4
    // T0 indicates which of TA(1), TB(1), TC(1) follow it.
    if let format = ats.first, format & 0x20 != 0 {
      let place = format & 0x10 != 0 ? 2 : 1
      if ats.indices.contains(place), ats[place] >> 4 < 15 { waitingIndex = ats[place] >> 4 }
    }
    return 2000 + 4 * (302 << Int32(waitingIndex)) / 1000
  }

  /// The response in the form of the data sheet, or `nil` if it is a refusal.
  ///
  /// Some readers pass on the CRC, or a four-bit response as one byte: `A` is the acknowledgement,
  /// anything else a NAK.
  func accept(_ answer: [UInt8]) -> [UInt8]? {
    guard let answerLength else { return answer }
    if answerLength == 0, let first = answer.first { return first == 0x0A ? [] : nil }
    guard answer.count >= answerLength else { return nil }
    return Array(answer.prefix(answerLength))
  }
}
