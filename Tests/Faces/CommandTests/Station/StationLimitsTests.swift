import Foundation
import Testing

/// The limits of the station for its clients, and answers to the person at the station meanwhile.
extension CommandSuite {
  @Suite("Station: limits") struct StationLimitsTests {
    private func serving(
      _ options: String..., body: @escaping @Sendable (RunningStation) async throws -> Void
    ) async throws {
      let sandbox = try await Sandbox.withFruta()
      try await sandbox.station(options) { try await body($0) }
    }

    @Test("names of 800,000 bytes are cut before they are looked at")
    func names() async throws {
      try await serving { station in
        let name = String(repeating: "n", count: 800_000)
        let before = try station.processorTime
        let answer = try await station.client.post(
          "/api/sheet",
          ["csv": "url\n", "name": .string(name + ".csv"), "template": "L7651", "dryRun": true])
        #expect(answer["status"] != 0)
        #expect(!"\(answer)".contains(name.prefix(2_000)))
        let spent = try station.processorTime - before
        #expect(spent < .seconds(10))
      }
    }

    @Test("a stranger's body is refused by its head, and nothing of it is kept")
    func strangersBodies() async throws {
      try await serving { station in
        let before = try station.peakMemory
        let sockets = try await withThrowingTaskGroup(of: LoopbackSocket.self) { group in
          for number in 0..<8 {
            group.addTask { [http = station.client.http] in
              // The form that chooses a language needs no session.
              try await LoopbackSocket.unfinished(
                number % 2 == 0 ? "/api/check/picture" : "/language", announcing: 48 << 20,
                sending: 32 << 20, to: http)
            }
          }
          return try await group.reduce(into: []) { $0.append($1) }
        }
        #expect(try await station.client.get("/api/station")["type"] == "station")
        for socket in sockets {
          let (status, _) = try await onThread { try socket.head() }
          #expect(status == 401 || status == 413)
        }
        let kept = try station.peakMemory - before
        #expect(kept < 128 << 20)
      }
    }

    @Test("a form of 64 MiB that anybody may send is refused, and nobody waits for it")
    func strangersForm() async throws {
      try await serving { station in
        let (client, before) = (station.client, try station.processorTime)
        let form = Array(String(repeating: "a&", count: 1 << 25).utf8)
        let headers = ["Content-Type": "application/x-www-form-urlencoded"]
        let answer = try await client.http.send("POST", "/language", headers: headers, body: form)
        #expect(answer.status == 413)
        let spent = try station.processorTime - before
        #expect(spent < .seconds(20))
      }
    }

    @Test("all bodies together are bounded, and one more is refused with 503")
    func allBodies() async throws {
      try await serving { station in
        let before = try station.peakMemory
        let sockets = try await LoopbackSocket.unfinished(
          11, "/api/check/picture", announcing: 64 << 20, sending: 48 << 20, to: station.client
        ) { try await station.client.send("POST", "/api/check/picture", body: [97]).status == 503 }
        let kept = try station.peakMemory - before
        #expect(kept < 512 << 20)
        #expect(try await station.client.get("/api/station")["type"] == "station")
        // Memory is given back when the bodies' senders are gone.
        for socket in sockets { socket.hangUp() }
        var answer = try await station.client.upload("/api/check/picture", Array("none".utf8))
        while answer.failure == "too-many" {
          answer = try await station.client.upload("/api/check/picture", Array("none".utf8))
        }
        #expect(answer["status"] != 0)
      }
    }

    @Test("heads that are never finished shut nobody out")
    func unfinishedHeads() async throws {
      try await serving { station in
        let port = station.client.port
        let sockets = try await onThread {
          try (0..<520).map { _ in
            let socket = try LoopbackSocket(port: port)
            try socket.write(Array("GET / HTTP/1.1\r\nHost: ".utf8))
            return socket
          }
        }
        for _ in 0..<3 {
          #expect(try await station.client.get("/api/station")["type"] == "station")
        }
        _ = consume sockets
      }
    }

    @Test("a head and a body that do not come are given up")
    func deadlines() async throws {
      try await serving { station in
        let port = station.client.port
        let head = try await onThread {
          let socket = try LoopbackSocket(port: port)
          try socket.write(Array("GET / HTTP/1.1\r\nHost: ".utf8))
          return socket
        }
        let body = try await LoopbackSocket.unfinished(
          "/api/check/picture", announcing: 100, sending: 10, to: station.client.http,
          headers: station.client.own)
        // Both end without an answer: the station hung up.
        for socket in [head, body] {
          let line = try await onThread { try socket.line() }
          #expect(line == nil)
        }
      }
    }

    @Test("a head with too many or too large headers is refused")
    func largeHeads() async throws {
      try await serving { station in
        let client = station.client
        let many = Dictionary(uniqueKeysWithValues: (0..<200).map { ("X-\($0)", "a") })
        let long = ["X-Long": String(repeating: "a", count: 40_000)]
        for headers in [many, long] {
          let answer = try await client.http.send("GET", "/api/station", headers: headers)
          #expect(answer.status == 400)
        }
        let path = "/?" + String(repeating: "a&", count: 10_000)
        let answer = try await client.http.send("GET", path)
        #expect(answer.status == 400)
      }
    }

    @Test("one session has a bound on what it has under way, and others are served")
    func work() async throws {
      try await serving { station in
        let other = try await StationClient(link: try await station.nextLink())
        // One more than the bound, in case that the probe below takes the place of one.
        var answer = try await station.client.send("GET", "/api/station")
        let sockets = try await LoopbackSocket.unfinished(
          17, "/api/check", announcing: 100, sending: 10, to: station.client
        ) {
          answer = try await station.client.send("GET", "/api/station")
          return answer.status != 200
        }
        #expect(answer.status == 429)
        #expect(try answer.json.failure == "too-many")
        #expect(try await other.get("/api/station")["type"] == "station")
        _ = consume sockets
      }
    }
  }
}
