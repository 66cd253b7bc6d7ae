#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

/// Text from bytes in a named character set, by the C library's iconv.
enum CharacterConversion {
  /// The text, or `nil` when the bytes are not valid in the set.
  static func text(_ bytes: [UInt8], in set: String) -> String? {
    guard let converter = iconv_open("UTF-8", set), converter != iconv_t(bitPattern: -1) else {
      return nil
    }
    defer { iconv_close(converter) }
    var input = bytes.map { CChar(bitPattern: $0) }
    // No byte of any of the sets becomes more than three bytes.
    var output = [CChar](repeating: 0, count: bytes.count * 3)
    let written: Int? = input.withUnsafeMutableBufferPointer { input in
      output.withUnsafeMutableBufferPointer { output in
        var from = input.baseAddress
        var to = output.baseAddress
        var fromLeft = input.count
        var toLeft = output.count
        let result = iconv(converter, &from, &fromLeft, &to, &toLeft)
        return result == Int.max || result == -1 || fromLeft > 0 ? nil : output.count - toLeft
      }
    }
    guard let written else { return nil }
    return String(validating: output[..<written].map { UInt8(bitPattern: $0) }, as: UTF8.self)
  }
}
