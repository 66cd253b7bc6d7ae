/// A symbol that holds one part of a message (structured append, ISO/IEC 18004:2015, 8).
struct PartOfMessage: Sendable {
  let symbol: DecodedSymbol
  /// Its part of the text, and where it is in the whole picture.
  let code: DecodedCode

  func isSame(as other: PartOfMessage) -> Bool {
    symbol.structuredAppend == other.symbol.structuredAppend && symbol.bytes == other.symbol.bytes
      && code.overlaps(other.code)
  }
}

extension [PartOfMessage] {
  /// The messages of which every part was seen, each as one code at the place of its first part.
  var messages: [DecodedCode] {
    byMessage.compactMap { parts in
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
    byMessage.filter { StructuredAppend.joined($0.map(\.symbol)) == nil }.joined()
      .compactMap { part in
        part.symbol.structuredAppend.map {
          UnreadSymbol(
            kind: .partOfMessage(number: $0.index + 1, of: $0.count), corners: part.code.corners)
        }
      }
  }

  /// The parts of each message together: those of the same number of parts and the same parity.
  private var byMessage: [[PartOfMessage]] {
    reduce(into: []) { groups, part in
      let index = groups.firstIndex { $0[0].symbol.isOfOneMessage(with: part.symbol) }
      if let index { groups[index].append(part) } else { groups.append([part]) }
    }
  }
}

extension DecodedSymbol {
  fileprivate func isOfOneMessage(with other: DecodedSymbol) -> Bool {
    structuredAppend?.count == other.structuredAppend?.count
      && structuredAppend?.parity == other.structuredAppend?.parity
  }
}
