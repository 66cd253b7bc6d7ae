import Pictures
import Testing

@Suite("Colour")
struct ColourTests {
  /// ITU-R BT.601 luma of every pixel.
  private func luma(_ picture: ColourPicture) -> [Int] {
    picture.red.pixels.indices.map { index in
      (19_595 * Int(picture.red.pixels[index]) + 38_470 * Int(picture.green.pixels[index])
        + 7_471 * Int(picture.blue.pixels[index])) >> 16
    }
  }

  @Test("a colour picture comes back from its PNG as it was")
  func roundTrip() async throws {
    let planes = (0..<3).map { shift in
      GreyPicture(width: 16, height: 16, pixels: (0..<256).map { UInt8($0 * (shift + 1) & 255) })
    }
    let picture = ColourPicture(red: planes[0], green: planes[1], blue: planes[2])
    #expect(try await load(PNGWriter.colour(picture)).colourLook() == picture)
  }

  @Test(
    "the colours of a file are those its grey was made of",
    arguments: [
      "rgb-8.png", "rgb-16-interlaced.png", "rgba-8.png", "rgba-16.png", "palette-4.png",
      "palette-8-interlaced.png", "grey-8.png", "grey-alpha-16.png", "progressive.jpg", "cmyk.jpg",
      "orientation-6.jpg", "two-pages.pdf", "rgb.bmp", "l.bmp", "turned.png",
    ])
  func agreesWithGrey(name: String) async throws {
    let loaded = try await load(sample(name))
    let colour = try #require(try await loaded.colourLook())
    #expect(colour.width == loaded.firstLook.width && colour.height == loaded.firstLook.height)
    let apart = zip(luma(colour), loaded.firstLook.pixels).map { abs($0 - Int($1)) }
    #expect((apart.max() ?? 255) <= 2)
  }

  /// A picture of 64 × 64 pixels in which the first `count` have a colour.
  private func picture(coloured count: Int) -> ColourPicture {
    let grey = [UInt8](repeating: 90, count: 64 * 64)
    var red = grey
    for index in 0..<count { red[index] = 200 }
    func plane(_ pixels: [UInt8]) -> GreyPicture {
      GreyPicture(width: 64, height: 64, pixels: pixels)
    }
    return ColourPicture(red: plane(red), green: plane(grey), blue: plane(grey))
  }

  @Test("loading a PNG shows whether enough of it is coloured", arguments: [0, 60, 120, 4096])
  func colourful(count: Int) async throws {
    let loaded = try await load(PNGWriter.colour(picture(coloured: count)))
    #expect(loaded.mayBeColourful == (count > 64 * 64 / 50))
  }

  @Test("a PNG in colour has the same grey as its luma, rounded")
  func greyOfColour() async throws {
    let colour = picture(coloured: 2000)
    let loaded = try await load(PNGWriter.colour(colour))
    // 0.299 × 200 + 0.701 × 90 = 122.89.
    #expect(loaded.firstLook[0, 0] == 123)
    #expect(loaded.firstLook[63, 63] == 90)
  }

  @Test("red, green and blue of a pixmap stay apart")
  func pixmap() async throws {
    let colour = try #require(
      try await load(Array("P6 2 1 255\n".utf8) + [1, 2, 3, 250, 251, 252]).colourLook())
    #expect(colour.red.pixels == [1, 250])
    #expect(colour.green.pixels == [2, 251])
    #expect(colour.blue.pixels == [3, 252])
  }

  @Test("a greymap holds no colour")
  func greymap() async throws {
    #expect(try await load(Array("P5 1 1 255\n".utf8) + [7]).colourLook() == nil)
  }
}
