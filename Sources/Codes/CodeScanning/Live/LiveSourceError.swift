public import CliptagBasics
package import LinuxDevices

/// The reason that a live source could not be opened, or stopped.
public struct LiveSourceError: CodedError {
  // swift-format-ignore: AllPublicDeclarationsHaveDocumentation
  /// The kind of failure. The set is open: a later version may add more.
  public struct Code: FailureCode {
    public let definition: CodeDefinition
    public var rawValue: String { definition.name }

    public init(_ definition: CodeDefinition) { self.definition = definition }

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
    public static let libraryMissing = Self(
      "scanner-library-missing", .unavailable,
      "zbar, required for reading codes, is not installed or too old.")
    public static let malformedRecording = Self(
      "malformed-recording", .malformedInput, "The recording is damaged, or of an unsupported kind."
    )

    public static let all: [Self] = [
      .noDevice, .noPermission, .deviceBusy, .wrongDevice, .deviceLost, .deviceFailed,
      .libraryMissing, .malformedRecording,
    ]
  }

  /// The kind of failure.
  public let code: Code
  /// The name of the device or file.
  public let source: String
  /// The cause, in one sentence that names the source.
  public let message: String
  /// The next step, in one or more sentences.
  public let hint: String

  /// The source.
  public var subject: String? { source }

  /// Creates an error.
  public init(_ code: Code, source: String, message: String, hint: String) {
    self.code = code
    self.source = source
    self.message = message
    self.hint = hint
  }
}

#if !os(Linux)
  extension LiveSourceError {
    /// The error for a device that only Linux offers to programs.
    static func needsLinux(_ path: String) -> Self {
      Self(
        .noDevice, source: path, message: "\(path) can be read on Linux only.",
        hint: "Use a picture file, or a scanner on a serial port or standard input.")
    }
  }
#endif

extension LiveSourceError: DeviceError {
  /// Creates an error from the trouble of a device.
  package init(device kind: DeviceTrouble.Kind, source: String, message: String, hint: String) {
    self.init(Code(rawValue: kind.rawValue), source: source, message: message, hint: hint)
  }
}
