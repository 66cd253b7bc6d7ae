/// A text that equals another only byte for byte, as a `BINARY` column of SQLite compares it.
///
/// Swift takes `é` and `e` + combining accent for equal; a database does not, and an id in a URL is
/// a sequence of bytes.
struct ByteKey: Hashable, Comparable {
  let text: String

  init(_ text: String) { self.text = text }

  static func == (left: ByteKey, right: ByteKey) -> Bool {
    left.text.utf8.elementsEqual(right.text.utf8)
  }

  static func < (left: ByteKey, right: ByteKey) -> Bool {
    left.text.utf8Precedes(right.text)
  }

  func hash(into hasher: inout Hasher) {
    var text = text
    text.withUTF8 { hasher.combine(bytes: UnsafeRawBufferPointer($0)) }
  }
}
