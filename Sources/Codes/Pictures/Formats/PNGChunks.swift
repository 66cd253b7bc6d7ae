import CDeflate

/// The chunks of a PNG file in order (ISO/IEC 15948, 5.3), up to the first truncated one.
struct PNGChunks: Sequence, IteratorProtocol {
  /// One chunk.
  struct Chunk {
    let kind: String
    let content: ArraySlice<UInt8>
  }

  static let signature: [UInt8] = [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]

  private let bytes: [UInt8]
  private var position = signature.count

  init(_ bytes: [UInt8]) { self.bytes = bytes }

  mutating func next() -> Chunk? {
    guard bytes.count >= position + 12 else { return nil }
    let length = bytes[position..<position + 4].reduce(0) { $0 << 8 | Int($1) }
    guard length <= bytes.count - position - 12 else { return nil }
    let kind = String(decoding: bytes[position + 4..<position + 8], as: UTF8.self)
    let start = position + 8
    position = start + length + 4
    return Chunk(kind: kind, content: bytes[start..<start + length])
  }

  /// Returns the bytes of a chunk.
  static func bytes(_ kind: String, _ content: some Collection<UInt8>) -> [UInt8] {
    let named = Array(kind.utf8) + content
    return bigEndian(UInt32(clamping: content.count)) + named
      + bigEndian(libdeflate_crc32(0, named, named.count))
  }

  private static func bigEndian(_ number: UInt32) -> [UInt8] {
    withUnsafeBytes(of: number.bigEndian) { Array($0) }
  }
}

/// The frames of an animated PNG (PNG specification, third edition, 5.4 and 11.3.6), each as a
/// separate PNG without the remains of earlier frames.
struct AnimatedPNG {
  private let bytes: [UInt8]

  /// Creates the frames; `nil` if the picture is not animated.
  init?(_ bytes: [UInt8]) {
    let isAnimated = PNGChunks(bytes).prefix { $0.kind != "IDAT" }.contains { $0.kind == "acTL" }
    guard isAnimated else { return nil }
    self.bytes = bytes
  }

  /// Returns the frames after the default image, up to a limit.
  func frames(atMost limit: Int) -> [[UInt8]] {
    var frames: [[UInt8]] = []
    var header: [UInt8] = []
    var shared: [UInt8] = []
    var control: ArraySlice<UInt8> = []
    var data: [UInt8] = []
    func end() {
      guard !data.isEmpty, control.count >= 12, header.count == 13 else { return }
      let size = control.dropFirst(4).prefix(8)
      frames.append(
        PNGChunks.signature + PNGChunks.bytes("IHDR", Array(size) + header.dropFirst(8)) + shared
          + data + PNGChunks.bytes("IEND", []))
      data = []
    }
    for chunk in PNGChunks(bytes) where frames.count < limit {
      switch chunk.kind {
      case "IHDR": header = Array(chunk.content)
      case "PLTE", "tRNS", "gAMA": shared += PNGChunks.bytes(chunk.kind, chunk.content)
      case "fcTL":
        end()
        control = chunk.content
      case "fdAT" where chunk.content.count > 4:
        data += PNGChunks.bytes("IDAT", chunk.content.dropFirst(4))
      default: break
      }
    }
    end()
    return Array(frames.prefix(limit))
  }
}
