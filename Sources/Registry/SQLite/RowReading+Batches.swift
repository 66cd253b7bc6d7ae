import Foundation
internal import GRDB

extension Batch {
  init(row: Row) {
    self.init(
      name: row["name"], created: Date(millisecondsSince1970: row["created"]), who: row["who"])
  }
}

extension BatchRow.State {
  init(column name: String) throws {
    guard let state = Self(rawValue: name) else {
      throw RegistryError.damaged("the state “\(name)”")
    }
    self = state
  }
}

extension BatchRow {
  init(row: Row) throws {
    let captions: String = row["captions"]
    let columns =
      captions == "[]"
      ? [] : try? JSONDecoder().decode([Caption].self, from: Data(captions.utf8))
    guard let columns else { throw RegistryError.damaged("the captions \(captions)") }
    self.init(
      batch: row["batch"], number: row["number"],
      order: Order(
        url: row["url"], label: row["label"], placeID: row["place"], wantedUID: row["wanted_uid"],
        captions: columns))
    state = try State(column: row["state"])
    tag = try Tag(row: row)
    changed = (row["changed"] as Int64?).map { Date(millisecondsSince1970: $0) }
    who = row["who"]
    reason = row["reason"]
  }
}

extension BatchRow.Tag {
  fileprivate init?(row: Row) throws {
    guard let uid: String = row["uid"] else { return nil }
    let name: String? = row["code"]
    let code = name.flatMap { CodeID($0) }
    guard name == nil || code != nil else {
      throw RegistryError.damaged("the code name “\(name ?? "")”")
    }
    self.init(
      uid: uid, type: row["tag_type"] ?? "", hash: row["hash"], signature: row["signature"],
      isLocked: row["locked"] ?? false, reader: row["reader"] ?? "", code: code)
  }
}

extension BatchEvent {
  init(row: Row) throws {
    let text: String = row["details"]
    guard let details = try? JSONDecoder().decode([String: String].self, from: Data(text.utf8))
    else { throw RegistryError.damaged("the event details \(text)") }
    self.init(
      batch: row["batch"], row: row["row"], sequence: row["sequence"],
      time: Date(millisecondsSince1970: row["time"]), kind: Kind(rawValue: row["kind"]),
      who: row["who"], uid: row["uid"], details: details)
  }
}

extension BatchClaim {
  init(row: Row) {
    self.init(
      batch: row["batch"], row: row["row"],
      holder: Holder(machine: row["machine"], process: row["process"], started: row["started"]),
      reader: row["reader"], since: Date(millisecondsSince1970: row["since"]),
      renewed: Date(millisecondsSince1970: row["renewed"]))
  }
}
