import Foundation
import LoopbackServer
import Testing
import WebFetching

@Suite("A server's answer")
struct AnswerTests {
  @Test("an answer comes with its status, fields, body, address and certificate")
  func good() async throws {
    let answer = LoopbackServer.Answer(
      200, ["Content-Type": "application/json", "X-Two": "first", "x-two": "second"],
      body: "{\"applinks\":{}}")
    try await withAnswer(answer) { server in
      let response = try await server.fetcher().fetch(WebRequest("https://\(host)/file"))
      #expect(response.status == 200)
      #expect(response.headers.map(\.name) == ["Content-Type", "X-Two", "x-two", "Content-Length"])
      #expect(response.headers["content-TYPE"] == "application/json")
      #expect(response.headers.values("X-TWO") == ["first", "second"])
      #expect(String(decoding: response.body, as: UTF8.self) == "{\"applinks\":{}}")
      #expect(response.url == "https://\(host)/file")
      #expect(response.redirects == [])
      #expect(response.remoteAddress == "127.0.0.1")
      let certificate = try #require(response.certificate)
      #expect(certificate.hosts == [host, "*.example.com"])
      #expect(certificate.subject.contains(host))
      #expect(certificate.issuer.contains("Trusted by the test"))
      let from = try #require(certificate.validFrom)
      let until = try #require(certificate.validUntil)
      #expect(until.timeIntervalSince(from) == 86_400)
      #expect(abs(from.timeIntervalSinceNow) < 86_400)
    }
  }

  @Test("404 and 500 are answers, not errors", arguments: [404, 500])
  func statuses(status: Int) async throws {
    try await withAnswer(.init(status, body: "no")) { server in
      let response = try await server.fetcher().fetch(WebRequest("https://\(host)/file"))
      #expect(response.status == status)
      #expect(response.body == Array("no".utf8))
    }
  }

  @Test("method, fields and body arrive as they were given, and nothing is made up")
  func request() async throws {
    try await withAnswer(.init(how: .echo)) { server in
      let fetcher = try server.fetcher { $0.userAgent = "house test" }
      let body = Array("{\"data\":1}".utf8) + [0, 255]
      let request = WebRequest(
        "https://\(host)/file", method: "PATCH",
        headers: ["Authorization": "Bearer x", "X-Empty": "", "Content-Type": "application/json"],
        body: body)
      let echo = try Echo(try await fetcher.fetch(request))
      #expect(echo.method == "PATCH")
      #expect(echo.body == Data(body))
      let names = echo.fields.map { $0[0] }.sorted()
      #expect(
        names == [
          "Accept", "Accept-Encoding", "Authorization", "Content-Length", "Content-Type", "Host",
          "User-Agent", "X-Empty",
        ])
      #expect(echo["Host"] == host)
      #expect(echo["User-Agent"] == "house test")
      #expect(echo["X-Empty"] == "")
      let empty = WebRequest("https://\(host)/file", method: "POST", body: [])
      let other = try Echo(try await fetcher.fetch(empty))
      #expect(other["Content-Length"] == "0")
      #expect(other["Content-Type"] == nil)
    }
  }

  @Test("a connection serves the next request too")
  func reuse() async throws {
    try await withAnswer(.init(how: .echo)) { server in
      let fetcher = try server.fetcher()
      let first = try Echo(try await fetcher.fetch(WebRequest("https://\(host)/file")))
      let second = try Echo(try await fetcher.fetch(WebRequest("https://\(host)/file")))
      #expect(first.connection == second.connection)
    }
  }

  @Test("many requests may wait at once, more than the machine has processors")
  func many() async throws {
    try await withAnswer(.init(body: "x")) { server in
      let fetcher = try server.fetcher()
      let statuses = try await withThrowingTaskGroup(of: Int.self) { group in
        for _ in 0..<24 {
          group.addTask { try await fetcher.fetch(WebRequest("https://\(host)/file")).status }
        }
        return try await group.reduce(into: []) { $0.append($1) }
      }
      #expect(statuses == Array(repeating: 200, count: 24))
    }
  }

  @Test("HEAD has the fields and no body")
  func head() async throws {
    try await withAnswer(.init(body: "body")) { server in
      let request = WebRequest("https://\(host)/file", method: "HEAD")
      let response = try await server.fetcher().fetch(request)
      #expect(response.headers["Content-Length"] == "4")
      #expect(response.body == [])
    }
  }

  @Test("the fields of 100 Continue are not those of the answer")
  func interim() async throws {
    let text =
      "HTTP/1.1 100 Continue\r\nX-Early: 1\r\n\r\n"
      + "HTTP/1.1 200 OK\r\nX-Late: one\r\n  two\r\nContent-Length: 0\r\n\r\n"
    try await withAnswer(.init(body: text, how: .raw)) { server in
      let response = try await server.fetcher().fetch(WebRequest("https://\(host)/file"))
      #expect(response.headers.map(\.name) == ["X-Late", "Content-Length"])
      #expect(response.headers["X-Late"] == "one two")
    }
  }

  @Test("a proxy is used when it is named, and its own answer is not taken for the server's")
  func proxy() async throws {
    try await withAnswer(.init(body: "x")) { server in
      let proxy = try server.port(.proxy)
      let fetcher = try server.fetcher {
        $0.proxy = .server("http://127.0.0.1:\(proxy)")
        $0.endpoints = [:]
      }
      let response = try await fetcher.fetch(WebRequest("https://\(host)/file"))
      #expect(try await server.request() == "CONNECT \(host):443")
      #expect(response.headers["Via"] == nil)
      #expect(response.status == 200)
    }
  }
}

/// A request as the server saw it.
struct Echo: Decodable {
  let method: String
  let fields: [[String]]
  let body: Data
  let connection: Int

  init(_ response: WebResponse) throws {
    self = try JSONDecoder().decode(Echo.self, from: Data(response.body))
  }

  subscript(name: String) -> String? { fields.first { $0[0] == name }?[1] }
}
