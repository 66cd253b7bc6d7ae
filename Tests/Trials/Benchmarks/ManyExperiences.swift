import CliptagPlatform
import Foundation
import Invocation

/// Checks of many URLs among ten experiences and among a million, and the cost to import, export
/// and check a registry of a hundred thousand.
struct ManyExperiences {
  let cliptag: String
  let folder: String

  private static let sizes = [10, 10_000, 1_000_000]
  private static let urls = 1_000_000

  func print() throws {
    Swift.print("\nMany experiences")
    let rates = try Self.sizes.map(checks)
    Swift.print(
      String(format: "  URLs a second, 1,000,000 to 10 experiences: %.2f", rates[2] / rates[0]))
    try wholeRegistry()
    try Comparison(
      title: "One check",
      commands: Self.sizes.map { size in
        (
          "one check, \(size) experiences",
          [cliptag, "check", LargeRegistry(experiences: size).url(size / 2)] + registry(size),
          "/dev/null"
        )
      }
    ).print()
    try library()
  }

  private func registry(_ size: Int) -> [String] {
    ["--registry", "\(folder)/large-\(size).sqlite"]
  }

  /// - Returns: The URLs checked per second of processor time, out of a million.
  private func checks(_ size: Int) throws -> Double {
    let large = LargeRegistry(experiences: size)
    for json in large.files {
      try json.write(toFile: folder + "/large.json", atomically: false, encoding: .utf8)
      _ = try succeed([cliptag, "registry", "import", folder + "/large.json"] + registry(size))
    }
    let file = "\(folder)/large.txt"
    let check = [cliptag, "check", "--json", "-"] + registry(size)
    try large.writeURLs(Self.urls, to: file)
    let many = try ProcessRun(check, input: file)
    try large.writeURLs(20_000, to: file)
    let few = try ProcessRun(check, input: file)
    Swift.print(
      String(
        format: "  %7d experiences: of %d URLs %.0f a second of processor time (peak %.0f MiB), "
          + "of 20000 %.0f (%.0f MiB)",
        size, Self.urls, Double(Self.urls) / many.processor, many.peak, 20_000 / few.processor,
        few.peak))
    return Double(Self.urls) / many.processor
  }

  private func wholeRegistry() throws {
    let json = folder + "/large.json"
    for text in LargeRegistry(experiences: 100_000).files {
      try text.write(toFile: json, atomically: false, encoding: .utf8)
    }
    let runs = [
      ("import", [cliptag, "registry", "import", json]),
      ("export", [cliptag, "registry", "export", folder + "/exported.yaml"]),
      ("registry check", [cliptag, "registry", "check", "--json"]),
    ]
    for (name, command) in runs {
      let run = try succeed(command + registry(100_000))
      let padded = (name + " of 100000").padding(toLength: 26, withPad: " ", startingAt: 0)
      Swift.print(
        String(
          format: "  %@ %.2f s of processor time, peak %.0f MiB", padded, run.processor, run.peak))
    }
  }

  /// Runs a command. Findings (statuses below 64) are accepted; a failed command throws.
  private func succeed(_ command: [String]) throws -> ProcessRun {
    let run = try ProcessRun(command)
    guard run.status < 64 else {
      throw BenchmarkError("\(command.joined(separator: " ")) failed (\(run.status))")
    }
    return run
  }

  /// Measures the same through the library, in this process.
  private func library() throws {
    Swift.print("\nThe compiled matcher by itself, a second of processor time")
    for size in Self.sizes {
      let large = LargeRegistry(experiences: size)
      let before = try Self.resident()
      let catalog = try Self.catalog(large)
      let bytes = Double(try Self.resident() - before) / Double(size)
      let urls = try (0..<200_000).map { try InvocationURL(large.url($0 * 7919 % size)) }
      let check = InvocationCheck(directory: catalog)
      var found = 0
      let start = clock()
      for url in urls { found += catalog.experiences(near: url).count }
      let matched = clock()
      for url in urls {
        found += try check.examine(payload: url.payload, carrier: .qr).findings.count
      }
      let checked = clock()
      guard found >= 2 * urls.count else { throw BenchmarkError("not every URL was found") }
      Swift.print(
        String(
          format: "  %7d experiences: %.0f matches or %.0f whole checks", size,
          Self.rate(of: urls.count, matched - start), Self.rate(of: urls.count, checked - matched))
          // With few experiences, the difference in whole pages is meaningless.
          + (size < 100_000 ? "" : String(format: "; %.0f bytes an experience", bytes)))
    }
  }

  private static func catalog(_ large: LargeRegistry) throws -> ExperienceCatalog {
    let card = ExperienceCard(title: "Shop", subtitle: "Order", action: .open)
    return try ExperienceCatalog { add throws(any Error) in
      for index in 0..<large.experiences {
        add(
          AdvancedExperience(
            clip: "com.example.Clip", link: try InvocationURL(large.link(index)), card: card))
      }
    }
  }

  private static func rate(of count: Int, _ ticks: clock_t) -> Double {
    Double(count) / (Double(ticks) / Double(CLOCKS_PER_SEC))
  }

  /// The resident memory of this process in bytes.
  private static func resident() throws -> Int {
    let pages = try String(contentsOfFile: "/proc/self/statm", encoding: .utf8).split(
      separator: " ")
    return (Int(pages[1]) ?? 0) * sysconf(Int32(_SC_PAGESIZE))
  }
}
