import ScanFixtures
import Pictures
import Testing

@testable import CodeScanning

/// Codes that are seen and cannot be read.
@Suite("Unreadable symbols")
struct UnreadableSymbolTests {
  private static let corners = [(80.0, 80.0), (320, 80), (320, 320), (80, 320)]

  /// A code of 240 pixels in a picture of 400, with some columns and rows covered by a light sheet.
  private func picture(covering part: Range<Int>) throws -> GreyPicture {
    let photograph = try #require(
      Photograph(
        Array("https://fruta.example.com/order/cupertino".utf8), version: 3,
        corners: Self.corners, side: 400, flaws: Photograph.Flaws(noise: 4)))
    var pixels = photograph.picture.pixels
    for y in part { for x in part { pixels[y * 400 + x] = 225 } }
    return GreyPicture(width: 400, height: 400, pixels: pixels)
  }

  private func unread(_ picture: GreyPicture) throws -> (read: Int, unread: [UnreadSymbol]) {
    let found = try CodeScanner().examine(picture)
    let symbols = UnreadableSymbols.symbols(in: Look(picture), besides: found) { true }
    return (found.codes.count, symbols)
  }

  @Test("a code whose middle is covered is seen where it is")
  func covered() throws {
    let (read, symbols) = try unread(try picture(covering: 148..<300))
    try #require(read == 0 && symbols.map(\.kind) == [.unreadableQR])
    for (corner, expected) in zip(symbols[0].corners, Self.corners) {
      let away = corner.distance(to: PicturePoint(x: expected.0, y: expected.1))
      #expect(away < 20, "\(corner)")
    }
  }

  @Test("a code that is read is not unreadable, and a wall without one shows nothing")
  func readable() throws {
    let whole = try unread(try picture(covering: 0..<0))
    #expect(whole.read == 1 && whole.unread == [])
    let empty = try unread(try picture(covering: 0..<400))
    #expect(empty.read == 0 && empty.unread == [])
  }
}
