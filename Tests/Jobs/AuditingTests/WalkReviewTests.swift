@testable import Auditing
import Foundation
import Invocation
import Registry
import Testing

/// The contents of a report of walks.
@Suite("Review of walks")
struct WalkReviewTests {
  @Test("a code that was issued for a visited place and not read there is missing")
  func missing() throws {
    let world = try World()
    let (hung, gone) = (try world.issue(at: "a"), try world.issue(at: "a"))
    let tag = try world.issue(at: "a", uid: "04AA")
    let retired = try world.issue(at: "a")
    try world.registry.retire(retired.id, at: World.noon, by: "me")
    _ = try world.issue(at: "b")
    try world.walk.stop(at: World.a, [world.read(hung)])
    let report = try world.report()
    let section = try #require(report.sections.first)
    #expect(report.sections.count == 1 && section.place?.id == "a")
    #expect(section.expected == 3 && section.seen == 1 && section.stops == 1)
    #expect(section.missing.map(\.id) == [gone.id, tag.id])
    try #require(section.items.map(\.finding.code) == [.missingCode, .missingCode])
    #expect(section.items.allSatisfy { $0.finding.severity == .error && $0.stop == nil })
    #expect(section.items[0].finding.message.contains("sign-2.svg"))
    #expect(section.items[0].finding.message.contains("never met since"))
    #expect(section.items[1].finding.message.contains("the tag 04AA"))
    #expect(report.unvisited.map(\.id) == ["b"])
    #expect(report.count(of: .error) == 2 && report.seenCount == 1 && report.expectedCount == 3)
  }

  @Test(
    "of two prints of one code, as many were seen as one picture shows; the words say at least",
    arguments: [
      ([1], "1 of 2 seen", Finding.Severity.warning, 1),
      ([1, 1], "at least 1 of 2 seen", .note, 1), ([2], nil, .note, 2), ([1, 2], nil, .note, 2),
    ] as [([Int], String?, Finding.Severity, Int)])
  func prints(pictures: [Int], words: String?, severity: Finding.Severity, seen: Int) throws {
    let world = try World()
    let code = try world.issue(at: "a")
    try world.registry.reissue(
      IssuedCode(
        id: code.id, payload: code.payload, carrier: .qr, placeID: "a", created: code.created,
        registered: true, output: "counter.pdf"), at: code.created, by: "me")
    for count in pictures {
      try world.walk.stop(at: World.a, (0..<count).map { _ in world.read(code) })
    }
    let report = try world.report()
    let section = try #require(report.sections.first)
    let items = section.items.filter { $0.finding.code == .printsNotSeen }
    #expect(items.map(\.finding.severity) == (words == nil ? [] : [severity]))
    if let words {
      #expect(items.first?.finding.message.contains(words) == true)
      #expect(items.first?.finding.message.contains("counter.pdf") == true)
    }
    #expect(section.expected == 1 && section.seen == 1)
    #expect(section.pieces == (2, seen))
  }

  @Test("whoever looks for a missing code is told when it was last met")
  func lastMet() throws {
    let world = try World()
    let (hung, gone) = (try world.issue(at: "a"), try world.issue(at: "a"))
    let met = World.noon.addingTimeInterval(-86_400)
    try world.registry.record(.read, of: gone.id, at: met, by: "me")
    try world.walk.stop(at: World.a, [world.read(hung)])
    let message = try #require(try world.report().sections.first?.items.first?.finding.message)
    #expect(message.contains("last met on \(met.registryTimestamp.prefix(10))"))
  }

  @Test("nobody misses a code that was issued after the last stop at its place")
  func issuedLater() throws {
    let world = try World()
    let hung = try world.issue(at: "a")
    try world.walk.stop(at: World.a, [world.read(hung)])
    _ = try world.issue(at: "a", World.noon.addingTimeInterval(9_999))
    let section = try #require(try world.report().sections.first)
    #expect(section.expected == 1 && section.seen == 1 && section.missing == [])
  }

  @Test("a code that was read at another place only is not missing where it belongs, but fetched")
  func elsewhere() throws {
    let world = try World()
    let (mine, swapped) = (try world.issue(at: "a"), try world.issue(at: "a"))
    try world.walk.stop(at: World.a, [world.read(mine)])
    try world.walk.stop(at: World.b, [world.read(swapped, verdict: .rejected)])
    let report = try world.report()
    let home = try #require(report.sections.first { $0.place?.id == "a" })
    #expect(home.missing.isEmpty && home.items.map(\.finding.code) == [.movedCode])
    #expect(home.items.first?.finding.message.contains("read at “Fruta b”, fetch it") == true)
    #expect(home.sum.confirmed == 1 && home.sum.wrong == 1 && home.sum.all == 2)
    let other = try #require(report.sections.first { $0.place?.id == "b" })
    #expect(other.expected == 0 && other.seen == 0 && other.stops == 1)
  }

  @Test("a foreign code where ours was carried off is an error, as where ours is missing")
  func carriedOff() throws {
    for isCarriedOff in [true, false] {
      let world = try World()
      let mine = try world.issue(at: "a")
      try world.walk.stop(
        at: World.a, [world.read(nil, payload: "https://other.example.net/77", verdict: .rejected)])
      if isCarriedOff {
        try world.walk.stop(at: World.b, [world.read(mine, verdict: .rejected)])
      }
      let item = try #require(
        try world.report().sections.flatMap(\.items).first { $0.finding.code == .foreignCode })
      #expect(item.finding.severity == .error)
      #expect(item.finding.message.contains(mine.id.description))
      #expect(!item.finding.message.contains("eave it"))
    }
  }

  @Test("somebody else's tag with our payload does not stand for ours")
  func foreignTag() throws {
    let world = try World()
    let tag = try world.issue(at: "a", uid: "04AA")
    try world.walk.stop(
      at: World.a, [world.read(tag, uid: "04BB", [Finding(.foreignUID, .error, "")])])
    let foreign = try #require(try world.report().sections.first)
    #expect(foreign.seen == 0 && foreign.missing.map(\.id) == [tag.id])
    #expect(foreign.items.map(\.finding.code) == [.foreignUID, .missingCode])
    try world.walk.stop(at: World.a, [world.read(tag, uid: "04aa")])
    #expect(try world.report().sections.first?.seen == 1)
  }

  @Test("without a position, a place is visited when one of its codes was read and not rejected")
  func noPosition() throws {
    let world = try World()
    let (a, b) = (try world.issue(at: "a"), try world.issue(at: "b"))
    try world.walk.stop([world.read(a), world.read(b, verdict: .rejected)])
    let report = try world.report()
    try #require(report.sections.map(\.place?.id) == ["a"])
    #expect(report.sections[0].seen == 1)
    #expect(report.unvisited.map(\.id) == ["b"])
    // A code that was read somewhere counts once its place was visited.
    try world.walk.stop(stated: "b", [])
    #expect(try world.report().sections.first { $0.place?.id == "b" }?.seen == 1)
  }

  @Test("a stated place is visited, whatever was read there")
  func stated() throws {
    let world = try World()
    let code = try world.issue(at: "a")
    try world.walk.stop(stated: "a", [])
    let empty = try world.report()
    #expect(empty.sections.first?.missing.map(\.id) == [code.id])
    try world.walk.stop(stated: "a", [world.read(code)])
    #expect(try world.report().sections.first?.seen == 1)
  }

  @Test("a poor position makes nothing missing at places where it only may have been")
  func poorPosition() throws {
    let world = try World()
    let a = try world.issue(at: "a")
    _ = try world.issue(at: "next")
    // 200 m from the middle of “a”, 300 m from that of “next”, and 250 m of error.
    let between = World.fix(37.0018, -122, accuracy: 250)
    try world.walk.stop(at: between, [world.read(nil)])
    let unsure = try world.report()
    #expect(unsure.sections.map(\.place?.id) == [nil])
    #expect(unsure.unvisited.map(\.id) == ["a", "next"])
    try world.walk.stop(at: between, [world.read(a)])
    let told = try world.report()
    try #require(told.sections.map(\.place?.id) == ["a", nil])
    #expect(told.sections[0].seen == 1)
    #expect(told.unvisited.map(\.id) == ["next"])
  }

  @Test("what is read at a position that proves nothing is read, and not confirmed")
  func unconfirmed() throws {
    let world = try World()
    let (a, b) = (try world.issue(at: "a"), try world.issue(at: "b"))
    let gone = try world.issue(at: "a")
    let unsure = Finding(.undecidedAccuracy, .warning, "")
    try world.walk.stop(
      at: World.fix(37, -122, accuracy: 200_000),
      [world.read(a, verdict: .undecided, [unsure]), world.read(b, verdict: .undecided, [unsure])])
    let report = try world.report()
    #expect(report.seenCount == 2 && report.confirmedCount == 0 && report.unconfirmedCount == 2)
    #expect(report.sections.flatMap(\.unconfirmed).map(\.id) == [a.id, b.id])
    #expect(report.sections.allSatisfy { !$0.isCertain })
    // One sentence for the stop, and no advice to replace a code that was not looked for.
    let told = try #require(report.items(.unconfirmedPlace).first)
    #expect(report.items(.unconfirmedPlace).count == 1 && report.items(.undecidedAccuracy).isEmpty)
    #expect(told.finding.message.contains("2 codes") && told.finding.message.contains("200 km"))
    #expect(report.points.map(\.severity) == [.warning])
    #expect(report.items(.missingCode).map(\.code?.id) == [gone.id])
    #expect(report.items(.missingCode).map(\.finding.severity) == [.warning])
    // A better position settles it, and the other stop is no trouble any more.
    try world.walk.stop(at: World.a, [world.read(a), world.read(gone)])
    try world.walk.stop(at: World.b, [world.read(b)])
    let settled = try world.report()
    #expect(settled.confirmedCount == 3 && settled.unconfirmedCount == 0)
    #expect(settled.sections.flatMap(\.items).isEmpty)
  }

  @Test("a stated place that the position contradicts confirms nothing")
  func contradicted() throws {
    let world = try World()
    let code = try world.issue(at: "a")
    try world.walk.stop(
      at: World.b, stated: "a", [world.read(code, verdict: .rejected, location: .outside)])
    let report = try world.report()
    #expect(report.confirmedCount == 0 && report.unconfirmedCount == 1)
    #expect(report.items(.unconfirmedPlace).count == 1)
  }

  @Test("a position that is perhaps in one place alone is a visit of it")
  func undecided() throws {
    let world = try World()
    let code = try world.issue(at: "b")
    try world.walk.stop(at: World.fix(38, -122, accuracy: 150), [world.read(nil)])
    #expect(try world.report().sections.first?.missing.map(\.id) == [code.id])
  }

  @Test("a picture that two people took along counts once")
  func samePicture() throws {
    let world = try World()
    let code = try world.issue(at: "a")
    let other = try Walker(in: world.registry, named: "Autumn, too")
    let reading = world.read(code, [Finding(.wornPrint, .warning, "")])
    let digest = EntryHash([UInt8](repeating: 7, count: 32))
    for walker in [world.walk, other] {
      try walker.stop(kind: .picture, at: World.a, digest: digest, page: 1, [reading])
      try walker.stop(kind: .picture, at: World.a, digest: digest, page: 2, [reading])
    }
    // Two people who held the same tag to their readers did so.
    for walker in [world.walk, other] {
      try walker.stop(kind: .tag, at: World.a, digest: digest, [])
    }
    let report = try WalkReview(of: world.registry, now: World.noon)
      .report(ofWalks: [other.walk, world.walk.walk], title: "x")
    // They began at one time, so either may come first.
    #expect(Set(report.walks) == [world.walk.walk, other.walk])
    #expect(report.stopCount == 4 && report.readingCount == 2 && report.codeCount == 1)
    #expect(report.sections[0].stops == 4 && report.sections[0].items.count == 1)
    #expect(report.points.count == 4)
  }

  @Test("of several readings of one picture, the latest that says where it was counts")
  func correctedPicture() throws {
    let world = try World()
    let code = try world.issue(at: "b")
    let digest = EntryHash([UInt8](repeating: 7, count: 32))
    func stop(at fix: LocationFix? = nil, stated: String? = nil, _ reading: WalkReading) throws {
      try world.walk.stop(
        kind: .picture, at: fix, stated: stated, digest: digest, page: 1, [reading])
    }
    try stop(stated: "a", world.read(code, [Finding(.wrongPlace, .error, "")]))
    #expect(try world.report().items(.wrongPlace).count == 1)
    try stop(at: World.b, world.read(code))
    try stop(world.read(code))
    let report = try world.report()
    #expect(report.sections.flatMap(\.items).isEmpty && report.confirmedCount == 1)
    #expect(report.sections.map(\.place?.id) == ["b"] && report.stopCount == 1)
    let walk = world.walk.walk.id
    #expect(
      report.superseded == [
        .init(walk: walk, number: 1): .init(walk: walk, number: 2),
        .init(walk: walk, number: 3): .init(walk: walk, number: 2),
      ])
  }

  @Test("a code read at two positions too far apart for one has a copy")
  func copied() throws {
    let world = try World()
    let code = try world.issue(at: "a", uid: "04AA")
    try world.walk.stop(at: World.a, [world.read(nil)])
    try world.walk.stop(at: World.b, [world.read(nil), world.read(code)])
    try world.walk.stop(at: World.a, [world.read(code)])
    let report = try world.report()
    let copies = report.items(.copiedCode)
    #expect(copies.count == 1)
    let item = try #require(copies.first)
    // The one at the wrong place, although it was read first.
    #expect(item.stop?.number == 2 && item.reading == 1 && item.code?.id == code.id)
    #expect(item.finding.severity == .error)
    #expect(
      item.finding.message.contains("stop 2 of") && item.finding.message.contains("stop 3 of"))
    #expect(report.sections.first { $0.place?.id == "b" }?.items.isEmpty == false)
    #expect(report.points.map(\.severity) == [nil, .error, nil])
  }

  @Test("two positions of one code may differ by their errors and a street")
  func sameSpot() throws {
    let world = try World()
    let code = try world.issue(at: "a", uid: "04AA")
    // 111 m apart: 30 m of error each and 50 m between.
    try world.walk.stop(at: World.fix(37, -122, accuracy: 30), [world.read(code)])
    try world.walk.stop(at: World.fix(37.001, -122, accuracy: 32), [world.read(code)])
    #expect(try world.report().items(.copiedCode).isEmpty)
    try world.walk.stop(at: World.fix(37.001, -122, accuracy: 30), [world.read(code)])
    #expect(try world.report().items(.copiedCode).count == 1)
  }

  @Test("of a code that was printed more than once there may be several")
  func severalPrints() throws {
    let world = try World()
    let code = try world.issue(at: "a")
    try world.walk.stop(at: World.a, [world.read(code)])
    try world.walk.stop(at: World.b, [world.read(code)])
    #expect(try world.report().items(.copiedCode).count == 1)
    try world.registry.record(
      .issued, of: code.id, at: World.noon, by: "me", details: ["output": "counter.pdf"])
    #expect(try world.report().items(.copiedCode).isEmpty)
    // Two prints do not hang at three places; both that are not at home are told.
    try world.walk.stop(at: World.fix(39, -122, accuracy: 5), [world.read(code)])
    let copies = try world.report().items(.copiedCode)
    #expect(copies.count == 2)
    #expect(
      copies.allSatisfy { $0.finding.message.contains("was made twice: one of the 3 is a copy") })
    #expect(copies.allSatisfy { $0.finding.message.contains("read at “Fruta a”, where it") })
  }

  @Test("the files that one command makes of a code are one print")
  func severalFormats() throws {
    let world = try World()
    let code = try world.issue(at: "a")
    let again = code.created.addingTimeInterval(2)
    try world.registry.record(
      .issued, of: code.id, at: again, by: "me", details: ["output": "sign-1.png"])
    try world.walk.stop(at: World.a, [world.read(code)])
    try world.walk.stop(at: World.b, [world.read(code)])
    let copies = try world.report().items(.copiedCode)
    #expect(copies.first?.finding.message.contains("was made once") == true)
    // Two labels of one sheet are two, as everywhere that items count.
    try world.registry.record(
      .issued, of: code.id, at: again, by: "me", details: ["output": "sign-1.png", "copies": "2"])
    #expect(try world.report().items(.copiedCode).isEmpty)
  }

  @Test("the report about one place holds its stops alone, and knows what happened elsewhere")
  func onePlace() throws {
    let world = try World()
    let (a, b) = (try world.issue(at: "a"), try world.issue(at: "b"))
    let wrong = Finding(.wrongPlace, .error, "")
    try world.walk.stop(at: World.a, [world.read(b, verdict: .rejected, [wrong])])
    try world.walk.stop(at: World.b, [world.read(a, verdict: .rejected, [wrong])])
    try world.walk.stop([world.read(nil)])
    let place = try #require(try world.registry.place(id: "a"))
    let report = try WalkReview(of: world.registry, now: World.noon)
      .report(ofWalks: [world.walk.walk], title: "Autumn", at: place)
    #expect(report.sections.map(\.place?.id) == ["a"] && report.unvisited.isEmpty)
    #expect(report.items(.swappedCodes).count == 1 && report.missingCount == 0)
    #expect(report.stopCount == 1 && report.readingCount == 1 && report.codeCount == 1)
    #expect(report.points.map(\.number) == [1])
    #expect(report.period?.upperBound == World.noon.addingTimeInterval(1))
    // The report from the other place is the same.
    let other = try WalkReview(of: world.registry, now: World.noon)
      .report(
        ofWalks: [world.walk.walk], title: "Autumn", at: try world.registry.place(id: "b"))
    let swap = try #require(other.items(.swappedCodes).first)
    #expect(swap.code?.id == a.id && swap.stop?.number == 2)
    #expect(swap.finding.message.hasPrefix("\(a.id) ("))
    #expect(other.items(.swappedCodes).count == 1 && other.wrongCount == 1)
    // All in one, each place has the sign that hangs there.
    let whole = try world.report()
    #expect(whole.items(.swappedCodes).count == 2 && whole.wrongCount == 2)
    #expect(whole.sections.prefix(2).map { $0.wrongCount } == [1, 1])
  }

  @Test("every place stands as the latest walks that went there found it")
  func standings() throws {
    let world = try World()
    let (a, gone) = (try world.issue(at: "a"), try world.issue(at: "a"))
    let b = try world.issue(at: "b")
    _ = try world.issue(at: "c")
    try world.walk.stop(at: World.a, [world.read(a), world.read(gone)])
    try world.walk.stop(at: World.b, [world.read(b)])
    let later = try Walker(in: world.registry, named: "Winter", after: 86_400)
    try later.stop(
      at: World.a, [world.read(a, [Finding(.retiredCode, .error, "")])])
    let places = try WalkReview(of: world.registry, now: World.noon).places()
    #expect(places.map(\.place.id) == ["a", "b", "c"])
    #expect(places.map(\.walk) == ["Winter", "Autumn", nil])
    #expect(places.map(\.lastVisit)[0] == World.noon.addingTimeInterval(86_401))
    #expect(places.map(\.lastVisit)[2] == nil)
    #expect(places.map(\.expected) == [2, 1, 1] && places.map(\.confirmed) == [1, 1, 0])
    #expect(places.map(\.wrong) == [1, 0, 0] && places.map(\.missing) == [1, 0, 0])
  }

  @Test("two codes that hang at each other's places are told at both, and neither is missing")
  func swapped() throws {
    let world = try World()
    let (a, b, gone) = (
      try world.issue(at: "a"), try world.issue(at: "b"), try world.issue(at: "b")
    )
    let wrong = Finding(.wrongPlace, .error, "")
    try world.walk.stop(at: World.a, [world.read(b, verdict: .rejected, [wrong])])
    try world.walk.stop(at: World.b, [world.read(a, verdict: .rejected, [wrong])])
    let report = try world.report()
    let swaps = report.items(.swappedCodes)
    #expect(swaps.count == 2 && report.items(.wrongPlace).isEmpty)
    let message = try #require(swaps.first?.finding.message)
    #expect(message.contains("\(a.id)") && message.contains("\(b.id)"))
    #expect(message.hasSuffix("swap the two."))
    #expect(Set(swaps.map(\.stop?.number)) == [1, 2] && swaps.allSatisfy { $0.reading == 0 })
    // The third is missing as before.
    #expect(report.items(.missingCode).map(\.code?.id) == [gone.id])
    #expect(report.sections.map(\.swapped.count) == [1, 1] && report.missingCount == 1)
    #expect(report.sections.map(\.otherWrongCount) == [0, 0] && report.otherWrongCount == 0)
    #expect(report.points.map(\.severity) == [.error, .error])
  }

  @Test("a code at the wrong place whose counterpart was not read there is no swap")
  func notSwapped() throws {
    let world = try World()
    let (a, b) = (try world.issue(at: "a"), try world.issue(at: "b"))
    let wrong = Finding(.wrongPlace, .error, "")
    try world.walk.stop(at: World.a, [world.read(b, verdict: .rejected, [wrong]), world.read(a)])
    let report = try world.report()
    #expect(report.items(.swappedCodes).isEmpty && report.items(.wrongPlace).count == 1)
  }

  @Test("three codes in a ring are moved, each fetched from where it hangs")
  func ring() throws {
    let world = try World()
    let codes = try ["a", "b", "c"].map { try world.issue(at: $0) }
    let wrong = Finding(.wrongPlace, .error, "")
    for (place, code) in zip(["b", "c", "a"], codes) {
      try world.walk.stop(stated: place, [world.read(code, verdict: .rejected, [wrong])])
    }
    let report = try world.report()
    #expect(report.items(.swappedCodes).isEmpty && report.items(.missingCode).isEmpty)
    #expect(report.items(.movedCode).count == 3 && report.items(.wrongPlace).count == 3)
    #expect(report.sum.wrong == 3 && report.sum.all == 3 && report.wrongCount == 3)
    #expect(report.otherWrongCount == 0, "each sign counts once")
  }

  @Test("stated places are apart, however near they are; one position is near its neighbour")
  func neighbours() throws {
    let world = try World()
    let code = try world.issue(at: "a")
    try world.walk.stop(stated: "a", [world.read(code)])
    try world.walk.stop(stated: "next", [world.read(code)])
    #expect(try world.report().items(.copiedCode).first?.stop?.number == 2)
    let other = try World()
    let tag = try other.issue(at: "a", uid: "04AA")
    // 410 m from “a” are outside; 130 m are within the accuracies and a street of its edge.
    try other.walk.stop(stated: "a", [other.read(tag)])
    try other.walk.stop(at: World.fix(37.00117, -122, accuracy: 5), [other.read(tag)])
    #expect(try other.report().items(.copiedCode).isEmpty)
    try other.walk.stop(at: World.fix(37.0037, -122, accuracy: 5), [other.read(tag)])
    #expect(try other.report().items(.copiedCode).count == 1)
  }

  @Test("of two prints, the one that hangs elsewhere is fetched")
  func onePrintAway() throws {
    let world = try World()
    let code = try world.issue(at: "a")
    try world.registry.reissue(
      IssuedCode(
        id: code.id, payload: code.payload, carrier: .qr, placeID: "a", created: code.created,
        registered: true, output: "counter.pdf"), at: code.created, by: "me")
    let wrong = Finding(.wrongPlace, .error, "")
    try world.walk.stop(stated: "a", [world.read(code)])
    for _ in 0..<2 {
      try world.walk.stop(stated: "b", [world.read(code, verdict: .rejected, [wrong])])
    }
    let report = try world.report()
    #expect(report.items(.copiedCode).isEmpty && report.items(.movedCode).isEmpty)
    #expect(report.items(.wrongPlace).count == 1, "one sign is one finding")
    #expect(report.items(.wrongPlace).first?.finding.message.contains("one of its 2") == true)
    let prints = try #require(report.items(.printsNotSeen).first?.finding.message)
    #expect(prints.contains("one was read at “Fruta b”, fetch it"))
  }

  @Test("a tag that was overwritten is wrong, and no confirmed code")
  func faulty() throws {
    let world = try World()
    let tag = try world.issue(at: "a", uid: "04AA")
    try world.walk.stop(
      stated: "a", [world.read(tag, verdict: .rejected, [Finding(.overwrittenTag, .error, "")])])
    let report = try world.report()
    #expect(report.sum.wrong == 1 && report.sum.all == 1)
    // Overwritten for payments, it comes before everything.
    let pay = world.read(
      tag, payload: "https://pay.example.net/", [Finding(.overwrittenTag, .error, "")])
    try world.walk.stop(stated: "a", [pay])
    let items = try #require(try world.report().sections.first?.items)
    #expect(items.map(\.finding.code) == [.phishingCode, .overwrittenTag])
  }

  @Test("a copy is found among very many meetings of a code")
  func manyMeetings() throws {
    let world = try World()
    let code = try world.issue(at: "a", uid: "04AA")
    for _ in 0..<70 {
      try world.walk.stop(at: World.fix(37, -122, accuracy: 500), [world.read(code)])
    }
    try world.walk.stop(at: World.a, [world.read(code)])
    #expect(try world.report().items(.copiedCode).isEmpty)
    // 400 m away: too far from the one stop with a well-known position.
    try world.walk.stop(at: World.fix(37.0036, -122, accuracy: 5), [world.read(code)])
    #expect(try world.report().items(.copiedCode).first?.stop?.number == 72)
  }

  @Test("warnings and errors are told with stop, reading and code; notes are not")
  func findings() throws {
    let world = try World()
    let code = try world.issue(at: "a")
    try world.walk.stop(
      at: World.a,
      [
        world.read(nil, [Finding(.unissuedCode, .error, "strange")]),
        world.read(code, [Finding(.wornPrint, .warning, "worn"), Finding(.noPlace, .note, "")]),
      ], unread: 2)
    let items = try #require(try world.report().sections.first?.items)
    try #require(items.map(\.finding.code) == [.unissuedCode, .wornPrint, .unreadSymbol])
    #expect(items.map(\.reading) == [0, 1, nil])
    #expect(items.map(\.code?.id) == [nil, code.id, nil])
    #expect(items.allSatisfy { $0.stop?.number == 1 })
    #expect(items[2].finding.severity == .warning)
    #expect(items[2].finding.message.hasPrefix("2 things"))
  }

  @Test("something that gives no text at the place of a missing code is said with it, once")
  func covered() throws {
    let world = try World()
    let code = try world.issue(at: "a")
    try world.walk.stop(kind: .picture, stated: "a", [], unread: 1)
    let items = try #require(try world.report().sections.first?.items)
    try #require(items.map(\.finding.code) == [.missingCode])
    #expect(items[0].finding.message.contains("looks like a code and gives no text"))
    #expect(items[0].stop?.number == 1 && items[0].code?.id == code.id)
    // Two things cannot both be the one code.
    try world.walk.stop(kind: .picture, stated: "a", [], unread: 2)
    #expect(try world.report().items(.unreadSymbol).count == 1)
  }

  @Test("a search that ended early is said where codes are missing, and nowhere else")
  func unfinished() throws {
    let world = try World()
    let (a, b) = (try world.issue(at: "a"), try world.issue(at: "b"))
    let early = Finding(.unfinishedSearch, .warning, "early")
    try world.walk.stop(kind: .picture, stated: "a", [], about: [early])
    try world.walk.stop(kind: .picture, stated: "b", [world.read(b)], about: [early])
    let report = try world.report()
    let items = report.sections.flatMap(\.items)
    try #require(items.map(\.finding.code) == [.missingCode])
    #expect(items[0].code?.id == a.id && items[0].finding.message.contains("ended early"))
  }

  @Test("the time at which a picture was taken is that of the visit")
  func taken() throws {
    let world = try World()
    let old = World.noon.addingTimeInterval(-86_400 * 90)
    _ = try world.issue(at: "a")
    let told = Finding(.oldPicture, .warning, "old")
    try world.walk.stop(kind: .picture, stated: "a", [], taken: old, about: [told])
    let report = try world.report()
    let section = try #require(report.sections.first)
    #expect(section.lastVisit == old && section.expected == 0, "it was made later")
    #expect(report.period?.lowerBound == old)
    #expect(section.items.map(\.finding.code) == [.oldPicture])
    // A clock that is ahead does not make a visit of tomorrow.
    let tomorrow = World.noon.addingTimeInterval(86_400)
    try world.walk.stop(kind: .picture, stated: "a", [], taken: tomorrow)
    #expect(try #require(try world.report().sections.first?.lastVisit) < tomorrow)
  }

  @Test("a missing code names all files of the command that printed it")
  func outputs() throws {
    let world = try World()
    let code = try world.issue(at: "a")
    for name in ["sign.png", "sign.pdf"] {
      try world.registry.record(
        .issued, of: code.id, at: code.created.addingTimeInterval(1), by: "me",
        details: ["output": name])
    }
    try world.walk.stop(stated: "a", [])
    let message = try #require(try world.report().items(.missingCode).first?.finding.message)
    #expect(message.contains("sign.png and sign.pdf"), "\(message)")
  }

  @Test("places with errors come first, then those with warnings, then by name; nowhere comes last")
  func order() throws {
    let world = try World()
    let warning = Finding(.unissuedCode, .warning, "")
    try world.walk.stop(at: World.fix(10, 10, accuracy: 1), [world.read(nil, [warning])])
    try world.walk.stop(stated: "next", [])
    try world.walk.stop(stated: "a", [])
    try world.walk.stop(stated: "b", [world.read(nil, [warning])])
    try world.walk.stop(
      stated: "c", [world.read(nil, [warning, Finding(.unissuedCode, .error, "")])])
    let report = try world.report()
    #expect(report.sections.map(\.place?.id) == ["c", "b", "a", "next", nil])
    #expect(report.sections[0].items.map(\.finding.severity) == [.error, .warning])
    #expect(report.sections.last?.stops == 1)
    #expect(report.period?.lowerBound == World.noon.addingTimeInterval(1))
    #expect(report.period?.upperBound == World.noon.addingTimeInterval(5))
  }

  @Test("a walk without stops is a report without anything in it")
  func empty() throws {
    let world = try World()
    _ = try world.issue(at: "a")
    let report = try world.report()
    #expect(report.sections.isEmpty && report.points.isEmpty && report.period == nil)
    #expect(report.unvisited.map(\.id) == ["a"])
  }
}

/// Four places, and a person who walks.
private final class World {
  static let noon = Date(timeIntervalSince1970: 1_795_262_400)
  static let a = fix(37, -122, accuracy: 5)
  static let b = fix(38, -122, accuracy: 5)

  let registry: any RegistryStore
  let walk: Walker
  private var count = 0

  init() throws {
    registry = try RegistryLocation.memory.open()
    // “a” and “next” are 500 m apart.
    for (id, latitude) in [("a", 37.0), ("b", 38), ("c", 39), ("next", 37.0045)] {
      let centre = try #require(Coordinate(latitude: latitude, longitude: -122))
      let circle = try #require(Region.Circle(centre: centre, radius: 100))
      try registry.add(Place(id: id, name: "Fruta \(id)", region: .circle(circle)))
    }
    walk = try Walker(in: registry, named: "Autumn")
  }

  static func fix(_ latitude: Double, _ longitude: Double, accuracy: Double) -> LocationFix {
    let coordinate = Coordinate(latitude: latitude, longitude: longitude)!
    return LocationFix(coordinate: coordinate, accuracy: accuracy)!
  }

  func issue(
    at place: String, uid: String? = nil, _ time: Date = noon.addingTimeInterval(-99_999)
  ) throws -> IssuedCode {
    count += 1
    let time = time.addingTimeInterval(Double(count))
    let code = IssuedCode(
      id: CodeID(at: time), payload: "https://fruta.example.com/order/\(place)",
      carrier: uid == nil ? .qr : .nfc, placeID: place, created: time, registered: true,
      output: uid == nil ? "sign-\(count).svg" : nil, tagUID: uid,
      tagType: uid == nil ? nil : "NTAG215")
    try registry.issue([code], by: "me")
    return code
  }

  func read(
    _ code: IssuedCode?, payload: String? = nil, uid: String? = nil, verdict: Verdict = .accepted,
    location: LocationOutcome.Result? = nil, _ findings: [Finding] = []
  ) -> WalkReading {
    WalkReading(
      carrier: .qr, payload: payload ?? code?.payload ?? "x", uid: uid ?? code?.tagUID,
      code: code?.id,
      placeID: code?.placeID, verdict: verdict, state: .ok, location: location, findings: findings)
  }

  func report() throws -> WalkReport {
    try WalkReview(of: registry, now: Self.noon).report(ofWalks: [walk.walk], title: "Autumn")
  }
}

private struct Walker {
  let registry: any RegistryStore
  let walk: Walk
  private let start: Date

  init(
    in registry: any RegistryStore, named name: String, after delay: TimeInterval = 0
  ) throws {
    self.registry = registry
    start = World.noon.addingTimeInterval(delay)
    walk = try registry.begin(name, by: "Jo", at: start)
  }

  func stop(
    kind: WalkStop.Kind = .scanner, at fix: LocationFix? = nil, stated: String? = nil,
    digest: EntryHash? = nil, page: Int? = nil, _ readings: [WalkReading], unread: Int = 0,
    taken: Date? = nil, about findings: [Finding] = []
  ) throws {
    let number = try registry.lastStop(of: walk.id) + 1
    try registry.add(
      WalkStop(
        walk: walk.id, number: number, time: start.addingTimeInterval(Double(number)),
        taken: taken, kind: kind, source: "", page: page, digest: digest, fix: fix,
        statedPlace: stated, unreadCount: unread, readings: readings, findings: findings), by: "Jo")
  }
}

extension WalkReport {
  fileprivate func items(_ code: Finding.Code) -> [Item] {
    sections.flatMap(\.items).filter { $0.finding.code == code }
  }
}
