public import Foundation
public import Invocation

/// One round on which a person reads the codes in their places.
///
/// A walk is only ever added to, by the laptop that began it. Several people who walk at once each
/// have a separate walk, under one name, and a report covers all walks of a name.
public struct Walk: Hashable, Sendable, Identifiable {
  /// The name of one walk among all walks of all laptops: a UUID made at random.
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
  /// The walk's name for people, for example `Autumn 2026`; walks of several people may share it.
  public let name: String
  /// The person who walks.
  public let who: String
  /// The time at which it began, in whole milliseconds.
  public let started: Date
  /// The registry file that began it and adds to it.
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

/// One stop of a walk: a picture, a tag, or what a scanner read, with everything that was seen.
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
  /// The time of the reading, in whole milliseconds.
  public let time: Date
  /// The kind of reading.
  public let kind: Kind
  /// The file, the reader or the scanner.
  public let source: String
  /// The page of a document, from 1.
  public let page: Int?
  /// SHA-256 of the picture's file or of the tag's bytes; `nil` where there are none.
  public let digest: EntryHash?
  /// The text that identifies a sign within its walk; the codes of one sign must agree.
  public let sign: String?
  /// The position of the reading, as far as it is known.
  public let fix: LocationFix?
  /// The place that the person who walks states.
  public let statedPlace: String?
  /// A note by the person who walked.
  public let note: String?
  /// Symbols that were seen and gave no text.
  public let unreadCount: Int
  /// The readings, as a picture shows them from top to bottom.
  public let readings: [WalkReading]

  /// Makes a stop.
  package init(
    walk: Walk.ID, number: Int, time: Date, kind: Kind, source: String, page: Int? = nil,
    digest: EntryHash? = nil, sign: String? = nil, fix: LocationFix? = nil,
    statedPlace: String? = nil, note: String? = nil, unreadCount: Int = 0,
    readings: [WalkReading]
  ) {
    self.walk = walk
    self.number = number
    self.time = time.inWholeMilliseconds
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

/// One code that was read at a stop, and what was said of it there.
public struct WalkReading: Hashable, Sendable {
  /// The medium; `url` for small print.
  public let carrier: Carrier
  /// Its text, exactly; empty for a tag without a URL.
  public let payload: String
  /// The tag's UID in upper-case hexadecimal.
  public let uid: String?
  /// The tag's exact type, for example `NTAG215`.
  public let tagType: String?
  /// Whether the tag's data could still be changed; `nil` for what is no tag.
  public let isLocked: Bool?
  /// Pixels of the picture, clockwise from the symbol's own top left; empty without a picture.
  public let corners: [[Double]]
  /// The print's grade, 4 (A) to 0 (F), as far as such a picture shows it.
  public let grade: Double?
  /// The code of ours that it is, or claims to be.
  public let code: CodeID?
  /// The place where it belongs.
  public let placeID: String?
  /// The answer: the worse of what its payload and its carrier give.
  public let verdict: Verdict
  /// The registry's verdict on the payload.
  public let state: InvocationState
  /// The location confirmation; `nil` when it was not asked for.
  public let location: LocationOutcome.Result?
  /// Metres from the middle of the region, or from the edge of what is no circle.
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
  /// Pixels across and down in the JPEG file.
  public let width: Int
  /// Pixels down in the JPEG file.
  public let height: Int
  /// Pixels across in the picture that was read, to which the corners of readings refer.
  public let originalWidth: Int
  /// Pixels down in the picture that was read.
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
