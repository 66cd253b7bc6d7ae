import Invocation
import LoopbackServer
import Testing

@testable import Publishing

private func makeClip(_ name: String) -> AppClip {
  AppClip(
    bundleID: "com.example.\(name).Clip", appBundleID: "com.example.\(name)", team: "ABCDE12345",
    domains: ["fruta.example.com"], locationConfirmation: false)
}

@Suite("Reviewing an association file")
struct AssociationReviewTests {
  private let clips = [makeClip("fruta"), makeClip("rewards")]

  private func review(
    _ text: String, host: String? = "fruta.example.com", clips: [AppClip]? = nil
  ) -> AssociationReview {
    AssociationReview(file: Array(text.utf8), host: host, clips: clips ?? self.clips)
  }

  private let both = """
    { "appclips": { "apps": [
      "ABCDE12345.com.example.fruta.Clip", "ABCDE12345.com.example.rewards.Clip" ] } }
    """

  @Test("a file that lists every clip of the host is accepted without a word")
  func accepted() {
    let review = review(both)
    #expect(review.verdict == .accepted)
    #expect(review.findings == [])
    #expect(review.clips.map(\.isListed) == [true, true])
  }

  @Test(
    "a file that invokes no clip is not accepted in silence, whoever's clips they are",
    arguments: ["{}", #"{ "webcredentials": { "apps": ["ABCDE12345.com.example.fruta"] } }"#])
  func noClips(text: String) {
    let found = review(text, host: nil, clips: []).findings
    #expect(found.map(\.finding.code) == [.associationNoAppClips])
  }

  @Test("each clip that is missing is told, and rejects the file")
  func missing() {
    let text = #"{ "appclips": { "apps": ["ABCDE12345.com.example.fruta.Clip"] } }"#
    let review = review(text)
    #expect(review.verdict == .rejected)
    #expect(review.findings.map(\.finding.code) == [.associationClipMissing])
    #expect(review.clips.map(\.isListed) == [true, false])
  }

  @Test("what several clips have in common is told once")
  func shared() {
    let text = both.replacing("com.example.fruta.Clip\"", with: "com.example.other.Clip\"")
    let codes = review(text).findings.map(\.finding.code)
    #expect(codes.count { $0 == .associationOtherClips } == 1)
  }

  @Test("a file that cannot be read says nothing about its clips")
  func unreadable() {
    let review = review("<html>")
    #expect(review.verdict == .rejected)
    #expect(review.clips.map(\.isListed) == [nil, nil])
    #expect(review.links(for: try! InvocationURL("https://fruta.example.com/")) == [])
  }

  @Test("a host that no clip has is a warning: the file may be right all the same")
  func unknownHost() {
    let review = review(both, clips: [])
    #expect(review.verdict == .accepted)
    #expect(review.findings.map(\.finding.code) == [.unknownHost])
  }

  @Test("which app opens a URL is told for each app of the file, once")
  func links() throws {
    let text = """
      { "applinks": { "details": [
        { "appIDs": ["A.b", "C.d"], "components": [ { "/": "/order/*" } ] },
        { "appIDs": ["C.d"], "components": [ { "/": "/help" } ] } ] } }
      """
    let review = review(text, host: nil, clips: [])
    let order = review.links(for: try InvocationURL("https://fruta.example.com/order/1"))
    #expect(order.map(\.app) == ["A.b", "C.d"])
    #expect(order.map(\.decision.outcome) == [.matched, .matched])
    let help = review.links(for: try InvocationURL("https://fruta.example.com/help"))
    #expect(help.map(\.decision.outcome) == [.noRule, .matched])
    #expect(help[1].decision.detail == 1)
  }

  @Test("entitlements count for the verdict, for the host that is reviewed")
  func entitlements() throws {
    let text = """
      <plist version="1.0"><dict><key>com.apple.developer.associated-domains</key>
      <array><string>appclips:www.example.com</string></array></dict></plist>
      """
    let file = try EntitlementsFile(Array(text.utf8), name: "App.entitlements")
    var review = review(both)
    review.add(file, source: "App.entitlements", for: clips[0])
    #expect(review.verdict == .rejected)
    let finding = try #require(review.entitlements.first?.findings.first)
    #expect(finding.finding.code == .entitlementNoDomain)
    #expect(finding.finding.message.contains("appclips:fruta.example.com"))
  }

  @Test("a host that does not answer leaves the question open; a wrong answer does not")
  func unreachable() async throws {
    try await withAssociationServer([:]) { server in
      let silent = try await server.associationFetcher(at: .closed).fetchFromSite(associationHost)
      let review = AssociationReview(silent, clips: [makeClip("fruta")])
      #expect(review.isUnreachable && review.verdict == .undecided)
      let missing = try await server.associationFetcher().fetchFromSite(associationHost)
      let other = AssociationReview(missing, clips: [makeClip("fruta")])
      #expect(!other.isUnreachable && other.verdict == .rejected)
    }
  }
}
