import Foundation
import Invocation
import Registry
import Testing

@testable import Auditing

@Suite("What a walk's report says")
struct WalkWordsTests {
  private typealias Make = WalkReports

  private func codes(_ count: Int) -> [IssuedCode] {
    (0..<count).map { Make.code("https://fruta.example.com/\($0)") }
  }

  private func report(
    expected: Int, missing: Int = 0, wrong: Int = 0, doubtful: Int = 0
  ) -> WalkReport {
    let wrong = (0..<wrong).map {
      Make.item(.retiredCode, .error, stop: Make.stop($0 + 1), reading: 0)
    }
    let doubtful = (0..<doubtful).map { Make.item(stop: Make.stop($0 + 100), reading: 0) }
    let absent = codes(missing).map { Make.item(.missingCode, .error, code: $0) }
    return Make.report(sections: [
      Make.section(
        Make.place("a"), expected: expected, seen: expected - missing, missing: codes(missing),
        items: absent + wrong + doubtful)
    ])
  }

  @Test("the answer counts what hangs, what is missing and what is wrong, in whole sentences")
  func answers() {
    #expect(
      report(expected: 40, missing: 3, wrong: 2).answer
        == "37 of 40 codes hang where they belong; 3 are missing. Besides, 2 things are wrong.")
    #expect(
      report(expected: 1_200, missing: 1, wrong: 1, doubtful: 1).answer
        == "1,199 of 1,200 codes hang where they belong; 1 is missing. Besides, 1 thing is wrong and "
        + "1 thing needs a look."
    )
    #expect(report(expected: 3).answer == "All 3 codes hang where they belong.")
    #expect(
      report(expected: 3, wrong: 2).answer
        == "All 3 codes hang where they belong, but 2 things are wrong.")
    #expect(report(expected: 1).answer == "The one code that should hang there does.")
    #expect(Make.report(stops: 0, period: nil).answer == "Nothing was read.")
    #expect(
      Make.report(stops: 5).answer
        == "5 codes of ours were read, at no place where codes should hang.")
  }

  @Test("the answer does not claim a place for a code that was read nobody knows where")
  func unconfirmed() {
    func report(expected: Int, confirmed: Int, unconfirmed: Int) -> WalkReport {
      let missing = codes(expected - confirmed - unconfirmed)
      return Make.report(sections: [
        .init(
          place: Make.place("a"), expected: expected, seen: confirmed + unconfirmed,
          unconfirmed: codes(unconfirmed), isCertain: confirmed > 0, stops: 1, missing: missing,
          items: [Make.item(.unconfirmedPlace)])
      ])
    }
    #expect(
      report(expected: 17, confirmed: 0, unconfirmed: 6).answer
        == "None of 17 codes is confirmed where it belongs; 11 were not read and 6 were read and "
        + "their place is not confirmed.")
    #expect(
      report(expected: 3, confirmed: 1, unconfirmed: 1).answer
        == "1 of 3 codes hangs where it belongs; 1 is missing and 1 was read and its place is not "
        + "confirmed.")
    let figures = ReportOutline(of: report(expected: 17, confirmed: 0, unconfirmed: 6)).figures
    #expect(figures.map(\.count) == [0, 6, 0, 11, 0, 0, 0, 0])
    #expect(figures[0].standing == .warning && figures[3].standing == .warning)
  }

  @Test("a reading with two errors and a warning is one thing that is wrong")
  func eachReadingOnce() {
    let stop = Make.stop(1, readings: [Make.reading(), Make.reading()])
    let report = Make.report(sections: [
      Make.section(
        nil,
        items: [
          Make.item(.retiredCode, .error, stop: stop, reading: 0),
          Make.item(.wrongPlace, .error, stop: stop, reading: 0),
          Make.item(.wornPrint, .warning, stop: stop, reading: 0),
          Make.item(.wornPrint, .warning, stop: stop, reading: 1),
        ])
    ])
    #expect(report.wrongCount == 1 && report.doubtfulCount == 1)
  }

  @Test("money comes before everything, then what is wrong, missing, dead and worn")
  func urgency() {
    let kinds: [(Finding.Code, Finding.Severity)] = [
      (.wornPrint, .warning), (.inactiveExperience, .error), (.missingCode, .error),
      (.wrongPlace, .error), (.phishingCode, .error),
    ]
    let section = Make.section(nil, items: kinds.map { Make.item($0.0, $0.1) })
    #expect(section.groups.map(\.code) == kinds.reversed().map(\.0))
    let report = Make.report(sections: [section])
    #expect(report.answer.hasPrefix("1 foreign code for payments or phishing hangs there: photo"))
  }

  @Test(
    "a foreign code is a threat if it asks for money or imitates our host",
    arguments: [
      ("BCD\n002\n1\nSCT\n\nFruta\nDE02120300000000202051\nEUR5", "payment"),
      ("SPC\r\n0200\r\n1\r\nCH4431999123000889012", "payment"),
      ("00020126360014BR.GOV.BCB.PIX0114+5561912345678", "payment"),
      ("upi://pay?pa=shop@bank&am=5", "payment"), ("UPNQR\n\n\n\n", "payment"),
      ("SPD*1.0*ACC:CZ5855000000001265098001*AM:480.50", "payment"),
      ("bitcoin:bc1qar0srrr7xfkvy5l643lydnw9re59gtzzwf5mdq", "payment"),
      ("bc1qar0srrr7xfkvy5l643lydnw9re59gtzzwf5mdq", "payment"),
      ("ethereum:0x71C7656EC7ab88b098defB751B7401B5f6d8976F", "payment"),
      ("0x71C7656EC7ab88b098defB751B7401B5f6d8976F", "payment"),
      ("LNURL1DP68GURN8GHJ7UM9WFMXJCM99E3K7MF0", "payment"),
      ("https://paypal.me/fruta/5", "payment"), ("https://venmo.com/u/fruta", "payment"),
      ("https://cash.app/$fruta", "payment"), ("https://buy.stripe.com/test_8wM", "payment"),
      ("https://parking.example.net/bezahlen?ort=4", "payment"),
      ("https://easypay.example.net/", "payment"), ("https://parkbezahlen.example/a", "payment"),
      ("https://example.net/login", "payment"), ("https://example.net/?action=pay", "payment"),
      ("https://fruta.example.com.example.net/order", "imitation"),
      ("https://fruta.exampie.com/order", "imitation"),
      ("https://fruta.examp1e.com/order", "imitation"),
      ("https://fruta-example.com/order", "imitation"),
      ("https://fruta.example.net/order", "imitation"),
      ("https://fruta.example.com@example.net/", "imitation"),
      ("https://example.net/fruta.example.com/order", "imitation"),
      // Cyrillic letters, as they are and as a registrar writes them.
      ("https://frut\u{430}.example.com/order", "imitation"),
      ("https://xn--frut-83d.example.com/order", "imitation"),
      ("https://frut\u{E1}.example.com/order", "imitation"),
      ("https://fruta.example.com/pay", nil), ("https://menu.fruta.example.com/pay", nil),
      ("https://fruta.example.com", nil), ("4006381333931", "text"),
      ("https://example.net/menu", "link"), ("https://example.com/", "link"),
      ("https://papaya.example/menu?login=guest", "link"),
      ("https://girona-tapas.example/carta", "link"), ("https://saveurs-du-pays.example/", "link"),
      ("https://fashion.example/stripes", "link"), ("www.example.net", "link"),
      ("https://www.instagram.com/fruta.example", "link"),
      ("WIFI:S:Fruta;T:WPA;P:payment;;", "text"), ("BEGIN:VCARD\nN:Jo\nEND:VCARD", "text"),
      ("tel:+491234567", "text"), ("geo:37.3,-122.03", "text"), ("Table 12", "text"),
    ] as [(String, String?)])
  func foreignCodes(payload: String, kind: String?) {
    let found =
      switch ForeignCode(payload, on: .qr, amid: ["fruta.example.com"]) {
      case .payment?: "payment"
      case .imitation?: "imitation"
      case .link?: "link"
      case .text?: "text"
      case nil: String?.none
      }
    #expect(found == kind)
    #expect(ForeignCode(payload, on: .barcode, amid: []) == nil)
  }

  @Test("stops of one walk are numbers, those of several have the letter of their walk")
  func stopNames() {
    let walks = (0..<30).map { _ in
      Walk(name: "Autumn", who: "Ada", started: Make.start, recorder: Recorder())
    }
    #expect(Make.report(walks: [walks[0]]).stopName(7, of: walks[0].id) == "7")
    let report = Make.report(walks: walks)
    #expect(report.stopName(7, of: walks[1].id) == "B7")
    #expect(report.stopName(7, of: walks[27].id) == "AB7")
  }

  @Test("a period is told in days of UTC, each part once")
  func days() throws {
    func days(_ first: String, _ last: String) throws -> String? {
      let (first, last) = (
        try Date(first, strategy: .iso8601), try Date(last, strategy: .iso8601)
      )
      return Make.report(period: first...last).days
    }
    #expect(try days("2026-11-03T23:59:59Z", "2026-11-03T23:59:59Z") == "3 November 2026")
    #expect(try days("2026-11-03T00:00:00Z", "2026-11-04T00:00:00Z") == "3–4 November 2026")
    #expect(
      try days("2026-10-31T00:00:00Z", "2026-11-01T00:00:00Z")
        == "31 October – 1 November 2026")
    #expect(
      try days("2026-12-31T23:00:00Z", "2027-01-01T01:00:00Z")
        == "31 December 2026 – 1 January 2027")
  }

  @Test("days and times are those of the time zone that the report names")
  func localTime() throws {
    let zone = try #require(TimeZone(identifier: "Europe/Berlin"))
    let night = try Date("2026-11-03T23:30:00Z", strategy: .iso8601)
    let report = Make.report(period: night...night, timeZone: zone)
    #expect(report.days == "4 November 2026")
    #expect(report.time(night) == "2026-11-04 00:30:00")
    #expect(report.timeZoneName == "Europe/Berlin (UTC+01:00)")
    let summer = try Date("2026-07-01T00:00:00Z", strategy: .iso8601)
    // The clocks were changed in between.
    #expect(Make.report(period: summer...night, timeZone: zone).timeZoneName == "Europe/Berlin")
    #expect(Make.report().timeZoneName == "UTC")
    let html = try Make.html(Make.report(period: night...night, timeZone: zone))
    #expect(html.contains("Days and times are in Europe/Berlin (UTC+01:00)."))
  }

  @Test("findings of one kind stand together, the gravest kind first")
  func groups() {
    let section = Make.section(
      nil,
      items: [
        Make.item(.wornPrint, .warning), Make.item(.retiredCode, .error),
        Make.item(.wornPrint, .warning), Make.item(.missingCode, .error),
      ])
    #expect(section.groups.map(\.code) == [.retiredCode, .missingCode, .wornPrint])
    #expect(section.groups.map(\.jobs.count) == [1, 1, 2])
  }

  @Test("every finding of a walk has a heading and says what to do")
  func advice() {
    let codes: [Finding.Code] = [
      .missingCode, .retiredCode, .unissuedCode, .foreignUID, .overwrittenTag, .unlockedTag,
      .wornPrint, .signDisagrees, .copiedCode, .wrongPlace, .unreadSymbol, .unconfirmedPlace,
      .swappedCodes, .movedCode, .hungTwice, .phishingCode, .foreignCode,
    ]
    for code in codes {
      #expect(code.advice?.isEmpty == false, "\(code)")
      #expect(!code.title.contains("-"), "\(code)")
    }
    #expect(Finding.Code(rawValue: "default-only").title == "Default only")
  }
}
