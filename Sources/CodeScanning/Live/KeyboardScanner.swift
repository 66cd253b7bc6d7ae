internal import CLinuxDevices
internal import Glibc
internal import LinuxDevices

/// A scanner that plays a keyboard ("keyboard wedge"), read through the kernel's event device.
public enum KeyboardScanner {
  /// Opens the event device and grabs it, so that what the scanner types reaches nobody else.
  ///
  /// A code ends with Enter or Tab, or with half a second of silence. The scanner has to be set to
  /// a US keyboard. A file or a pipe of recorded events is read like a device, to its end.
  ///
  /// - Parameter path: For example `/dev/input/by-id/usb-…-event-kbd`.
  /// - Throws: When there is no such device, it may not be used, or another program grabbed it.
  public static func open(_ path: String) throws(LiveSourceError) -> TextSource {
    try open(path, calls: .system, view: .live)
  }

  static func open(
    _ path: String, calls: DeviceCalls, view: DeviceView
  ) throws(LiveSourceError) -> TextSource {
    // A pipe without a writer yet opens at once; it is at its end until the writer comes, so a pipe
    // is opened as pipes are: waiting for the writer.
    let isDevice = view.access(path)?.isDevice ?? true
    let number = calls.open(path, isDevice ? O_RDONLY | O_NONBLOCK : O_RDONLY)
    guard number >= 0 else { throw DeviceTrouble.opening(path, .keyboard, -number, view) }
    let descriptor = DeviceDescriptor(number, calls: calls)
    guard isDevice else {
      return TextSource(
        descriptor, name: path, description: "the recorded keys in \(path)", lines: KeyEvents(),
        end: .endOfInput)
    }
    // The kernel takes the number 1 itself in place of a pointer.
    let result =
      UnsafeMutableRawPointer(bitPattern: 1).map { calls.control(number, UInt(CINPUT_GRAB), $0) }
      ?? -EINVAL
    guard result >= 0 else { throw DeviceTrouble.opening(path, .keyboard, -result, view) }
    return TextSource(
      descriptor, name: path, description: "the keyboard scanner \(path)", lines: KeyEvents(),
      end: .unplugged(.keyboard), quietWaitsForLine: 10)
  }
}
