import Jobs
import CliptagBasics
import ArgumentParser
import Auditing
import CodeDrawing
import Foundation
import Invocation
import Registry
import Verifying

/// Parcels: the items that are in, missing, or foreign. Observations of a place are kept until its
/// parcel is begun anew or the station ends; the state follows from them and from the registry at
/// that time.
actor ParcelDesk {
  private let runner: RequestRunner
  private let bench: ReaderBench
  private let hub: EventHub
  /// The observations for each place.
  private var seen: [String: [CodeObservation]] = [:]

  init(runner: RequestRunner, bench: ReaderBench, hub: EventHub) {
    self.runner = runner
    self.bench = bench
    self.hub = hub
  }

  nonisolated var routes: [StationRoute] {
    [
      StationRoute("GET", "/api/parcels/:place") {
        await self.answer($0.parameter("place")).response
      },
      StationRoute("POST", "/api/parcels/:place/picture", taking: .picture) {
        try await self.picture($0).response
      },
      StationRoute("POST", "/api/parcels/:place/text") { try await self.text($0).response },
      StationRoute("POST", "/api/parcels/:place/tags") { request in
        let place = request.parameter("place")
        let order: CheckDesk.Switch = try request.json()
        return await self.runner.work { _ in
          if order.on {
            try await self.bench.read(for: .parcel(place: place))
          } else {
            await self.bench.stopReading()
          }
        }.response
      },
      StationRoute("POST", "/api/parcels/:place/reset") { request in
        await self.reset(request.parameter("place"))
        return await self.answer(request.parameter("place")).response
      },
      StationRoute("POST", "/api/parcels/:place/packed") { request in
        await self.record(request.parameter("place")).response
      },
      StationRoute("GET", "/api/parcels/:place/list.pdf", for: .document) {
        try await self.list($0.parameter("place"))
      },
    ]
  }

  private func reset(_ place: String) { seen[place] = nil }

  /// An empty parcel of a place.
  private func parcel(_ place: String) throws -> ParcelCheck {
    try VerifyParcel(place).check(in: Workplace(registry: runner.registryForReading(nil)))
  }

  /// Everything about a parcel: what belongs in, what was read, what is missing.
  func answer(_ place: String) async -> CommandAnswer {
    let seen = seen[place] ?? []
    return await runner.work { console in
      let check = try await self.parcel(place)
      for item in check.list.items {
        console.print(of: PackingItemResult(item, of: check.list.place))
      }
      var output = ParcelOutput(check: check, console: console)
      for one in seen { output.show(one) }
      try output.finish()
    }
  }

  /// Takes observations, and announces the state of the parcel to all clients.
  func take(_ place: String, _ new: [CodeObservation]) async -> CommandAnswer {
    // An unreadable item is reported once.
    seen[place, default: []] += new.filter { $0.failure == nil && !$0.isEmpty }
    let failed = new.filter { $0.failure != nil || $0.isEmpty }
    var whole = await answer(place)
    let failures = await runner.work { console in
      var output = ParcelOutput(check: try await self.parcel(place), console: console)
      for one in failed { output.show(one) }
    }
    whole.results += failures.results
    whole.status = whole.status.joined(with: failures.status)
    hub.tell("parcel", ParcelNews(place: place, results: whole.results))
    return whole
  }

  private func picture(_ request: StationRequest) async throws -> CommandAnswer {
    let place = request.parameter("place")
    let sent = try SentFile(request.body, named: request.query["name"] ?? "picture")
    var seen: [CodeObservation] = []
    var verifier = try parcel(place).verifier
    verifier.options.isolation = IsolationOptions.usual
    for await page in verifier.observations(of: [sent.input]) {
      seen.append(page)
    }
    return await take(place, seen)
  }

  /// The state of a parcel, for all clients.
  private struct ParcelNews: Encodable {
    let place: String
    let results: [JSONValue]
  }

  private struct Lines: Decodable { let lines: [String] }

  private func text(_ request: StationRequest) async throws -> CommandAnswer {
    let place = request.parameter("place")
    let order: Lines = try request.json()
    let verifier = try parcel(place).verifier
    var seen: [CodeObservation] = []
    for line in order.lines.prefix(1000) {
      let text = line.trimmingCharacters(in: .whitespacesAndNewlines)
      guard !text.isEmpty else { continue }
      seen.append(
        await verifier.observe(.print, on: .qr, source: "scanner", payload: { text }))
    }
    return await take(place, seen)
  }

  /// Records that everything in the parcel was packed, and shows its list.
  private func record(_ place: String) async -> CommandAnswer {
    await runner.work { [runner] console in
      var job = PackParcel(place)
      job.records = true
      let list = try await job.run(in: Workplace(registry: try runner.registryForWriting()))
      for item in list.items { console.print(of: PackingItemResult(item, of: list.place)) }
      console.print(of: PackingListResult(list, isRecorded: true))
    }
  }

  private func list(_ place: String) async throws -> StationResponse {
    let registry = try runner.registryForReading(nil)
    let bytes = try await PackParcel(place).list(in: registry).page
      .pdf(on: PaperSize("A4"), creationTime: SourceDate.seconds).bytes
    return .download(bytes, type: "application/pdf", named: "packing-list-\(place).pdf")
  }
}
