import Foundation
import Testing

@testable import WebFetching

@Suite("What a certificate says")
struct CertificateFactsTests {
  @Test(
    "OpenSSL's dates are understood, and what is no date is not",
    arguments: [
      ("Jan  1 00:00:00 1970 GMT", 0.0), ("Nov 22 06:32:36 2026 GMT", 1_795_329_156),
      ("Feb 29 23:59:59 2028 GMT", 1_835_481_599),
      ("Nov 22 06:32:36 2026", nil), ("", nil), ("Foo 22 06:32:36 2026 GMT", nil),
      ("Nov 22 0632 2026 GMT", nil), ("Nov 99 06:32:36 2026 GMT", nil),
    ] as [(String, TimeInterval?)])
  func dates(text: String, seconds: TimeInterval?) {
    #expect(CertificateFacts.date(text[...])?.timeIntervalSince1970 == seconds)
  }

  @Test("only names of hosts are taken for hosts")
  func hosts() {
    let facts = CertificateFacts(lines: [
      "Subject:CN = a",
      "X509v3 Subject Alternative Name:DNS:a.example, IP Address:10.0.0.1, DNS:*.b",
      "no colon",
    ])
    #expect(facts.hosts == ["a.example", "*.b"])
    #expect(facts.subject == "CN = a")
    #expect(facts.validUntil == nil)
  }
}
