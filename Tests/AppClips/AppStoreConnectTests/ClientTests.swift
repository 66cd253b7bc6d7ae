import CliptagBasics
import Foundation
import LoopbackServer
import TestSupport
import Testing
import WebFetching

@testable import AppStoreConnect

private let good = LoopbackServer.Answer(body: #"{"data":{"type":"apps","id":"1"}}"#)

private func errors(_ status: Int, _ headers: KeyValuePairs<String, String> = [:])
  -> LoopbackServer.Answer
{
  .init(
    status, headers,
    body: """
      {"errors":[{"id":"1","status":"\(status)","code":"ENTITY_ERROR.ATTRIBUTE.INVALID",
      "title":"An attribute value is invalid.","detail":"The link is taken.",
      "source":{"pointer":"/data/attributes/link"}}]}
      """)
}

@Suite("Talking to App Store Connect")
struct ClientTests {
  @Test("a request carries the token and asks for JSON; brackets in its query are escaped")
  func request() async throws {
    try await LoopbackServer.connect(["/v1/builds": [.init(how: .echo)]]) { server in
      let client = try server.client()
      let asked = ConnectRequest("/v1/builds", ["filter[app]": "1", "include": "a,b"])
      let body = try await client.send(asked)
      let echo = try #require(
        try JSONSerialization.jsonObject(with: Data(body)) as? [String: Any])
      #expect(echo["path"] as? String == "/v1/builds?filter%5Bapp%5D=1&include=a,b")
      let fields = try #require(echo["fields"] as? [[String]])
      let token = try #require(fields.first { $0[0] == "Authorization" }?[1])
      #expect(token.hasPrefix("Bearer ey"))
      #expect(fields.first { $0[0] == "Accept" }?[1] == "application/json")
    }
  }

  @Test("429 is waited out as long as the server says, and no longer than allowed")
  func rateLimit() async throws {
    let limit = errors(
      429, ["Retry-After": "7", "X-Rate-Limit": "user-hour-lim:3600;user-hour-rem:0;"])
    try await LoopbackServer.connect(["/v1/apps/1": [limit, good]]) { server in
      let clock = ManualClock()
      let client = try server.client(clock: clock)
      _ = try await client.send(ConnectRequest("/v1/apps/1"))
      #expect(clock.waits == [.seconds(7)])
      #expect(client.rateLimit?.remaining == 0)
    }
    let long = errors(
      429, ["Retry-After": "3000", "X-Rate-Limit": "user-hour-lim:3600;user-hour-rem:0;"])
    try await LoopbackServer.connect(["/v1/apps/1": [long, good]]) { server in
      let clock = ManualClock()
      let error = try await failure(of: try server.client(clock: clock))
      #expect(error.code == .rateLimited)
      #expect(error.message.contains("3600 an hour"))
      #expect(clock.waits == [])
    }
  }

  @Test("a server's failure is repeated with longer and longer waits, then told")
  func serverFailure() async throws {
    try await LoopbackServer.connect(["/v1/apps/1": [errors(500), errors(503), good]]) { server in
      let clock = ManualClock()
      _ = try await server.client(clock: clock).send(ConnectRequest("/v1/apps/1"))
      #expect(clock.waits == [.seconds(1), .seconds(2)])
    }
    try await LoopbackServer.connect(["/v1/apps/1": [.init(502, body: "<html>")]]) { server in
      let clock = ManualClock()
      let error = try await failure(of: try server.client(clock: clock))
      #expect(error.code == .unavailable)
      #expect(clock.waits.count == 3)
    }
  }

  @Test("an answer that is cut off is asked for again")
  func cut() async throws {
    try await LoopbackServer.connect(["/v1/apps/1": [.init(body: "{", how: .cut), good]]) {
      server in
      let body = try await server.client().send(ConnectRequest("/v1/apps/1"))
      #expect(body.count > 10)
    }
  }

  @Test("a request that makes something is not sent twice when it is unknown whether it arrived")
  func notRepeated() async throws {
    for answer in [LoopbackServer.Answer(body: "{", how: .cut), errors(500)] {
      try await LoopbackServer.connect(["/v1/things": [answer, good]]) { server in
        let clock = ManualClock()
        let post = ConnectRequest("/v1/things", method: "POST", body: Array("{}".utf8))
        let error = try await failure(of: try server.client(clock: clock), post)
        #expect(error.code == .unavailable)
        #expect(clock.waits == [])
      }
    }
  }

  @Test("401 is tried once with a new token, and then says what to check")
  func unauthorized() async throws {
    try await LoopbackServer.connect(["/v1/apps/1": [errors(401), good]]) { server in
      _ = try await server.client().send(ConnectRequest("/v1/apps/1"))
    }
    try await LoopbackServer.connect(["/v1/apps/1": [errors(401)]]) { server in
      let error = try await failure(of: try server.client())
      #expect(error.code == .unauthorized)
      #expect(error.hint.contains("issuer"))
      #expect(!"\(error)".contains("Bearer"))
    }
  }

  @Test("401 on a computer whose clock is wrong says by how much")
  func wrongClock() async throws {
    let date = "Mon, 21 Sep 2026 14:13:20 GMT"  // 1_790_000_000
    try await LoopbackServer.connect(["/v1/apps/1": [errors(401, ["Date": date])]]) { server in
      let client = try server.client(secondsSince1970: { 1_790_000_000 - 4000 })
      let error = try await failure(of: client)
      #expect(error.code == .unauthorized)
      #expect(error.hint.contains("4000 seconds behind"))
    }
  }

  @Test(
    "a refusal keeps what App Store Connect said, and is not repeated",
    arguments: [
      (403, AppStoreConnectError.Code.forbidden), (404, .notFound), (409, .refused),
      (422, .refused), (400, .refused),
    ])
  func refusal(status: Int, code: AppStoreConnectError.Code) async throws {
    try await LoopbackServer.connect(["/v1/apps/1": [errors(status), good]]) { server in
      let error = try await failure(of: try server.client())
      #expect(error.code == code)
      #expect(error.message.contains("The link is taken."))
      #expect(error.message.contains("/data/attributes/link"))
      #expect(error.message.contains("ENTITY_ERROR.ATTRIBUTE.INVALID"))
      #expect(error.details.first?.code == "ENTITY_ERROR.ATTRIBUTE.INVALID")
      #expect(error.request == "GET /v1/apps/1")
    }
  }

  @Test("a refusal that is no JSON is told by its status")
  func page() async throws {
    try await LoopbackServer.connect(["/v1/apps/1": [.init(403, body: "<html>no</html>")]]) {
      server in
      let error = try await failure(of: try server.client())
      #expect(error.message == "GET /v1/apps/1: the key has no permission for this (403).")
    }
  }

  @Test("cancelling ends a wait")
  func cancelled() async throws {
    try await LoopbackServer.connect(["/v1/apps/1": [errors(500)]]) { server in
      let client = try server.client()
      let task = Task {
        withUnsafeCurrentTask { $0?.cancel() }
        return try await client.send(ConnectRequest("/v1/apps/1"))
      }
      let error = await #expect(throws: AppStoreConnectError.self) { try await task.value }
      #expect(error?.code == .cancelled)
    }
  }
}
