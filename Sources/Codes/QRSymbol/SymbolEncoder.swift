import CQREncode

/// The calls of libqrencode that can fail, as values that a test can replace.
struct EncoderCalls: Sendable {
  var load: @Sendable () -> UnsafePointer<CChar>? = { cqrencode_load() }
  var create: @Sendable (CInt, QRecLevel, inout OpaquePointer?) -> CInt = {
    cqrencode_new($0, $1, &$2)
  }
  var append: @Sendable (OpaquePointer, QRencodeMode, CInt, UnsafePointer<UInt8>?) -> CInt = {
    cqrencode_append($0, $1, $2, $3)
  }
  var encode: @Sendable (OpaquePointer, inout UnsafeMutablePointer<QRcode>?) -> CInt = {
    cqrencode_encode($0, &$1)
  }
}

/// The owner of one input of libqrencode, which draws the symbol of a plan.
struct SymbolEncoder: ~Copyable {
  private let input: OpaquePointer
  private let version: Int
  private let calls: EncoderCalls

  /// Opens libqrencode and creates an empty input.
  ///
  /// - Throws: ``QRSymbolError``: `libraryMissing`, `outOfMemory` or `encoderFailed`.
  init(
    version: Int, errorCorrection: QRSymbol.ErrorCorrection, calls: EncoderCalls = EncoderCalls()
  ) throws(QRSymbolError) {
    if let reason = calls.load() { throw .libraryMissing(String(cString: reason)) }
    var created: OpaquePointer?
    try check(calls.create(CInt(version), errorCorrection.qrencode, &created), "QRinput_new2")
    guard let created else { throw .encoderFailed("QRinput_new2", reason: "it gave no input") }
    input = created
    self.version = version
    self.calls = calls
  }

  deinit { cqrencode_free(input) }

  /// Appends one segment; libqrencode copies the bytes.
  mutating func append(
    _ bytes: ArraySlice<UInt8>, mode: QRSymbol.Segment.Mode
  ) throws(QRSymbolError) {
    let status = bytes.withUnsafeBufferPointer {
      calls.append(input, mode.qrencode, CInt($0.count), $0.baseAddress)
    }
    try check(status, "QRinput_append")
  }

  /// Draws the symbol: one byte per module, row by row, 1 for dark.
  ///
  /// - Throws: ``QRSymbolError``: `outOfMemory`, or `encoderFailed`, also for a symbol of another
  ///   version than the plan's, which libqrencode makes of an input that does not fit.
  consuming func modules() throws(QRSymbolError) -> [UInt8] {
    var encoded: UnsafeMutablePointer<QRcode>?
    try check(calls.encode(input, &encoded), "QRcode_encodeInput")
    guard let encoded else {
      throw .encoderFailed("QRcode_encodeInput", reason: "it gave no symbol")
    }
    defer { cqrencode_symbol_free(encoded) }
    let symbol = encoded.pointee
    guard Int(symbol.version) == version,
      Int(symbol.width) == SymbolCapacity.modules(version: version), let data = symbol.data
    else {
      throw .encoderFailed(
        "QRcode_encodeInput", reason: "it made version \(symbol.version) instead of \(version)")
    }
    // The other bits of a module say which part of the symbol it belongs to.
    return UnsafeBufferPointer(start: data, count: Int(symbol.width * symbol.width)).map { $0 & 1 }
  }
}

/// Converts a status of the shim into an error.
private func check(_ status: CInt, _ function: String) throws(QRSymbolError) {
  guard status != 0 else { return }
  guard status != cqrencode_out_of_memory else {
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

  fileprivate static func libraryMissing(_ reason: String) -> QRSymbolError {
    QRSymbolError(
      .libraryMissing, "No QR code can be drawn: libqrencode cannot be used: \(reason).",
      hint: "Install it (Debian: apt-get install libqrencode4) and run the command again.")
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
