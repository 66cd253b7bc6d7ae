import CliptagPlatform
import LinuxDevices

/// The machine as seen by discovery and diagnosis. Tests pass one made of dictionaries.
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
    /// A Boolean value that indicates whether it is one of the kernel's memory devices, such as
    /// /dev/null, which cannot be a reader.
    var isMemoryDevice = false
  }

  /// Returns the node at a path, with links followed.
  var node: @Sendable (String) -> Node?
  /// Returns the text of a small file.
  var text: @Sendable (String) -> String?
  /// Returns the names in a directory, sorted.
  var names: @Sendable (String) -> [String]
  /// Returns the path with all links followed, or the path itself if that fails.
  var resolve: @Sendable (String) -> String
  /// Returns a variable of the environment.
  var environment: @Sendable (String) -> String?
  /// Returns `true` if the process may read and write the node at a path, with links followed.
  var mayUse: @Sendable (String) -> Bool
  /// Returns the name of a group.
  var groupName: @Sendable (UInt32) -> String?
}

extension SystemView {
  /// The view of this machine.
  static let live = SystemView(
    node: { Node(path: $0) },
    text: { readText($0) },
    names: { FileTree.names(in: $0) },
    resolve: { FileTree.resolved($0) },
    environment: { getenv($0).map { String(cString: $0) } },
    // The kernel decides, since it knows access lists and capabilities besides owner, group and
    // mode.
    mayUse: { faccessat(AT_FDCWD, $0, R_OK | W_OK, AT_EACCESS) == 0 },
    groupName: { getgrgid($0).map { String(cString: $0.pointee.gr_name) } })

  /// The reader named in the environment.
  var preferredReader: String? {
    for name in ["CLIPTAG_READER", "LIBNFC_DEVICE"] {
      if let value = environment(name), !value.isEmpty { return value }
    }
    return nil
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

/// A USB device known to this module as a reader.
struct USBReader: Hashable, Sendable {
  /// The vendor and product, such as `072f:2200`.
  let identifier: String
  /// The common name.
  let name: String
  /// The libnfc driver, or `nil` if no libnfc driver supports it.
  let driver: String?
  /// The device node.
  let path: String

  /// The permissions of such a reader in a udev rule: for the user at the machine, and for a group.
  static let permissionRule = #"GROUP="plugdev", MODE="0660", TAG+="uaccess""#

  /// The readers that libnfc 1.8 drives over USB, and common ones that it does not drive.
  static let known: [String: (name: String, driver: String?)] = [
    "04cc:0531": ("NXP PN531", "pn53x_usb"), "054c:0193": ("Sony PN531", "pn53x_usb"),
    "04cc:2533": ("NXP PN533", "pn53x_usb"), "04e6:5591": ("SCM SCL3711", "pn53x_usb"),
    "04e6:5594": ("SCM SCL3712", "pn53x_usb"), "1fd3:0608": ("ASK LoGO", "pn53x_usb"),
    "054c:02e1": ("Sony RC-S360", "pn53x_usb"), "072f:2200": ("ACS ACR122U", "acr122_usb"),
    "072f:90cc": ("Touchatag", "acr122_usb"), "072f:2214": ("ACS ACR1222", "acr122_usb"),
    "072f:223b": ("ACS ACR1252U", nil), "072f:221a": ("ACS ACR1251U", nil),
    "072f:2211": ("ACS ACR1261U", nil), "072f:2224": ("ACS ACR1281U", nil),
  ]
}

extension SystemView {
  /// The known readers in the USB tree.
  var usbReaders: [USBReader] {
    let root = "/sys/bus/usb/devices"
    return names(root).compactMap { device in
      func value(_ name: String) -> String? {
        text("\(root)/\(device)/\(name)")?.split(whereSeparator: \.isWhitespace).first
          .map(String.init)
      }
      guard let vendor = value("idVendor"), let product = value("idProduct"),
        let known = USBReader.known["\(vendor):\(product)"]
          ?? unknownOfACS(vendor, text("\(root)/\(device)/product")),
        let bus = value("busnum"), let number = value("devnum")
      else { return nil }
      func padded(_ text: String) -> String {
        String(repeating: "0", count: max(0, 3 - text.count)) + text
      }
      return USBReader(
        identifier: "\(vendor):\(product)", name: known.name, driver: known.driver,
        path: "/dev/bus/usb/\(padded(bus))/\(padded(number))")
    }
  }

  /// A reader of the ACR122U's maker. A dozen of its other readers do not give programs access to
  /// the radio chip; the USB tree contains their names.
  private func unknownOfACS(
    _ vendor: String, _ product: String?
  ) -> (name: String, driver: String?)? {
    guard vendor == "072f" else { return nil }
    let name = product?.split(whereSeparator: \.isNewline).first.map(String.init)
    return (name ?? "ACS reader", nil)
  }

  /// Serial ports that may have a reader, found without writing to any: first the links that keep
  /// their name across replugging, then ports without a link.
  var serialCandidates: [String] {
    let folder = "/dev/serial/by-id"
    let links = names(folder).map { "\(folder)/\($0)" }
    let linked = Set(links.map(resolve))
    let ports = names("/dev").filter { name in
      ["ttyUSB", "ttyACM", "ttyAMA"].contains { name.hasPrefix($0) }
    }
    return links + ports.map { "/dev/\($0)" }.filter { !linked.contains($0) }
  }
}

/// A process that has a device open.
struct PortHolder: Hashable, Sendable {
  let process: Int
  /// The program's name as the kernel shows it.
  let name: String?

  var description: String { name.map { "\($0) (process \(process))" } ?? "process \(process)" }

  /// At most three holders, for a sentence.
  static func list(_ holders: [PortHolder]) -> String {
    let named = holders.prefix(3).map(\.description).joined(separator: ", ")
    return holders.count > 3 ? "\(named) and \(holders.count - 3) more" : named
  }
}

extension SystemView {
  /// The holder of a `flock` on the node, according to /proc/locks; `nil` if it is not listed.
  func lockHolder(of path: String) -> PortHolder? {
    guard let node = node(path), let locks = text("/proc/locks") else { return nil }
    // "1: FLOCK  ADVISORY  WRITE 4711 00:18:5 0 EOF": process, then device and inode of the file.
    for line in locks.split(separator: "\n") {
      let fields = line.split(separator: " ")
      guard fields.count >= 6, fields[1] == "FLOCK", let process = Int(fields[4]), process > 0
      else { continue }
      let place = fields[5].split(separator: ":")
      guard place.count == 3, UInt64(place[2]) == node.inode,
        let major = UInt64(place[0], radix: 16), let minor = UInt64(place[1], radix: 16),
        major == node.device.major, minor == node.device.minor
      else { continue }
      return holder(process)
    }
    return nil
  }

  /// The processes that have the node open, as far as visible to this user, except this one.
  func users(of path: String) -> [PortHolder] {
    let target = resolve(path)
    let own = Int(resolve("/proc/self").split(separator: "/").last ?? "")
    return names("/proc").compactMap(Int.init).filter { $0 != own }.sorted().compactMap { process in
      let folder = "/proc/\(process)/fd"
      let isOpen = names(folder).contains { resolve("\(folder)/\($0)") == target }
      return isOpen ? holder(process) : nil
    }
  }

  /// The programs that have the PC/SC library loaded, as far as visible to this user, except this
  /// one. One of them may hold a tag; the service does not report which.
  private var smartCardPrograms: [PortHolder] {
    let own = Int(resolve("/proc/self").split(separator: "/").last ?? "")
    return names("/proc").compactMap(Int.init).filter { $0 != own }.sorted().compactMap { process in
      guard text("/proc/\(process)/maps")?.contains("libpcsclite.so") == true else { return nil }
      let holder = holder(process)
      return holder.name == "pcscd" ? nil : holder
    }
  }

  /// A statement that the tag on a reader is held, and the programs that may hold it.
  func heldTag(on reader: String) -> String {
    let programs = smartCardPrograms
    return "the tag on \(reader) is held by another program"
      + (programs.isEmpty ? "" : "; PC/SC is open in \(PortHolder.list(programs))")
  }

  private func holder(_ process: Int) -> PortHolder {
    let name = text("/proc/\(process)/comm")?.split(separator: "\n").first.map(String.init)
    return PortHolder(process: process, name: name)
  }
}

extension UInt64 {
  // The layout of Linux's dev_t, as the C library's macros `major` and `minor` read it.
  var major: UInt64 { (self >> 8) & 0xfff | (self >> 32) & 0xffff_f000 }
  fileprivate var minor: UInt64 { self & 0xff | (self >> 12) & 0xffff_ff00 }
}
