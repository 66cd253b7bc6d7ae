/// Runs patterns over one text, all ways at once.
///
/// Instead of trying one way after the other, it keeps the set of places in the text that the
/// pattern's beginning can lead to. So the work is at most the product of both lengths, whatever the
/// pattern; and a budget bounds the product.
struct LinkPatternRun {
  private let text: [Unicode.Scalar]
  private let variables: [String: [LinkPattern]]

  /// - Parameters:
  ///   - text: The text, folded if the patterns are.
  ///   - variables: What `$(name)` stands for.
  init(_ text: [Unicode.Scalar], variables: [String: [LinkPattern]]) {
    self.text = text
    self.variables = variables
  }

  /// Whether the whole text fits a pattern.
  ///
  /// - Parameters:
  ///   - parentFits: Whether a pattern that ends with `/*` also fits without it.
  ///   - budget: How many more steps may be taken; less than zero when they were not enough.
  func fits(_ pattern: LinkPattern, parentFits: Bool = false, budget: inout Int) -> Bool {
    var places = PlaceSet(size: text.count + 1)
    places.insert(0)
    let parentLength = parentFits ? pattern.parentLength : nil
    for (index, token) in pattern.tokens.enumerated() {
      if index == parentLength, places.contains(text.count) { return true }
      places = step(token, from: places, budget: &budget)
      if places.isEmpty || budget < 0 { return false }
    }
    return places.contains(text.count)
  }

  /// Where one token leads to from any of some places.
  private func step(
    _ token: LinkPattern.Token, from places: PlaceSet, budget: inout Int
  ) -> PlaceSet {
    var next = PlaceSet(size: text.count + 1)
    budget -= 1 + next.wordCount
    switch token {
    case .anyText:
      if let first = places.first { next.insert(from: first) }
    case .anyCharacter:
      for place in places where place < text.count { next.insert(place + 1) }
    case .character(let character):
      for place in places where place < text.count && text[place] == character {
        next.insert(place + 1)
      }
    case .variable(let name):
      for value in variables[name] ?? [] {
        var reached = places
        for token in value.tokens {
          reached = step(token, from: reached, budget: &budget)
          if reached.isEmpty { break }
        }
        if budget < 0 { return next }
        next.formUnion(reached)
      }
      return next
    }
    budget -= places.count
    return next
  }
}

/// A set of places in a text.
struct PlaceSet: Sequence {
  private var words: [UInt64]
  private let size: Int

  init(size: Int) {
    self.size = size
    words = Array(repeating: 0, count: (size + 63) / 64)
  }

  var wordCount: Int { words.count }
  var isEmpty: Bool { words.allSatisfy { $0 == 0 } }
  var count: Int { words.reduce(0) { $0 + $1.nonzeroBitCount } }

  func contains(_ place: Int) -> Bool { words[place >> 6] >> UInt64(place & 63) & 1 == 1 }

  mutating func insert(_ place: Int) { words[place >> 6] |= 1 << UInt64(place & 63) }

  /// Inserts a place and every place behind it.
  mutating func insert(from place: Int) {
    words[place >> 6] |= ~0 << UInt64(place & 63)
    for index in words.indices where index > place >> 6 { words[index] = ~0 }
    if size & 63 != 0 { words[words.count - 1] &= ~(~0 << UInt64(size & 63)) }
  }

  mutating func formUnion(_ other: PlaceSet) {
    for index in words.indices { words[index] |= other.words[index] }
  }

  var first: Int? {
    words.firstIndex { $0 != 0 }.map { $0 << 6 + words[$0].trailingZeroBitCount }
  }

  func makeIterator() -> Iterator { Iterator(words: words, word: words.first ?? 0) }

  struct Iterator: IteratorProtocol {
    fileprivate let words: [UInt64]
    fileprivate var word: UInt64
    private var index = 0

    fileprivate init(words: [UInt64], word: UInt64) {
      self.words = words
      self.word = word
    }

    mutating func next() -> Int? {
      while word == 0 {
        index += 1
        guard index < words.count else { return nil }
        word = words[index]
      }
      let bit = word.trailingZeroBitCount
      word &= word - 1
      return index << 6 + bit
    }
  }
}
