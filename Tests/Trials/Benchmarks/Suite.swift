import CliptagPlatform
import Foundation

/// Measures the named parts, in the order given here; without names, all of them.
func run(_ cliptag: String, parts: [String]) async throws {
  let folder = NSTemporaryDirectory() + "cliptag-benchmarks-\(getpid())"
  try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
  defer { try? FileManager.default.removeItem(atPath: folder) }
  setenv("CLIPTAG_REGISTRY", folder + "/fruta.sqlite", 1)
  setenv("NO_COLOR", "1", 1)
  guard try ProcessRun([cliptag, "registry", "import", "Samples/fruta/registry.yaml"]).status == 0
  else { throw BenchmarkError("run it from the top of the package") }
  let url = "https://fruta.example.com/order/cupertino"

  let all: [(name: String, measure: () async throws -> Void)] = [
    ("start-up", { try startUp(cliptag) }),
    ("codes", { try codes(cliptag, folder, url) }),
    ("scan", { try scanning(cliptag, folder, url) }),
    ("pictures", { try PictureSets(cliptag: cliptag, folder: folder).print() }),
    ("clipcodes", { try await ClipCodes(cliptag: cliptag, folder: folder).print() }),
    ("walls", { try Walls(cliptag: cliptag, folder: folder).print() }),
    ("tags", { try tags(cliptag, folder, url) }),
    ("tag-costs", { try TagCosts(cliptag: cliptag, folder: folder).print() }),
    ("batch", { try TagBatches(cliptag: cliptag, folder: folder).print() }),
    ("print", { try await CodesInBulk(folder: folder).print() }),
    ("confirmations", { try Confirmations().print() }),
    ("experiences", { try ManyExperiences(cliptag: cliptag, folder: folder).print() }),
    ("record", { try RecordAtScale(cliptag: cliptag, folder: folder).print() }),
    ("scale", { try CodesAtScale(cliptag: cliptag, folder: folder).print() }),
    ("shared", { try SharedRegistry(cliptag: cliptag, folder: folder).print() }),
    ("station", { try station(cliptag) }),
  ]
  if let unknown = parts.first(where: { part in !all.contains { $0.name == part } }) {
    throw BenchmarkError("there is no part “\(unknown)”; there are \(all.map(\.name))")
  }
  for part in all where parts.isEmpty || parts.contains(part.name) {
    try await part.measure()
  }
}

/// Measures the station in a browser, with a script.
private func station(_ cliptag: String) throws {
  print("\nThe station")
  let child = try ProcessRun.spawn(
    ["Tests/Scripts/measure-station.py", cliptag], input: "/dev/null", output: nil)
  var status: Int32 = 0
  guard waitpid(child, &status, 0) == child, status == 0 else {
    throw BenchmarkError("measure-station.py failed")
  }
}

private func startUp(_ cliptag: String) throws {
  try Comparison(
    title: "Start-up",
    commands: [
      ("cliptag --version", [cliptag, "--version"], "/dev/null"),
      ("qrencode --version", ["qrencode", "--version"], "/dev/null"),
      ("/usr/bin/python3 -c pass", ["/usr/bin/python3", "-c", "pass"], "/dev/null"),
    ].filter { isInstalled($0.1[0]) }, rounds: 31
  ).print()
}

private func codes(_ cliptag: String, _ folder: String, _ url: String) throws {
  try Comparison(
    title: "One code: checked, drawn, read back, written, recorded",
    commands: ["svg", "png", "pdf", "eps"].map { format in
      (
        "cliptag qr URL -o a.\(format)", [cliptag, "qr", url, "-o", "\(folder)/a.\(format)"],
        "/dev/null"
      )
    }
      + [
        (
          "qrencode -o a.png (no check, no proof)", ["qrencode", "-o", "\(folder)/q.png", url],
          "/dev/null"
        )
      ].filter { isInstalled($0.1[0]) }
  ).print()
}

/// A Python that has Pillow; Debian's, unless the environment names another.
private let python = ProcessInfo.processInfo.environment["PYTHON"] ?? "/usr/bin/python3"

private func scanning(_ cliptag: String, _ folder: String, _ url: String) throws {
  let photo = folder + "/photo.jpg"
  _ = try ProcessRun([cliptag, "qr", url, "-o", "\(folder)/a.png"])
  let made = try ProcessRun([
    python, "Samples/demo/photograph.py", "single", folder + "/a.png", photo, "--width", "3100",
  ])
  guard made.status == 0 else {
    print("\nscan of a photograph: not measured, Python with Pillow is missing")
    return
  }
  try Comparison(
    title: "Scan of a 12-megapixel JPEG",
    commands: [
      (
        "cliptag scan photo.jpg",
        [cliptag, "scan", "--at", "37.3230,-122.0322", photo], "/dev/null"
      ),
      ("zbarimg -q photo.jpg", ["zbarimg", "-q", "--nodbus", photo], "/dev/null"),
    ].filter { isInstalled($0.1[0]) }, rounds: 7
  ).print()
}

/// Measures tag writing. Each round writes the other of two URLs, so that there is always something
/// to write.
private func tags(_ cliptag: String, _ folder: String, _ url: String) throws {
  try withSimulatedReader(cliptag, [], output: folder + "/reader.txt") {
    try Comparison(
      title: "One tag on the simulated reader",
      commands: [
        ("cliptag tag write (11 pages, verified)", [cliptag, "tag", "write", url], "/dev/null"),
        ("cliptag tag write (already right)", [cliptag, "tag", "write", url], "/dev/null"),
        ("cliptag tag read", [cliptag, "tag", "read", "--no-location"], "/dev/null"),
        ("cliptag tag erase", [cliptag, "tag", "erase"], "/dev/null"),
        ("nfc-list (finds the tag, no more)", ["nfc-list"], "/dev/null"),
      ].filter { isInstalled($0.1[0]) }, rounds: 7
    ).print()
  }
}

/// Runs `body` while a simulated reader with an NTAG215 is running, which every command finds.
///
/// - Parameters:
///   - options: Further options of `cliptag reader simulate`.
///   - output: The file that receives the simulator's output.
func withSimulatedReader<Value>(
  _ cliptag: String, _ options: [String], output: String, _ body: () throws -> Value
) throws -> Value {
  let simulator = try ProcessRun.spawn(
    [cliptag, "reader", "simulate", "--tag", "ntag215"] + options, input: "/dev/null",
    output: output)
  defer {
    kill(simulator, SIGTERM)
    waitpid(simulator, nil, 0)
  }
  var reader = ""
  for _ in 0..<500 where !reader.hasSuffix("\n") {
    usleep(10_000)
    reader = (try? String(contentsOfFile: output, encoding: .utf8)) ?? ""
  }
  setenv("LIBNFC_DEVICE", reader.trimmingCharacters(in: .newlines), 1)
  defer { unsetenv("LIBNFC_DEVICE") }
  return try body()
}

/// A Boolean value that indicates whether a command is in the search path or is named by a path.
func isInstalled(_ command: String) -> Bool {
  command.contains("/")
    || (ProcessInfo.processInfo.environment["PATH"] ?? "").split(separator: ":").contains {
      access("\($0)/\(command)", X_OK) == 0
    }
}
