extension ReaderDoctor {
  /// Whether the kernel writes its messages to a serial port, which a reader there takes for
  /// commands. The ports of a Raspberry Pi's own pins are consoles until that is switched off.
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
          "run `sudo raspi-config nonint do_serial_cons 1`, or take console=\(name) out of the "
          + "kernel's command line, and restart")
    ]
  }

  /// The name of a port, links followed: `ttyAMA0` for /dev/serial0.
  func portName(_ path: String) -> String {
    system.resolve(path).split(separator: "/").last.map(String.init) ?? path
  }

  /// What makes the node of a bus appear.
  static func busHint(_ path: String) -> String? {
    if path.hasPrefix("/dev/i2c") {
      return "switch the bus on: `sudo raspi-config nonint do_i2c 0`, or `sudo modprobe i2c-dev`"
    }
    if path.hasPrefix("/dev/spidev") {
      return "switch the bus on: `sudo raspi-config nonint do_spi 0`, or `sudo modprobe spidev`"
    }
    return nil
  }

  /// The command that gives a USB reader to the group plugdev, as the rules of Debian's libnfc do for
  /// most readers, but not for an ACR1222.
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
