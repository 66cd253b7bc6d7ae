/// A kind of device that gives codes or positions, and how Linux keeps it.
package enum DeviceKind: Sendable {
  case camera, serialPort, keyboard, satelliteReceiver

  /// What it is called in sentences.
  var noun: String {
    switch self {
    case .camera: "camera"
    case .serialPort: "serial scanner"
    case .keyboard: "keyboard scanner"
    case .satelliteReceiver: "satellite receiver"
    }
  }

  /// The group that distributions give such devices to.
  var usualGroup: String {
    switch self {
    case .camera: "video"
    case .serialPort, .satelliteReceiver: "dialout"
    case .keyboard: "input"
    }
  }

  /// The kernel's name for the kind, as rules for udev ask for it.
  var subsystem: String {
    switch self {
    case .camera: "video4linux"
    case .serialPort, .satelliteReceiver: "tty"
    case .keyboard: "input"
    }
  }

  /// The devices of the kind that are there.
  package func present(in view: DeviceView) -> [String] {
    switch self {
    case .camera: view.paths(in: "/dev") { $0.hasPrefix("video") }
    case .serialPort, .satelliteReceiver:
      view.paths(in: "/dev") { $0.hasPrefix("ttyACM") || $0.hasPrefix("ttyUSB") }
    case .keyboard: view.paths(in: "/dev/input/by-id") { $0.hasSuffix("-event-kbd") }
    }
  }
}
