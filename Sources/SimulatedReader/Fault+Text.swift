import TagAuthenticity
import TagTypes

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
    "swap-after=9", "swap-after=9:04AABBCCDDEEFF", "miss-tag=2", "busy=12", "error-frame=12",
    "drop-response=12", "corrupt-response=12", "delay-response=12:900", "noise=12",
    "restart-after=12", "unplug-after=12",
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
