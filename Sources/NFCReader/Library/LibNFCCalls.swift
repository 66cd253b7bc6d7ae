internal import CNFC

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
  /// The same with a time-out in milliseconds, for PN53x drivers only (`pn53x_transceive`).
  var selectPatiently:
    @Sendable (Device, UnsafeBufferPointer<UInt8>, Int32, UnsafeMutablePointer<cnfc_target>) ->
      Int32
  /// `nfc_initiator_select_passive_target` with another technology, its identifier copied out.
  var selectOther:
    @Sendable (Device, nfc_modulation_type, nfc_baud_rate, UnsafeMutablePointer<cnfc_identifier>)
      -> Int32
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
    deselect: { cnfc_initiator_deselect_target($0) },
    transceive: {
      cnfc_initiator_transceive_bytes($0, $1.baseAddress, $1.count, $2.baseAddress, $2.count, $3)
    },
    pause: { _ = usleep($0 * 1000) })
}
