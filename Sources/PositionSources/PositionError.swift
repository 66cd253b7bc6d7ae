public import Basics
package import LinuxDevices

/// The reason that no position could be obtained.
public struct PositionError: CodedError {
  /// The kind of failure. The set is open: a later version may add more.
  public struct Code: ErrorCode {
    /// The stable name: lower case with hyphens, as in JSON.
    public let rawValue: String
    /// Creates a code from its stable name.
    public init(rawValue: String) { self.rawValue = rawValue }

    /// No gpsd answers at the address.
    public static let noGPSD = Code(rawValue: "no-gpsd")
    /// The server that answers is not gpsd, or uses another version of its protocol.
    public static let notGPSD = Code(rawValue: "not-gpsd")
    /// The device does not exist.
    public static let noDevice = Code(rawValue: "no-device")
    /// The user may not use the device.
    public static let noPermission = Code(rawValue: "no-permission")
    /// Another program uses the device.
    public static let deviceBusy = Code(rawValue: "device-busy")
    /// The device is not of the requested kind.
    public static let wrongDevice = Code(rawValue: "wrong-device")
    /// The device was unplugged while it was read.
    public static let deviceLost = Code(rawValue: "device-lost")
    /// The device failed in another way.
    public static let deviceFailed = Code(rawValue: "device-failed")
    /// No usable position arrived before the time limit or the end of the source.
    public static let noPosition = Code(rawValue: "no-position")
    /// The work was cancelled.
    public static let cancelled = Code(rawValue: "cancelled")

  }

  /// The kind of failure.
  public let code: Code
  /// The name of the source.
  public let source: String
  /// The cause, in one sentence that names the source.
  public let message: String
  /// The next step, in one or more sentences.
  public let hint: String
  /// The events of the source until the failure.
  public let sightings: PositionSightings

  /// The source.
  public var subject: String? { source }

  /// Creates an error.
  public init(
    _ code: Code, source: String, message: String, hint: String,
    sightings: PositionSightings = PositionSightings()
  ) {
    self.code = code
    self.source = source
    self.message = message
    self.hint = hint
    self.sightings = sightings
  }

  static func cancelled(_ source: String) -> PositionError {
    PositionError(
      .cancelled, source: source, message: "The wait for a position from \(source) was stopped.",
      hint: "Run the command again to go on.")
  }
}

extension PositionError: DeviceError {
  /// Creates an error from the trouble of a device.
  package init(device kind: DeviceTrouble.Kind, source: String, message: String, hint: String) {
    self.init(Code(rawValue: kind.rawValue), source: source, message: message, hint: hint)
  }
}
