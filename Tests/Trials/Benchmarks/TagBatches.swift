import CliptagPlatform
import Foundation

/// The cost of a batch: tags per minute when each tag is swapped at once, and the start of a run
/// with ten thousand rows.
struct TagBatches {
  let cliptag: String
  let folder: String

  func print() throws {
    Swift.print("\nBatches of NTAG215 on the simulated reader, each tag swapped at once")
    for timing in ["wire", "none"] {
      for lock in [[], ["--lock"]] {
        try measureRate(tags: 30, timing: timing, lock)
      }
    }
    Swift.print("\nA batch of 10,000 rows")
    try measureStart(rows: 10_000)
  }

  private func measureRate(tags: Int, timing: String, _ options: [String]) throws {
    let file = try batch(rows: tags)
    let run = try onDeck(of: tags, timing: timing) {
      try ProcessRun(
        [cliptag, "tag", "batch", file.csv, "--timeout", "10"] + file.registry + options)
    }
    try check(run)
    Swift.print(
      String(
        format: "  %@: %d tags in %.2f s, %.0f a minute",
        (["timing", timing] + options).joined(separator: " "), tags, run.wall,
        Double(tags) / run.wall * 60))
  }

  private func measureStart(rows: Int) throws {
    let file = try batch(rows: rows)
    let command = [cliptag, "tag", "batch", file.csv] + file.registry
    report("checked only (--dry-run)", try ProcessRun(command + ["--dry-run"]))
    report("begun (--limit 0)", try ProcessRun(command + ["--limit", "0"]))
    report("gone on with (--limit 0)", try ProcessRun(command + ["--limit", "0"]))
    let other = try batch(rows: rows)
    let first = [cliptag, "tag", "batch", other.csv, "--limit", "1"] + other.registry
    try onDeck(of: 2, timing: "none") {
      report("begun, until the first tag is done", try ProcessRun(first))
      report("gone on with, until the next tag is done", try ProcessRun(first))
    }
  }

  private func report(_ name: String, _ run: ProcessRun) {
    Swift.print(
      "  " + name.padding(toLength: 42, withPad: " ", startingAt: 0)
        + String(
          format: "%.2f s, processor %.2f s, peak %.0f MiB, status %d", run.wall, run.processor,
          run.peak, run.status))
  }

  /// The file of a batch and the option that names its separate registry.
  private func batch(rows: Int) throws -> (csv: String, registry: [String]) {
    let name = "\(folder)/batch-\(UInt32.random(in: .min ... .max))"
    let lines = (1...rows).map {
      "https://fruta.example.com/order/cupertino/table/\($0),Table \($0)\n"
    }
    try ("url,label\n" + lines.joined())
      .write(toFile: name + ".csv", atomically: false, encoding: .utf8)
    let registry = ["--registry", name + ".sqlite"]
    try check(
      try ProcessRun([cliptag, "registry", "import", "Samples/fruta/registry.yaml"] + registry))
    return (name + ".csv", registry)
  }

  /// Runs `body` while a simulated reader serves a deck.
  private func onDeck<Value>(
    of count: Int, timing: String, _ body: () throws -> Value
  ) throws -> Value {
    let output = "\(folder)/deck-\(UInt32.random(in: .min ... .max)).txt"
    return try withSimulatedReader(
      cliptag, ["--deck", "\(count)", "--timing", timing], output: output, body)
  }

  private func check(_ run: ProcessRun) throws {
    guard run.status == 0 else { throw BenchmarkError("a batch ended with status \(run.status)") }
  }
}
