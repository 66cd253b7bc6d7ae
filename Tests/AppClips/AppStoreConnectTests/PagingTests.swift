import Foundation
import LoopbackServer
import Testing

@testable import AppStoreConnect

private let list = ConnectRequest("/v1/apps/1/appClips", ["limit": "200"])

private func page(_ ids: [String], next: String? = nil) -> LoopbackServer.Answer {
  let data = ids.map { #"{"type":"appClips","id":"\#($0)"}"# }.joined(separator: ",")
  let link = next.map { #","next":"\#($0)""# } ?? ""
  return .init(body: #"{"data":[\#(data)],"links":{"self":"x"\#(link)},"meta":{}}"#)
}

@Suite("Answers of App Store Connect in pages")
struct PagingTests {
  @Test("every page is read, in order")
  func pages() async throws {
    let base = "https://\(connectHost)/v1/apps/1/appClips"
    try await LoopbackServer.connect([
      "/v1/apps/1/appClips?limit=200": [page(["1", "2"], next: base + "?cursor=a")],
      "/v1/apps/1/appClips?cursor=a": [page(["3"], next: base + "?cursor=b")],
      "/v1/apps/1/appClips?cursor=b": [page([])],
    ]) { server in
      let pages = try #require(try await server.client().pages(list))
      #expect(pages.map { $0.data.map(\.id.id) } == [["1", "2"], ["3"], []])
    }
  }

  @Test("all answers together have a limit, however many pages and collections they are")
  func total() async throws {
    let base = "https://\(connectHost)/v1/apps/1/appClips"
    let full = page([String(repeating: "x", count: 400)], next: base + "?cursor=a")
    try await LoopbackServer.connect([
      "/v1/apps/1/appClips?limit=200": [full], "/v1/apps/1/appClips?cursor=a": [page(["3"])],
    ]) { server in
      var patience = ConnectClient.Patience()
      patience.receivedBytes = 1_000
      let client = try server.client(patience: patience)
      _ = try await client.pages(list)
      let error = try await #require(throws: AppStoreConnectError.self) {
        try await client.pages(list)
      }
      #expect(error.code == .tooMuch && error.message.contains("1000 bytes"))
    }
  }

  @Test(
    "a page on another host is not asked for, nor is a circle followed",
    arguments: [
      "https://api.appstoreconnect.apple.com.example.com/v1/x", "http://\(connectHost)/v1/x",
      "https://user@\(connectHost)/v1/x", "https://\(connectHost)@example.com/v1/x", "/v1/x",
      "https://\(connectHost)/v1/apps/1/appClips?limit=200",
    ])
  func elsewhere(next: String) async throws {
    try await LoopbackServer.connect(["/v1/apps/1/appClips": [page(["1"], next: next)]]) { server in
      let client = try server.client()
      let error = try await #require(throws: AppStoreConnectError.self) {
        try await client.pages(list)
      }
      #expect(error.code == .malformedAnswer)
    }
  }

  @Test(
    "an answer of the wrong shape is told with its place",
    arguments: [
      (#"{"data":[{"type":"appClips","id":1}]}"#, "\"id\" instead of a text (line 1, column 34)"),
      (#"{"data":[{"type":"appClips"}]}"#, "lacks \"id\" (line 1, column 10)"),
      (#"{"data":[7]}"#, "a number in place of an object (line 1, column 10)"),
      (#"{"data":[{"type":"appClips","#, "not valid JSON (line 1, column 29)"),
      (#"{"links":{}}"#, "lacks \"data\""), ("[]", "a list in place of an object"),
      (#"{"data":[],"data":[]}"#, "Duplicate key"), ("", "not valid JSON"),
    ])
  func shape(body: String, words: String) throws {
    let error = #expect(throws: AppStoreConnectError.self) {
      try ResourceDocument(Array(body.utf8), of: "GET /v1/apps/1/appClips")
    }
    #expect(error?.code == .malformedAnswer)
    #expect(error?.message.contains(words) == true, "\(error?.message ?? "")")
  }

  @Test("bytes that are not UTF-8 are refused")
  func encoding() throws {
    let error = #expect(throws: AppStoreConnectError.self) {
      try ResourceDocument([0x22, 0xFF, 0x22], of: "GET /v1/apps")
    }
    #expect(error?.message.contains("UTF-8") == true)
  }

  @Test("saved answers are what was answered, page by page, and hold no token")
  func saved() async throws {
    let folder = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    let base = "https://\(connectHost)/v1/apps/1/appClips"
    try await LoopbackServer.connect([
      "/v1/apps/1/appClips?limit=200": [page(["1"], next: base + "?cursor=a")],
      "/v1/apps/1/appClips?cursor=a": [page(["2"])],
    ]) { server in
      let kept = KeptAnswers(try server.client())
      _ = try await kept.pages(list)
      #expect(kept.files.map(\.name) == ["apps-1-appClips.json", "apps-1-appClips-2.json"])
      for file in kept.files {
        #expect(!String(decoding: file.body, as: UTF8.self).contains("Bearer"))
        try Data(file.body).write(to: folder.appending(path: file.name))
      }
    }
    let source = SavedAnswers(folder: folder.path)
    #expect(try source.apps() == ["1"])
    let pages = try #require(try await source.pages(list))
    #expect(pages.flatMap(\.data).map(\.id.id) == ["1", "2"])
    #expect(try await source.pages(ConnectRequest("/v1/apps/2/appClips")) == nil)
    try FileManager.default.removeItem(at: folder.appending(path: "apps-1-appClips-2.json"))
    await #expect(throws: AppStoreConnectError.self) { try await source.pages(list) }
  }

  @Test("a request's file is named by its path and filters, without anything of a path")
  func names() {
    #expect(
      ConnectRequest("/v1/builds", ["filter[app]": "../1", "limit": "1"]).fileName(page: 1)
        == "builds-___1.json")
    #expect(ConnectRequest("/v1/apps/a%2F").fileName(page: 3) == "apps-a_2F-3.json")
  }
}
