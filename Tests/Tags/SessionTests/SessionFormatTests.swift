import Foundation
import TagTypes
import Testing

/// The format of recorded sessions.
@Suite("The format of recorded sessions") struct SessionFormatTests {
  private static let good = """
    id: '1'
    kind: recorded
    device: 'a reader''s name'
    tag: "NTAG213 \\"blank\\""
    layer: tag-layer
    simulate: {kind: ntag213, uid: '04'}
    steps:
      - {host: '30 00'}
    """.replacing("30 00", with: "3000")

  @Test("a session is written as it was read")
  func roundTrip() throws {
    for session in try SessionRecords.all.get().sessions {
      #expect(try RecordedSession(parsing: session.text) == session, "\(session.id)")
    }
    let session = try RecordedSession(parsing: Self.good)
    #expect(session.device == "a reader's name" && session.tag == "NTAG213 \"blank\"")
    #expect(session.simulated == ["kind": "ntag213", "uid": "04"])
  }

  @Test(
    "a mistake is named with its line",
    arguments: [
      ("layer: tag-layer", "layer: radio", "radio is no layer"),
      ("layer: tag-layer\n", "", "layer is missing"),
      ("kind: recorded", "sort: recorded", "line 2: sort is no key"),
      ("kind: recorded", "id: '2'", "line 2: id is there twice"),
      ("{host: '3000'}", "{host: '300'}", "line 8: \"300\" is not pairs"),
      ("{host: '3000'}", "{host: ''}", "line 8: the program sends"),
      ("{host: '3000'}", "{host: '3000', device: '00'}", "line 8: a step has either"),
      ("{host: '3000'}", "{host: '3000'", "line 8"),
      ("{host: '3000'}", "{host: '3000', when: 1}", "line 8: when is no key"),
      ("{host: '3000'}", "{host: '3000', at: soon}", "line 8: \"soon\" is not a number"),
      ("'a reader''s name'", "'a reader", "line 3: a closing quotation mark"),
      ("  - {host: '3000'}", "", "it has no steps"),
      ("steps:", "stages", "line 7: neither"),
    ])
  func mistakes(old: String, new: String, words: String) {
    let mistake = #expect(throws: RecordedSession.Mistake.self) {
      try RecordedSession(parsing: Self.good.replacing(old, with: new))
    }
    #expect(mistake.map { "\($0)" }?.contains(words) == true, "\(mistake?.description ?? "")")
  }
}
