import CliptagPlatform
import Foundation
import Invocation
import Registry

/// One registry for many stations, in PostgreSQL: the throughput of several at once, also when they
/// are killed halfway, and the cost of commands compared with a file, over a socket, TLS and a slow
/// line.
///
/// The server is temporary and writes like a production server; see
/// `Tests/Scripts/with-postgresql.sh`.
struct SharedRegistry {
  let cliptag: String
  let folder: String

  /// The time during which several stations work at once, in seconds.
  private static let period = 60.0
  private static let payloads = 20_000
  private static let tags = 1_000
  private static let million = 1_000_000

  func print() throws {
    let environment = ProcessInfo.processInfo.environment
    guard let socket = environment["CLIPTAG_TEST_POSTGRESQL"],
      let secure = environment["CLIPTAG_TEST_POSTGRESQL_TLS"]
    else {
      Swift.print(
        "\nShared registries: not measured, PostgreSQL's server is missing (make test-deps)")
      return
    }
    Swift.print("\nStations at once, each transaction one look, at most one code and its history")
    for count in [2, 5, 10] {
      for kills in [false, true] { try stations(count, kills, at: socket) }
    }
    try commands(socket, secure)
    try manyExperiences(socket)
  }

  // MARK: Stations

  private func stations(_ count: Int, _ kills: Bool, at server: String) throws {
    let name = "stations\(count)\(kills ? "killed" : "")"
    let address = try database(name, at: server)
    let deadline = Date().addingTimeInterval(Self.period)
    func start(_ station: Int, _ run: Int) throws -> pid_t {
      try ProcessRun.spawn(
        [
          CommandLine.arguments[0], Self.stationName, address, "station \(station)",
          "\(deadline.timeIntervalSince1970)",
        ], input: "/dev/null", output: "\(folder)/\(name)-\(station)-\(run).txt",
        errors: "\(folder)/\(name)-\(station)-\(run).errors")
    }
    var children = try (0..<count).map { try start($0, 0) }
    var runs = Array(repeating: 0, count: count)
    var killed = 0
    while kills, deadline.timeIntervalSinceNow > 2 {
      usleep(UInt32.random(in: 50_000...500_000))
      let station = Int.random(in: 0..<count)
      kill(children[station], SIGKILL)
      _ = try Self.wait(children[station])
      killed += 1
      runs[station] += 1
      children[station] = try start(station, runs[station])
    }
    for (station, child) in children.enumerated() where try Self.wait(child) != 0 {
      let said = try String(
        contentsOfFile: "\(folder)/\(name)-\(station)-\(runs[station]).errors", encoding: .utf8)
      throw BenchmarkError("station \(station) of \(count) failed: \(said)")
    }
    var (times, acknowledged): ([Double], [String]) = ([], [])
    for station in 0..<count {
      for run in 0...runs[station] {
        let text = try String(
          contentsOfFile: "\(folder)/\(name)-\(station)-\(run).txt", encoding: .utf8)
        // A truncated line acknowledges nothing.
        for line in text.split(separator: "\n", omittingEmptySubsequences: false).dropLast() {
          let words = line.split(separator: " ")
          if let time = words.first.flatMap({ Double($0) }) { times.append(time) }
          if words.count > 1 { acknowledged.append(String(words[1])) }
        }
      }
    }
    try report(
      count, killed, times, acknowledged, try RegistryLocation.server(address).open(for: .review))
  }

  private func report(
    _ count: Int, _ killed: Int, _ times: [Double], _ acknowledged: [String],
    _ registry: any RegistryStore
  ) throws {
    let codes = try registry.codes()
    let twice = codes.count - Set(codes.map(\.payload)).count
    let lost = Set(acknowledged).subtracting(codes.map(\.id.description)).count
    var wrong = 0
    let chains = try registry.verifyRecord { _ in wrong += 1 }
    let sorted = times.sorted()
    Swift.print(
      String(
        format:
          "  %2d stations%@: %.0f a second, median %.1f ms, p99 %.1f ms; %d codes, issued twice %d, "
          + "acknowledged and lost %d; %d chains, gaps and other findings %d",
        count, killed > 0 ? ", \(killed) killed" : "", Double(times.count) / Self.period,
        sorted[sorted.count / 2] * 1000, sorted[sorted.count * 99 / 100] * 1000, codes.count, twice,
        lost, chains.count, wrong))
  }

  private static let stationName = "--station"

  /// Does the work of one station in this process. Returns `false` if this process is not a
  /// station.
  static func work(_ arguments: [String]) throws -> Bool {
    guard arguments.count == 5, arguments[1] == stationName, let end = Double(arguments[4]) else {
      return false
    }
    let registry = try RegistryLocation.server(arguments[2], station: arguments[3]).open()
    let who = registry.who
    while Date().timeIntervalSince1970 < end {
      let payload = "https://fruta.example.com/order/\(Int.random(in: 0..<payloads))"
      let start = ContinuousClock.now
      let id: CodeID? = try registry.write { registry in
        if let known = try registry.codes(CodeFilter(payload: payload)).first {
          try registry.record(.verified, of: known.id, at: Date(), by: who)
          return nil
        }
        let code = IssuedCode(
          id: CodeID(at: Date()), payload: payload, carrier: .qr, placeID: nil, created: Date(),
          registered: true, output: "a.svg",
          symbol: .init(version: 3, errorCorrection: "M", moduleSize: 0.85, width: 31.5))
        try registry.issue(code, by: who)
        return code.id
      }
      let line = "\((.now - start).inSeconds) \(id?.description ?? "")\n"
      // A single write, so that a line is there as a whole or not at all.
      guard line.withCString({ write(STDOUT_FILENO, $0, strlen($0)) }) == line.utf8.count else {
        throw BenchmarkError("a line was not written")
      }
    }
    return true
  }

  // MARK: Commands

  private func commands(_ socket: String, _ secure: String) throws {
    let line = try slowLine(to: socket)
    defer { kill(line.process, SIGKILL) }
    let address = try database("commands", at: socket)
    func named(_ server: String) -> String { server.replacing("/postgres?", with: "/commands?") }
    let registries = [
      ("SQLite", folder + "/commands.sqlite"), ("PostgreSQL, socket", address),
      ("PostgreSQL, TLS", named(secure)), ("PostgreSQL, 20 ms", named(line.address)),
    ]
    let fruta = "Samples/fruta/registry.yaml"
    for (_, registry) in registries.prefix(2) {
      try succeed(["registry", "import", fruta, "--registry", registry])
    }
    let url = "https://fruta.example.com/order/cupertino"
    let wall = try wall(registries.prefix(2).map(\.1))
    let work: [(String, ([String]) -> [String])] = [
      ("check", { ["check", url] + $0 }),
      ("poster", { ["poster", url, "-o", folder + "/poster.pdf"] + $0 }),
      (
        "a wall of 30 codes (audit)",
        { ["audit", wall, "--place", "cupertino", "--name", UUID().uuidString] + $0 }
      ),
    ]
    for (title, command) in work {
      try Comparison(
        title: title,
        commands: registries.map { name, registry in
          (name, [cliptag] + command(["--registry", registry]), "/dev/null")
        }, rounds: 7
      ).print()
    }
    Swift.print(
      "\n\(Self.tags) tags in a batch, each swapped at once, without the time on the wire")
    for (name, registry) in registries { try batch(name, registry) }
  }

  /// Makes a picture of thirty codes that all the registries have issued.
  private func wall(_ registries: [String]) throws -> String {
    let rows = (1...30).map { "https://fruta.example.com/order/cupertino/table/\($0)\n" }
    try ("url\n" + rows.joined()).write(
      toFile: folder + "/wall.csv", atomically: false, encoding: .utf8)
    for registry in registries {
      try succeed([
        "sheet", folder + "/wall.csv", "-o", folder + "/wall.pdf", "--template",
        "36x44,5x6,10,12,38,46,A4", "--registry", registry,
      ])
    }
    guard
      try ProcessRun([
        "pdftoppm", "-r", "200", "-png", "-singlefile", folder + "/wall.pdf", folder + "/wall",
      ]).status == 0
    else { throw BenchmarkError("pdftoppm failed") }
    return folder + "/wall.png"
  }

  private func batch(_ name: String, _ registry: String) throws {
    let file = "\(folder)/tags-\(UInt32.random(in: .min ... .max)).csv"
    let rows = (1...Self.tags).map { "https://fruta.example.com/order/cupertino/table/\($0)\n" }
    try ("url\n" + rows.joined()).write(toFile: file, atomically: false, encoding: .utf8)
    let run = try withSimulatedReader(
      cliptag, ["--deck", "\(Self.tags)", "--timing", "none"], output: file + ".txt"
    ) {
      try ProcessRun([cliptag, "tag", "batch", file, "--timeout", "10", "--registry", registry])
    }
    guard run.status == 0 else { throw BenchmarkError("a batch ended with \(run.status)") }
    Swift.print(
      "  " + name.padding(toLength: 20, withPad: " ", startingAt: 0)
        + String(
          format: "%.1f s, %.1f ms a tag", run.wall, run.wall * 1000 / Double(Self.tags)))
  }

  /// Starts a proxy with a round trip of 20 ms.
  private func slowLine(to server: String) throws -> (address: String, process: pid_t) {
    let host = try host(of: server)
    let place = folder + "/line"
    try FileManager.default.createDirectory(atPath: place, withIntermediateDirectories: true)
    let process = try ProcessRun.spawn(
      ["Tests/Scripts/postgresql-line.py", place, host, "--delay", "10"], input: "/dev/null",
      output: place + "/said")
    while FileManager.default.contents(atPath: place + "/said")?.isEmpty ?? true { usleep(10_000) }
    return (server.replacing(host, with: place), process)
  }

  // MARK: Many experiences

  private func manyExperiences(_ server: String) throws {
    Swift.print("\n\(Self.million) experiences")
    let large = LargeRegistry(experiences: Self.million)
    let address = try database("many", at: server)
    for (name, registry) in [("SQLite", folder + "/many.sqlite"), ("PostgreSQL, socket", address)] {
      var wall = 0.0
      for json in large.files {
        try json.write(toFile: folder + "/many.json", atomically: false, encoding: .utf8)
        wall += try succeed(["registry", "import", folder + "/many.json", "--registry", registry])
          .wall
      }
      let one = try succeed(["check", large.url(Self.million / 2), "--registry", registry])
      try large.writeURLs(20_000, to: folder + "/many.txt")
      let many = try ProcessRun(
        [cliptag, "check", "--json", "-", "--registry", registry], input: folder + "/many.txt")
      Swift.print(
        "  " + name.padding(toLength: 20, withPad: " ", startingAt: 0)
          + String(
            format: "import %.0f s, one check %.0f ms (peak %.0f MiB), 20,000 URLs %.1f s", wall,
            one.wall * 1000, one.peak, many.wall))
    }
  }

  // MARK: The server

  /// Makes a registry in a new database.
  private func database(_ name: String, at server: String) throws -> String {
    guard
      try ProcessRun(["psql", server, "-qc", "CREATE DATABASE \(name)"]).status == 0
    else { throw BenchmarkError("the database \(name) was not made") }
    let address = server.replacing("/postgres?", with: "/\(name)?")
    _ = try RegistryLocation.server(address).makeOnServer()
    return address
  }

  private func host(of address: String) throws -> String {
    let parameters = address.split(separator: "?").last?.split(separator: "&") ?? []
    guard let host = parameters.first(where: { $0.hasPrefix("host=") }) else {
      throw BenchmarkError("the server's address names no socket")
    }
    return String(host.dropFirst("host=".count))
  }

  @discardableResult
  private func succeed(_ arguments: [String]) throws -> ProcessRun {
    let run = try ProcessRun([cliptag] + arguments)
    guard run.status == 0 else {
      throw BenchmarkError("\(arguments.joined(separator: " ")): status \(run.status)")
    }
    return run
  }

  private static func wait(_ child: pid_t) throws -> Int32 {
    var status: Int32 = 0
    guard waitpid(child, &status, 0) == child else { throw BenchmarkError("waitpid failed") }
    return status
  }
}
