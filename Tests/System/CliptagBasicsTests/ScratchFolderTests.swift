import CliptagBasics
import Foundation
import Testing

@Suite("Scratch folders") struct ScratchFolderTests {
  @Test("a folder is this user's alone, and goes with its last reference, contents and all")
  func life() throws {
    var folder = ScratchFolder()
    let path = try #require(folder?.path)
    let attributes = try FileManager.default.attributesOfItem(atPath: path)
    #expect(attributes[.posixPermissions] as? Int == 0o700)
    try Data([1]).write(to: URL(filePath: path + "/a"))
    folder = nil
    #expect(!FileManager.default.fileExists(atPath: path))
  }

  @Test("what a killed process left is swept; what is in use, fresh, or somebody else's stays")
  func sweep() throws {
    let parent = NSTemporaryDirectory() + "scratch-tests-" + UUID().uuidString
    let files = FileManager.default
    try files.createDirectory(atPath: parent, withIntermediateDirectories: true)
    defer { try? files.removeItem(atPath: parent) }
    let held = parent + "/cliptag-scratch-held"
    for name in ["cliptag-scratch-left", "cliptag-scratch-held", "other"] {
      try files.createDirectory(atPath: parent + "/" + name, withIntermediateDirectories: false)
      try Data([1]).write(to: URL(filePath: "\(parent)/\(name)/page"))
    }
    try files.createSymbolicLink(
      atPath: parent + "/cliptag-scratch-link", withDestinationPath: parent + "/other")
    let descriptor = open(held, O_RDONLY | O_DIRECTORY)
    #expect(flock(descriptor, LOCK_SH) == 0)
    ScratchFolder.sweep(parent)
    #expect(try files.contentsOfDirectory(atPath: parent).count == 4, "all are fresh")
    ScratchFolder.sweep(parent, olderThan: 0)
    #expect(
      try files.contentsOfDirectory(atPath: parent).sorted()
        == ["cliptag-scratch-held", "cliptag-scratch-link", "other"])
    #expect(files.fileExists(atPath: parent + "/other/page"))
    close(descriptor)
  }
}
