import TagTypes

/// The memory file of a Type 4 tag: the letters `T4`, the UID (seven bytes), then every file in
/// order: identifier (two bytes), size (four bytes, high byte first), content.
extension SimulatedType4Tag {
  /// Everything the tag keeps, as its memory file holds it.
  package var memory: [UInt8] {
    files.reduce(Array("T4".utf8) + chipUID) { bytes, file in
      let size = file.bytes.count
      let header = [
        UInt8(file.identifier >> 8), UInt8(truncatingIfNeeded: file.identifier),
        UInt8(truncatingIfNeeded: size >> 24), UInt8(truncatingIfNeeded: size >> 16),
        UInt8(truncatingIfNeeded: size >> 8), UInt8(truncatingIfNeeded: size),
      ]
      return bytes + header + file.bytes
    }
  }

  /// The same product with the UID and the files of a memory file.
  ///
  /// - Throws: `.malformedMemory` when the file is no memory file of a Type 4 tag, or its files are
  ///   not those of the product, each with its size.
  package func holding(_ memory: [UInt8]) throws(SimulatedReaderError) -> SimulatedType4Tag {
    guard memory.count >= 9, memory.starts(with: "T4".utf8) else {
      throw malformed("It does not begin with T4 and a UID.")
    }
    var tag = try SimulatedType4Tag(product, uid: Array(memory[2..<9]))
    var position = 9
    for index in tag.files.indices {
      let expected = tag.files[index]
      guard position + 6 <= memory.count else {
        throw malformed("It ends at byte \(position), where file \(expected.name) should begin.")
      }
      let header = memory[position..<position + 6].map(Int.init)
      let identifier = header[0] << 8 | header[1]
      let size = header[2...].reduce(0) { $0 << 8 | $1 }
      guard identifier == Int(expected.identifier), size == expected.bytes.count,
        position + 6 + size <= memory.count
      else {
        throw malformed(
          "At byte \(position) a whole file \(expected.name) of \(expected.bytes.count) bytes "
            + "should begin.")
      }
      tag.files[index].bytes = Array(memory[position + 6..<position + 6 + size])
      position += 6 + size
    }
    guard position == memory.count else {
      throw malformed("It goes on behind the last file, at byte \(position).")
    }
    return tag.takingSettings(of: self)
  }

  private func malformed(_ problem: String) -> SimulatedReaderError {
    SimulatedReaderError(
      .malformedMemory, "This is no memory of a \(product.name). \(problem)",
      hint: "Take a memory file of the same kind of tag, or name another kind.")
  }
}

extension SimulatedType4Product.File {
  /// The identifier as documents print it.
  fileprivate var name: String {
    [UInt8(identifier >> 8), UInt8(truncatingIfNeeded: identifier)].hexadecimal
  }
}
