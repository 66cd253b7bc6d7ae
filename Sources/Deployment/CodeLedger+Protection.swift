import Foundation
package import Registry
import TagTypes

extension CodeLedger {
  /// Records that the tag of a code was locked, unless that is on record already and nothing was
  /// written now.
  package func recordLocked(
    _ code: CodeID, uid: String, reader: String, pagesWritten: Int
  ) async throws(RegistryError) {
    let time = now()
    try await registry.write { registry in
      let isKnown = try registry.history(of: code).contains { $0.kind == .locked }
      guard pagesWritten > 0 || !isKnown else { return }
      try registry.record(
        .locked, of: code, at: time, by: who,
        details: ["reader": reader, "uid": uid, "pages": "\(pagesWritten)"])
    }
  }

  /// Records that a tag's password was set, changed or removed, in the history of the codes that
  /// the tag carries. The password itself is nowhere.
  ///
  /// - Returns: Those codes.
  func recordPassword(
    _ kind: CodeEvent.Kind, uid: String, reader: String, rule: PasswordRule?
  ) async throws(RegistryError) -> [CodeID] {
    let time = now()
    var details = ["reader": reader, "uid": uid]
    if let rule {
      details["from-page"] = "\(rule.firstPage)"
      details["protects"] = rule.protectsReading ? "read-write" : "write"
      details["attempt-limit"] = "\(rule.wrongPasswordLimit)"
    }
    return try await registry.write { [details] registry in
      let codes = try registry.codes(
        CodeFilter(status: .issued, carrier: .nfc, tagUID: uid)
      ).map(\.id)
      for code in codes { try registry.record(kind, of: code, at: time, by: who, details: details) }
      return codes
    }
  }
}
