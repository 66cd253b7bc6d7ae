/// A symbol that holds one part of a message (structured append, ISO/IEC 18004:2015, 8).
struct PartOfMessage: Sendable {
  let symbol: DecodedSymbol
  /// In the pixels of the whole picture.
  let corners: [PicturePoint]
  let code: DecodedCode

  func isSame(as other: PartOfMessage) -> Bool {
    symbol.structuredAppend == other.symbol.structuredAppend && symbol.bytes == other.symbol.bytes
      && code.overlaps(other.code)
  }
}

extension [PartOfMessage] {
  /// The messages of which every part was seen, each as one code at the place of its first part.
  var messages: [DecodedCode] {
    let heads = compactMap(\.symbol.structuredAppend).map { [$0.count, Int($0.parity)] }
    return Set(heads).compactMap { head -> DecodedCode? in
      let parts = filter {
        $0.symbol.structuredAppend.map { [$0.count, Int($0.parity)] } == head
      }
      guard let bytes = StructuredAppend.joined(parts.map(\.symbol)),
        let first = parts.first(where: { $0.symbol.structuredAppend?.index == 0 })
      else { return nil }
      let sets = Set(parts.map(\.symbol.declaredCharacterSet))
      let declared = sets.count == 1 ? sets.first ?? nil : nil
      return first.code.saying(CodeText.decode(bytes, declared: declared), bytes)
    }
  }

  /// The parts of messages that are not complete, as what could not be read.
  var unread: [UnreadSymbol] {
    let whole = messages
    return filter { part in !whole.contains { $0.corners == part.corners } }.compactMap { part in
      guard let header = part.symbol.structuredAppend,
        !isComplete(count: header.count, parity: header.parity)
      else { return nil }
      return UnreadSymbol(
        kind: .partOfMessage(number: header.index + 1, of: header.count), corners: part.corners)
    }
  }

  private func isComplete(count: Int, parity: UInt8) -> Bool {
    StructuredAppend.joined(
      map(\.symbol).filter {
        $0.structuredAppend?.count == count && $0.structuredAppend?.parity == parity
      }) != nil
  }
}
