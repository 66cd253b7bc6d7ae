import CodeDrawing
import Foundation
@testable import Issuing
import Testing

@Suite("Calibrations of printers") struct PrinterCalibrationsTests {
  private static func temporaryPath() -> String {
    FileManager.default.temporaryDirectory
      .appending(path: "calibration-\(UUID())/cliptag/printers.json").path
  }

  @Test("what is kept is read again, and other printers keep theirs")
  func kept() throws {
    let path = Self.temporaryPath()
    defer { try? FileManager.default.removeItem(atPath: path) }
    let office = try #require(PrinterCalibration(offsetX: 0.6, offsetY: -0.4, scaleX: 1.002))
    let desk = try #require(PrinterCalibration(offsetY: 1))
    var calibrations = try PrinterCalibrations(path: path)
    #expect(calibrations.printers.isEmpty)
    try calibrations.keep(office, for: "office")
    try calibrations.keep(desk, for: "desk")
    #expect(try PrinterCalibrations(path: path).printers == ["office": office, "desk": desk])
  }

  static let broken = [
    ("{\"printers\": ", "it is not JSON"), ("{}", "printers is missing"),
    ("{\"printers\": {\"a\": {\"offsetX\": \"1\"}}}", "printers.a.offsetX has the wrong type"),
    (
      "{\"printers\": {\"a\": {\"offsetX\": 0, \"offsetY\": 0, \"scaleX\": 2, \"scaleY\": 1}}}",
      "printer a are outside"
    ),
  ]

  @Test("a file that is none says what is wrong with it", arguments: broken)
  func malformed(text: String, words: String) throws {
    let path = Self.temporaryPath()
    let folder = URL(fileURLWithPath: path).deletingLastPathComponent()
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    try Data(text.utf8).write(to: URL(fileURLWithPath: path))
    let error = try #require(throws: IssuingError.self) { try PrinterCalibrations(path: path) }
    #expect(error.code == .malformedCalibration)
    #expect(error.message.contains(words), "\(error.message)")
  }

  @Test("a place where no file can be made is an error, and nothing changes")
  func unwritable() throws {
    var calibrations = try PrinterCalibrations(path: "/proc/cliptag/printers.json")
    let error = try #require(throws: IssuingError.self) {
      try calibrations.keep(.none, for: "office")
    }
    #expect(error.code == .cannotCreate && calibrations.printers.isEmpty)
  }

  @Test("the file is in the user's configuration")
  func path() {
    #expect(
      PrinterCalibrations.standardPath(in: ["XDG_CONFIG_HOME": "/c"]) == "/c/cliptag/printers.json")
    #expect(
      PrinterCalibrations.standardPath(in: ["XDG_CONFIG_HOME": "", "HOME": "/h"])
        == "/h/.config/cliptag/printers.json")
  }
}
