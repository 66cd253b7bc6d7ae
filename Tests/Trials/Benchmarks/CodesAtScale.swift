import CliptagPlatform
import Foundation
import Registry

/// Two hundred thousand codes, or as many as `CLIPTAG_BENCH_CODES` says, in a file and on a server: taken in from a
/// log, listed, asked for what is due, verified; also over a line of 20 ms there and back, unless
/// `CLIPTAG_BENCH_LINE` is `no`.
///
/// The server is a throwaway one; see `Tests/Scripts/with-postgresql.sh`.
struct CodesAtScale {
  let cliptag: String
  let folder: String

  private let environment = ProcessInfo.processInfo.environment
  private var count: Int { environment["CLIPTAG_BENCH_CODES"].flatMap { Int($0) } ?? 200_000 }

  func print() throws {
    Swift.print("\n\(count) codes, each with its print and one reading")
    let log = folder + "/codes.jsonl"
    try makeLog(log)
    var registries = [("SQLite", folder + "/scale.sqlite")]
    var line: (address: String, process: pid_t)?
    defer { if let line { kill(line.process, SIGKILL) } }
    if let socket = environment["CLIPTAG_TEST_POSTGRESQL"] {
      registries.append(("PostgreSQL", try database("scale", at: socket)))
      if environment["CLIPTAG_BENCH_LINE"] != "no" {
        let made = try slowLine(to: try database("far", at: socket))
        line = made
        registries.append(("PostgreSQL, 20 ms", made.address))
      }
    } else {
      Swift.print("  PostgreSQL: not measured, its server is missing (make test-deps)")
    }
    for (name, registry) in registries {
      let place = ["--registry", registry]
      try measure(name, "import", ["registry", "import", "Samples/fruta/registry.yaml"] + place)
      try measure(name, "merge", ["code", "merge", "--accept-unsigned", log] + place)
      try measure(name, "list", ["code", "list"] + place)
      try measure(name, "due", ["code", "due", "--days", "1"] + place, status: 1)
      try measure(name, "verify", ["code", "verify"] + place)
      try measure(name, "export, table", ["code", "export", "-o", folder + "/all.csv"] + place)
      try measure(
        name, "note of one code", ["code", "note", try first(registry), "--kind", "read"] + place)
    }
  }

  /// The record of another registry, as a file.
  private func makeLog(_ log: String) throws {
    let path = folder + "/office.sqlite"
    let registry = try RegistryLocation.file(path).open()
    let noon = Date(timeIntervalSince1970: 1_760_000_000)
    for start in stride(from: 0, to: count, by: 10_000) {
      let codes = (start..<min(start + 10_000, count)).map { number in
        let time = noon.addingTimeInterval(Double(number))
        return IssuedCode(
          id: CodeID(at: time), payload: "https://fruta.example.com/order/cupertino?n=\(number)",
          carrier: .qr, placeID: nil, created: time, registered: true, output: "\(number).svg",
          symbol: .init(version: 3, errorCorrection: "M", moduleSize: 0.85, width: 31.5))
      }
      try registry.write { registry in
        try registry.issue(codes, by: "office")
        for code in codes {
          try registry.record(.read, of: code.id, at: code.created, by: "office")
        }
      }
    }
    let run = try ProcessRun([cliptag, "code", "export", "-o", log, "--registry", path])
    guard run.status == 0 else { throw BenchmarkError("the log was not written") }
  }

  private func first(_ registry: String) throws -> String {
    let location: RegistryLocation =
      registry.contains("://") ? .server(registry) : .file(registry)
    return try location.open(for: .review).read { registry in
      try registry.codes(CodeFilter(payload: "https://fruta.example.com/order/cupertino?n=0"))
    }.first?.id.description ?? ""
  }

  private func measure(
    _ registry: String, _ name: String, _ arguments: [String], status: Int32 = 0
  ) throws {
    let before = serverProcessor()
    let run = try ProcessRun([cliptag] + arguments)
    guard run.status == status else {
      throw BenchmarkError("\(arguments.joined(separator: " ")) ended with \(run.status)")
    }
    func padded(_ text: String, _ length: Int) -> String {
      text.padding(toLength: length, withPad: " ", startingAt: 0)
    }
    Swift.print(
      "  " + padded(registry, 20) + padded(name, 18)
        + String(
          format: "%.1f s, processor time %.1f s and the server's %.1f s, peak %.0f MiB", run.wall,
          run.processor, serverProcessor() - before, run.peak))
    fflush(nil)
  }

  // MARK: The server

  /// The processor time of the server and of all that it started, in seconds; 0 without one.
  private func serverProcessor() -> Double {
    guard let data = environment["CLIPTAG_TEST_POSTGRESQL_DATA"],
      let file = try? String(contentsOfFile: data + "/postmaster.pid", encoding: .utf8),
      let server = file.split(separator: "\n").first.flatMap({ Int($0) })
    else { return 0 }
    let processes = (try? FileManager.default.contentsOfDirectory(atPath: "/proc")) ?? []
    var ticks = 0
    for process in processes.compactMap({ Int($0) }) {
      guard let stat = try? String(contentsOfFile: "/proc/\(process)/stat", encoding: .utf8),
        let name = stat.lastIndex(of: ")")
      else { continue }
      // Behind the name field 3 begins; 4 is the parent, 14 and 15 are times, 16 and 17 those of children
      // that have ended.
      let fields = stat[name...].dropFirst().split(separator: " ")
      guard fields.count > 14, process == server || Int(fields[1]) == server else { continue }
      let times = process == server ? fields[11...14] : fields[11...12]
      ticks += times.reduce(0) { $0 + (Int($1) ?? 0) }
    }
    return Double(ticks) / Double(sysconf(Int32(_SC_CLK_TCK)))
  }

  /// A new registry in a database of its own.
  private func database(_ name: String, at server: String) throws -> String {
    guard try ProcessRun(["psql", server, "-qc", "CREATE DATABASE \(name)"]).status == 0 else {
      throw BenchmarkError("the database \(name) was not made")
    }
    let address = server.replacing("/postgres?", with: "/\(name)?")
    _ = try RegistryLocation.server(address).makeOnServer()
    return address
  }

  /// A line of 20 ms, there and back.
  private func slowLine(to server: String) throws -> (address: String, process: pid_t) {
    let host = server.split(separator: "?").last?.split(separator: "&")
      .first { $0.hasPrefix("host=") }?.dropFirst("host=".count)
    guard let host else { throw BenchmarkError("the server's address names no socket") }
    let place = folder + "/far"
    try FileManager.default.createDirectory(atPath: place, withIntermediateDirectories: true)
    let process = try ProcessRun.spawn(
      ["Tests/Scripts/postgresql-line.py", place, String(host), "--delay", "10"],
      input: "/dev/null", output: place + "/said")
    while FileManager.default.contents(atPath: place + "/said")?.isEmpty ?? true { usleep(10_000) }
    return (server.replacing(host, with: place), process)
  }
}
