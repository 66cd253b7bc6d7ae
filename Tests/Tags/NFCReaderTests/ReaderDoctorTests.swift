@testable import NFCReader
import Testing

@Suite("The doctor")
struct ReaderDoctorTests {
  func problems(_ text: String?, _ system: SystemView) -> [ReaderCheck] {
    ReaderDoctor(system: system).examine(text).filter { $0.verdict == .problem }
  }

  @Test("a usable port has no problem, and its link is followed")
  func usable() {
    let system = SystemView.fake(
      nodes: ["/dev/ttyUSB0": .serialPort],
      links: ["/dev/serial/by-id/usb-reader": "/dev/ttyUSB0"], groups: [20])
    let checks = ReaderDoctor(system: system).examine("pn532_uart:/dev/serial/by-id/usb-reader")
    #expect(
      checks.map(\.subject) == [
        .library, .connectionString, .deviceNode, .permission, .holder,
      ])
    #expect(checks.allSatisfy { $0.verdict == .fine })
    #expect(checks[2].finding.contains("a link to /dev/ttyUSB0"))
  }

  @Test("a port of a group the user is not in names the group to join")
  func permission() {
    let system = SystemView.fake(nodes: ["/dev/ttyUSB0": .serialPort])
    let found = problems("pn532_uart:/dev/ttyUSB0:115200", system)
    #expect(found.map(\.subject) == [.permission])
    #expect(found.first?.hint?.contains("usermod -aG dialout") == true)
  }

  @Test("what the system lets a process use is usable, whatever owner, group and mode say")
  func accessList() {
    var system = SystemView.fake(nodes: ["/dev/ttyUSB0": .serialPort])
    system.mayUse = { $0 == "/dev/ttyUSB0" }
    #expect(problems("pn532_uart:/dev/ttyUSB0:115200", system) == [])
  }

  @Test("the system itself is asked whether a node may be used")
  func liveAccess() {
    #expect(SystemView.live.mayUse("/dev/null"))
    #expect(!SystemView.live.mayUse("/nowhere/ttyUSB0"))
  }

  @Test("a missing port lists the ports that are there")
  func missing() {
    let system = SystemView.fake(nodes: ["/dev/ttyACM0": .serialPort], groups: [20])
    let checks = ReaderDoctor(system: system).examine("pn532_uart:/dev/ttyUSB0")
    #expect(checks.contains { $0.subject == .deviceNode && $0.verdict == .problem })
    #expect(checks.last?.hint?.contains("pn532_uart:/dev/ttyACM0") == true)
  }

  @Test("a locked port names the process that holds it")
  func held() {
    var node = SystemView.Node.serialPort
    (node.device, node.inode) = (0x18, 6)
    let system = SystemView.fake(
      nodes: ["/dev/pts/3": node],
      texts: [
        "/proc/locks": """
        1: POSIX  ADVISORY  WRITE 99 00:18:6 0 EOF
        2: FLOCK  ADVISORY  WRITE 98 00:17:6 0 EOF
        3: FLOCK  ADVISORY  WRITE 4711 00:18:6 0 EOF
        """, "/proc/4711/comm": "screen\n",
      ], groups: [20])
    let found = problems("pn532_uart:/dev/pts/3", system)
    #expect(found.map(\.subject) == [.holder])
    #expect(found.first?.finding == "/dev/pts/3 is in use by screen (process 4711)")
  }

  @Test("a program that has the port open is noted by name")
  func opened() {
    let system = SystemView.fake(
      nodes: ["/dev/ttyUSB0": .serialPort],
      texts: ["/proc/50/comm": "ModemManager\n", "/proc/51/comm": "sh\n"],
      links: [
        "/proc/50/fd/9": "/dev/ttyUSB0", "/proc/51/fd/0": "/dev/null",
        "/proc/self": "/proc/52", "/proc/52/fd/3": "/dev/ttyUSB0",
      ], groups: [20])
    let check = ReaderDoctor(system: system).examine("pn532_uart:/dev/ttyUSB0").last
    #expect(check?.verdict == .note)
    #expect(check?.finding == "/dev/ttyUSB0 is also open in ModemManager (process 50)")
    #expect(check?.hint == "end that program if the reader does not respond")
  }

  @Test("a program that has opened a pseudo-terminal may be what the reader is behind")
  func relayed() {
    let system = SystemView.fake(
      nodes: ["/dev/pts/3": .serialPort], texts: ["/proc/50/comm": "socat\n"],
      links: ["/proc/50/fd/9": "/dev/pts/3", "/proc/self": "/proc/52"], groups: [20])
    let check = ReaderDoctor(system: system).examine("pn532_uart:/dev/pts/3").last
    #expect(check?.finding == "/dev/pts/3 is also open in socat (process 50)")
    #expect(check?.hint?.hasPrefix("leave it running if it simulates the reader") == true)
  }

  @Test("a device of the kernel's own is no port, and who else has it open does not matter")
  func memoryDevice() {
    let found = ReaderDoctor().examine("pn532_uart:/dev/null").filter { $0.verdict == .problem }
    #expect(found.map(\.finding) == ["/dev/null is not a serial device"])
    #expect(!ReaderDoctor().examine("pn532_uart:/dev/null").contains { $0.subject == .holder })
  }

  @Test("the kernel and pcscd, which take an ACR122U away, are found")
  func rivals() {
    let system = SystemView.fake(
      nodes: [
        "/dev/bus/usb/001/007": .usbDevice,
        "/run/pcscd/pcscd.comm": .init(kind: .socket, permissions: 0o666, owner: 0, group: 0),
      ],
      texts: usb("072f", "2200").merging([
        "/proc/modules": """
        pn533_usb 20480 0 - Live 0x0
        pn533 53248 1 pn533_usb, Live 0x0
        nfc 143360 1 pn533, Live 0x0
        """
      ]) { $1 })
    let found = problems("acr122_usb", system)
    #expect(found.map(\.subject) == [.permission, .kernelModules, .smartCardDaemon])
    #expect(found[0].hint?.contains("plugdev") == true)
    #expect(found[1].hint == "run `sudo modprobe -r pn533_usb pn533 nfc`")
    #expect(found[2].hint?.contains("pcscd.socket") == true)
    let error = OpenFailure.nothingFound(system: system)
    #expect(error.code == .noReader && error.message.contains("permission denied"))
  }

  @Test("a reader that only PC/SC can drive is told so, with what to install")
  func smartCardOnly() {
    let found = problems(nil, .fake(texts: usb("072f", "223b")))
    #expect(found.map(\.subject) == [.usb])
    #expect(found.first?.finding.contains("ACR1252U") == true)
    #expect(found.first?.hint?.contains("apt-get install pcscd") == true)
  }

  /// Returns a service with these readers, in this state.
  private func service(_ readers: [String], state: UInt32 = 0x10) -> PCSCCalls {
    PCSCCalls(
      trouble: { nil }, establish: { _ in 0 }, release: { _ in 0 },
      list: { _, room, count in
        let bytes: [CChar] = readers.flatMap { $0.utf8.map(CChar.init(bitPattern:)) + [0] } + [0]
        for (index, byte) in bytes.enumerated() { room[index] = byte }
        count = bytes.count
        return readers.isEmpty ? 0x8010_002E : 0
      },
      wait: { _, _, _, known, _ in
        known = state
        return 0
      }, cancel: { _ in 0 }, connect: { _, _, _, _, _ in 0 }, reconnect: { _, _, _, _ in 0 },
      disconnect: { _, _ in 0 }, transmit: { _, _, _, _ in 0 })
  }

  private func findings(
    of calls: PCSCCalls, _ system: SystemView = .fake()
  ) throws -> [ReaderCheck] {
    let name = try #require(PCSCName("pcsc:acr"))
    return ReaderDoctor(system: system).examineService(name, "pcsc:acr", calls)
      .filter { $0.verdict == .problem }
  }

  @Test("what takes an ACR122U from the service is named: the kernel, and a program with libnfc")
  func rivalsOfService() throws {
    let system = SystemView.fake(
      nodes: ["/dev/bus/usb/001/007": .usbDevice],
      texts: usb("072f", "2200").merging([
        "/proc/modules": "pn533_usb 20480 0 - Live 0x0\n", "/proc/50/comm": "nfc-poll\n",
      ]) { $1 }, links: ["/proc/50/fd/9": "/dev/bus/usb/001/007", "/proc/self": "/proc/52"])
    let found = try findings(of: service([]), system)
    #expect(
      found.map(\.subject) == [.smartCardDaemon, .connectionString, .kernelModules, .holder])
    #expect(found.last?.finding.contains("nfc-poll (process 50)") == true)
  }

  @Test("a name that may mean several readers is quoted as it was given")
  func severalReaders() throws {
    let readers = ["ACS ACR1252 PICC 00", "HID OMNIKEY 5022 01"]
    let error = PCSCReaders.choice(
      try #require(PCSCName("pcsc")), "pcsc", found: readers, all: readers)
    #expect(error.message.hasPrefix("pcsc matches \"ACS ACR1252 PICC 00\" and "))
  }

  @Test("a tag that another program holds, or that cannot be powered, is told")
  func tagOfService() throws {
    let reader = ["ACS ACR1252 Dual Reader PICC 00 00"]
    #expect(try findings(of: service(reader)) == [])
    // PRESENT with EXCLUSIVE and INUSE, with MUTE.
    #expect(
      try findings(of: service(reader, state: 0x1A0)).first?.hint?.contains("scdaemon") == true)
    #expect(
      try findings(of: service(reader, state: 0x220)).first?.hint?.contains("remove the tag")
        == true)
  }

  @Test("the module nfc alone claims nothing")
  func harmlessModule() {
    let system = SystemView.fake(
      nodes: ["/dev/bus/usb/001/007": .usbDevice],
      texts: usb("04e6", "5591").merging(["/proc/modules": "nfc 143360 0 - Live 0x0"]) { $1 },
      groups: [46])
    #expect(problems("pn53x_usb", system) == [])
  }

  @Test("serial ports are listed once, by the link that survives replugging")
  func candidates() {
    let system = SystemView.fake(
      nodes: ["/dev/ttyUSB0": .serialPort, "/dev/ttyUSB1": .serialPort, "/dev/tty1": .serialPort],
      links: ["/dev/serial/by-id/usb-reader": "/dev/ttyUSB1"])
    #expect(system.serialCandidates == ["/dev/serial/by-id/usb-reader", "/dev/ttyUSB0"])
    let error = OpenFailure.nothingFound(system: system)
    #expect(error.hint.contains("pn532_uart:/dev/serial/by-id/usb-reader"))
  }

  @Test("another reader of the same maker is named as the USB tree calls it, and is hopeless too")
  func unknownProduct() {
    let system = SystemView.fake(
      texts: usb("072f", "2303").merging(
        ["/sys/bus/usb/devices/1-2/product": "ACR1552U\n"]) { $1 })
    #expect(problems(nil, system).first?.finding.contains("ACR1552U (USB 072f:2303)") == true)
    #expect(problems(nil, .fake(texts: usb("1d6b", "0002"))) == [])
  }

  @Test("a reader without a udev rule gets the rule as a command")
  func udevRule() {
    var node = SystemView.Node.usbDevice
    node.group = 0
    let system = SystemView.fake(
      nodes: ["/dev/bus/usb/001/007": node], texts: usb("072f", "2214"))
    let hint = problems("acr122_usb", system).first { $0.subject == .permission }?.hint
    #expect(hint?.contains(#"ATTR{idProduct}=="2214""#) == true)
    #expect(hint?.contains("udevadm control --reload") == true)
  }

  @Test("a port that the kernel uses as its console is found, also by its alias")
  func console() {
    for name in ["ttyAMA0", "serial0"] {
      let system = SystemView.fake(
        nodes: ["/dev/ttyAMA0": .serialPort],
        texts: ["/proc/cmdline": "console=\(name),115200 console=tty1 root=/dev/mmcblk0p2\n"],
        links: ["/dev/serial0": "/dev/ttyAMA0"], groups: [20])
      #expect(problems("pn532_uart:/dev/serial0", system).map(\.subject) == [.serialConsole])
      #expect(problems("pn532_uart:/dev/ttyAMA0", system).map(\.subject) == [.serialConsole])
    }
    let other = SystemView.fake(
      nodes: ["/dev/ttyUSB0": .serialPort],
      texts: ["/proc/cmdline": "console=ttyS0 quiet"], groups: [20])
    #expect(problems("pn532_uart:/dev/ttyUSB0", other) == [])
  }

  @Test("a login prompt on the port is a problem with the command that ends it")
  func loginPrompt() {
    let system = SystemView.fake(
      nodes: ["/dev/ttyS0": .serialPort], texts: ["/proc/50/comm": "agetty\n"],
      links: ["/proc/50/fd/0": "/dev/ttyS0"], groups: [20])
    let found = problems("pn532_uart:/dev/ttyS0", system)
    #expect(found.map(\.subject) == [.holder])
    #expect(found.first?.hint?.contains("serial-getty@ttyS0") == true)
  }

  @Test("a missing bus is one to switch on")
  func bus() {
    let found = problems("pn532_i2c:/dev/i2c-1", .fake())
    #expect(found.first?.hint?.contains("do_i2c 0") == true)
  }

  private func usb(_ vendor: String, _ product: String) -> [String: String] {
    let folder = "/sys/bus/usb/devices/1-2"
    return [
      "\(folder)/idVendor": vendor + "\n", "\(folder)/idProduct": product + "\n",
      "\(folder)/busnum": "1\n", "\(folder)/devnum": "7\n",
    ]
  }
}

extension SystemView {
  /// Returns a machine described by dictionaries, which are empty by default.
  static func fake(
    nodes: [String: Node] = [:], texts: [String: String] = [:], links: [String: String] = [:],
    environment: [String: String] = [:], user: UInt32 = 1000, groups: Set<UInt32> = [1000]
  ) -> SystemView {
    let paths = Set(nodes.keys).union(texts.keys).union(links.keys)
    return SystemView(
      node: { nodes[links[$0] ?? $0] },
      text: { texts[$0] },
      names: { folder in
        let names = paths.compactMap { path -> String? in
          guard path.hasPrefix(folder + "/") else { return nil }
          return path.dropFirst(folder.count + 1).split(separator: "/").first.map(String.init)
        }
        return Set(names).sorted()
      },
      resolve: { links[$0] ?? $0 },
      environment: { environment[$0] },
      mayUse: { path in
        guard let node = nodes[links[path] ?? path] else { return false }
        if user == 0 { return true }
        let shift: UInt32 = node.owner == user ? 6 : groups.contains(node.group) ? 3 : 0
        return (node.permissions >> shift) & 0o6 == 0o6
      },
      groupName: { [20: "dialout", 46: "plugdev"][$0] })
  }
}

extension SystemView.Node {
  /// A serial port as udev makes it: root and dialout.
  static let serialPort = Self(
    kind: .characterDevice, permissions: 0o660, owner: 0, group: 20, device: 0x5, inode: 77)
  /// A USB device as libnfc's udev rules make it: root and plugdev.
  static let usbDevice = Self(
    kind: .characterDevice, permissions: 0o664, owner: 0, group: 46, device: 0x5, inode: 78)
}
