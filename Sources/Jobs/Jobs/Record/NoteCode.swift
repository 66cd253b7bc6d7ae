import CliptagBasics
import Foundation
public import Invocation
public import Registry

/// Records by hand what happened to a code.
public struct NoteCode: Job {
  /// What can be recorded by hand; jobs record everything else.
  public enum Kind: String, CaseIterable, Decodable, Hashable, Sendable {
    /// An event that a person reports.
    case packed, installed, read, replaced
  }

  /// The name of the code or its tail, or that of an item.
  public var code: String
  /// What happened.
  public var kind: Kind
  /// The position at which it happened.
  public var position: Coordinate?
  /// The accuracy of the position, in metres.
  public var accuracy: Double?
  /// The UID of the tag, which must be that of the record.
  public var uid: [UInt8]?
  /// The SHA-256 of a picture or a dump.
  public var digest: [UInt8]?
  /// Words to keep with it.
  public var note: String?
  /// Whether nothing is recorded.
  public var dryRun = false

  /// Makes a job.
  public init(_ code: String, _ kind: Kind) {
    self.code = code
    self.kind = kind
  }

  /// The UID that was given is not that of the code's tag.
  public struct OtherTag: Error, Hashable, Sendable {
    /// The code.
    public let code: CodeID
    /// The UID on record, in hexadecimal.
    public let recorded: String
    /// The UID that was given, in hexadecimal.
    public let given: String
  }

  /// Records the event.
  ///
  /// - Returns: The code as it was, with its history.
  /// - Throws: ``NotOnRecord``, ``OtherTag`` or `RegistryError`.
  public func run(
    in workplace: Workplace, reporting report: @Sendable (Never) -> Void
  ) async throws -> CodeWithHistory {
    let registry = workplace.registry
    let item = CodeID(code) == nil ? try registry.item(named: code) : nil
    guard let known = try registry.code(meantBy: item?.code.description ?? code) else {
      throw NotOnRecord(kind: .code, name: code)
    }
    let id = known.id
    if let given = uid?.hexadecimal, let recorded = known.tagUID, given != recorded {
      throw OtherTag(code: id, recorded: recorded, given: given)
    }
    if !dryRun {
      try registry.record(
        CodeEvent.Kind(rawValue: kind.rawValue), of: id, at: workplace.now(), by: workplace.person,
        details: details(of: item))
    }
    return try CodeWithHistory(known, in: registry)
  }

  private func details(of item: CodeItem?) -> [String: String] {
    typealias Fact = CodeEvent.Fact
    var details: [String: String] = [:]
    details[Fact.item] = item?.name
    if let position { details[Fact.position] = "\(position.latitude),\(position.longitude)" }
    if let accuracy {
      let isWhole = accuracy == accuracy.rounded()
      details[Fact.accuracy] = isWhole ? "\(Int(bounded: accuracy))" : "\(accuracy)"
    }
    details[Fact.uid] = uid?.hexadecimal
    details[Fact.note] = note
    details[Fact.sha256] = digest?.hexadecimal
    return details
  }
}
