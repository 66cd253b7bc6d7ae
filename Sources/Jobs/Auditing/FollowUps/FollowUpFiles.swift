import CliptagBasics
import Foundation
package import Invocation
package import Registry

/// Findings to follow up as files for other programs.
package struct FollowUpFiles: Sendable {
  /// The names of the columns of ``table``.
  package static let columns = [
    "id", "state", "severity", "finding", "place", "placeName", "code", "payload", "opened",
    "owner", "due", "message",
  ]

  private let followUps: [FollowUp]
  private let places: [String: Place]

  /// Takes findings in the order of the files.
  ///
  /// - Parameters:
  ///   - followUps: The findings.
  ///   - places: The places, by id.
  package init(_ followUps: [FollowUp], at places: [String: Place]) {
    self.followUps = followUps
    self.places = places
  }

  /// A table for spreadsheets: RFC 4180 with a header and CRLF.
  package var table: String {
    Self.columns.csvLine
      + followUps.map { followUp in
        let subject = followUp.subject
        return [
          followUp.id, followUp.state.rawValue, followUp.severity.rawValue,
          subject.finding.rawValue, subject.placeID ?? "", place(of: followUp)?.name ?? "",
          subject.code?.description ?? "", subject.payload ?? "",
          followUp.opened.time.registryTimestamp, followUp.owner ?? "", followUp.due ?? "",
          followUp.message,
        ].csvLine
      }.joined()
  }

  /// A calendar of tasks (iCalendar, RFC 5545), one `VTODO` for each finding.
  package var calendar: String {
    let lines =
      ["BEGIN:VCALENDAR", "VERSION:2.0", "PRODID:-//cliptag//findings//EN"]
      + followUps.flatMap(task) + ["END:VCALENDAR"]
    return lines.map { $0.folded + "\r\n" }.joined()
  }

  private func place(of followUp: FollowUp) -> Place? {
    followUp.subject.placeID.flatMap { places[$0] }
  }

  private func task(_ followUp: FollowUp) -> [String] {
    let subject = followUp.subject
    let place = place(of: followUp)?.name ?? subject.placeID
    let changed = followUp.entries.last?.time ?? followUp.opened.time
    let title = [subject.finding.rawValue, place].compactMap(\.self).joined(separator: ", ")
    let about = subject.code?.description ?? subject.payload
    var lines = [
      "BEGIN:VTODO", "UID:\(followUp.id)", "DTSTAMP:\(changed.calendarTime)",
      "CREATED:\(followUp.opened.time.calendarTime)", "LAST-MODIFIED:\(changed.calendarTime)",
      "SUMMARY:\(title.calendarText)",
      "DESCRIPTION:"
        + [followUp.message, about].compactMap(\.self).joined(separator: "\n").calendarText,
      "PRIORITY:\(followUp.severity == .error ? 1 : 5)",
    ]
    if let place { lines.append("LOCATION:\(place.calendarText)") }
    if let owner = followUp.owner { lines.append("CONTACT:\(owner.calendarText)") }
    if let due = followUp.due { lines.append("DUE;VALUE=DATE:\(due.replacing("-", with: ""))") }
    switch followUp.state {
    case .open: lines.append("STATUS:NEEDS-ACTION")
    case .done:
      lines += ["STATUS:COMPLETED", "COMPLETED:\(followUp.decided.time.calendarTime)"]
    case .willNot: lines.append("STATUS:CANCELLED")
    }
    return lines + ["END:VTODO"]
  }
}

extension Date {
  /// The time in UTC as iCalendar writes it, for example `20261121T093000Z`.
  fileprivate var calendarTime: String {
    registryTimestamp.prefix(19).replacing("-", with: "").replacing(":", with: "") + "Z"
  }
}

extension String {
  /// The text as a value (RFC 5545, section 3.3.11), without control characters.
  fileprivate var calendarText: String {
    var text = ""
    for scalar in unicodeScalars {
      switch scalar {
      case "\\", ";", ",": text += "\\\(scalar)"
      case "\n": text += "\\n"
      case _ where scalar.value < 0x20 || scalar.value == 0x7F: continue
      default: text.unicodeScalars.append(scalar)
      }
    }
    return text
  }

  /// The line in pieces of 75 bytes at most, each of whole characters (section 3.1).
  fileprivate var folded: String {
    var (line, length) = ("", 0)
    for scalar in unicodeScalars {
      let size = UTF8.width(scalar)
      if length + size > 75 {
        line += "\r\n "
        length = 1
      }
      line.unicodeScalars.append(scalar)
      length += size
    }
    return line
  }
}
