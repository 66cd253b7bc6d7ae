import CliptagPlatform
import Foundation

/// Folders of pictures whose codes are known, read by cliptag, zbar and zxing-cpp, upright and
/// rotated; `Tests/Scripts/score-scanners.py` describes the files beside the pictures.
struct PictureSets {
  let cliptag: String
  /// The folder of intermediate files.
  let folder: String

  func print() throws {
    let variable = ProcessInfo.processInfo.environment["CLIPTAG_PICTURES"] ?? ""
    let folders = variable.split(separator: ":").map(String.init)
    guard !folders.isEmpty else {
      Swift.print("\nPictures: not measured, CLIPTAG_PICTURES names no folders (a:b:c)")
      return
    }
    guard let python = try python() else {
      Swift.print("\nPictures: not measured, Python with pyzbar and zxing-cpp is missing")
      return
    }
    try score(python, "Pictures as they are", folders, [])
    let turns = [90, 180, 270].flatMap { ["--turn", "\($0)"] }
    try score(python, "Pictures turned by 90, 180 and 270 degrees", folders, turns)
  }

  private func score(
    _ python: String, _ title: String, _ folders: [String], _ options: [String]
  ) throws {
    Swift.print("\n\(title)\n")
    fflush(nil)
    let scanners = [cliptag, "zbar", "zxing-cpp"].flatMap { ["--scanner", $0] }
    let child = try ProcessRun.spawn(
      [python, "Tests/Scripts/score-scanners.py"] + scanners + options + folders,
      input: "/dev/null", output: nil)
    var status: Int32 = 0
    guard waitpid(child, &status, 0) == child, status == 0 else {
      throw BenchmarkError("score-scanners.py ended with \(status >> 8 & 0xFF)")
    }
  }

  /// A Python that has the other scanners.
  func python() throws -> String? {
    let answer = folder + "/python.txt"
    let child = try ProcessRun.spawn(
      ["Tests/Scripts/check-scanners.sh"], input: "/dev/null", output: answer)
    var status: Int32 = 0
    guard waitpid(child, &status, 0) == child, status == 0 else { return nil }
    return try String(contentsOfFile: answer, encoding: .utf8)
      .trimmingCharacters(in: .whitespacesAndNewlines)
  }
}
