/// A buffer for a zero-terminated message of a C function.
struct CMessage {
  private var storage: [CChar]

  init(capacity: Int) { storage = [CChar](repeating: 0, count: capacity) }

  mutating func withPointer<Result>(
    _ body: (UnsafeMutablePointer<CChar>?) -> Result
  ) -> Result {
    storage.withUnsafeMutableBufferPointer { body($0.baseAddress) }
  }

  /// The message without the terminating zero.
  var text: String {
    String(decoding: storage.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
  }
}
