import CNFC
import Synchronization

#if canImport(Glibc)
  internal import Glibc
#else
  internal import Darwin
#endif

/// libnfc as one process sees it: one context, made on first use and kept until the process ends.
///
/// There is never a second context and never an `nfc_exit`: leaving any context empties libnfc's
/// list of drivers for all of them. Opening and listing go one at a time, because libnfc and the
/// USB library under it keep global lists.
final class NFCLibrary: Sendable {
  /// The library that every reader of this process shares.
  static let shared = NFCLibrary(calls: .system)

  let calls: LibNFCCalls
  private let context = Mutex<NFCHandle?>(nil)
  /// Held while libnfc opens or lists devices, whichever table of calls is in use.
  private static let opening = Mutex(())

  init(calls: LibNFCCalls) {
    self.calls = calls
  }

  /// Runs `body` with the context, alone. Blocks; call it on a thread that may.
  ///
  /// - Throws: `.software` when libnfc cannot make a context.
  func withContext<Result: Sendable>(
    _ body: (LibNFCCalls.Context) -> Result
  ) throws(NFCStatus) -> Result {
    let result = Self.opening.withLock { _ in
      context.withLock { context -> Result? in
        if context == nil {
          // libnfc writes to standard error at its default level even when all is well.
          NFCReader.silenceLibrary()
          context = calls.initialize().map(NFCHandle.init)
        }
        return context.map { body($0.pointer) }
      }
    }
    guard let result else { throw .software }
    return result
  }

  /// Opens a device; nil when libnfc cannot, which gives no reason. Blocks.
  ///
  /// A serial reader gets a second chance: the first words may meet a chip that is waking up, or
  /// one that still answers a program that was killed. So does one whose first answers were lost:
  /// libnfc hands such a device out as if it were whole, and later crashes in it.
  ///
  /// - Throws: `.software` when libnfc cannot make a context.
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

  /// Connection strings of readers that libnfc finds without writing to any serial port:
  /// those of its configuration and the USB readers it knows.
  /// An empty `LIBNFC_DEVICE`, which libnfc takes for a reader without a name, is none.
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

/// A pointer that libnfc handed out.
///
/// `@unchecked Sendable`: libnfc ties a handle to no thread; it only forbids two threads in one
/// handle at a time. A context is used under ``NFCLibrary``'s lock alone, a device on its reader's
/// serial queue alone.
struct NFCHandle: @unchecked Sendable {
  let pointer: OpaquePointer
}

#if canImport(Glibc)
  internal import Glibc
#else
  internal import Darwin
#endif

/// Every libnfc function this module calls, one trampoline each.
///
/// ``system`` goes to the library. A test passes a table of its own, which records the calls and
/// makes one of them fail, and leaves the rest to the library.
struct LibNFCCalls: Sendable {
  typealias Context = OpaquePointer
  typealias Device = OpaquePointer

  /// Why libnfc cannot be used; nil when it can. The first call opens it.
  var trouble: @Sendable () -> String? = { nil }
  /// `nfc_init`: a context, or nil when there is no library or no memory.
  var initialize: @Sendable () -> Context?
  /// Whether this libnfc has a driver of that name; nil where that cannot be told.
  var hasDriver: @Sendable (String) -> Bool? = { _ in nil }
  /// `nfc_list_devices`, into a flat list of `CNFC_CONNECTION_STRING_SIZE` bytes each.
  var listDevices: @Sendable (Context, UnsafeMutablePointer<CChar>, Int) -> Int
  /// `nfc_open`: a device, or nil without a reason.
  var open: @Sendable (Context, UnsafePointer<CChar>) -> Device?
  /// `nfc_device_get_supported_modulation`: whether libnfc learnt at opening what the chip can do.
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
  /// The same with a time-out in milliseconds, for PN53x drivers only (`pn53x_transceive`); believes no
  /// length that the reader states.
  var selectPatiently:
    @Sendable (Device, UnsafeBufferPointer<UInt8>, Int32, UnsafeMutablePointer<cnfc_target>) ->
      Int32
  /// `nfc_initiator_select_passive_target` with another technology, its identifier copied out.
  var selectOther:
    @Sendable (Device, nfc_modulation_type, nfc_baud_rate, UnsafeMutablePointer<cnfc_identifier>)
      -> Int32
  /// The same with a time-out in milliseconds, as ``selectPatiently``.
  var selectOtherPatiently:
    @Sendable (
      Device, nfc_modulation_type, nfc_baud_rate, Int32, UnsafeMutablePointer<cnfc_identifier>
    ) -> Int32
  /// `nfc_initiator_deselect_target`: HLTA, or S(DESELECT) to a tag of ISO/IEC 14443-4.
  var deselect: @Sendable (Device) -> Int32
  /// `nfc_initiator_transceive_bytes`, with a time-out in milliseconds; -1 is the device's own.
  var transceive:
    @Sendable (Device, UnsafeBufferPointer<UInt8>, UnsafeMutableBufferPointer<UInt8>, Int32) ->
      Int32
  /// `usleep`: the pauses that the air interface and a late answer need.
  var pause: @Sendable (_ milliseconds: UInt32) -> Void
}

extension LibNFCCalls {
  /// The library itself.
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

#if canImport(Glibc)
  internal import Glibc
#else
  internal import Darwin
#endif

/// The descriptors 0, 1 and 2, which every program expects to be its standard streams.
enum StandardStreams {
  /// Opens /dev/null for each that is closed.
  ///
  /// A port that got descriptor 0 would be taken by libnfc for "no descriptor to abort with", and
  /// whatever is printed would go to a port with descriptor 1 or 2.
  static func occupy() {
    for descriptor in STDIN_FILENO...STDERR_FILENO where fcntl(descriptor, F_GETFD) < 0 {
      // The lowest free descriptor is taken, which is this one.
      _ = open("/dev/null", O_RDWR)
    }
  }
}
