import CliptagBasics
import TagTypes

/// One PC/SC reader and the tag on it, as their only owner.
///
/// The tag is opened exclusively if no other program uses it, because another program's reset would
/// end a password and a session in the middle of a plan. Otherwise it is shared, and a reset
/// appears as a failure of the line.
final class PCSCDevice: ReaderDevice {
  private let context: PCSCContext
  /// The reader's name in the smart card service.
  private let reader: String
  private let presence: PCSCPresence
  private var calls: PCSCCalls { context.calls }

  private var card: PCSCCalls.Card?
  private var linkProtocol: UInt32 = 0
  private var sharing = PCSCDevice.exclusive
  /// A Boolean value that indicates whether nothing was sent to the tag since it was powered up.
  private var isFresh = false
  private var target: TagTarget?
  /// A Boolean value that indicates whether the UID was compared since another tag may last have
  /// replaced the selected one.
  private var isProven = false
  /// A Boolean value that indicates whether the tag was selected without requesting its UID, which
  /// the next command must show.
  private var owesUID = false
  /// A Boolean value that indicates whether a tag that is selected again may show its UID itself;
  /// `false` after that failed.
  private var trustsTag = true
  /// The command in progress.
  private var command = CommandUnderWay()

  private struct CommandUnderWay {
    /// A Boolean value that indicates whether the command may change the tag.
    var mayChangeTag = false
    /// A Boolean value that indicates whether the response shows the UID: READ or FAST_READ of a
    /// Type 2 tag from page 0 on.
    var showsUID = false
  }
  /// The time of the last response from the tag or the reader.
  private var lastAnswer = ContinuousClock.now
  /// The transport for commands that PC/SC does not define, once determined.
  private var way: PCSCWay?
  /// A Boolean value that indicates whether a transparent session is open.
  private var isInSession = false
  /// A Boolean value that indicates whether the session must stay open, because the tag accepted a
  /// password in it.
  private var holdsSession = false
  /// A Boolean value that indicates whether blocks of ISO/IEC 15693 are read and written in a
  /// session, because the reader has no other commands for them.
  private var sessionCarriesBlocks = false
  /// The last state reported by the service.
  private var lastState = PCSCState(rawValue: 0)
  /// The count of card events when the tag was selected.
  private var selectedEvent: UInt32 = 0

  /// The longest idle time of this program in which one tag cannot be exchanged for another by
  /// hand.
  private let patience: Duration
  private static let shared: UInt32 = 2
  private static let exclusive: UInt32 = 1
  private enum Initialization: UInt32 { case leave = 0, reset = 1, unpower = 2 }

  /// Opens a reader.
  ///
  /// - Parameters:
  ///   - calls: The library.
  ///   - reader: The full name.
  ///   - patience: The idle time after which the UID is compared again before a tag is changed.
  init(
    calls: PCSCCalls, reader: String, patience: Duration = .milliseconds(100)
  ) throws(DeviceFailure) {
    self.patience = patience
    context = try PCSCContext(calls: calls)
    presence = try PCSCPresence(calls: calls, reader: reader)
    self.reader = reader
  }

  deinit { letGo(.reset) }

  var changes: ReaderChanges { .event(presence, since: lastState) }
  var reportsNoTagAsFailure: Bool { false }
  /// A reader or service that did not answer in time would not answer after reopening either.
  var mayReopen: Bool { !context.hasGivenUp }
  func chip() -> String? { reader }

  /// 60 bytes for a Type 2 tag, the limit of an ACR122U's pass-through, which is the smallest of
  /// all.
  func maximumAnswerByteCount(for target: TagTarget) -> Int {
    target.speaksISODEP ? 258 : target.technology == .iso15693 ? 128 : 60
  }

  /// Checks that the reader is present.
  func prepare() throws(DeviceFailure) {
    _ = try look()
  }

  /// The service's state of the reader.
  private func look() throws(DeviceFailure) -> (state: PCSCState, atr: [UInt8]) {
    let (state, atr, status) = context.state(of: reader)
    try PCSCStatus.check(status.rawValue)
    if state.isGone { throw .pcsc(.readerUnavailable) }
    lastState = state
    return (state, atr)
  }

  func close() { letGo(.reset) }

  private func letGo(_ initialization: Initialization) {
    guard let card else { return }
    endSession()
    _ = calls.disconnect(card, initialization.rawValue)
    self.card = nil
  }

  /// Switching off is a whole cycle: the service has no command for a field that stays off.
  func setField(on: Bool) throws(DeviceFailure) {
    guard !on, card != nil else { return }
    do throws(DeviceFailure) {
      try reconnect(.unpower)
    } catch {
      guard isAbsence(error) else { throw error }
    }
  }

  /// Has no effect: the tag cannot be halted without a reset, which comes with the next selection.
  func deselect() throws(DeviceFailure) {}

  func select(uid: [UInt8]) throws(DeviceFailure) -> TagTarget? {
    let (state, atr) = try look()
    guard state.isPresent else {
      letGo(.leave)
      return nil
    }
    if state.isMute { throw .pcsc(.unresponsiveCard) }
    do throws(DeviceFailure) {
      if card == nil || state.events != selectedEvent {
        letGo(.leave)
        try connect()
      } else if !isFresh {
        try reconnect(.reset)
      }
      selectedEvent = try look().state.events
      if trustsTag, let target, target.uid == uid, target.showsUID {
        owesUID = true
        return target
      }
      guard let found = try identify(AnswerToReset(atr)) else { return nil }
      target = found
      isProven = true
      return found
    } catch {
      letGo(.leave)
      guard isAbsence(error) else { throw error }
      return nil
    }
  }

  private func isAbsence(_ failure: DeviceFailure) -> Bool {
    guard case .pcsc(let status) = failure else { return false }
    // A tag that is being lifted stops answering before the service notices.
    return status.saysNoTag || status == .unresponsiveCard || status == .notTransacted
  }

  private func connect() throws(DeviceFailure) {
    var handle = 0
    sharing = Self.exclusive
    var code = calls.connect(context.handle, reader, sharing, &handle, &linkProtocol)
    if PCSCStatus(rawValue: code) == .sharingViolation {
      sharing = Self.shared
      code = calls.connect(context.handle, reader, sharing, &handle, &linkProtocol)
    }
    try PCSCStatus.check(code)
    card = handle
    (isFresh, isProven, isInSession, holdsSession) = (true, false, false, false)
    (owesUID, trustsTag) = (false, true)
  }

  private func reconnect(_ initialization: Initialization) throws(DeviceFailure) {
    guard let card else { return }
    endSession()
    (isProven, owesUID) = (false, false)
    let code = calls.reconnect(card, sharing, initialization.rawValue, &linkProtocol)
    if PCSCStatus(rawValue: code) != .success {
      _ = calls.disconnect(card, Initialization.leave.rawValue)
      self.card = nil
    }
    try PCSCStatus.check(code)
    isFresh = true
  }

  /// Identifies the tag on the reader by its ATR and its UID (PC/SC part 3, 3.1.3.2.3 and
  /// 3.2.2.1.3).
  private func identify(_ atr: AnswerToReset) throws(DeviceFailure) -> TagTarget? {
    switch atr.kind {
    case .typeB, .feliCa, .jewel: return nil
    case .typeA, .isoDEP, .iso15693: break
    }
    let isVicinity = atr.kind == .iso15693
    let uid = try uid(isVicinity: isVicinity)
    if isVicinity { return uid.count == 8 ? TagTarget(vicinityUID: uid) : nil }
    return TagTarget(
      atqa: atr.atqa(uidByteCount: uid.count), sak: atr.sak, uid: uid, ats: atr.answerToSelect)
  }

  /// The UID of the selected tag (PC/SC part 3, 3.2.2.1.3).
  private func uid(isVicinity: Bool) throws(DeviceFailure) -> [UInt8] {
    let answer = try transmit([0xFF, 0xCA, 0x00, 0x00, 0x00])
    guard answer.isDone, !answer.data.isEmpty else { throw .pcsc(.notTransacted) }
    // Most readers send the UID of an ISO/IEC 15693 tag with its lowest byte first; E0 is the
    // highest.
    return isVicinity && answer.data.last == 0xE0 ? answer.data.reversed() : answer.data
  }

  func find(_ technology: OtherTechnology) throws(DeviceFailure) -> [UInt8]? {
    let (state, bytes) = try look()
    guard state.isPresent, AnswerToReset(bytes).isOf(technology) else { return nil }
    do throws(DeviceFailure) {
      if card == nil { try connect() }
      let answer = try transmit([0xFF, 0xCA, 0x00, 0x00, 0x00])
      return answer.isDone ? answer.data : []
    } catch {
      return []
    }
  }

  func hasLeft() throws(DeviceFailure) -> Bool? {
    let state = try look().state
    return !state.isPresent || state.events != selectedEvent
  }

  func recover() throws(DeviceFailure) {
    _ = try look()
    letGo(.reset)
  }
}

/// The rule that only the selected tag is changed.
extension PCSCDevice {
  /// Sends a command to the tag; all commands use this function.
  ///
  /// After a reset, a session or an idle time, another tag may be in the field, or the other of two
  /// may be selected. The UID and the count of card events are therefore compared before a command
  /// that may change a tag, unless that has been done since.
  ///
  /// - Throws: `.anotherTag` if another tag answers or the tag's identity cannot be shown; the
  ///   command was not sent.
  private func carry(_ words: [UInt8]) throws(DeviceFailure) -> PCSCAnswer {
    if command.mayChangeTag || owesUID && !command.showsUID { try prove() }
    return try transmit(words)
  }

  private func prove() throws(DeviceFailure) {
    guard let target else { throw .pcsc(.removedCard) }
    guard !isProven || lastAnswer.duration(to: .now) > patience else { return }
    isProven = false
    // A tag that arrived since then must first be selected.
    if try look().state.events != selectedEvent { throw .pcsc(.removedCard) }
    if !isInSession {
      guard try uid(isVicinity: target.technology == .iso15693) == target.uid else {
        throw isAnotherTag()
      }
    } else if target.technology == .typeA {
      // Standard commands fail in a session. A Type 2 tag shows its UID on its first pages.
      let answer = try transmit(PCSCWay.exchange([0x30, 0x00]))
      guard answer.isDone, let pages = PCSCWay.response(in: answer.data), pages.count >= 8,
        target.isShown(by: pages)
      else { throw isAnotherTag() }
    }
    // Commands of ISO/IEC 15693 in a session contain the UID: no other tag accepts them.
    (isProven, owesUID) = (true, false)
  }

  /// Compares the UID with the response to READ or FAST_READ from page 0 on.
  private func compareUID(in pages: [UInt8]) throws(DeviceFailure) {
    // A truncated response shows nothing; the caller rejects it.
    guard let target, pages.count >= 8 else { return }
    guard target.isShown(by: pages) else {
      // A tag may report false pages. If that matters, the reader is asked for the UID.
      guard owesUID else { return }
      throw isAnotherTag()
    }
    (isProven, owesUID) = (true, false)
  }

  private func isAnotherTag() -> DeviceFailure {
    (isProven, owesUID, trustsTag) = (false, false, false)
    return .anotherTag
  }
}

extension TagTarget {
  /// A Boolean value that indicates whether the next command can confirm the tag's identity: its
  /// first pages contain the UID, and so does a command of ISO/IEC 15693 in a session.
  fileprivate var showsUID: Bool { showsUIDOnFirstPages || technology == .iso15693 }

  /// A Boolean value that indicates whether the first pages contain the UID: a Type 2 tag with a
  /// UID of seven bytes (ISO/IEC 14443-3, 6.5.4; NTAG21x data sheet, section 8.5.1).
  fileprivate var showsUIDOnFirstPages: Bool {
    technology == .typeA && sak == 0x00 && uid.count == 7
  }

  /// Returns `true` if these are the tag's first pages: the UID, with a check byte after the third
  /// byte.
  ///
  /// - Parameter pages: At least eight bytes.
  fileprivate func isShown(by pages: [UInt8]) -> Bool {
    showsUIDOnFirstPages && Array(pages[..<3] + pages[4..<8]) == uid
  }
}

/// The transport of commands to the tag.
extension PCSCDevice {
  func transceive(_ command: [UInt8], _ rule: ExchangeRule) throws(DeviceFailure) -> [UInt8] {
    guard let target, card != nil, let code = command.first else { throw .pcsc(.removedCard) }
    guard command.count <= ExchangeRule.commandByteLimit else {
      throw .notCarried("the command is too long for the reader")
    }
    isFresh = false
    self.command.mayChangeTag = rule.mayChangeTag
    self.command.showsUID =
      target.showsUIDOnFirstPages && command.count > 1 && [0x30, 0x3A].contains(code)
      && command[1] == 0x00
    if target.speaksISODEP {
      let answer = try carry(command)
      return answer.data + [answer.first, answer.second]
    }
    if target.technology == .iso15693 {
      return rule.hasOption
        ? try vicinityInSession(command, hasOption: true) : try vicinity(command)
    }
    let answer = try type2(command)
    if self.command.showsUID { try compareUID(in: answer) }
    return answer
  }

  private func type2(_ command: [UInt8]) throws(DeviceFailure) -> [UInt8] {
    switch (command[0], command.count) {
    case (0x30, 2) where !isInSession: return try readPages(from: command[1])
    case (0xA2, 6) where !holdsSession:
      // Pass-through is never used: readers report the write as refused although the tag stored it.
      try leaveSession()
      return try update(0, command[1], Array(command[2...]))
    default: return try raw(command)
    }
  }

  /// READ BINARY. Some readers return four pages, some one.
  private func readPages(from page: UInt8) throws(DeviceFailure) -> [UInt8] {
    var bytes: [UInt8] = []
    while bytes.count < 16 {
      guard let next = UInt8(exactly: Int(page) + bytes.count / 4) else { break }
      let answer = try carry([0xFF, 0xB0, 0x00, next, UInt8(16 - bytes.count)])
      if !answer.isDone {
        // The pages read so far are all there are.
        if bytes.isEmpty { throw failure(answer, "read page \(next)", isBehind: next >= 16) }
        break
      }
      // A partial page would shift all that follows.
      guard !answer.data.isEmpty, answer.data.count.isMultiple(of: 4) else {
        throw .refused("the reader returned \(answer.data.count) bytes for pages of four")
      }
      bytes += answer.data
    }
    return Array(bytes.prefix(16))
  }

  /// UPDATE BINARY.
  private func update(
    _ high: UInt8, _ low: UInt8, _ bytes: [UInt8]
  ) throws(DeviceFailure) -> [UInt8] {
    let answer = try carry([0xFF, 0xD6, high, low, UInt8(bytes.count)] + bytes)
    guard answer.isDone else {
      throw failure(answer, "write page \(low)", isBehind: low >= 16)
    }
    return []
  }

  /// The failure for a status word of the reader: an unsupported command, or a refusal by the tag.
  private func failure(
    _ answer: PCSCAnswer, _ what: String, isBehind: Bool = false
  ) -> DeviceFailure {
    let words = "the reader \(reader) returns \([answer.first, answer.second].hexadecimal)"
    switch (answer.first, answer.second) {
    // Wrong address: every NTAG has these pages, so the reader does not reach them.
    case (0x6A, 0x82) where isBehind:
      return .notCarried("\(words) on the request to \(what): the address is out of its range")
    case (0x6A, 0x81), (0x6D, _), (0x6E, _), (0x68, _):
      return .notCarried("\(words) on the request to \(what): it does not support that")
    default: return .refused("\(words): the tag refused it")
    }
  }

  /// ISO/IEC 15693: blocks with READ BINARY and UPDATE BINARY, all other commands in a session.
  private func vicinity(_ command: [UInt8]) throws(DeviceFailure) -> [UInt8] {
    let isLong = command[0] & 0xF0 == 0x30
    let address = command.dropFirst().prefix(isLong ? 2 : 1)
    let (low, high) = (address.first ?? 0, isLong ? address.last ?? 0 : 0)
    // While a session must stay open, all commands use it.
    guard !holdsSession, !sessionCarriesBlocks else {
      return try vicinityInSession(command)
    }
    do throws(DeviceFailure) {
      switch (command[0], address.count) {
      case (0x20, 1), (0x30, 2):
        try leaveSession()
        var answer = try carry([0xFF, 0xB0, high, low, 0x04])
        if answer.first == 0x6C { answer = try carry([0xFF, 0xB0, high, low, answer.second]) }
        guard answer.isDone else { throw failure(answer, "read block \(low)") }
        return answer.data
      case (0x21, 1), (0x31, 2):
        try leaveSession()
        return try update(high, low, Array(command.dropFirst(isLong ? 3 : 2)))
      default: break
      }
    } catch {
      // If the reader lacks these commands for such tags, the session is used.
      guard case .notCarried = error else { throw error }
      let answer = try vicinityInSession(command)
      sessionCarriesBlocks = true
      return answer
    }
    return try vicinityInSession(command)
  }

  /// Sends an ISO/IEC 15693 command at the high data rate, and addressed, so that no other tag in
  /// the field executes it. The UID follows the command, or the maker's code of a custom command
  /// (ISO/IEC 15693-3, sections 7.3.1 and 10.5), lowest byte first.
  ///
  /// - Parameter hasOption: `true` to set the OPTION flag.
  private func vicinityInSession(
    _ command: [UInt8], hasOption: Bool = false
  ) throws(DeviceFailure) -> [UInt8] {
    let head = command[0] >= 0xA0 ? 2 : 1
    let uid = target.map { $0.uid.reversed() } ?? []
    let answer = try raw(
      [hasOption ? 0x62 : 0x22] + command.prefix(head) + uid + command.dropFirst(head))
    guard let flags = answer.first else { throw .refused("the tag did not respond") }
    guard flags & 0x01 == 0 else {
      throw answer.dropFirst().first.map(DeviceFailure.refusedWith)
        ?? .refused("the tag returned an error")
    }
    // GET RANDOM NUMBER and SET PASSWORD: the access they grant ends with the session.
    if command[0] == 0xB2 || command[0] == 0xB3 { holdsSession = true }
    return Array(answer.dropFirst())
  }

  /// Sends a command as defined in the tag's data sheet.
  private func raw(_ command: [UInt8]) throws(DeviceFailure) -> [UInt8] {
    let way: PCSCWay = if let way { way } else { try probed() }
    switch way {
    case .none:
      throw .notCarried(
        "the reader \(reader) does not pass command \([command[0]].hexadecimal) to a tag; use an "
          + "ACR1252U, an ACR1552U or a reader with a PN53x")
    case .pn53x:
      let answer = try carry(
        [0xFF, 0x00, 0x00, 0x00, UInt8(command.count + 2), 0xD4, 0x42] + command)
      guard answer.isDone, answer.data.starts(with: [0xD5, 0x43, 0x00]) else {
        throw .refused("the tag responded with a NAK or not at all")
      }
      return Array(answer.data.dropFirst(3))
    case .direct:
      let answer = try carry([0xFF, 0x00, 0x00, 0x00, UInt8(command.count)] + command)
      guard answer.isDone else { throw failure(answer, "pass a command") }
      return answer.data
    case .session:
      if let begun = try beginSession() { throw failure(begun, "open a session") }
      let answer = try carry(PCSCWay.exchange(command))
      guard answer.isDone, let data = PCSCWay.response(in: answer.data) else {
        // Another tag would be silent as well, because the command does not contain its UID.
        if target?.technology == .iso15693 { trustsTag = false }
        throw .refused("the tag responded with a NAK or not at all")
      }
      // PWD_AUTH: the access it grants ends with the session.
      if command[0] == 0x1B { holdsSession = true }
      return data
    }
  }

  /// Determines the transport, without any command that reaches a tag: first the session of PC/SC
  /// part 3, then a chip command that only a PN53x understands. With other readers, the tag's
  /// version is requested by plain pass-through.
  private func probed() throws(DeviceFailure) -> PCSCWay {
    let found: PCSCWay
    if try beginSession() == nil {
      found = .session
    } else if target?.technology == .iso15693 {
      found = .none
    } else {
      let chip = try transmit([0xFF, 0x00, 0x00, 0x00, 0x02, 0xD4, 0x02])
      if chip.isDone, chip.data.starts(with: [0xD5, 0x03]) {
        found = .pn53x
      } else {
        // If the chip command reached the tag, it has silenced it.
        try reconnect(.reset)
        isFresh = false
        let version = try transmit([0xFF, 0x00, 0x00, 0x00, 0x01, 0x60])
        // After a command unknown to the tag, the reader works again only after a reset.
        if !version.isDone { try reconnect(.reset) }
        isFresh = false
        let isKnown = version.isDone && version.data.count >= 8
        let isRefusedByTag = !version.isDone && version.first == 0x63
        found = isKnown || isRefusedByTag ? .direct : .none
      }
    }
    way = found
    return found
  }

  /// Opens a session, unless one is open.
  ///
  /// - Returns: The reader's response if it did not open one.
  private func beginSession() throws(DeviceFailure) -> PCSCAnswer? {
    guard !isInSession else { return nil }
    let begun = try transmit(PCSCWay.begin)
    guard begun.isDone, PCSCWay.isTaken(begun.data) else { return begun }
    // From here on, the reader selects any tag that answers.
    (isInSession, isProven) = (true, false)
    _ = try transmit(PCSCWay.protocolSwitch(target?.technology ?? .typeA))
    return nil
  }

  /// Ends a session. Standard commands fail after a session until the tag has been reset.
  private func leaveSession() throws(DeviceFailure) {
    guard isInSession else { return }
    try reconnect(.reset)
    isFresh = false
  }

  private func endSession() {
    guard isInSession else { return }
    (isInSession, holdsSession) = (false, false)
    _ = try? transmit(PCSCWay.end)
  }

  private func transmit(_ command: [UInt8]) throws(DeviceFailure) -> PCSCAnswer {
    guard let card else { throw .pcsc(.removedCard) }
    var bytes: [UInt8] = []
    var code = calls.transmit(card, linkProtocol, command, &bytes)
    // Fetches the rest of a response that a reader of protocol T=0 holds back.
    if code == 0, bytes.count == 2, bytes[0] == 0x61, command[0] == 0xFF {
      code = calls.transmit(card, linkProtocol, [0xFF, 0xC0, 0x00, 0x00, bytes[1]], &bytes)
    }
    try PCSCStatus.check(code)
    guard bytes.count >= 2 else { throw .pcsc(.notTransacted) }
    lastAnswer = .now
    return PCSCAnswer(bytes)
  }
}

/// The response of a reader: data and a status word.
struct PCSCAnswer {
  let data: [UInt8]
  /// SW1.
  let first: UInt8
  /// SW2.
  let second: UInt8

  /// Makes a response from at least two bytes.
  init(_ bytes: [UInt8]) {
    data = Array(bytes.dropLast(2))
    (first, second) = (bytes[bytes.count - 2], bytes[bytes.count - 1])
  }

  var isDone: Bool { first == 0x90 && second == 0x00 }
}

/// The transport of commands that PC/SC does not define.
enum PCSCWay: Hashable, Sendable {
  /// The transparent session of PC/SC part 3 amendment 1.
  case session
  /// FF 00 00 00 with InCommunicateThru of a PN53x (ACR122U).
  case pn53x
  /// FF 00 00 00 with the command only (ACR1252U, ACR1255U, ACR1281U).
  case direct
  /// No transport.
  case none

  static let begin: [UInt8] = [0xFF, 0xC2, 0x00, 0x00, 0x02, 0x81, 0x00, 0x00]
  static let end: [UInt8] = [0xFF, 0xC2, 0x00, 0x00, 0x02, 0x82, 0x00, 0x00]

  /// The switch to ISO/IEC 14443-3 type A or to ISO/IEC 15693-3.
  static func protocolSwitch(_ technology: TagTechnology) -> [UInt8] {
    [0xFF, 0xC2, 0x00, 0x02, 0x04, 0x8F, 0x02, technology == .iso15693 ? 0x02 : 0x00, 0x03, 0x00]
  }

  /// A command with a time-out of 200 ms, which some readers require.
  static func exchange(_ command: [UInt8]) -> [UInt8] {
    let objects: [UInt8] =
      [0x5F, 0x46, 0x04, 0x40, 0x0D, 0x03, 0x00, 0x95, UInt8(command.count)] + command
    return [0xFF, 0xC2, 0x00, 0x01, UInt8(objects.count)] + objects + [0x00]
  }

  /// Returns `true` if the reader executed a session's command, as reported by object C0.
  static func isTaken(_ data: [UInt8]) -> Bool {
    let objects = objects(in: data)
    return objects.first { $0.tag == 0xC0 }?.value.first == 0
  }

  /// The tag's response, object 97; `nil` if the tag gave none.
  static func response(in data: [UInt8]) -> [UInt8]? {
    guard isTaken(data) else { return nil }
    return objects(in: data).first { $0.tag == 0x97 }?.value
  }

  /// The BER-TLV objects; truncated ones are omitted.
  private static func objects(in data: [UInt8]) -> [(tag: UInt8, value: [UInt8])] {
    var objects: [(tag: UInt8, value: [UInt8])] = []
    var rest = data[...]
    while rest.count >= 2, let tag = rest.popFirst(), var count = rest.popFirst().map(Int.init) {
      if count == 0x81 {
        count = rest.popFirst().map(Int.init) ?? 0
      } else if count == 0x82 {
        count = (rest.popFirst().map(Int.init) ?? 0) << 8 | (rest.popFirst().map(Int.init) ?? 0)
      }
      guard count <= rest.count else { break }
      objects.append((tag, Array(rest.prefix(count))))
      rest = rest.dropFirst(count)
    }
    return objects
  }
}

/// The answer to reset with which a PC/SC reader describes the tag on it (PC/SC part 3,
/// 3.1.3.2.3.2).
struct AnswerToReset {
  enum Kind: Hashable { case typeA, isoDEP, typeB, iso15693, feliCa, jewel }
  /// The tag's protocol.
  let kind: Kind
  /// The number of the card's name; 0 if it has none.
  private let name: Int
  private let historical: [UInt8]

  init(_ bytes: [UInt8]) {
    // 3B 8n 80 01, n historical bytes, a check byte.
    let count = bytes.count > 1 ? Int(bytes[1] & 0x0F) : 0
    historical = Array(bytes.dropFirst(4).prefix(count))
    // 80 is the category, followed by an application identifier, that of the PC/SC workgroup.
    let workgroup: [UInt8] = [0x80, 0x4F, 0x0C, 0xA0, 0x00, 0x00, 0x03, 0x06]
    guard let start = Self.place(of: Array(workgroup[1...]), in: bytes),
      bytes.count >= start + workgroup.count + 2
    else {
      (kind, name) = (.isoDEP, 0)
      return
    }
    let rest = Array(bytes[(start + workgroup.count - 1)...])
    name = Int(rest[1]) << 8 | Int(rest[2])
    switch (rest[0], name) {
    case (_, 0xF004): kind = .jewel
    case (0x01...0x03, _): kind = .typeA
    case (0x04, _): kind = .isoDEP
    case (0x05...0x07, _): kind = .typeB
    case (0x09...0x0C, _): kind = .iso15693
    case (0x11, _): kind = .feliCa
    default: kind = .typeA
    }
  }

  private static func place(of pattern: [UInt8], in bytes: [UInt8]) -> Int? {
    guard bytes.count >= pattern.count else { return nil }
    return (0...bytes.count - pattern.count).first { bytes[$0...].starts(with: pattern) }
  }

  /// The SAK, derived from the name, because PC/SC does not report the real one.
  var sak: UInt8 {
    switch (kind, name) {
    case (.isoDEP, _): 0x20
    case (_, 0x0001): 0x08
    case (_, 0x0002): 0x18
    case (_, 0x0026): 0x09
    default: 0x00
    }
  }

  /// The ATQA, derived from the length of the UID and the name.
  func atqa(uidByteCount count: Int) -> [UInt8] {
    switch sak {
    case 0x20: [0x03, 0x44]
    case 0x18: [0x00, 0x02]
    case 0x08, 0x09: [0x00, 0x04]
    default: [0x00, count == 4 ? 0x04 : 0x44]
    }
  }

  /// The historical bytes after a format byte without flags: TA, TB and TC are lost.
  var answerToSelect: [UInt8] { kind == .isoDEP ? [0x00] + historical : [] }

  /// Returns `true` if a tag of this technology is on the reader.
  func isOf(_ technology: OtherTechnology) -> Bool {
    switch technology {
    case .felica212: kind == .feliCa
    case .felica424: false
    case .jewel: kind == .jewel
    case .typeB: kind == .typeB
    }
  }
}
