public import Basics
package import LinuxDevices

/// Why no position could be had.
public struct PositionError: CodedError {
  /// The kind of trouble. Open: a later version may add more.
  public struct Code: ErrorCode {
    /// The stable name: lower case with hyphens, as it stands in JSON.
    public let rawValue: String
    /// Makes a code from its stable name.
    public init(rawValue: String) { self.rawValue = rawValue }

    /// Nothing answers where gpsd should.
    public static let noGPSD = Code(rawValue: "no-gpsd")
    /// What answers is not gpsd, or speaks another version of its protocol.
    public static let notGPSD = Code(rawValue: "not-gpsd")
    /// There is no such device.
    public static let noDevice = Code(rawValue: "no-device")
    /// You may not use the device.
    public static let noPermission = Code(rawValue: "no-permission")
    /// Another program uses the device.
    public static let deviceBusy = Code(rawValue: "device-busy")
    /// The device is not of the kind that was asked for.
    public static let wrongDevice = Code(rawValue: "wrong-device")
    /// The device was unplugged while it was read.
    public static let deviceLost = Code(rawValue: "device-lost")
    /// The device failed in another way.
    public static let deviceFailed = Code(rawValue: "device-failed")
    /// No position that can be used came before the time or the source was over.
    public static let noPosition = Code(rawValue: "no-position")
    /// The work was stopped.
    public static let cancelled = Code(rawValue: "cancelled")

  }

  /// The kind of trouble.
  public let code: Code
  /// The source, as it was named.
  public let source: String
  /// What was wrong, in one sentence that names the source.
  public let message: String
  /// What to do next, in one sentence or more.
  public let hint: String
  /// What came from the source until then.
  public let sightings: PositionSightings

  /// The source.
  public var subject: String? { source }

  /// Makes an error.
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
  /// Makes an error of a device's trouble.
  package init(device kind: DeviceTrouble.Kind, source: String, message: String, hint: String) {
    self.init(Code(rawValue: kind.rawValue), source: source, message: message, hint: hint)
  }
}
