import Testing
import WebFetching

@Suite("Reading web pages")
struct WebPageTests {
  private func page(_ text: String) throws -> WebPage { try WebPage(Array(text.utf8)) }

  @Test("a tag is found with its decoded attributes and its place")
  func place() throws {
    let page = try page(
      """
      <!DOCTYPE html>
      <html><head><meta charset=utf-8><!-- é -->
        é<META
          NAME="a&amp;b" content='c &quot;d&quot; &#101; ü'
          hidden>
      """)
    #expect(page.metas.count == 2)
    #expect(page.metas[0].attributes == ["charset": "utf-8"])
    let tag = page.metas[1]
    #expect(
      tag.attributes == ["name": "a&b", "content": "c \"d\" e ü", "hidden": ""])
    #expect((tag.line, tag.column) == (3, 4))
    #expect(!page.isCut)
  }

  @Test("a tag in the head is told from one behind it, closed or not")
  func head() throws {
    func places(_ text: String) throws -> [Bool] { try page(text).metas.map(\.isInHead) }
    #expect(try places("<head><meta name=a></head><body><meta name=b></body>") == [true, false])
    #expect(try places("<meta name=a><title>x</title><meta name=b>") == [true, true])
    #expect(try places("<meta name=a><p>x<meta name=b>") == [true, false])
  }

  @Test(
    "what only looks like a tag is none",
    arguments: [
      "<!-- <meta name=a> -->", "<script>'<meta name=a>'</script>", "<style><meta name=a></style>",
      "<title><meta name=a></title>", "<textarea><meta name=a></textarea>",
      "<template><meta name=a></template>", "<noscript><meta name=a></noscript>",
      "<iframe><meta name=a></iframe>", "&lt;meta name=a>", "<metal name=a>", "<p title='<meta>'>",
    ])
  func noTags(text: String) throws {
    let page = try page("<body>\(text)<meta name=real>")
    #expect(page.metas.map(\.attributes) == [["name": "real"]])
  }

  @Test("what is no page, no UTF-8 or no text has no tags and does no harm")
  func others() throws {
    for bytes: [UInt8] in [
      [], [0], [0xFF, 0xFE, 0x3C, 0x00], Array("{}".utf8), [UInt8](repeating: 0x3C, count: 5000),
    ] {
      #expect(try WebPage(bytes).metas == [])
    }
    let latin = Array("<meta name=a content='caf".utf8) + [0xE9] + Array("'>".utf8)
    #expect(try WebPage(latin).metas.first?.attributes["content"] == "caf\u{FFFD}")
    let marked = try WebPage([0xEF, 0xBB, 0xBF] + Array("<meta charset=utf-16><meta a=ü>".utf8))
    #expect(marked.metas.map(\.column) == [1, 22])
    #expect(marked.metas.last?.attributes == ["a": "ü"])
    let zero = Array("<meta name=a content='x\0y'>".utf8)
    #expect(try WebPage(zero).metas.first?.attributes["content"] == "x\u{FFFD}y")
  }

  @Test("a page that is too large, too deep or too full is read up to there, and says so")
  func limits() throws {
    let tag = "<meta name=a>"
    let large = try page(tag + String(repeating: " ", count: WebPage.maximumSize) + tag)
    #expect(large.isCut && large.metas.count == 1)
    let deep = try page(tag + String(repeating: "<b>", count: 50_000) + tag)
    #expect(deep.isCut && deep.metas.count == 1)
    let full = try page(String(repeating: "<meta name=a>", count: 1500))
    #expect(full.isCut && full.metas.count == WebPage.maximumTags)
  }

  @Test("a page of hundreds of kilobytes has its tags at their places")
  func manyLines() throws {
    let lines = String(repeating: "<p>text</p>\n", count: 10_000)
    let page = try page(lines + "  <meta name=a>\n" + lines.prefix(1200) + "<meta name=b>")
    #expect(page.metas.map(\.line) == [10_001, 10_102])
    #expect(page.metas.map(\.column) == [3, 1])
  }
}
