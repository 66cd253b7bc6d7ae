import CliptagBasics
import AppClipCodes
public import Foundation
import Invocation
public import Registry
import TagTypes

/// The record of what was issued: finds the code a piece of work belongs to, or begins a new one.
///
/// One code is one payload on one carrier: the same URL printed again, in another format or
/// another size, is the same code with a longer history, and a tag keeps its code as long as it
/// carries the same URL. A retired code is never taken up again. Each file name, and each label of a
/// sheet, is an item of the code, which follows from the history: see `CodeItem`.
public struct CodeLedger: Sendable {
  /// The registry with the record.
  package let registry: any RegistryStore
  /// The name of the operator, for the history.
  package let who: String
  let now: @Sendable () -> Date

  /// Creates a ledger.
  ///
  /// - Parameters:
  ///   - registry: The registry with the record.
  ///   - who: The name of the operator.
  ///   - now: The clock.
  public init(
    registry: any RegistryStore, who: String, now: @escaping @Sendable () -> Date = { Date() }
  ) {
    self.registry = registry
    self.who = who
    self.now = now
  }

  /// Returns the name that a printed code of this payload has, or will have, to print it beside the
  /// code before anything is recorded.
  public func printedName(of approval: Approval) throws(RegistryError) -> CodeID {
    try printedNames(of: [approval])[0]
  }

  /// Returns the names of several printed codes as ``printedName(of:)`` does, in the order of the
  /// approvals.
  package func printedNames(of approvals: [Approval]) throws(RegistryError) -> [CodeID] {
    let time = now()
    return try registry.read { registry throws(RegistryError) in
      try registry.lookAhead(payloads: approvals.map(\.verification.payload))
      var last: CodeID?
      var made: [[UInt8]: CodeID] = [:]
      return try approvals.map { approval throws(RegistryError) in
        let payload = approval.verification.payload
        let known = try registry.codes(
          CodeFilter(status: .issued, carrier: .qr, payload: payload)
        ).last { $0.registered == approval.isRegistered }
        if let known { return known.id }
        let key = Array(payload.utf8) + [approval.isRegistered ? 1 : 0]
        if let name = made[key] { return name }
        if last == nil { last = try registry.lastCodeID() }
        let name = CodeID(at: time, after: last)
        (made[key], last) = (name, name)
        return name
      }
    }
  }

  /// Records that a code was printed to a file and read back.
  ///
  /// - Parameters:
  ///   - approval: The payload that may be issued.
  ///   - output: The file it was printed to.
  ///   - symbol: The facts about the symbol.
  ///   - name: The name of a code that is new; `nil` for any.
  /// - Returns: The code's name: that of the code in use for this payload, which another process
  ///   may have begun since ``printedName(of:)`` was called; or `name`, or a new one.
  public func recordPrinted(
    _ approval: Approval, output: String, symbol: IssuedCode.Symbol, name: CodeID? = nil
  ) async throws -> CodeID {
    let item = PrintedItem(approval, symbol: symbol, output: output, name: name)
    guard let names = try await recordPrinted([item])[0] else {
      preconditionFailure("a printed symbol has a code")
    }
    return names.code
  }

  /// A code that was printed.
  package struct PrintedItem: Sendable {
    let payload: String
    let placeID: String?
    let isRegistered: Bool
    let symbol: IssuedCode.Symbol?
    let output: String
    let name: CodeID?
    let label: PrintedLabel?
    let appClipCode: CodeID?

    /// Creates an item.
    ///
    /// - Parameters:
    ///   - approval: The approval of the payload.
    ///   - symbol: The QR code that was drawn; `nil` if an App Clip Code replaces it.
    ///   - output: The file.
    ///   - name: The name of a code that is new; `nil` for any.
    ///   - label: The text next to it, and its position in the file; `nil` for a separate file.
    ///   - appClipCode: The name of the App Clip Code that was printed; `nil` for none, or one that
    ///     is not on record.
    package init(
      _ approval: Approval, symbol: IssuedCode.Symbol?, output: String, name: CodeID? = nil,
      label: PrintedLabel? = nil, appClipCode: CodeID? = nil
    ) {
      payload = approval.verification.payload
      placeID = approval.verification.place?.id
      isRegistered = approval.isRegistered
      self.symbol = symbol
      self.output = output
      self.name = name
      self.label = label
      self.appClipCode = appClipCode
    }
  }

  /// The names of a print in the record.
  package struct PrintNames: Hashable, Sendable {
    /// The name of the QR code, else of the App Clip Code alone.
    package let code: CodeID
    /// The name of the code's item that was printed.
    package let item: String
  }

  /// Records that codes were printed and read back: all, or none.
  ///
  /// - Parameters:
  ///   - items: The printed items.
  ///   - stage: Receives the names that the record gives, in the order of the items, while the
  ///     record can still be undone: an error leaves no record.
  /// - Returns: These names; `nil` for an App Clip Code alone that is not on record.
  /// - Throws: An error of `stage`, or `RegistryError`.
  package func recordPrinted(
    _ items: [PrintedItem],
    staging stage: @escaping @Sendable ([PrintNames?]) throws -> Void = { _ in }
  ) async throws -> [PrintNames?] {
    let time = now()
    do throws(RegistryError) {
      return try await registry.write { registry in
        var codes: [CodeID?] = []
        codes.reserveCapacity(items.count)
        try registry.lookAhead(payloads: items.map(\.payload))
        for item in items { codes.append(try record(item, at: time, in: registry)) }
        let names = try Self.names(of: items, codes, in: registry)
        try stage(names)
        return names
      }
    } catch {
      // An error of staging is wrapped in the registry's error.
      if error.code == .failed, let underlying = error.underlying { throw underlying }
      throw error
    }
  }

  private static func names(
    of items: [PrintedItem], _ codes: [CodeID?], in registry: borrowing RegistryTransaction
  ) throws(RegistryError) -> [PrintNames?] {
    let prints = zip(items, codes).map { item, code in
      code.map { CodeItem.Print(code: $0, output: item.output, label: item.label) }
    }
    var names = try registry.itemNames(of: prints.compactMap(\.self))[...]
    return prints.map { print in
      guard let print, let item = names.popFirst() ?? nil else { return nil }
      return PrintNames(code: print.code, item: item)
    }
  }

  private func record(
    _ item: PrintedItem, at time: Date, in registry: borrowing RegistryTransaction
  ) throws(RegistryError) -> CodeID? {
    if let appClipCode = item.appClipCode {
      // Each print may be in use, and is counted.
      let details = ["output": item.output]
      try registry.record(
        .issued, of: appClipCode, at: time, by: who,
        details: details.merging(item.label?.details ?? [:]) { $1 })
      try registry.record(.verified, of: appClipCode, at: time, by: who, details: details)
    }
    guard let symbol = item.symbol else { return item.appClipCode }
    let id = try open(
      item.payload, isRegistered: item.isRegistered, carrier: .qr, name: item.name, at: time,
      label: item.label?.details ?? [:], in: registry,
      new: {
        IssuedCode(
          id: $0, payload: item.payload, carrier: .qr, placeID: item.placeID, created: time,
          registered: item.isRegistered, output: item.output, symbol: symbol)
      })
    try registry.record(.verified, of: id, at: time, by: who, details: ["output": item.output])
    return id
  }

  /// The change that the record made for an App Clip Code that was taken in.
  public enum Taken: String, Hashable, Sendable {
    /// It has a new name.
    case new
    /// It was already on record, without a difference.
    case known
    /// It was on record from another file, with other colours or another badge.
    case changed
  }

  /// Records that App Clip Codes were taken in: all, or none. The same URL with the same bits is
  /// the same code, whatever its colours are.
  ///
  /// - Returns: Each code's name and the change of the record, in the order of the candidates.
  func recordTaken(
    _ candidates: [AppClipCodeImport.Candidate]
  ) async throws(RegistryError) -> [(id: CodeID, outcome: Taken)] {
    let time = now()
    return try await registry.write { registry in
      var taken: [(id: CodeID, outcome: Taken)] = []
      taken.reserveCapacity(candidates.count)
      for candidate in candidates {
        if let outlines = candidate.outlines, let digest = candidate.facts.badgeDigest {
          try registry.keepAppClipCodeBadge(outlines, digest: digest)
        }
        let approval = candidate.approval
        func code(_ id: CodeID) -> IssuedCode {
          IssuedCode(
            id: id, payload: candidate.code.payload, carrier: .appClipCode,
            placeID: approval.verification.place?.id, created: time,
            registered: approval.isRegistered, output: candidate.name,
            appClipCode: candidate.facts)
        }
        let known = try registry.codes(
          CodeFilter(status: .issued, carrier: .appClipCode, payload: candidate.code.payload)
        ).last {
          $0.registered == approval.isRegistered
            && $0.appClipCode?.pattern == candidate.code.pattern
        }
        if let known {
          let isSame = known.appClipCode == candidate.facts
          if !isSame { try registry.reissue(code(known.id), at: time, by: who) }
          taken.append((known.id, isSame ? .known : .changed))
        } else {
          let id = CodeID(at: time, after: try registry.lastCodeID())
          try registry.issue(code(id), by: who, details: ["output": candidate.name])
          taken.append((id, .new))
        }
      }
      return taken
    }
  }

  /// Records that a tag was written, or found to be correct already, and read back.
  ///
  /// A code that this tag carried before with another payload is retired: it no longer exists.
  /// So is one with this payload that was registered where this is not, or the other way round:
  /// a tag carries one code.
  ///
  /// - Parameters:
  ///   - approval: The payload that may be issued.
  ///   - uid: The tag's UID in hexadecimal.
  ///   - tagType: The product, such as `NTAG215`.
  ///   - reader: The reader's name in the record.
  ///   - pagesWritten: The number of pages that changed.
  ///   - mirror: The data that the tag fills in, as a placeholder. The payload contains the tag's
  ///     UID in its place, and zeros for its counter.
  ///   - ahead: Looks up the data of `alongside`, for
  ///     ``RegistryTransaction/lookAhead(appending:_:)``.
  ///   - alongside: Further records in the same transaction, with the code's name: both are kept,
  ///     or neither.
  /// - Returns: The code's name.
  package func recordTag(
    _ approval: Approval, uid: String, tagType: String, reader: String, pagesWritten: Int,
    mirror: String? = nil, keyVersion: UInt8? = nil,
    lookingAhead ahead:
      @escaping @Sendable (borrowing RegistryTransaction) throws(RegistryError) -> Void = { _ in },
    alongside:
      @escaping @Sendable (borrowing RegistryTransaction, CodeID) throws(RegistryError) ->
      Void = { _, _ in }
  ) async throws(RegistryError) -> CodeID {
    let time = now()
    let payload = approval.verification.payload
    var facts = ["reader": reader, "uid": uid]
    facts["mirror"] = mirror
    facts["key-version"] = keyVersion.map { "\($0)" }
    let details = facts
    let carried = CodeFilter(status: .issued, carrier: .nfc, tagUID: uid)
    return try await registry.write { registry in
      try registry.lookAhead(appending: true) { registry throws(RegistryError) in
        _ = try registry.codes(carried)
        _ = try registry.codes(
          CodeFilter(status: .issued, carrier: .nfc, payload: payload, tagUID: uid))
        _ = try registry.lastCodeID()
        if let place = approval.verification.place { _ = try registry.place(id: place.id) }
        try ahead(registry)
      }
      for former in try registry.codes(carried)
      where former.registered != approval.isRegistered
        || !former.payload.utf8.elementsEqual(payload.utf8)
      {
        try registry.retire(
          former.id, at: time, by: who, details: ["reason": "overwritten", "url": payload])
      }
      let id = try open(
        payload, isRegistered: approval.isRegistered, carrier: .nfc, uid: uid, at: time,
        details: details, in: registry,
        new: {
          IssuedCode(
            id: $0, payload: payload, carrier: .nfc, placeID: approval.verification.place?.id,
            created: time, registered: approval.isRegistered, tagUID: uid, tagType: tagType)
        })
      if pagesWritten > 0 {
        try registry.record(
          .written, of: id, at: time, by: who,
          details: details.merging(["pages": "\(pagesWritten)"]) { $1 })
      }
      try registry.record(.verified, of: id, at: time, by: who, details: details)
      try alongside(registry, id)
      return id
    }
  }

  /// Records that the memory of a tag was made as a file and read back. The tag to which it is
  /// written is not known here.
  ///
  /// - Returns: The code's name: that of the code in use for this payload in a file, or a new one.
  package func recordImage(
    _ approval: Approval, output: String, tagType: String
  ) async throws(RegistryError) -> CodeID {
    let time = now()
    let payload = approval.verification.payload
    let details = ["output": output]
    return try await registry.write { registry in
      let known = try registry.codes(
        CodeFilter(status: .issued, carrier: .nfc, payload: payload)
      ).last { $0.tagUID == nil && $0.registered == approval.isRegistered }
      var id = CodeID(at: time, after: try registry.lastCodeID())
      if let known { id = known.id }
      let code = IssuedCode(
        id: id, payload: payload, carrier: .nfc, placeID: approval.verification.place?.id,
        created: time, registered: approval.isRegistered, output: output, tagType: tagType)
      if known == nil {
        try registry.issue(code, by: who, details: details)
      } else {
        try registry.reissue(code, at: time, by: who)
      }
      try registry.record(.verified, of: id, at: time, by: who, details: details)
      return id
    }
  }

  /// Records that a tag was erased: the codes it carried are retired.
  package func recordErased(uid: String, reader: String) async throws(RegistryError) {
    let time = now()
    try await registry.write { registry in
      for code in try registry.codes(CodeFilter(status: .issued, carrier: .nfc, tagUID: uid)) {
        try registry.record(
          .erased, of: code.id, at: time, by: who, details: ["reader": reader, "uid": uid])
        try registry.retire(code.id, at: time, by: who, details: ["reason": "erased"])
      }
    }
  }

  /// Whether a payload on a tag is one that we wrote there.
  package func wrote(_ payload: String, onTag uid: String) throws(RegistryError) -> Bool {
    try !registry.codes(CodeFilter(carrier: .nfc, payload: payload, tagUID: uid)).isEmpty
  }

  /// Whether a tag has ever carried a code of ours.
  func knows(tag uid: String) throws(RegistryError) -> Bool {
    try !registry.codes(CodeFilter(carrier: .nfc, tagUID: uid)).isEmpty
  }

  /// The code in use for this payload and carrier, its history continued; or a new one.
  private func open(
    _ payload: String, isRegistered: Bool, carrier: IssuedCode.Carrier, uid: String? = nil,
    name: CodeID? = nil, at time: Date, details: [String: String]? = nil,
    label: [String: String] = [:],
    in registry: borrowing RegistryTransaction,
    new: (CodeID) -> IssuedCode
  ) throws(RegistryError) -> CodeID {
    let known = try registry.codes(
      CodeFilter(
        status: .issued, carrier: carrier, payload: payload, tagUID: uid)
    ).last { $0.registered == isRegistered }
    if let known {
      if carrier == .qr {
        try registry.reissue(new(known.id), at: time, by: who, details: label)
      }
      return known.id
    }
    let following = CodeID(at: time, after: try registry.lastCodeID())
    let code = new(name ?? following)
    try registry.issue(
      code, by: who, details: (details ?? code.printDetails).merging(label) { $1 })
    return code.id
  }
}

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

  /// Compares the counter of a verified message with the last one of its tag, and keeps it if it is
  /// higher.
  func count(_ counter: Int, ofTag uid: String) async throws(RegistryError) -> CounterAnswer {
    let time = now()
    return try await registry.write { registry in
      try registry.advanceCounter(ofTag: uid, to: counter, at: time)
    }
  }

  /// Records that a tag's password was set, changed or removed, in the history of the codes that
  /// the tag carries. The password itself is not recorded.
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
