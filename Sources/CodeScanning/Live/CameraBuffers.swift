internal import CLinuxDevices
internal import Glibc
internal import LinuxDevices

/// The memory that a camera writes its pictures to, mapped here, and the stream that fills it.
///
/// Not copyable: the one owner stops the stream and unmaps the memory.
struct CameraBuffers: ~Copyable {
  private struct Mapping {
    let address: UnsafeMutableRawPointer
    let length: Int
  }

  private let descriptor: DeviceDescriptor
  private var mappings: [Mapping] = []

  /// How many pictures the driver may write ahead.
  private static let count: UInt32 = 4

  /// What a camera's memory gives when it is asked for a picture.
  enum Filled {
    case picture([UInt8])
    /// There is none yet, or one that is damaged.
    case none
    /// The request failed, with this `errno`.
    case failed(Int32)
  }

  /// Maps the memory and starts the stream.
  ///
  /// - Throws: ``Failure``.
  init(of descriptor: DeviceDescriptor) throws(Failure) {
    self.descriptor = descriptor
    var request = v4l2_requestbuffers()
    request.count = Self.count
    request.type = V4L2_BUF_TYPE_VIDEO_CAPTURE.rawValue
    request.memory = V4L2_MEMORY_MMAP.rawValue
    try check(descriptor.control(UInt(CVIDEO_REQUEST_BUFFERS), &request))
    guard request.count > 0 else { throw Failure(number: ENOMEM) }
    for index in 0..<request.count {
      var buffer = Self.buffer(index)
      try check(descriptor.control(UInt(CVIDEO_QUERY_BUFFER), &buffer))
      let length = Int(buffer.length)
      guard let address = descriptor.calls.map(descriptor.number, length, Int(buffer.m.offset))
      else { throw Failure(number: ENOMEM) }
      mappings.append(Mapping(address: address, length: length))
      try check(descriptor.control(UInt(CVIDEO_QUEUE_BUFFER), &buffer))
    }
    var type = V4L2_BUF_TYPE_VIDEO_CAPTURE.rawValue
    try check(descriptor.control(UInt(CVIDEO_START), &type))
  }

  deinit {
    var type = V4L2_BUF_TYPE_VIDEO_CAPTURE.rawValue
    _ = descriptor.control(UInt(CVIDEO_STOP), &type)
    for mapping in mappings { descriptor.calls.unmap(mapping.address, mapping.length) }
  }

  /// Why the stream does not run.
  struct Failure: Error {
    /// The `errno`.
    let number: Int32
  }

  /// Copies the oldest picture out and gives its memory back to the driver.
  func takePicture() -> Filled {
    var buffer = Self.buffer(0)
    let result = descriptor.control(UInt(CVIDEO_DEQUEUE_BUFFER), &buffer)
    guard result >= 0 else { return result == -EAGAIN ? .none : .failed(-result) }
    guard mappings.indices.contains(Int(buffer.index)) else { return .failed(EIO) }
    let mapping = mappings[Int(buffer.index)]
    let used = min(Int(buffer.bytesused), mapping.length)
    let isDamaged = buffer.flags & CVIDEO_BUFFER_DAMAGED != 0 || used == 0
    let bytes =
      isDamaged ? [] : [UInt8](UnsafeRawBufferPointer(start: mapping.address, count: used))
    let queued = descriptor.control(UInt(CVIDEO_QUEUE_BUFFER), &buffer)
    if queued < 0 { return .failed(-queued) }
    return isDamaged ? .none : .picture(bytes)
  }

  private static func buffer(_ index: UInt32) -> v4l2_buffer {
    var buffer = v4l2_buffer()
    buffer.index = index
    buffer.type = V4L2_BUF_TYPE_VIDEO_CAPTURE.rawValue
    buffer.memory = V4L2_MEMORY_MMAP.rawValue
    return buffer
  }

  private func check(_ result: Int32) throws(Failure) {
    if result < 0 { throw Failure(number: -result) }
  }
}
