/// Strict text decoding that can say where it failed.
enum TextDecoding {
  /// The text of `units`, or the index of the first unit that is no valid text.
  static func decode<Encoding: Unicode.Encoding>(
    _ units: some Collection<Encoding.CodeUnit>, as encoding: Encoding.Type
  ) -> Result<String, Invalid> {
    var text = ""
    var parser = Encoding.ForwardParser()
    var iterator = units.makeIterator()
    var consumed = 0
    while true {
      switch parser.parseScalar(from: &iterator) {
      case .valid(let scalar):
        consumed += scalar.count
        text.unicodeScalars.append(Encoding.decode(scalar))
      case .error:
        return .failure(Invalid(index: consumed))
      case .emptyInput:
        return .success(text)
      }
    }
  }

  /// Where text stops being valid.
  struct Invalid: Error {
    /// Units before the first invalid one.
    let index: Int
  }
}
