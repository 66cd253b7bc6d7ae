import Testing

@testable import CodeScanning

@Suite("Messages over several symbols")
struct StructuredAppendTests {
  private let message = (0..<100).map { UInt8(0x21 + $0 * 7 % 90) }

  private func parts(_ message: [UInt8]) throws -> [DecodedSymbol] {
    try EncodedSymbol.series(message, version: 3).map {
      try #require(SymbolDecoder.decode($0.modules))
    }
  }

  @Test("each part is read by itself, and all together are the message in any order")
  func joined() throws {
    let parts = try parts(message)
    #expect(parts.count > 2)
    #expect(parts.map { $0.structuredAppend?.index } == Array(0..<parts.count))
    #expect(parts.allSatisfy { $0.structuredAppend?.count == parts.count })
    #expect(parts.flatMap(\.bytes) == message)
    #expect(StructuredAppend.joined(parts) == message)
    #expect(StructuredAppend.joined(parts.reversed() + parts.prefix(1)) == message)
  }

  @Test("a message with a missing part, or one of another message, is not joined")
  func incomplete() throws {
    let first = try parts(message)
    #expect(StructuredAppend.joined([]) == nil)
    #expect(StructuredAppend.joined(Array(first.dropLast())) == nil)
    // The same number of parts and, because two bytes changed by the same bits, the same parity.
    var other = message
    other[0] ^= 1
    other[99] ^= 1
    let second = try parts(other)
    #expect(second[0].structuredAppend == first[0].structuredAppend)
    #expect(StructuredAppend.joined([second[0]] + first.dropFirst()) == nil)
    #expect(StructuredAppend.joined(first + second) == nil)
    other[50] ^= 2
    #expect(StructuredAppend.joined([try parts(other)[0]] + first.dropFirst()) == nil)
  }

  @Test("a symbol that stands alone is no part")
  func alone() throws {
    let symbol = try #require(EncodedSymbol(Array("alone".utf8)))
    let decoded = try #require(SymbolDecoder.decode(symbol.modules))
    #expect(decoded.structuredAppend == nil)
    #expect(StructuredAppend.joined([decoded]) == nil)
  }
}
