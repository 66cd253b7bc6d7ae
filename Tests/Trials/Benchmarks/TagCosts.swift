import CliptagPlatform
import Foundation

/// The cost of writing one tag at the reader: exchanges with the chip and their duration on a
/// serial line of 115200 baud and over the air, counted by the simulated reader, for our command
/// and for other clients that do the same job.
struct TagCosts {
  let cliptag: String
  let folder: String

  private static let url = "https://example.com/menu/dinner/item/1234"

  /// One client that does the job, on a tag that others have prepared.
  private struct Job {
    let name: String
    var preparation: [String] = []
    /// The shell script; `$READER` is the connection string, `$PORT` its path.
    let script: String
  }

  func print() throws {
    Swift.print("\nOne NTAG215, \(Self.url) (38 bytes), serial line of 115200 baud simulated")
    Swift.print(
      row("", ["exchanges", "to tag", "writes", "modelled ms", "wall ms", "status"]))
    for job in jobs { try measure(job) }
  }

  private var jobs: [Job] {
    let write = "\(cliptag) tag write --unregistered --quiet --reader $READER"
    let again = "Tests/Scripts/independent-clients.py"
    let python = ProcessInfo.processInfo.environment["PYTHON"] ?? "python3"
    return [
      Job(name: "cliptag, new tag", script: "\(write) \(Self.url)"),
      Job(
        name: "cliptag, already right", preparation: ["\(write) \(Self.url)"],
        script: "\(write) \(Self.url)"),
      Job(
        name: "cliptag, one character changed", preparation: ["\(write) \(Self.url)"],
        script: "\(write) \(Self.url.dropLast())5"),
      Job(
        name: "nfcpy (reads, writes, reads)", script: "\(python) \(again) nfcpy $PORT - \(Self.url)"
      ),
      Job(
        name: "nfc-mfultralight r, w, r",
        script: """
          cd \(folder) && nfc-mfultralight r old \
          && \(python) "$OLDPWD"/\(again) message old \(Self.url) new \
          && { yes n | nfc-mfultralight w new; } ; nfc-mfultralight r back
          """),
      Job(name: "nfc-list -t 1 (finds it, no more)", script: "nfc-list -t 1"),
    ]
  }

  private func measure(_ job: Job) throws {
    let memory = "\(folder)/tag-\(UInt32.random(in: .min ... .max)).bin"
    setenv("CLIPTAG_REGISTRY", memory + ".sqlite", 1)
    for script in job.preparation { _ = try counts(of: script, memory: memory) }
    let (run, counts) = try counts(of: job.script, memory: memory)
    Swift.print(
      row(
        job.name,
        ["exchanges", "tagCommands", "writes", "modelledMilliseconds"].map {
          "\(Int((counts[$0] ?? 0).rounded()))"
        } + ["\(Int((run.wall * 1000).rounded()))", "\(run.status)"]))
  }

  /// Runs a script against a new simulated reader.
  private func counts(
    of script: String, memory: String
  ) throws -> (ProcessRun, [String: Double]) {
    let output = memory + ".txt"
    let simulator = try ProcessRun.spawn(
      [
        cliptag, "reader", "simulate", "--tag", "ntag215", "--memory", memory, "--timing", "wire",
        "--counts", "--json",
      ], input: "/dev/null", output: output)
    var lines: [[String: Any]] = []
    for _ in 0..<500 where lines.isEmpty {
      usleep(10_000)
      lines = try self.lines(of: output)
    }
    let reader = lines.first?["reader"] as? String ?? ""
    setenv("READER", reader, 1)
    setenv("PORT", String(reader.drop { $0 != ":" }.dropFirst()), 1)
    setenv("LIBNFC_DEVICE", reader, 1)
    defer { unsetenv("LIBNFC_DEVICE") }
    let run = try ProcessRun(["bash", "-c", script])
    kill(simulator, SIGINT)
    waitpid(simulator, nil, 0)
    guard let counts = try self.lines(of: output).last, counts["type"] as? String == "counts" else {
      throw BenchmarkError("the simulated reader gave no counts")
    }
    return (run, counts.compactMapValues { ($0 as? NSNumber)?.doubleValue })
  }

  private func lines(of file: String) throws -> [[String: Any]] {
    let text = (try? String(contentsOfFile: file, encoding: .utf8)) ?? ""
    return try text.split(separator: "\n").compactMap {
      try JSONSerialization.jsonObject(with: Data($0.utf8)) as? [String: Any]
    }
  }

  private func row(_ name: String, _ cells: [String]) -> String {
    "  " + name.padding(toLength: 36, withPad: " ", startingAt: 0)
      + cells.map { String(repeating: " ", count: max(1, 13 - $0.count)) + $0 }.joined()
  }
}
