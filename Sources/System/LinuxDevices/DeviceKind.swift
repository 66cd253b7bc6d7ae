/// A kind of device that supplies codes or positions, with its properties on Linux.
package enum DeviceKind: Sendable {
  case camera, serialPort, keyboard, satelliteReceiver

  /// The noun for it in messages.
  var noun: String {
    switch self {
    case .camera: "camera"
    case .serialPort: "serial scanner"
    case .keyboard: "keyboard scanner"
    case .satelliteReceiver: "satellite receiver"
    }
  }

  /// The group that distributions assign to such devices.
  var usualGroup: String {
    switch self {
    case .camera: "video"
    case .serialPort, .satelliteReceiver: "dialout"
    case .keyboard: "input"
    }
  }

  /// The kernel subsystem, as used in udev rules.
  var subsystem: String {
    switch self {
    case .camera: "video4linux"
    case .serialPort, .satelliteReceiver: "tty"
    case .keyboard: "input"
    }
  }

  /// The paths of the devices of this kind that are present.
  package func present(in view: DeviceView) -> [String] {
    switch self {
    case .camera: view.paths(in: "/dev") { $0.hasPrefix("video") }
    case .serialPort, .satelliteReceiver:
      view.paths(in: "/dev") { $0.hasPrefix("ttyACM") || $0.hasPrefix("ttyUSB") }
    case .keyboard: view.paths(in: "/dev/input/by-id") { $0.hasSuffix("-event-kbd") }
    }
  }
}
