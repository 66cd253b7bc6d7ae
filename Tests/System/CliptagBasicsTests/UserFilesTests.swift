import CliptagBasics
import CliptagPlatform
import Foundation
import Testing

@Suite("The user's folders, and plain files")
struct UserFilesTests {
  @Test("no folder of the user is the working folder, whatever the variables say")
  func folders() {
    let values = [nil, "", ".", "..", "x", "./x", "~", "/h", "/h/", "~/x", ":", "x:/d", "$HOME"]
    let names = ["HOME", "XDG_CONFIG_HOME", "XDG_DATA_HOME", "XDG_STATE_HOME", "XDG_DATA_DIRS"]
    for name in names {
      for other in names {
        for value in values {
          var variables: [String: String] = [:]
          for name in [name, other] { variables[name] = value }
          let user = UserFolders(variables)
          for path in [user.home, user.configuration, user.data, user.state] + user.system {
            #expect(path.hasPrefix("/"), "\(name), \(other): \(value ?? "unset")")
          }
        }
      }
    }
    let user = UserFolders([
      "HOME": "/h", "XDG_CONFIG_HOME": "c", "XDG_DATA_HOME": "/d", "XDG_DATA_DIRS": "x:/s:/t",
    ])
    #expect(user.configuration == "/h/.config" && user.data == "/d")
    #expect(user.state == "/h/.local/state" && user.system == ["/s", "/t"])
    #expect(UserFolders([:]).home == UserFolders(["HOME": "."]).home)
  }

  @Test("only absence is absence, and only a plain file is opened")
  func plain() throws {
    let scratch = try #require(ScratchFolder())
    func path(_ name: String) -> String { scratch.path + "/" + name }
    try Data("0123456789".utf8).write(to: URL(filePath: path("file")))
    try #require(mkfifo(path("pipe"), 0o600) == 0)
    try #require(mkdir(path("folder"), 0o700) == 0)
    for (link, target) in [("loop", "loop"), ("link", "file"), ("gone", "nowhere")] {
      try #require(symlink(target, path(link)) == 0)
    }
    func trouble(_ path: String) -> Int32? {
      #expect(throws: PlainFile.Trouble.self) { try PlainFile.bytes(of: path, limit: 99) }?.number
    }
    for name in ["none", "gone", "folder/none", "none/none"] {
      #expect(try PlainFile.bytes(of: path(name), limit: 99) == nil, "\(name)")
    }
    #expect(trouble(path("file/x")) == ENOTDIR)
    #expect(trouble(path("loop")) == ELOOP)
    #expect(trouble(path(String(repeating: "x", count: 300))) == ENAMETOOLONG)
    for name in [path("pipe"), path("folder"), "/dev/null"] { #expect(trouble(name) == ENXIO) }
    for (limit, count) in [(0, 1), (9, 10), (10, 10), (Int.max, 10)] {
      #expect(try PlainFile.bytes(of: path("link"), limit: limit)?.count == count)
    }
  }

  @Test("a file that its group or others can write is not protected")
  func permissions() throws {
    let scratch = try #require(ScratchFolder())
    let path = scratch.path + "/file"
    try Data().write(to: URL(filePath: path))
    for mode in 0..<mode_t(0o200) where mode & 0o100 == 0 {
      try #require(chmod(path, 0o400 | mode) == 0)
      let isProtected = try PlainFile.open(path)?.isProtected
      #expect(isProtected == (mode & 0o022 == 0), "\(String(mode, radix: 8))")
    }
    guard geteuid() == 0 else { return }
    try #require(chmod(path, 0o600) == 0 && chown(path, 4242, 4242) == 0)
    let isProtected = try PlainFile.open(path)?.isProtected
    #expect(isProtected == false)
  }
}
