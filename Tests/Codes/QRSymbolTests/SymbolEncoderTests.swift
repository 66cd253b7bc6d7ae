import CQREncode
import CliptagBasics
import CliptagPlatform
import Testing

@testable import QRSymbol

@Suite("Symbols drawn by libqrencode")
struct SymbolEncoderTests {
  /// Kinds of texts with different segments, and with runs and patterns that the masks leave.
  enum Content: CaseIterable, Sendable {
    case url, digits, capitals, bytes, mixture, oneByte
  }

  @Test(
    "every plan keeps its version and level, also one that fills its symbol to the last bit",
    arguments: Content.allCases)
  func plans(content: Content) throws {
    var generator = SeededGenerator(seed: 18_004)
    for version in 1...40 {
      for level in QRSymbol.ErrorCorrection.allCases {
        let room = SymbolCapacity.bytes(version: version, errorCorrection: level)
        for count in [room, max(1, Int.random(in: room / 2...room, using: &generator))] {
          let bytes = bytes(content, count, &generator)
          let plan = try SymbolPlan(
            bytes: bytes, minimumErrorCorrection: level, raiseErrorCorrection: false,
            minimumVersion: version)
          let symbol = try QRSymbol(bytes: bytes, plan: plan)
          #expect(symbol.version == plan.version && symbol.modules.allSatisfy { $0 <= 1 })
          #expect(symbol.modules.count == symbol.size * symbol.size)
          #expect(drawnLevel(of: symbol) == level, "\(version)-\(level.rawValue)")
        }
      }
    }
  }

  /// The level in the format information beside the top left finder pattern (ISO/IEC 18004:2015,
  /// 7.9.1): its first two bits, masked with 10.
  private func drawnLevel(of symbol: QRSymbol) -> QRSymbol.ErrorCorrection {
    let bits = (symbol.isDark(x: 0, y: 8) ? 2 : 0) + (symbol.isDark(x: 1, y: 8) ? 1 : 0)
    return [.medium, .low, .high, .quartile][bits ^ 0b10]
  }

  private func bytes(
    _ content: Content, _ count: Int, _ generator: inout SeededGenerator
  ) -> [UInt8] {
    func random(_ range: ClosedRange<UInt8>) -> UInt8 { .random(in: range, using: &generator) }
    switch content {
    case .url:
      return Array("https://clip.example.com/".utf8.prefix(count))
        + (0..<max(0, count - 25)).map { _ in random(0x61...0x7A) }
    case .digits: return (0..<count).map { _ in random(0x30...0x39) }
    case .capitals: return (0..<count).map { _ in random(0x41...0x5A) }
    case .bytes: return (0..<count).map { _ in random(0...255) }
    case .mixture:
      return (0..<count / 2).map { index in
        index / 8 % 2 == 0 ? random(0x30...0x39) : random(0x41...0x7A)
      } + [0x30]
    case .oneByte: return [UInt8](repeating: random(0...255), count: count)
    }
  }

  // MARK: Failures

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
    #expect(try code(EncoderCalls()) == nil)
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

  @Test("a library that does not open is named with its package")
  func missing() throws {
    let reason = strdup("libqrencode.so.4: cannot open shared object file")
    defer { free(reason) }
    let address = UInt(bitPattern: reason)
    let bytes = Array("https://a.co/1".utf8)
    let plan = try SymbolPlan(bytes: bytes)
    let error = #expect(throws: QRSymbolError.self) {
      try QRSymbol(
        bytes: bytes, plan: plan, calls: EncoderCalls(load: { UnsafePointer(bitPattern: address) }))
    }
    #expect(error?.code == .libraryMissing)
    #expect(error?.hint.contains("libqrencode4") == true)
  }

  @Test("the shim returns the errno that the library left")
  func errno() {
    #expect(cqrencode_load() == nil)
    var input: OpaquePointer?
    #expect(cqrencode_new(41, QR_ECLEVEL_M, &input) == Self.invalidArgument)
    #expect(input == nil)
  }
}
