public import Registry
public import Verifying

/// An observation on a walk, compared with the record.
@dynamicMemberLookup
public struct WalkObservation: Sendable {
  /// The observation; its codes have the findings of the comparison.
  public internal(set) var seen: CodeObservation
  /// The stop of the walk that keeps it; `nil` if nothing is kept.
  public internal(set) var stop: WalkStop?
  /// The stop of the same picture that this one supersedes in its walk; both are kept.
  public internal(set) var supersededStop: Int?
  /// Whether the walk already had it.
  public internal(set) var isKnown: Bool

  init(_ seen: CodeObservation) {
    self.seen = seen
    isKnown = seen.isSkipped
  }

  /// The property of the observation.
  public subscript<Value>(dynamicMember path: KeyPath<CodeObservation, Value>) -> Value {
    seen[keyPath: path]
  }
}
