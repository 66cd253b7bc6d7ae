public import Basics
package import LinuxDevices

/// Why a live source could not be opened, or stopped giving codes.
public struct LiveSourceError: CodedError {
  /// The kind of trouble. Open: a later version may add more.
  public struct Code: ErrorCode {
    /// The stable name: lower case with hyphens, as it stands in JSON.
    public let rawValue: String
    /// Makes a code from its stable name.
    public init(rawValue: String) { self.rawValue = rawValue }

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
    /// zbar, which finds the codes in pictures, is not installed, or too old.
    public static let libraryMissing = Code(rawValue: "scanner-library-missing")
    /// The recording is damaged, or of a kind that is not read.
    public static let malformedRecording = Code(rawValue: "malformed-recording")

  }

  /// The kind of trouble.
  public let code: Code
  /// The device or file, as it was named.
  public let source: String
  /// What was wrong, in one sentence that names the source.
  public let message: String
  /// What to do next, in one sentence or more.
  public let hint: String

  /// The source.
  public var subject: String? { source }

  /// Makes an error.
  public init(_ code: Code, source: String, message: String, hint: String) {
    self.code = code
    self.source = source
    self.message = message
    self.hint = hint
  }
}

extension LiveSourceError: DeviceError {
  /// Makes an error of a device's trouble.
  package init(device kind: DeviceTrouble.Kind, source: String, message: String, hint: String) {
    self.init(Code(rawValue: kind.rawValue), source: source, message: message, hint: hint)
  }
}
