public import Basics
package import LinuxDevices

/// The reason that a live source could not be opened, or stopped.
public struct LiveSourceError: CodedError {
  /// The kind of failure. The set is open: a later version may add more.
  public struct Code: ErrorCode {
    /// The stable name: lower case with hyphens, as in JSON.
    public let rawValue: String
    /// Creates a code from its stable name.
    public init(rawValue: String) { self.rawValue = rawValue }

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
    /// zbar, which finds the codes in pictures, is not installed or is too old.
    public static let libraryMissing = Code(rawValue: "scanner-library-missing")
    /// The recording is damaged, or of an unsupported kind.
    public static let malformedRecording = Code(rawValue: "malformed-recording")

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

extension LiveSourceError: DeviceError {
  /// Creates an error from the trouble of a device.
  package init(device kind: DeviceTrouble.Kind, source: String, message: String, hint: String) {
    self.init(Code(rawValue: kind.rawValue), source: source, message: message, hint: hint)
  }
}
