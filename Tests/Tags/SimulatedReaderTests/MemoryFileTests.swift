import Foundation
import TagTypes
import Testing

@testable import SimulatedReader

@Suite("The memory file")
struct MemoryFileTests {
  /// A folder that is removed when the test ends.
  final class Folder {
    let url = FileManager.default.temporaryDirectory.appending(path: "tag-\(UUID().uuidString)")
    init() throws {
      try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
    }
    deinit { try? FileManager.default.removeItem(at: url) }
    func path(_ name: String) -> String { url.appending(path: name).path }
  }

  @Test("a file that does not exist is created with every page of the tag")
  func created() throws {
    let folder = try Folder()
    let tag = try SimulatedTag(.ntag213)
    let reader = try SimulatedReader(tag: tag, memoryFile: folder.path("tag.bin"))
    reader.stop()
    #expect([UInt8](try Data(contentsOf: URL(filePath: folder.path("tag.bin")))) == tag.memory)
    #expect(try FileManager.default.contentsOfDirectory(atPath: folder.url.path) == ["tag.bin"])
  }

  @Test("a file that exists is the tag, UID included")
  func loaded() throws {
    let folder = try Folder()
    var tag = try SimulatedTag(.ntag213, uid: [4, 1, 2, 3, 4, 5, 6])
    tag.place([1, 2, 3, 4], atPage: 7)
    try Data(tag.memory).write(to: URL(filePath: folder.path("tag.bin")))
    let reader = try SimulatedReader(
      tag: SimulatedTag(.ntag213), memoryFile: folder.path("tag.bin"))
    #expect(reader.tag?.memory == tag.memory)
  }

  @Test("a file of the wrong size is refused with both sizes, and left alone")
  func wrongSize() throws {
    let folder = try Folder()
    let path = folder.path("tag.bin")
    try Data(count: 540).write(to: URL(filePath: path))
    let error = #expect(throws: SimulatedReaderError.self) {
      try SimulatedReader(tag: SimulatedTag(.ntag213), memoryFile: path)
    }
    #expect(error?.code == .malformedMemory)
    #expect(error?.message.contains("180 bytes") == true)
    #expect(error?.message.contains("540 were found") == true)
    #expect(error?.path == path)
    #expect(try Data(contentsOf: URL(filePath: path)) == Data(count: 540))
  }

  @Test("a dump whose UID check bytes do not fit is refused with the offset", arguments: [3, 8])
  func wrongCheckByte(offset: Int) throws {
    var memory = try SimulatedTag(.ntag213).memory
    memory[offset] ^= 1
    let error = #expect(throws: SimulatedReaderError.self) {
      try SimulatedTag(.ntag213, memory: memory)
    }
    #expect(error?.message.contains("Byte \(offset) ") == true)
  }

  @Test("a file where nobody can write, a folder, and a reader without a tag are told apart")
  func unusable() throws {
    let folder = try Folder()
    let tag = try SimulatedTag(.ntag213)
    for (path, tag, code) in [
      (folder.path("none/tag.bin"), tag, SimulatedReaderError.Code.memoryUnwritable),
      (folder.url.path, tag, .memoryUnreadable), (folder.path("a"), nil, .memoryWithoutTag),
    ] as [(String, SimulatedTag?, SimulatedReaderError.Code)] {
      let error = #expect(throws: SimulatedReaderError.self) {
        try SimulatedReader(tag: tag, memoryFile: path)
      }
      #expect(error?.code == code)
    }
  }

  @Test("a link planted beside the file leads to no harm, whatever it is called")
  func plantedLink() throws {
    let folder = try Folder()
    let precious = folder.path("precious")
    try Data([7, 7, 7]).write(to: URL(filePath: precious))
    try FileManager.default.createSymbolicLink(
      atPath: folder.path("tag.bin.tmp"), withDestinationPath: precious)
    try TagMemoryFile(path: folder.path("tag.bin")).save([1, 2])
    #expect(try Data(contentsOf: URL(filePath: precious)) == Data([7, 7, 7]))
    #expect(try TagMemoryFile(path: folder.path("tag.bin")).load() == [1, 2])
  }

  @Test("a new file is its owner's alone, for it holds a password; one that exists keeps its mode")
  func permissions() throws {
    let folder = try Folder()
    let path = folder.path("tag.bin")
    func mode() throws -> Int? {
      try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? Int
    }
    try TagMemoryFile(path: path).save([1])
    #expect(try mode() == 0o600)
    try FileManager.default.setAttributes([.posixPermissions: 0o640], ofItemAtPath: path)
    try TagMemoryFile(path: path).save([2])
    #expect(try mode() == 0o640)
  }

  @Test("a symbolic link stays one")
  func symbolicLink() throws {
    let folder = try Folder()
    let file = TagMemoryFile(path: folder.path("link"))
    try Data([1]).write(to: URL(filePath: folder.path("real")))
    try FileManager.default.createSymbolicLink(
      atPath: folder.path("link"), withDestinationPath: folder.path("real"))
    try file.save([2, 3])
    #expect(try Data(contentsOf: URL(filePath: folder.path("real"))) == Data([2, 3]))
    #expect(try file.load() == [2, 3])
  }
}
