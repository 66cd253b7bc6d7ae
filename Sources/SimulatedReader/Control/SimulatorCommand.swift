import Basics
import TagTypes

/// What a running simulated reader can be told: over its control channel, by a script, or by
/// ``SimulatedReader/SimulatedReader/perform(_:)``.
///
/// | line | what it does |
/// | --- | --- |
/// | `place KIND [UID]` | lays a blank tag there instead of what lies there; no file keeps it |
/// | `remove` | takes away what lies there, until `back`, `next` or `place` |
/// | `back` | what was removed, or what a fault took away, lies there again |
/// | `next` | the tag leaves, and the deck goes on |
/// | `fault TEXT` | something goes wrong; its number counts from now on |
/// | `clear-faults` | nothing more goes wrong |
/// | `faults` | what still goes wrong |
/// | `tag` | what lies there: kind and UID, or `none` |
/// | `counts` | what has been asked of the reader since the start |
/// | `memory` | the tag's memory in hexadecimal |
/// | `page N` | four bytes of it |
/// | `trace on`, `trace off` | goes on with the trace, or pauses it |
/// | `help` | these lines |
/// | `quit` | ends the reader |
public enum SimulatorCommand: Hashable, Sendable {
  /// Lays a blank tag there.
  case place(SimulatedTagKind, uid: [UInt8]?)
  /// Takes away what lies there.
  case remove
  /// Puts back what was taken away.
  case back
  /// Goes on with the deck.
  case next
  /// Adds a fault.
  case fault(Fault)
  /// Strikes off all faults.
  case clearFaults
  /// Asks which faults are left.
  case faults
  /// Asks what lies there.
  case tag
  /// Asks for the counts.
  case counts
  /// Asks for the tag's memory.
  case memory
  /// Asks for four bytes of it.
  case page(Int)
  /// Goes on with the trace or pauses it.
  case trace(Bool)
  /// Asks for the list of commands.
  case help
  /// Ends the reader.
  case quit

  /// Reads a line.
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

  /// The lines there are.
  static let forms = [
    "place KIND [UID]", "remove", "back", "next", "fault TEXT", "clear-faults", "faults", "tag",
    "counts", "memory", "page N", "trace on|off", "help", "quit",
  ]

  private static func malformed(_ message: String) -> SimulatedReaderError {
    SimulatedReaderError(
      .malformedCommand, message, hint: "Use one of: \(forms.joined(separator: ", ")).")
  }
}

/// What a reader says to a ``SimulatorCommand``.
public struct SimulatorAnswer: Hashable, Sendable, CustomStringConvertible {
  /// Whether it was done.
  public let isDone: Bool
  /// What was asked for, or why it was not done; may be empty.
  public let text: String

  /// One line: `ok`, `ok` and what was asked for, or `error` and why.
  public var description: String {
    let word = isDone ? "ok" : "error"
    return text.isEmpty ? word : "\(word) \(text)"
  }

  static func done(_ text: String = "") -> Self { SimulatorAnswer(isDone: true, text: text) }
  static func refused(_ text: String) -> Self { SimulatorAnswer(isDone: false, text: text) }

  /// The answer to a line that is no command.
  static func refused(_ error: SimulatedReaderError) -> Self {
    refused(error.description.replacing("\n", with: " "))
  }
}

/// What the chip does when it is told something.
extension SimulatedPN532 {
  /// Does what a command says.
  ///
  /// - Returns: The answer, and what the chip does besides.
  mutating func perform(_ command: SimulatorCommand) -> (SimulatorAnswer, [ChipOutput]) {
    let answer = answer(to: command)
    let notes = field.takeNotes()
    return (answer, notes + lookAgain() + field.takeNotes())
  }

  private mutating func answer(to command: SimulatorCommand) -> SimulatorAnswer {
    switch command {
    case .place(let kind, let uid):
      do throws(SimulatedReaderError) {
        guard let card = try kind.card(uid: uid) else { return .refused("there is no such tag") }
        field.place(card)
        return .done(card.uid.hexadecimal)
      } catch {
        return .refused(error)
      }
    case .remove: field.takeAway()
    case .back: field.bringBack()
    case .next:
      guard field.deckNow != nil else { return .refused("there is no deck") }
      field.goOn()
      // Whoever waits for a tag has seen already that none is there.
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
        return .refused("nobody asked for a trace when the reader was started")
      }
      isTracing = isOn
    case .help: return .done(SimulatorCommand.forms.joined(separator: "; "))
    case .quit: hasQuit = true
    }
    return .done()
  }

  private func memory(_ part: ([UInt8]) -> [UInt8]?) -> SimulatorAnswer {
    guard let memory = field.card?.memory else { return .refused("no tag is there") }
    guard let part = part(memory) else {
      return .refused("the tag has \(memory.count / 4) pages")
    }
    return .done(part.hexadecimal)
  }
}

extension ReaderCounts {
  /// The figures as names and values, for programs.
  var fields: String {
    let milliseconds = Int((modelledMilliseconds * 1000).rounded())
    return "exchanges=\(exchanges) tag-commands=\(tagCommands) writes=\(writes) "
      + "bytes-from-host=\(bytesFromHost) bytes-to-host=\(bytesToHost) "
      + "modelled-microseconds=\(milliseconds)"
  }
}
