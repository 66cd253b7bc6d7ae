import CliptagBasics
import TagTypes

/// pcscd from the clients' view: readers, cards, shares and waits, as messages in and messages out.
///
/// Numbers are little-endian; the layouts are those of winscard_msg.h and eventhandler.h of
/// pcsc-lite 1.9.
struct PCSCDaemon: Sendable {
  var reader: SimulatedPCSCReader
  /// A Boolean value that indicates whether the daemon has seen a tag; a lifted tag is noticed at
  /// the next look.
  private var isPresent = false
  private var events: UInt32 = 0
  private var seenChanges = 0
  private var handles: [UInt32: Handle] = [:]
  private var contexts: [UInt32: Int32] = [:]
  private var waiting: Set<Int32> = []
  /// The time at which a person reacts to a waiting program; `nil` if none waits or the person has
  /// reacted.
  private(set) var personActs: ContinuousClock.Instant?
  /// The longest wait of a program that only requests the state.
  private static let patience = Duration.milliseconds(10)
  private var begun: UInt32?
  private var parked: [(client: Int32, handle: UInt32)] = []
  private var nextNumber: UInt32 = 0x1000
  private var wasToldAbsent = false
  private var notes: [String] = []
  /// Takes passwords and keys out of the notes.
  private var mask = SessionMask(.reader)

  private struct Handle {
    let client: Int32
    let isExclusive: Bool
    let event: UInt32
    /// A Boolean value that indicates whether another handle has reset the card.
    var wasReset = false
  }

  private enum Failure: UInt32 {
    case none = 0
    case invalidHandle = 0x8010_0003
    case unknownReader = 0x8010_0009
    case sharingViolation = 0x8010_000B
    case noCard = 0x8010_000C
    case notTransacted = 0x8010_0016
    case unsupported = 0x8010_0022
    case unresponsive = 0x8010_0066
    case reset = 0x8010_0068
    case removed = 0x8010_0069
    case cancelled = 0x8010_0002
  }

  init(_ reader: SimulatedPCSCReader) { self.reader = reader }

  mutating func takeNotes() -> [String] {
    defer { notes = [] }
    return notes
      + reader.chip.field.takeNotes().compactMap { output in
        if case .note(let text)? = output.event { text } else { nil }
      }
  }

  /// Looks at the reader and informs the waiting clients.
  mutating func notice() -> [(client: Int32, bytes: [UInt8])] {
    let isThere = reader.isPresent
    let changes = reader.chip.field.noticedChanges
    // A swap counts as a tag that left and another that arrived.
    if changes != seenChanges, isThere, isPresent { events += 1 }
    guard isThere != isPresent || changes != seenChanges else { return [] }
    (isPresent, seenChanges) = (isThere, changes)
    events += 1
    if isThere { _ = reader.powerUp() } else { reader.forget() }
    defer { waiting = [] }
    return waiting.map { ($0, Self.words([0, 0])) }
  }

  /// Performs the action that a waiting program expects of a person: lifting the finished tag, and
  /// placing the next one.
  mutating func letPersonAct(at now: ContinuousClock.Instant) {
    guard let moment = personActs, moment <= now else { return }
    personActs = nil
    if reader.chip.field.presentCard != nil {
      reader.chip.field.released()
    } else if wasToldAbsent {
      wasToldAbsent = false
      _ = reader.chip.field.lookedInVain()
    }
  }

  mutating func clientLeft(_ client: Int32) {
    waiting.remove(client)
    for (number, handle) in handles where handle.client == client {
      _ = release(number)
    }
    contexts = contexts.filter { $0.value != client }
    // A tag that a fault removed is back for the next program.
    if contexts.isEmpty { reader.chip.lineClosed() }
  }

  /// Takes whole messages from the front of a buffer.
  mutating func take(
    _ buffer: inout [UInt8], from client: Int32
  ) -> [(client: Int32, bytes: [UInt8])] {
    var output: [(client: Int32, bytes: [UInt8])] = []
    while buffer.count >= 8 {
      let (size, command) = (Int(Self.word(buffer, 0)), Self.word(buffer, 4))
      guard buffer.count >= 8 + size, size <= 65_536 else { break }
      let body = Array(buffer[8..<8 + size])
      var length = 8 + size
      // The bytes to send follow their description.
      if command == 0x09 || command == 0x0A, body.count >= 24 {
        let extra = Int(Self.word(body, command == 0x09 ? 12 : 8))
        guard extra <= 65_536, buffer.count >= length + extra else { break }
        let data = Array(buffer[length..<length + extra])
        length += extra
        let answer = command == 0x09 ? transmit(body, data) : control(body)
        // A service that hangs leaves the client waiting.
        if !reader.chip.isSilent { output.append((client, answer)) }
      } else {
        output += run(command, body, client)
      }
      buffer.removeFirst(length)
    }
    return output
  }

  private mutating func run(
    _ command: UInt32, _ body: [UInt8], _ client: Int32
  ) -> [(client: Int32, bytes: [UInt8])] {
    var body = body
    func reply() -> [(client: Int32, bytes: [UInt8])] { [(client, body)] }
    func word(_ offset: Int) -> UInt32 { Self.word(body, offset) }
    switch (command, body.count) {
    case (0x01, 12):  // ESTABLISH_CONTEXT
      nextNumber += 1
      contexts[nextNumber] = client
      Self.put(nextNumber, 4, &body)
      Self.put(0, 8, &body)
      return reply()
    case (0x02, 8):  // RELEASE_CONTEXT
      contexts[word(0)] = nil
      for (number, handle) in handles where handle.client == client { _ = release(number) }
      Self.put(0, 4, &body)
      return reply()
    case (0x04, 152): return connect(&body, client)
    case (0x05, 24):
      Self.put(reconnect(word(0), exclusively: word(4) == 1, word(12)).rawValue, 20, &body)
      Self.put(2, 16, &body)
      return reply()
    case (0x06, 12):
      let failure = release(word(0), disposition: word(4))
      Self.put(failure.rawValue, 8, &body)
      return reply() + unparked()
    case (0x07, 8):  // BEGIN_TRANSACTION
      if let begun, begun != word(0) {
        parked.append((client, word(0)))
        return []
      }
      let failure = trouble(with: word(0))
      if failure == .none { begun = word(0) }
      Self.put(failure.rawValue, 4, &body)
      return reply()
    case (0x08, 12):
      if begun == word(0) { begun = nil }
      Self.put(0, 8, &body)
      return reply() + unparked()
    case (0x0B, 8):
      Self.put(trouble(with: word(0)).rawValue, 4, &body)
      return reply()
    case (0x0D, 8):  // CANCEL
      Self.put(0, 4, &body)
      guard let other = contexts[word(0)], waiting.remove(other) != nil else { return reply() }
      return [(other, Self.words([0, Failure.cancelled.rawValue]))] + reply()
    case (0x0F, _), (0x10, _):
      if body.count >= 8 { Self.put(Failure.unsupported.rawValue, body.count - 4, &body) }
      return reply()
    case (0x11, 12):  // VERSION
      // Clients of pcsc-lite 2.3.0 to 2.4.0 accept only their own version; newer ones also an older
      // one.
      Self.put(min(max(word(4), 4), 5), 4, &body)
      Self.put(4, 0, &body)
      Self.put(0, 8, &body)
      return reply()
    case (0x12, _):
      let told = notice()
      wasToldAbsent = wasToldAbsent || !isPresent
      return told + [(client, states)]
    case (0x13, _):
      let told = notice()
      wasToldAbsent = wasToldAbsent || !isPresent
      waiting.insert(client)
      personActs = .now + Self.patience
      return told + [(client, states)]
    case (0x14, _):
      waiting.remove(client)
      if waiting.isEmpty { personActs = nil }
      return [(client, Self.words([0, 0]))]
    case (0x15, _):  // GET_READER_EVENTS, from version 4:5 on: the count of reader changes
      return [(client, Self.words([1, 0]))]
    default:
      return reply()
    }
  }

  private mutating func connect(
    _ body: inout [UInt8], _ client: Int32
  ) -> [(client: Int32, bytes: [UInt8])] {
    let told = notice()
    let name = String(decoding: body[4..<132].prefix { $0 != 0 }, as: UTF8.self)
    let isExclusive = Self.word(body, 132) == 1
    let failure: Failure
    if name != reader.model.readerName {
      failure = name == reader.model.samName ? .noCard : .unknownReader
    } else if handles.values.contains(where: \.isExclusive) || isExclusive && !handles.isEmpty {
      failure = .sharingViolation
    } else if !isPresent {
      failure = .noCard
    } else if reader.atr == nil, reader.powerUp() == nil {
      failure = .unresponsive
    } else {
      failure = .none
      nextNumber += 1
      handles[nextNumber] = Handle(client: client, isExclusive: isExclusive, event: events)
      Self.put(nextNumber, 140, &body)
      Self.put(2, 144, &body)
    }
    Self.put(failure.rawValue, 148, &body)
    return told + [(client, body)]
  }

  /// The reason why a handle is unusable.
  private func trouble(with number: UInt32) -> Failure {
    guard let handle = handles[number] else { return .invalidHandle }
    if !isPresent || handle.event != events { return .removed }
    if handle.wasReset { return .reset }
    if let begun, begun != number { return .sharingViolation }
    return .none
  }

  private mutating func reconnect(
    _ number: UInt32, exclusively: Bool, _ initialization: UInt32
  ) -> Failure {
    guard let handle = handles[number] else { return .invalidHandle }
    _ = notice()
    guard isPresent else { return .noCard }
    guard !exclusively || handles.count == 1 else { return .sharingViolation }
    if initialization != 0 || reader.atr == nil || handle.event != events {
      guard reader.powerUp() != nil else { return .unresponsive }
      for other in handles.keys where other != number { handles[other]?.wasReset = true }
    }
    handles[number] = Handle(client: handle.client, isExclusive: exclusively, event: events)
    return .none
  }

  private mutating func release(_ number: UInt32, disposition: UInt32 = 1) -> Failure {
    guard handles.removeValue(forKey: number) != nil else { return .invalidHandle }
    if begun == number { begun = nil }
    if disposition != 0, isPresent {
      _ = reader.powerUp()
      for other in handles.keys { handles[other]?.wasReset = true }
    }
    return .none
  }

  private mutating func unparked() -> [(client: Int32, bytes: [UInt8])] {
    guard begun == nil, !parked.isEmpty else { return [] }
    let (client, number) = parked.removeFirst()
    let failure = trouble(with: number)
    if failure == .none { begun = number }
    return [(client, Self.words([number, failure.rawValue]))]
  }

  private mutating func transmit(_ body: [UInt8], _ command: [UInt8]) -> [UInt8] {
    var body = body
    let failure = trouble(with: Self.word(body, 0))
    var answer: [UInt8] = []
    var code = failure
    if failure == .none {
      reader.chip.field.prepare(&mask)
      notes.append("> \(mask.command(command).hexadecimal)")
      if reader.isPresent, let data = reader.transmit(command) {
        answer = data
        notes.append("< \(mask.answer(answer).hexadecimal)")
      } else {
        code = .notTransacted
        notes.append("< not passed on")
      }
    }
    Self.put(UInt32(answer.count), 24, &body)
    Self.put(code.rawValue, 28, &body)
    return body + answer
  }

  /// Answers a control command to the reader: a stock driver has no features and passes nothing on.
  private func control(_ body: [UInt8]) -> [UInt8] {
    var body = body
    let isFeatureRequest = Self.word(body, 4) == 0x4200_0D48
    Self.put(0, 16, &body)
    Self.put(isFeatureRequest ? 0 : Failure.notTransacted.rawValue, 20, &body)
    return body
  }

  /// Sixteen readers, the absent ones with an empty name (eventhandler.h).
  private var states: [UInt8] {
    var bytes: [UInt8] = []
    if !reader.chip.isUnplugged {
      let sharing: UInt32 =
        handles.values.contains(where: \.isExclusive) ? 0xFFFF_FFFF : UInt32(handles.count)
      bytes += Self.state(
        reader.model.readerName, events, isPresent ? 0x04 | 0x10 | 0x40 : 0x02, sharing,
        isPresent ? reader.atr ?? [] : [])
      if let name = reader.model.samName { bytes += Self.state(name, 0, 0x02, 0, []) }
    }
    return bytes + [UInt8](repeating: 0, count: 16 * 184 - bytes.count)
  }

  private static func state(
    _ name: String, _ events: UInt32, _ state: UInt32, _ sharing: UInt32, _ atr: [UInt8]
  ) -> [UInt8] {
    let text = Array(name.utf8.prefix(127))
    let card = Array(atr.prefix(33))
    return text + [UInt8](repeating: 0, count: 128 - text.count) + words([events, state, sharing])
      + card + [UInt8](repeating: 0, count: 36 - card.count)
      + words([UInt32(card.count), card.isEmpty ? 0 : 2])
  }

  private static func word(_ bytes: [UInt8], _ offset: Int) -> UInt32 {
    guard offset + 4 <= bytes.count else { return 0 }
    return (0..<4).reduce(0) { $0 | UInt32(bytes[offset + $1]) << (8 * $1) }
  }

  private static func words(_ words: [UInt32]) -> [UInt8] {
    words.flatMap { word in (0..<4).map { UInt8(truncatingIfNeeded: word >> (8 * $0)) } }
  }

  private static func put(_ value: UInt32, _ offset: Int, _ bytes: inout [UInt8]) {
    for (index, byte) in words([value]).enumerated() where offset + index < bytes.count {
      bytes[offset + index] = byte
    }
  }
}
