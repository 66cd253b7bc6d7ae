import CodeScanning
import Foundation
import Pictures

// usage: ScanTrials [--list] [--stages] [--each] [--rotations] [--first] FOLDER…
//
// Scans every picture of folders whose codes are known, one after another on one thread, and prints
// a line for each folder: codes read to the letter, wrong readings, and processor times. --list names what was
// missed, --stages which stage read how many, --each what every picture cost, --rotations turns every
// picture to all four sides.

let arguments = CommandLine.arguments.dropFirst()
let lists = arguments.contains("--list")
let showsStages = arguments.contains("--stages")
let showsEach = arguments.contains("--each")
let turns: [PictureOrientation] =
  arguments.contains("--rotations")
  ? [.upright, .turnedLeft, .upsideDown, .turnedRight] : [.upright]
let scanner = CodeScanner(effort: arguments.contains("--first") ? .firstCode : .everyCode)
let clock = ProcessorClock()
var reports: [TrialReport] = []

for path in arguments where !path.hasPrefix("--") {
  guard let folder = try? TruthFolder(path) else {
    print("\(path): no folder of pictures, or its truth.json is not as expected")
    continue
  }
  for (quarters, turn) in turns.enumerated() {
    var report = TrialReport(
      name: quarters == 0 ? folder.name : "\(folder.name) \(quarters * 90)°")
    for entry in folder.entries {
      var read: [DecodedCode] = []
      var loading = Duration.zero
      var scanning = Duration.zero
      do {
        var picture: LoadedPicture?
        loading = try await clock.measuring {
          picture = try await PictureLoader().open(path: entry.path).page(1)
        }
        guard let picture else { continue }
        if turn == .upright {
          scanning = try await clock.measuring { read = try await scanner.scan(picture) }
        } else {
          let turned = try await (picture.closerLook() ?? picture.firstLook).upright(from: turn)
          scanning = try await clock.measuring { read = try scanner.scan(turned) }
        }
      } catch {
        print("\(entry.path): \(error)")
      }
      report.add(entry, read: read, loading: loading, scanning: scanning)
      if showsEach {
        let stages = read.map(\.stage).joined(separator: ", ")
        let times = String(format: "%8.2f + %8.2f ms", loading.milliseconds, scanning.milliseconds)
        print("    \(times)  \(read.count)/\(entry.codes.count)  \(entry.path)  \(stages)")
      }
    }
    reports.append(report)
    print(report.line)
    if showsStages {
      for (stage, count) in report.stages.sorted(by: { $0.value > $1.value }) {
        print("    \(stage): \(count)")
      }
    }
    if lists { for miss in report.missed { print("    \(miss)") } }
  }
}
let (exact, codes) = (reports.reduce(0) { $0 + $1.exact }, reports.reduce(0) { $0 + $1.codes })
let mean = reports.reduce(0) { $0 + $1.rate } / Double(max(1, reports.count))
print(
  "all: \(exact) of \(codes) codes, mean of the folders \(Int((mean * 1000).rounded())) ‰, "
    + "wrong \(reports.reduce(0) { $0 + $1.wrong })")

/// What this process has used of the processor: what else the machine does is not counted.
struct ProcessorClock {
  func measuring(_ work: () async throws -> Void) async rethrows -> Duration {
    let start = now()
    try await work()
    return .nanoseconds(now() - start)
  }

  private func now() -> Int64 {
    var time = timespec()
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time)
    return Int64(time.tv_sec) * 1_000_000_000 + Int64(time.tv_nsec)
  }
}
