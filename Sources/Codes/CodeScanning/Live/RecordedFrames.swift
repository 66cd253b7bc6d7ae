import CliptagPlatform
internal import LinuxDevices
internal import Synchronization

/// The frames of a recording: consecutive raw frames of one size, or Motion JPEG, as written by
/// `v4l2-ctl --stream-to` and ffmpeg.
package final class RecordedFrames: FrameSource {
  /// The format of a recording.
  package enum Format: Hashable, Sendable {
    /// Consecutive JPEG files.
    case motionJPEG
    /// Uncompressed frames of one layout and size, without padding.
    case raw(CameraFrame.Layout, width: Int, height: Int)
  }

  /// The file's path.
  package let name: String
  /// A description of the recording.
  package var description: String { "the recording \(name)" }
  /// `false`: a recording waits for its reader.
  package let isLive = false

  /// The largest frame accepted, in bytes; a camera of 8 megapixels produces 16 MiB.
  private static let largestFrame = 64 << 20

  private struct State {
    var bytes: [UInt8] = []
    /// The number of ``bytes`` that were searched for the end of a JPEG.
    var searched = 0
    var isAtEnd = false
  }

  private let format: Format
  private let descriptor: DeviceDescriptor
  private let state = Mutex(State())

  /// Opens a recording, which may be a pipe that is still being written.
  ///
  /// - Throws: ``LiveSourceError`` if the file cannot be opened.
  package init(_ path: String, format: Format) throws(LiveSourceError) {
    let calls = DeviceCalls.system
    let number = calls.open(path, O_RDONLY)
    guard number >= 0 else { throw DeviceTrouble.opening(path, .camera, -number, .live) }
    name = path
    self.format = format
    descriptor = DeviceDescriptor(number, calls: calls)
  }

  /// Reads the next picture; see ``FrameSource/nextFrame(while:)``.
  package func nextFrame(while isWanted: () -> Bool) throws(LiveSourceError) -> CameraFrame? {
    while isWanted() {
      let outcome = state.withLock { state in step(&state) }
      switch outcome {
      case .frame(let frame): return frame
      case .more: continue
      case .end: return nil
      case .failed(let error): throw error
      }
    }
    return nil
  }

  private enum Step: Sendable {
    case frame(CameraFrame)
    case more
    case end
    case failed(LiveSourceError)
  }

  private func step(_ state: inout State) -> Step {
    guard beginsWell(&state) else { return .failed(malformed) }
    if let length = frameLength(&state) {
      let frame = Array(state.bytes[..<length])
      state.bytes.removeFirst(length)
      state.searched = 0
      return .frame(self.frame(frame))
    }
    // The bytes after the last whole frame were truncated at the end of the recording.
    if state.isAtEnd { return .end }
    guard state.bytes.count < Self.largestFrame else { return .failed(malformed) }
    let ready = descriptor.calls.wait(descriptor.number, 50)
    if ready == 0 { return .more }
    var chunk = [UInt8](repeating: 0, count: 1 << 18)
    let count = chunk.withUnsafeMutableBytes { descriptor.calls.read(descriptor.number, $0) }
    if count < 0 {
      return count == -Int(EAGAIN) ? .more : .failed(DeviceTrouble.failed(name, Int32(-count)))
    }
    state.isAtEnd = count == 0
    state.bytes += chunk[..<count]
    return .more
  }

  /// Returns whether a JPEG begins with its marker, as far as it is present; drops the zeros with
  /// which some cameras pad their buffers.
  private func beginsWell(_ state: inout State) -> Bool {
    guard case .motionJPEG = format, state.searched == 0 else { return true }
    state.bytes.removeFirst(state.bytes.prefix { $0 == 0 }.count)
    return zip(state.bytes, [0xFF, 0xD8] as [UInt8]).allSatisfy { $0 == $1 }
  }

  /// Returns the number of bytes of the first frame; `nil` while it is incomplete.
  private func frameLength(_ state: inout State) -> Int? {
    switch format {
    case .raw(let layout, let width, let height):
      let length = Self.byteCount(layout, width: width, height: height)
      return state.bytes.count >= length ? length : nil
    case .motionJPEG:
      // In a scan's data FF is followed by 00 or by a restart marker, so FF D9 is the end; one in a
      // thumbnail of the header would end a frame too early, but cameras write none.
      let bytes = state.bytes
      for place in max(2, state.searched)..<max(2, bytes.count - 1)
      where bytes[place] == 0xFF && bytes[place + 1] == 0xD9 {
        return place + 2
      }
      state.searched = max(0, bytes.count - 1)
      return nil
    }
  }

  private func frame(_ bytes: [UInt8]) -> CameraFrame {
    switch format {
    case .motionJPEG: CameraFrame(layout: .motionJPEG, width: 0, height: 0, bytes: bytes)
    case .raw(let layout, let width, let height):
      CameraFrame(layout: layout, width: width, height: height, bytes: bytes)
    }
  }

  /// Returns the number of bytes of one frame without padding; at least 1, so that a recording
  /// always ends.
  private static func byteCount(_ layout: CameraFrame.Layout, width: Int, height: Int) -> Int {
    let brightness = width * height * (layout.brightness?.step ?? 1)
    let colour = layout == .nv12 ? 2 * ((width + 1) / 2) * ((height + 1) / 2) : 0
    return max(1, brightness + colour)
  }

  private var malformed: LiveSourceError {
    LiveSourceError(
      .malformedRecording, source: name, message: "\(name) is not a supported recording.",
      hint: "Give Motion JPEG, or raw frames with their size.")
  }
}
