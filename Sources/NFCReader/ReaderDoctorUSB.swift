extension ReaderDoctor {
  /// USB readers, and the two others that want them: the kernel and the smart card daemon.
  func checkUSB() -> [ReaderCheck] {
    let readers = system.usbReaders
    guard !readers.isEmpty else {
      return [
        ReaderCheck(
          .usb, .note, "no USB reader that libnfc knows is plugged in",
          hint: "a reader on a serial port has to be named")
      ]
    }
    var checks: [ReaderCheck] = []
    for reader in readers {
      let title = "\(reader.name) (USB \(reader.identifier))"
      guard let driver = reader.driver else {
        checks.append(
          ReaderCheck(
            .usb, .problem, "\(title) lets no program through to its radio chip",
            hint: "libnfc cannot drive it; use a PN532 or PN533 reader, or an ACR122U"))
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

  /// `pn533_usb` claims the same readers since Linux 3.1.
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
      hint: "run `sudo systemctl stop pcscd.socket pcscd.service`")
  }
}
