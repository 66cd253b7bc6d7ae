import CLinuxDevices
import LinuxDevices
package import Pictures

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

/// What a camera is asked for.
struct CameraFormat: Hashable, Sendable {
  var layout: CameraFrame.Layout
  var width: Int
  var height: Int

  /// More pixels take longer to look at than they help: a code fills a good part of a live picture.
  static let largest = (width: 1280, height: 720)
  /// From here on an uncompressed picture is good enough, and free of JPEG's blocks.
  static let goodEnough = 640 * 480

  /// The best of what a camera offers.
  ///
  /// Of each layout the largest size that is not over ``largest``, else the smallest; then the first
  /// uncompressed one that is good enough, else the one with the most pixels.
  static func best(of offers: [CameraFormat]) -> CameraFormat? {
    let candidates = CameraFrame.Layout.readable.compactMap { layout in
      let sizes = offers.filter { $0.layout == layout }
      return sizes.filter(\.isSmall).max { $0.pixels < $1.pixels }
        ?? sizes.min { $0.pixels < $1.pixels }
    }
    let good = candidates.first { $0.layout != .motionJPEG && $0.isSmall && $0.isGoodEnough }
    // The first of several with the same number, which is the better layout.
    return good ?? candidates.reversed().max { $0.pixels < $1.pixels }
  }

  private var pixels: Int { width * height }
  private var isGoodEnough: Bool { pixels >= Self.goodEnough }
  private var isSmall: Bool { width <= Self.largest.width && height <= Self.largest.height }
}

extension CameraFrame.Layout {
  /// The layout by Video4Linux's number: four characters, the first in the lowest byte.
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

  /// Some drivers call their Motion JPEG plain JPEG.
  private static let motionJPEGNames = [Array("MJPG".utf8), Array("JPEG".utf8)]
}

extension DeviceDescriptor {
  /// Every layout and size that a camera offers and that is read here.
  func offeredFormats() -> [CameraFormat] {
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

  /// The sizes of one layout; of a range the largest that is wanted, and for a driver that lists none
  /// the one that it may come closest to.
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
