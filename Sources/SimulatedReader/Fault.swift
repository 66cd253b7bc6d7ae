import Basics
import TagAuthenticity
import TagTypes

/// Something that goes wrong at a chosen moment, so that software can be tried against it.
///
/// A fault has a short text form, which `cliptag reader simulate --fault` takes. Faults of writes,
/// by what is written or by the number of the write:
///
/// | text | what happens |
/// | --- | --- |
/// | `refuse-page=9` | every write to page 9 is refused: NAK 5, or status 6581; `9:1` only the first |
/// | `store-wrong=6` | page 6 acknowledges a write and keeps a wrong first byte; `6:1` only once |
/// | `forget-write=4` | the fourth write is acknowledged and not stored |
/// | `tear-write=4` | the tag leaves during its fourth write, the page unchanged; `4:half` two bytes in, `4:1` one, `4:3` three |
/// | `mute-after-write=4` | the fourth write is carried out, and its acknowledgement lost |
///
/// Faults of any tag command:
///
/// | text | what happens |
/// | --- | --- |
/// | `refuse-command=7` | the seventh tag command is answered with NAK 0; `7:4` with NAK 4 |
/// | `apdu-status=7:6982` | the seventh tag command, when it ends an APDU, gets this status word instead of being carried out |
/// | `mute-command=7` | the seventh tag command never reaches the tag |
/// | `lose-answer=7` | the seventh tag command is carried out, and its answer lost |
/// | `damage-answer=7` | it is carried out, and the reader says CRC error (02); `7:0B` another status |
/// | `garble-answer=7` | its answer has a bit turned over and a right CRC; `7:5` in byte 5 |
/// | `short-answer=7` | its answer lacks its last byte; `7:4` has four bytes at most |
/// | `long-answer=7` | its answer has a byte too many |
/// | `remove-after=7` | seven tag commands are answered, then the tag is gone |
/// | `swap-after=9` | nine tag commands are answered, then another tag lies there; `9:HEX` names its UID |
/// | `swap-at-selection=2` | just before the second selection another tag takes the tag's place |
/// | `neighbour-at-selection=2` | a second tag lies beside the first, and the second selection picks it |
///
/// Faults of the reader:
///
/// | text | what happens |
/// | --- | --- |
/// | `miss-tag=2` | the second search finds nothing, whatever lies there |
/// | `busy=12` | the reader takes no notice of its twelfth command: no acknowledgement, no answer |
/// | `error-frame=12` | it answers its twelfth command with an error frame and does nothing |
/// | `drop-response=12` | the reader's twelfth response never reaches the host |
/// | `corrupt-response=12` | the reader's twelfth response arrives with a wrong check byte |
/// | `delay-response=12:900` | the reader's twelfth response comes 900 ms late |
/// | `noise=12` | bytes that are no frame come before the reader's twelfth response |
/// | `restart-after=12` | twelve reader commands are answered, then the reader forgets everything and the field was off |
/// | `silent-after=12` | twelve reader commands are answered, then none any more |
/// | `unplug-after=12` | twelve reader commands are answered, the next finds the reader unplugged |
///
/// Numbers are decimal, or hexadecimal behind `0x`. Everything is counted from the simulator's
/// start, across clients and tags (a fault that is added later counts from then), and happens once
/// (pages with a limit: as often as it says). A tag that was removed, torn or swapped lies on the
/// reader again when the next client opens it. A *tag command* is one frame to a selected tag;
/// requests, selection and halting do not count. The compatibility write is two frames and one
/// write; an APDU is a frame or more. On a tag of ISO/IEC 14443-4 `refuse-command` is status 6F00,
/// garbled and cut bytes are those behind the block's control byte, and a page of `refuse-page` and
/// `store-wrong` is an offset in the file.
public enum Fault: Hashable, Sendable {
  /// Writes to a page are refused; `times` limits how often.
  case refusePage(Int, times: Int? = nil)
  /// A page acknowledges a write and stores its first byte with the lowest bit turned over.
  case storeWrong(page: Int, times: Int? = nil)
  /// The n-th write, counted from 1, is acknowledged and not stored.
  case forgetWrite(Int)
  /// The tag leaves during its n-th write, counted from 1.
  case tearWrite(Int, halfWritten: Bool = false)
  /// The tag leaves during its n-th write when so many bytes of it are stored.
  case tearWriteAfter(Int, bytes: Int)
  /// The n-th write is carried out, and its acknowledgement lost.
  case muteAfterWrite(Int)

  /// The n-th tag command, counted from 1, is answered with NAK and not carried out.
  case refuseCommand(Int, code: UInt8 = 0)
  /// The n-th tag command, if it ends an APDU, gets a status word instead of being carried out.
  case apduStatus(Int, status: UInt16)
  /// The n-th tag command never reaches the tag.
  case muteCommand(Int)
  /// The n-th tag command is carried out, and its answer lost.
  case loseAnswer(Int)
  /// The n-th tag command is carried out, and the reader reports a status instead of its answer.
  case damageAnswer(Int, status: UInt8 = 0x02)
  /// The answer to the n-th tag command has a bit turned over in one byte, and a right CRC.
  case garbleAnswer(Int, byte: Int = 0)
  /// The answer to the n-th tag command is cut to so many bytes; without a number, by its last.
  case shortAnswer(Int, bytes: Int? = nil)
  /// The answer to the n-th tag command has a byte too many.
  case longAnswer(Int)
  /// The tag leaves after this many tag commands.
  case removeTag(afterCommands: Int)
  /// Another tag of the same product takes the tag's place after this many tag commands.
  case swapTag(afterCommands: Int, uid: [UInt8]? = nil)
  /// Another tag of the same product takes the tag's place just before the n-th selection that finds
  /// one, counted from 1: a reset, a field cycle or a search.
  case swapAtSelection(Int)
  /// A second tag of the same product lies in the field, and the n-th selection, counted from 1, picks
  /// it unless it asks for a UID.
  case neighbourAtSelection(Int)

  /// The reader's n-th search, counted from 1, finds nothing.
  case missTag(Int)
  /// The reader takes no notice of its n-th command, counted from 1.
  case busy(Int)
  /// The reader answers its n-th command with an error frame and does nothing.
  case errorFrame(Int)
  /// The reader's n-th response frame, counted from 1, is not sent.
  case dropResponse(Int)
  /// The reader's n-th response frame, counted from 1, has a wrong data check byte.
  case corruptResponse(Int)
  /// The reader's n-th response frame comes late.
  case delayResponse(Int, milliseconds: Int)
  /// Bytes that are no frame come before the reader's n-th response frame.
  case noise(Int)
  /// The reader loses its power for a moment after this many commands to it.
  case restart(afterCommands: Int)
  /// The reader, or the service that it belongs to, answers no more after this many commands to it.
  case silence(afterCommands: Int)
  /// The reader is unplugged after this many commands to it.
  case unplug(afterCommands: Int)

  /// Whether it is the reader's own, and not the tag's.
  var isReaders: Bool {
    switch self {
    case .missTag, .busy, .errorFrame, .dropResponse, .corruptResponse, .delayResponse, .noise,
      .restart, .silence, .unplug:
      true
    default: false
    }
  }

  /// The same fault with its number counted from where things stand now.
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
  /// Reads the text form; `nil` when it is not understood.
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

  /// Reads the text form.
  ///
  /// - Throws: `.malformedFault`, with the forms there are.
  public init(parsing text: String) throws(SimulatedReaderError) {
    guard let fault = Fault(text) else {
      throw SimulatedReaderError(
        .malformedFault, "“\(text)” is not a fault.",
        hint: "Use one of \(Self.forms.joined(separator: ", ")), with a number from 0 up.")
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

  /// A number from 0 to a million, decimal or behind `0x`; signs are refused.
  static func number(_ text: Substring) -> Int? {
    let isHexadecimal = text.hasPrefix("0x")
    let digits = isHexadecimal ? text.dropFirst(2) : text
    guard digits.allSatisfy(\.isHexDigit), let value = Int(digits, radix: isHexadecimal ? 16 : 10)
    else { return nil }
    return value <= 1_000_000 ? value : nil
  }

  /// `nil` (outer) when the text is no number; `nil` (inner) when there is no limit.
  private static func times(_ text: Substring?) -> Int?? {
    guard let text else { return .some(nil) }
    return number(text).map { .some($0) }
  }

  /// The four bits of a NAK: anything but those of the ACK.
  private static func nakCode(_ text: Substring) -> UInt8? {
    number(text).flatMap { $0 < 16 && $0 != 0x0A ? UInt8($0) : nil }
  }

  private static func statusWord(_ text: Substring) -> UInt16? {
    guard let bytes = [UInt8](hexadecimal: text.utf8), bytes.count == 2 else { return nil }
    return UInt16(bytes[0]) << 8 | UInt16(bytes[1])
  }

  /// A status of the chip; 00 would be none, and above 3F other bits have a meaning.
  private static func readerStatus(_ text: Substring) -> UInt8? {
    guard let bytes = [UInt8](hexadecimal: text.utf8), bytes.count == 1,
      (0x01...0x3F).contains(bytes[0])
    else { return nil }
    return bytes[0]
  }
}
