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
