import CHyphen

/// The division of words by the dictionaries of this system (Debian: packages `hyphen-de`, …).
///
/// Without libhyphen, or a dictionary of the language, words are not divided. An instance must be
/// used by one thread at a time.
final class Hyphenator {
  /// The folder of the dictionaries.
  private static let folder = "/usr/share/hyphen"
  /// The minimum number of letters on each side.
  private static let leastLetters = 4
  /// The usual region of a language whose dictionaries are named after one.
  private static let regions = [
    "cs": "CZ", "da": "DK", "el": "GR", "en": "US", "nb": "NO", "sl": "SI", "sv": "SE", "uk": "UA",
  ]

  /// The dictionaries that were looked for, by language.
  private var dictionaries: [String: OpaquePointer?] = [:]

  deinit { for case .some(let dictionary) in dictionaries.values { chyphen_close(dictionary) } }

  /// The UTF-8 offsets at which words may be divided.
  ///
  /// Words of fewer than eight letters, and names such as `iPhone`, are not divided.
  ///
  /// - Parameter language: The language in lower case, as in BCP 47.
  func breaks(in text: String, language: String) -> Set<Int> {
    guard let dictionary = dictionary(of: language) else { return [] }
    let isUTF8 = String(cString: chyphen_charset(dictionary)) == "UTF-8"
    var breaks: Set<Int> = []
    var offset = 0
    for word in text.unicodeScalars.split(
      omittingEmptySubsequences: false, whereSeparator: { !$0.properties.isAlphabetic })
    {
      breaks.formUnion(divide(word, dictionary, isUTF8: isUTF8).map { offset + $0 })
      offset += String(word).utf8.count
      // The character that ended the word.
      if word.endIndex < text.unicodeScalars.endIndex {
        offset += UTF8.width(text.unicodeScalars[word.endIndex])
      }
    }
    return breaks
  }

  /// The UTF-8 offsets in a word.
  private func divide(
    _ word: Substring.UnicodeScalarView, _ dictionary: OpaquePointer, isUTF8: Bool
  ) -> [Int] {
    guard word.count >= 2 * Self.leastLetters,
      !word.dropFirst().contains(where: \.properties.isUppercase)
        || word.allSatisfy(\.properties.isUppercase)
    else { return [] }
    let lower = word.map { scalar in
      let lower = scalar.properties.lowercaseMapping.unicodeScalars
      return lower.count == 1 ? lower[lower.startIndex] : scalar
    }
    var bytes: [CChar] = []
    for scalar in lower {
      if isUTF8 {
        bytes += String(scalar).utf8.map { CChar(bitPattern: $0) }
      } else {
        guard let byte = UInt8(exactly: scalar.value) else { return [] }
        bytes.append(CChar(bitPattern: byte))
      }
    }
    var marks = [CChar](repeating: 0, count: bytes.count + 5)
    let trouble = chyphen_divide(
      dictionary, bytes + [0], Int32(bytes.count), Int32(Self.leastLetters), &marks)
    guard trouble == 0 else { return [] }
    var offsets: [Int] = []
    var offset = 0
    for (index, scalar) in word.enumerated() {
      offset += UTF8.width(scalar)
      let remaining = word.count - index - 1
      if marks[index] != 0, index + 1 >= Self.leastLetters, remaining >= Self.leastLetters {
        offsets.append(offset)
      }
    }
    return offsets
  }

  private func dictionary(of language: String) -> OpaquePointer? {
    if let known = dictionaries[language] { return known }
    let opened = open(language)
    dictionaries[language] = .some(opened)
    return opened
  }

  private func open(_ language: String) -> OpaquePointer? {
    guard chyphen_load() == nil else { return nil }
    let parts = language.split(separator: "-").map(String.init)
    let base = parts[0]
    let named = parts.dropFirst().filter { $0.utf8.count == 2 }.map { "\(base)_\($0.uppercased())" }
    let usual = "\(base)_\(Self.regions[base] ?? base.uppercased())"
    for name in named + [base, usual] {
      guard let dictionary = chyphen_open("\(Self.folder)/hyph_\(name).dic") else { continue }
      // Other character sets would need a table each.
      if ["UTF-8", "ISO8859-1"].contains(String(cString: chyphen_charset(dictionary))) {
        return dictionary
      }
      chyphen_close(dictionary)
    }
    return nil
  }
}
