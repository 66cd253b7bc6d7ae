import CLinuxDevices
import CliptagPlatform
@testable import LinuxDevices
import Synchronization

@testable import CodeScanning

/// A Video4Linux camera in memory: it answers requests as the kernel's documentation says, and
/// refuses those that come out of order.
final class SimulatedCamera: Sendable {
  struct Plan: Sendable {
    /// What it offers: layout by four characters, and sizes.
    var formats: [(code: String, sizes: [(Int, Int)])] = [("YUYV", [(640, 480)])]
    var capabilities = CVIDEO_CAN_CAPTURE | CVIDEO_CAN_STREAM
    /// What the driver makes of the format that it is asked for; nil takes it as it is.
    var given: (code: String, width: Int, height: Int, bytesPerRow: Int)?
    /// Requests that fail, with their errno.
    var failures: [UInt: Int32] = [:]
    /// What happens from the first picture on.
    var pictures: [Picture] = []
    /// What happens when all pictures were taken: an errno, or silence.
    var end: Int32? = ENODEV
  }

  enum Picture: Sendable {
    case whole([UInt8])
    case damaged([UInt8])
    /// The driver reports that one was lost.
    case lost
    /// Nothing comes for one wait.
    case silence
  }

  struct State: Sendable {
    var width = 0
    var height = 0
    var code = ""
    var lengths: [Int] = []
    var queued: [Int] = []
    var isStreaming = false
    var next = 0
    /// Memory that is mapped and not yet unmapped; by buffer.
    var mapped: [Int: UInt] = [:]
    var isOpen = true
    /// What was asked out of order.
    var mistakes: [String] = []
  }

  private let plan: Plan
  let state = Mutex(State())

  init(_ plan: Plan) { self.plan = plan }

  var calls: DeviceCalls {
    DeviceCalls(
      open: { _, _ in 1000 },
      close: { _ in self.state.withLock { $0.isOpen = false } },
      control: { _, request, argument in
        if let number = self.plan.failures[request] { return -number }
        return self.state.withLock { self.answer(request, argument, &$0) }
      },
      wait: { _, _ in self.wait() },
      read: { _, _ in -Int(EINVAL) },
      map: { _, length, offset in
        let address = UnsafeMutableRawPointer.allocate(byteCount: length, alignment: 16)
        self.state.withLock { $0.mapped[offset / 4096] = UInt(bitPattern: address) }
        return address
      },
      unmap: { address, _ in
        self.state.withLock { state in
          if state.isStreaming { state.mistakes.append("unmapped while it streams") }
          state.mapped = state.mapped.filter { $0.value != UInt(bitPattern: address) }
        }
        address.deallocate()
      })
  }

  private func wait() -> Int32 {
    state.withLock { state in
      guard state.next < plan.pictures.count else { return plan.end == nil ? 0 : 1 }
      guard case .silence = plan.pictures[state.next] else { return 1 }
      state.next += 1
      return 0
    }
  }

  private func answer(
    _ request: UInt, _ argument: UnsafeMutableRawPointer, _ state: inout State
  ) -> Int32 {
    switch request {
    case UInt(CVIDEO_QUERY_CAPABILITIES):
      argument.assumingMemoryBound(to: v4l2_capability.self).pointee.capabilities =
        plan.capabilities
      return 0
    case UInt(CVIDEO_LIST_FORMATS):
      return list(argument.assumingMemoryBound(to: v4l2_fmtdesc.self))
    case UInt(CVIDEO_LIST_SIZES):
      return list(argument.assumingMemoryBound(to: v4l2_frmsizeenum.self))
    case UInt(CVIDEO_SET_FORMAT):
      return set(argument.assumingMemoryBound(to: v4l2_format.self), &state)
    case UInt(CVIDEO_REQUEST_BUFFERS), UInt(CVIDEO_QUERY_BUFFER), UInt(CVIDEO_QUEUE_BUFFER),
      UInt(CVIDEO_DEQUEUE_BUFFER):
      return buffers(request, argument, &state)
    case UInt(CVIDEO_START):
      if state.queued.isEmpty { state.mistakes.append("started without a buffer") }
      state.isStreaming = true
      return 0
    case UInt(CVIDEO_STOP):
      state.isStreaming = false
      return 0
    default:
      state.mistakes.append("unknown request \(request)")
      return -ENOTTY
    }
  }

  private func list(_ format: UnsafeMutablePointer<v4l2_fmtdesc>) -> Int32 {
    let index = Int(format.pointee.index)
    guard index < plan.formats.count else { return -EINVAL }
    format.pointee.pixelformat = Self.code(plan.formats[index].code)
    return 0
  }

  private func list(_ size: UnsafeMutablePointer<v4l2_frmsizeenum>) -> Int32 {
    let sizes = plan.formats.first { Self.code($0.code) == size.pointee.pixel_format }?.sizes ?? []
    let index = Int(size.pointee.index)
    guard index < sizes.count else { return -EINVAL }
    size.pointee.type = V4L2_FRMSIZE_TYPE_DISCRETE.rawValue
    size.pointee.discrete.width = UInt32(sizes[index].0)
    size.pointee.discrete.height = UInt32(sizes[index].1)
    return 0
  }

  private func set(_ format: UnsafeMutablePointer<v4l2_format>, _ state: inout State) -> Int32 {
    if let given = plan.given {
      format.pointee.fmt.pix.width = UInt32(given.width)
      format.pointee.fmt.pix.height = UInt32(given.height)
      format.pointee.fmt.pix.pixelformat = Self.code(given.code)
      format.pointee.fmt.pix.bytesperline = UInt32(given.bytesPerRow)
    }
    let pixels = format.pointee.fmt.pix
    state.width = Int(pixels.width)
    state.height = Int(pixels.height)
    state.code = (0..<4).map { String(UnicodeScalar(UInt8(pixels.pixelformat >> ($0 * 8) & 255))) }
      .joined()
    return 0
  }

  private func buffers(
    _ request: UInt, _ argument: UnsafeMutableRawPointer, _ state: inout State
  ) -> Int32 {
    if request == UInt(CVIDEO_REQUEST_BUFFERS) {
      let asked = argument.assumingMemoryBound(to: v4l2_requestbuffers.self)
      if state.code.isEmpty { state.mistakes.append("buffers before a format") }
      // As drivers do, fewer than were asked for.
      asked.pointee.count = min(asked.pointee.count, 3)
      let length = max(4096, state.width * state.height * 4)
      state.lengths = Array(repeating: length, count: Int(asked.pointee.count))
      return 0
    }
    let buffer = argument.assumingMemoryBound(to: v4l2_buffer.self)
    let index = Int(buffer.pointee.index)
    switch request {
    case UInt(CVIDEO_QUERY_BUFFER):
      guard index < state.lengths.count else { return -EINVAL }
      buffer.pointee.length = UInt32(state.lengths[index])
      buffer.pointee.m.offset = UInt32(index * 4096)
    case UInt(CVIDEO_QUEUE_BUFFER):
      if state.queued.contains(index) { state.mistakes.append("buffer \(index) queued twice") }
      state.queued.append(index)
    default: return fill(buffer, &state)
    }
    return 0
  }

  private func fill(_ buffer: UnsafeMutablePointer<v4l2_buffer>, _ state: inout State) -> Int32 {
    guard state.isStreaming, !state.queued.isEmpty else {
      state.mistakes.append("asked for a picture that nobody takes")
      return -EINVAL
    }
    guard state.next < plan.pictures.count else { return -(plan.end ?? EAGAIN) }
    defer { state.next += 1 }
    let bytes: [UInt8]
    switch plan.pictures[state.next] {
    case .lost: return -EIO
    case .silence: return -EAGAIN
    case .whole(let picture): bytes = picture
    case .damaged(let picture):
      bytes = picture
      buffer.pointee.flags = CVIDEO_BUFFER_DAMAGED
    }
    let index = state.queued.removeFirst()
    guard let place = UnsafeMutableRawPointer(bitPattern: state.mapped[index] ?? 0) else {
      return -EFAULT
    }
    place.copyMemory(from: bytes, byteCount: bytes.count)
    buffer.pointee.index = UInt32(index)
    buffer.pointee.bytesused = UInt32(bytes.count)
    return 0
  }

  private static func code(_ text: String) -> UInt32 {
    text.utf8.enumerated().reduce(0) { $0 | UInt32($1.element) << ($1.offset * 8) }
  }
}
