/// A pattern of an association file, taken apart: plain characters, `*`, `?` and `$(name)`.
///
/// `?*` needs no token of its own. There is no way to write a plain `*` or `?`.
struct LinkPattern: Hashable {
  enum Token: Hashable {
    /// This character.
    case character(Unicode.Scalar)
    /// `?`: any one character.
    case anyCharacter
    /// `*`: any number of characters, none too.
    case anyText
    /// `$(name)`: one of the variable's texts.
    case variable(String)
  }

  private(set) var tokens: [Token]

  /// Takes a pattern apart.
  ///
  /// - Parameter variables: Whether `$(name)` is a variable; in the values of variables it is not.
  init(_ text: String, variables: Bool = true) {
    tokens = []
    var rest = text.unicodeScalars[...]
    while let scalar = rest.popFirst() {
      switch scalar {
      case "*": if tokens.last != .anyText { tokens.append(.anyText) }
      case "?": tokens.append(.anyCharacter)
      case "$" where variables && rest.first == "(":
        if let end = rest.firstIndex(of: ")") {
          tokens.append(.variable(String(rest[rest.index(after: rest.startIndex)..<end])))
          rest = rest[rest.index(after: end)...]
        } else {
          tokens.append(.character(scalar))
        }
      default: tokens.append(.character(scalar))
      }
    }
  }

  private init(tokens: [Token]) { self.tokens = tokens }

  /// The names of the variables in it.
  var variableNames: [String] {
    tokens.compactMap { if case .variable(let name) = $0 { name } else { nil } }
  }

  /// Whether every text fits.
  var fitsEverything: Bool { tokens == [.anyText] }

  /// The pattern for texts whose characters were folded.
  var folded: LinkPattern {
    LinkPattern(
      tokens: tokens.map {
        if case .character(let scalar) = $0 { .character(scalar.caseFolded) } else { $0 }
      })
  }

  // MARK: Paths

  /// The patterns for a path without slashes at its end that this one stands for.
  ///
  /// As observed of Apple's `swcutil`: slashes at the end do not count, several in front are one, and
  /// the one in front may be left out. Where the pattern begins with a wildcard, it is tried with
  /// and without a slash in front, as nobody has observed which is meant.
  var pathForms: [LinkPattern] {
    let slash = Token.character("/")
    let rest = tokens.drop { $0 == slash }
    let withSlash = LinkPattern(tokens: [slash] + rest).withoutFinalSlashes
    if rest.count < tokens.count { return [withSlash] }
    switch tokens.first {
    case .anyText, .anyCharacter, .variable: return [withoutFinalSlashes, withSlash]
    case .character, nil: return [withSlash]
    }
  }

  private var withoutFinalSlashes: LinkPattern {
    var tokens = tokens
    while tokens.last == .character("/") { tokens.removeLast() }
    return LinkPattern(tokens: tokens)
  }

  /// The number of tokens in front of `/*` at the end, which the parent of what it stands for fits
  /// too (`/buy/*` and `/buy`, observed of Apple's `swcutil`).
  var parentLength: Int? {
    tokens.suffix(2) == [.character("/"), .anyText] ? tokens.count - 2 : nil
  }
}

extension Unicode.Scalar {
  /// The character in lower case where that is one character, else as it is.
  ///
  /// What Apple does beyond ASCII is not known; this keeps one character one.
  var caseFolded: Unicode.Scalar {
    if value < 0x80 {
      return (0x41...0x5A).contains(value) ? Unicode.Scalar(UInt8(value) | 0x20) : self
    }
    let lower = properties.lowercaseMapping.unicodeScalars
    return lower.count == 1 ? lower[lower.startIndex] : self
  }
}
