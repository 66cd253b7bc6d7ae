import CliptagBasics
import Auditing
import CodeDrawing
import Foundation
import Invocation
import Issuing
import Jobs
import Registry
import Synchronization
import Verifying

/// Walks: their findings, with pictures and a map, and what was done about them.
struct WalkDesk: Sendable {
  let runner: RequestRunner
  let files: KeptFiles
  let matching: PrefixEngine
  let verifier: StationVerifier
  /// The address of the station's pages.
  let base: @Sendable () -> String
  /// Whether phones reach the station, so that the printed report has codes for its pages.
  let isReachable: Bool

  var routes: [StationRoute] {
    [
      StationRoute("GET", "/api/walks") { _ in
        await runner.look { try await $1.showWalks(of: $0) }.response
      },
      StationRoute("GET", "/api/walks/report") { await report($0.query["name"]).response },
      StationRoute("GET", "/api/walks/map.svg", for: .document) { try map($0.query["name"]) },
      StationRoute("GET", "/api/walks/:walk/stops/:stop/picture", for: .document) {
        try picture($0)
      },
      StationRoute("POST", "/api/walks/picture", taking: .picture) { try await add($0).response },
      StationRoute("GET", "/walks/report.html", for: .document) {
        try await document($0.query["name"], as: "html")
      },
      StationRoute("GET", "/walks/report.pdf", for: .document) {
        try await document($0.query["name"], as: "pdf")
      },
      StationRoute("POST", "/api/codes/:code/note") { try await note($0).response },
    ]
  }

  /// Returns the findings of the walks with a name.
  func report(_ name: String?) async -> CommandAnswer {
    var answer = await runner.workGivingMore { console in
      let registry = try runner.registryForReading(console)
      let report = try AuditReportCommand.report(named: name, in: registry).report
      report.show(on: console, files: [])
      // Without a position there is nothing to draw.
      guard WalkMap(of: report) != nil else { return [("map", .null)] }
      let name = report.title
      let escaped = name.addingPercentEncoding(withAllowedCharacters: .alphanumerics) ?? ""
      return [("map", .string("/api/walks/map.svg?name=\(escaped)"))]
    }
    answer.results = answer.results.map { result in
      guard let walk = result["walk"]?.text, case .integer(let stop)? = result["stop"],
        result["sha256"]?.text != nil
      else { return result }
      return result.with([("picture", .string("/api/walks/\(walk)/stops/\(stop)/picture"))])
    }
    return answer
  }

  private func map(_ name: String?) throws -> StationResponse {
    let registry = try runner.registryForReading(nil)
    let report = try AuditReportCommand.report(named: name, in: registry).report
    guard let svg = WalkMap(of: report)?.svgFile(width: 180) else {
      throw Failure(
        "no-map", .noInput, "The walk has no position.",
        hint: "Record walks with a receiver, or with places.")
    }
    return StationResponse(Data(svg.utf8), type: "image/svg+xml")
  }

  private func picture(_ request: StationRequest) throws -> StationResponse {
    let registry = try runner.registryForReading(nil)
    guard let walk = Walk.ID(request.parameter("walk")), let stop = Int(request.parameter("stop")),
      let picture = try registry.picture(of: walk, stop: stop)
    else {
      throw Failure.notFound("picture", request.parameter("stop"), see: "cliptag audit list")
    }
    var response = StationResponse(Data(picture.jpeg), type: "image/jpeg")
    // The corners of readings are those of the picture that was read.
    response.headers.append(
      ("X-Original-Size", "\(picture.originalWidth)x\(picture.originalHeight)"))
    return response
  }

  private func document(_ name: String?, as kind: String) async throws -> StationResponse {
    let registry = try runner.registryForReading(nil)
    let made = try AuditReportCommand.report(named: name, in: registry)
    let link = kind == "pdf" && !isReachable ? nil : FindingLink(toPageOf: base())
    let (report, page) = (made.report, WalkPage(made.report, material: made.material, link: link))
    if kind == "pdf" {
      let pdf = try await page.pdf(on: PaperSize("A4"), creationTime: SourceDate.seconds)
      return .download(pdf, type: "application/pdf", named: "\(report.title).pdf")
    }
    let bytes = try page.write(to: MemorySink()).bytes
    var response = StationResponse(Data(bytes), type: "text/html; charset=utf-8")
    // The page holds its style and its pictures, loads nothing and runs nothing.
    response.headers.append(
      (
        "Content-Security-Policy",
        "default-src 'none'; img-src data:; style-src 'unsafe-inline'; frame-ancestors 'none'; base-uri 'none'"
      ))
    return response
  }

  private func add(_ request: StationRequest) async throws -> CommandAnswer {
    var circumstances = WalkCircumstances()
    circumstances.name = request.query["name"].flatMap { $0.isEmpty ? nil : $0 }
    circumstances.place = try request.place()
    circumstances.isOwn = runner.who != nil
    let location = try request.evidence()
    let accuracy = try request.accuracy()
    let sent = try SentFile(request.body, named: request.query["file"] ?? "picture.jpg")
    return await runner.work(job: request.headers["x-job"]) { [circumstances] console in
      let workplace = try runner.workplace(matching, isRehearsal: false, console)
      var job = WalkPictures(
        [sent.input], with: try verifier(workplace.registry, location ?? .missing, true))
      job.verifier.options.isolation = IsolationOptions.usual
      if location == nil, circumstances.place == nil {
        // The picture may know where it was taken.
        job.verifier.options.pictureLocation = PictureLocation(accuracy: accuracy)
      }
      job.circumstances = circumstances
      let output = Mutex(AuditOutput(isRehearsal: false, console: console))
      defer { output.withLock { $0.finish() } }
      _ = try await job.run(in: workplace) { event in output.withLock { $0.show(event) } }
    }
  }

  private struct Note: Decodable {
    let kind: NoteCode.Kind
    var note: String?
  }

  private func note(_ request: StationRequest) async throws -> CommandAnswer {
    let note: Note = try request.json()
    var job = NoteCode(request.parameter("code"), note.kind)
    job.note = note.note.flatMap { $0.isEmpty ? nil : $0 }
    return await runner.work { [job] console in
      let workplace = try runner.workplace(matching, isRehearsal: false, console)
      console.show(try await job.run(in: workplace), of: job)
    }
  }
}
