import Foundation
internal import GRDB
import Invocation

extension Walk {
  init(row: Row) throws {
    let name: String = row["id"]
    guard let id = ID(name) else { throw RegistryError.damaged("the walk “\(name)”") }
    self.init(
      id: id, name: row["name"], who: row["who"],
      started: Date(millisecondsSince1970: row["started"]),
      recorder: try Recorder(column: row["recorder"]))
  }
}

extension WalkStop {
  init(row: Row, of walk: Walk.ID, readings: [WalkReading]) throws {
    self.init(
      walk: walk, number: row["number"], time: Date(millisecondsSince1970: row["time"]),
      kind: try Kind(column: row["kind"]), source: row["source"], page: row["page"],
      digest: try (row["digest"] as Data?).map { try EntryHash(column: $0) }, sign: row["sign"],
      fix: try LocationFix(row: row), statedPlace: row["stated_place"], note: row["note"],
      unreadCount: row["unread"], readings: readings)
  }
}

extension LocationFix {
  /// The fix of a stop; `nil` for a stop without.
  fileprivate init?(row: Row) throws {
    guard let latitude: Double = row["latitude"], let longitude: Double = row["longitude"],
      let accuracy: Double = row["accuracy"]
    else { return nil }
    let origin = try (row["origin"] as String?).map { name in
      PositionOrigin(
        kind: try PositionOrigin.Kind(column: name), name: row["origin_name"],
        time: (row["origin_time"] as Int64?).map { Date(millisecondsSince1970: $0) },
        reportCount: row["origin_reports"] ?? 1, isSimulated: row["origin_simulated"] ?? false,
        note: row["origin_note"])
    }
    guard let coordinate = Coordinate(latitude: latitude, longitude: longitude),
      let fix = LocationFix(coordinate: coordinate, accuracy: accuracy, origin: origin)
    else { throw RegistryError.damaged("the position \(latitude),\(longitude)") }
    self = fix
  }
}

extension WalkReading {
  init(row: Row) throws {
    let payload: Data = row["payload"]
    let name: String? = row["code"]
    let code = name.flatMap { CodeID($0) }
    guard name == nil || code != nil else {
      throw RegistryError.damaged("the code name “\(name ?? "")”")
    }
    self.init(
      carrier: try Carrier(column: row["carrier"]),
      payload: String(decoding: payload, as: UTF8.self), uid: row["uid"],
      tagType: row["tag_type"], isLocked: row["locked"],
      corners: try [[Double]](column: row["corners"]), grade: row["grade"], code: code,
      placeID: row["place"], verdict: try Verdict(column: row["verdict"]),
      state: try InvocationState(column: row["state"]),
      location: try (row["location"] as String?).map { try LocationOutcome.Result(column: $0) },
      distance: row["distance"], findings: try [Finding](column: row["findings"]))
  }
}

extension WalkPicture {
  init(row: Row) {
    let jpeg: Data = row["jpeg"]
    self.init(
      jpeg: Array(jpeg), width: row["width"], height: row["height"],
      originalWidth: row["original_width"], originalHeight: row["original_height"])
  }
}

extension RawRepresentable where RawValue == String {
  /// Reads a name that only this software writes.
  fileprivate init(column name: String) throws {
    guard let value = Self(rawValue: name) else { throw RegistryError.damaged("“\(name)”") }
    self = value
  }
}

/// Corners as `x,y x,y …`.
extension [[Double]] {
  var column: String {
    map { $0.map { "\($0)" }.joined(separator: ",") }.joined(separator: " ")
  }

  fileprivate init(column text: String) throws {
    self = try text.split(separator: " ").map { corner in
      try corner.split(separator: ",").map { number in
        guard let number = Double(number) else {
          throw RegistryError.damaged("the corners \(text)")
        }
        return number
      }
    }
  }
}

/// Findings as a list of objects of texts.
extension [Finding] {
  var column: String {
    FlatJSON.text(
      map {
        ["code": $0.code.rawValue, "severity": $0.severity.rawValue, "message": $0.message]
      })
  }

  fileprivate init(column text: String) throws {
    let findings = FlatJSON.list(text)?.map { object -> Finding? in
      guard let code = object["code"], let message = object["message"],
        let severity = object["severity"].flatMap(Finding.Severity.init)
      else { return nil }
      return Finding(Finding.Code(rawValue: code), severity, message)
    }
    guard let findings, !findings.contains(nil) else {
      throw RegistryError.damaged("the findings \(text)")
    }
    self = findings.compactMap(\.self)
  }
}
