/// A text that equals another only byte for byte, as a database compares it.
///
/// In Swift, `é` equals `e` + combining accent; in a database it does not, and an id in a URL is a
/// sequence of bytes.
struct ByteKey: Hashable {
  let text: String

  init(_ text: String) { self.text = text }

  static func == (left: ByteKey, right: ByteKey) -> Bool {
    left.text.utf8.elementsEqual(right.text.utf8)
  }

  func hash(into hasher: inout Hasher) {
    var text = text
    text.withUTF8 { hasher.combine(bytes: UnsafeRawBufferPointer($0)) }
  }
}
