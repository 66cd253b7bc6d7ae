import CNFC
@testable import NFCReader
import Synchronization
import TagTypes

/// A libnfc without a library: one reader that always has the same tag on it, by default an NTAG.
///
/// The driver's name is unknown to ``ReaderConnection``, so that no port is searched.
enum FakeLibNFC {
  static let connectionString = "fake:0"
  static let uid: [UInt8] = [0x04, 1, 2, 3, 4, 5, 6]

  static func calls(
    _ target: TagTarget = TagTarget(atqa: [0x00, 0x44], sak: 0, uid: uid)
  ) -> LibNFCCalls {
    LibNFCCalls(
      initialize: { OpaquePointer(bitPattern: 0x10) },
      listDevices: { _, list, count in
        guard count > 0 else { return 0 }
        for (index, byte) in connectionString.utf8CString.enumerated() { list[index] = byte }
        return 1
      },
      open: { _, _ in OpaquePointer(bitPattern: 0x20) },
      isReady: { _ in true },
      close: { _ in },
      information: { _, _ in -8 },
      initiatorInitialize: { _ in 0 },
      setFlag: { _, _, _ in 0 },
      setNumber: { _, _, _ in 0 },
      select: { _, wanted, found in answer(wanted, target, found) },
      selectPatiently: { _, wanted, _, found in answer(wanted, target, found) },
      selectOther: { _, _, _, _ in 0 },
      selectOtherPatiently: { _, _, _, _, _ in 0 },
      deselect: { _ in 0 },
      transceive: { _, command, answer, _ in
        guard command.first == 0x30 else { return 0 }
        answer.update(repeating: 0x55)
        return 16
      },
      pause: { _ in })
  }

  private static func answer(
    _ wanted: UnsafeBufferPointer<UInt8>, _ target: TagTarget,
    _ found: UnsafeMutablePointer<cnfc_target>
  ) -> Int32 {
    guard wanted.isEmpty || wanted.elementsEqual(target.uid) else { return 0 }
    found.pointee.atqa = (target.atqa[0], target.atqa[1])
    found.pointee.sak = target.sak
    found.pointee.uid_length = UInt8(target.uid.count)
    withUnsafeMutableBytes(of: &found.pointee.uid) { $0.copyBytes(from: target.uid) }
    found.pointee.ats_length = UInt8(target.ats.count)
    withUnsafeMutableBytes(of: &found.pointee.ats) { $0.copyBytes(from: target.ats) }
    return 1
  }
}

/// The libnfc functions, by the names that a test reads in a trace.
enum LibNFCCall: String, CaseIterable, Sendable {
  case initialize, listDevices, open, close, information, initiatorInitialize
  case setFlag, setNumber, select, selectPatiently, selectOther, selectOtherPatiently, deselect
  case transceive
}

/// Records every call to libnfc, and answers selected calls in its place.
final class CallTrace: Sendable {
  private struct State {
    var calls: [LibNFCCall] = []
    /// The return values of a function's next calls, in place of libnfc's.
    var answers: [LibNFCCall: [Int32]] = [:]
    var pauses: [UInt32] = []
  }

  private let state = Mutex(State())

  /// Every call so far, in order.
  var calls: [LibNFCCall] { state.withLock { $0.calls } }
  /// The requested pauses, in milliseconds.
  var pauses: [UInt32] { state.withLock { $0.pauses } }

  /// Makes the next calls of a function fail with these codes, one after another.
  func fail(_ call: LibNFCCall, with codes: Int32...) {
    state.withLock { $0.answers[call, default: []] += codes }
  }

  func forget() { state.withLock { $0.calls = [] } }

  fileprivate func enter(_ call: LibNFCCall) -> Int32? {
    state.withLock { state in
      state.calls.append(call)
      guard state.answers[call]?.isEmpty == false else { return nil }
      return state.answers[call]?.removeFirst()
    }
  }

  fileprivate func pause(_ milliseconds: UInt32) {
    state.withLock { $0.pauses.append(milliseconds) }
  }

  /// Returns a library whose calls go through this trace to the real libnfc and the one context of
  /// this process.
  func libraryOverSystem() throws -> NFCLibrary {
    let context = try NFCLibrary.shared.withContext { NFCHandle(pointer: $0) }
    var base = LibNFCCalls.system
    base.initialize = { context.pointer }
    return NFCLibrary(calls: calls(over: base))
  }

  /// Returns calls that go through this trace to `base`. Pauses are recorded but not made.
  func calls(over base: LibNFCCalls) -> LibNFCCalls {
    var calls = base
    calls.initialize = { self.enter(.initialize) == nil ? base.initialize() : nil }
    calls.listDevices = {
      self.enter(.listDevices) == nil ? base.listDevices($0, $1, $2) : 0
    }
    calls.open = { self.enter(.open) == nil ? base.open($0, $1) : nil }
    calls.close = {
      _ = self.enter(.close)
      base.close($0)
    }
    calls.information = { self.enter(.information) ?? base.information($0, $1) }
    calls.initiatorInitialize = {
      self.enter(.initiatorInitialize) ?? base.initiatorInitialize($0)
    }
    calls.setFlag = { self.enter(.setFlag) ?? base.setFlag($0, $1, $2) }
    calls.setNumber = { self.enter(.setNumber) ?? base.setNumber($0, $1, $2) }
    calls.select = { self.enter(.select) ?? base.select($0, $1, $2) }
    calls.selectPatiently = { self.enter(.selectPatiently) ?? base.selectPatiently($0, $1, $2, $3) }
    calls.selectOther = { self.enter(.selectOther) ?? base.selectOther($0, $1, $2, $3) }
    calls.selectOtherPatiently = {
      self.enter(.selectOtherPatiently) ?? base.selectOtherPatiently($0, $1, $2, $3, $4)
    }
    calls.deselect = { self.enter(.deselect) ?? base.deselect($0) }
    calls.transceive = { self.enter(.transceive) ?? base.transceive($0, $1, $2, $3) }
    calls.pause = { self.pause($0) }
    return calls
  }
}
