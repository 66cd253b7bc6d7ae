package import Pictures

/// Something that gives pictures one after another: a camera, or a recording of one.
package protocol FrameSource: Sendable {
  /// What to call it: the device's or the file's path.
  var name: String { get }
  /// What it is, with its format, for people.
  var description: String { get }
  /// Whether pictures come whether or not somebody takes them, so that old ones are better dropped.
  var isLive: Bool { get }

  /// Waits for the next picture.
  ///
  /// - Parameter isWanted: Asked at least every 100 ms while nothing comes.
  /// - Returns: `nil` at the end, or when it is no longer wanted.
  /// - Throws: When the camera is gone or fails, or the recording is damaged.
  func nextFrame(while isWanted: () -> Bool) throws(LiveSourceError) -> CameraFrame?
}

/// One picture as a camera sends it.
package struct CameraFrame: Hashable, Sendable {
  /// How pixels lie in memory. Open: named by Video4Linux's four characters.
  package struct Layout: RawRepresentable, Hashable, Sendable {
    /// The four characters, such as `YUYV`.
    package let rawValue: String
    /// Makes a layout from its four characters.
    package init(rawValue: String) { self.rawValue = rawValue }

    /// A byte of brightness for each pixel.
    package static let grey = Layout(rawValue: "GREY")
    /// Brightness and colour in turn (YUV 4:2:2).
    package static let yuyv = Layout(rawValue: "YUYV")
    /// Colour and brightness in turn (YUV 4:2:2).
    package static let uyvy = Layout(rawValue: "UYVY")
    /// All brightness first, then colour (YUV 4:2:0).
    package static let nv12 = Layout(rawValue: "NV12")
    /// A JPEG file for each picture, as a rule without Huffman tables.
    package static let motionJPEG = Layout(rawValue: "MJPG")

    /// The layouts that are read, best first: without loss and small, then with.
    static let readable: [Layout] = [.grey, .yuyv, .uyvy, .nv12, .motionJPEG]

    /// Where a row's first byte of brightness is, and how far it is from one to the next; `nil` for
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

  /// How pixels lie in ``bytes``.
  package let layout: Layout
  /// Pixels across; of a compressed picture, what its own header says counts.
  package let width: Int
  /// Pixels down.
  package let height: Int
  /// Bytes from one row to the next, padding included; 0 for compressed pictures.
  package let bytesPerRow: Int
  /// The picture.
  package let bytes: [UInt8]

  /// Makes a frame.
  ///
  /// - Parameters:
  ///   - layout: How pixels lie in memory.
  ///   - width: In pixels.
  ///   - height: In pixels.
  ///   - bytes: The picture, row by row from the top, or compressed.
  ///   - bytesPerRow: `nil` for rows without padding.
  package init(layout: Layout, width: Int, height: Int, bytesPerRow: Int? = nil, bytes: [UInt8]) {
    self.layout = layout
    self.width = width
    self.height = height
    self.bytesPerRow = bytesPerRow ?? width * (layout.brightness?.step ?? 0)
    self.bytes = bytes
  }

  /// The brightness of the picture, or `nil` when the frame is cut short or cannot be decoded, as
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
