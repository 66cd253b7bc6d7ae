import Testing
import WebFetching

@Suite("What the articles of WebFetching about pages show is true") struct WebPageArticleTests {
  @Test("a banner is found by its line, and a tag that is not in the head by its column")
  func pages() throws {
    let html = """
      <html><head>
      <meta name="apple-itunes-app" content="app-id=1234567890">
      </head><body><meta name="late"></body></html>
      """
    let page = try WebPage(Array(html.utf8))
    for meta in page.metas where meta.attributes["name"] == "apple-itunes-app" {
      print("line \(meta.line):", meta.attributes["content"] ?? "")
    }
    #expect(page.metas.map(\.line) == [2, 3])
    let misplaced = page.metas.filter { $0.attributes["name"] != nil && !$0.isInHead }
    for meta in misplaced {
      print("line \(meta.line), column \(meta.column): move this tag into the head")
    }
    #expect(misplaced.map(\.column) == [14])
  }
}
