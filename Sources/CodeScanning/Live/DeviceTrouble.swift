import Glibc

/// Turns what the kernel says about a device into sentences with a next step.
enum DeviceTrouble {
  /// A device that did not open, or refused what its kind can do.
  ///
  /// - Parameter number: The `errno`.
  static func opening(
    _ path: String, _ kind: DeviceKind, _ number: Int32, _ view: DeviceView
  ) -> LiveSourceError {
    switch number {
    case ENOENT, ENOTDIR:
      LiveSourceError(
        .noDevice, source: path, message: "\(path) does not exist.", hint: choice(kind, view))
    case ENODEV, ENXIO:
      LiveSourceError(
        .noDevice, source: path, message: "No device answers at \(path).",
        hint: choice(kind, view))
    case EACCES, EPERM:
      LiveSourceError(
        .noPermission, source: path, message: "You may not use the \(kind.noun) \(path).",
        hint: permission(path, kind, view))
    case EBUSY, EWOULDBLOCK: busy(path, view)
    case ENOTTY, EINVAL: wrong(path, kind, view)
    default: failed(path, number)
    }
  }

  /// A camera that was opened and does not start; ENOSPC stands for a USB bus that is full.
  static func starting(_ path: String, _ number: Int32, _ view: DeviceView) -> LiveSourceError {
    if number == EBUSY { return busy(path, view) }
    guard number == ENOSPC else { return failed(path, number) }
    return LiveSourceError(
      .deviceBusy, source: path, message: "The USB bus of \(path) has no room for its pictures.",
      hint: "Unplug other cameras of the same hub, or plug this one in elsewhere.")
  }

  /// A device that is no such device.
  static func wrong(
    _ path: String, _ kind: DeviceKind, _ view: DeviceView
  ) -> LiveSourceError {
    LiveSourceError(
      .wrongDevice, source: path, message: "\(path) is no \(kind.noun).",
      hint: choice(kind, view))
  }

  /// A device that somebody else uses.
  static func busy(_ path: String, _ view: DeviceView) -> LiveSourceError {
    let holder = view.holder(of: path)
    let isModemManager = holder?.hasPrefix("ModemManager") == true
    return LiveSourceError(
      .deviceBusy, source: path,
      message: "\(path) is in use by \(holder ?? "another program").",
      hint: isModemManager ? modemManagerRemedy : "End that program and try again.")
  }

  /// A device that went away while it was read.
  static func unplugged(_ path: String, _ kind: DeviceKind) -> LiveSourceError {
    LiveSourceError(
      .deviceLost, source: path, message: "The \(kind.noun) \(path) was unplugged.",
      hint: "Plug it in again and run the command again; its path may have changed.")
  }

  /// Anything else, with the system's own words.
  static func failed(_ path: String, _ number: Int32) -> LiveSourceError {
    LiveSourceError(
      .deviceFailed, source: path,
      message: "\(path) cannot be read: \(String(cString: strerror(number))).",
      hint: "Plug the device in again, and look at the end of `sudo dmesg`.")
  }

  /// What keeps ModemManager, which takes a serial scanner for a telephone, away from scanners.
  static let modemManagerRemedy =
    #"Run `echo 'SUBSYSTEM=="tty", ENV{ID_BUS}=="usb", ENV{ID_MM_DEVICE_IGNORE}="1"' | "#
    + "sudo tee /etc/udev/rules.d/93-scanner.rules`, then `sudo udevadm control --reload`, and "
    + "plug the scanner in again."

  private static func choice(_ kind: DeviceKind, _ view: DeviceView) -> String {
    let present = kind.present(in: view)
    return present.isEmpty
      ? "No \(kind.noun) is seen; plug one in, and name its device."
      : "Name one that is there: \(present.joined(separator: ", "))."
  }

  private static func permission(
    _ path: String, _ kind: DeviceKind, _ view: DeviceView
  ) -> String {
    let access = view.access(path)
    if let access, access.groupMayUse, let group = access.group, group != "root" {
      return "Run `sudo usermod -aG \(group) \"$USER\"`, then log out and in again."
    }
    let rule =
      #"SUBSYSTEM=="\#(kind.subsystem)", GROUP="\#(kind.usualGroup)", MODE="0660""#
    return "Run `echo '\(rule)' | sudo tee /etc/udev/rules.d/93-\(kind.usualGroup).rules`, then "
      + "`sudo udevadm control --reload`, and plug it in again; you have to be in the group "
      + "\(kind.usualGroup)."
  }
}
