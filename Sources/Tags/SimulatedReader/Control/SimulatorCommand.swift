import CliptagBasics
import TagTypes

/// A command to a running simulated reader: over its control channel, by a script, or by
/// ``SimulatedReader/SimulatedReader/perform(_:)``.
///
/// | line | effect |
/// | --- | --- |
/// | `place KIND [UID]` | places a blank tag instead of the present one; it has no memory file |
/// | `remove` | removes the present tag, until `back`, `next` or `place` |
/// | `back` | puts back a tag that was removed, also by a fault |
/// | `next` | removes the tag, and the deck continues |
/// | `fault TEXT` | adds a fault; its number counts from now on |
/// | `clear-faults` | removes all faults |
/// | `faults` | returns the pending faults |
/// | `tag` | returns the kind and UID of the present tag, or `none` |
/// | `counts` | returns the figures of the reader's work since the start |
/// | `memory` | returns the tag's memory in hexadecimal |
/// | `page N` | returns four bytes of it |
/// | `trace on`, `trace off` | resumes or pauses the trace |
/// | `help` | returns these lines |
/// | `quit` | ends the reader |
public enum SimulatorCommand: Hashable, Sendable {
  /// Places a blank tag.
  case place(SimulatedTagKind, uid: [UInt8]?)
  /// Removes the present tag.
  case remove
  /// Puts back a removed tag.
  case back
  /// Continues with the next tag of the deck.
  case next
  /// Adds a fault.
  case fault(Fault)
  /// Removes all faults.
  case clearFaults
  /// Returns the pending faults.
  case faults
  /// Returns the kind and UID of the present tag.
  case tag
  /// Returns the counts.
  case counts
  /// Returns the tag's memory.
  case memory
  /// Returns four bytes of it.
  case page(Int)
  /// Resumes or pauses the trace.
  case trace(Bool)
  /// Returns the list of commands.
  case help
  /// Ends the reader.
  case quit

  /// Parses a line.
  ///
  /// - Throws: `.malformedCommand`, `.malformedFault`.
  public init(parsing line: String) throws(SimulatedReaderError) {
    let words = line.split { $0 == " " || $0 == "\t" || $0 == "\r" }.map(String.init)
    switch (words.first, words.count) {
    case ("place", 2), ("place", 3):
      guard let kind = SimulatedTagKind(rawValue: words[1]), kind != .none else {
        throw Self.malformed("“\(words[1])” is not a kind of tag.")
      }
      guard words.count == 3 else {
        self = .place(kind, uid: nil)
        return
      }
      guard let uid = SimulatedDeck.uid(words[2]) else {
        throw Self.malformed("“\(words[2])” is not a UID.")
      }
      self = .place(kind, uid: uid)
    case ("remove", 1): self = .remove
    case ("back", 1): self = .back
    case ("next", 1): self = .next
    case ("fault", 2): self = .fault(try Fault(parsing: words[1]))
    case ("clear-faults", 1): self = .clearFaults
    case ("faults", 1): self = .faults
    case ("tag", 1): self = .tag
    case ("counts", 1): self = .counts
    case ("memory", 1): self = .memory
    case ("page", 2):
      guard let page = Fault.number(words[1][...]) else {
        throw Self.malformed("“\(words[1])” is not a page.")
      }
      self = .page(page)
    case ("trace", 2) where words[1] == "on" || words[1] == "off":
      self = .trace(words[1] == "on")
    case ("help", 1): self = .help
    case ("quit", 1): self = .quit
    default: throw Self.malformed("“\(line.prefix(60))” is not a command.")
    }
  }

  /// The forms of the lines.
  static let forms = [
    "place KIND [UID]", "remove", "back", "next", "fault TEXT", "clear-faults", "faults", "tag",
    "counts", "memory", "page N", "trace on|off", "help", "quit",
  ]

  private static func malformed(_ message: String) -> SimulatedReaderError {
    SimulatedReaderError(
      .malformedCommand, message, hint: "Use one of: \(forms.joined(separator: ", ")).")
  }
}

/// The reply of a reader to a ``SimulatorCommand``.
public struct SimulatorAnswer: Hashable, Sendable, CustomStringConvertible {
  /// A Boolean value that indicates whether the command was executed.
  public let isDone: Bool
  /// The requested value, or the reason for a refusal; may be empty.
  public let text: String

  /// One line: `ok`, `ok` with the requested value, or `error` with the reason.
  public var description: String {
    let word = isDone ? "ok" : "error"
    return text.isEmpty ? word : "\(word) \(text)"
  }

  static func done(_ text: String = "") -> Self { SimulatorAnswer(isDone: true, text: text) }
  static func refused(_ text: String) -> Self { SimulatorAnswer(isDone: false, text: text) }

  /// The reply to a malformed line.
  static func refused(_ error: SimulatedReaderError) -> Self {
    refused(error.description.replacing("\n", with: " "))
  }
}

/// The execution of commands by the chip.
extension SimulatedPN532 {
  /// Executes a command.
  ///
  /// - Returns: The reply, and the chip's further actions.
  mutating func perform(_ command: SimulatorCommand) -> (SimulatorAnswer, [ChipOutput]) {
    let answer = answer(to: command)
    let notes = field.takeNotes()
    return (answer, notes + lookAgain() + field.takeNotes())
  }

  private mutating func answer(to command: SimulatorCommand) -> SimulatorAnswer {
    switch command {
    case .place(let kind, let uid):
      do throws(SimulatedReaderError) {
        guard let card = try kind.card(uid: uid) else { return .refused("the tag does not exist") }
        field.place(card)
        return .done(card.uid.hexadecimal)
      } catch {
        return .refused(error)
      }
    case .remove: field.takeAway()
    case .back: field.bringBack()
    case .next:
      guard field.deckNow != nil else { return .refused("the reader has no deck") }
      field.goOn()
      // A client that waits for a tag has already seen that there is none.
      while pending?.search != nil, field.card == nil, field.lookedInVain() {}
    case .fault(let fault): add(fault)
    case .clearFaults: clearFaults()
    case .faults: return .done(allFaults.map(\.description).joined(separator: " "))
    case .tag:
      return .done(field.presentCard.map { "\($0.name) \($0.uid.hexadecimal)" } ?? "none")
    case .counts: return .done(counts.fields)
    case .memory: return memory { $0 }
    case .page(let page):
      return memory { $0.count >= page * 4 + 4 ? Array($0[page * 4..<page * 4 + 4]) : nil }
    case .trace(let isOn):
      guard isTracing != nil else {
        return .refused("the reader was started without a trace")
      }
      isTracing = isOn
    case .help: return .done(SimulatorCommand.forms.joined(separator: "; "))
    case .quit: hasQuit = true
    }
    return .done()
  }

  private func memory(_ part: ([UInt8]) -> [UInt8]?) -> SimulatorAnswer {
    guard let memory = field.card?.memory else { return .refused("no tag is present") }
    guard let part = part(memory) else {
      return .refused("the tag has \(memory.count / 4) pages")
    }
    return .done(part.hexadecimal)
  }
}

extension ReaderCounts {
  /// The figures as names and values, for programs.
  var fields: String {
    let milliseconds = Int(bounded: (modelledMilliseconds * 1000).rounded())
    return "exchanges=\(exchanges) tag-commands=\(tagCommands) writes=\(writes) "
      + "bytes-from-host=\(bytesFromHost) bytes-to-host=\(bytesToHost) "
      + "modelled-microseconds=\(milliseconds)"
  }
}
