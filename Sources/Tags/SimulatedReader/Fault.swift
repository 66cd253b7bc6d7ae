import CliptagBasics
import TagAuthenticity
import TagTypes

/// A fault at a chosen moment, for testing software.
///
/// A fault has a short text form, which `cliptag reader simulate --fault` takes. The faults of
/// writes, by page or by number of the write:
///
/// | text | effect |
/// | --- | --- |
/// | `refuse-page=9` | every write to page 9 is refused: NAK 5, or status 6581; `9:1` only the first |
/// | `store-wrong=6` | page 6 acknowledges a write and stores a wrong first byte; `6:1` only once |
/// | `forget-write=4` | the fourth write is acknowledged and not stored |
/// | `tear-write=4` | the tag leaves before its fourth write; `4:half` after two bytes, `4:1` one |
/// | `mute-after-write=4` | the fourth write is executed, and its acknowledgement lost |
///
/// Faults of any tag command:
///
/// | text | effect |
/// | --- | --- |
/// | `refuse-command=7` | the seventh tag command is answered with NAK 0; `7:4` with NAK 4 |
/// | `apdu-status=7:6982` | the seventh tag command gets this status word if it ends an APDU |
/// | `mute-command=7` | the seventh tag command never reaches the tag |
/// | `lose-answer=7` | the seventh tag command is executed, and its response lost |
/// | `damage-answer=7` | it is executed, and the reader reports a CRC error, 02; `7:0B` another |
/// | `garble-answer=7` | its response has an inverted bit and a correct CRC; `7:5` in byte 5 |
/// | `short-answer=7` | its response lacks its last byte; `7:4` has four bytes at most |
/// | `long-answer=7` | its response has an extra byte |
/// | `remove-after=7` | seven tag commands are answered, then the tag is removed |
/// | `swap-after=9` | after nine tag commands another tag replaces it; `9:HEX` sets its UID |
/// | `swap-at-selection=2` | just before the second selection another tag replaces the tag |
/// | `neighbour-at-selection=2` | the second selection picks a second tag beside the first |
///
/// Faults of the reader:
///
/// | text | effect |
/// | --- | --- |
/// | `miss-tag=2` | the second search finds nothing, even if there is a tag |
/// | `busy=12` | the reader ignores its twelfth command: no acknowledgement, no response |
/// | `error-frame=12` | it answers its twelfth command with an error frame without executing it |
/// | `drop-response=12` | the reader's twelfth response never reaches the host |
/// | `corrupt-response=12` | the reader's twelfth response arrives with a wrong check byte |
/// | `delay-response=12:900` | the reader's twelfth response is 900 ms late |
/// | `noise=12` | bytes that are not a frame precede the reader's twelfth response |
/// | `restart-after=12` | after twelve reader commands the reader and the field are reset |
/// | `silent-after=12` | twelve reader commands are answered, and no later ones |
/// | `unplug-after=12` | twelve reader commands are answered, the next finds the reader unplugged |
///
/// Numbers are decimal, or hexadecimal after `0x`. All counts begin at the simulator's start,
/// across clients and tags (for a fault that is added later, when it is added), and each fault
/// happens once (pages with a limit: that many times). A tag that was removed, torn or swapped is
/// back on the reader when the next client opens it. A *tag command* is one frame to a selected
/// tag; requests, selection and halting do not count. The compatibility write is two frames and one
/// write; an APDU is one or more frames. On a tag of ISO/IEC 14443-4, `refuse-command` is status
/// 6F00, garbled and missing bytes are those after the block's control byte, and a page of
/// `refuse-page` and `store-wrong` is an offset in the file.
public enum Fault: Hashable, Sendable {
  /// Writes to a page are refused; `times` limits the number of refusals.
  case refusePage(Int, times: Int? = nil)
  /// A page acknowledges a write and stores its first byte with the lowest bit inverted.
  case storeWrong(page: Int, times: Int? = nil)
  /// The n-th write, counted from 1, is acknowledged and not stored.
  case forgetWrite(Int)
  /// The tag leaves during its n-th write, counted from 1, with nothing or with half of it stored.
  case tearWrite(Int, halfWritten: Bool = false)
  /// The tag leaves during its n-th write after this many bytes are stored.
  case tearWriteAfter(Int, bytes: Int)
  /// The n-th write is executed, and its acknowledgement lost.
  case muteAfterWrite(Int)

  /// The n-th tag command, counted from 1, is answered with NAK and not executed.
  case refuseCommand(Int, code: UInt8 = 0)
  /// The n-th tag command, if it ends an APDU, gets a status word instead of being executed.
  case apduStatus(Int, status: UInt16)
  /// The n-th tag command never reaches the tag.
  case muteCommand(Int)
  /// The n-th tag command is executed, and its response lost.
  case loseAnswer(Int)
  /// The n-th tag command is executed, and the reader reports a status instead of its response.
  case damageAnswer(Int, status: UInt8 = 0x02)
  /// The response to the n-th tag command has an inverted bit in one byte, and a correct CRC.
  case garbleAnswer(Int, byte: Int = 0)
  /// The response to the n-th tag command is truncated to this many bytes; by default, by one byte.
  case shortAnswer(Int, bytes: Int? = nil)
  /// The response to the n-th tag command has an extra byte.
  case longAnswer(Int)
  /// The tag leaves after this many tag commands.
  case removeTag(afterCommands: Int)
  /// Another tag of the same product replaces the tag after this many tag commands.
  case swapTag(afterCommands: Int, uid: [UInt8]? = nil)
  /// Another tag of the same product replaces the tag just before the n-th selection that finds
  /// one, counted from 1: a reset, a field cycle or a search.
  case swapAtSelection(Int)
  /// A second tag of the same product is in the field, and the n-th selection, counted from 1,
  /// picks it unless it requests a UID.
  case neighbourAtSelection(Int)

  /// The reader's n-th search, counted from 1, finds nothing.
  case missTag(Int)
  /// The reader ignores its n-th command, counted from 1.
  case busy(Int)
  /// The reader answers its n-th command with an error frame without executing it.
  case errorFrame(Int)
  /// The reader's n-th response frame, counted from 1, is not sent.
  case dropResponse(Int)
  /// The reader's n-th response frame, counted from 1, has a wrong data check byte.
  case corruptResponse(Int)
  /// The reader's n-th response frame is late.
  case delayResponse(Int, milliseconds: Int)
  /// Bytes that are not a frame precede the reader's n-th response frame.
  case noise(Int)
  /// The reader briefly loses power after this many commands to it.
  case restart(afterCommands: Int)
  /// The reader, or its service, stops answering after this many commands to it.
  case silence(afterCommands: Int)
  /// The reader is unplugged after this many commands to it.
  case unplug(afterCommands: Int)

  /// A Boolean value that indicates whether it is a fault of the reader, not of the tag.
  var isReaders: Bool {
    switch self {
    case .missTag, .busy, .errorFrame, .dropResponse, .corruptResponse, .delayResponse, .noise,
      .restart, .silence, .unplug:
      true
    default: false
    }
  }

  /// The same fault with its number counted from the current counts.
  func counted(
    from counts: ReaderCounts, responses: Int, searches: Int, selections: Int
  ) -> Fault {
    switch self {
    case .refusePage, .storeWrong: self
    case .forgetWrite(let number): .forgetWrite(number + counts.writes)
    case .tearWrite(let number, let half): .tearWrite(number + counts.writes, halfWritten: half)
    case .tearWriteAfter(let number, let bytes):
      .tearWriteAfter(number + counts.writes, bytes: bytes)
    case .muteAfterWrite(let number): .muteAfterWrite(number + counts.writes)
    case .refuseCommand(let number, let code):
      .refuseCommand(number + counts.tagCommands, code: code)
    case .apduStatus(let number, let status):
      .apduStatus(number + counts.tagCommands, status: status)
    case .muteCommand(let number): .muteCommand(number + counts.tagCommands)
    case .loseAnswer(let number): .loseAnswer(number + counts.tagCommands)
    case .damageAnswer(let number, let status):
      .damageAnswer(number + counts.tagCommands, status: status)
    case .garbleAnswer(let number, let byte):
      .garbleAnswer(number + counts.tagCommands, byte: byte)
    case .shortAnswer(let number, let bytes):
      .shortAnswer(number + counts.tagCommands, bytes: bytes)
    case .longAnswer(let number): .longAnswer(number + counts.tagCommands)
    case .removeTag(let count): .removeTag(afterCommands: count + counts.tagCommands)
    case .swapTag(let count, let uid):
      .swapTag(afterCommands: count + counts.tagCommands, uid: uid)
    case .swapAtSelection(let number): .swapAtSelection(number + selections)
    case .neighbourAtSelection(let number): .neighbourAtSelection(number + selections)
    case .missTag(let number): .missTag(number + searches)
    case .busy(let number): .busy(number + counts.exchanges)
    case .errorFrame(let number): .errorFrame(number + counts.exchanges)
    case .dropResponse(let number): .dropResponse(number + responses)
    case .corruptResponse(let number): .corruptResponse(number + responses)
    case .delayResponse(let number, let milliseconds):
      .delayResponse(number + responses, milliseconds: milliseconds)
    case .noise(let number): .noise(number + responses)
    case .restart(let count): .restart(afterCommands: count + counts.exchanges)
    case .silence(let count): .silence(afterCommands: count + counts.exchanges)
    case .unplug(let count): .unplug(afterCommands: count + counts.exchanges)
    }
  }
}

/// The text form of a fault.
extension Fault: LosslessStringConvertible {
  /// Parses the text form. Returns `nil` if it is malformed.
  public init?(_ text: String) {
    let halves = text.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
    guard halves.count == 2 else { return nil }
    let values = halves[1].split(separator: ":", omittingEmptySubsequences: false)
    guard values.count <= 2, let number = Self.number(values[0]) else { return nil }
    let extra = values.count == 2 ? values[1] : nil
    guard
      let fault = Self.fault(ofReader: halves[0], number, extra)
        ?? Self.fault(ofWrite: halves[0], number, extra)
        ?? Self.fault(ofCommand: halves[0], number, extra)
    else { return nil }
    self = fault
  }

  private static func fault(
    ofWrite name: Substring, _ number: Int, _ extra: Substring?
  ) -> Fault? {
    switch (name, extra) {
    case ("refuse-page", _): times(extra).map { .refusePage(number, times: $0) }
    case ("store-wrong", _): times(extra).map { .storeWrong(page: number, times: $0) }
    case ("forget-write", nil): .forgetWrite(number)
    case ("tear-write", nil): .tearWrite(number)
    case ("tear-write", "half"): .tearWrite(number, halfWritten: true)
    case ("tear-write", let count?): Self.number(count).map { .tearWriteAfter(number, bytes: $0) }
    case ("mute-after-write", nil): .muteAfterWrite(number)
    default: nil
    }
  }

  private static func fault(
    ofCommand name: Substring, _ number: Int, _ extra: Substring?
  ) -> Fault? {
    switch (name, extra) {
    case ("refuse-command", nil): .refuseCommand(number)
    case ("refuse-command", let code?): nakCode(code).map { .refuseCommand(number, code: $0) }
    case ("apdu-status", let digits?):
      statusWord(digits).map { .apduStatus(number, status: $0) }
    case ("mute-command", nil): .muteCommand(number)
    case ("lose-answer", nil): .loseAnswer(number)
    case ("damage-answer", nil): .damageAnswer(number)
    case ("damage-answer", let digits?):
      readerStatus(digits).map { .damageAnswer(number, status: $0) }
    case ("garble-answer", nil): .garbleAnswer(number)
    case ("garble-answer", let byte?): Self.number(byte).map { .garbleAnswer(number, byte: $0) }
    case ("short-answer", nil): .shortAnswer(number)
    case ("short-answer", let count?): Self.number(count).map { .shortAnswer(number, bytes: $0) }
    case ("long-answer", nil): .longAnswer(number)
    case ("remove-after", nil): .removeTag(afterCommands: number)
    case ("swap-after", nil): .swapTag(afterCommands: number)
    case ("swap-after", let digits?):
      SimulatedDeck.uid(String(digits)).map { .swapTag(afterCommands: number, uid: $0) }
    case ("swap-at-selection", nil): .swapAtSelection(number)
    case ("neighbour-at-selection", nil): .neighbourAtSelection(number)
    default: nil
    }
  }

  private static func fault(
    ofReader name: Substring, _ number: Int, _ extra: Substring?
  ) -> Fault? {
    switch (name, extra) {
    case ("miss-tag", nil): .missTag(number)
    case ("busy", nil): .busy(number)
    case ("error-frame", nil): .errorFrame(number)
    case ("drop-response", nil): .dropResponse(number)
    case ("corrupt-response", nil): .corruptResponse(number)
    case ("delay-response", let time?):
      Self.number(time).map { .delayResponse(number, milliseconds: $0) }
    case ("noise", nil): .noise(number)
    case ("restart-after", nil): .restart(afterCommands: number)
    case ("silent-after", nil): .silence(afterCommands: number)
    case ("unplug-after", nil): .unplug(afterCommands: number)
    default: nil
    }
  }

  /// Parses the text form.
  ///
  /// - Throws: `.malformedFault`, with the valid forms.
  public init(parsing text: String) throws(SimulatedReaderError) {
    guard let fault = Fault(text) else {
      throw SimulatedReaderError(
        .malformedFault, "“\(text)” is not a fault.",
        hint: "Use one of \(Self.forms.joined(separator: ", ")), with a number from 0.")
    }
    self = fault
  }

  /// The text forms, one example each, for help texts.
  package static let forms = [
    "refuse-page=9", "refuse-page=9:1", "store-wrong=6", "store-wrong=6:1", "forget-write=4",
    "tear-write=4", "tear-write=4:half", "tear-write=4:3", "mute-after-write=4",
    "refuse-command=7", "refuse-command=7:4", "apdu-status=7:6982", "mute-command=7",
    "lose-answer=7", "damage-answer=7", "damage-answer=7:0B", "garble-answer=7",
    "garble-answer=7:5", "short-answer=7", "short-answer=7:4", "long-answer=7", "remove-after=7",
    "swap-after=9", "swap-after=9:04AABBCCDDEEFF", "swap-at-selection=2",
    "neighbour-at-selection=2",
    "miss-tag=2", "busy=12", "error-frame=12",
    "drop-response=12", "corrupt-response=12", "delay-response=12:900", "noise=12",
    "restart-after=12", "silent-after=12", "unplug-after=12",
  ]

  /// The text form.
  public var description: String {
    switch self {
    case .refusePage(let page, let times): "refuse-page=\(page)" + Self.suffix(times)
    case .storeWrong(let page, let times): "store-wrong=\(page)" + Self.suffix(times)
    case .forgetWrite(let number): "forget-write=\(number)"
    case .tearWrite(let number, let half): "tear-write=\(number)" + (half ? ":half" : "")
    case .tearWriteAfter(let number, let bytes): "tear-write=\(number):\(bytes)"
    case .muteAfterWrite(let number): "mute-after-write=\(number)"
    case .refuseCommand(let number, let code):
      "refuse-command=\(number)" + Self.suffix(code == 0 ? nil : Int(code))
    case .apduStatus(let number, let status):
      "apdu-status=\(number):\(StatusWord(value: status).bytes.hexadecimal)"
    case .muteCommand(let number): "mute-command=\(number)"
    case .loseAnswer(let number): "lose-answer=\(number)"
    case .damageAnswer(let number, let status):
      "damage-answer=\(number)" + (status == 0x02 ? "" : ":\([status].hexadecimal)")
    case .garbleAnswer(let number, let byte):
      "garble-answer=\(number)" + Self.suffix(byte == 0 ? nil : byte)
    case .shortAnswer(let number, let bytes): "short-answer=\(number)" + Self.suffix(bytes)
    case .longAnswer(let number): "long-answer=\(number)"
    case .removeTag(let count): "remove-after=\(count)"
    case .swapAtSelection(let number): "swap-at-selection=\(number)"
    case .neighbourAtSelection(let number): "neighbour-at-selection=\(number)"
    case .swapTag(let count, let uid):
      "swap-after=\(count)" + (uid.map { ":\($0.hexadecimal)" } ?? "")
    case .missTag(let number): "miss-tag=\(number)"
    case .busy(let number): "busy=\(number)"
    case .errorFrame(let number): "error-frame=\(number)"
    case .dropResponse(let number): "drop-response=\(number)"
    case .corruptResponse(let number): "corrupt-response=\(number)"
    case .delayResponse(let number, let time): "delay-response=\(number):\(time)"
    case .noise(let number): "noise=\(number)"
    case .restart(let count): "restart-after=\(count)"
    case .silence(let count): "silent-after=\(count)"
    case .unplug(let count): "unplug-after=\(count)"
    }
  }

  private static func suffix(_ number: Int?) -> String { number.map { ":\($0)" } ?? "" }

  /// A number from 0 to a million, decimal or hexadecimal after `0x`; signs are refused.
  static func number(_ text: Substring) -> Int? {
    let isHexadecimal = text.hasPrefix("0x")
    let digits = isHexadecimal ? text.dropFirst(2) : text
    guard digits.allSatisfy(\.isHexDigit), let value = Int(digits, radix: isHexadecimal ? 16 : 10)
    else { return nil }
    return value <= 1_000_000 ? value : nil
  }

  /// Returns `nil` (outer) if the text is not a number, `nil` (inner) if there is no limit.
  private static func times(_ text: Substring?) -> Int?? {
    guard let text else { return .some(nil) }
    return number(text).map { .some($0) }
  }

  /// The four bits of a NAK: any but those of the ACK.
  private static func nakCode(_ text: Substring) -> UInt8? {
    number(text).flatMap { $0 < 16 && $0 != 0x0A ? UInt8($0) : nil }
  }

  private static func statusWord(_ text: Substring) -> UInt16? {
    guard let bytes = [UInt8](hexadecimal: text.utf8), bytes.count == 2 else { return nil }
    return UInt16(bytes[0]) << 8 | UInt16(bytes[1])
  }

  /// A status of the chip, 01 to 3F; 00 is no error, and higher bits have other meanings.
  private static func readerStatus(_ text: Substring) -> UInt8? {
    guard let bytes = [UInt8](hexadecimal: text.utf8), bytes.count == 1,
      (0x01...0x3F).contains(bytes[0])
    else { return nil }
    return bytes[0]
  }
}
