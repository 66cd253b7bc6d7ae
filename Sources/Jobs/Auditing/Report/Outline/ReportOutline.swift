import CliptagBasics
import Verifying
import CodeDrawing
import Foundation
import Invocation
import Registry

/// Text of a report with the type of each piece, so that each writer can format it.
struct ReportText {
  enum Piece {
    /// Words of the report.
    case words(String)
    /// An external name.
    case name(String)
    /// An external payload.
    case payload(String)
    /// A sentence that may hold names of any direction.
    case sentence(String)
    /// An identifier or a hash.
    case identifier(String)
    /// A time.
    case time(String, at: Date)
    /// A reference to a stop, with its words.
    case stop(String, number: Int, walk: Walk.ID)
    /// A reference to a picture, by its number.
    case picture(Int)
  }

  var pieces: [Piece]

  init(_ pieces: Piece...) { self.pieces = pieces }

  /// The text for display, without markup.
  var plain: String {
    pieces.map { piece in
      switch piece {
      case .words(let text), .identifier(let text), .time(let text, _), .stop(let text, _, _): text
      case .name(let text): text.nameForPeople
      case .payload(let text): text.payloadForPeople
      case .sentence(let text): text.sentenceForPeople
      case .picture(let number): "Picture \(number)"
      }
    }.joined()
  }
}

/// The complete text of a walk report, part by part and in order; writers add the layout only.
struct ReportOutline {
  let report: WalkReport
  /// The pictures with findings, in the order of their numbers.
  let exhibits: [WalkReport.Exhibit]
  private let pictures: [WalkReport.ExhibitKey: Int]

  init(of report: WalkReport) {
    self.report = report
    exhibits = report.exhibits
    pictures = Dictionary(
      exhibits.enumerated().map { (WalkReport.ExhibitKey($1.stop), $0 + 1) },
      uniquingKeysWith: { first, _ in first })
  }

  // MARK: The answer

  let kind = "Walk report"
  var title: ReportText {
    guard let place = report.place else { return ReportText(.name(report.title)) }
    return ReportText(.name(place.name), .words(" · "), .name(report.title))
  }

  /// The days, the persons, and the number of stops.
  var facts: [ReportText] {
    var facts = [ReportText(.words(report.days ?? "No stops yet"))]
    if !report.walkers.isEmpty {
      let names = report.walkers.prefix(12).map(ReportText.Piece.name)
      let rest = report.walkers.count - names.count
      let all = names + (rest > 0 ? [.words("\(rest) more")] : [])
      var words = ReportText(.words("walked by "))
      for (index, name) in all.enumerated() {
        if index > 0 { words.pieces.append(.words(index == all.count - 1 ? " and " : ", ")) }
        words.pieces.append(name)
      }
      facts.append(words)
    }
    facts.append(ReportText(.words(Counted.text(report.stopCount, "stop"))))
    return facts
  }

  /// A key figure of the walk.
  struct Figure {
    let title: String
    let count: Int
    /// The total that it is a part of.
    let all: Int?
    let standing: WalkReport.Standing

    init(
      _ title: String, _ count: Int, of all: Int? = nil, _ standing: WalkReport.Standing
    ) {
      self.title = title
      self.count = count
      self.all = all
      self.standing = standing
    }

    /// Whether the figure is coloured.
    var matters: Bool { count > 0 || all != nil }
  }

  var figures: [Figure] {
    let sum = report.sum
    return [
      Figure(
        "Where they belong", sum.confirmed, of: sum.all,
        sum.confirmed > 0 || sum.all == 0 ? .fine : .warning),
      Figure("Read, place not confirmed", sum.unconfirmed, .warning),
      Figure("Wrong", sum.wrong, .error),
      Figure("Missing", sum.missing, report.certainlyMissingCount > 0 ? .error : .warning),
      Figure("Open no App Clip", sum.dead, .error),
      Figure("Other things wrong", report.otherWrongCount, .error),
      Figure("Need a look", report.doubtfulCount, .warning),
      Figure("Places not visited", report.unvisited.count, .warning),
    ]
  }

  // MARK: Tasks

  let findingsHeading = "What to do now"
  /// The text if there are no tasks.
  var nothing: String? {
    guard troubled.isEmpty else { return nil }
    return report.stopCount == 0
      ? "Begin the walk: nothing was read so far." : "Nothing. Everything that was read is well."
  }

  /// The places with tasks.
  var troubled: [WalkReport.PlaceSection] {
    report.sections.filter { !$0.items.isEmpty }
  }
  /// The signature line below the page of a place, to be filled in by hand.
  let doneBy = "Done by"
  let doneOn = "on"

  /// The expected and seen codes of a place.
  func facts(of section: WalkReport.PlaceSection) -> String {
    let stops = Counted.text(section.stops, "stop")
    guard section.expected > 0 else { return stops }
    let doubt =
      section.unconfirmed.isEmpty
      ? "" : ", \(Counted.grouped(section.unconfirmed.count)) of them not confirmed"
    let (pieces, seen) = section.pieces
    let prints =
      pieces == section.expected
      ? "" : "\(Counted.grouped(seen)) of \(Counted.grouped(pieces)) prints and tags · "
    return "\(Counted.grouped(section.seen)) of \(Counted.text(section.expected, "code")) "
      + "read\(doubt) · \(prints)\(stops)"
  }

  /// The position of a place: the centre of its first region.
  func position(of section: WalkReport.PlaceSection) -> String? {
    section.place?.region.bounds.first.map { $0.centre.forPeople }
  }

  /// The advice for a group of findings; `nil` if each finding includes it.
  func advice(of group: WalkReport.PlaceSection.Group) -> String? {
    if group.code.saysWhatToDo { return nil }
    if group.code == .missingCode, group.severity < .error {
      return "Go there with a better position before you replace anything."
    }
    return group.code.advice
  }

  /// The text of an item besides its heading, its code and the advice; `nil` if there is none.
  func sentence(of item: WalkReport.Item) -> String? {
    let sentence = item.remark ?? item.finding.message
    return sentence.isEmpty ? nil : sentence
  }

  /// The sentences of a job; those of other findings follow their headings.
  func sentences(of job: WalkReport.PlaceSection.Job) -> [String] {
    var sentences = sentence(of: job.lead).map { [$0] } ?? []
    for other in job.others {
      let heading = "\(other.finding.code.title)."
      sentences.append(sentence(of: other).map { "\(heading) \($0)" } ?? heading)
    }
    return sentences
  }

  /// The payload of a job's code, unless a sentence contains it.
  func payload(of job: WalkReport.PlaceSection.Job) -> String? {
    job.lead.payload.flatMap { payload in
      sentences(of: job).contains { $0.contains(payload) } ? nil : payload
    }
  }

  /// The common beginning of the payloads in a list, printed once above it; `nil` if it is too
  /// short.
  func commonBeginning(of group: WalkReport.PlaceSection.Group) -> String? {
    guard group.code == .missingCode, group.jobs.count > 1 else { return nil }
    let payloads = group.jobs.compactMap { payload(of: $0) }
    guard let first = payloads.first, payloads.count == group.jobs.count else { return nil }
    let common = payloads.dropFirst().reduce(first) { $0.commonPrefix(with: $1) }
    guard let joint = common.lastIndex(where: { "/=?&#".contains($0) }) else { return nil }
    let beginning = String(common[...joint])
    return beginning.count >= 12 ? beginning : nil
  }

  /// The carrier, the code and the stop of a job, unless its sentences contain them.
  func facts(of job: WalkReport.PlaceSection.Job) -> [ReportText] {
    let said = sentences(of: job).joined(separator: " ")
    let item = job.lead
    var facts: [ReportText] = []
    if let carrier = item.carrier, !(carrier.split(separator: " ").last.map(said.contains) ?? false)
    {
      facts.append(ReportText(.words(carrier)))
    }
    if let code = item.code, !said.contains(code.id.description) {
      facts.append(ReportText(.identifier(code.id.description)))
    }
    if let stop = item.stop {
      facts.append(ReportText(reference(to: stop)))
      if let number = number(ofPictureOf: item) { facts.append(ReportText(.picture(number))) }
      if item.finding.code == .outsideRegion, let fix = stop.fix {
        facts.append(ReportText(.words(fix.forPeople)))
      }
    }
    return facts
  }

  /// The name under which a job is followed up, with its history; `nil` if none of its findings is.
  func followUp(
    of job: WalkReport.PlaceSection.Job, at place: Place?
  ) -> (id: FollowUp.ID, followUp: FollowUp?)? {
    ([job.lead] + job.others).lazy.compactMap { WalkReport.followUpID(of: $0, at: place) }.first
      .map { ($0, report.followUps[$0]) }
  }

  /// The name of a finding, since when it is open, and for whom.
  func facts(of id: FollowUp.ID, _ followUp: FollowUp?) -> [ReportText] {
    var facts = [ReportText(.identifier(id))]
    guard let followUp else { return facts }
    switch followUp.state {
    case .open:
      let day = WalkReport.Day(followUp.opened.time, in: report.timeZone).text
      if followUp.opened.walk.map({ walk in !report.walks.contains { $0.id == walk } }) ?? true {
        facts.append(ReportText(.words("open since \(day)")))
      }
      if let owner = followUp.owner { facts.append(ReportText(.words("for "), .name(owner))) }
      if let due = followUp.due { facts.append(ReportText(.words("due \(due)"))) }
    case .done, .willNot:
      let day = WalkReport.Day(followUp.decided.time, in: report.timeZone).text
      let words = followUp.state == .done ? "done" : "to be left as it is"
      facts.append(ReportText(.words("\(words), \(day), "), .name(followUp.decided.who)))
    }
    return facts
  }

  // MARK: Put right

  let rightHeading = "Put right"
  let rightSentence = "Found by earlier walks, and not there any more."

  /// A finding that was put right: its kind, and the time for which it was open.
  func facts(ofRight followUp: FollowUp) -> [ReportText] {
    let days = Int(bounded: followUp.decided.time.timeIntervalSince(followUp.opened.time) / 86_400)
    return [
      ReportText(.words(followUp.subject.finding.title)),
      ReportText(.words(days == 0 ? "on the same day" : "after \(Counted.text(days, "day"))")),
      ReportText(.identifier(followUp.id)),
    ]
  }

  /// The number of the picture that shows an item.
  func number(ofPictureOf item: WalkReport.Item) -> Int? {
    item.stop.flatMap { stop in
      stop.kind == .picture ? pictures[WalkReport.ExhibitKey(stop)] : nil
    }
  }

  private func reference(to stop: WalkStop) -> ReportText.Piece {
    .stop(
      "Stop \(report.stopName(stop.number, of: stop.walk))", number: stop.number, walk: stop.walk)
  }

  // MARK: Map

  let mapHeading = "Map"
  /// The meanings of the map's signs.
  let signs: [(severity: Finding.Severity?, meaning: String)] = [
    (.error, "something is wrong"), (.warning, "needs a look"), (nil, "nothing found"),
  ]
  func note(on map: WalkMap) -> String {
    var overview = ""
    if map.hasOverview {
      let hasRings = map.lonely.contains { !$0.isVisited }
      overview = "Signs without a number are places\(hasRings ? ", rings those not visited" : ""). "
    }
    guard !map.helpfulPanels(width: 60).isEmpty else { return overview }
    return overview
      + "Numbers are stops; ×3 are three on one spot. Areas are places, thin circles how "
      + "exact a position is."
  }

  /// The letters of the walks; none for a single walk.
  var walkers: [(letters: String, name: String)] {
    guard report.walks.count > 1 else { return [] }
    return report.walks.prefix(40).enumerated().map { (WalkReport.letters($0), $1.who) }
  }

  /// The number of groups that the map omits.
  func omission(in map: WalkMap) -> String? {
    guard map.omittedCount > 0 else { return nil }
    return "\(Counted.text(map.omittedCount, "more group")) of stops elsewhere "
      + "\(map.omittedCount == 1 ? "is" : "are") not drawn."
  }

  // MARK: Places

  let placesHeading = "Places"
  let placesCaption =
    "Codes that should hang at each place that was visited, and what became of them."
  let placesColumns = [
    "Expected", "Confirmed", "Not confirmed", "Wrong", "Missing", "Dead", "Stops", "Findings",
  ]
  /// The columns that indicate an error if they are not zero.
  let badColumns = 3...5

  func numbers(of section: WalkReport.PlaceSection) -> [Int] {
    [
      section.sum.all, section.sum.confirmed, section.sum.unconfirmed, section.sum.wrong,
      section.sum.missing, section.sum.dead, section.stops, section.items.count,
    ]
  }

  let totalsTitle = "Together"
  var totals: [Int] {
    report.sections.map(numbers).reduce(placesColumns.map { _ in 0 }) { zip($0, $1).map(+) }
  }

  // MARK: Pictures

  let picturesHeading = "Pictures"
  let noCopy = "No copy of this picture was kept."

  /// The source of a picture.
  func facts(of exhibit: WalkReport.Exhibit) -> [ReportText] {
    [ReportText(reference(to: exhibit.stop)), source(of: exhibit.stop)]
  }

  /// The meaning of numbers in a picture.
  struct LegendRow {
    /// The numbers of the codes with the same findings; none for a finding about no code.
    var numbers: [Int]
    let severity: Finding.Severity?
    /// The titles of the findings, each once; details are given at the place.
    let titles: String
  }

  func legend(of exhibit: WalkReport.Exhibit) -> (rows: [LegendRow], rest: String?) {
    let marked = exhibit.severities
    let readings = exhibit.stop.readings
    var coded: [LegendRow] = []
    for index in marked.keys.sorted().filter(readings.indices.contains) {
      let row = LegendRow(
        numbers: [index + 1], severity: marked[index],
        titles: titles(of: exhibit.items.filter { $0.reading == index }))
      let alike = coded.firstIndex { ($0.severity, $0.titles) == (row.severity, row.titles) }
      if let alike { coded[alike].numbers += row.numbers } else { coded.append(row) }
    }
    let others = exhibit.items.filter { $0.reading == nil }.map {
      LegendRow(numbers: [], severity: $0.finding.severity, titles: titles(of: [$0]))
    }
    let rest = readings.count - marked.count
    let words =
      rest == 1
      ? "The other code in it has no findings."
      : "The other \(Counted.grouped(rest)) codes in it have no findings."
    // For codes without a confirmed place, it is unknown whether they are in the right place.
    let isKnown = !exhibit.items.contains { $0.finding.code == .unconfirmedPlace }
    return (coded + others, rest > 0 && isKnown ? words : nil)
  }

  private func titles(of items: [WalkReport.Item]) -> String {
    var titles: [String] = []
    for item in items where !titles.contains(item.finding.code.title) {
      titles.append(item.finding.code.title)
    }
    return titles.joined(separator: ", ")
  }

  // MARK: Not visited

  let unvisitedHeading = "Not visited"
  var unvisitedSentence: String {
    "Codes should hang at \(Counted.text(report.unvisited.count, "more place")), where no stop "
      + "was made. Nothing is known of them."
  }

  // MARK: All stops

  let stopsHeading = "All stops"
  var stopsSummary: String {
    "\(Counted.text(report.stopCount, "stop")), \(Counted.text(report.readingCount, "reading")), "
      + "\(Counted.text(report.codeCount, "code")) of ours"
  }

  /// The heading of a walk's stops.
  func title(ofWalk index: Int) -> ReportText {
    let walk = report.walks[index]
    let letter = report.walks.count > 1 ? "Walk \(WalkReport.letters(index)), " : "Walk "
    return ReportText(
      .words(letter), .name(walk.who), .words(", began \(report.time(walk.started))"))
  }

  /// The time and the source.
  func what(_ stop: WalkStop) -> [ReportText] {
    var source = source(of: stop)
    source.pieces.insert(.words("\(stop.kind.word): "), at: 0)
    var lines = [ReportText(.time(report.time(stop.time), at: stop.time)), source]
    let name = WalkReport.StopName(walk: stop.walk, number: stop.number)
    if let counted = report.superseded[name] {
      let words = "Stop \(report.stopName(counted.number, of: counted.walk))"
      lines.append(
        ReportText(
          .words("Does not count: "), .stop(words, number: counted.number, walk: counted.walk),
          .words(" is the same picture, read again")))
    }
    if let taken = stop.taken {
      lines.append(
        ReportText(.words("Taken "), .time(report.time(taken), at: taken)))
    }
    if let sign = stop.sign { lines.append(ReportText(.words("Sign "), .name(sign))) }
    if let note = stop.note {
      lines.append(ReportText(.words("“"), .sentence(note), .words("”")))
    }
    if let digest = stop.digest {
      lines.append(ReportText(.identifier("SHA-256 \(digest.description.lowercased())")))
    }
    return lines
  }

  private func source(of stop: WalkStop) -> ReportText {
    ReportText(.name(stop.source), .words("".onPage(stop.page)))
  }

  /// The reading of one code.
  struct Reading {
    /// Its number, if there are several.
    let number: String
    let verdict: Verdict
    let payload: String
    let uid: String?
    /// The titles of the findings, each once.
    let titles: [String]
  }

  func readings(of stop: WalkStop) -> [Reading] {
    stop.readings.enumerated().map { index, reading in
      Reading(
        number: stop.readings.count > 1 ? "\(index + 1). " : "", verdict: reading.verdict,
        payload: reading.payload, uid: reading.uid?.nameForPeople,
        titles: reading.findings.map(\.code.title).reduce(into: []) {
          if !$0.contains($1) { $0.append($1) }
        })
    }
  }

  /// The remark on symbols that gave no text, or on a stop without readings.
  func remainder(of stop: WalkStop) -> String? {
    if stop.unreadCount > 0 {
      return "\(Counted.text(stop.unreadCount, "symbol")) could not be read"
    }
    return stop.readings.isEmpty ? "Nothing" : nil
  }

  /// The position and place, each line with a flag for remarks.
  func place(of stop: WalkStop) -> [(words: ReportText, isRemark: Bool)] {
    var lines: [(words: ReportText, isRemark: Bool)] = []
    if let fix = stop.fix {
      lines.append((ReportText(.words(fix.forPeople)), false))
      if let origin = fix.origin { lines.append((ReportText(.words(origin.forPeople)), true)) }
    }
    if let place = stop.statedPlace {
      lines.append((ReportText(.words("said to be at "), .name(place)), false))
    }
    return lines.isEmpty ? [(ReportText(.words("not known")), true)] : lines
  }

  /// The time and the tool that made the report.
  func footer(_ remark: String) -> String {
    "Made on \(WalkReport.Day(report.made, in: report.timeZone).text) by cliptag\(remark) "
      + "Days and times are in \(report.timeZoneName)."
  }
}

extension WalkReport {
  /// The highest severity of all findings; `nil` if there are none.
  var severity: Finding.Severity? { sections.lazy.compactMap(\.severity).max() }

  /// The overall result of a report.
  enum Standing: String {
    case error, warning, fine
  }

  var standing: Standing {
    switch severity {
    case .error: .error
    case .warning: .warning
    case .note, nil: stopCount == 0 ? .warning : .fine
    }
  }
}

extension LocationFix {
  /// The position and its accuracy, for display.
  var forPeople: String {
    let place = coordinate.forPeople
    return accuracy < 1e7 ? "\(place) ± \(decimal(accuracy, places: 1)) m" : "\(place), not exact"
  }
}

extension Coordinate {
  /// Degrees with six decimal places, of which the last is 11 cm.
  var forPeople: String { "\(decimal(latitude, places: 6)), \(decimal(longitude, places: 6))" }
}

extension Verdict {
  /// The severity for display among findings; `nil` for an accepted code.
  var severity: Finding.Severity? {
    switch self {
    case .accepted: nil
    case .rejected: .error
    case .undecided: .warning
    }
  }
}

extension WalkStop.Kind {
  /// The kind of stop, as the first word of a line.
  var word: String {
    switch self {
    case .picture: "Picture"
    case .tag: "Tag"
    case .scanner: "Scanner"
    case .print: "Small print"
    }
  }
}

extension PositionOrigin {
  /// The source of the position, for display.
  var forPeople: String {
    let way =
      switch kind {
      case .given: "given"
      case .gpsd: "gpsd"
      case .nmea: "satellite receiver"
      case .exif: "the picture itself"
      case .place: "stated place"
      }
    var parts = [way]
    if let name, kind != .exif { parts.append(name.nameForPeople) }
    if isSimulated { parts.append("simulated") }
    if let note { parts.append(note.nameForPeople) }
    return parts.joined(separator: ", ")
  }
}
