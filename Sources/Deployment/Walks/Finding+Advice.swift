import Invocation
import Registry

extension Finding.Code {
  /// What is wrong in a few words, as a heading.
  var title: String {
    if let words = Self.words[self] { return words.title }
    let words = rawValue.shortened(to: 60).prose.split(separator: "-").joined(separator: " ")
    return words.prefix(1).uppercased() + words.dropFirst()
  }

  /// What whoever goes there should do; `nil` where the finding's own sentence must suffice.
  var advice: String? { Self.words[self]?.advice }

  private static let words: [Finding.Code: (title: String, advice: String)] = [
    .missingCode: (
      "Missing", "Look for it there. If it is gone, put up a new one, or retire it in the registry."
    ),
    .retiredCode: ("Retired, still hanging", "Take it down."),
    .unissuedCode: (
      "Not made by us", "Take it down, keep it, and find out who put it up."
    ),
    .foreignUID: (
      "Copied tag", "Take the tag down, keep it, and put up a tag that you wrote yourself."
    ),
    .overwrittenTag: (
      "Tag holds something else", "Write it again and lock it, or take it down."
    ),
    .unlockedTag: ("Tag can be changed", "Check what it says and lock it, or replace it."),
    .wornPrint: ("Worn print", "Print it again and replace it."),
    .signDisagrees: ("Sign contradicts itself", "Replace what leads to the wrong place."),
    .copiedCode: (
      "Same code at two places", "Find out which of the two is ours, and take the other down."
    ),
    .wrongPlace: ("At the wrong place", "Take it back to its place, and put up the right one."),
    .unreadSymbol: (
      "Could not be read", "Go there with a phone: if that does not read it either, replace it."
    ),
    .outsideRegion: (
      "Outside of its place", "Hang it where it belongs, or correct the place in the registry."
    ),
    .undecidedAccuracy: (
      "Position not exact enough",
      "Read it again with a better position, under open sky if need be."
    ),
    .noPosition: ("No position", "Read it again with a position."),
    .noPlace: ("Belongs to no place", "Say in the registry where it belongs."),
    .unknownPlace: ("Unknown place", "Add the place to the registry, or replace the code."),
    .unknownHost: (
      "Leads to a foreign site", "Take it down if it stands where a code of ours should be."
    ),
    .noMatch: (
      "Opens no App Clip", "Register an experience that covers its URL, or replace the code."
    ),
    .inactiveExperience: (
      "Experience switched off", "Switch the experience on again, or take the code down."
    ),
  ]
}

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
