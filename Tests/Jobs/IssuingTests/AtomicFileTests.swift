import CliptagBasics
import Foundation
import Issuing
import Testing

@Suite("Files that appear whole or not at all") struct AtomicFileTests {
  private let folder = NSTemporaryDirectory() + "atomic-file-tests-" + UUID().uuidString

  private func inFolder(_ body: (String) throws -> Void) throws {
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(atPath: folder) }
    try body(folder)
  }

  private func listing() throws -> [String] {
    try FileManager.default.contentsOfDirectory(atPath: folder).sorted()
  }

  @Test("a committed file holds the bytes, over whatever was there")
  func committed() throws {
    try inFolder { folder in
      for bytes: [UInt8] in [[1, 2, 3], [], Array(repeating: 7, count: 100_000)] {
        try AtomicFile(path: folder + "/a", bytes: bytes).commit()
        #expect(FileManager.default.contents(atPath: folder + "/a") == Data(bytes))
        #expect(try listing() == ["a"])
      }
    }
  }

  @Test("until it is committed the old file stands; a file given up leaves nothing")
  func uncommitted() throws {
    try inFolder { folder in
      try AtomicFile(path: folder + "/a", bytes: [1]).commit()
      do {
        let file = try AtomicFile(path: folder + "/a", bytes: [2])
        #expect(FileManager.default.contents(atPath: folder + "/a") == Data([1]))
        #expect(try listing().count == 2)
        withExtendedLifetime(file) {}
      }
      #expect(FileManager.default.contents(atPath: folder + "/a") == Data([1]))
      #expect(try listing() == ["a"])
    }
  }

  @Test("a folder in the way, a missing folder and a file as folder are said, and leave nothing")
  func refused() throws {
    try inFolder { folder in
      try FileManager.default.createDirectory(
        atPath: folder + "/sub", withIntermediateDirectories: false)
      try AtomicFile(path: folder + "/file", bytes: [1]).commit()
      for path in ["/sub", "/missing/a", "/file/a"] {
        #expect(throws: IssuingError(.cannotCreate, "", hint: "")) {
          try AtomicFile(path: folder + path, bytes: [1]).commit()
        }
      }
      #expect(try listing() == ["file", "sub"])
      #expect(try FileManager.default.contentsOfDirectory(atPath: folder + "/sub") == [])
    }
  }

  private func mode(_ path: String) throws -> Int {
    let attributes = try FileManager.default.attributesOfItem(atPath: path)
    return try #require(attributes[.posixPermissions] as? Int)
  }

  @Test("until it is committed nobody else may read it; then it is as new files are, or as it was")
  func permissions() throws {
    try inFolder { folder in
      let file = try AtomicFile(path: folder + "/a", bytes: [1])
      #expect(try mode(file.temporaryPath) == 0o600)
      try file.commit()
      try Data().write(to: URL(filePath: folder + "/usual"))
      #expect(try mode(folder + "/a") == mode(folder + "/usual"))
      try FileManager.default.setAttributes(
        [.posixPermissions: 0o640], ofItemAtPath: folder + "/a")
      let next = try AtomicFile(path: folder + "/a", bytes: [2])
      #expect(try mode(next.temporaryPath) == 0o600)
      try next.commit()
      #expect(try mode(folder + "/a") == 0o640)
    }
  }

  @Test(
    "a stranger's link or pipe in a folder where writable by all is not followed",
    .enabled(if: geteuid() == 0, "only root can make a link another user's"))
  func strangersLink() throws {
    try inFolder { folder in
      let shared = folder + "/shared"
      let own = folder + "/own"
      let files = FileManager.default
      try files.createDirectory(atPath: shared, withIntermediateDirectories: false)
      try files.setAttributes([.posixPermissions: 0o1777], ofItemAtPath: shared)
      try files.createDirectory(atPath: own, withIntermediateDirectories: false)
      try AtomicFile(path: own + "/precious", bytes: [1]).commit()
      try files.createSymbolicLink(
        atPath: shared + "/a", withDestinationPath: own + "/precious")
      try files.createSymbolicLink(atPath: shared + "/b", withDestinationPath: "../own")
      try files.createSymbolicLink(atPath: folder + "/ours", withDestinationPath: shared + "/a")
      #expect(mkfifo(shared + "/pipe", 0o666) == 0)
      // A link of the same user is followed.
      try AtomicFile(path: shared + "/a", bytes: [2]).commit()
      #expect(files.contents(atPath: own + "/precious") == Data([2]))
      for name in ["a", "b", "pipe"] { #expect(lchown(shared + "/" + name, 4321, 4321) == 0) }
      for path in ["/shared/a", "/shared/b/precious", "/ours", "/shared/pipe"] {
        do throws(IssuingError) {
          try AtomicFile(path: folder + path, bytes: [3]).commit()
          Issue.record("\(path) was followed")
        } catch {
          #expect(error.code == .cannotCreate && error.message.contains(shared))
        }
      }
      #expect(files.contents(atPath: own + "/precious") == Data([2]))
    }
  }

  @Test("a commit that fails leaves nothing behind")
  func failedCommit() throws {
    try inFolder { folder in
      var file: AtomicFile? = try AtomicFile(path: folder + "/a", bytes: [1])
      try FileManager.default.createDirectory(
        atPath: folder + "/a", withIntermediateDirectories: false)
      do throws(IssuingError) {
        try file?.commit()
        Issue.record("a file replaced a folder")
      } catch {
        #expect(error.code == .cannotCreate)
      }
      file = nil
      #expect(try listing() == ["a"])
    }
  }
}
