import CliptagBasics
import Synchronization
import TagAuthenticity
import TagTypes
import Testing
import Verifying

@testable import NFCReader
@testable import SimulatedReader

/// cliptag against readers and tags that answer as real ones did.
@Suite("Recorded sessions, read by cliptag", .serialized) struct ReadingConformanceTests {
  @Test("a tag that answers as recorded is read as the record expects, but for listed differences")
  func read() async throws {
    try await checkAgainstList("reading") { session in
      let facts = RecordedFacts(session)
      let expected = try Reading.expectations(of: session, facts)
      guard !expected.isEmpty else {
        return .unplayable("the record shows nothing that reading a tag finds")
      }
      guard session.layer.level != nil else {
        return .unplayable("no reader shows a program such bytes")
      }
      let reading = try await Reading(session, facts, askingSignature: expected["genuine"] != nil)
      let wrong = expected.filter { reading.found[$0.key] != $0.value }.keys.sorted()
      guard !wrong.isEmpty else { return .equal(expected.count) }
      let words =
        wrong.map {
          "\($0) \(reading.found[$0] ?? "unknown") instead of \(expected[$0] ?? "")"
        } + [reading.message].filter { !$0.isEmpty }
      return .different(
        places: wrong.joined(separator: ", "), words: words.joined(separator: "; "))
    }
  }
}

/// The result of reading a tag that answers as a record has it.
struct Reading {
  /// The facts, by the names that a record uses for its expectations.
  private(set) var found: [String: String] = [:]
  /// The message of the error, if reading failed.
  private(set) var message = ""

  /// The names of the facts, in the order of the documentation.
  static let names = [
    "product", "uid", "size", "blocks", "blockBytes", "content", "locked", "password", "genuine",
    "error",
  ]

  /// What the record expects; of a record that says nothing, what its tag, UID and layer mean.
  static func expectations(
    of session: RecordedSession, _ facts: RecordedFacts
  ) throws -> [String: String] {
    for name in session.expected.keys where !names.contains(name) {
      throw SessionRecords.Flaw(problem: "\(session.id) expects \(name), which is no fact of a tag")
    }
    guard session.expected.isEmpty else { return session.expected }
    if session.tag == "none" { return ["error": "no-tag"] }
    var expected: [String: String] = [:]
    expected["uid"] = facts.uid.map { $0.hexadecimal(.small) }
    if session.layer == .signature {
      expected["genuine"] = session.outcome.hasPrefix("not") ? "not-genuine" : "genuine"
    }
    if let layout = facts.kind?.layout { expected["product"] = layout.name }
    return expected
  }

  /// Reads a tag through libnfc, or through PC/SC if the record is one of that or libnfc's chips
  /// do not reach the tag.
  init(
    _ session: RecordedSession, _ facts: RecordedFacts, askingSignature: Bool
  ) async throws {
    let played = try PlayedSession(session, mode: .lenient)
    if played.answers.level == .reader || facts.isVicinity {
      var simulated = SimulatedPCSCReader(
        chip: try played.chip(), model: Self.model(session, facts))
      simulated.playedATR = facts.atr
      try await read(askingSignature) {
        try await NFCReader.open(
          "pcsc", library: .shared, system: .live, pcsc: .over(simulated), clock: ContinuousClock())
      }
    } else {
      let simulated = try SimulatedReader(playing: played)
      try await read(askingSignature) { try await NFCReader.open(simulated.connectionString) }
      simulated.stop()
      try await simulated.run()
    }
  }

  private mutating func read(
    _ askingSignature: Bool, opening: () async throws -> NFCReader
  ) async throws {
    let reader: NFCReader
    do {
      reader = try await opening()
    } catch let error as NFCReaderError {
      (found["error"], message) = (error.code.rawValue, error.message)
      return
    }
    do {
      let channel = try await reader.waitForTag(timeout: .zero)
      found["uid"] = channel.target.uid.hexadecimal(.small)
      let tag = try await Tag.identify(over: channel, includingConfiguration: true)
        .namedByItself(over: channel)
      found["product"] = tag.name
      found["size"] = "\(tag.capacity)"
      found["locked"] = "\(tag.isLocked)"
      found["password"] = tag.isPasswordProtected.map { "\($0)" }
      found["content"] = Self.name(tag.content)
      found["blocks"] = tag.type5?.blockCount.map { "\($0)" }
      found["blockBytes"] = (tag.type5?.blockByteCount).map { "\($0)" }
      if askingSignature { found["genuine"] = try await tag.originality(over: channel).name }
    } catch let error as NFCReaderError {
      (found["error"], message) = (error.code.rawValue, error.message)
    } catch let error as TagError {
      (found["error"], message) = (error.code.rawValue, error.message)
    }
    await reader.close()
  }

  private static func name(_ content: TagContent) -> String {
    switch content {
    case .unformatted: "unformatted"
    case .notNDEF: "not-ndef"
    case .noMessage: "no-message"
    case .otherData: "other-data"
    case .empty: "empty"
    case .message: "message"
    case .torn: "torn"
    case .unreadable: "unreadable"
    }
  }

  /// The model of the record's reader; of one that the simulator does not have, a model with no
  /// more than PC/SC's own commands.
  private static func model(
    _ session: RecordedSession, _ facts: RecordedFacts
  ) -> SimulatedPCSCModel {
    guard session.layer.level == .reader else { return .acr1552 }
    return facts.model ?? (facts.isVicinity ? .omnikey5022 : .utrust3700)
  }
}

extension PCSCCalls {
  /// A smart card service with one reader, in this process.
  fileprivate static func over(_ reader: SimulatedPCSCReader) -> PCSCCalls {
    let service = Service(reader)
    let name = reader.model.readerName
    return PCSCCalls(
      trouble: { nil },
      establish: { context in
        context = 1
        return 0
      },
      release: { _ in 0 },
      list: { _, text, count in
        for (index, byte) in (Array(name.utf8) + [0, 0]).enumerated() {
          text[index] = CChar(bitPattern: byte)
        }
        count = name.utf8.count + 2
        return 0
      },
      wait: { _, _, _, state, atr in
        atr = service.atr()
        state = atr.isEmpty ? 0x10 : 0x1_0020
        return 0
      },
      cancel: { _ in 0 },
      connect: { _, _, _, card, linkProtocol in
        (card, linkProtocol) = (1, 2)
        return service.powerUp() ? 0 : PCSCStatus.unresponsiveCard.rawValue
      },
      reconnect: { _, _, _, _ in
        service.powerUp() ? 0 : PCSCStatus.unresponsiveCard.rawValue
      },
      disconnect: { _, _ in 0 },
      transmit: { _, _, command, answer in
        guard let bytes = service.transmit(command) else {
          return PCSCStatus.notTransacted.rawValue
        }
        answer = bytes
        return 0
      })
  }

  private final class Service: Sendable {
    private let reader: Mutex<SimulatedPCSCReader>

    init(_ reader: SimulatedPCSCReader) { self.reader = Mutex(reader) }

    func atr() -> [UInt8] {
      reader.withLock { $0.isPresent ? $0.atr ?? $0.powerUp() ?? [] : [] }
    }

    func powerUp() -> Bool { reader.withLock { $0.isPresent && $0.powerUp() != nil } }
    func transmit(_ command: [UInt8]) -> [UInt8]? { reader.withLock { $0.transmit(command) } }
  }
}
