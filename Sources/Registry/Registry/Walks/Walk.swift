public import Foundation
public import Invocation

/// A walk on which a person reads the codes in their places.
///
/// Only the laptop that began a walk adds to it; nothing is removed. Several people who walk at
/// once each have a separate walk, under one name, and a report covers all walks of a name.
public struct Walk: Hashable, Sendable, Identifiable {
  /// The identifier of a walk among all walks of all laptops: a random UUID.
  public struct ID: Hashable, Sendable, Comparable, CustomStringConvertible {
    /// The UUID (RFC 9562) in lower case.
    public let description: String

    /// Makes a new name.
    package init() { description = UUID().uuidString.lowercased() }

    /// Reads a name; `nil` when the text is no UUID.
    public init?(_ text: String) {
      guard text.utf8.count == 36, let uuid = UUID(uuidString: text) else { return nil }
      description = uuid.uuidString.lowercased()
    }

    /// Compares the bytes of the names.
    public static func < (left: ID, right: ID) -> Bool {
      left.description.utf8.lexicographicallyPrecedes(right.description.utf8)
    }
  }

  /// The identifier of the walk.
  public let id: ID
  /// The displayed name, for example `Autumn 2026`; walks of several people may share it.
  public let name: String
  /// The person who walks.
  public let who: String
  /// The time at which the walk began, in whole milliseconds.
  public let started: Date
  /// The registry file that began the walk and adds to it.
  public let recorder: Recorder

  /// Makes a walk.
  package init(id: ID = ID(), name: String, who: String, started: Date, recorder: Recorder) {
    self.id = id
    self.name = name
    self.who = who
    self.started = started.inWholeMilliseconds
    self.recorder = recorder
  }
}

/// A stop of a walk: a picture, a tag, or the reading of a scanner, with everything found.
///
/// A picture of a wall with many codes is one stop; so is each page of a document.
public struct WalkStop: Hashable, Sendable {
  /// The kind of reading.
  public enum Kind: String, Hashable, Sendable, CaseIterable {
    /// A picture, or one page of a document.
    case picture
    /// A tag on a reader.
    case tag
    /// A code before a camera or a scanner.
    case scanner
    /// Small print, typed in by a person at the sign.
    case print
  }

  /// The walk.
  public let walk: Walk.ID
  /// The stop's place in its walk, from 1.
  public let number: Int
  /// The time of the reading, in whole milliseconds: for a picture, that of its import.
  public let time: Date
  /// The time at which the picture was taken, as it states, in whole milliseconds.
  public let taken: Date?
  /// The kind of reading.
  public let kind: Kind
  /// The file, the reader or the scanner.
  public let source: String
  /// The page of a document, from 1.
  public let page: Int?
  /// SHA-256 of the picture's file or of the tag's bytes; `nil` if there are none.
  public let digest: EntryHash?
  /// The text that identifies a sign within its walk; the codes of one sign must agree.
  public let sign: String?
  /// The position of the reading, if it is known.
  public let fix: LocationFix?
  /// The place stated by the person who walks.
  public let statedPlace: String?
  /// A note by the person who walked.
  public let note: String?
  /// The number of symbols that were seen but not read.
  public let unreadCount: Int
  /// The readings; those of a picture from top to bottom.
  public let readings: [WalkReading]
  /// The findings about the stop as a whole, not about one of its readings.
  public let findings: [Finding]

  /// The time of the visit: when the picture was taken, if it states a time before its import, and
  /// otherwise the time of the reading.
  public var visited: Date { min(taken ?? time, time) }

  /// Makes a stop.
  package init(
    walk: Walk.ID, number: Int, time: Date, taken: Date? = nil, kind: Kind, source: String,
    page: Int? = nil, digest: EntryHash? = nil, sign: String? = nil, fix: LocationFix? = nil,
    statedPlace: String? = nil, note: String? = nil, unreadCount: Int = 0,
    readings: [WalkReading], findings: [Finding] = []
  ) {
    self.walk = walk
    self.number = number
    self.time = time.inWholeMilliseconds
    self.taken = taken?.inWholeMilliseconds
    self.findings = findings
    self.kind = kind
    self.source = source
    self.page = page
    self.digest = digest
    self.sign = sign
    self.fix = fix
    self.statedPlace = statedPlace
    self.note = note
    self.unreadCount = unreadCount
    self.readings = readings
  }
}

/// A code that was read at a stop, and its result there.
public struct WalkReading: Hashable, Sendable {
  /// The medium; `url` for small print.
  public let carrier: Carrier
  /// The text of the code, exactly; empty for a tag without a URL.
  public let payload: String
  /// The tag's UID in upper-case hexadecimal.
  public let uid: String?
  /// The tag's exact type, for example `NTAG215`.
  public let tagType: String?
  /// A Boolean value that indicates whether the tag's data can no longer be changed; `nil` for
  /// other codes.
  public let isLocked: Bool?
  /// Pixels of the picture, clockwise from the symbol's own top left; empty without a picture.
  public let corners: [[Double]]
  /// The print's grade, 4 (A) to 0 (F), as far as such a picture shows it.
  public let grade: Double?
  /// The registry's code that the reading is, or claims to be.
  public let code: CodeID?
  /// The place where the code belongs.
  public let placeID: String?
  /// The result: the worse of those of its payload and its carrier.
  public let verdict: Verdict
  /// The registry's verdict on the payload.
  public let state: InvocationState
  /// The location confirmation; `nil` if it was not requested.
  public let location: LocationOutcome.Result?
  /// The distance in metres from the centre of a circle, or from the edge of another region.
  public let distance: Double?
  /// The findings, as reported at the stop.
  public let findings: [Finding]

  /// Makes a reading.
  package init(
    carrier: Carrier, payload: String, uid: String? = nil, tagType: String? = nil,
    isLocked: Bool? = nil, corners: [[Double]] = [], grade: Double? = nil, code: CodeID? = nil,
    placeID: String? = nil, verdict: Verdict, state: InvocationState,
    location: LocationOutcome.Result? = nil, distance: Double? = nil, findings: [Finding]
  ) {
    self.carrier = carrier
    self.payload = payload
    self.uid = uid
    self.tagType = tagType
    self.isLocked = isLocked
    self.corners = corners
    self.grade = grade
    self.code = code
    self.placeID = placeID
    self.verdict = verdict
    self.state = state
    self.location = location
    self.distance = distance
    self.findings = findings
  }
}

/// A small copy of the picture of a stop, kept with the walk so that readers of the report see the
/// scene.
public struct WalkPicture: Hashable, Sendable {
  /// A JPEG file (ISO/IEC 10918-1).
  public let jpeg: [UInt8]
  /// The width of the JPEG file in pixels.
  public let width: Int
  /// The height of the JPEG file in pixels.
  public let height: Int
  /// The width in pixels of the original picture, to which the corners of readings refer.
  public let originalWidth: Int
  /// The height of the original picture in pixels.
  public let originalHeight: Int

  /// Makes a small copy's record.
  package init(jpeg: [UInt8], width: Int, height: Int, originalWidth: Int, originalHeight: Int) {
    self.jpeg = jpeg
    self.width = width
    self.height = height
    self.originalWidth = originalWidth
    self.originalHeight = originalHeight
  }
}
