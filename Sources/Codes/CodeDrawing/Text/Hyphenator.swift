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

  /// The minimum number of letters of a word that is halved, and of a half.
  private static let leastHalved = (word: 16, half: 5)
  /// The short syllables before a stem to which they belong, by language.
  private static let prefixes: [String: Set<String>] = [
    "de": ["be", "emp", "ent", "er", "ge", "miss", "re", "ver", "zer"]
  ]

  /// A place at which a word may be divided.
  private struct Place {
    /// The number of letters before it.
    let letters: Int
    /// The UTF-8 offset in the word.
    let offset: Int
    /// Whether two words of a compound are joined there, as far as the dictionary has them.
    var isJoint: Bool
  }

  /// The dictionaries that were looked for, by language.
  private var dictionaries: [String: OpaquePointer?] = [:]
  /// The places in the words that were divided before.
  private var known: [String: [Place]] = [:]

  deinit { for case .some(let dictionary) in dictionaries.values { chyphen_close(dictionary) } }

  /// The UTF-8 offsets at which words may be divided.
  ///
  /// Words of fewer than eight letters, and names such as `iPhone`, are not divided.
  ///
  /// - Parameters:
  ///   - language: The language in lower case, as in BCP 47.
  ///   - isHalving: Whether only words of sixteen letters or more are divided, each at one place: at
  ///     the joint of a compound, or else where a syllable ends, that is next to its middle.
  func breaks(in text: String, language: String, isHalving: Bool = false) -> Set<Int> {
    var breaks: Set<Int> = []
    var offset = 0
    for word in text.unicodeScalars.split(
      omittingEmptySubsequences: false, whereSeparator: { !$0.properties.isAlphabetic })
    {
      if Self.isDivided(word) {
        let places = places(in: word, language)
        let chosen = isHalving ? Self.half(places, of: word.count).map { [$0] } ?? [] : places
        breaks.formUnion(chosen.map { offset + $0.offset })
      }
      offset += String(word).utf8.count
      // The character that ended the word.
      if word.endIndex < text.unicodeScalars.endIndex {
        offset += UTF8.width(text.unicodeScalars[word.endIndex])
      }
    }
    return breaks
  }

  private static func isDivided(_ word: Substring.UnicodeScalarView) -> Bool {
    word.count >= 2 * leastLetters
      && (!word.dropFirst().contains(where: \.properties.isUppercase)
        || word.allSatisfy(\.properties.isUppercase))
  }

  /// The place that divides a word of a number of letters into halves.
  private static func half(_ places: [Place], of count: Int) -> Place? {
    guard count >= leastHalved.word else { return nil }
    let halves = places.filter { min($0.letters, count - $0.letters) >= leastHalved.half }
    let joints = halves.filter { $0.isJoint && (count...3 * count).contains(4 * $0.letters) }
    return (joints.isEmpty ? halves : joints).min {
      abs(2 * $0.letters - count) < abs(2 * $1.letters - count)
    }
  }

  /// The places in a word. A stem keeps its prefix: `Smoothie-bestellung`, not `Smoothiebe-stellung`.
  private func places(in word: Substring.UnicodeScalarView, _ language: String) -> [Place] {
    let key = "\(language) \(word)"
    if let places = known[key] { return places }
    let letters = word.map { $0.properties.lowercaseMapping }
    let prefixes = Self.prefixes[language.split(separator: "-").first.map(String.init) ?? ""] ?? []
    var places: [Place] = []
    var followsPrefix = false
    for var place in dictionary(of: language).map({ divide(word, $0) }) ?? [] {
      if let previous = places.last,
        prefixes.contains(letters[previous.letters..<place.letters].joined())
      {
        places[places.count - 1].isJoint = place.isJoint || previous.isJoint
        followsPrefix = true
      } else {
        // The dictionary divides words that it has by their syllables, too: `re-ser-vierung`.
        if followsPrefix { place.isJoint = false }
        places.append(place)
        followsPrefix = false
      }
    }
    known[key] = places
    return places
  }

  private func divide(
    _ word: Substring.UnicodeScalarView, _ dictionary: OpaquePointer
  ) -> [Place] {
    let isUTF8 = String(cString: chyphen_charset(dictionary)) == "UTF-8"
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
    var places: [Place] = []
    var offset = 0
    for (index, scalar) in word.enumerated() {
      offset += UTF8.width(scalar)
      let remaining = word.count - index - 1
      if marks[index] != 0, index + 1 >= Self.leastLetters, remaining >= Self.leastLetters {
        places.append(Place(letters: index + 1, offset: offset, isJoint: marks[index] == 2))
      }
    }
    return places
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
