#if canImport(Glibc)
  internal import Glibc
#else
  internal import Darwin
#endif

/// The descriptors 0, 1 and 2, which every program expects to be its standard streams.
enum StandardStreams {
  /// Opens /dev/null for each that is closed.
  ///
  /// A port that got descriptor 0 would be taken by libnfc for "no descriptor to abort with", and
  /// whatever is printed would go to a port with descriptor 1 or 2.
  static func occupy() {
    for descriptor in STDIN_FILENO...STDERR_FILENO where fcntl(descriptor, F_GETFD) < 0 {
      // The lowest free descriptor is taken, which is this one.
      _ = open("/dev/null", O_RDWR)
    }
  }
}
