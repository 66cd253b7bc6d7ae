import CQREncode
import Testing

@testable import QRSymbol

@Suite("Failures of libqrencode")
struct EncoderFaultTests {
  /// Numbers as in errno.h on Linux.
  private static let invalidArgument: CInt = 22

  private func code(_ calls: EncoderCalls) throws -> QRSymbolError.Code? {
    let bytes = Array("https://a.co/1".utf8)
    let plan = try SymbolPlan(bytes: bytes)
    do {
      _ = try QRSymbol(bytes: bytes, plan: plan, calls: calls)
      return nil
    } catch {
      return error.code
    }
  }

  @Test("each call that fails is reported, and no memory as such")
  func eachCall() throws {
    #expect(try code(.library) == nil)
    for (status, expected) in [
      (cqrencode_out_of_memory, QRSymbolError.Code.outOfMemory),
      (Self.invalidArgument, QRSymbolError.Code.encoderFailed),
    ] {
      #expect(try code(EncoderCalls(create: { _, _, _ in status })) == expected)
      #expect(try code(EncoderCalls(append: { _, _, _, _ in status })) == expected)
      #expect(try code(EncoderCalls(encode: { _, _ in status })) == expected)
    }
  }

  @Test("a call that reports success without a result is a failure")
  func noResult() throws {
    #expect(try code(EncoderCalls(create: { _, _, _ in 0 })) == .encoderFailed)
    #expect(try code(EncoderCalls(encode: { _, _ in 0 })) == .encoderFailed)
  }

  @Test("a symbol of another version than planned is a failure")
  func otherVersion() throws {
    let calls = EncoderCalls(encode: { input, symbol in
      QRinput_setVersion(input, 7)
      return cqrencode_encode(input, &symbol)
    })
    #expect(try code(calls) == .encoderFailed)
  }

  @Test("the shim returns the errno that the library left")
  func errno() {
    var input: OpaquePointer?
    #expect(cqrencode_new(41, QR_ECLEVEL_M, &input) == Self.invalidArgument)
    #expect(input == nil)
  }
}
