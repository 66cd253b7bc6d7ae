import CliptagBasics
import Foundation
import Pictures
import TestSupport
import Testing

/// The printing plates that Ghostscript makes of a file's first page, at 100 dots per inch.
struct Plates {
  /// By the names of their inks; 0 is all of the ink.
  private let pictures: [String: GreyPicture]

  /// Separates a PDF or EPS file.
  init(of file: [UInt8]) async throws {
    let folder = try #require(ScratchFolder())
    try Data(file).write(to: URL(filePath: folder.path + "/file"))
    let child = try ChildProgram(
      [
        "gs", "-q", "-dBATCH", "-dNOPAUSE", "-dSAFER", "-sDEVICE=tiffsep", "-r100", "-dEPSCrop",
        "-dOverprint=/enable", "-sOutputFile=\(folder.path)/page.tif", folder.path + "/file",
      ], output: folder.path + "/log")
    try #require(child.wait() == 0)
    var pictures: [String: GreyPicture] = [:]
    for name in try FileManager.default.contentsOfDirectory(atPath: folder.path) {
      guard let plate = name.firstMatch(of: /\((.*)\)\.tif/)?.output.1 else { continue }
      let page = try await PictureLoader(firstLookPixels: .max).open(path: "\(folder.path)/\(name)")
        .page(1)
      pictures[String(plate)] = page.firstLook
    }
    self.pictures = pictures
  }

  /// The names of the inks.
  var names: Set<String> { Set(pictures.keys) }

  /// The darkest value of a plate, 255 for an empty or missing one.
  func darkest(_ ink: String) -> UInt8 { pictures[ink]?.pixels.min() ?? 255 }

  /// Whether half or more of an ink is at a place in millimetres from the left and top.
  func isMarked(_ ink: String, _ x: Double, _ y: Double) -> Bool {
    self[ink, x, y] < 128
  }

  /// The value of a plate at a place, 255 without one.
  subscript(_ ink: String, _ x: Double, _ y: Double) -> UInt8 {
    guard let plate = pictures[ink] else { return 255 }
    return plate.pixels[Int(y / 0.254) * plate.width + Int(x / 0.254)]
  }

  /// The lightest value of a plate in a box.
  func lightest(_ ink: String, x: ClosedRange<Double>, y: ClosedRange<Double>) -> UInt8 {
    values(ink, x, y).max() ?? 255
  }

  /// The darkest value of a plate in a box.
  func darkest(_ ink: String, x: ClosedRange<Double>, y: ClosedRange<Double>) -> UInt8 {
    values(ink, x, y).min() ?? 255
  }

  private func values(
    _ ink: String, _ x: ClosedRange<Double>, _ y: ClosedRange<Double>
  ) -> [UInt8] {
    stride(from: y.lowerBound, through: y.upperBound, by: 0.254).flatMap { row in
      stride(from: x.lowerBound, through: x.upperBound, by: 0.254).map { self[ink, $0, row] }
    }
  }
}
