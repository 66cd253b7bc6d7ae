import Invocation
import Registry

extension Finding.Severity {
  /// What it means for whoever reads a report.
  var word: String {
    switch self {
    case .error: "Wrong"
    case .warning: "Look at it"
    case .note: "Note"
    }
  }
}

extension WalkReport.PlaceSection {
  /// What was found of one kind at a place.
  struct Group {
    let code: Finding.Code
    let severity: Finding.Severity
    var items: [WalkReport.Item]
  }

  /// The findings by kind, the gravest first; kinds of one severity by how they first come.
  var groups: [Group] {
    struct Kind: Hashable {
      let code: Finding.Code
      let severity: Finding.Severity
    }
    var groups: [Group] = []
    var places: [Kind: Int] = [:]
    for item in items {
      let kind = Kind(code: item.finding.code, severity: item.finding.severity)
      if let place = places[kind] {
        groups[place].items.append(item)
      } else {
        places[kind] = groups.count
        groups.append(Group(code: kind.code, severity: kind.severity, items: [item]))
      }
    }
    return groups.enumerated().sorted {
      ($1.element.severity, $0.offset) < ($0.element.severity, $1.offset)
    }.map(\.element)
  }

  /// The place's name for people.
  var title: String { place?.name.nameForPeople ?? "At no known place" }

  /// The gravest of what was found; `nil` for nothing.
  var severity: Finding.Severity? { items.lazy.map(\.finding.severity).max() }
}

extension WalkReport.Item {
  /// The reading that it is about.
  var walkReading: WalkReading? {
    guard let stop, let reading, stop.readings.indices.contains(reading) else { return nil }
    return stop.readings[reading]
  }

  /// What the code says, for people; `nil` where it is about no code.
  var payload: String? { (code?.payload ?? walkReading?.payload)?.payloadForPeople }

  /// What carries the code: `Tag 04A1…`, `Print`; `nil` where it is about no code.
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
    case nil: return nil
    }
  }
}
