public import Auditing
public import Invocation
package import Registry

/// The sum of a walk's report: the `audit-report` object of the command's contract.
public struct WalkReportResult: Encodable, Sendable {
  /// The type of the object.
  let type = "audit-report"
  /// The title of the report.
  let name: String
  /// The one place of the report.
  let place: PlaceReference?
  /// The ids of the walks.
  let walks: [String]
  /// The people who walked.
  let who: [String]
  /// The time of the first stop, RFC 3339 in UTC.
  let from: String?
  /// The time of the last stop, RFC 3339 in UTC.
  let to: String?
  /// The number of stops.
  let stops: Int
  /// The number of codes read, with each reading counted.
  let readings: Int
  /// The number of different issued codes that were read.
  let codes: Int
  /// The number of codes expected at the visited places.
  let expected: Int
  /// The number of those that were read at their place, or perhaps there.
  let seen: Int
  /// The number of those that were certainly read at their place.
  let confirmed: Int
  /// The number of those that were read at an uncertain place.
  let unconfirmed: Int
  /// The number of expected codes that were not read there.
  let missing: Int
  /// The number of readings with an error, each counted once.
  let wrong: Int
  /// The number of codes that hang in the place of another.
  let swapped: Int
  /// The number of findings that are errors.
  let errors: Int
  /// The number of findings that are warnings.
  let warnings: Int
  /// The number of places that were visited.
  let places: Int
  /// The places that were not visited.
  let unvisited: [PlaceReference]
  /// The files that were made.
  let outputs: [String]
  /// The outcome in a sentence.
  let answer: String
  /// The number of prints and tags of the expected codes, with all copies.
  let pieces: Int
  /// The number of those that were certainly seen: of a code with several prints, the most in one
  /// picture.
  let piecesSeen: Int
  /// The expected codes, each counted in one state.
  let sum: CodeSumResult

  /// States a report.
  ///
  /// - Parameters:
  ///   - report: The report.
  ///   - outputs: The files that were made of it.
  public init(_ report: WalkReport, outputs: [String] = []) {
    name = report.title
    place = report.place.map(PlaceReference.init)
    walks = report.walks.map(\.id.description)
    who = report.walkers
    from = report.period?.lowerBound.registryTimestamp
    to = report.period?.upperBound.registryTimestamp
    (stops, readings, codes) = (report.stopCount, report.readingCount, report.codeCount)
    (expected, seen) = (report.expectedCount, report.seenCount)
    (confirmed, unconfirmed) = (report.confirmedCount, report.unconfirmedCount)
    (missing, wrong) = (report.missingCount, report.wrongCount)
    swapped = report.sections.reduce(0) { $0 + $1.swapped.count }
    (errors, warnings) = (report.count(of: .error), report.count(of: .warning))
    places = report.sections.count { $0.place != nil }
    unvisited = report.unvisited.map(PlaceReference.init)
    self.outputs = outputs
    answer = report.answer
    pieces = report.sections.reduce(0) { $0 + $1.pieces.pieces }
    piecesSeen = report.sections.reduce(0) { $0 + $1.pieces.seen }
    sum = CodeSumResult(report.sum)
  }
}

/// The codes expected at visited places, each counted in one state.
public struct CodeSumResult: Encodable, Hashable, Sendable {
  /// The number of all codes: the sum of the others.
  let all: Int
  /// The number of codes that were certainly read where they belong, and open what they should.
  let confirmed: Int
  /// The number of codes that were read, but perhaps elsewhere.
  let unconfirmed: Int
  /// The number of codes that hang elsewhere, or that are not as they were issued.
  let wrong: Int
  /// The number of codes that were read nowhere.
  let missing: Int
  /// The number of codes that were read where they belong and open no App Clip.
  let dead: Int

  /// States a sum.
  public init(_ sum: CodeSum) {
    (all, confirmed, unconfirmed) = (sum.all, sum.confirmed, sum.unconfirmed)
    (wrong, missing, dead) = (sum.wrong, sum.missing, sum.dead)
  }
}

/// A finding of a walk: the `audit-finding` object of the command's contract.
public struct WalkFindingResult: Encodable, Sendable {
  /// The type of the object.
  let type = "audit-finding"
  /// The finding.
  let finding: FindingResult
  /// The place that was visited.
  let place: PlaceReference?
  /// The id of the walk.
  let walk: String?
  /// The number of the stop in its walk, from 1.
  let stop: Int?
  /// The time of the stop, RFC 3339 in UTC.
  let time: String?
  /// The picture or the reader.
  let source: String?
  /// The page of a document, from 1.
  let page: Int?
  /// SHA-256 of the picture.
  let sha256: String?
  /// The text that identifies a sign within its walk.
  let sign: String?
  /// `url`, `qr`, `nfc`, `app-clip-code` or `barcode`.
  let carrier: String?
  /// The text of the code.
  let payload: String?
  /// The UID of a tag, in hexadecimal.
  let uid: String?
  /// The code's name in the registry.
  let code: String?
  /// The corners of the code in pixels of the picture, each as x and y.
  let corners: [[Double]]
  /// The latitude of the stop (WGS 84).
  let latitude: UnroundedNumber?
  /// The longitude of the stop (WGS 84).
  let longitude: UnroundedNumber?
  /// The accuracy of the position, in metres.
  let accuracy: Double?
  /// A remark about the stop.
  let note: String?
  /// The time at which the picture was taken, as it states, RFC 3339 in UTC.
  let taken: String?
  /// The name under which it is followed up.
  let followUp: String?

  /// States a finding.
  ///
  /// - Parameters:
  ///   - item: The finding with its stop and its code.
  ///   - place: The place of its section.
  public init(_ item: WalkReport.Item, at place: Place?) {
    let (stop, code, found) = (item.stop, item.code, item.found)
    finding = FindingResult(item.finding)
    self.place = place.map(PlaceReference.init)
    walk = stop?.walk.description
    self.stop = stop?.number
    time = stop?.time.registryTimestamp
    source = stop?.source
    page = stop?.page
    sha256 = stop?.digest?.description
    sign = stop?.sign
    carrier = found?.carrier.rawValue ?? code?.carrier.rawValue
    payload = found?.payload ?? code?.payload
    uid = found?.uid ?? code?.tagUID
    self.code = code?.id.description ?? found?.code?.description
    corners = found?.corners ?? []
    latitude = (stop?.fix?.coordinate.latitude).map(UnroundedNumber.init)
    longitude = (stop?.fix?.coordinate.longitude).map(UnroundedNumber.init)
    accuracy = stop?.fix?.accuracy
    note = stop?.note
    taken = stop?.taken?.registryTimestamp
    followUp = WalkReport.followUpID(of: item, at: place)
  }
}

extension WalkReport.Item {
  /// The reading that the finding concerns.
  package var found: WalkReading? {
    reading.flatMap { index in
      stop.flatMap { $0.readings.indices.contains(index) ? $0.readings[index] : nil }
    }
  }
}
