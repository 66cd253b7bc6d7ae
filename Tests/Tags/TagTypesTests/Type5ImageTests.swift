import NDEF
import Testing

@testable import TagTypes

@Suite("The memory of a Type 5 tag")
struct Type5ImageTests {
  @Test("a short message lies behind a container of four bytes, and a terminator behind it")
  func short() throws {
    let image = try Type5Image(example, byteCount: 512)
    #expect(image.bytes.count == 512)
    #expect(Array(image.bytes[..<6]) == [0xE1, 0x40, 0x3F, 0x00, 0x03, 0x26])
    #expect(Array(image.bytes[6..<44]) == example.bytes)
    #expect(image.bytes[44] == 0xFE)
    #expect(image.bytes[45...].allSatisfy { $0 == 0 })
    #expect(image.capacity == 499)
    #expect(Type5Image.content(of: image.bytes) == .message(example.bytes))
  }

  @Test("a memory tells of READ MULTIPLE BLOCKS only when that was asked for")
  func severalBlocks() throws {
    let image = try Type5Image(example, byteCount: 112)
    #expect(Array(image.bytes[..<4]) == [0xE1, 0x40, 0x0D, 0x00])
    let telling = try Type5Image(example, byteCount: 112, readsSeveralBlocks: true)
    #expect(Array(telling.bytes[..<4]) == [0xE1, 0x40, 0x0D, 0x01])
  }

  @Test("the longest message leaves room for a terminator")
  func terminator() throws {
    for (size, capacity) in [(112, 101), (512, 499)] {
      let overhead = capacity > 258 ? 8 : 5
      let uri = "https://" + String(repeating: "x", count: capacity - overhead)
      let image = try Type5Image(NDEFMessage(uri: uri), byteCount: size)
      #expect(image.capacity == capacity)
      let area = Int(image.bytes[2]) * 8
      #expect(image.bytes[4 + area - 1] == 0xFE)
    }
  }

  @Test("a large memory has a container of eight bytes, many blocks the mark E2")
  func large() throws {
    // ST25DV64K: 2,048 blocks of 4 bytes.
    let image = try Type5Image(example, byteCount: 8192)
    #expect(Array(image.bytes[..<8]) == [0xE2, 0x40, 0x00, 0x00, 0x00, 0x00, 0x03, 0xFF])
    #expect(Type5Image.content(of: image.bytes) == .message(example.bytes))
    // The same number of bytes in fewer blocks: one byte addresses each.
    #expect(try Type5Image(example, byteCount: 8192, blockByteCount: 32).bytes[0] == 0xE1)
    #expect(try Type5Image(example, byteCount: 2044).bytes[2] == 0xFF)
    #expect(try Type5Image(example, byteCount: 2052).bytes[2] == 0x00)
  }

  @Test("messages of every length around 254 and at the end of the memory are read back")
  func lengths() throws {
    for count in [1, 247, 248, 249, 250, 251, 300] {
      let message = NDEFMessage(uri: "https://" + String(repeating: "x", count: count))
      let image = try Type5Image(message, byteCount: 512)
      #expect(Type5Image.content(of: image.bytes) == .message(message.bytes))
    }
    for size in [64, 112, 256, 276, 512, 8192] {
      let capacity = try Type5Image(NDEFMessage(uri: "a"), byteCount: size).capacity
      let overhead = capacity > 258 ? 8 : 5
      let fits = NDEFMessage(uri: "https://" + String(repeating: "x", count: capacity - overhead))
      #expect(fits.bytes.count == capacity)
      let image = try Type5Image(fits, byteCount: size)
      #expect(image.bytes.count == size)
      #expect(Type5Image.content(of: image.bytes) == .message(fits.bytes))
      let tooLong = NDEFMessage(
        uri: "https://" + String(repeating: "x", count: capacity - overhead + 1))
      #expect(throws: Type5ImageError(.tooSmall, "", hint: "")) {
        try Type5Image(tooLong, byteCount: size)
      }
    }
  }

  @Test("sizes that no tag has are refused")
  func sizes() {
    for (size, block) in [(0, 4), (-4, 4), (15, 4), (17, 4), (512, 0), (512, 33), (1 << 20, 4)] {
      #expect(throws: Type5ImageError(.invalidSize, "", hint: "")) {
        try Type5Image(example, byteCount: size, blockByteCount: block)
      }
    }
  }

  @Test("a memory without container is no NDEF; a damaged one does not trap")
  func contents() throws {
    #expect(Type5Image.content(of: []) == .notNDEF)
    #expect(Type5Image.content(of: [UInt8](repeating: 0, count: 512)) == .notNDEF)
    #expect(Type5Image.content(of: [0xE1, 0x40, 0x3F, 1, 0x03, 0, 0xFE, 0]) == .empty)
    #expect(Type5Image.content(of: [0xE1, 0x40, 0x3F, 1, 0x03, 9, 1, 2]) == .torn(page: nil))
    let image = try Type5Image(example, byteCount: 112).bytes
    for count in image.indices { _ = Type5Image.content(of: Array(image[..<count])) }
    for index in 0..<8 {
      for byte in UInt8.min...UInt8.max {
        var damaged = image
        damaged[index] = byte
        _ = Type5Image.content(of: damaged)
      }
    }
  }
}
