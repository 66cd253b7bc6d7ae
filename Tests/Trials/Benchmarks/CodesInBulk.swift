import CliptagPlatform
import CodeDrawing
import Foundation
import QRSymbol

/// Ten thousand codes drawn with the library, with one `qrencode` process per code, and with segno,
/// which is Python.
///
/// All draw the same URLs at level Q with 8 pixels per module and a quiet zone of four modules, as
/// PNG with one bit per pixel, and make the bytes of a file without writing it to a disk. The
/// measure is the processor time per code.
struct CodesInBulk {
  let folder: String

  private static let count = 10_000
  private static let rounds = 3
  private static let size = CodeSize.Request(moduleSize: 1, dotsPerInch: 203.2)

  /// One implementation that draws the URLs of a round and returns the processor seconds for all of
  /// them.
  private struct Contender {
    let name: String
    /// The number of codes in a round. A slow contender draws different URLs in each round.
    let codesInRound: Int
    let draw: ([String]) async throws -> Double
    var best = Double.infinity
  }

  func print() async throws {
    let urls = Self.urls(Self.count)
    Swift.print("\n\(urls.count) codes of \(urls[0].utf8.count) characters, level Q")
    let python = Self.pythonWithSegno()
    for format in [DrawingFormat.png, .svg] {
      try await compare(contenders(format, python), urls, "as \(format.fileEnding)")
    }
    try stages(Array(urls.prefix(2_000)))
    try await cores(urls)
  }

  /// Runs the contenders in turn and prints the best round of each.
  private func compare(
    _ contenders: [Contender], _ urls: [String], _ title: String
  ) async throws {
    var contenders = contenders
    for round in 0..<Self.rounds {
      for index in contenders.indices {
        let count = contenders[index].codesInRound
        let first = round * count % urls.count
        let seconds = try await contenders[index].draw(Array(urls[first..<first + count]))
        contenders[index].best = min(contenders[index].best, seconds / Double(count))
      }
    }
    Swift.print("  \(title), best of \(Self.rounds) rounds in turn; load average \(Self.load)")
    for contender in contenders {
      Swift.print(
        "    " + contender.name.padding(toLength: 44, withPad: " ", startingAt: 0)
          + String(
            format: "%8.0f a processor second; 1 : %.1f",
            1 / contender.best, contender.best / contenders[0].best))
    }
  }

  private func contenders(_ format: DrawingFormat, _ python: String?) -> [Contender] {
    let ending = format.fileEnding
    let type = format == .png ? ["-t", "PNG"] : ["-t", "SVG", "--svg-path"]
    let options = type + ["-s", "8", "-m", "4", "-l", "Q", "-o", "-"]
    var contenders = [
      Contender(name: "cliptag's library", codesInRound: Self.count) { urls in
        try processorSeconds { for url in urls { _ = try Self.draw(url, format) } }
      },
      Contender(name: "the same, written as files", codesInRound: Self.count) { urls in
        try processorSeconds {
          for (number, url) in urls.enumerated() {
            try write(Self.draw(url, format), "\(folder)/\(number).\(ending)")
          }
        }
      },
    ]
    if isInstalled("qrencode") {
      contenders.append(
        Contender(name: "qrencode, one run a code", codesInRound: 300) { urls in
          try urls.reduce(0) { sum, url in
            let run = try ProcessRun(["qrencode"] + options + [url])
            guard run.status == 0 else { throw BenchmarkError("qrencode ended with \(run.status)") }
            return sum + run.processor
          }
        })
    }
    if let python {
      contenders.append(
        Contender(name: "segno, without the start of Python", codesInRound: 100) { urls in
          try segno(urls, ending, python)
        })
    }
    return contenders
  }

  private static func draw(_ url: String, _ format: DrawingFormat) throws -> [UInt8] {
    try CodeDrawing(symbol(url), size: size).data(as: format)
  }

  private func write(_ bytes: [UInt8], _ path: String) throws {
    let file = open(path, O_WRONLY | O_CREAT | O_TRUNC, 0o600)
    defer { close(file) }
    guard CliptagPlatform.write(file, bytes, bytes.count) == bytes.count else {
      throw BenchmarkError("\(path) cannot be written")
    }
  }

  private static func symbol(_ url: String) throws(QRSymbolError) -> QRSymbol {
    try QRSymbol(url, minimumErrorCorrection: .quartile, raiseErrorCorrection: false)
  }

  private func segno(_ urls: [String], _ ending: String, _ python: String) throws -> Double {
    let (input, output) = (folder + "/urls.txt", folder + "/seconds.txt")
    try urls.joined(separator: "\n").write(toFile: input, atomically: false, encoding: .utf8)
    let child = try ProcessRun.spawn(
      [python, "Tests/Scripts/segno-in-bulk.py", ending], input: input, output: output)
    var status: Int32 = 0
    guard waitpid(child, &status, 0) == child, status == 0,
      let seconds = Double(
        try String(contentsOfFile: output, encoding: .utf8)
          .trimmingCharacters(in: .whitespacesAndNewlines))
    else { throw BenchmarkError("segno-in-bulk.py ended with \(status >> 8 & 0xFF)") }
    return seconds
  }

  /// Prints the share of each step in the processor time of a code.
  private func stages(_ urls: [String]) throws {
    let symbols = try urls.map(Self.symbol)
    let drawings = try symbols.map { try CodeDrawing($0, size: Self.size) }
    var best = [Double](repeating: .infinity, count: 4)
    for _ in 0..<Self.rounds {
      let seconds = try [
        processorSeconds {
          for url in urls {
            _ = try SymbolPlan(bytes: Array(url.utf8), minimumErrorCorrection: .quartile)
          }
        },
        processorSeconds { for url in urls { _ = try Self.symbol(url) } },
        processorSeconds { for drawing in drawings { _ = try drawing.data(as: .png) } },
        processorSeconds { for drawing in drawings { _ = try drawing.data(as: .svg) } },
      ]
      best = zip(best, seconds).map { min($0, $1 / Double(urls.count) * 1e6) }
    }
    Swift.print(
      String(
        format: "  of a code: segments and version %.1f µs, libqrencode %.0f µs, "
          + "PNG %.0f µs, SVG %.0f µs (%.0f and %.0f bytes)",
        best[0], best[1] - best[0], best[2], best[3],
        try mean(drawings) { try $0.data(as: .png).count },
        try mean(drawings) { try $0.data(as: .svg).count }))
  }

  private func mean(
    _ drawings: [CodeDrawing], _ count: (CodeDrawing) throws -> Int
  ) rethrows -> Double {
    Double(try drawings.reduce(0) { try $0 + count($1) }) / Double(drawings.count)
  }

  /// Prints the gain from a second task.
  private func cores(_ urls: [String]) async throws {
    var best = [Double.infinity, Double.infinity]
    for _ in 0..<Self.rounds {
      for tasks in 1...2 {
        let start = ContinuousClock.now
        try await withThrowingTaskGroup { group in
          for task in 0..<tasks {
            group.addTask {
              for number in stride(from: task, to: urls.count, by: tasks) {
                _ = try Self.draw(urls[number], .png)
              }
            }
          }
          try await group.waitForAll()
        }
        best[tasks - 1] = min(best[tasks - 1], (ContinuousClock.now - start).inSeconds)
      }
    }
    Swift.print(
      String(
        format: "  as png by the clock: 1 task %.2f s, 2 tasks %.2f s, %.2f times as fast; "
          + "load average %@",
        best[0], best[1], best[0] / best[1], Self.load))
  }

  /// Different URLs that are encoded in byte mode, which gives version 4.
  private static func urls(_ count: Int) -> [String] {
    let letters = 7
    let names = 8_031_810_176  // 26⁷
    return (0..<count).map { number in
      var rest = number * 2_654_435_761 % names
      var name: [UInt8] = []
      for _ in 0..<letters {
        name.append(UInt8(ascii: "a") + UInt8(rest % 26))
        rest /= 26
      }
      return "https://fruta.example.com/order/table/" + String(decoding: name, as: UTF8.self)
    }
  }

  /// The load average of the last minute.
  private static var load: String {
    var averages = [0.0]
    getloadavg(&averages, 1)
    return String(format: "%.1f", averages[0])
  }

  /// A Python that has segno. Returns `nil` and prints what to install if there is none.
  private static func pythonWithSegno() -> String? {
    let named = ProcessInfo.processInfo.environment["PYTHON"]
    let pythons = [named, "python3", "/usr/bin/python3"].compactMap { $0 }
    let found = pythons.first { python in
      (try? ProcessRun([python, "-c", "import segno"]).status) == 0
    }
    if found == nil {
      Swift.print(
        "  segno is missing: python3 -m venv .build/segno && .build/segno/bin/pip install segno, "
          + "then PYTHON=.build/segno/bin/python make bench PARTS=print")
    }
    return found
  }
}

/// The processor seconds, user and system, that this process spends on `work`.
func processorSeconds(_ work: () throws -> Void) rethrows -> Double {
  func now() -> Double {
    var time = timespec()
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time)
    return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
  }
  let start = now()
  try work()
  return now() - start
}
