internal import CNFC

/// Looks for whatever keeps a reader from opening, without writing to any device.
public struct ReaderDoctor: Sendable {
  let system: SystemView

  /// A doctor for this machine.
  public init() { self.init(system: .live) }

  init(system: SystemView) { self.system = system }

  /// Examines everything that decides whether a reader opens.
  ///
  /// Reads files only; takes some milliseconds. To learn whether the reader answers as well, use
  /// ``NFCReader/examine(_:repairing:)``.
  ///
  /// - Parameter connectionString: The reader that is meant; nil for the one that
  ///   ``NFCReader/open(_:clock:)`` would choose.
  /// - Returns: The checks that apply, in the order in which they are best read.
  public func examine(_ connectionString: String? = nil) -> [ReaderCheck] {
    let text = connectionString ?? system.preferredReader
    let source = connectionString != nil ? "given" : "from LIBNFC_DEVICE"
    var checks = [checkLibrary()]
    guard let text else {
      checks.append(
        ReaderCheck(.connectionString, .note, "none given, and LIBNFC_DEVICE is not set"))
      return checks + checkUSB() + [checkSerialPorts()]
    }
    let connection: ReaderConnection
    do {
      connection = try ReaderConnection(parsing: text)
    } catch {
      checks.append(
        ReaderCheck(.connectionString, .problem, error.message, hint: error.hint))
      return checks + [checkSerialPorts()]
    }
    let known = connection.isPN53x
    checks.append(
      ReaderCheck(
        .connectionString, known ? .fine : .note,
        "\(text), \(source)" + (known ? "" : ": a driver this program knows nothing about")))
    if let path = connection.path {
      checks += checkNode(path)
      if connection.serialPath != nil { checks += checkConsole(path) }
    } else {
      checks += checkUSB()
    }
    return checks
  }

  private func checkLibrary() -> ReaderCheck {
    if let reason = LibNFCCalls.system.trouble() {
      let failure = OpenFailure.libraryMissing(reason)
      return ReaderCheck(.library, .problem, failure.message, hint: failure.hint)
    }
    return ReaderCheck(.library, .fine, "libnfc \(String(cString: cnfc_version()))")
  }

  /// The device node: there, a device, usable, free.
  func checkNode(_ path: String) -> [ReaderCheck] {
    guard let node = system.node(path) else {
      return [
        ReaderCheck(
          .deviceNode, .problem, "\(path) does not exist",
          hint: Self.busHint(path) ?? "plug the reader in, or name its present port"),
        checkSerialPorts(),
      ]
    }
    let resolved = system.resolve(path)
    guard node.kind == .characterDevice, !node.isMemoryDevice else {
      return [
        ReaderCheck(
          .deviceNode, .problem, "\(path) is not a serial device",
          hint: "name the port of the reader, such as /dev/ttyUSB0"), checkSerialPorts(),
      ]
    }
    let link = resolved == path ? "" : ", a link to \(resolved)"
    var checks = [ReaderCheck(.deviceNode, .fine, "\(path) is there\(link)")]
    checks.append(checkPermission(path, node))
    checks.append(checkHolders(path))
    return checks
  }

  func checkPermission(_ path: String, _ node: SystemView.Node) -> ReaderCheck {
    guard !system.mayUse(path) else {
      return ReaderCheck(.permission, .fine, "you may read and write \(path)")
    }
    let hint: String
    if node.permissions & 0o060 == 0o060, node.group != 0,
      let group = system.groupName(node.group)
    {
      hint = "run `sudo usermod -aG \(group) \"$USER\"`, then log out and in again"
    } else {
      hint = udevRule(path) ?? "its owner or root has to allow it, for example by a udev rule"
    }
    return ReaderCheck(
      .permission, .problem, "you may not read and write \(path): permission denied",
      hint: hint)
  }

  private func checkHolders(_ path: String) -> ReaderCheck {
    if let holder = system.lockHolder(of: path) {
      return ReaderCheck(
        .holder, .problem, "\(path) is held by \(holder.description)",
        hint: "end that program first")
    }
    let users = system.users(of: path)
    guard !users.isEmpty else {
      return ReaderCheck(.holder, .fine, "no other program is seen to use \(path)")
    }
    if let prompt = users.first(where: { $0.name?.hasSuffix("getty") == true }) {
      return ReaderCheck(
        .holder, .problem, "\(prompt.description) offers a login on \(path)",
        hint: "run `sudo systemctl disable --now serial-getty@\(portName(path))`")
    }
    return ReaderCheck(
      .holder, .note, "\(path) is also open in \(PortHolder.list(users))",
      // A program that passes a reader on, or plays one, keeps its pseudo-terminal open itself.
      hint: path.hasPrefix("/dev/pts/")
        ? "let it run if the reader is behind that program, which opened this pseudo-terminal; else "
          + "end it"
        : "end that program if the reader does not answer")
  }

  private func checkSerialPorts() -> ReaderCheck {
    let ports = system.serialCandidates
    guard !ports.isEmpty else {
      return ReaderCheck(.serialPorts, .note, "no USB serial port is there")
    }
    let unusable = ports.filter { !system.mayUse($0) }
    return ReaderCheck(
      .serialPorts, .note,
      "a reader may be behind \(ports.joined(separator: ", "))"
        + (unusable.isEmpty ? "" : "; not usable by you: \(unusable.joined(separator: ", "))"),
      hint: "say export LIBNFC_DEVICE=pn532_uart:\(ports[0]) first")
  }
}
