import Invocation
import Testing

@Suite("Making association files")
struct SiteAssociationFileTests {
  private func clip(_ name: String, domains: [String] = ["example.com"]) -> AppClip {
    AppClip(
      bundleID: "com.example.\(name).Clip", appBundleID: "com.example.\(name)", team: "ABCDE12345",
      domains: domains)
  }

  private func merge(_ text: String) throws -> SiteAssociationFile {
    try SiteAssociationFile(
      listing: [clip("fruta")], on: "example.com", keeping: Array(text.utf8))
  }

  @Test("a new file lists the clips of its host, each once, in one order")
  func new() throws {
    let clips = [clip("b"), clip("a"), clip("b"), clip("c", domains: ["other.example"])]
    let file = try SiteAssociationFile(listing: clips, on: "example.com")
    #expect(
      file.text == """
        {
          "appclips": {
            "apps": [
              "ABCDE12345.com.example.a.Clip",
              "ABCDE12345.com.example.b.Clip"
            ]
          }
        }

        """)
    #expect(try SiteAssociationFile(listing: clips.reversed(), on: "example.com") == file)
    let reading = SiteAssociation.read(file.text)
    #expect(reading.findings == [])
    let association = try #require(reading.association)
    for clip in clips.prefix(2) {
      #expect(SiteAssociationCheck(host: "example.com", clip: clip).isListed(in: association))
    }
  }

  @Test("everything in an existing file is kept, in its order")
  func keeps() throws {
    let file = try merge(
      #"""
      { "x-own": [1, -2.5, 1e3, true, null, {}, [], "a\"\u0007\\é😀/"],
        "appclips": { "note": "ours", "apps": ["ZZZZZ12345.com.other.Clip"], "z": 0 },
        "applinks": { "details": [] } }
      """#)
    #expect(file.added == ["ABCDE12345.com.example.fruta.Clip"])
    #expect(
      file.text == #"""
        {
          "x-own": [
            1,
            -2.5,
            1000,
            true,
            null,
            {},
            [],
            "a\"\u0007\\é😀/"
          ],
          "appclips": {
            "note": "ours",
            "apps": [
              "ZZZZZ12345.com.other.Clip",
              "ABCDE12345.com.example.fruta.Clip"
            ],
            "z": 0
          },
          "applinks": {
            "details": []
          }
        }

        """#)
  }

  @Test("a file without appclips gets it at its end")
  func appends() throws {
    let file = try merge(#"{"webcredentials": {"apps": []}}"#)
    #expect(file.text.contains("  },\n  \"appclips\": {\n    \"apps\": ["))
  }

  @Test("a file that lists the clips already stays as it is, to the byte; making it again too")
  func unchanged() throws {
    let text = "\u{FEFF}{ \"appclips\" : {\"apps\":[\"ABCDE12345.com.example.fruta.Clip\"] }}"
    let file = try merge(text)
    #expect(file.added == [])
    #expect(Array(file.text.utf8) == Array(text.utf8))
    let made = try merge("{}")
    #expect(try merge(made.text).text == made.text)
  }

  @Test(
    "a file that cannot be kept faithfully is refused at its place",
    arguments: [
      ("[]", 1, 1), ("{\n  \"a\": }", 2, 8), (#"{"a": 1, "a": 2}"#, 1, 10),
      (#"{"appclips": []}"#, 1, 14), (#"{"appclips": {"apps": "x"}}"#, 1, 23),
      (#"{"id": 9007199254740993}"#, 1, 8), ("-----BEGIN CMS-----", 1, 1),
      ("{ \"a\": 1 }\u{0}", 1, 11),
    ])
  func refused(text: String, line: Int, column: Int) {
    do {
      _ = try merge(text)
      Issue.record("was not refused")
    } catch let error as SiteAssociationFileError {
      #expect(error.position == DocumentPosition(line: line, column: column))
      #expect(error.description.hasPrefix("\(line):\(column): "))
      #expect(!error.description.contains(".;"))
    } catch {
      Issue.record("\(error)")
    }
  }

  @Test("no clip on the host, and a file that iOS would not read, are refused")
  func impossible() {
    #expect(throws: SiteAssociationFileError.self) {
      try SiteAssociationFile(listing: [clip("fruta")], on: "www.example.com")
    }
    let long = "{\"a\": \"" + String(repeating: "x", count: SiteAssociation.maximumSize) + "\"}"
    #expect(throws: SiteAssociationFileError.self) { try merge(long) }
  }
}
