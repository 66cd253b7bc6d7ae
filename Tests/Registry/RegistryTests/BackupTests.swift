import Foundation
import RegistryFixtures
import Testing

@testable import Registry

/// Backups of a registry, and restoring them.
@Suite("Backups") struct BackupTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  private func filled() throws -> (RegistryLocation, path: String) {
    let path = folder.file("registry.sqlite")
    let location = RegistryLocation.file(path)
    try Fixtures.fill(try location.open())
    return (location, path)
  }

  @Test("a backup holds everything, is its owner's alone, and is not written over")
  func backup() throws {
    let (location, _) = try filled()
    let registry = try location.open()
    let copy = folder.file("copy.sqlite")
    let report = try location.backUp(to: copy)
    let attributes = try FileManager.default.attributesOfItem(atPath: copy)
    #expect(attributes[.posixPermissions] as? Int == 0o600)
    let copied = try RegistryLocation.file(copy).open(for: .review)
    #expect(try copied.document() == registry.document())
    #expect(try copied.entries() == registry.entries())
    #expect(report.entries == (try registry.entries().count) && report.entries > 0)
    let error = #expect(throws: RegistryError.self) { try location.backUp(to: copy) }
    #expect(error?.code == .alreadyExists)
    let names = try FileManager.default.contentsOfDirectory(atPath: folder.path)
    #expect(!names.contains { $0.hasSuffix(".part") })
  }

  @Test("a restored registry goes on with a chain of its own, and what was there is kept")
  func restore() throws {
    let (location, path) = try filled()
    let copy = folder.file("copy.sqlite")
    _ = try location.backUp(to: copy)
    let old = try #require(try location.open().chainHeads().first)
    try location.open().record(.read, of: Fixtures.code(1).id, at: Fixtures.noon, by: "me")

    let report = try location.restore(from: copy)
    #expect(report.entriesLeft == 1)
    let replaced = try #require(report.replaced)
    #expect(
      try RegistryLocation.file(replaced).open(for: .review).entries().count == old.number + 1)
    let restored = try location.open()
    #expect(try restored.chainHeads() == [old])
    try restored.record(.installed, of: Fixtures.code(1).id, at: Fixtures.noon, by: "me")
    let heads = try restored.chainHeads()
    #expect(heads.count == 2 && heads.contains(old))
    // No chain forked: entries that only the old file has are merged.
    let merged = try restored.merge(
      try RegistryLocation.file(replaced).open(for: .lookUp), name: replaced)
    #expect(merged.added == 1)
    let attributes = try FileManager.default.attributesOfItem(atPath: path)
    #expect(attributes[.posixPermissions] as? Int == 0o600)
  }

  @Test("a copy that was made with cp begins a chain of its own, too, when it is restored")
  func plainCopy() throws {
    let (location, path) = try filled()
    let copy = folder.file("copy.sqlite")
    // The file is complete once no process has it open.
    try FileManager.default.copyItem(atPath: path, toPath: copy)
    if FileManager.default.fileExists(atPath: path + "-wal") {
      try FileManager.default.copyItem(atPath: path + "-wal", toPath: copy + "-wal")
    }
    let head = try #require(try location.open().chainHeads().first)
    _ = try location.restore(from: copy)
    let restored = try location.open()
    try restored.record(.read, of: Fixtures.code(1).id, at: Fixtures.noon, by: "me")
    #expect(try restored.chainHeads().contains(head))
  }

  @Test("a registry that is open elsewhere is not replaced beneath who writes to it")
  func openElsewhere() throws {
    let (location, path) = try filled()
    let copy = folder.file("copy.sqlite")
    _ = try location.backUp(to: copy)
    let user = try location.open()
    let error = #expect(throws: RegistryError.self) { try location.restore(from: copy) }
    #expect(error?.code == .locked)
    try user.record(.read, of: Fixtures.code(1).id, at: Fixtures.noon, by: "me")
    #expect(try location.open(for: .review).entries() == user.entries())
    let names = try FileManager.default.contentsOfDirectory(atPath: folder.path)
    #expect(!names.contains { $0.contains("restoring") || $0.contains("replaced") })
    #expect(FileManager.default.fileExists(atPath: path))
  }

  @Test(
    "a damaged registry is replaced too, and kept with its log of changes",
    arguments: [0..<16, 4096..<8192])
  func damaged(bytes: Range<Int>) throws {
    let (location, path) = try filled()
    let copy = folder.file("copy.sqlite")
    _ = try location.backUp(to: copy)
    let entries = try location.open().entries()
    var file = try Data(contentsOf: URL(filePath: path))
    file.replaceSubrange(bytes, with: Data(repeating: 0xA5, count: bytes.count))
    try file.write(to: URL(filePath: path))
    try Data("a log".utf8).write(to: URL(filePath: path + "-wal"))
    let report = try location.restore(from: copy)
    let replaced = try #require(report.replaced)
    #expect(try Data(contentsOf: URL(filePath: replaced))[bytes] == file[bytes])
    #expect(try location.open(for: .review).entries() == entries)
  }

  @Test("what is no whole registry is not restored, and a rehearsal changes nothing")
  func refused() throws {
    let (location, path) = try filled()
    let before = try location.open().entries()
    try Data("no database".utf8).write(to: URL(filePath: folder.file("bad.sqlite")))
    for name in ["bad.sqlite", "missing.sqlite"] {
      #expect(throws: RegistryError.self) { try location.restore(from: folder.file(name)) }
    }
    let copy = folder.file("copy.sqlite")
    _ = try location.backUp(to: copy)
    let names = try FileManager.default.contentsOfDirectory(atPath: folder.path).sorted()
    #expect(try location.restore(from: copy, dryRun: true).replaced != nil)
    _ = try location.backUp(to: folder.file("other.sqlite"), dryRun: true)
    #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path).sorted() == names)
    #expect(try location.open().entries() == before)
    #expect(FileManager.default.fileExists(atPath: path))
  }
}
