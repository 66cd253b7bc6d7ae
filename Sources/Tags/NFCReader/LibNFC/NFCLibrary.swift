import CNFC
import Synchronization

import CliptagPlatform

/// libnfc in one process: one context, made on first use and kept until the process ends.
///
/// There is never a second context and never an `nfc_exit`: leaving any context empties libnfc's
/// list of drivers for all of them. Opening and listing are serialised, because libnfc and its USB
/// library keep global lists.
final class NFCLibrary: Sendable {
  /// The library shared by all readers of this process.
  static let shared = NFCLibrary(calls: .system)

  let calls: LibNFCCalls
  private let context = Mutex<NFCHandle?>(nil)
  /// The lock held while libnfc opens or lists devices, for any table of calls.
  private static let opening = Mutex(())

  init(calls: LibNFCCalls) {
    self.calls = calls
  }

  /// Runs `body` with the context, exclusively. Blocks; call it on a thread that may block.
  ///
  /// - Throws: `.software` if libnfc cannot make a context.
  func withContext<Result: Sendable>(
    _ body: (LibNFCCalls.Context) -> Result
  ) throws(NFCStatus) -> Result {
    let result = Self.opening.withLock { _ in
      context.withLock { context -> Result? in
        if context == nil {
          // At its default level, libnfc writes to standard error even without an error.
          NFCReader.silenceLibrary()
          context = calls.initialize().map(NFCHandle.init)
        }
        return context.map { body($0.pointer) }
      }
    }
    guard let result else { throw .software }
    return result
  }

  /// Opens a device. Returns `nil` if libnfc cannot, for which it gives no reason. Blocks.
  ///
  /// A serial reader gets a second attempt: the first bytes may reach a chip that is waking up, or
  /// one that still answers a killed program. So does a reader whose first responses were lost:
  /// libnfc returns such a device as if it were intact, and later crashes in it.
  ///
  /// - Throws: `.software` if libnfc cannot make a context.
  func open(
    _ connection: ReaderConnection, system: SystemView
  ) throws(NFCStatus) -> NFCHandle? {
    let text = connection.resolved(system.resolve)
    for _ in 0..<(connection.serialPath == nil ? 1 : 2) {
      let handle = try withContext { calls.open($0, text).map(NFCHandle.init) }
      guard let handle else { continue }
      if calls.isReady(handle.pointer) { return handle }
      calls.close(handle.pointer)
    }
    return nil
  }

  /// The connection strings of readers that libnfc finds without writing to any serial port: those
  /// in its configuration and the USB readers it knows. An empty `LIBNFC_DEVICE`, which libnfc
  /// takes for a reader without a name, is ignored.
  func devices(limit: Int = 16) -> [String] {
    let width = Int(CNFC_CONNECTION_STRING_SIZE)
    var list = [CChar](repeating: 0, count: limit * width)
    let found = try? withContext { context in
      list.withUnsafeMutableBufferPointer { buffer in
        // The array is not empty, so the buffer has an address.
        buffer.baseAddress.map { calls.listDevices(context, $0, limit) } ?? 0
      }
    }
    return (0..<min(found ?? 0, limit)).map { index in
      let bytes = list[(index * width)..<((index + 1) * width)].prefix { $0 != 0 }
      return String(decoding: bytes.map(UInt8.init(bitPattern:)), as: UTF8.self)
    }.filter { !$0.isEmpty }
  }
}

/// A pointer returned by libnfc.
///
/// `@unchecked Sendable`: libnfc does not tie a handle to a thread; it only forbids two threads in
/// one handle at a time. A context is used only under ``NFCLibrary``'s lock, a device only on its
/// reader's serial queue.
struct NFCHandle: @unchecked Sendable {
  let pointer: OpaquePointer
}

import CliptagPlatform

/// A table of the libnfc functions that this module calls, one trampoline each.
///
/// ``system`` calls the library. A test passes its own table, which records the calls, makes one of
/// them fail, and forwards the others to the library.
struct LibNFCCalls: Sendable {
  typealias Context = OpaquePointer
  typealias Device = OpaquePointer

  /// The reason why libnfc cannot be used; `nil` if it can. The first call loads it.
  var trouble: @Sendable () -> String? = { nil }
  /// `nfc_init`: a context, or `nil` if there is no library or no memory.
  var initialize: @Sendable () -> Context?
  /// Returns `true` if this libnfc has a driver of that name; `nil` if that is unknown.
  var hasDriver: @Sendable (String) -> Bool? = { _ in nil }
  /// `nfc_list_devices`, into a flat list of `CNFC_CONNECTION_STRING_SIZE` bytes each.
  var listDevices: @Sendable (Context, UnsafeMutablePointer<CChar>, Int) -> Int
  /// `nfc_open`: a device, or `nil` without a reason.
  var open: @Sendable (Context, UnsafePointer<CChar>) -> Device?
  /// `nfc_device_get_supported_modulation`: `true` if libnfc determined the chip's capabilities at
  /// opening.
  var isReady: @Sendable (Device) -> Bool
  /// `nfc_close`.
  var close: @Sendable (Device) -> Void
  /// `nfc_device_get_information_about`: several lines of text, which the caller frees with
  /// `cnfc_free`.
  var information: @Sendable (Device, UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>) -> Int32
  /// `nfc_initiator_init`.
  var initiatorInitialize: @Sendable (Device) -> Int32
  /// `nfc_device_set_property_bool`.
  var setFlag: @Sendable (Device, nfc_property, Bool) -> Int32
  /// `nfc_device_set_property_int`.
  var setNumber: @Sendable (Device, nfc_property, Int32) -> Int32
  /// `nfc_initiator_select_passive_target`, type A at 106 kbit/s.
  var select:
    @Sendable (Device, UnsafeBufferPointer<UInt8>, UnsafeMutablePointer<cnfc_target>) -> Int32
  /// ``select`` with a time-out in milliseconds, for PN53x drivers only (`pn53x_transceive`); does
  /// not trust any length that the reader states.
  var selectPatiently:
    @Sendable (Device, UnsafeBufferPointer<UInt8>, Int32, UnsafeMutablePointer<cnfc_target>) ->
      Int32
  /// `nfc_initiator_select_passive_target` with another technology; copies the identifier.
  var selectOther:
    @Sendable (Device, nfc_modulation_type, nfc_baud_rate, UnsafeMutablePointer<cnfc_identifier>)
      -> Int32
  /// ``selectOther`` with a time-out in milliseconds, like ``selectPatiently``.
  var selectOtherPatiently:
    @Sendable (
      Device, nfc_modulation_type, nfc_baud_rate, Int32, UnsafeMutablePointer<cnfc_identifier>
    ) -> Int32
  /// `nfc_initiator_deselect_target`: HLTA, or S(DESELECT) to a tag of ISO/IEC 14443-4.
  var deselect: @Sendable (Device) -> Int32
  /// `nfc_initiator_transceive_bytes`, with a time-out in milliseconds; -1 is the device's default.
  var transceive:
    @Sendable (Device, UnsafeBufferPointer<UInt8>, UnsafeMutableBufferPointer<UInt8>, Int32) ->
      Int32
  /// `usleep`: the pauses required by the air interface and by late responses.
  var pause: @Sendable (_ milliseconds: UInt32) -> Void
}

extension LibNFCCalls {
  /// The table that calls the library.
  static let system = LibNFCCalls(
    trouble: { cnfc_load().map { String(cString: $0) } },
    initialize: {
      guard cnfc_load() == nil else { return nil }
      var context: Context?
      cnfc_init(&context)
      return context
    },
    hasDriver: { name in
      let answer = cnfc_has_driver(name)
      return answer < 0 ? nil : answer == 1
    },
    listDevices: { cnfc_list_devices($0, $1, $2) },
    open: { cnfc_open($0, $1) },
    isReady: { cnfc_is_ready($0) },
    close: { cnfc_close($0) },
    information: { cnfc_device_get_information_about($0, $1) },
    initiatorInitialize: { cnfc_initiator_init($0) },
    setFlag: { cnfc_device_set_property_bool($0, $1, $2) },
    setNumber: { cnfc_device_set_property_int($0, $1, $2) },
    select: { cnfc_select($0, $1.baseAddress, $1.count, $2) },
    selectPatiently: { cnfc_select_patiently($0, $1.baseAddress, $1.count, $2, $3) },
    selectOther: { cnfc_select_other($0, $1, $2, $3) },
    selectOtherPatiently: { cnfc_select_other_patiently($0, $1, $2, $3, $4) },
    deselect: { cnfc_initiator_deselect_target($0) },
    transceive: {
      cnfc_initiator_transceive_bytes($0, $1.baseAddress, $1.count, $2.baseAddress, $2.count, $3)
    },
    pause: { _ = usleep($0 * 1000) })
}

import CliptagPlatform

/// The descriptors 0, 1 and 2, which every program expects to be its standard streams.
enum StandardStreams {
  /// Opens /dev/null on each closed descriptor.
  ///
  /// libnfc would take a port with descriptor 0 for "no descriptor to abort with", and printed text
  /// would go to a port with descriptor 1 or 2.
  static func occupy() {
    for descriptor in STDIN_FILENO...STDERR_FILENO where fcntl(descriptor, F_GETFD) < 0 {
      // `open` uses the lowest free descriptor, which is this one.
      _ = open("/dev/null", O_RDWR)
    }
  }
}
