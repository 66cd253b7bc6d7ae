internal import CNFC
internal import TagTypes

/// One open libnfc device and the lock on its port, as their only owner.
///
/// Not Sendable: it belongs to its reader's actor, and every call blocks that actor's queue.
/// Releasing it closes it on that queue.
final class LibNFCDevice: ReaderDevice {
  /// The time limit of one command in milliseconds. libnfc's default of 350 is too short for
  /// readers behind a slow line, and its USB drivers lose 200 of them before they look.
  static let commandTimeout: Int32 = 700

  private let calls: LibNFCCalls
  private let executor: ReaderExecutor
  private let connection: ReaderConnection
  /// The failure after which the reader was given up; every later call throws it at once.
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

  /// A Boolean value that indicates whether "no tag" is reported as a failure of the line.
  var reportsNoTagAsFailure: Bool { connection.reportsNoTagAsFailure }

  /// A Boolean value that indicates whether the reader may be closed and reopened: only on USB.
  var mayReopen: Bool { connection.isUSB }

  /// The maximum length in bytes of a response that this reader carries for a tag.
  ///
  /// An ACR122U, which `usb` may also be, truncates responses longer than a USB packet. The others
  /// pass on 262 bytes: 60 pages of a Type 2 tag, or 256 bytes and the status word of an APDU (the
  /// PN532's FAST_READ limit and UM0701-02, 7.3.8).
  func maximumAnswerByteCount(for target: TagTarget) -> Int {
    if connection.reportsNoTagAsFailure { return 60 }
    return target.speaksISODEP ? 258 : 240
  }

  /// Switches the field off, releases the tag and frees the port. Later calls have no effect.
  func close() {
    guard let handle else { return }
    // libnfc closes a device with three commands; a lost reader gets little time for them.
    if failure != nil { _ = calls.setNumber(handle.pointer, NP_TIMEOUT_COMMAND, 100) }
    calls.close(handle.pointer)
    self.handle = nil
    lock = nil
  }

  deinit {
    guard let handle else { return }
    executor.submit { [calls, lock] in
      calls.close(handle.pointer)
      // The port stays locked until libnfc has closed the device.
      withExtendedLifetime(lock) {}
    }
  }

  /// The chip in the reader and its firmware version; `nil` if libnfc does not report them.
  ///
  /// Needs no exchange. libnfc's device name is unsuitable: for the reader in `LIBNFC_DEVICE` it is
  /// always "user defined device".
  func chip() -> String? {
    var text: UnsafeMutablePointer<CChar>?
    guard let handle, calls.information(handle.pointer, &text) >= 0, let text else { return nil }
    defer { cnfc_free(text) }
    let line = String(cString: text).split(separator: "\n").first { $0.hasPrefix("chip: ") }
    return line.map { String($0.dropFirst("chip: ".count)) }
  }

  /// Prepares the reader to look for tags: switches the field on, with one attempt per select.
  func prepare() throws(DeviceFailure) {
    let device = try open
    _ = try Self.check(calls.setNumber(device, NP_TIMEOUT_COMMAND, Self.commandTimeout))
    _ = try Self.check(calls.initiatorInitialize(device))
    _ = try Self.check(calls.setFlag(device, NP_INFINITE_SELECT, false))
  }

  /// Switches the field. A tag needs 5 ms without the field to reset, and 5 ms with it to wake
  /// (ISO/IEC 14443-3, 5); this call includes both waits.
  func setField(on: Bool) throws(DeviceFailure) {
    _ = try Self.check(calls.setFlag(try open, NP_ACTIVATE_FIELD, on))
    calls.pause(6)
  }

  /// Selects the tag with this UID, halted or not; without a UID, any tag that is not halted.
  ///
  /// - Returns: The tag, or `nil` if none answers.
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

  /// Runs `body`, which reads the chip's response without libnfc, since libnfc trusts any length
  /// that a reader states. Returns `nil` for another driver, or a libnfc without access to the
  /// chip.
  private func onChip(_ body: () -> Int32) -> Int32? {
    guard connection.isPN53x else { return nil }
    let result = body()
    return result == NFCStatus.notImplemented.rawValue ? nil : result
  }

  /// Releases the tag with HLTA, or with S(DESELECT) for ISO/IEC 14443-4. After that only a
  /// selection by its UID finds it, until the field has been off. The absence of a tag is not an
  /// error.
  func deselect() throws(DeviceFailure) {
    do {
      _ = try Self.check(calls.deselect(try open))
    } catch {
      if error.isOfTheLine { throw error }
    }
  }

  /// Looks once for a tag of another technology.
  ///
  /// - Returns: Its identifier; `nil` if none answers, or if the chip does not support the
  ///   technology.
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

  /// Sends one tag command in the way given by its rule. Changing the way needs no exchange with
  /// the reader.
  ///
  /// - Returns: The response, empty for an acknowledgement.
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

  /// Restores the line after a late, damaged or missing response.
  ///
  /// A late response would be taken for the next one. The call therefore waits, then sends a
  /// command without effect (it switches the field on, which is on already) until it is answered
  /// correctly; the driver discards its pending input before it sends. A reader that answers none
  /// of three such commands is given up: after 0.5 s if it was unplugged, 2.6 s if it is mute.
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

  /// Throws libnfc's negative results as errors.
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
