import Foundation
import Pictures

/// A committed sample; `Tests/Scripts/make-picture-samples.py` made it.
func sample(_ name: String) throws -> [UInt8] {
  [UInt8](try Data(contentsOf: samplesFolder.appending(path: name)))
}

/// A PDF document of empty pages.
///
/// - Parameters:
///   - mediaBoxes: each page's, in points.
///   - title: without parentheses.
func document(mediaBoxes: [String], title: String = "") -> [UInt8] {
  let pages = mediaBoxes.indices.map { $0 + 4 }
  let objects =
    [
      "<< /Type /Catalog /Pages 2 0 R >>",
      "<< /Type /Pages /Kids [\(pages.map { "\($0) 0 R" }.joined(separator: " "))] "
        + "/Count \(pages.count) >>",
      "<< /Title (\(title)) >>",
    ]
    + mediaBoxes.map { "<< /Type /Page /Parent 2 0 R /MediaBox [\($0)] /Resources << >> >>" }
  var text = "%PDF-1.4\n"
  var table = "xref\n0 \(objects.count + 1)\n0000000000 65535 f \n"
  for (index, object) in objects.enumerated() {
    let offset = "\(text.utf8.count)"
    table += String(repeating: "0", count: 10 - offset.count) + offset + " 00000 n \n"
    text += "\(index + 1) 0 obj\n\(object)\nendobj\n"
  }
  let start = text.utf8.count
  text += table + "trailer\n<< /Size \(objects.count + 1) /Root 1 0 R /Info 3 0 R >>\n"
  return Array((text + "startxref\n\(start)\n%%EOF\n").utf8)
}

/// The folder of the committed samples.
var samplesFolder: URL { Bundle.module.bundleURL.appending(path: "Samples") }

/// Opens bytes and loads the first page, as the command does.
func load(
  _ bytes: [UInt8], with loader: PictureLoader = .patient
) async throws -> LoadedPicture {
  try await loader.open(bytes, named: "sample").page(1)
}

/// The code of the error that the body throws, or `nil`.
func errorCode(_ body: () async throws -> Void) async -> PictureError.Code? {
  do {
    try await body()
    return nil
  } catch {
    return (error as? PictureError)?.code
  }
}

extension GreyPicture {
  /// The brightness of one pixel.
  subscript(x: Int, y: Int) -> Int { Int(pixels[y * width + x]) }
}

extension PictureLoader {
  /// A loader whose children may take as long as a slow machine needs.
  static let patient = PictureLoader(limits: .patient())
}

extension PictureLimits {
  /// The defaults but for the time, and the number of pixels when one is given.
  static func patient(pixels: Int = PictureLimits.standard.pixels) -> PictureLimits {
    PictureLimits(pixels: pixels, timePerPage: .seconds(900))
  }
}
