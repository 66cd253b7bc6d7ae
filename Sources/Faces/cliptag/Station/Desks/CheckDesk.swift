import CliptagBasics
import CodeDrawing
import Foundation
import Invocation
import Issuing
import Jobs
import QRSymbol
import Registry
import Synchronization
import Verifying

/// Checking: a tag that is laid down, a picture, a URL; a phone's pictures, too.
struct CheckDesk: Sendable {
  let runner: RequestRunner
  let bench: ReaderBench
  let files: KeptFiles
  let hub: EventHub
  let access: StationAccess
  let pages: StationPages
  /// The address at which a phone reaches the station; `nil` if there is none.
  let address: @Sendable () -> String?
  /// Verifies codes at a position, or at the station's, and uses up messages or not.
  let verifier: StationVerifier

  var routes: [StationRoute] {
    [
      StationRoute("POST", "/api/check") { request in
        let order: URLs = try request.json()
        guard !order.urls.contains("-") else {
          // The command would read the terminal from which the station was started.
          throw Failure(
            "malformed-request", .usage, "“-” is not a URL.", hint: "Give URLs.")
        }
        return await runner.look { registry, console in
          let verifier = try verifier(registry, .notAsked, false)
          var job = CheckPayloads(Array(order.urls.prefix(1000)))
          job.location = verifier.location
          job.options = verifier.options
          _ = try await job.run(
            in: Workplace(registry: registry, engine: verifier.check.engine),
            reporting: { console.show($0) })
        }.response
      },
      StationRoute("POST", "/api/check/picture", taking: .picture) {
        try await picture($0).response
      },
      StationRoute("POST", "/api/check/tags") { request in
        let order: Switch = try request.json()
        return await runner.work { _ in
          if order.on { try await bench.read(for: .check) } else { await bench.stopReading() }
        }.response
      },
      StationRoute("POST", "/api/phone") { _ in try await link().response },
      StationRoute("DELETE", "/api/phone") { _ in
        access.endPhones()
        return CommandAnswer().response
      },
      StationRoute("GET", "/phone", for: .phone) { phonePage($0) },
      StationRoute("POST", "/phone/picture", for: .phone, taking: .picture) {
        try await phonePicture($0)
      },
    ]
  }

  private struct URLs: Decodable { let urls: [String] }
  struct Switch: Decodable { let on: Bool }

  /// Reads the codes of a picture that was sent, and draws their verdicts in.
  private func picture(_ request: StationRequest) async throws -> CommandAnswer {
    try await check(
      request.body, named: request.query["name"] ?? "picture", at: request.evidence(),
      job: request.headers["x-job"])
  }

  /// Reads the codes of a picture.
  ///
  /// - Parameter location: The evidence of the position; `nil` for the station's.
  private func check(
    _ bytes: Data, named name: String, at location: LocationEvidence?, job: String?
  ) async throws -> CommandAnswer {
    let sent = try SentFile(bytes, named: name)
    let drawn = sent.beside("checked.png")
    var answer = await runner.work(job: job) { console in
      let registry = try runner.registryForReading(console)
      let verifier = try verifier(registry, location, true)
      var job = ScanPictures([sent.input])
      job.location = verifier.location
      job.options = verifier.options
      job.options.record = nil
      job.drawings = try AnnotationPlace(drawn, inputs: [sent.input.path])
      let output = Mutex(ScanOutput(pictures: 1, console: console))
      _ = try await job.run(
        in: Workplace(registry: registry, engine: verifier.check.engine)
      ) { event in
        // The drawing is the answer's preview.
        if case .drawn = event { return }
        output.withLock { $0.show(event) }
      }
    }
    if let bytes = FileManager.default.contents(atPath: drawn) {
      answer.preview = files.keep(Array(bytes), named: "checked.png")
    }
    return answer
  }

  /// The `phone-link` object of the interface.
  private struct PhoneLink: Encodable {
    /// The type of the object.
    let type = "phone-link"
    /// The link, which opens a session once.
    let url: String
    /// The path of a drawing of its QR code.
    let qr: String
    /// The time at which it ends, RFC 3339 in UTC.
    let expires: String
  }

  /// A picture that a phone sent, for all clients.
  private struct PhoneNews: Encodable {
    let results: [JSONValue]
    let picture: String?
  }

  /// A link for a phone, as text and as a code to scan.
  private func link() async throws -> CommandAnswer {
    guard let address = address() else {
      throw StationAccess.Refusal(
        409,
        Failure(
          "phones-off", .usage, "The station is reachable from this computer only.",
          hint: "Start it with --listen 0.0.0.0, in a trusted network."))
    }
    let url = "http://\(address)/phone?link=\(access.makePhoneLink())"
    let drawing = try CodeDrawing(QRSymbol(url), size: CodeSize.Request(width: 60))
    let printed = try await PrintedCode(.code(drawing), as: .svg, named: "link.svg")
    var answer = CommandAnswer()
    answer.results = [
      JSONValue(
        result: PhoneLink(
          url: url, qr: files.keep(printed.bytes, named: "link.svg"),
          expires: Date().addingTimeInterval(StationAccess.phoneLifetime).registryTimestamp))
    ]
    return answer
  }

  private func phonePage(
    _ request: StationRequest, verdicts: [JSONValue] = []
  ) -> StationResponse {
    pages.page(
      "phone.html", for: request, tables: ["verdicts": verdicts],
      more: ["link": request.query["link"] ?? ""])
  }

  private func phonePicture(_ request: StationRequest) async throws -> StationResponse {
    let form = request.formPart("picture")
    let answer = try await check(
      form?.bytes ?? request.body, named: form?.fileName ?? request.query["name"] ?? "phone.jpg",
      at: nil, job: nil)
    hub.tell("phone", PhoneNews(results: answer.results, picture: answer.preview))
    guard form != nil else {
      // The picture with the verdicts is for the station's screen, where more is reached.
      var own = answer
      own.preview = nil
      return own.response
    }
    return phonePage(request, verdicts: answer.results)
  }
}
