import CliptagBasics
import Foundation
import GRDB
import Invocation
import RegistryFixtures
@testable import Registry
import TagAuthenticity
import Testing

/// The findings of verification after tampering with the record.
@Suite("Verifying the record")
struct RecordVerificationTests {
  let folder: TemporaryFolder
  var path: String { folder.file("registry.sqlite") }

  init() throws {
    folder = try TemporaryFolder()
    try Fixtures.fill(try RegistryLocation.file(path).open())
  }

  /// Changes the file as an attacker who knows SQLite would: without the triggers, which are
  /// restored before the file is opened.
  private func tamper(_ sql: String) throws {
    var configuration = Configuration()
    configuration.foreignKeysEnabled = false
    let queue = try DatabaseQueue(path: path, configuration: configuration)
    try queue.write { database in
      try database.executeWithoutGuards(sql)
    }
  }

  private func found(against heads: [ChainHead] = []) throws -> [String] {
    try RegistryLocation.file(path).open(for: .lookUp).findings(against: heads)
      .map { "\($0.code) \($0.number ?? 0)" }
  }

  @Test("nothing is found in a record that nobody changed")
  func whole() throws { #expect(try found() == []) }

  @Test(
    "an entry, or what it says was issued, cannot be altered unseen",
    arguments: [
      ("UPDATE code_entry SET who = 'me' WHERE number = 3", "entry-altered 3"),
      ("UPDATE code_entry SET time = time + 1 WHERE number = 4", "entry-altered 4"),
      ("UPDATE code_entry SET kind = 'packed' WHERE number = 3", "entry-altered 3"),
      ("UPDATE code_entry SET details = '{}' WHERE number = 4", "entry-altered 4"),
      ("UPDATE code_entry SET details = 'x' WHERE number = 4", "entry-altered 4"),
      ("UPDATE code_entry SET adopted = 1 WHERE number = 2", "entry-altered 2"),
      (
        "UPDATE code_entry SET begins = 0 WHERE number = 2",
        "entry-altered 2, entry-missing 0, print-altered 0"
      ),
      (
        "UPDATE code_entry SET code = (SELECT code FROM code_entry WHERE number = 2) WHERE number = 3",
        "entry-altered 3"
      ),
      ("UPDATE code SET payload = 'https://evil.example' WHERE tag_uid IS NULL", "entry-altered 1"),
      ("UPDATE code SET tag_uid = '04' WHERE tag_uid IS NOT NULL", "entry-altered 2"),
      ("UPDATE code SET symbol_width = 1 WHERE tag_uid IS NULL", "entry-altered 1"),
      ("UPDATE code SET place_id = 'x' WHERE tag_uid IS NULL", "entry-altered 1"),
      ("UPDATE code SET status = 'issued'", "status-altered 0"),
      ("UPDATE code SET status = 'retired'", "status-altered 0"),
      ("DELETE FROM code_entry WHERE number = 3", "entry-missing 3"),
      (
        "DELETE FROM code_entry WHERE number < 3",
        "entry-missing 1, entry-missing 0, entry-missing 0, print-altered 0, print-altered 0"
      ),
      (
        "DELETE FROM code_entry; UPDATE code SET status = 'issued'",
        "entry-missing 0, entry-missing 0, print-altered 0, print-altered 0"
      ),
      ("UPDATE code_entry SET number = 9 WHERE number = 5", "entry-reordered 9"),
    ])
  func altered(sql: String, finding: String) throws {
    try tamper(sql)
    #expect(try found().joined(separator: ", ") == finding)
  }

  @Test("two entries that changed places are both found")
  func reordered() throws {
    try tamper(
      """
      UPDATE code_entry SET number = 99 WHERE number = 3;
      UPDATE code_entry SET number = 3 WHERE number = 4;
      UPDATE code_entry SET number = 4 WHERE number = 99;
      """)
    // The fifth entry follows the fourth, which is missing.
    #expect(try found() == ["entry-reordered 3", "entry-reordered 4", "chain-broken 5"])
  }

  @Test("an entry that was altered together with its hash breaks the chain behind it")
  func rehashed() throws {
    try rewrite(from: 3, only: true)
    #expect(try found() == ["chain-broken 4"])
  }

  @Test("a chain that was written anew to its end is told from a checkpoint")
  func rewritten() throws {
    let heads = try RegistryLocation.file(path).open(for: .lookUp).chainHeads()
    try rewrite(from: 3, only: false)
    #expect(try found() == [])
    #expect(try found(against: heads) == ["chain-rewritten 5"])
  }

  @Test("a chain whose end was cut off is told from a checkpoint")
  func truncated() throws {
    let heads = try RegistryLocation.file(path).open(for: .lookUp).chainHeads()
    try tamper("DELETE FROM code_entry WHERE number > 3; UPDATE code SET status = 'issued'")
    #expect(try found() == [])
    #expect(try found(against: heads) == ["chain-truncated 4"])
    try tamper("DELETE FROM code_entry; DELETE FROM code_item; DELETE FROM code")
    #expect(try found(against: heads) == ["chain-truncated 1"])
  }

  @Test("a chain that went on since the checkpoint is as good")
  func later() throws {
    let store = try RegistryLocation.file(path).open()
    let heads = try store.chainHeads()
    try store.record(.read, of: Fixtures.code(2).id, at: Fixtures.noon, by: "me")
    #expect(try found(against: heads) == [])
  }

  @Test("a log with an entry twice, otherwise or too late is found out")
  func logs() throws {
    let entries = try RegistryLocation.file(path).open(for: .lookUp).entries()
    func findings(_ entries: [RecordEntry]) throws -> [String] {
      var found: [String] = []
      var verifier = RecordVerifier { found.append("\($0.code) \($0.number ?? 0)") }
      for entry in entries { try verifier.take(entry) }
      verifier.finish()
      return found
    }
    let fork = try RecordEntry(
      of: CodeEvent(
        code: try #require(entries[1].code), sequence: 0, time: Fixtures.noon, kind: .read,
        who: "other"),
      after: entries[1].head, by: entries[1].recorder)
    #expect(try findings(entries) == [])
    #expect(try findings(Array(entries[...2]) + [fork]) == ["chain-forked 3"])
    #expect(try findings(Array(entries[...2]) + entries[1...1]) == ["entry-reordered 2"])
    #expect(
      try findings([entries[0], entries[2], entries[1]])
        == ["entry-missing 2", "entry-reordered 2"])
  }

  /// Alters an entry and recomputes its hash, and those of all later entries.
  private func rewrite(from first: Int, only: Bool) throws {
    let entries = try RegistryLocation.file(path).open(for: .lookUp).entries()
    var head = entries[first - 2].head
    for entry in entries[(first - 1)...(only ? first - 1 : entries.count - 1)] {
      let forged = try RecordEntry(
        of: CodeEvent(
          code: try #require(entry.code), sequence: 0, time: entry.time, kind: entry.kind,
          who: "forger",
          details: entry.details), after: head, by: entry.recorder)
      try tamper(
        """
        UPDATE code_entry SET who = 'forger', previous = x'\(forged.previous)',
          hash = x'\(forged.hash)' WHERE number = \(entry.number)
        """)
      head = forged.head
    }
  }

  @Test("a checkpoint is read back with the key's other half, and with no other")
  func checkpoint() throws {
    let key = try Ed25519PrivateKey()
    let checkpoint = Checkpoint(
      time: Fixtures.noon, heads: try RegistryLocation.file(path).open(for: .lookUp).chainHeads())
    let file = Array(try checkpoint.signed(with: key).utf8)
    #expect(
      try Checkpoint(file, signedBy: try key.publicKey(), name: "a") == checkpoint)
    #expect(throws: RegistryError(.wrongSignature, "", hint: "")) {
      try Checkpoint(file, signedBy: try Ed25519PrivateKey().publicKey(), name: "a")
    }
    for index in file.indices {
      var wrong = file
      wrong[index] ^= 1
      let error = #expect(throws: RegistryError.self) {
        try Checkpoint(wrong, signedBy: try key.publicKey(), name: "a")
      }
      #expect(error.map { [.wrongSignature, .malformedCheckpoint].contains($0.code) } == true)
    }
    for count in 0..<file.count {
      #expect(throws: RegistryError.self) {
        try Checkpoint(Array(file.prefix(count)), signedBy: try key.publicKey(), name: "a")
      }
    }
  }
}
