import CQREncode

/// The calls of libqrencode that can fail, as values that a test can replace.
struct EncoderCalls: Sendable {
  var create: @Sendable (CInt, QRecLevel, inout OpaquePointer?) -> CInt = {
    cqrencode_new($0, $1, &$2)
  }
  var append: @Sendable (OpaquePointer, QRencodeMode, CInt, UnsafePointer<UInt8>?) -> CInt = {
    cqrencode_append($0, $1, $2, $3)
  }
  var encode: @Sendable (OpaquePointer, inout UnsafeMutablePointer<QRcode>?) -> CInt = {
    cqrencode_encode($0, &$1)
  }

  /// The calls of libqrencode, unless a test replaces them.
  @TaskLocal static var library = EncoderCalls()
}

/// The owner of one libqrencode input.
struct EncoderInput: ~Copyable {
  private let pointer: OpaquePointer
  private let calls: EncoderCalls

  init(
    version: Int, errorCorrection: QRSymbol.ErrorCorrection, calls: EncoderCalls
  ) throws(QRSymbolError) {
    var created: OpaquePointer?
    try check(calls.create(CInt(version), errorCorrection.qrencode, &created), "QRinput_new2")
    guard let created else { throw .encoderFailed("QRinput_new2", reason: "it gave no input") }
    pointer = created
    self.calls = calls
  }

  deinit { QRinput_free(pointer) }

  /// Adds one segment; libqrencode copies the bytes.
  mutating func append(
    _ bytes: ArraySlice<UInt8>, mode: QRSymbol.Segment.Mode
  ) throws(QRSymbolError) {
    let status = bytes.withUnsafeBufferPointer {
      calls.append(pointer, mode.qrencode, CInt($0.count), $0.baseAddress)
    }
    try check(status, "QRinput_append")
  }

  /// Encodes the segments; returns one byte per module, row by row, 1 for dark.
  mutating func modules(version: Int) throws(QRSymbolError) -> [UInt8] {
    var encoded: UnsafeMutablePointer<QRcode>?
    try check(calls.encode(pointer, &encoded), "QRcode_encodeInput")
    guard let encoded else {
      throw .encoderFailed("QRcode_encodeInput", reason: "it gave no symbol")
    }
    defer { QRcode_free(encoded) }
    // libqrencode may choose a larger version than requested; the plan gives it no reason to.
    guard Int(encoded.pointee.version) == version, let data = encoded.pointee.data else {
      throw .encoderFailed(
        "QRcode_encodeInput",
        reason: "it made version \(encoded.pointee.version) instead of \(version)")
    }
    let count = Int(encoded.pointee.width) * Int(encoded.pointee.width)
    return UnsafeBufferPointer(start: data, count: count).map { $0 & 1 }
  }
}

/// Converts a status of the shim into an error.
private func check(_ status: CInt, _ function: String) throws(QRSymbolError) {
  guard status != 0 else { return }
  if status == cqrencode_out_of_memory {
    throw QRSymbolError(
      .outOfMemory, "libqrencode ran out of memory in \(function).",
      hint: "Close other programs and try again.")
  }
  throw .encoderFailed(function, reason: "error number \(status)")
}

extension QRSymbolError {
  fileprivate static func encoderFailed(_ function: String, reason: String) -> QRSymbolError {
    QRSymbolError(
      .encoderFailed, "libqrencode failed in \(function): \(reason).",
      hint: "Check that libqrencode 4 is installed, and report the text as a bug.")
  }
}

extension QRSymbol.ErrorCorrection {
  fileprivate var qrencode: QRecLevel {
    switch self {
    case .low: QR_ECLEVEL_L
    case .medium: QR_ECLEVEL_M
    case .quartile: QR_ECLEVEL_Q
    case .high: QR_ECLEVEL_H
    }
  }
}

extension QRSymbol.Segment.Mode {
  fileprivate var qrencode: QRencodeMode {
    switch self {
    case .numeric: QR_MODE_NUM
    case .alphanumeric: QR_MODE_AN
    case .byte: QR_MODE_8
    }
  }
}
