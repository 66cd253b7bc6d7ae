import CliptagBasics
internal import Foundation

/// The records that a merge accepts. The holder of a log can alter it and recompute every hash, so
/// that only a signature can vouch for its entries of other recorders.
public enum MergeTrust: Sendable {
  /// Entries of any recorder, without a required signature.
  case everybody
  /// Only chains whose ends are in a checkpoint signed by a key that the registry trusts.
  case checkpoints([SignedCheckpoint])
}

/// A checkpoint as received; its signature is checked against the keys that a registry trusts.
public struct SignedCheckpoint: Sendable {
  /// The file.
  public let bytes: [UInt8]
  /// The file's name, for messages.
  public let name: String

  /// Takes a file without checking it.
  public init(_ bytes: [UInt8], name: String) {
    self.bytes = bytes
    self.name = name
  }

  /// Reads the checkpoint with the key, of those given, that signed it.
  ///
  /// - Throws: `RegistryError.Code.malformedCheckpoint`, `RegistryError.Code.wrongSignature`.
  package func opened(
    with keys: [TrustedKey]
  ) throws(RegistryError) -> (checkpoint: Checkpoint, key: TrustedKey) {
    for key in keys {
      do throws(RegistryError) {
        return (try Checkpoint(bytes, signedBy: key.key, name: name), key)
      } catch {
        guard error.code == .wrongSignature else { throw error }
      }
    }
    throw RegistryError(
      .wrongSignature, "No key that this registry trusts signed \(name).",
      hint: "\(.trustSigner)", path: name)
  }
}

/// The required ends of other recorders' chains, without which a merge refuses them.
struct MergeWarrant {
  /// The heads in the checkpoints; `nil` if everybody is trusted.
  private let heads: Set<ChainHead>?
  /// The last entry of each chain with new entries.
  private var taken: [Recorder: ChainHead] = [:]

  init(_ trust: MergeTrust, in registry: borrowing RegistryTransaction) throws(RegistryError) {
    switch trust {
    case .everybody: heads = nil
    case .checkpoints(let checkpoints):
      let keys = checkpoints.isEmpty ? [] : try registry.trustedKeys()
      var heads: Set<ChainHead> = []
      for checkpoint in checkpoints {
        heads.formUnion(try checkpoint.opened(with: keys).checkpoint.heads)
        try registry.session.vouch(checkpoint.bytes)
      }
      self.heads = heads
    }
  }

  /// A Boolean value that indicates whether entries are taken without a signature.
  var isForEverybody: Bool { heads == nil }

  /// Notes a new entry.
  mutating func take(_ entry: RecordEntry) { taken[entry.recorder] = entry.head }

  /// Checks that each chain with new entries ends at a head of a checkpoint.
  func finish(name: String) throws(RegistryError) {
    guard let heads else { return }
    for (recorder, head) in taken.sorted(by: { $0.key < $1.key }) where !heads.contains(head) {
      let seen = heads.filter { $0.recorder == recorder }.map(\.number).sorted()
      let why =
        seen.isEmpty
        ? "no checkpoint of a trusted key covers them"
        : seen.contains(head.number)
          ? "they differ from those of the checkpoint"
          : "they end with entry \(head.number), and the checkpoint has \(seen.map(String.init).joined(separator: " and "))"
      throw RegistryError(
        .untrustedRecord,
        "\(name): it has new entries of recorder \(recorder), which is not this registry's, and \(why).",
        hint:
          "Nothing was imported from it; \(.takeWithCheckpoint).",
        path: name)
    }
  }
}
