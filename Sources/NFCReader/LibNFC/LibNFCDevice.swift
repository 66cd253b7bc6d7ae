internal import CNFC
internal import TagTypes

/// One open libnfc device and the lock on its port; the only owner of both.
///
/// Not Sendable: it lives inside its reader's actor, and every call blocks that actor's own queue.
/// Forgetting it closes it on that queue.
final class LibNFCDevice: ReaderDevice {
  /// Milliseconds the reader may take for one command. libnfc's own 350 is too short for readers
  /// behind a slow line, and its USB drivers lose 200 of them before they look.
  static let commandTimeout: Int32 = 700

  private let calls: LibNFCCalls
  private let executor: ReaderExecutor
  private let connection: ReaderConnection
  /// Why the reader was given up; from then on every call fails with this at once.
  private var failure: DeviceFailure?
  private var handle: NFCHandle?
  private var lock: PortLock?

  init(
    calls: LibNFCCalls, handle: NFCHandle, lock: PortLock?, executor: ReaderExecutor,
    connection: ReaderConnection
  ) {
    self.calls = calls
    self.connection = connection
    self.handle = handle
    self.lock = lock
    self.executor = executor
  }

  var changes: ReaderChanges { .asking }
  func hasLeft() -> Bool? { nil }

  /// Whether "no tag" comes as a failure of the line.
  var reportsNoTagAsFailure: Bool { connection.reportsNoTagAsFailure }

  /// A reader on USB may be closed and opened again.
  var mayReopen: Bool { connection.isUSB }

  /// The most bytes of an answer that this reader carries for a tag.
  ///
  /// An ACR122U, which `usb` may mean too, cuts what is longer than a USB packet. The others pass
  /// on 262 bytes: 60 pages of a Type 2 tag, or 256 bytes and a status word of an APDU (the
  /// PN532's FAST_READ limit and UM0701-02, 7.3.8).
  func maximumAnswerByteCount(for target: TagTarget) -> Int {
    if connection.reportsNoTagAsFailure { return 60 }
    return target.speaksISODEP ? 258 : 240
  }

  /// Switches the field off, lets the tag go and frees the port. Done once; later calls do nothing.
  func close() {
    guard let handle else { return }
    // libnfc says goodbye with three commands; a reader that is gone gets little time for them.
    if failure != nil { _ = calls.setNumber(handle.pointer, NP_TIMEOUT_COMMAND, 100) }
    calls.close(handle.pointer)
    self.handle = nil
    lock = nil
  }

  deinit {
    guard let handle else { return }
    executor.submit { [calls, lock] in
      calls.close(handle.pointer)
      // The port stays locked until libnfc has let go of it.
      withExtendedLifetime(lock) {}
    }
  }

  /// The chip in the reader and its firmware version; nil when libnfc does not say.
  ///
  /// Costs no exchange. The device's name in libnfc will not do: for the reader that
  /// `LIBNFC_DEVICE` names it is always "user defined device".
  func chip() -> String? {
    var text: UnsafeMutablePointer<CChar>?
    guard let handle, calls.information(handle.pointer, &text) >= 0, let text else { return nil }
    defer { cnfc_free(text) }
    let line = String(cString: text).split(separator: "\n").first { $0.hasPrefix("chip: ") }
    return line.map { String($0.dropFirst("chip: ".count)) }
  }

  /// Makes the reader look for tags: the field on, one attempt per select.
  func prepare() throws(DeviceFailure) {
    let device = try open
    _ = try Self.check(calls.setNumber(device, NP_TIMEOUT_COMMAND, Self.commandTimeout))
    _ = try Self.check(calls.initiatorInitialize(device))
    _ = try Self.check(calls.setFlag(device, NP_INFINITE_SELECT, false))
  }

  /// Switches the field. A tag needs 5 ms without it to forget, and 5 ms with it to wake
  /// (ISO/IEC 14443-3, 5); both are waited here.
  func setField(on: Bool) throws(DeviceFailure) {
    _ = try Self.check(calls.setFlag(try open, NP_ACTIVATE_FIELD, on))
    calls.pause(6)
  }

  /// Selects the tag with this UID, halted or not; without a UID any that is not halted.
  ///
  /// - Returns: The tag, or nil when none answers.
  func select(uid: [UInt8]) throws(DeviceFailure) -> TagTarget? {
    let device = try open
    var target = cnfc_target()
    let result = uid.withUnsafeBufferPointer { uid in
      onChip { calls.selectPatiently(device, uid, Self.commandTimeout, &target) }
        ?? calls.select(device, uid, &target)
    }
    guard try Self.check(result) > 0 else { return nil }
    return TagTarget(target)
  }

  /// What the chip itself answers, read without libnfc, which believes whatever length a reader
  /// states; nil for another driver, or a libnfc that does not let one ask the chip.
  private func onChip(_ body: () -> Int32) -> Int32? {
    guard connection.isPN53x else { return nil }
    let result = body()
    return result == NFCStatus.notImplemented.rawValue ? nil : result
  }

  /// Lets the tag go: HLTA, or S(DESELECT) to one of ISO/IEC 14443-4. From then on only a
  /// selection by its UID finds it, until the field has been off. That there is no tag to let go
  /// is no failure.
  func deselect() throws(DeviceFailure) {
    do {
      _ = try Self.check(calls.deselect(try open))
    } catch {
      if error.isOfTheLine { throw error }
    }
  }

  /// Looks once for a tag of another technology.
  ///
  /// - Returns: Its identifier; nil when none answers, or when the chip cannot do this.
  func find(_ technology: OtherTechnology) throws(DeviceFailure) -> [UInt8]? {
    var identifier = cnfc_identifier()
    let device = try open
    let (modulation, baud) = (technology.modulation, technology.baud)
    let result =
      onChip {
        calls.selectOtherPatiently(device, modulation, baud, Self.commandTimeout, &identifier)
      } ?? calls.selectOther(device, modulation, baud, &identifier)
    do {
      guard try Self.check(result) > 0 else { return nil }
    } catch {
      if error.isOfTheLine { throw error }
      return nil
    }
    return withUnsafeBytes(of: identifier.bytes) { Array($0.prefix(Int(identifier.length))) }
  }

  /// Sends one tag command on the way its rule says. Changing the way costs no exchange with the
  /// reader.
  ///
  /// - Returns: The answer, empty for an acknowledgement.
  func transceive(_ command: [UInt8], _ rule: ExchangeRule) throws(DeviceFailure) -> [UInt8] {
    let device = try open
    guard command.count <= ExchangeRule.commandByteLimit else { throw .libnfc(.overflow) }
    _ = try Self.check(calls.setFlag(device, NP_EASY_FRAMING, rule.isFramedByReader))
    var answer = [UInt8](repeating: 0, count: 300)
    let result = command.withUnsafeBufferPointer { command in
      answer.withUnsafeMutableBufferPointer {
        calls.transceive(device, command, $0, rule.timeout ?? -1)
      }
    }
    let count = try Self.check(result)
    return Array(answer.prefix(count))
  }

  /// Brings the line back after an answer that came late, damaged or not at all.
  ///
  /// A late answer would be taken for the next one. So: wait for it, then send a command that
  /// changes nothing (the field, on already, is switched on) until that one is answered properly;
  /// the driver throws away what lies in its input before it sends. A reader that answers none of
  /// three such commands is given up: after 0.5 s when it was unplugged, 2.6 s when it is mute.
  func recover() throws(DeviceFailure) {
    var last = DeviceFailure.libnfc(.inputOutput)
    for milliseconds: UInt32 in [20, 100, 350] {
      _ = try open
      calls.pause(milliseconds)
      do {
        return try setField(on: true)
      } catch {
        last = error
      }
    }
    failure = last
    throw last
  }

  /// libnfc's "negative is an error" as a thrown failure.
  private static func check(_ result: Int32) throws(DeviceFailure) -> Int {
    do throws(NFCStatus) {
      return try NFCStatus.check(result)
    } catch {
      throw .libnfc(error)
    }
  }

  private var open: LibNFCCalls.Device {
    get throws(DeviceFailure) {
      if let failure { throw failure }
      guard let handle else { throw .libnfc(.noSuchDevice) }
      return handle.pointer
    }
  }
}

extension TagTarget {
  /// Reads the arrays of the C structure, which Swift imports as tuples.
  fileprivate init(_ target: cnfc_target) {
    self.init(
      atqa: withUnsafeBytes(of: target.atqa) { Array($0) },
      sak: target.sak,
      uid: withUnsafeBytes(of: target.uid) { Array($0.prefix(Int(target.uid_length))) },
      ats: withUnsafeBytes(of: target.ats) { Array($0.prefix(Int(target.ats_length))) })
  }
}
