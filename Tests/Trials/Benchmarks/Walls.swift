import CliptagPlatform
import Foundation

/// Photographs of a wall with thirty codes in different sizes, angles and light, read by cliptag
/// and by zbar with its defaults; `Tests/Scripts/make-wall.py` makes them.
struct Walls {
  let cliptag: String
  let folder: String

  private static let seeds = 1...10
  private static let codeCount = 30

  func print() throws {
    guard let python = try PictureSets(cliptag: cliptag, folder: folder).python() else {
      Swift.print("\nWalls: not measured, Python with OpenCV is missing")
      return
    }
    let hasZbar = isInstalled("zbarimg")
    Swift.print("\n\(Self.seeds.count) walls with \(Self.codeCount) codes each, 12 megapixels")
    let codes = try (1...Self.codeCount).map { number in
      let path = "\(folder)/table-\(number).png"
      guard try ProcessRun([cliptag, "qr", url(number), "-o", path]).status == 0 else {
        throw BenchmarkError("\(path) was not made")
      }
      return path
    }
    var (ours, theirs, wrong) = (0, 0, 0)
    for seed in Self.seeds {
      let wall = "\(folder)/wall-\(seed).jpg"
      guard
        try ProcessRun([python, "Tests/Scripts/make-wall.py", "\(seed)", wall] + codes).status == 0
      else { throw BenchmarkError("\(wall) was not made") }
      let known = Set((1...Self.codeCount).map(url))
      let found = try texts([cliptag, "scan", "--no-location", "--json", wall]) { line in
        let object = try? JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any]
        return object?["payload"] as? String
      }
      ours += found.intersection(known).count
      wrong += found.subtracting(known).count
      guard hasZbar else { continue }
      theirs += try texts(["zbarimg", "-q", "--raw", "--nodbus", wall]) { $0 }
        .intersection(known).count
    }
    let all = Self.seeds.count * Self.codeCount
    Swift.print("  cliptag \(ours) of \(all), \(wrong) wrong" + (hasZbar ? "; zbar \(theirs)" : ""))
    let wall = "\(folder)/wall-1.jpg"
    try Comparison(
      title: "One wall",
      commands: [("cliptag scan", [cliptag, "scan", "--no-location", wall], "/dev/null")]
        + (hasZbar ? [("zbarimg", ["zbarimg", "-q", "--nodbus", wall], "/dev/null")] : []),
      rounds: 7
    ).print()
  }

  private func url(_ number: Int) -> String {
    "https://fruta.example.com/order/cupertino/table/\(number)"
  }

  private func texts(_ command: [String], _ text: (String) -> String?) throws -> Set<String> {
    let output = folder + "/read.txt"
    let child = try ProcessRun.spawn(command, input: "/dev/null", output: output)
    var status: Int32 = 0
    guard waitpid(child, &status, 0) == child else { throw BenchmarkError("waitpid failed") }
    return Set(
      try String(contentsOfFile: output, encoding: .utf8).split(separator: "\n")
        .compactMap { text(String($0)) })
  }
}
