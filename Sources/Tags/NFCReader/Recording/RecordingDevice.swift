import Synchronization
import TagTypes

/// A reader of libnfc that reports its exchanges to a recorder, as the frames of a PN53x.
///
/// libnfc shows commands and results, not frames; the frames follow from them (UM0701-02, section
/// 7.3). A refusal and a missing answer are one result, and differ in their time.
final class RecordingDevice: ReaderDevice {
  private let device: any ReaderDevice
  private let recorder: SessionRecorder

  init(_ device: any ReaderDevice, _ recorder: SessionRecorder) {
    (self.device, self.recorder) = (device, recorder)
  }

  var reportsNoTagAsFailure: Bool { device.reportsNoTagAsFailure }
  var mayReopen: Bool { device.mayReopen }
  var changes: ReaderChanges { device.changes }
  func maximumAnswerByteCount(for target: TagTarget) -> Int {
    device.maximumAnswerByteCount(for: target)
  }
  func chip() -> String? { device.chip() }
  func prepare() throws(DeviceFailure) { try device.prepare() }
  func setField(on: Bool) throws(DeviceFailure) { try device.setField(on: on) }
  func hasLeft() throws(DeviceFailure) -> Bool? { try device.hasLeft() }
  func recover() throws(DeviceFailure) { try device.recover() }
  func close() { device.close() }
  func find(_ technology: OtherTechnology) throws(DeviceFailure) -> [UInt8]? {
    try device.find(technology)
  }

  func select(uid: [UInt8]) throws(DeviceFailure) -> TagTarget? {
    // The cascade tags of a UID (UM0701-02, section 7.3.5).
    var cascade = uid
    if uid.count > 4 { cascade.insert(0x88, at: 0) }
    if uid.count > 7 { cascade.insert(0x88, at: 4) }
    return try report([0xD4, 0x4A, 0x01, 0x00] + cascade) { () throws(DeviceFailure) in
      let target = try device.select(uid: uid)
      if let target { recorder.found(target) }
      return target
    } frame: { target in
      guard let target else { return [0xD5, 0x4B, 0x00] }
      let ats = target.ats.isEmpty ? [] : [UInt8(target.ats.count + 1)] + target.ats
      return [0xD5, 0x4B, 0x01, 0x01] + target.atqa + [target.sak, UInt8(target.uid.count)]
        + target.uid + ats
    }
  }

  func deselect() throws(DeviceFailure) {
    try report([0xD4, 0x44, 0x00]) { () throws(DeviceFailure) in
      try device.deselect()
    } frame: {
      [0xD5, 0x45, 0x00]
    }
  }

  func transceive(_ command: [UInt8], _ rule: ExchangeRule) throws(DeviceFailure) -> [UInt8] {
    let code: UInt8 = rule.isFramedByReader ? 0x40 : 0x42
    let head = rule.isFramedByReader ? [0xD4, code, 0x01] : [0xD4, code]
    return try report(head + command) { () throws(DeviceFailure) in
      try device.transceive(command, rule)
    } frame: {
      [0xD5, code + 1, 0x00] + $0
    }
  }

  /// Reports one exchange.
  ///
  /// - Parameters:
  ///   - command: The frame.
  ///   - work: The exchange.
  ///   - frame: Returns the frame for a result.
  private func report<Value>(
    _ command: [UInt8], _ work: () throws(DeviceFailure) -> Value, frame: (Value) -> [UInt8]
  ) throws(DeviceFailure) -> Value {
    let begin = recorder.now
    do throws(DeviceFailure) {
      let value = try work()
      recorder.exchanged(command, frame(value), since: begin)
      return value
    } catch {
      let isSilence = recorder.now - begin > 40
      let answer: [UInt8]? =
        switch error {
        // A time-out of the chip, or an answer of the wrong form.
        case .libnfc(.radioTransmission): [0xD5, command[1] + 1, isSilence ? 0x01 : 0x13]
        default: nil
        }
      recorder.exchanged(command, answer, since: begin, note: "\(error)")
      throw error
    }
  }
}

extension PCSCCalls {
  /// The same functions, which report each command to a recorder.
  func recorded(by recorder: SessionRecorder) -> PCSCCalls {
    let raw = self
    let seen = SeenResets(recorder)
    var recorded = self
    recorded.wait = { context, reader, milliseconds, state, atr in
      let result = raw.wait(context, reader, milliseconds, &state, &atr)
      seen.note(atr)
      return result
    }
    recorded.transmit = { card, linkProtocol, command, answer in
      seen.report()
      let begin = recorder.now
      let code = raw.transmit(card, linkProtocol, command, &answer)
      let isUID = command.starts(with: [0xFF, 0xCA, 0x00, 0x00]) && answer.count > 4
      if code == 0, isUID { seen.found(Array(answer.dropLast(2))) }
      recorder.exchanged(
        command, code == 0 ? answer : nil, since: begin,
        note: code == 0 ? "" : "\(PCSCStatus(rawValue: code))")
      return code
    }
    return recorded
  }
}

/// The answers to reset that a PC/SC reader has shown.
private final class SeenResets: Sendable {
  private let recorder: SessionRecorder
  private let state = Mutex((seen: [UInt8](), reported: [UInt8]()))

  init(_ recorder: SessionRecorder) { self.recorder = recorder }

  func note(_ atr: [UInt8]) {
    if !atr.isEmpty { state.withLock { $0.seen = atr } }
  }

  /// Reports an ATR that is new.
  func report() {
    let new = state.withLock { state -> [UInt8]? in
      guard state.seen != state.reported else { return nil }
      state.reported = state.seen
      return state.seen
    }
    if let new { recorder.reset(new) }
  }

  /// Reports the UID of the tag with the last ATR.
  func found(_ uid: [UInt8]) {
    let atr = AnswerToReset(state.withLock { $0.seen })
    guard atr.kind != .iso15693 else {
      let highestFirst = uid.last == 0xE0 ? uid.reversed() : uid
      if uid.count == 8 { recorder.found(TagTarget(vicinityUID: highestFirst)) }
      return
    }
    recorder.found(TagTarget(atqa: [0x00, 0x44], sak: atr.sak, uid: uid))
  }
}
