#if os(Linux)
  import CLinuxDevices
  import CliptagPlatform
  import LinuxDevices
  import Synchronization

  /// A camera that Linux provides as `/dev/video0` (Video4Linux 2), such as a USB camera.
  package final class V4L2Camera: FrameSource {
    /// The device's path.
    package let name: String
    /// A description that includes the format.
    package let description: String
    /// `true`: a camera does not wait for its reader.
    package let isLive = true

    /// The time of one wait, in milliseconds, and the number of silent waits after which a camera has
    /// failed: cameras that first measure the light take some seconds.
    private static let interval: Int32 = 50
    private static let mostQuietWaits = 200
    /// The number of consecutive pictures that may fail; a moved cable costs some.
    private static let mostFailures = 30

    private let descriptor: DeviceDescriptor
    private let format: CameraFormat
    private let bytesPerRow: Int
    private let state: Mutex<State>

    private struct State: ~Copyable {
      let buffers: CameraBuffers
      var quietWaits = 0
      var failures = 0
    }

    /// Opens the camera, chooses a format of up to 1280 × 720 pixels and starts it.
    ///
    /// - Parameter path: The camera's device.
    /// - Throws: ``LiveSourceError`` if the camera does not exist, may not be used, or is in use by
    ///   another program.
    package convenience init(_ path: String) throws(LiveSourceError) {
      try self.init(path, calls: .system, view: .live)
    }

    init(_ path: String, calls: DeviceCalls, view: DeviceView) throws(LiveSourceError) {
      let number = calls.open(path, O_RDWR | O_NONBLOCK)
      guard number >= 0 else { throw DeviceTrouble.opening(path, .camera, -number, view) }
      let descriptor = DeviceDescriptor(number, calls: calls)
      try Self.checkIsCamera(path, descriptor, view)
      guard let wanted = CameraFormat.best(of: descriptor.offeredFormats()) else {
        throw Self.unsupported(path, "it offers no supported picture format")
      }
      (format, bytesPerRow) = try Self.set(wanted, path, descriptor, view)
      do throws(CameraBuffers.Failure) {
        state = Mutex(State(buffers: try CameraBuffers(of: descriptor)))
      } catch {
        throw DeviceTrouble.starting(path, error.number, view)
      }
      self.descriptor = descriptor
      name = path
      description =
        "the camera \(path), \(format.width) × \(format.height) pixels, \(format.layout.rawValue)"
    }

    /// Waits for the next picture, at most 10 s; see ``FrameSource/nextFrame(while:)``.
    package func nextFrame(while isWanted: () -> Bool) throws(LiveSourceError) -> CameraFrame? {
      while isWanted() {
        let outcome = state.withLock { state in step(&state) }
        switch outcome {
        case .picture(let bytes):
          return CameraFrame(
            layout: format.layout, width: format.width, height: format.height,
            bytesPerRow: bytesPerRow, bytes: bytes)
        case .none: continue
        case .failed(let number): throw failure(number)
        }
      }
      return nil
    }

    private func step(_ state: inout State) -> CameraBuffers.Filled {
      let ready = descriptor.calls.wait(descriptor.number, Self.interval)
      if ready < 0 { return .failed(-ready) }
      if ready == 0 {
        state.quietWaits += 1
        return state.quietWaits < Self.mostQuietWaits ? .none : .failed(ETIMEDOUT)
      }
      let filled = state.buffers.takePicture()
      switch filled {
      case .picture:
        state.quietWaits = 0
        state.failures = 0
      case .none: return countFailure(&state, ETIMEDOUT)
      // A picture was lost in transfer; the driver continues.
      case .failed(EIO): return countFailure(&state, EIO)
      case .failed: break
      }
      return filled
    }

    private func countFailure(_ state: inout State, _ number: Int32) -> CameraBuffers.Filled {
      state.failures += 1
      return state.failures < Self.mostFailures ? .none : .failed(number)
    }

    private func failure(_ number: Int32) -> LiveSourceError {
      switch number {
      case ENODEV, ENXIO: DeviceTrouble.unplugged(name, .camera)
      case ETIMEDOUT:
        LiveSourceError(
          .deviceFailed, source: name, message: "\(name) sends no complete pictures.",
          hint: "Plug the camera directly into the computer instead of a hub, and try again.")
      default: DeviceTrouble.failed(name, number)
      }
    }

    /// Throws unless the node supplies pictures; a camera has several nodes, and only one does.
    private static func checkIsCamera(
      _ path: String, _ descriptor: DeviceDescriptor, _ view: DeviceView
    ) throws(LiveSourceError) {
      var facts = v4l2_capability()
      let result = descriptor.control(UInt(CVIDEO_QUERY_CAPABILITIES), &facts)
      guard result >= 0 else { throw DeviceTrouble.opening(path, .camera, -result, view) }
      let abilities =
        facts.capabilities & CVIDEO_HAS_DEVICE_CAPABILITIES != 0
        ? facts.device_caps : facts.capabilities
      let needed = CVIDEO_CAN_CAPTURE | CVIDEO_CAN_STREAM
      guard abilities & needed == needed else { throw DeviceTrouble.wrong(path, .camera, view) }
    }

    /// Sets the format, and returns the one that the driver chose.
    private static func set(
      _ wanted: CameraFormat, _ path: String, _ descriptor: DeviceDescriptor, _ view: DeviceView
    ) throws(LiveSourceError) -> (CameraFormat, bytesPerRow: Int) {
      var format = v4l2_format()
      format.type = V4L2_BUF_TYPE_VIDEO_CAPTURE.rawValue
      format.fmt.pix.width = UInt32(wanted.width)
      format.fmt.pix.height = UInt32(wanted.height)
      format.fmt.pix.pixelformat = wanted.layout.code
      format.fmt.pix.field = V4L2_FIELD_ANY.rawValue
      let result = descriptor.control(UInt(CVIDEO_SET_FORMAT), &format)
      guard result >= 0 else { throw DeviceTrouble.starting(path, -result, view) }
      let given = format.fmt.pix
      let layout = CameraFrame.Layout(code: given.pixelformat)
      guard CameraFrame.Layout.readable.contains(layout), given.width > 0, given.height > 0,
        given.width <= 16_384, given.height <= 16_384
      else { throw unsupported(path, "it returned a format that was not requested") }
      let chosen = CameraFormat(layout: layout, width: Int(given.width), height: Int(given.height))
      let leastBytes = chosen.width * (layout.brightness?.step ?? 0)
      return (chosen, max(leastBytes, layout.brightness == nil ? 0 : Int(given.bytesperline)))
    }

    private static func unsupported(_ path: String, _ reason: String) -> LiveSourceError {
      LiveSourceError(
        .wrongDevice, source: path, message: "\(path) cannot be used as a camera: \(reason).",
        hint: "Use a camera that offers YUYV or Motion JPEG, as USB cameras do.")
    }
  }

  /// A picture format of a camera.
  struct CameraFormat: Hashable, Sendable {
    var layout: CameraFrame.Layout
    var width: Int
    var height: Int

    /// More pixels take longer than they help: a code fills a good part of a live picture.
    static let largest = (width: 1280, height: 720)
    /// The size from which an uncompressed picture is good enough, and free of JPEG's blocks.
    private static let goodEnough = 640 * 480

    /// Returns the best format that a camera offers.
    ///
    /// For each layout, the largest size up to ``largest``, else the smallest; of these the first
    /// uncompressed one that is good enough, else the one with the most pixels.
    static func best(of offers: [CameraFormat]) -> CameraFormat? {
      let candidates = CameraFrame.Layout.readable.compactMap { layout in
        let sizes = offers.filter { $0.layout == layout }
        return sizes.filter(\.isSmall).max { $0.pixels < $1.pixels }
          ?? sizes.min { $0.pixels < $1.pixels }
      }
      let good = candidates.first { $0.layout != .motionJPEG && $0.isSmall && $0.isGoodEnough }
      // The first of several with the same number, which has the better layout.
      return good ?? candidates.reversed().max { $0.pixels < $1.pixels }
    }

    private var pixels: Int { width * height }
    private var isGoodEnough: Bool { pixels >= Self.goodEnough }
    private var isSmall: Bool { width <= Self.largest.width && height <= Self.largest.height }
  }

  extension CameraFrame.Layout {
    /// Creates a layout from Video4Linux's number: four characters, the first in the lowest byte.
    init(code: UInt32) {
      let bytes = (0..<4).map { UInt8(truncatingIfNeeded: code >> ($0 * 8)) }
      self =
        Self.motionJPEGNames.contains(bytes)
        ? .motionJPEG : Self(rawValue: String(decoding: bytes, as: UTF8.self))
    }

    /// Video4Linux's number.
    var code: UInt32 {
      rawValue.utf8.prefix(4).enumerated().reduce(0) { $0 | UInt32($1.element) << ($1.offset * 8) }
    }

    /// Some drivers call Motion JPEG plain JPEG.
    private static let motionJPEGNames = [Array("MJPG".utf8), Array("JPEG".utf8)]
  }

  extension DeviceDescriptor {
    /// Returns every supported layout and size that a camera offers.
    fileprivate func offeredFormats() -> [CameraFormat] {
      var offers: [CameraFormat] = []
      for index in 0..<UInt32(64) {
        var format = v4l2_fmtdesc()
        format.index = index
        format.type = V4L2_BUF_TYPE_VIDEO_CAPTURE.rawValue
        guard control(UInt(CVIDEO_LIST_FORMATS), &format) >= 0 else { break }
        let layout = CameraFrame.Layout(code: format.pixelformat)
        guard CameraFrame.Layout.readable.contains(layout) else { continue }
        offers += sizes(of: format.pixelformat).map {
          CameraFormat(layout: layout, width: $0.width, height: $0.height)
        }
      }
      return offers
    }

    /// Returns the sizes of one layout; the largest useful size of a range, and for a driver that
    /// lists none the size to request.
    private func sizes(of code: UInt32) -> [(width: Int, height: Int)] {
      var sizes: [(width: Int, height: Int)] = []
      for index in 0..<UInt32(256) {
        var size = v4l2_frmsizeenum()
        size.index = index
        size.pixel_format = code
        guard control(UInt(CVIDEO_LIST_SIZES), &size) >= 0 else { break }
        if size.type == V4L2_FRMSIZE_TYPE_DISCRETE.rawValue {
          sizes.append((Int(size.discrete.width), Int(size.discrete.height)))
        } else {
          let range = size.stepwise
          return [
            (
              Self.clamp(CameraFormat.largest.width, range.min_width, range.max_width),
              Self.clamp(CameraFormat.largest.height, range.min_height, range.max_height)
            )
          ]
        }
      }
      return sizes.isEmpty ? [CameraFormat.largest] : sizes
    }

    private static func clamp(_ value: Int, _ least: UInt32, _ most: UInt32) -> Int {
      max(Int(least), min(value, Int(most)))
    }
  }

  /// The memory into which a camera writes its pictures, mapped here, and the stream that fills it.
  ///
  /// Not copyable: the single owner stops the stream and unmaps the memory.
  private struct CameraBuffers: ~Copyable {
    private struct Mapping {
      let address: UnsafeMutableRawPointer
      let length: Int
    }

    private let descriptor: DeviceDescriptor
    private var mappings: [Mapping] = []

    /// The number of pictures that the driver may write ahead.
    private static let count: UInt32 = 4

    /// The outcome of a request for a picture.
    enum Filled {
      case picture([UInt8])
      /// There is no picture yet, or a damaged one.
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

    /// The reason that the stream does not run.
    struct Failure: Error {
      /// The `errno`.
      let number: Int32
    }

    /// Copies the oldest picture and returns its buffer to the driver.
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
#endif
