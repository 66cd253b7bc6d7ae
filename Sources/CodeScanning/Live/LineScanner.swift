internal import Glibc
internal import LinuxDevices

/// A scanner that types into the terminal, or any program that writes one code a line.
public enum LineScanner {
  /// Reads standard input to its end.
  public static func standardInput() -> TextSource { reading(STDIN_FILENO, isOwned: false) }

  static func reading(_ descriptor: Int32, isOwned: Bool) -> TextSource {
    TextSource(
      DeviceDescriptor(descriptor, calls: .system, isOwned: isOwned), name: "-",
      description: "standard input", lines: ByteLines(), end: .endOfInput)
  }
}
