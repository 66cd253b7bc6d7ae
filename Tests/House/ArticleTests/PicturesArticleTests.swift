import Pictures
import Testing

@Suite("What the articles of Pictures show is true") struct PicturesArticleTests {
  @Test("a picture is written as PNG and opened again, pixel for pixel")
  func landingPage() async throws {
    let chequers = GreyPicture(width: 2, height: 2, pixels: [0, 255, 255, 0])
    let bytes = try PNGWriter.grey(chequers)
    let file = try await PictureLoader().open(bytes, named: "chequers.png")
    let page = try await file.page(1)
    print(file.pageCount, page.width, page.height)  // 1 2 2
    print(page.firstLook.pixels)  // [0, 255, 255, 0]
    #expect(file.pageCount == 1 && page.width == 2 && page.height == 2)
    #expect(page.firstLook == chequers)
  }

  @Test(
    "an upload is opened within limits, or refused with a code",
    arguments: [(width: 40, isRefused: false), (width: 6000, isRefused: true)])
  func strangers(width: Int, isRefused: Bool) async throws {
    let pixels = [UInt8](repeating: 255, count: width * width)
    let upload = try PNGWriter.grey(GreyPicture(width: width, height: width, pixels: pixels))
    let loader = PictureLoader(
      limits: PictureLimits(fileBytes: 20 << 20, pixels: 25_000_000, pages: 10))
    do throws(PictureError) {
      let file = try await loader.open(upload, named: "upload")
      for number in 1...file.pageCount {
        let page = try await file.page(number)
        if let damage = page.damage { print("the rest is missing:", damage.message) }
        guard let picture = try await page.closerLook() else { continue }
        print(picture.width, picture.height)
      }
    } catch {
      print(error.code.rawValue, error.message, error.hint)
    }
    if isRefused {
      await #expect(throws: PictureError.self) {
        _ = try await loader.open(upload, named: "upload").page(1)
      }
    }
  }
}
