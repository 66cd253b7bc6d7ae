import Invocation
import LoopbackServer
import Testing
import WebFetching

@testable import Publishing

private let host = associationHost
private let path = "\(AssociationFetcher.cdnHost)/a/v1/\(host)"

/// A failure as Apple's network gave it to developers.
private let forbidden = LoopbackServer.Answer(
  404,
  [
    "Apple-Failure-Reason": "SWCERR00101 Bad HTTP Response: 403 Forbidden",
    "Apple-Failure-Details": "{\"status\":\"403 Forbidden\"}",
    "Apple-From": "https://\(wellKnownFile)",
    "Apple-Try-Direct": "true", "Cache-Control": "max-age=3600,public",
  ], body: "Not Found")

@Suite("Fetching an association file from Apple's network")
struct CDNFetchingTests {
  @Test("a file that the network has is the file")
  func good() async throws {
    let answer = LoopbackServer.Answer(200, ["Apple-Origin-Format": "json"], body: "{}")
    try await withAssociationServer([path: answer]) { server in
      let answer = try await server.associationFetcher().fetchFromCDN(host)
      #expect(answer.file == Array("{}".utf8))
      #expect(answer.source == .cdn)
      #expect(answer.findings == [])
      #expect(answer.url == "https://\(path)")
    }
  }

  @Test("a failure is told with everything that the network says about it")
  func failure() async throws {
    try await withAssociationServer([path: forbidden]) { server in
      let answer = try await server.associationFetcher().fetchFromCDN(host)
      #expect(answer.file == nil)
      #expect(answer.domainError == .badHTTPResponse)
      let failure = try #require(answer.cdnFailure)
      #expect(failure.number == "SWCERR00101")
      #expect(failure.reason == "Bad HTTP Response: 403 Forbidden")
      #expect(failure.details == "{\"status\":\"403 Forbidden\"}")
      #expect(failure.origin == "https://\(wellKnownFile)")
      #expect(failure.triesDirect == true)
      #expect(failure.secondsKept == 3600)
      let finding = try #require(answer.findings.first)
      #expect(finding.finding.code == .associationNotFetched)
      #expect(finding.domainError == .badHTTPResponse)
      let message = finding.finding.message
      #expect(message.contains("SWCERR00101 Bad HTTP Response: 403 Forbidden"))
      #expect(message.contains("60 minutes"))
      #expect(message.contains("contact the host directly"))
    }
  }

  @Test(
    "a failure without a reason is told as such",
    arguments: [(404, DomainErrorCode.cannotReachAASAFile), (503, .unexpectedError)])
  func noReason(status: Int, code: DomainErrorCode) async throws {
    try await withAssociationServer([path: .init(status)]) { server in
      let answer = try await server.associationFetcher().fetchFromCDN(host)
      #expect(answer.domainError == code)
      #expect(answer.cdnFailure?.triesDirect == nil)
      #expect(answer.cdnFailure?.secondsKept == nil)
      #expect(answer.findings[0].finding.message.contains("status \(status)"))
    }
  }

  @Test("a network that cannot be reached is no fault of the host")
  func unreachable() async throws {
    try await withAssociationServer([:]) { server in
      let fetcher = try server.associationFetcher(at: .closed)
      let error = await #expect(throws: WebFetchError.self) { try await fetcher.fetchFromCDN(host) }
      #expect(error?.code == .cannotConnect)
    }
  }

  @Test(
    "reasons have their codes of App Store Connect",
    arguments: [
      ("SWCERR00101 Bad HTTP Response: 404 Not Found", DomainErrorCode.badHTTPResponse),
      ("SWCERR00202 Connections to private/reserved IP addresses are not allowed", .networkError),
      ("SWCERR00301 Timeout", .timeout), ("SWCERR00401 Bad JSON content", .badJSONContent),
      ("SWCERR00999 TLS error", .tlsError), ("SWCERR00999 Something new", .otherError),
      ("Insecure redirects forbidden", .insecureRedirectsForbidden), ("SWCERR00999", .otherError),
    ])
  func reasons(reason: String, code: DomainErrorCode) {
    #expect(CDNFailure(["Apple-Failure-Reason": reason]).domainError == code)
  }

  @Test("what a server says cannot steer a terminal")
  func control() {
    let failure = CDNFailure(["Apple-Failure-Reason": "SWCERR00101 \u{1B}[2Jgone"])
    let sentence = failure.sentence(host: host, status: 404, .badHTTPResponse)
    #expect(!sentence.contains("\u{1B}"))
    #expect(sentence.contains("[2Jgone"))
  }
}
