import CliptagBasics
public import Foundation
public import TagAuthenticity

/// The heads of all chains at one time, signed: with a checkpoint, the public key and a log, a
/// person can verify later that no earlier entry was changed, replaced or removed.
///
/// As a file it is text, one fact a line, each line ended by a line feed:
///
///     cliptag checkpoint 1
///     time 2026-11-21T12:00:00.000Z
///     chain 6f1c0e9a-3c5e-4d6f-8a7b-9c0d1e2f3a4b 1042 9A0C…
///     signature mF3x…
///
/// `chain` occurs once for each recorder: its name, the number of its last entry, and that entry's
/// hash. The signature is Ed25519 in Base64 over every byte before the last line.
public struct Checkpoint: Hashable, Sendable {
  /// The time of creation, in whole milliseconds.
  public let time: Date
  /// The heads, by recorder.
  public let heads: [ChainHead]

  /// The size of the largest readable file, in bytes: some hundred thousand chains.
  package static let maximumByteCount = 1 << 25

  /// Makes a checkpoint.
  public init(time: Date, heads: [ChainHead]) {
    self.time = time.inWholeMilliseconds
    self.heads = heads.sorted { $0.recorder < $1.recorder }
  }

  private static let firstLine = SignedText.Kind.checkpoint.firstLine

  /// The signed text.
  package var statement: String {
    let chains = heads.map { "chain \($0.recorder) \($0.number) \($0.hash)\n" }
    return "\(Self.firstLine)\ntime \(time.registryTimestamp)\n" + chains.joined()
  }

  /// Returns the checkpoint as a signed file.
  ///
  /// - Throws: The error of signing.
  public func signed(with key: Ed25519PrivateKey) throws(AuthenticityError) -> String {
    try SignedText.signed(statement, with: key)
  }

  /// Reads a file and checks its signature.
  ///
  /// - Parameters:
  ///   - file: The file's bytes.
  ///   - key: The key that must have signed the file.
  ///   - name: The file's name, for messages.
  /// - Throws: `RegistryError.Code.malformedCheckpoint`,
  ///   `RegistryError.Code.wrongSignature`, `RegistryError.Code.failed`.
  public init(
    _ file: [UInt8], signedBy key: Ed25519PublicKey, name: String
  ) throws(RegistryError) {
    let statement = try SignedText.statement(
      of: file, signedBy: key, name: name, kind: .checkpoint)
    try self.init(statement: statement, name: name)
  }

  /// Reads the signed text.
  ///
  /// - Throws: `RegistryError.Code.malformedCheckpoint`.
  package init(statement: String, name: String) throws(RegistryError) {
    var lines = statement.split(separator: "\n")[...]
    guard lines.popFirst() == Self.firstLine[...] else {
      throw SignedText.Kind.checkpoint.malformed(name, "its first line is not “\(Self.firstLine)”")
    }
    guard let line = lines.popFirst(), line.hasPrefix("time "),
      let time = Date(registryTimestamp: String(line.dropFirst(5)))
    else { throw SignedText.Kind.checkpoint.malformed(name, "its second line is not a time") }
    var heads: [ChainHead] = []
    for line in lines {
      let words = line.split(separator: " ")
      guard words.count == 4, words[0] == "chain", let recorder = Recorder(String(words[1])),
        let number = Int(words[2]), (1...RecordEntry.largestNumber).contains(number),
        let hash = EntryHash(hexadecimal: String(words[3]))
      else { throw SignedText.Kind.checkpoint.malformed(name, "“\(line)” is not a chain") }
      heads.append(ChainHead(recorder: recorder, number: number, hash: hash))
    }
    self.init(time: time, heads: heads)
  }
}

extension Date {
  /// Reads the format of ``Foundation/Date/registryTimestamp``: RFC 3339 in UTC with milliseconds.
  init?(registryTimestamp text: String) {
    guard text.utf8.count >= 24, text.hasSuffix("Z"),
      let point = text.utf8.lastIndex(of: UInt8(ascii: ".")),
      let milliseconds = Int64(text[text.index(after: point)...].dropLast()),
      text[text.index(after: point)...].utf8.count == 4,
      let whole = try? Date(String(text[..<point]) + "Z", strategy: .iso8601)
    else { return nil }
    self.init(millisecondsSince1970: whole.millisecondsSince1970 + milliseconds)
  }
}
