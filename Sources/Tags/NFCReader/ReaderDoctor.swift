import CliptagBasics
import CNFC

/// Looks for reasons why a reader does not open, without writing to any device.
public struct ReaderDoctor: Sendable {
  let system: SystemView

  /// Makes a doctor for this machine.
  public init() { self.init(system: .live) }

  init(system: SystemView) { self.system = system }

  /// Examines everything that affects opening a reader.
  ///
  /// Only reads files; takes some milliseconds. To check also that the reader answers, use
  /// ``NFCReader/examine(_:repairing:)``.
  ///
  /// - Parameter connectionString: The requested reader; `nil` for the one that
  ///   ``NFCReader/open(_:answerTimeout:clock:)`` would choose.
  /// - Returns: The checks that apply, in reading order.
  public func examine(_ connectionString: String? = nil) -> [ReaderCheck] {
    let text = connectionString ?? system.preferredReader
    let source = connectionString != nil ? "given" : "from the environment"
    if let text, let name = PCSCName(text) { return examineService(name, text) }
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
        ReaderCheck(.connectionString, .problem, error.problem, hint: error.remedy))
      return checks + [checkSerialPorts()]
    }
    let known = connection.isPN53x
    checks.append(
      ReaderCheck(
        .connectionString, known ? .fine : .note,
        "\(text), \(source)" + (known ? "" : ": a driver unknown to this program")))
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
      return ReaderCheck(.library, .problem, failure.message, hint: failure.advice)
    }
    return ReaderCheck(.library, .fine, "libnfc \(String(cString: cnfc_version()))")
  }

  /// Checks the device node: it exists, is a device, and is usable and free.
  func checkNode(_ path: String) -> [ReaderCheck] {
    guard let node = system.node(path) else {
      return [
        ReaderCheck(
          .deviceNode, .problem, "\(path) does not exist",
          hint: Self.busHint(path).map { Hint($0) }
            ?? "plug the reader in, or give its current port"),
        checkSerialPorts(),
      ]
    }
    let resolved = system.resolve(path)
    guard node.kind == .characterDevice, !node.isMemoryDevice else {
      return [
        ReaderCheck(
          .deviceNode, .problem, "\(path) is not a serial device",
          hint: "give the port of the reader, such as /dev/ttyUSB0"), checkSerialPorts(),
      ]
    }
    let link = resolved == path ? "" : ", a link to \(resolved)"
    var checks = [ReaderCheck(.deviceNode, .fine, "\(path) exists\(link)")]
    checks.append(checkPermission(path, node))
    checks.append(checkHolders(path))
    return checks
  }

  func checkPermission(_ path: String, _ node: SystemView.Node) -> ReaderCheck {
    guard !system.mayUse(path) else {
      return ReaderCheck(.permission, .fine, "you have permission to read and write \(path)")
    }
    let hint: Hint
    if node.permissions & 0o060 == 0o060, node.group != 0,
      let group = system.groupName(node.group)
    {
      hint = "run `sudo usermod -aG \(group) \"$USER\"`, then log out and in again"
    } else {
      hint =
        udevRule(path).map { Hint($0) }
        ?? "let its owner or root permit it, for example by a udev rule"
    }
    return ReaderCheck(
      .permission, .problem, "you cannot read and write \(path): permission denied",
      hint: hint)
  }

  private func checkHolders(_ path: String) -> ReaderCheck {
    if let holder = system.lockHolder(of: path) {
      return ReaderCheck(
        .holder, .problem, "\(path) is in use by \(holder.description)",
        hint: "end that program first")
    }
    let users = system.users(of: path)
    guard !users.isEmpty else {
      return ReaderCheck(.holder, .fine, "no other program uses \(path)")
    }
    if let prompt = users.first(where: { $0.name?.hasSuffix("getty") == true }) {
      return ReaderCheck(
        .holder, .problem, "\(prompt.description) offers a login on \(path)",
        hint: "run `sudo systemctl disable --now serial-getty@\(portName(path))`")
    }
    return ReaderCheck(
      .holder, .note, "\(path) is also open in \(PortHolder.list(users))",
      // A program that forwards or simulates a reader keeps its pseudo-terminal open itself.
      hint: path.hasPrefix("/dev/pts/")
        ? "leave it running if it simulates the reader on this pseudo-terminal; otherwise "
          + "end it"
        : "end that program if the reader does not respond")
  }

  private func checkSerialPorts() -> ReaderCheck {
    let ports = system.serialCandidates
    guard !ports.isEmpty else {
      return ReaderCheck(.serialPorts, .note, "no USB serial port was found")
    }
    let unusable = ports.filter { !system.mayUse($0) }
    return ReaderCheck(
      .serialPorts, .note,
      "a reader may be on \(ports.joined(separator: ", "))"
        + (unusable.isEmpty ? "" : "; no permission: \(unusable.joined(separator: ", "))"),
      hint: "run export LIBNFC_DEVICE=pn532_uart:\(ports[0]) first")
  }
}

extension ReaderDoctor {
  /// Checks the smart card service and its readers.
  func examineService(
    _ name: PCSCName, _ text: String, _ calls: PCSCCalls = .system
  ) -> [ReaderCheck] {
    if let reason = calls.trouble() {
      return [
        ReaderCheck(
          .library, .problem, "PC/SC cannot be used: \(reason)",
          hint: "run `sudo apt-get install pcscd libpcsclite1`")
      ]
    }
    var checks = [ReaderCheck(.library, .fine, "pcsc-lite is installed")]
    let all: [String]
    do throws(DeviceFailure) {
      all = try PCSCContext(calls: calls).readers()
    } catch {
      let failure = PCSCReaders.failure(error, text)
      return checks + [
        ReaderCheck(.smartCardDaemon, .problem, failure.problem, hint: failure.remedy)
      ]
    }
    let names = all.isEmpty ? "no reader" : all.joined(separator: ", ")
    checks.append(
      ReaderCheck(
        .smartCardDaemon, all.isEmpty ? .problem : .fine,
        "the smart card service responds and has \(names)",
        hint: all.isEmpty ? "plug the reader in, or run `sudo apt-get install libccid`" : nil))
    let found = name.matches(in: all)
    checks.append(
      ReaderCheck(
        .connectionString, found.count == 1 ? .fine : .problem,
        found.count == 1
          ? "\(text) is \(found[0])"
          : found.isEmpty ? "\(text) is none of them" : "\(text) may be \(found.count) of them",
        hint: found.count == 1 ? nil : "write more of the name after pcsc:"))
    guard let reader = found.only else { return checks + checkRivalsOfService() }
    if let check = checkTag(on: reader, calls) { checks.append(check) }
    return checks
  }

  /// Checks for a tag on a reader of the service that cannot be used.
  private func checkTag(on reader: String, _ calls: PCSCCalls) -> ReaderCheck? {
    guard let context = try? PCSCContext(calls: calls) else { return nil }
    let state = context.state(of: reader).state
    if state.isExclusive {
      return ReaderCheck(
        .holder, .problem, system.heldTag(on: reader), hint: PCSCReaders.helpAgainstHolder)
    }
    if state.isMute {
      return ReaderCheck(
        .holder, .problem, "\(reader) could not power up the tag on it",
        hint: "remove the tag and put it back")
    }
    return nil
  }

  /// Checks for drivers or programs that take a USB reader from the service: the kernel's driver,
  /// or a program with libnfc.
  private func checkRivalsOfService() -> [ReaderCheck] {
    let readers = system.usbReaders.filter { $0.driver != nil }
    guard !readers.isEmpty else { return [] }
    var checks = [checkModules()].filter { $0.verdict == .problem }
    for reader in readers {
      let users = system.users(of: reader.path).filter { $0.name != "pcscd" }
      guard !users.isEmpty else { continue }
      checks.append(
        ReaderCheck(
          .holder, .problem, "\(reader.name) is used by \(PortHolder.list(users)), through libnfc",
          hint: "end that program; then plug the reader in again for pcscd"))
    }
    return checks
  }

  /// Checks whether the kernel writes its messages to a serial port, which a reader there takes for
  /// commands. The ports on a Raspberry Pi's pins are consoles until that is switched off.
  func checkConsole(_ path: String) -> [ReaderCheck] {
    let name = portName(path)
    let arguments = (system.text("/proc/cmdline") ?? "").split(whereSeparator: \.isWhitespace)
    let consoles = arguments.filter { $0.hasPrefix("console=") }
      .compactMap { $0.dropFirst("console=".count).split(separator: ",").first }
      .map { portName("/dev/\($0)") }
    guard consoles.contains(name) else { return [] }
    return [
      ReaderCheck(
        .serialConsole, .problem, "the kernel uses \(name) as its console",
        hint:
          "run `sudo raspi-config nonint do_serial_cons 1`, or remove console=\(name) from the "
          + "kernel's command line, and restart")
    ]
  }

  /// The name of a port, with links followed: `ttyAMA0` for /dev/serial0.
  func portName(_ path: String) -> String {
    system.resolve(path).split(separator: "/").last.map(String.init) ?? path
  }

  /// The step that makes the node of a bus appear.
  static func busHint(_ path: String) -> String? {
    if path.hasPrefix("/dev/i2c") {
      return "enable the bus: `sudo raspi-config nonint do_i2c 0`, or `sudo modprobe i2c-dev`"
    }
    if path.hasPrefix("/dev/spidev") {
      return "enable the bus: `sudo raspi-config nonint do_spi 0`, or `sudo modprobe spidev`"
    }
    return nil
  }

  /// The command that grants the group plugdev access to a USB reader. The rules of Debian's libnfc
  /// do so for most readers, but not for an ACR1222.
  func udevRule(_ path: String) -> String? {
    guard let reader = system.usbReaders.first(where: { $0.path == path }) else { return nil }
    let parts = reader.identifier.split(separator: ":")
    let rule =
      #"SUBSYSTEM=="usb", ATTR{idVendor}=="\#(parts[0])", ATTR{idProduct}=="\#(parts[1])", "#
      + USBReader.permissionRule
    return "run `echo '\(rule)' | sudo tee /etc/udev/rules.d/60-nfc-reader.rules`, then "
      + "`sudo udevadm control --reload` and plug the reader in again"
  }
}

extension ReaderDoctor {
  /// Checks USB readers and their two rival users: the kernel and the smart card daemon.
  func checkUSB() -> [ReaderCheck] {
    let readers = system.usbReaders
    guard !readers.isEmpty else {
      return [
        ReaderCheck(
          .usb, .note, "no USB reader supported by libnfc is plugged in",
          hint: "give the port of a serial reader")
      ]
    }
    var checks: [ReaderCheck] = []
    for reader in readers {
      let title = "\(reader.name) (USB \(reader.identifier))"
      guard let driver = reader.driver else {
        checks.append(
          ReaderCheck(
            .usb, .problem,
            "\(title) is not supported by libnfc: it does not expose its chip",
            hint:
              "use it by PC/SC: run `sudo apt-get install pcscd`, and give pcsc: and a part of "
              + "its name"))
        continue
      }
      checks.append(ReaderCheck(.usb, .fine, "\(title), driver \(driver)"))
      if let node = system.node(reader.path) {
        checks.append(checkPermission(reader.path, node))
      }
    }
    guard readers.contains(where: { $0.driver != nil }) else { return checks }
    return checks + [checkModules(), checkSmartCardDaemon()]
  }

  /// Checks for `pn533_usb`, which claims the same readers since Linux 3.1.
  private func checkModules() -> ReaderCheck {
    let loaded = (system.text("/proc/modules") ?? "").split(separator: "\n")
      .compactMap { $0.split(separator: " ").first.map(String.init) }
    let rivals = ["pn533_usb", "pn533", "nfc"].filter(loaded.contains)
    guard rivals.contains("pn533_usb") || rivals.contains("pn533") else {
      return ReaderCheck(.kernelModules, .fine, "no kernel driver claims the reader")
    }
    return ReaderCheck(
      .kernelModules, .problem,
      "the kernel modules \(rivals.joined(separator: ", ")) claim the reader",
      hint: "run `sudo modprobe -r \(rivals.joined(separator: " "))`")
  }

  private func checkSmartCardDaemon() -> ReaderCheck {
    guard system.node("/run/pcscd/pcscd.comm") != nil else {
      return ReaderCheck(.smartCardDaemon, .fine, "pcscd is not running")
    }
    return ReaderCheck(
      .smartCardDaemon, .problem, "pcscd is running, or will start, and claims the reader",
      hint:
        "run `sudo systemctl stop pcscd.socket pcscd.service`, or give the reader as pcsc: and a part "
        + "of its name, and use it through that service")
  }
}
