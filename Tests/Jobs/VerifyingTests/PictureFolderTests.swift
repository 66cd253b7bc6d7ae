import Foundation
import Testing

@testable import Verifying

@Suite("Folders of pictures")
struct PictureFolderTests {
  @Test("files come in order, hidden ones, pipes and links to folders do not come")
  func walk() throws {
    let root = FileManager.default.temporaryDirectory.appending(path: "cliptag-\(UUID())").path
    defer { try? FileManager.default.removeItem(atPath: root) }
    let files = FileManager.default
    for folder in ["b", "b/deep", ".hidden"] {
      try files.createDirectory(atPath: "\(root)/\(folder)", withIntermediateDirectories: true)
    }
    for name in ["c.png", "a.png", "b/z.png", "b/deep/y.png", ".hidden/x.png", ".w.png"] {
      #expect(files.createFile(atPath: "\(root)/\(name)", contents: Data()))
    }
    try files.createSymbolicLink(atPath: "\(root)/b/loop", withDestinationPath: "..")
    try files.createSymbolicLink(atPath: "\(root)/b/link.png", withDestinationPath: "../a.png")
    try files.createSymbolicLink(atPath: "\(root)/b/broken.png", withDestinationPath: "nowhere")
    #expect(mkfifo("\(root)/pipe.png", 0o600) == 0)
    let (inputs, unreadable) = PictureFolder.files(below: root)
    #expect(
      inputs.map(\.path)
        == ["a.png", "b/deep/y.png", "b/link.png", "b/z.png", "c.png"].map { "\(root)/\($0)" })
    #expect(inputs.allSatisfy(\.isFromFolder) && unreadable.isEmpty)
    #expect(PictureFolder.files(below: root + "/b/loop").inputs.count == 5, "a link that is named")
    #expect(PictureFolder.isFolder(root) && !PictureFolder.isFolder(root + "/a.png"))
  }

  @Test("a file is left out when neither its content nor its name is a picture's")
  func noPicture() throws {
    let root = FileManager.default.temporaryDirectory.appending(path: "cliptag-\(UUID())").path
    defer { try? FileManager.default.removeItem(atPath: root) }
    try FileManager.default.createDirectory(atPath: root, withIntermediateDirectories: true)
    func isLeftOut(_ name: String, _ content: String, fromFolder: Bool = true) throws -> Bool {
      try Data(content.utf8).write(to: URL(filePath: "\(root)/\(name)"))
      return PictureInput(path: "\(root)/\(name)", isFromFolder: fromFolder).isNoPicture()
    }
    #expect(try isLeftOut("notes.txt", "words"))
    #expect(try isLeftOut("empty", ""))
    #expect(try !isLeftOut("notes.txt", "words", fromFolder: false))
    #expect(try !isLeftOut("wall.JPG", "words"))
    #expect(try !isLeftOut("unnamed", "P4 1 1 \0"))
  }
}
