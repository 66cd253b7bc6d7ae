import Testing

@testable import Pictures

@Suite("Netpbm")
struct NetpbmReaderTests {
  private func pixels(_ header: String, _ raster: [UInt8] = []) async throws -> [UInt8] {
    let loaded = try await load(Array(header.utf8) + raster)
    #expect(loaded.damage == nil)
    return loaded.firstLook.pixels
  }

  @Test("P1 to P6 give the same picture")
  func kinds() async throws {
    #expect(try await pixels("P1\n3 1\n0 1 0\n") == [255, 0, 255])
    #expect(try await pixels("P1 3 1 010") == [255, 0, 255])
    #expect(try await pixels("P4\n3 1\n", [0b0101_1111]) == [255, 0, 255])
    #expect(try await pixels("P2\n3 1\n4\n4 0 2\n") == [255, 0, 128])
    #expect(try await pixels("P5\n3 1\n255\n", [255, 0, 128]) == [255, 0, 128])
    #expect(try await pixels("P3 2 1 255 255 255 255 0 0 0") == [255, 0])
    #expect(try await pixels("P6 1 1 255\n", [255, 0, 0]) == [76])
  }

  @Test("samples above a maximum value of 255 have two bytes, the higher first")
  func wideSamples() async throws {
    #expect(try await pixels("P5 2 1 65535\n", [0xFF, 0xFF, 0x80, 0]) == [255, 128])
    #expect(try await pixels("P5 1 1 1023\n", [0x03, 0xFF]) == [255])
  }

  @Test("comments may stand anywhere in the header")
  func comments() async throws {
    let header = "P5# made by hand\n# width\n2 # height\n1\n#maximum\n255\n"
    #expect(try await pixels(header, [1, 2]) == [1, 2])
  }

  @Test(
    "hostile headers are refused before memory is taken",
    arguments: [
      ("P5 100000 100000 255\n", PictureError.Code.tooLarge), ("P5 9999 9999 255\n", .malformed),
      ("P5 99999999999999999999 1 255\n", .malformed), ("P5 -1 1 255\n", .malformed),
      ("P5 0 5 255\n", .malformed), ("P5 1 1 65536\n", .malformed), ("P5 1 1 0\n", .malformed),
      ("P2 1 1 255", .malformed), ("P6 ", .malformed), ("P5 1 1 255", .malformed),
      ("P3 1 1 9 10 1 1", .malformed), ("P1 2 2 ", .malformed), ("P5#", .malformed),
    ])
  func hostile(header: String, code: PictureError.Code) async {
    #expect(await errorCode { _ = try await load(Array(header.utf8)) } == code)
  }

  @Test(
    "what a renderer wrote is malformed unless it begins with P1 to P6",
    arguments: ["P", "P5", "P\0\0\0", "P/ 1 1 255\n.", "P0 1 1 1", "P7 1 1 255\n.", "usage: x"])
  func notNetpbm(output: String) {
    #expect(throws: PictureError(.malformed, source: "", message: "", hint: "")) {
      try NetpbmReader.read(Array(output.utf8), source: "page", limits: .standard)
    }
  }

  @Test("a raster cut short shows what arrived, and says how much")
  func cutShort() async throws {
    let loaded = try await load(Array("P5 2 2 255\n".utf8) + [7, 8, 9])
    #expect(loaded.firstLook.pixels == [7, 8, 9, 255])
    #expect(loaded.damage?.message.contains("3 of 4") == true)
  }
}
