import CliptagBasics
public import Foundation
public import TagAuthenticity

/// A third party's statement that a checkpoint existed at a time: the owner of the key that signs
/// checkpoints can make another checkpoint with an older time, but not this statement.
///
/// As a file it is text, one fact a line:
///
///     cliptag witness 1
///     time 2026-11-21T12:00:00.000Z
///     checkpoint 9A0C…
///     signature mF3x…
///
/// `checkpoint` is the SHA-256 of the checkpoint's file. The signature is the witness's, Ed25519 in
/// Base64 over every byte before the last line.
public struct CheckpointWitness: Hashable, Sendable {
  /// The time at which the witness saw the checkpoint, in whole milliseconds.
  public let time: Date
  /// The SHA-256 of the checkpoint's file.
  public let digest: EntryHash

  /// Makes a statement about a checkpoint.
  ///
  /// - Throws: The error of computing the digest.
  public init(of checkpoint: [UInt8], at time: Date) throws(AuthenticityError) {
    self.time = time.inWholeMilliseconds
    digest = EntryHash(unchecked: try SHA256.digest(of: checkpoint))
  }

  private var statement: String {
    "\(SignedText.Kind.witness.firstLine)\ntime \(time.registryTimestamp)\ncheckpoint \(digest)\n"
  }

  /// Returns the statement as a signed file.
  ///
  /// - Throws: The error of signing.
  public func signed(with key: Ed25519PrivateKey) throws(AuthenticityError) -> String {
    try SignedText.signed(statement, with: key)
  }

  /// Reads a file, and checks its signature and the checkpoint that it is about.
  ///
  /// - Parameters:
  ///   - file: The file's bytes.
  ///   - key: The key that must have signed the file.
  ///   - checkpoint: The bytes of the checkpoint's file.
  ///   - name: The file's name, for messages.
  /// - Throws: `RegistryError.Code.malformedCheckpoint`, `RegistryError.Code.wrongSignature`,
  ///   `RegistryError.Code.otherCheckpoint`, `RegistryError.Code.failed`.
  public init(
    _ file: [UInt8], signedBy key: Ed25519PublicKey, of checkpoint: [UInt8], name: String
  ) throws(RegistryError) {
    let kind = SignedText.Kind.witness
    let statement = try SignedText.statement(of: file, signedBy: key, name: name, kind: kind)
    let lines = statement.split(separator: "\n")
    guard lines.count == 3, lines[0] == kind.firstLine[...], lines[1].hasPrefix("time "),
      let time = Date(registryTimestamp: String(lines[1].dropFirst(5))),
      lines[2].hasPrefix("checkpoint "),
      let digest = EntryHash(hexadecimal: String(lines[2].dropFirst(11)))
    else { throw kind.malformed(name, "it does not have three lines") }
    let seen: CheckpointWitness
    do {
      seen = try CheckpointWitness(of: checkpoint, at: time)
    } catch {
      throw RegistryError(
        .failed, "The digest of the checkpoint cannot be computed: \(error.message)",
        hint: "Check the installation of OpenSSL's library.", underlying: error)
    }
    guard seen.digest == digest else {
      throw RegistryError(
        .otherCheckpoint, "\(name) belongs to another checkpoint.",
        hint: "Use the matching pair of files; otherwise the checkpoint was replaced.", path: name)
    }
    self = seen
  }
}
