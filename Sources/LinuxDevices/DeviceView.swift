import Glibc

/// What the search for a failure's reason sees of the machine. Tests pass one of their own.
package struct DeviceView: Sendable {
  /// Who may use a node.
  package struct Access: Hashable, Sendable {
    /// The group's name; nil when the group has none.
    package var group: String?
    /// Whether the group may read and write.
    package var groupMayUse: Bool
    /// Whether the node is a character device.
    package var isDevice: Bool

    /// Makes the facts of a node.
    package init(group: String?, groupMayUse: Bool, isDevice: Bool) {
      self.group = group
      self.groupMayUse = groupMayUse
      self.isDevice = isDevice
    }
  }

  /// The names in a folder, sorted.
  package var names: @Sendable (String) -> [String]
  /// Who may use the node at a path, links followed; nil when there is none.
  package var access: @Sendable (String) -> Access?
  /// The path with all links followed; the path itself when that fails.
  package var resolve: @Sendable (String) -> String
  /// The name of the program that a process runs.
  package var program: @Sendable (_ process: Int) -> String?

  /// Makes a view.
  package init(
    names: @escaping @Sendable (String) -> [String],
    access: @escaping @Sendable (String) -> Access?,
    resolve: @escaping @Sendable (String) -> String,
    program: @escaping @Sendable (_ process: Int) -> String?
  ) {
    self.names = names
    self.access = access
    self.resolve = resolve
    self.program = program
  }

  /// This machine.
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

  /// The paths of a folder's entries whose names fit.
  package func paths(in folder: String, where fits: (String) -> Bool) -> [String] {
    names(folder).filter(fits).map { "\(folder)/\($0)" }
  }

  private var processes: [Int] { names("/proc").compactMap { Int($0) }.sorted() }

  /// A process that has the node open, in words, as far as this user may see.
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

  /// Whether a program of this name runs.
  package func runs(_ name: String) -> Bool { processes.contains { program($0) == name } }
}

/// The tree of files, as far as devices are looked for in it.
package enum FileTree {
  /// The names in a folder, sorted; none when it cannot be read.
  package static func names(in folder: String) -> [String] {
    guard let directory = opendir(folder) else { return [] }
    defer { closedir(directory) }
    var names: [String] = []
    while let entry = readdir(directory) {
      // `d_name` is a C array inside the entry; its own address is what the C string starts at.
      let name = withUnsafePointer(to: &entry.pointee.d_name) {
        $0.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
      }
      if name != "." && name != ".." { names.append(name) }
    }
    return names.sorted()
  }

  /// A path with all links followed; the path itself when that fails.
  package static func resolved(_ path: String) -> String {
    guard let resolved = realpath(path, nil) else { return path }
    defer { free(resolved) }
    return String(cString: resolved)
  }
}
