package import Pictures

/// A source of successive pictures: a camera, or a recording of one.
package protocol FrameSource: Sendable {
  /// The name: the path of the device or file.
  var name: String { get }
  /// A description for users, including the format.
  var description: String { get }
  /// A Boolean value that indicates whether pictures arrive regardless of demand, so that old ones
  /// should be dropped.
  var isLive: Bool { get }

  /// Waits for the next picture.
  ///
  /// - Parameter isWanted: Called at least every 100 ms while waiting; `false` ends the wait.
  /// - Returns: `nil` at the end, or when `isWanted` returns `false`.
  /// - Throws: ``LiveSourceError`` if the camera is gone or fails, or the recording is damaged.
  func nextFrame(while isWanted: () -> Bool) throws(LiveSourceError) -> CameraFrame?
}

/// One picture as sent by a camera.
package struct CameraFrame: Hashable, Sendable {
  /// The layout of pixels in memory, named by Video4Linux's four characters. The set is open.
  package struct Layout: RawRepresentable, Hashable, Sendable {
    /// The four characters, such as `YUYV`.
    package let rawValue: String
    /// Creates a layout from its four characters.
    package init(rawValue: String) { self.rawValue = rawValue }

    /// One byte of brightness per pixel.
    package static let grey = Layout(rawValue: "GREY")
    /// Alternating brightness and colour (YUV 4:2:2).
    package static let yuyv = Layout(rawValue: "YUYV")
    /// Alternating colour and brightness (YUV 4:2:2).
    package static let uyvy = Layout(rawValue: "UYVY")
    /// First all brightness, then colour (YUV 4:2:0).
    package static let nv12 = Layout(rawValue: "NV12")
    /// One JPEG file per picture, usually without Huffman tables.
    package static let motionJPEG = Layout(rawValue: "MJPG")

    /// The supported layouts, best first: lossless and small ones before lossy ones.
    static let readable: [Layout] = [.grey, .yuyv, .uyvy, .nv12, .motionJPEG]

    /// The offset of a row's first byte of brightness, and the distance to the next; `nil` for
    /// compressed pictures.
    var brightness: (first: Int, step: Int)? {
      switch self {
      case .grey, .nv12: (0, 1)
      case .yuyv: (0, 2)
      case .uyvy: (1, 2)
      default: nil
      }
    }
  }

  /// The layout of ``bytes``.
  package let layout: Layout
  /// The width in pixels; for a compressed picture, its header takes precedence.
  package let width: Int
  /// The height in pixels.
  package let height: Int
  /// The number of bytes per row, including padding; 0 for compressed pictures.
  package let bytesPerRow: Int
  /// The bytes of the picture.
  package let bytes: [UInt8]

  /// Creates a frame.
  ///
  /// - Parameters:
  ///   - layout: The layout of pixels in memory.
  ///   - width: The width in pixels.
  ///   - height: The height in pixels.
  ///   - bytes: The picture, row by row from the top, or compressed.
  ///   - bytesPerRow: The number of bytes per row; `nil` for rows without padding.
  package init(layout: Layout, width: Int, height: Int, bytesPerRow: Int? = nil, bytes: [UInt8]) {
    self.layout = layout
    self.width = width
    self.height = height
    self.bytesPerRow = bytesPerRow ?? width * (layout.brightness?.step ?? 0)
    self.bytes = bytes
  }

  /// The brightness of the picture, or `nil` if the frame is truncated or cannot be decoded, as
  /// happens to single frames of every camera.
  package var picture: GreyPicture? {
    guard let brightness = layout.brightness else {
      return layout == .motionJPEG ? try? GreyPicture(motionJPEGFrame: bytes) : nil
    }
    guard width > 0, height > 0, bytesPerRow >= width * brightness.step,
      bytes.count >= bytesPerRow * (height - 1) + width * brightness.step
    else { return nil }
    let pixels = [UInt8](unsafeUninitializedCapacity: width * height) { pixels, count in
      bytes.withUnsafeBufferPointer { bytes in
        var place = 0
        for row in 0..<height {
          var source = row * bytesPerRow + brightness.first
          for _ in 0..<width {
            pixels[place] = bytes[source]
            place += 1
            source += brightness.step
          }
        }
      }
      count = width * height
    }
    return GreyPicture(width: width, height: height, pixels: pixels)
  }
}
