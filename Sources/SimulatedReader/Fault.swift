import TagTypes

/// Something that goes wrong at a chosen moment, so that software can be tried against it.
///
/// A fault has a short text form, which `cliptag reader simulate --fault` takes:
///
/// | text | what happens |
/// | --- | --- |
/// | `refuse-page=9` | every write to page 9 is answered with NAK 5; `9:1` only the first |
/// | `store-wrong=6` | page 6 acknowledges a write and keeps a wrong first byte; `6:1` only once |
/// | `remove-after=7` | seven tag commands are answered, then the tag is gone |
/// | `swap-after=9` | nine tag commands are answered, then another tag lies there; `9:HEX` names its UID |
/// | `tear-write=4` | the tag leaves during its fourth write, the page unchanged; `4:half` two bytes in |
/// | `drop-response=12` | the reader's twelfth response never reaches the host |
/// | `corrupt-response=12` | the reader's twelfth response arrives with a wrong check byte |
/// | `unplug-after=12` | twelve reader commands are answered, the next finds the reader unplugged |
///
/// Numbers are decimal, or hexadecimal behind `0x`. Everything is counted from the simulator's
/// start, across clients, and happens once (pages with a limit: as often as it says). A tag that
/// was removed, torn or swapped lies on the reader again when the next client opens it. A *tag
/// command* is one frame to a selected tag; requests, selection and halting do not count. The
/// compatibility write is two frames and one write.
public enum Fault: Hashable, Sendable {
  /// Writes to a page are answered with NAK 5; `times` limits how often.
  case refusePage(Int, times: Int? = nil)
  /// A page acknowledges a write and stores its first byte with the lowest bit turned over.
  case storeWrong(page: Int, times: Int? = nil)
  /// The tag leaves after this many tag commands.
  case removeTag(afterCommands: Int)
  /// Another tag of the same product takes the tag's place after this many tag commands.
  case swapTag(afterCommands: Int, uid: [UInt8]? = nil)
  /// The tag leaves during its n-th write, counted from 1.
  case tearWrite(Int, halfWritten: Bool = false)
  /// The reader's n-th response frame, counted from 1, is not sent.
  case dropResponse(Int)
  /// The reader's n-th response frame, counted from 1, has a wrong data check byte.
  case corruptResponse(Int)
  /// The reader is unplugged after this many commands to it.
  case unplug(afterCommands: Int)
}

extension Fault: LosslessStringConvertible {
  /// Reads the text form; `nil` when it is not understood.
  public init?(_ text: String) {
    let halves = text.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
    guard halves.count == 2 else { return nil }
    let values = halves[1].split(separator: ":", omittingEmptySubsequences: false)
    guard values.count <= 2, let number = Self.number(values[0]) else { return nil }
    let extra = values.count == 2 ? values[1] : nil

    switch (halves[0], extra) {
    case ("refuse-page", _):
      guard let times = Self.times(extra) else { return nil }
      self = .refusePage(number, times: times)
    case ("store-wrong", _):
      guard let times = Self.times(extra) else { return nil }
      self = .storeWrong(page: number, times: times)
    case ("swap-after", let digits?):
      guard let uid = Self.bytes(digits), uid.count == 7 else { return nil }
      self = .swapTag(afterCommands: number, uid: uid)
    case ("swap-after", nil): self = .swapTag(afterCommands: number)
    case ("remove-after", nil): self = .removeTag(afterCommands: number)
    case ("tear-write", "half"): self = .tearWrite(number, halfWritten: true)
    case ("tear-write", nil): self = .tearWrite(number)
    case ("drop-response", nil): self = .dropResponse(number)
    case ("corrupt-response", nil): self = .corruptResponse(number)
    case ("unplug-after", nil): self = .unplug(afterCommands: number)
    default: return nil
    }
  }

  /// Reads the text form.
  ///
  /// - Throws: `.malformedFault`, with the forms there are.
  public init(parsing text: String) throws(SimulatedReaderError) {
    guard let fault = Fault(text) else {
      throw SimulatedReaderError(
        .malformedFault, "“\(text)” is not a fault.",
        remedy: "Use one of \(Self.forms.joined(separator: ", ")), with a number from 0 up.")
    }
    self = fault
  }

  /// The text forms, one example each, for help texts.
  public static let forms = [
    "refuse-page=9", "refuse-page=9:1", "store-wrong=6", "store-wrong=6:1", "remove-after=7",
    "swap-after=9", "swap-after=9:04AABBCCDDEEFF", "tear-write=4", "tear-write=4:half",
    "drop-response=12", "corrupt-response=12", "unplug-after=12",
  ]

  /// The text form.
  public var description: String {
    switch self {
    case .refusePage(let page, let times): "refuse-page=\(page)" + (times.map { ":\($0)" } ?? "")
    case .storeWrong(let page, let times): "store-wrong=\(page)" + (times.map { ":\($0)" } ?? "")
    case .removeTag(let count): "remove-after=\(count)"
    case .swapTag(let count, let uid):
      "swap-after=\(count)" + (uid.map { ":\($0.hexadecimal)" } ?? "")
    case .tearWrite(let number, let half): "tear-write=\(number)" + (half ? ":half" : "")
    case .dropResponse(let number): "drop-response=\(number)"
    case .corruptResponse(let number): "corrupt-response=\(number)"
    case .unplug(let count): "unplug-after=\(count)"
    }
  }

  /// A number from 0 to a million, decimal or behind `0x`; signs are refused.
  private static func number(_ text: Substring) -> Int? {
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

  private static func bytes(_ text: Substring) -> [UInt8]? {
    let digits = text.utf8.map { Character(UnicodeScalar($0)).hexDigitValue }
    guard digits.count.isMultiple(of: 2) else { return nil }
    var bytes: [UInt8] = []
    for index in stride(from: 0, to: digits.count, by: 2) {
      guard let high = digits[index], let low = digits[index + 1] else { return nil }
      bytes.append(UInt8(high << 4 | low))
    }
    return bytes
  }
}
