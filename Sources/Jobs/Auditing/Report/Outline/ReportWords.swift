import CodeDrawing
import Foundation
import Invocation
package import Registry

extension WalkReport {
  /// The answer in a few sentences: threats, the number of codes in the right place, the states of
  /// the others, and what was found besides.
  package var answer: String {
    guard stopCount > 0 else { return "Nothing was read." }
    let threats = threats
    let threat =
      threats.isEmpty
      ? ""
      : "\(Counted.text(threats.count, "foreign code")) for payments or phishing "
        + "\(threats.count == 1 ? "hangs" : "hang") there: photograph, cover and call at once. "
    let others = otherTrouble
    if isAllFine { return threat + expectation + (others.map { ", but \($0)." } ?? ".") }
    let codes = expectation + (codeTrouble.map { "; \($0)." } ?? ".")
    return threat + codes + (others.map { " Besides, \($0)." } ?? "")
  }

  private var isAllFine: Bool { expectedCount > 0 && sum.confirmed == expectedCount }

  private var expectation: String {
    guard expectedCount > 0 else {
      return "\(Counted.text(codeCount, "code")) of ours \(codeCount == 1 ? "was" : "were") read, "
        + "at no place where codes should hang"
    }
    if isAllFine {
      switch expectedCount {
      case 1: return "The one code that should hang there does"
      case 2: return "Both codes hang where they belong"
      default: return "All \(Counted.grouped(expectedCount)) codes hang where they belong"
      }
    }
    if sum.confirmed == 0, sum.unconfirmed > 0 {
      return expectedCount == 1
        ? "The one code that should hang there is not confirmed there"
        : "None of \(Counted.text(expectedCount, "code")) is confirmed where it belongs"
    }
    return "\(Counted.grouped(sum.confirmed)) of \(Counted.text(expectedCount, "code")) "
      + (sum.confirmed == 1 || expectedCount == 1
        ? "hangs where it belongs" : "hang where they belong")
  }

  private static func clause(_ count: Int, _ one: String, _ many: String) -> String? {
    count == 0 ? nil : "\(Counted.grouped(count)) \(count == 1 ? one : many)"
  }

  /// The codes that are not in the right place; their numbers and that of the others are all codes.
  private var codeTrouble: String? {
    let sum = sum
    let parts = [
      Self.clause(sum.wrong, "is wrong", "are wrong"),
      Self.clause(certainlyMissingCount, "is missing", "are missing"),
      Self.clause(sum.missing - certainlyMissingCount, "was not read", "were not read"),
      Self.clause(sum.dead, "opens no App Clip", "open no App Clip"),
      Self.clause(
        sum.unconfirmed, "was read and its place is not confirmed",
        "were read and their place is not confirmed"),
    ].compactMap(\.self)
    return parts.isEmpty ? nil : Counted.list(parts)
  }

  /// Findings about anything else than the threats and the codes that ``codeTrouble`` counts.
  private var otherTrouble: String? {
    let parts = [
      Self.clause(
        othersWrong.subtracting(threats).count, "thing is wrong", "things are wrong"),
      Self.clause(doubtfulCount, "thing needs a look", "things need a look"),
    ].compactMap(\.self)
    return parts.isEmpty ? nil : Counted.list(parts)
  }

  /// The number of codes expected at visited places that were not read there.
  public var missingCount: Int { sections.reduce(0) { $0 + $1.missing.count } }

  /// The number of those at places that were certainly visited.
  package var certainlyMissingCount: Int {
    sections.reduce(0) { $0 + ($1.isCertain ? $1.missing.count : 0) }
  }

  /// The number of readings with an error, each counted once.
  package var wrongCount: Int { sections.subjects(of: .error).count }

  /// The readings with an error of no expected code which ``sum`` counts as wrong, missing or dead.
  private var othersWrong: Set<Item.Subject> {
    let troubled = sections.reduce(into: Set<CodeID>()) { $0.formUnion($1.troubled) }
    return sections.subjects(of: .error) { !($0.code.map { troubled.contains($0.id) } ?? false) }
  }

  /// The number of readings with an error of no expected code which ``sum`` counts as wrong, missing
  /// or dead.
  package var otherWrongCount: Int { othersWrong.count }

  /// The foreign codes that ask for payments or imitate ours.
  private var threats: Set<Item.Subject> {
    Set(
      sections.lazy.flatMap(\.items).filter { $0.finding.code == .phishingCode }.map(\.subject))
  }

  /// The number of readings without an error but with a warning.
  package var doubtfulCount: Int {
    sections.subjects(of: .warning).subtracting(sections.subjects(of: .error)).count
  }

  /// The persons who walked, each once.
  package var walkers: [String] {
    var names: [String] = []
    for walk in walks where !names.contains(walk.who) { names.append(walk.who) }
    return names
  }

  /// The name of a stop: its number, with the letter of its walk if there are several.
  package func stopName(_ number: Int, of walk: Walk.ID) -> String {
    guard walks.count > 1, let index = walks.firstIndex(where: { $0.id == walk }) else {
      return "\(number)"
    }
    return "\(Self.letters(index))\(number)"
  }

  /// The letters `A` to `Z`, then `AA`, like spreadsheet columns.
  static func letters(_ index: Int) -> String {
    var (text, rest) = ("", index + 1)
    while rest > 0 {
      let letter = (rest - 1) % 26
      text = String(UnicodeScalar(UInt8(65 + letter))) + text
      rest = (rest - 1) / 26
    }
    return text
  }

  /// The days of the walk, for example `3–4 November 2026`; `nil` without stops.
  package var days: String? {
    guard let period else { return nil }
    let (first, last) = (
      Day(period.lowerBound, in: timeZone), Day(period.upperBound, in: timeZone)
    )
    if first == last { return first.text }
    if first.year != last.year { return "\(first.text) – \(last.text)" }
    guard first.month == last.month else {
      return "\(first.day) \(first.monthName) – \(last.text)"
    }
    return "\(first.day)–\(last.text)"
  }

  /// A time of the day in the report's time zone, such as `2026-11-03 15:04:05`.
  func time(_ date: Date) -> String {
    let local = date.addingTimeInterval(Double(timeZone.secondsFromGMT(for: date)))
    return String(local.registryTimestamp.prefix(19).replacing("T", with: " "))
  }

  /// The name of the time zone, such as `Europe/Berlin (UTC+01:00)`.
  var timeZoneName: String {
    guard !["GMT", "UTC", "Etc/UTC", "Etc/GMT"].contains(timeZone.identifier) else { return "UTC" }
    let dates = [period?.lowerBound ?? made, period?.upperBound ?? made]
    let offsets = dates.map { timeZone.secondsFromGMT(for: $0) / 60 }
    // If the offset changed during the walks, the name alone identifies the times.
    guard let minutes = offsets.first, offsets.allSatisfy({ $0 == minutes }) else {
      return timeZone.identifier.nameForPeople
    }
    func two(_ number: Int) -> String { number < 10 ? "0\(number)" : "\(number)" }
    let (hours, rest) = (minutes.magnitude / 60, minutes.magnitude % 60)
    return "\(timeZone.identifier.nameForPeople) "
      + "(UTC\(minutes < 0 ? "−" : "+")\(two(Int(hours))):\(two(Int(rest))))"
  }

  /// A day of the Gregorian calendar in English.
  struct Day: Hashable {
    let year, month, day: Int

    init(_ date: Date, in timeZone: TimeZone) {
      let local = date.addingTimeInterval(Double(timeZone.secondsFromGMT(for: date)))
      let digits = local.registryTimestamp.prefix(10).split(separator: "-").compactMap { Int($0) }
      (year, month, day) =
        digits.count == 3 ? (digits[0], digits[1], digits[2]) : (1970, 1, 1)
    }

    var monthName: String {
      [
        "January", "February", "March", "April", "May", "June", "July", "August", "September",
        "October", "November", "December",
      ][max(0, min(11, month - 1))]
    }

    var text: String { "\(day) \(monthName) \(year)" }
  }
}

extension Finding.Severity {
  /// The severity as a word for readers of a report.
  var word: String {
    switch self {
    case .error: "Wrong"
    case .warning: "Look at it"
    case .note: "Note"
    }
  }
}

extension [WalkReport.PlaceSection] {
  /// Whether findings with this code are already counted by code.
  private func isCountedByCodes(_ code: Finding.Code) -> Bool {
    code == .missingCode
      || code == .unconfirmedPlace && contains { !$0.unconfirmed.isEmpty }
  }

  /// The subjects of findings of a severity, each once.
  fileprivate func subjects(
    of severity: Finding.Severity, where isWanted: (WalkReport.Item) -> Bool = { _ in true }
  ) -> Set<WalkReport.Item.Subject> {
    let items = flatMap(\.items).filter {
      $0.finding.severity == severity && !isCountedByCodes($0.finding.code) && isWanted($0)
    }
    return Set(items.map(\.subject))
  }
}

extension WalkReport.PlaceSection {
  /// The number of readings at the place with an error, each counted once.
  package var wrongCount: Int { [self].subjects(of: .error).count }

  /// A task: all findings of one reading, or a single finding.
  struct Job {
    /// The main finding.
    let lead: WalkReport.Item
    /// The other findings.
    let others: [WalkReport.Item]

    fileprivate init(_ items: [WalkReport.Item]) {
      let gravest = items.map(\.finding.severity).max()
      let candidates = items.filter { $0.finding.severity == gravest }
      let lead =
        candidates.first { $0.finding.urgency == .phishing }
        ?? candidates.first { !Self.followsFromOthers.contains($0.finding.code) }
        ?? candidates.first { $0.finding.code == .wrongPlace } ?? candidates.first ?? items[0]
      let isElsewhere = [.wrongPlace, .swappedCodes].contains(lead.finding.code)
      self.lead = lead
      others = items.filter {
        $0.finding != lead.finding
          && !(isElsewhere && Self.followsFromOthers.contains($0.finding.code))
      }
    }

    /// Findings that follow from a code being in the place of another.
    private static let followsFromOthers: [Finding.Code] = [
      .outsideRegion, .signSuspect, .wrongPlace,
    ]
  }

  /// The tasks of one kind at a place.
  struct Group {
    let code: Finding.Code
    let severity: Finding.Severity
    var jobs: [Job]

    fileprivate var urgency: Finding.Urgency { jobs.map(\.lead.finding.urgency).min() ?? .note }
  }

  /// The tasks, one for each reading.
  var jobs: [Job] {
    var jobs: [[WalkReport.Item]] = []
    var places: [WalkReport.Item.Subject: Int] = [:]
    for item in items {
      guard item.stop != nil, item.reading != nil else {
        jobs.append([item])
        continue
      }
      if let place = places[item.subject] {
        jobs[place].append(item)
      } else {
        places[item.subject] = jobs.count
        jobs.append([item])
      }
    }
    return jobs.map(Job.init)
  }

  /// The tasks by kind, the most urgent first; kinds of the same urgency in order of appearance.
  var groups: [Group] {
    struct Kind: Hashable {
      let code: Finding.Code
      let severity: Finding.Severity
    }
    var groups: [Group] = []
    var places: [Kind: Int] = [:]
    for job in jobs {
      let finding = job.lead.finding
      let kind = Kind(code: finding.code, severity: finding.severity)
      if let place = places[kind] {
        groups[place].jobs.append(job)
      } else {
        places[kind] = groups.count
        groups.append(Group(code: kind.code, severity: kind.severity, jobs: [job]))
      }
    }
    return groups.enumerated().sorted {
      ($0.element.urgency, $0.offset) < ($1.element.urgency, $1.offset)
    }.map(\.element)
  }

  /// The place's name, for display.
  var title: String { place?.name.nameForPeople ?? "At no known place" }

  /// The highest severity; `nil` if there are no findings.
  var severity: Finding.Severity? {
    items.lazy.map(\.finding.severity).max()
  }

  /// The number of readings with an error that are no expected code which ``sum`` counts as wrong,
  /// missing or dead.
  package var otherWrongCount: Int {
    // A swap is about the code that is away, which the sum counts.
    [self].subjects(of: .error) {
      $0.finding.code != .swappedCodes && !($0.code.map { troubled.contains($0.id) } ?? false)
    }.count
  }

  /// A summary of the tasks, such as `2 wrong, 1 missing`.
  var summary: String {
    let threats = items.count { $0.finding.code == .phishingCode }
    let parts = [
      (threats, "phishing"), (sum.wrong, "wrong"),
      (sum.missing, isCertain ? "missing" : "not read"), (sum.dead, "dead"),
      (sum.unconfirmed, "not confirmed"), (otherWrongCount - threats, "other wrong"),
    ].filter { $0.0 > 0 }.map { "\(Counted.grouped($0.0)) \($0.1)" }
    return parts.isEmpty
      ? "\(Counted.grouped(jobs.count)) to look at" : parts.joined(separator: ", ")
  }
}

extension WalkReport.Item {
  /// The subject of a finding: a reading, a stop, or a code.
  enum Subject: Hashable {
    case reading(Walk.ID, Int, Int?)
    case code(CodeID)
    case itself(Finding)
  }

  /// The subject of the finding.
  var subject: Subject {
    if let stop { return .reading(stop.walk, stop.number, reading) }
    return code.map { .code($0.id) } ?? .itself(finding)
  }

  /// The reading that the finding is about.
  var walkReading: WalkReading? {
    guard let stop, let reading, stop.readings.indices.contains(reading) else { return nil }
    return stop.readings[reading]
  }

  /// The payload of the code, for display; `nil` if the finding is about no code.
  var payload: String? { (code?.payload ?? walkReading?.payload)?.payloadForPeople }

  /// The carrier of the code: `Tag 04A1…`, `Print`; `nil` if the finding is about no code.
  var carrier: String? {
    if let reading = walkReading {
      switch reading.carrier {
      case .nfc: return reading.uid.map { "Tag \($0.nameForPeople)" } ?? "Tag"
      case .qr: return "Print"
      case .url: return "Small print"
      case .appClipCode: return "App Clip Code"
      case .barcode: return "Barcode"
      }
    }
    switch code?.carrier {
    case .qr: return code?.output.map { "Print \($0.nameForPeople)" } ?? "Print"
    case .nfc: return code?.tagUID.map { "Tag \($0.nameForPeople)" } ?? "Tag"
    case .appClipCode:
      return code?.output.map { "App Clip Code \($0.nameForPeople)" } ?? "App Clip Code"
    case nil: return nil
    }
  }
}

/// External texts, prepared for display.
extension String {
  /// The text on one line with invisible characters made visible, so that it can manipulate neither
  /// a page nor its reader. Joiners are kept, which many scripts need within a word.
  var prose: String {
    var text = ""
    for scalar in unicodeScalars {
      switch scalar {
      case "\t", "\n", "\r": text += " "
      case "\u{200C}", "\u{200D}": text.unicodeScalars.append(scalar)
      default: text += String(scalar).printable
      }
    }
    return text
  }

  /// The text, or its beginning and end if it has more than `limit` Unicode scalars; a single
  /// letter may carry thousands of combining marks.
  func shortened(to limit: Int) -> String {
    // Counting bytes is fast, and a text never has more scalars than bytes.
    guard utf8.count > limit, unicodeScalars.count > limit else { return self }
    let tail = limit / 4
    return String(unicodeScalars.prefix(limit - tail - 1)) + "…"
      + String(unicodeScalars.suffix(tail))
  }

  /// A name for display.
  var nameForPeople: String { shortened(to: 120).prose }
  /// A payload for display.
  var payloadForPeople: String { isEmpty ? "(no text)" : shortened(to: 240).printable }
  /// A sentence for display.
  var sentenceForPeople: String { shortened(to: 600).prose }
}

/// Numbers with their nouns.
enum Counted {
  /// A count with its noun, such as `1 code` or `1,200 codes`.
  static func text(_ count: Int, _ one: String, _ many: String? = nil) -> String {
    "\(grouped(count)) \(count == 1 ? one : many ?? one + "s")"
  }

  /// A number with commas between thousands.
  static func grouped(_ count: Int) -> String {
    var digits = String(count.magnitude)
    var parts: [String] = []
    while digits.count > 3 {
      parts.insert(String(digits.suffix(3)), at: 0)
      digits.removeLast(3)
    }
    return (count < 0 ? "-" : "") + ([digits] + parts).joined(separator: ",")
  }

  /// A list such as `a`, `a and b` or `a, b and c`.
  static func list(_ items: [String]) -> String {
    guard let last = items.last, items.count > 1 else { return items.first ?? "" }
    return items.dropLast().joined(separator: ", ") + " and " + last
  }
}
