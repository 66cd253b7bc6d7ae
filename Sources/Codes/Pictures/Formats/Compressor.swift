import CDeflate

/// Compresses to the zlib format (RFC 1950), which PDF and PNG use, with libdeflate.
///
/// A compressor serves one task at a time and takes about half a megabyte, so reuse it. The same
/// bytes and level give the same result with the same libdeflate.
package final class Compressor {
  private let handle: OpaquePointer

  /// Creates a compressor.
  ///
  /// - Parameter level: 1 is fastest, 12 smallest; 6 is the usual level.
  /// - Throws: ``PictureError`` with `cannotEncode` if memory runs out.
  /// - Precondition: `level` is 1 to 12.
  package init(level: Int = 6) throws(PictureError) {
    precondition((1...12).contains(level))
    guard let handle = libdeflate_alloc_compressor(Int32(level)) else {
      throw PictureError(
        .cannotEncode, source: "compressor", message: "Not enough memory for compression.",
        hint: "Close other programs, or process less at a time.")
    }
    self.handle = handle
  }

  deinit { libdeflate_free_compressor(handle) }

  /// Returns the bytes in the zlib format.
  package func compressed(_ bytes: [UInt8]) -> [UInt8] {
    let most = libdeflate_zlib_compress_bound(handle, bytes.count)
    return [UInt8](unsafeUninitializedCapacity: most) { buffer, count in
      // The bound is never exceeded, so the result is never 0.
      count = libdeflate_zlib_compress(
        handle, bytes, bytes.count, buffer.baseAddress, buffer.count)
    }
  }
}

/// Decompresses with libdeflate.
enum Decompressor {
  /// Returns the contents of a gzip file with one member (RFC 1952); `nil` if it is damaged or
  /// longer.
  ///
  /// - Parameter size: the declared size of the contents in bytes.
  static func gunzip(_ bytes: [UInt8], size: Int) -> [UInt8]? {
    guard let handle = libdeflate_alloc_decompressor() else { return nil }
    defer { libdeflate_free_decompressor(handle) }
    var isWhole = false
    let unpacked = [UInt8](unsafeUninitializedCapacity: max(1, size)) { buffer, count in
      var length = 0
      let result = libdeflate_gzip_decompress(
        handle, bytes, bytes.count, buffer.baseAddress, size, &length)
      isWhole = result == LIBDEFLATE_SUCCESS
      count = isWhole ? length : 0
    }
    return isWhole ? unpacked : nil
  }
}
