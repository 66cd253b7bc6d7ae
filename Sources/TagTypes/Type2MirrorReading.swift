extension Type2Tag {
  /// The message with zeros in place of the digits of a mirrored counter, which are others at
  /// every reading; `nil` when the tag holds no message.
  var messageWithoutCounter: [UInt8]? {
    guard case .message(var bytes) = content else { return nil }
    guard let mirror, mirror.kind.showsCounter else { return bytes }
    let counter = mirror.addresses.suffix(6)
    // A length of one byte, or of three.
    let isLong = map.area.addresses[map.start...].dropFirst().first.map { address in
      memory[address / Type2Memory.pageByteCount]?[address % Type2Memory.pageByteCount] == 0xFF
    }
    let first = map.start + (isLong == true ? 4 : 2)
    for index in bytes.indices where counter.contains(map.area.addresses[first + index]) {
      bytes[index] = UInt8(ascii: "0")
    }
    return bytes
  }

  /// Whether a mirror shows what it should: this tag's UID, and six digits for its counter.
  func fillsIn(_ mirror: TagMirror) -> Bool {
    guard let shown = text(under: mirror) else { return false }
    let counter = mirror.kind.showsCounter ? Int(shown.suffix(6), radix: 16) : 0
    return counter.map { shown == mirror.kind.digits(uid: uid, counter: $0) } ?? false
  }

  /// What the tag shows at a mirror's place, if that has been read and is ASCII.
  func text(under mirror: TagMirror) -> String? {
    var text = ""
    for address in mirror.addresses {
      guard
        let byte = memory[address / Type2Memory.pageByteCount]?[
          address % Type2Memory.pageByteCount], byte < 0x80
      else { return nil }
      text.unicodeScalars.append(Unicode.Scalar(byte))
    }
    return text
  }
}
