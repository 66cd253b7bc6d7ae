/// What `vipsheader -a` tells of a picture.
///
/// The lines of its own come first, then text that the file holds, which may look like any line.
/// Hence only the first line of a name counts.
struct VipsHeader {
  /// Pixels across, as stored.
  let width: Int
  /// Pixels down, as stored.
  let height: Int
  /// Pages or frames in the file.
  let pages: Int

  /// Reads what the program wrote; `nil` when it tells no size.
  init?(_ output: [UInt8]) {
    var numbers: [String: Int] = [:]
    for line in output.split(separator: 0x0A) {
      let words = String(decoding: line.prefix(64), as: UTF8.self).split(separator: " ")
      guard words.count == 2, words[0].last == ":", let number = Int(words[1]) else { continue }
      let name = String(words[0].dropLast())
      if numbers[name] == nil { numbers[name] = number }
    }
    guard let width = numbers["width"], let height = numbers["height"] else { return nil }
    self.width = width
    self.height = height
    pages = numbers["n-pages"] ?? 1
  }
}
