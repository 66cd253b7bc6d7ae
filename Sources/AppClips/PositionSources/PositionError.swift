public import CliptagBasics
package import LinuxDevices

/// The reason that no position could be obtained.
public struct PositionError: CodedError {
  // swift-format-ignore: AllPublicDeclarationsHaveDocumentation
  /// The kind of failure. The set is open: a later version may add more.
  public struct Code: FailureCode {
    public let definition: CodeDefinition
    public var rawValue: String { definition.name }

    public init(_ definition: CodeDefinition) { self.definition = definition }

    public static let noGPSD = Self("no-gpsd", .unavailable, "No gpsd responds at the address.")
    public static let notGPSD = Self(
      "not-gpsd", .unavailable,
      "The server is not gpsd, or uses another version of its protocol.")
    public static let noDevice = Self("no-device", .unavailable, "The device does not exist.")
    public static let noPermission = Self(
      "no-permission", .unavailable, "The user has no permission for the device.")
    public static let deviceBusy = Self(
      "device-busy", .unavailable, "Another program uses the device.")
    public static let wrongDevice = Self(
      "wrong-device", .unavailable, "The device is not of the requested kind.")
    public static let deviceLost = Self(
      "device-lost", .unavailable, "The device was unplugged while it was read.")
    public static let deviceFailed = Self(
      "device-failed", .unavailable, "The device failed in another way.")
    public static let noPosition = Self(
      "no-position", .unavailable,
      "No usable position arrived before the time limit or the end of the source.")
    public static let cancelled = Self("cancelled", .interrupted, "The operation was cancelled.")

    public static let all: [Self] = [
      .noGPSD, .notGPSD, .noDevice, .noPermission, .deviceBusy, .wrongDevice, .deviceLost,
      .deviceFailed, .noPosition, .cancelled,
    ]
  }

  /// The kind of failure.
  public let code: Code
  /// The name of the source.
  public let source: String
  /// The cause, in one sentence that names the source.
  public let message: String
  /// The next step, in one or more sentences.
  public let advice: Hint
  /// The next step in the library's wording.
  public var hint: String { advice.text }
  /// The events of the source until the failure.
  public let sightings: PositionSightings

  /// The source.
  public var subject: String? { source }

  /// Creates an error.
  public init(
    _ code: Code, source: String, message: String, hint: Hint,
    sightings: PositionSightings = PositionSightings()
  ) {
    self.code = code
    self.source = source
    self.message = message
    advice = hint
    self.sightings = sightings
  }

  static func cancelled(_ source: String) -> PositionError {
    PositionError(
      .cancelled, source: source, message: "The wait for a position from \(source) was stopped.",
      hint: "Run the command again to continue.")
  }
}

extension PositionError: DeviceError {
  /// Creates an error from the trouble of a device.
  package init(device kind: DeviceTrouble.Kind, source: String, message: String, hint: String) {
    self.init(Code(rawValue: kind.rawValue), source: source, message: message, hint: Hint(hint))
  }
}
