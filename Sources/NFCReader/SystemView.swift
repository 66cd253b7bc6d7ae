internal import Glibc
internal import LinuxDevices

/// What discovery and diagnosis see of the machine. Tests pass one made of dictionaries.
struct SystemView: Sendable {
  /// A node of the file system.
  struct Node: Hashable, Sendable {
    enum Kind: Hashable, Sendable { case characterDevice, directory, file, socket, other }
    var kind: Kind
    /// Permission bits, such as 0o660.
    var permissions: UInt32
    var owner: UInt32
    var group: UInt32
    /// Device and inode, which identify the node.
    var device: UInt64 = 0
    var inode: UInt64 = 0
    /// Whether it is one of the kernel's memory devices, such as /dev/null, behind which no reader
    /// can be.
    var isMemoryDevice = false
  }

  /// The node at a path, links followed.
  var node: @Sendable (String) -> Node?
  /// The text of a small file.
  var text: @Sendable (String) -> String?
  /// The names in a directory, sorted.
  var names: @Sendable (String) -> [String]
  /// The path with all links followed; the path itself when that fails.
  var resolve: @Sendable (String) -> String
  /// A variable of the environment.
  var environment: @Sendable (String) -> String?
  /// Whether the process may read and write the node at a path, links followed.
  var mayUse: @Sendable (String) -> Bool
  /// The name of a group.
  var groupName: @Sendable (UInt32) -> String?
}

extension SystemView {
  /// This machine.
  static let live = SystemView(
    node: { Node(path: $0) },
    text: { readText($0) },
    names: { FileTree.names(in: $0) },
    resolve: { FileTree.resolved($0) },
    environment: { getenv($0).map { String(cString: $0) } },
    // The kernel decides, which knows access lists and capabilities beside owner, group and mode.
    mayUse: { faccessat(AT_FDCWD, $0, R_OK | W_OK, AT_EACCESS) == 0 },
    groupName: { getgrgid($0).map { String(cString: $0.pointee.gr_name) } })

  /// The reader that the environment names.
  var preferredReader: String? {
    guard let value = environment("LIBNFC_DEVICE"), !value.isEmpty else { return nil }
    return value
  }
}

extension SystemView.Node {
  fileprivate init?(path: String) {
    var status = stat()
    guard stat(path, &status) == 0 else { return nil }
    kind =
      switch status.st_mode & S_IFMT {
      case S_IFCHR: .characterDevice
      case S_IFDIR: .directory
      case S_IFREG: .file
      case S_IFSOCK: .socket
      default: .other
      }
    permissions = UInt32(status.st_mode) & 0o7777
    owner = status.st_uid
    group = status.st_gid
    device = UInt64(truncatingIfNeeded: status.st_dev)
    inode = UInt64(truncatingIfNeeded: status.st_ino)
    isMemoryDevice =
      kind == .characterDevice && UInt64(truncatingIfNeeded: status.st_rdev).major == 1
  }
}

/// The first 256 KiB of a file as text; files of /proc report no size, so it is read to its end.
private func readText(_ path: String) -> String? {
  let descriptor = open(path, O_RDONLY | O_CLOEXEC)
  guard descriptor >= 0 else { return nil }
  defer { close(descriptor) }
  var bytes: [UInt8] = []
  var piece = [UInt8](repeating: 0, count: 16_384)
  while bytes.count < 1 << 18 {
    let count = read(descriptor, &piece, piece.count)
    guard count > 0 else { break }
    bytes += piece.prefix(count)
  }
  return String(decoding: bytes, as: UTF8.self)
}
