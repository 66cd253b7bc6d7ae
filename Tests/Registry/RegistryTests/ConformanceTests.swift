import CliptagBasics
import Foundation
import Invocation
@testable import Registry
import RegistryFixtures
import Testing

/// The requirements for every store, independent of its engine.
@Suite("Stores")
struct ConformanceTests {
  let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  @Test("an empty registry knows nothing", arguments: StoreKind.allCases)
  func empty(kind: StoreKind) throws {
    let store = try kind.make(in: folder)
    #expect(try store.counts() == RegistryCounts())
    #expect(try store.document() == RegistryDocument())
    #expect(try store.clips(associatedWith: "fruta.example.com") == [])
    #expect(try store.experiences(host: "fruta.example.com", foldedKeys: ["/"]) == [])
    #expect(try store.place(id: "cupertino") == nil)
    #expect(store.schemaVersion == 19)
  }

  @Test("what is added is found by every key it has", arguments: StoreKind.allCases)
  func found(kind: StoreKind) throws {
    let store = try kind.make(in: folder)
    let order = try Fixtures.experience("https://FRUTA.example.com/Order?a=1")
    try store.add(Fixtures.clip)
    try store.add(Fixtures.cupertino)
    try store.add(order)
    #expect(try store.clip(bundleID: "com.example.fruta.Clip") == Fixtures.clip)
    #expect(try store.clips(associatedWith: "appclip.example.com") == [Fixtures.clip])
    #expect(try store.clips(associatedWith: "example.com") == [])
    #expect(try store.place(id: "cupertino") == Fixtures.cupertino)
    let keys: Set = ["/", "/order?a=1", "/order"]
    #expect(try store.experiences(host: "fruta.example.com", foldedKeys: keys) == [order])
    #expect(try store.experiences(host: "fruta.example.com", foldedKeys: ["/order"]) == [])
    #expect(try store.experiences(host: "appclip.example.com", foldedKeys: keys) == [])
    let link = try InvocationURL("https://fruta.example.com/Order?a=1")
    #expect(try store.experience(link: link) == order)
    #expect(
      try store.counts() == RegistryCounts(clips: 1, experiences: 1, places: 1, codes: 0))
  }

  @Test("links that differ by case alone are two experiences", arguments: StoreKind.allCases)
  func caseVariants(kind: StoreKind) throws {
    let store = try kind.make(in: folder)
    try store.add(Fixtures.clip)
    let upper = try Fixtures.experience("https://fruta.example.com/A")
    let lower = try Fixtures.experience("https://fruta.example.com/a")
    try store.add(lower)
    try store.add(upper)
    #expect(try store.experiences(host: "fruta.example.com", foldedKeys: ["/a"]) == [upper, lower])
  }

  @Test("a lookup takes more keys than a URL can have prefixes", arguments: StoreKind.allCases)
  func manyKeys(kind: StoreKind) throws {
    let store = try kind.make(in: folder)
    try store.add(Fixtures.clip)
    let order = try Fixtures.experience("https://fruta.example.com/order")
    try store.add(order)
    let keys = Set((0..<3_000).map { "/k\($0)" } + ["/order"])
    #expect(try store.experiences(host: "fruta.example.com", foldedKeys: keys) == [order])
  }

  @Test("ids are compared byte for byte", arguments: StoreKind.allCases)
  func bytes(kind: StoreKind) throws {
    let store = try kind.make(in: folder)
    let composed = Fixtures.place("caf\u{E9}", 1, 1)
    let decomposed = Fixtures.place("cafe\u{301}", 2, 2)
    try store.add(composed)
    #expect(try store.place(id: decomposed.id) == nil)
    try store.add(decomposed)
    #expect(try store.counts().places == 2)
    try store.removePlace(id: composed.id)
    #expect(try store.places().map(\.region) == [decomposed.region])
  }

  @Test("a zero byte ends no text: what is looked up with one is not found, and no code has one")
  func zeroBytes() throws {
    for kind in StoreKind.allCases {
      let store = try kind.make(in: folder)
      try store.add(Fixtures.cupertino)
      try store.issue(Fixtures.code(1, "https://a.example.com/"), by: "Ada")
      for tail in ["\0", "\0x", "\0\0"] {
        #expect(try store.place(id: "cupertino" + tail) == nil)
        let url = "https://a.example.com/" + tail
        #expect(try store.codes(CodeFilter(payload: url)).isEmpty)
        let error = #expect(throws: RegistryError.self) {
          try store.issue(Fixtures.code(2, url), by: "Ada")
        }
        #expect(error?.code == .invalid)
      }
      #expect(try store.codes().count == 1)
    }
  }

  @Test("every text is kept whole, with any character, and equals no other", arguments: 0..<20)
  func anyText(seed: UInt64) throws {
    var generator = SeededGenerator(seed: seed)
    let alphabet = ["\0", "0", "\u{FFFF}", "\u{FFFE}", "\u{FF10}", "\u{301}", "é", "x"]
    let texts = (0..<40).map { _ in
      (0..<Int.random(in: 0...6, using: &generator))
        .map { _ in alphabet.randomElement(using: &generator) ?? "" }.joined()
    }
    for kind in StoreKind.allCases {
      let store = try kind.make(in: folder)
      let walk = try store.begin("w", by: "jo", at: Fixtures.noon)
      for (index, text) in texts.enumerated() {
        try store.add(
          WalkStop(
            walk: walk.id, number: index + 1, time: Fixtures.noon, kind: .scanner, source: text,
            readings: [
              WalkReading(
                carrier: .qr, payload: text, placeID: text, verdict: .rejected, state: .malformed,
                findings: [])
            ]), by: "jo")
      }
      let stops = try store.stops(of: walk.id)
      for (text, stop) in zip(texts, stops) {
        let kept = [stop.source, stop.readings[0].payload, stop.readings[0].placeID ?? "-"]
        #expect(kept.allSatisfy { $0.utf8.elementsEqual(text.utf8) }, "\(Array(text.utf8))")
      }
    }
  }

  @Test(
    "a place keeps its language and regions, and may have more or fewer regions",
    arguments: StoreKind.allCases)
  func severalRegions(kind: StoreKind) throws {
    let store = try kind.make(in: folder)
    let several = Fixtures.severalRegions("cupertino", 37.3230, -122.0322)
    try store.add(several)
    #expect(try store.place(id: "cupertino") == several)
    try store.replace(Fixtures.cupertino)
    #expect(try store.place(id: "cupertino") == Fixtures.cupertino)
    try store.replace(several)
    #expect(try store.places() == [several])
    for format in RegistryDocument.Format.allCases {
      let text = try store.document().text(as: format)
      let elsewhere = try TemporaryFolder()
      let other = try kind.make(in: elsewhere)
      _ = try other.importDocument(Data(text.utf8), as: format)
      #expect(try other.places() == [several])
    }
  }

  @Test("nothing is added twice", arguments: StoreKind.allCases)
  func twice(kind: StoreKind) throws {
    let store = try kind.make(in: folder)
    try store.add(Fixtures.clip)
    try store.add(Fixtures.cupertino)
    try store.add(try Fixtures.experience("https://fruta.example.com/order"))
    let exists = RegistryError(.alreadyExists, "", hint: "")
    #expect(throws: exists) { try store.add(Fixtures.clip) }
    #expect(throws: exists) { try store.add(Fixtures.cupertino) }
    #expect(throws: exists) {
      try store.add(try Fixtures.experience("https://FRUTA.example.com/order#x"))
    }
  }

  @Test("only what is there is replaced", arguments: StoreKind.allCases)
  func replacing(kind: StoreKind) throws {
    let store = try kind.make(in: folder)
    let missing = RegistryError(.notFound, "", hint: "")
    let order = try Fixtures.experience("https://fruta.example.com/order", title: "New")
    #expect(throws: missing) { try store.replace(Fixtures.clip) }
    #expect(throws: missing) { try store.replace(Fixtures.cupertino) }
    #expect(throws: missing) { try store.replace(order) }
    try store.add(Fixtures.clip)
    try store.add(try Fixtures.experience("https://fruta.example.com/order"))
    try store.replace(order)
    #expect(try store.experiences() == [order])
    let plain = AppClip(
      bundleID: Fixtures.clip.bundleID, appBundleID: Fixtures.clip.appBundleID, team: "ABCDE12345",
      domains: ["fruta.example.com"], locationConfirmation: false)
    try store.replace(plain)
    #expect(try store.clips() == [plain])
    #expect(try store.clips(associatedWith: "appclip.example.com") == [])
    #expect(try store.experiences() == [order])
  }

  @Test("an experience needs its clip and its place", arguments: StoreKind.allCases)
  func references(kind: StoreKind) throws {
    let store = try kind.make(in: folder)
    let link = "https://fruta.example.com/order"
    #expect(throws: RegistryError(.unknownClip, "", hint: "")) {
      try store.add(try Fixtures.experience(link))
    }
    try store.add(Fixtures.clip)
    #expect(throws: RegistryError(.unknownPlace, "", hint: "")) {
      try store.add(try Fixtures.experience(link, place: .fixed(id: "cupertino")))
    }
    #expect(try store.experiences() == [])
  }

  @Test("what a file could not hold is not added", arguments: StoreKind.allCases)
  func rules(kind: StoreKind) throws {
    let store = try kind.make(in: folder)
    try store.add(Fixtures.clip)
    let invalid = RegistryError(.invalid, "", hint: "")
    #expect(throws: invalid) {
      try store.add(
        try Fixtures.experience(
          "https://fruta.example.com/x", title: String(repeating: "x", count: 31)))
    }
    #expect(throws: invalid) { try store.add(Fixtures.place("with/slash", 1, 1)) }
    #expect(throws: invalid) {
      try store.add(
        AppClip(
          bundleID: "com.example.other", appBundleID: "com.example.fruta", team: "ABCDE12345",
          domains: [], locationConfirmation: false))
    }
    #expect(try store.counts() == RegistryCounts(clips: 1))
  }

  @Test("a clip in use goes only with its experiences", arguments: StoreKind.allCases)
  func removingClip(kind: StoreKind) throws {
    let store = try kind.make(in: folder)
    try store.add(Fixtures.clip)
    try store.add(try Fixtures.experience("https://fruta.example.com/order"))
    #expect(throws: RegistryError(.inUse, "", hint: "")) {
      try store.removeClip(bundleID: Fixtures.clip.bundleID)
    }
    let report = try store.removeClip(bundleID: Fixtures.clip.bundleID, evenIfInUse: true)
    #expect(report.experiences == ["https://fruta.example.com/order"])
    #expect(try store.counts() == RegistryCounts())
    #expect(throws: RegistryError(.notFound, "", hint: "")) {
      try store.removeClip(bundleID: Fixtures.clip.bundleID)
    }
  }

  @Test("a place in use goes only on demand, and rules let go of it", arguments: StoreKind.allCases)
  func removingPlace(kind: StoreKind) throws {
    let store = try kind.make(in: folder)
    try store.add(Fixtures.clip)
    try store.add(Fixtures.cupertino)
    let link = "https://fruta.example.com/order1"
    try store.add(try Fixtures.experience(link, place: .fixed(id: "cupertino")))
    try store.issue([Fixtures.code(1, place: "cupertino")], by: "test")
    #expect(throws: RegistryError(.inUse, "", hint: "")) {
      try store.removePlace(id: "cupertino")
    }
    let report = try store.removePlace(id: "cupertino", evenIfInUse: true)
    #expect(report == RemovalReport(experiences: [link], codes: 1))
    #expect(try store.experiences() == [Fixtures.experience(link)])
    #expect(try store.codes().map(\.placeID) == ["cupertino"])
  }

  @Test("a place that goes takes nothing else of its experiences", arguments: StoreKind.allCases)
  func listingStays(kind: StoreKind) throws {
    let store = try kind.make(in: folder)
    try store.add(Fixtures.clip)
    try store.add(Fixtures.cupertino)
    var experience = try Fixtures.experience(
      "https://fruta.example.com/order1", place: .fixed(id: "cupertino"))
    experience.listing.identifier = "77"
    experience.listing.isPoweredBy = true
    try store.add(experience)
    try store.removePlace(id: "cupertino", evenIfInUse: true)
    experience.place = nil
    #expect(try store.experiences() == [experience])
  }

  @Test("a place whose codes are all retired is not in use", arguments: StoreKind.allCases)
  func retiredCodesLetGo(kind: StoreKind) throws {
    let store = try kind.make(in: folder)
    try store.add(Fixtures.cupertino)
    let code = Fixtures.code(1, place: "cupertino")
    try store.issue([code], by: "test")
    try store.retire(code.id, at: Fixtures.noon, by: "test")
    #expect(try store.removePlace(id: "cupertino") == RemovalReport())
  }

  @Test("a transaction that fails changes nothing", arguments: StoreKind.allCases)
  func rollback(kind: StoreKind) throws {
    let store = try kind.make(in: folder)
    #expect(throws: RegistryError(.notFound, "", hint: "")) {
      try store.write { registry in
        try registry.add(Fixtures.clip)
        try registry.add(Fixtures.cupertino)
        try registry.removePlace(id: "elsewhere")
      }
    }
    #expect(try store.counts() == RegistryCounts())
  }

  @Test("a reading transaction cannot change anything", arguments: StoreKind.allCases)
  func readOnly(kind: StoreKind) throws {
    let store = try kind.make(in: folder)
    #expect(throws: RegistryError(.readOnly, "", hint: "")) {
      try store.read { registry in try registry.add(Fixtures.clip) }
    }
  }
}
