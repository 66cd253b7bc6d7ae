import ArgumentParser
import Auditing
import Foundation
import Invocation
import Registry
import Verifying

/// Parcels: what is in, what is missing, what does not belong. Each place has one parcel at a time, which is
/// forgotten when it is begun anew or the station ends.
actor ParcelDesk {
  private struct Parcel {
    var check: ParcelCheck
    var items: [JSONValue] = []
  }

  private let runner: CommandRunner
  private let bench: ReaderBench
  private let hub: EventHub
  private var parcels: [String: Parcel] = [:]

  init(runner: CommandRunner, bench: ReaderBench, hub: EventHub) {
    self.runner = runner
    self.bench = bench
    self.hub = hub
  }

  nonisolated var routes: [StationRoute] {
    [
      StationRoute("GET", "/api/parcels/:place") {
        await self.answer($0.parameter("place")).response
      },
      StationRoute("POST", "/api/parcels/:place/picture") { try await self.picture($0).response },
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
        var words = CommandLineWords("pack", "--record")
        words.add(request.parameter("place"))
        return await self.runner.run(words).answer.response
      },
      StationRoute("GET", "/api/parcels/:place/list.pdf") {
        try await self.list($0.parameter("place"))
      },
    ]
  }

  private func reset(_ place: String) { parcels[place] = nil }

  /// The parcel of a place, begun where there is none.
  private func parcel(_ place: String) throws -> Parcel {
    if let known = parcels[place] { return known }
    let registry = try runner.options().registryForReading(nil)
    let parcel = Parcel(
      check: ParcelCheck(try PackingList(ofPlace: place, in: registry), in: registry))
    parcels[place] = parcel
    return parcel
  }

  /// Everything about a parcel: what belongs in, what was read, what is missing.
  func answer(_ place: String) async -> CommandAnswer {
    await runner.work { console in
      let parcel = try await self.parcel(place)
      for item in parcel.check.list.items { console.print(item.json(of: parcel.check.list.place)) }
      for item in parcel.items { console.print(item) }
      try ParcelOutput(parcel.check, console: console).finish()
    }
  }

  /// Takes what was observed, and tells everybody how the parcel stands.
  func take(_ place: String, _ seen: [Observation], replacing file: SentFile? = nil) async
    -> CommandAnswer
  {
    let answer = await runner.work { console in
      var output = ParcelOutput(try await self.parcel(place).check, console: console)
      for seen in seen { output.show(seen) }
      let check = output.check
      await self.keep(check, of: place)
    }
    parcels[place]?.items += answer.results("parcel-item").map { item in
      file.map { item.withoutFolder(of: $0) } ?? item
    }
    var whole = await self.answer(place)
    whole.results += answer.results("error").map { error in
      file.map { error.withoutFolder(of: $0) } ?? error
    }
    hub.tell("parcel", .object([("place", .string(place)), ("results", .array(whole.results))]))
    return whole
  }

  private func keep(_ check: ParcelCheck, of place: String) { parcels[place]?.check = check }

  private func picture(_ request: StationRequest) async throws -> CommandAnswer {
    let place = request.parameter("place")
    let sent = try SentFile(request.body, named: request.query["name"] ?? "picture")
    var seen: [Observation] = []
    var verifier = try parcel(place).check.verifier
    verifier.options.isolation = try IsolationOptions.parse([]).process(isUsual: true, [])
    for await page in verifier.observations(of: [sent.path]) {
      seen.append(page)
    }
    return await take(place, seen, replacing: sent)
  }

  private struct Lines: Decodable { let lines: [String] }

  private func text(_ request: StationRequest) async throws -> CommandAnswer {
    let place = request.parameter("place")
    let order: Lines = try request.json()
    let verifier = try parcel(place).check.verifier
    var seen: [Observation] = []
    for line in order.lines.prefix(1000) {
      let text = line.trimmingCharacters(in: .whitespacesAndNewlines)
      guard !text.isEmpty else { continue }
      seen.append(
        await verifier.observe(.print, on: .qr, source: "scanner", payload: { text }))
    }
    return await take(place, seen)
  }

  private func list(_ place: String) async throws -> StationResponse {
    let sent = try SentFile(Data(), named: "list")
    let path = sent.beside("list.pdf")
    var words = CommandLineWords("pack")
    words.set("--output", path)
    words.add(place)
    let answer = await runner.run(words).answer
    guard answer.status == .done, let bytes = FileManager.default.contents(atPath: path) else {
      return answer.response
    }
    return .download(Array(bytes), type: "application/pdf", named: "packing-list-\(place).pdf")
  }
}
