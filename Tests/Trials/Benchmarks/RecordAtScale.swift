import CliptagPlatform
import Foundation
import Invocation
import Registry

/// A hundred thousand codes and a million entries. Ten laptops read what the office issued, their
/// logs are merged, and the whole is verified, signed, exported and searched for what is due. A
/// part of the readings are stops of walks, which are merged and reported as well.
struct RecordAtScale {
  let cliptag: String
  let folder: String

  private static let codes = 100_000
  private static let laptops = 10
  private static let readings = 80_000
  /// The stops per laptop, each with one reading of one code.
  private static let stops = 10_000
  /// The interval, in stops, at which a stop has a picture.
  private static let picturePeriod = 100
  private static let pictureSize = 150_000

  func print() throws {
    Swift.print("\nThe record: \(Self.codes) codes, 1000000 entries")
    let office = folder + "/office.sqlite"
    let ids = try issue(office)
    let walked = folder + "/walked.sqlite"
    try FileManager.default.copyItem(atPath: office, toPath: walked)
    for laptop in 0..<Self.laptops { try read(ids, laptop, copyOf: office) }
    try measureWalks(walked)
    let whole = ["--registry", office]
    let logs = (0..<Self.laptops).map { "\(folder)/laptop-\($0).jsonl" }
    try measure(
      "merge of \(Self.laptops) logs of 190000 entries",
      ["code", "merge", "--accept-unsigned"] + logs + whole)
    try measure(
      "the same again, nothing new", ["code", "merge", "--accept-unsigned"] + logs + whole)
    try measure("verify", ["code", "verify"] + whole)
    try measure("due", ["code", "due", "--days", "1"] + whole, status: 1)
    try measure("checkpoint --make-key", ["code", "checkpoint", "--make-key", folder + "/k"])
    try measure(
      "checkpoint",
      ["code", "checkpoint", "--key", folder + "/k", "-o", folder + "/checkpoint"] + whole)
    try measure("export, log", ["code", "export", "-o", folder + "/all.jsonl"] + whole)
    try measure("export, table", ["code", "export", "-o", folder + "/all.csv"] + whole)
    try measure(
      "verify the log against the checkpoint",
      [
        "code", "verify", "--log", folder + "/all.jsonl", "--checkpoint", folder + "/checkpoint",
        "--public-key", folder + "/k.pub",
      ])
    try measure("note of one code", ["code", "note", ids[0].description, "--kind", "read"] + whole)
    let size = try FileManager.default.attributesOfItem(atPath: office)[.size] as? Int ?? 0
    Swift.print("  registry of \(size >> 20) MiB")
  }

  private func measureWalks(_ path: String) throws {
    let whole = ["--registry", path]
    let files = (0..<Self.laptops).map { "\(folder)/laptop-\($0).sqlite" }
    let stops = "walks of \(Self.stops) stops"
    try measure(
      "merge of \(Self.laptops) \(stops)", ["audit", "merge", "--accept-unsigned"] + files + whole)
    try measure(
      "the same again, nothing new", ["audit", "merge", "--accept-unsigned"] + files + whole)
    for file in files { try FileManager.default.removeItem(atPath: file) }
    for format in ["html", "pdf"] {
      let report = folder + "/walk.\(format)"
      try measure(
        "report, \(format)", ["audit", "report", "Autumn", "-o", report] + whole,
        status: 1)
    }
    try FileManager.default.removeItem(atPath: path)
  }

  private func issue(_ path: String) throws -> [CodeID] {
    let noon = Date(timeIntervalSince1970: 1_760_000_000)
    let codes = (0..<Self.codes).map { number in
      let time = noon.addingTimeInterval(Double(number))
      return IssuedCode(
        id: CodeID(at: time), payload: "https://fruta.example.com/order/cupertino?n=\(number)",
        carrier: .qr, placeID: "cupertino", created: time, registered: true,
        output: "\(number).svg",
        symbol: .init(version: 3, errorCorrection: "M", moduleSize: 0.85, width: 31.5))
    }
    let sample = "Samples/fruta/registry.yaml"
    guard try ProcessRun([cliptag, "registry", "import", sample, "--registry", path]).status == 0
    else { throw BenchmarkError("run it from the top of the package") }
    let start = ContinuousClock.now
    try RegistryLocation.file(path).open().issue(codes, by: "office")
    Swift.print(
      String(
        format: "  issued at %.0f a second", Double(Self.codes) / (.now - start).inSeconds))
    return codes.map(\.id)
  }

  private func read(_ ids: [CodeID], _ laptop: Int, copyOf office: String) throws {
    let path = "\(folder)/laptop-\(laptop).sqlite"
    try FileManager.default.copyItem(atPath: office, toPath: path)
    do {
      let registry = try RegistryLocation.file(path).open()
      try registry.write { registry in
        for number in 0..<Self.readings {
          try registry.record(
            .read, of: ids[(number * 7919 + laptop) % ids.count],
            at: Self.autumn.addingTimeInterval(Double(number)), by: "laptop \(laptop)",
            details: ["position": "37.3230,-122.0322", "accuracy": "8"])
        }
        try walk(ids, laptop, in: registry)
      }
    }
    let log = "\(folder)/laptop-\(laptop).jsonl"
    let run = try ProcessRun([cliptag, "code", "export", "-o", log, "--registry", path])
    guard run.status == 0 else { throw BenchmarkError("a laptop's log was not written") }
  }

  private static let autumn = Date(timeIntervalSince1970: 1_770_000_000)

  private func walk(
    _ ids: [CodeID], _ laptop: Int, in registry: borrowing RegistryTransaction
  ) throws(RegistryError) {
    let who = "laptop \(laptop)"
    let walk = try registry.begin("Autumn", by: who, at: Self.autumn)
    guard let place = Coordinate(latitude: 37.3230, longitude: -122.0322) else { return }
    let picture = WalkPicture(
      jpeg: (0..<Self.pictureSize).map { UInt8(truncatingIfNeeded: $0 &* 167) }, width: 1600,
      height: 1200, originalWidth: 4000, originalHeight: 3000)
    for number in 1...Self.stops {
      // One in twenty is not found.
      let code = number % 20 == 0 ? nil : ids[laptop * Self.stops + number - 1]
      let reading = WalkReading(
        carrier: .qr, payload: "https://fruta.example.com/order/cupertino?n=\(number)",
        corners: [[100, 100], [300, 100], [300, 300], [100, 300]], grade: 3.4, code: code,
        placeID: "cupertino", verdict: .accepted, state: .ok, location: .inside, distance: 12,
        findings: number % 50 == 0
          ? [Finding(.noPosition, .warning, "One in fifty has something to tell.")] : [])
      let hasPicture = number % Self.picturePeriod == 0
      try registry.add(
        WalkStop(
          walk: walk.id, number: number, time: Self.autumn.addingTimeInterval(Double(number)),
          kind: .picture, source: "\(number).jpg", fix: LocationFix(coordinate: place, accuracy: 8),
          readings: [reading]), picture: hasPicture ? picture : nil, by: who)
    }
  }

  private func measure(_ name: String, _ arguments: [String], status: Int32 = 0) throws {
    let run = try ProcessRun([cliptag] + arguments)
    guard run.status == status else {
      throw BenchmarkError("\(arguments.joined(separator: " ")) ended with \(run.status)")
    }
    let padded = name.padding(toLength: 42, withPad: " ", startingAt: 0)
    Swift.print(
      String(
        format: "  %@ %.2f s, %.2f s of processor time, peak %.0f MiB", padded, run.wall,
        run.processor, run.peak))
  }
}
