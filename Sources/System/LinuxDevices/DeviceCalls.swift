import CliptagPlatform

/// The system calls for devices, one trampoline each.
///
/// ``system`` calls the kernel. A test passes a table that simulates a device. Negative results are
/// a negated `errno`, as inside the kernel.
package struct DeviceCalls: Sendable {
  /// `open`: returns a descriptor.
  package var open: @Sendable (_ path: String, _ flags: Int32) -> Int32
  /// `close`.
  package var close: @Sendable (_ descriptor: Int32) -> Void
  /// `ioctl` with a pointer, or with a number in place of one.
  package var control: @Sendable (_ descriptor: Int32, UInt, UnsafeMutableRawPointer) -> Int32
  /// `poll` for input, the end of the stream or a failure; returns 0 on a timeout.
  package var wait: @Sendable (_ descriptor: Int32, _ milliseconds: Int32) -> Int32
  /// `read`: returns the number of bytes.
  package var read: @Sendable (_ descriptor: Int32, UnsafeMutableRawBufferPointer) -> Int
  /// `mmap` of a device's memory, shared; returns `nil` on failure.
  package var map:
    @Sendable (_ descriptor: Int32, _ length: Int, _ offset: Int) -> UnsafeMutableRawPointer?
  /// `munmap`.
  package var unmap: @Sendable (UnsafeMutableRawPointer, _ length: Int) -> Void

  /// The kernel's calls.
  package static let system = DeviceCalls(
    open: { path, flags in repeated { CliptagPlatform.open(path, flags | O_CLOEXEC) } },
    close: { _ = CliptagPlatform.close($0) },
    control: { descriptor, request, argument in repeated { ioctl(descriptor, request, argument) } },
    wait: { descriptor, milliseconds in
      var waiting = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
      let count = poll(&waiting, 1, milliseconds)
      // A signal is not an event of the device; the caller checks its state and waits again.
      return count >= 0 ? count : errno == EINTR ? 0 : -errno
    },
    read: { descriptor, buffer in
      let count = CliptagPlatform.read(descriptor, buffer.baseAddress, buffer.count)
      return count >= 0 ? count : -Int(errno == EINTR ? EAGAIN : errno)
    },
    map: { descriptor, length, offset in
      let place = mmap(nil, length, PROT_READ | PROT_WRITE, MAP_SHARED, descriptor, offset)
      return place == UnsafeMutableRawPointer(bitPattern: -1) ? nil : place
    },
    unmap: { munmap($0, $1) })

  private static func repeated(_ call: () -> Int32) -> Int32 {
    while true {
      let result = call()
      if result >= 0 { return result }
      if errno != EINTR { return -errno }
    }
  }
}

/// An open device or stream, closed with the last reference.
package final class DeviceDescriptor: Sendable {
  package let number: Int32
  package let calls: DeviceCalls
  private let isOwned: Bool

  /// Takes ownership of a descriptor.
  ///
  /// - Parameter isOwned: Whether the descriptor is closed at the end; standard input belongs to
  ///   the process.
  package init(_ number: Int32, calls: DeviceCalls, isOwned: Bool = true) {
    self.number = number
    self.calls = calls
    self.isOwned = isOwned
  }

  deinit { if isOwned { calls.close(number) } }

  /// Sends a request whose structure the kernel reads or fills in.
  package func control<Value>(_ request: UInt, _ value: inout Value) -> Int32 {
    withUnsafeMutablePointer(to: &value) { calls.control(number, request, $0) }
  }

  /// Waits for input and reads up to 4,096 bytes. Blocks its thread.
  package func input(within milliseconds: Int32) -> DeviceInput {
    let ready = calls.wait(number, milliseconds)
    if ready == 0 { return .quiet }
    if ready < 0 { return .failed(-ready) }
    var bytes = [UInt8](repeating: 0, count: 4096)
    let count = bytes.withUnsafeMutableBytes { calls.read(number, $0) }
    if count > 0 { return .bytes(Array(bytes[..<count])) }
    if count == -Int(EAGAIN) { return .bytes([]) }
    return count == 0 ? .end : .failed(Int32(-count))
  }
}

/// The outcome of one wait for a device or a stream.
package enum DeviceInput: Sendable {
  /// Bytes from the device; empty after a spurious wake-up.
  case bytes([UInt8])
  /// The time limit passed, or a signal arrived.
  case quiet
  /// The stream ended.
  case end
  /// The device failed with this `errno`.
  case failed(Int32)
}
