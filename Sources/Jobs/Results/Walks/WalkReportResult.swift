public import Auditing
public import Invocation
package import Registry

/// The sum of a walk's report: the `audit-report` object of the command's contract.
public struct WalkReportResult: Encodable, Sendable {
  let type = "audit-report"
  let name: String
  let place: PlaceReference?
  let walks: [String]
  let who: [String]
  let from: String?
  let to: String?
  let stops: Int
  let readings: Int
  let codes: Int
  let expected: Int
  let seen: Int
  let confirmed: Int
  let unconfirmed: Int
  let missing: Int
  let wrong: Int
  let swapped: Int
  let errors: Int
  let warnings: Int
  let places: Int
  let unvisited: [PlaceReference]
  let outputs: [String]
  let answer: String

  /// States a report.
  ///
  /// - Parameter outputs: The files that were made of it.
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
  }
}

/// A finding of a walk: the `audit-finding` object of the command's contract.
public struct WalkFindingResult: Encodable, Sendable {
  let type = "audit-finding"
  let finding: FindingResult
  let place: PlaceReference?
  let walk: String?
  let stop: Int?
  let time: String?
  let source: String?
  let page: Int?
  let sha256: String?
  let sign: String?
  let carrier: String?
  let payload: String?
  let uid: String?
  let code: String?
  let corners: [[Double]]
  let latitude: UnroundedNumber?
  let longitude: UnroundedNumber?
  let accuracy: Double?
  let note: String?

  /// States a finding.
  ///
  /// - Parameter place: The place of its section.
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
