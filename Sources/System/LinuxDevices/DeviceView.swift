import CliptagPlatform

/// The view of the machine that is used to find the reason of a failure. Tests pass another one.
package struct DeviceView: Sendable {
  /// The access rights of a device node.
  package struct Access: Hashable, Sendable {
    /// The group's name; `nil` if the group has none.
    package var group: String?
    /// A Boolean value that indicates whether the group may read and write.
    package var groupMayUse: Bool
    /// A Boolean value that indicates whether the node is a character device.
    package var isDevice: Bool
  }

  /// The names in a folder, sorted.
  package var names: @Sendable (String) -> [String]
  /// The access rights of the node at a path, links followed; `nil` if there is no node.
  package var access: @Sendable (String) -> Access?
  /// The path with all links followed; the path unchanged on failure.
  package var resolve: @Sendable (String) -> String
  /// The name of the program that a process runs.
  package var program: @Sendable (_ process: Int) -> String?

  /// The view of this machine.
  package static let live = DeviceView(
    names: { FileTree.names(in: $0) },
    access: { path in
      var facts = stat()
      guard stat(path, &facts) == 0 else { return nil }
      return Access(
        group: getgrgid(facts.st_gid).map { String(cString: $0.pointee.gr_name) },
        groupMayUse: facts.st_mode & 0o060 == 0o060, isDevice: facts.st_mode & S_IFMT == S_IFCHR)
    },
    resolve: { FileTree.resolved($0) },
    program: { process in
      var name = [UInt8](repeating: 0, count: 64)
      let descriptor = open("/proc/\(process)/comm", O_RDONLY | O_CLOEXEC)
      guard descriptor >= 0 else { return nil }
      defer { close(descriptor) }
      let count = read(descriptor, &name, name.count)
      return String(decoding: name.prefix(max(0, count)).prefix { $0 != 10 }, as: UTF8.self)
    })

  /// Returns the paths of the entries of a folder whose names match.
  package func paths(in folder: String, where fits: (String) -> Bool) -> [String] {
    names(folder).filter(fits).map { "\(folder)/\($0)" }
  }

  private var processes: [Int] { names("/proc").compactMap { Int($0) }.sorted() }

  /// A description of a process that has the node open, as far as this user may see.
  package func holder(of path: String) -> String? {
    let target = resolve(path)
    let own = Int(getpid())
    for process in processes where process != own {
      let folder = "/proc/\(process)/fd"
      let isOpen = names(folder).contains { resolve("\(folder)/\($0)") == target }
      guard isOpen else { continue }
      return program(process).map { "\($0) (process \(process))" } ?? "process \(process)"
    }
    return nil
  }

  /// Returns whether a program of this name is running.
  package func runs(_ name: String) -> Bool { processes.contains { program($0) == name } }
}

/// Look-ups in the file system for devices.
package enum FileTree {
  /// Returns the names in a folder, sorted; empty if it cannot be read.
  package static func names(in folder: String) -> [String] {
    guard let directory = opendir(folder) else { return [] }
    defer { closedir(directory) }
    var names: [String] = []
    while let entry = readdir(directory) {
      // `d_name` is a C array inside the entry; the C string starts at its address.
      let name = withUnsafePointer(to: &entry.pointee.d_name) {
        $0.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
      }
      if name != "." && name != ".." { names.append(name) }
    }
    return names.sorted()
  }

  /// A path with all links followed; the path unchanged on failure.
  package static func resolved(_ path: String) -> String {
    guard let resolved = realpath(path, nil) else { return path }
    defer { free(resolved) }
    return String(cString: resolved)
  }
}
