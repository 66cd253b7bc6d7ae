public import Auditing
import Foundation
public import Invocation
package import Registry

/// Lists what belongs in the parcel of a place, and perhaps records that it was packed.
public struct PackParcel: Job {
  /// The id of the place.
  public var place: String
  /// Whether the history of every code states that it was packed.
  public var records = false

  /// Makes a job.
  public init(_ place: String) { self.place = place }

  /// No code of the place is issued.
  public struct NothingToPack: Error, Hashable, Sendable {
    /// The place.
    public let place: Place

    /// Names the place.
    public init(place: Place) { self.place = place }
  }

  /// Lists the codes, and records them.
  ///
  /// - Returns: The packing list, which is not empty.
  /// - Throws: ``NotOnRecord``, ``NothingToPack`` or `RegistryError`.
  public func run(
    in workplace: Workplace, reporting report: @Sendable (Never) -> Void
  ) async throws -> PackingList {
    let list = try list(in: workplace.registry)
    if records { try record(list, in: workplace) }
    return list
  }

  /// Lists the codes.
  package func list(in registry: any RegistryStore) throws -> PackingList {
    guard let found = try registry.place(id: place) else {
      throw try NotOnRecord(place: place, in: registry)
    }
    let list = try PackingList(of: found, in: registry)
    guard !list.items.isEmpty else { throw NothingToPack(place: found) }
    return list
  }

  /// Records that the codes of a list were packed.
  package func record(_ list: PackingList, in workplace: Workplace) throws(RegistryError) {
    try workplace.registry.recordPacked(list, at: workplace.now(), by: workplace.person)
  }
}
