import CliptagPlatform

/// An error that can report the trouble of a device.
package protocol DeviceError: Error {
  /// Creates an error.
  ///
  /// - Parameters:
  ///   - kind: The kind of trouble; its raw value is the stable code in JSON.
  ///   - source: The device's path.
  ///   - message: The cause, in one sentence that names the device.
  ///   - hint: The next step.
  init(device kind: DeviceTrouble.Kind, source: String, message: String, hint: String)
}

/// Converts the kernel's error numbers for a device into errors with a next step.
package enum DeviceTrouble {
  /// The kinds of trouble.
  package enum Kind: String, Sendable {
    case noDevice = "no-device"
    case noPermission = "no-permission"
    case deviceBusy = "device-busy"
    case wrongDevice = "wrong-device"
    case deviceLost = "device-lost"
    case deviceFailed = "device-failed"
  }

  /// Returns the error for a device that did not open, or refused a request that its kind supports.
  ///
  /// - Parameter number: The `errno`.
  package static func opening<Failure: DeviceError>(
    _ path: String, _ kind: DeviceKind, _ number: Int32, _ view: DeviceView
  ) -> Failure {
    switch number {
    case ENOENT, ENOTDIR:
      Failure(
        device: .noDevice, source: path, message: "\(path) does not exist.",
        hint: choice(kind, view))
    case ENODEV, ENXIO:
      Failure(
        device: .noDevice, source: path, message: "No device responds at \(path).",
        hint: choice(kind, view))
    case EACCES, EPERM:
      Failure(
        device: .noPermission, source: path, message: "You cannot access the \(kind.noun) \(path).",
        hint: permission(path, kind, view))
    case EBUSY, EWOULDBLOCK: busy(path, view)
    case ENOTTY, EINVAL: wrong(path, kind, view)
    default: failed(path, number)
    }
  }

  /// Returns the error for a camera that opened but does not start; ENOSPC indicates a USB bus
  /// without free bandwidth.
  package static func starting<Failure: DeviceError>(
    _ path: String, _ number: Int32, _ view: DeviceView
  ) -> Failure {
    if number == EBUSY { return busy(path, view) }
    guard number == ENOSPC else { return failed(path, number) }
    return Failure(
      device: .deviceBusy, source: path,
      message: "The USB bus of \(path) lacks the bandwidth for its pictures.",
      hint: "Unplug other cameras of the same hub, or plug this one in elsewhere.")
  }

  /// Returns the error for a device of another kind.
  package static func wrong<Failure: DeviceError>(
    _ path: String, _ kind: DeviceKind, _ view: DeviceView
  ) -> Failure {
    Failure(
      device: .wrongDevice, source: path, message: "\(path) is not a \(kind.noun).",
      hint: choice(kind, view))
  }

  /// Returns the error for a device that another process uses.
  package static func busy<Failure: DeviceError>(_ path: String, _ view: DeviceView) -> Failure {
    let holder = view.holder(of: path)
    let isModemManager = holder?.hasPrefix("ModemManager") == true
    return Failure(
      device: .deviceBusy, source: path,
      message: "\(path) is in use by \(holder ?? "another program").",
      hint: isModemManager ? modemManagerHint : "End that program and try again.")
  }

  /// Returns the error for a device that was unplugged while it was read.
  package static func unplugged<Failure: DeviceError>(_ path: String, _ kind: DeviceKind) -> Failure
  {
    Failure(
      device: .deviceLost, source: path, message: "The \(kind.noun) \(path) was unplugged.",
      hint: "Plug it in again and run the command again; its path may have changed.")
  }

  /// Returns the error for a device that can no longer be read.
  package static func reading<Failure: DeviceError>(
    _ path: String, _ kind: DeviceKind, _ number: Int32
  ) -> Failure {
    [0, EIO, ENODEV, ENXIO].contains(number) ? unplugged(path, kind) : failed(path, number)
  }

  /// Returns the error for any other failure, with the system's description.
  package static func failed<Failure: DeviceError>(_ path: String, _ number: Int32) -> Failure {
    Failure(
      device: .deviceFailed, source: path,
      message: "\(path) cannot be read: \(String(cString: strerror(number))).",
      hint: "Plug the device in again, and check the end of `sudo dmesg`.")
  }

  /// A command that keeps ModemManager, which takes any serial device for a modem, away from the
  /// device.
  package static let modemManagerHint =
    #"Run `echo 'SUBSYSTEM=="tty", ENV{ID_BUS}=="usb", ENV{ID_MM_DEVICE_IGNORE}="1"' | "#
    + "sudo tee /etc/udev/rules.d/93-serial.rules`, then `sudo udevadm control --reload`, and "
    + "plug the device in again."

  private static func choice(_ kind: DeviceKind, _ view: DeviceView) -> String {
    let present = kind.present(in: view)
    return present.isEmpty
      ? "No \(kind.noun) was found; plug one in, and give its device."
      : "Give one of these: \(present.joined(separator: ", "))."
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
      + "`sudo udevadm control --reload`, and plug it in again; you must be in the group "
      + "\(kind.usualGroup)."
  }
}
