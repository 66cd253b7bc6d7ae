public import Foundation
public import Invocation
import Publishing
public import Registry

/// Takes clips, experiences and places from a YAML or JSON file into the registry.
public struct ImportRegistry: Job {
  /// The treatment of what the file leaves out.
  public enum Mode: String, Hashable, Sendable, CaseIterable {
    /// Everything stays that the file leaves out.
    case keep
    /// Facts go that the file leaves out of the clips and experiences that it names.
    case replace
    /// Facts go, and also clips, experiences and places that the file does not name.
    case replaceAll
  }

  /// The bytes of the file.
  public var bytes: Data
  /// The format of the file.
  public var format: RegistryDocument.Format
  /// The name of the file in messages.
  public var name: String
  /// The treatment of what the file leaves out.
  public var mode = Mode.keep
  /// Whether nothing is changed.
  public var dryRun = false

  /// Makes a job.
  public init(_ bytes: Data, as format: RegistryDocument.Format, named name: String) {
    self.bytes = bytes
    self.format = format
    self.name = name
  }

  /// A file that was read, and is without a mistake.
  package struct Reading: Sendable {
    /// The warnings about the file, each with its line.
    package let warnings: [DocumentProblem]
    fileprivate let document: RegistryDocument
    fileprivate let unstated: [UnstatedFacts]
    fileprivate let held: RegistryDocument
  }

  /// The changes of a finished job.
  public struct Output: Sendable {
    /// The warnings about the file, each with its line.
    public let warnings: [DocumentProblem]
    /// The changes.
    public let report: ImportReport
    /// The codes in use that the registry accepted before the changes, and no more after them.
    public let orphans: [Finding]
    /// The `import` object of the command's contract.
    public let result: ImportResult
  }

  /// Reads the file and makes the changes.
  ///
  /// - Throws: `RegistryError`; one of a file with mistakes has all of them, and nothing is changed.
  public func run(
    in workplace: Workplace, reporting report: @Sendable (Never) -> Void
  ) async throws -> Output {
    try apply(
      try read(over: workplace.registry), to: workplace.registry, engine: workplace.engine)
  }

  /// Reads the file over a registry.
  package func read(over registry: any RegistryStore) throws(RegistryError) -> Reading {
    let held = try registry.document()
    let reading = try RegistryDocument.read(
      bytes, as: format, name: name, knownPlaces: Set(held.places.map(\.id)), over: held,
      keepsUnstated: mode == .keep)
    return Reading(
      warnings: reading.warnings, document: reading.document, unstated: reading.unstated,
      held: held)
  }

  /// Makes the changes of a file that was read.
  package func apply(
    _ reading: Reading, to registry: any RegistryStore, engine: PrefixEngine = .segment
  ) throws -> Output {
    var report = try registry.apply(
      reading.document, mode == .replaceAll ? .replaceAll : .merge, dryRun: dryRun)
    if mode == .keep { report.kept = reading.unstated } else { report.dropped = reading.unstated }
    let tallies = [report.clips, report.experiences, report.places]
    let takesAway = tallies.contains { $0.changed + $0.removed > 0 }
    let orphans = try takesAway ? orphans(reading, in: registry, engine: engine) : []
    return Output(
      warnings: reading.warnings, report: report, orphans: orphans,
      result: ImportResult(
        report, source: name, isRehearsal: dryRun, orphanedCodes: orphans.count))
  }

  private func orphans(
    _ reading: Reading, in registry: any RegistryStore, engine: PrefixEngine
  ) throws -> [Finding] {
    var after = reading.document
    let held = reading.held
    if mode != .replaceAll {
      let clips = Set(after.clips.map(\.bundleID))
      let (places, links) = (Set(after.places.map(\.id)), Set(after.experiences.map(\.link)))
      after.clips += held.clips.filter { !clips.contains($0.bundleID) }
      after.places += held.places.filter { !places.contains($0.id) }
      after.experiences += held.experiences.filter { !links.contains($0.link) }
    }
    return try RegistryReview(of: registry, with: after).orphans(against: held, engine: engine)
  }
}
