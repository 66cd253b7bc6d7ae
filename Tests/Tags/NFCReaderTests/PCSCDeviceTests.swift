import CliptagBasics
import CliptagPlatform
import SimulatedReader
import TagTypes
import Testing
@testable import NFCReader

/// One device over the real library of pcsc-lite and our own daemon, with other programs acting
/// meanwhile.
@Suite("A PC/SC reader and other programs", .serialized)
struct PCSCDeviceTests {
  /// The socket's path. The library keeps the first one it is given for the whole process: if
  /// another test may have used it before, the environment must name it, as
  /// `Tests/Scripts/run-tests.sh` does.
  private static let socket: String = {
    if let named = getenv("PCSCLITE_CSOCK_NAME") { return String(cString: named) }
    let path = "/tmp/cliptag-pcsc-\(getpid()).socket"
    setenv("PCSCLITE_CSOCK_NAME", path, 1)
    return path
  }()

  private let model = SimulatedPCSCModel.acr1252

  private func serving(
    _ kind: SimulatedTagKind = .ntag213, on model: SimulatedPCSCModel = .acr1252,
    faults: [Fault] = [], patience: Duration = .seconds(60),
    _ body: (SimulatedReader, PCSCDevice) throws -> Void
  ) async throws {
    let reader = try SimulatedReader(
      kind, faults: faults, pcsc: PCSCSocket(model, path: Self.socket))
    do {
      try #require(PCSCCalls.system.trouble() == nil)
      try body(
        reader, try PCSCDevice(calls: .system, reader: model.readerName, patience: patience))
    } catch {
      reader.stop()
      try await reader.run()
      throw error
    }
    reader.stop()
    try await reader.run()
  }

  /// Another program's connection to the card.
  private func connect(sharing: UInt32) throws -> (context: PCSCContext, card: PCSCCalls.Card) {
    let context = try PCSCContext(calls: .system)
    var (card, linkProtocol) = (0, UInt32(0))
    try PCSCStatus.check(
      PCSCCalls.system.connect(context.handle, model.readerName, sharing, &card, &linkProtocol))
    return (context, card)
  }

  private func status(_ work: () throws -> Void) -> PCSCStatus? {
    do {
      try work()
      return nil
    } catch {
      guard let failure = error as? DeviceFailure, case .pcsc(let status) = failure else {
        return nil
      }
      return status
    }
  }

  private func read(_ device: PCSCDevice) throws -> [UInt8] {
    let target = TagTarget(atqa: [0, 0x44], sak: 0, uid: [])
    return try device.transceive([0x30, 0x00], ExchangeRule([0x30, 0x00], target: target))
  }

  @Test("a tag that another program holds for itself is told so, and free again when it lets go")
  func held() async throws {
    try await serving { _, device in
      let other = try connect(sharing: 1)
      #expect(status { _ = try device.select() } == .sharingViolation)
      let text = PCSCReaders.failure(.pcsc(.sharingViolation), "pcsc")
      #expect(text.code == .readerBusy)
      #expect(text.hint.contains("scdaemon"))
      _ = PCSCCalls.system.disconnect(other.card, 0)
      #expect(try device.select() != nil)
    }
  }

  @Test(
    "a tag that another program holds is waited for, and at the end of the time its holder is named"
  )
  func waitedFor() async throws {
    let simulated = try SimulatedReader(.ntag213, pcsc: PCSCSocket(model, path: Self.socket))
    let system = SystemView.fake(texts: [
      "/proc/50/comm": "scdaemon\n", "/proc/50/maps": "7f00 r-xp /usr/lib/libpcsclite.so.1.0.0\n",
      "/proc/51/comm": "pcscd\n", "/proc/51/maps": "7f00 r-xp /usr/lib/libpcsclite.so.1.0.0\n",
    ])
    let other = try connect(sharing: 1)
    let reader = try await NFCReader.open(
      simulated.connectionString, library: .shared, system: system, clock: ContinuousClock())
    let error = await #expect(throws: NFCReaderError.self) {
      try await reader.waitForTag(timeout: .zero)
    }
    #expect(error?.code == .readerBusy)
    #expect(error?.message.contains("PC/SC is open in scdaemon (process 50)") == true)
    async let found = reader.waitForTag(timeout: .seconds(60))
    _ = PCSCCalls.system.disconnect(other.card, 0)
    #expect(try await found.target.uid == simulated.card?.uid)
    await reader.close()
    simulated.stop()
    try await simulated.run()
  }

  @Test("a tag that another program has is shared with it, and its reset shows")
  func reset() async throws {
    try await serving { _, device in
      let other = try connect(sharing: 2)
      #expect(try device.select() != nil)
      #expect(try read(device).count == 16)
      var linkProtocol: UInt32 = 0
      #expect(PCSCCalls.system.reconnect(other.card, 2, 1, &linkProtocol) == 0)
      #expect(status { _ = try read(device) } == .resetCard)
      // After another selection the card is there as before.
      #expect(try device.select() != nil)
      #expect(try read(device).count == 16)
    }
  }

  @Test("a tag that took this one's place hears no command before it is selected")
  func swapped() async throws {
    try await serving { reader, device in
      let first = try #require(try device.select())
      reader.replaceTag(with: try SimulatedTag(.ntag213, uid: [4, 9, 8, 7, 6, 5, 4]))
      let write: [UInt8] = [0xA2, 0x05, 1, 2, 3, 4]
      let rule = ExchangeRule(write, target: first)
      #expect(throws: DeviceFailure.self) { try device.transceive(write, rule) }
      #expect(reader.counts.writes == 0)
      #expect(try device.select()?.uid == [4, 9, 8, 7, 6, 5, 4])
    }
  }

  /// Sends a command of a Type 2 tag.
  private func send(_ command: [UInt8], to device: PCSCDevice) throws -> [UInt8] {
    let target = TagTarget(atqa: [0, 0x44], sak: 0, uid: [])
    return try device.transceive(command, ExchangeRule(command, target: target))
  }

  /// A write that would be visible on the tag.
  private static let write: [UInt8] = [0xA2, 0x05, 1, 2, 3, 4]

  /// Readers that each make a new selection between reading and writing.
  private static let resetting = [
    SimulatedPCSCModel.acr1252, .acr1552, .omnikey5022, .utrust3700,
  ]

  @Test("a tag that took this one's place before a reset is not written to", arguments: resetting)
  func swappedBeforeReset(model: SimulatedPCSCModel) async throws {
    try await serving(on: model) { reader, device in
      _ = try #require(try device.select())
      reader.add(.swapAtSelection(1))
      // Opens a session, or finds that the reader has none.
      _ = try? send([0x60], to: device)
      #expect(throws: DeviceFailure.anotherTag) { try send(Self.write, to: device) }
      #expect(reader.counts.writes == 0)
      #expect(reader.stranger?.memory == (try SimulatedTag(.ntag213).sister(uid: nil)).memory)
    }
  }

  @Test(
    "a second tag in the field is not written to, whichever selection picks it",
    arguments: resetting, 1...3)
  func neighbour(model: SimulatedPCSCModel, selection: Int) async throws {
    try await serving(on: model) { reader, device in
      let first = try #require(try device.select())
      reader.add(.neighbourAtSelection(selection))
      _ = try? send([0x60], to: device)
      _ = try? send(Self.write, to: device)
      // Each selection compares the UID.
      if try device.select(uid: first.uid)?.uid == first.uid {
        _ = try? send(Self.write, to: device)
      }
      #expect(
        reader.stranger.map { $0.memory == (try? SimulatedTag(.ntag213).sister(uid: nil))?.memory }
          ?? true)
    }
  }

  @Test("a password is not tried on another tag that the session picks")
  func otherInSession() async throws {
    try await serving { reader, device in
      _ = try #require(try device.select())
      reader.add(.neighbourAtSelection(1))
      #expect(throws: DeviceFailure.anotherTag) { try send([0x1B, 9, 9, 9, 9], to: device) }
      #expect((reader.stranger as? SimulatedTag)?.wrongPasswords == 0)
    }
  }

  @Test(
    "after a silence in which a tag may be exchanged by hand its UID is compared before a write")
  func silence() async throws {
    try await serving(on: .acr122, patience: .zero) { reader, device in
      _ = try #require(try device.select())
      reader.swapTag(isNoticed: true)
      #expect(status { _ = try send(Self.write, to: device) } == .removedCard)
      #expect(try device.select()?.uid == reader.stranger?.uid)
      let before = reader.commandCount
      _ = try send(Self.write, to: device)
      #expect(reader.commandCount == before + 2, "the UID, then the write")
    }
  }

  @Test("a tag that is selected again is the one that was asked for, or is told as another")
  func selectedAgain() async throws {
    try await serving { reader, device in
      let first = try #require(try device.select())
      _ = try read(device)
      reader.swapTag(isNoticed: false)
      // The first pages show the UID, so the reader is not asked for it.
      #expect(try device.select(uid: first.uid) == first)
      #expect(throws: DeviceFailure.anotherTag) { try read(device) }
      #expect(try device.select(uid: first.uid)?.uid == reader.stranger?.uid)
    }
  }

  @Test(
    "a reader that never answers is given up, and later calls fail at once",
    .timeLimit(.minutes(10)))
  func neverAnswers() async throws {
    var calls = PCSCCalls.system
    calls.limit = CallLimit(.seconds(1))
    let reader = try SimulatedReader(
      .ntag213, faults: [.silence(afterCommands: 1)], pcsc: PCSCSocket(model, path: Self.socket))
    let device = try PCSCDevice(calls: calls, reader: model.readerName)
    _ = try #require(try device.select())
    #expect(status { _ = try read(device) } == .timedOut)
    #expect(status { _ = try device.select() } == .timedOut)
    #expect(!device.mayReopen)
    reader.stop()
    try await reader.run()
  }

  @Test("a reader that is pulled out, and a service that ends, are told as gone")
  func gone() async throws {
    try await serving(faults: [.unplug(afterCommands: 2)]) { _, device in
      _ = try device.select()
      var last: PCSCStatus?
      for _ in 0..<3 { last = status { _ = try read(device) } ?? last }
      #expect(
        last?.saysReaderGone == true || last?.saysNoTag == true, "\(String(describing: last))")
      #expect(status { try device.prepare() }?.saysReaderGone == true)
    }
    let reader = try SimulatedReader(.ntag213, pcsc: PCSCSocket(model, path: Self.socket))
    let device = try PCSCDevice(calls: .system, reader: model.readerName)
    _ = try device.select()
    reader.stop()
    try await reader.run()
    // The first answer may still be that the tag left with the service.
    var said = status { _ = try read(device) }
    if said?.saysNoTag == true { said = status { _ = try read(device) } }
    #expect(said?.saysReaderGone == true, "\(String(describing: said))")
  }

  @Test("a tag that comes or goes ends the wait at once")
  func presence() async throws {
    let reader = try SimulatedReader(
      SimulatedTagKind.none, pcsc: PCSCSocket(model, path: Self.socket))
    let presence = try PCSCPresence(calls: .system, reader: model.readerName)
    let before = presence.now
    #expect(!before.isPresent)
    async let change: Void = presence.change(from: before, atMost: .milliseconds(500))
    reader.replaceTag(with: try SimulatedTag(.ntag213))
    await change
    #expect(presence.now.isPresent)
    reader.stop()
    try await reader.run()
  }

  @Test("the OPTION flag reaches a tag in a session, and only there; the tag's error comes back")
  func option() async throws {
    func transceive(
      _ command: [UInt8], hasOption: Bool, _ model: SimulatedPCSCModel
    ) async throws -> Result<[UInt8], DeviceFailure> {
      var result: Result<[UInt8], DeviceFailure> = .failure(.anotherTag)
      try await serving(.tagIt, on: model) { _, device in
        let target = try #require(try device.select())
        var rule = ExchangeRule(command, target: target)
        rule.hasOption = hasOption
        result = Result { () throws(DeviceFailure) in try device.transceive(command, rule) }
      }
      return result
    }
    let lock: [UInt8] = [0x22, 0x08]
    #expect(try await transceive(lock, hasOption: true, .acr1552) == .success([]))
    #expect(
      try await transceive(lock, hasOption: false, .acr1552) == .failure(.refusedWith(0x01)))
    let blind = try await transceive([0x21, 8, 1, 2, 3, 4], hasOption: true, .omnikey5022)
    guard case .failure(.notCarried) = blind else {
      Issue.record("\(blind)")
      return
    }
  }

  @Test("a tag of ISO/IEC 15693 is told by its ATR, and its UID begins with E0")
  func vicinity() async throws {
    try await serving(.slix2, on: .acr1552) { _, device in
      let target = try #require(try device.select())
      #expect(target.technology == .iso15693)
      #expect(target.uid == [0xE0, 0x04, 0x01, 0x08, 0x2A, 0xD2, 0x8E, 0x83])
      // Several blocks are read through a session; single blocks use READ BINARY again afterwards.
      let several: [UInt8] = [0x23, 0x00, 0x03]
      #expect(
        try device.transceive(several, ExchangeRule(several, target: target)).count == 16)
      #expect(
        try device.transceive([0x20, 0x01], ExchangeRule([0x20, 0x01], target: target)).count == 4)
    }
  }
}
