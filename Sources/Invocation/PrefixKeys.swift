extension InvocationURL {
  /// The folded keys under which an ``ExperienceDirectory`` may hold an experience that covers this
  /// URL, or nearly does.
  ///
  /// These are all prefixes of ``foldedKey``, and those of the same key with a slash more or less
  /// at the end of the path: at most two for each byte of the URL, however many experiences there
  /// are.
  public var foldedPrefixKeys: Set<String> {
    let (key, toggled, shared) = foldedSpellings
    var keys = Set<String>(minimumCapacity: key.count + 1)
    Self.insertPrefixes(of: key, longerThan: 0, into: &keys)
    Self.insertPrefixes(of: toggled, longerThan: shared, into: &keys)
    return keys
  }

  /// The folded key, the same with a slash more or less at the end of the path, and how many bytes
  /// the two share: they are alike as far as their paths are.
  var foldedSpellings: (key: [UInt8], toggled: [UInt8], shared: Int) {
    let key = matchingBytes.map(\.folded)
    let toggled = Self.togglingTrailingSlash(of: key)
    return (key, toggled, zip(key, toggled).prefix { $0 == $1 }.count)
  }

  private static func insertPrefixes(
    of key: [UInt8], longerThan length: Int, into keys: inout Set<String>
  ) {
    guard length < key.count else { return }
    // The key is ASCII, so that a prefix may end after each byte.
    for end in (length + 1)...key.count {
      keys.insert(String(decoding: key[..<end], as: UTF8.self))
    }
  }

  /// The bytes of ``matchingKey``.
  var matchingBytes: Substring.UTF8View {
    normalized.utf8.dropFirst("https://".utf8.count + host.utf8.count)
  }

  /// A key with the slash at the end of its path removed, or added where none is.
  static func togglingTrailingSlash(of key: String) -> String {
    String(decoding: togglingTrailingSlash(of: Array(key.utf8)), as: UTF8.self)
  }

  /// The same for a key's bytes.
  static func togglingTrailingSlash(of key: [UInt8]) -> [UInt8] {
    let slash = UInt8(ascii: "/")
    let end = key.firstIndex(of: UInt8(ascii: "?")) ?? key.endIndex
    if key[..<end].elementsEqual([slash]) { return key }
    var toggled = key
    if key[..<end].last == slash {
      toggled.remove(at: end - 1)
    } else {
      toggled.insert(slash, at: end)
    }
    return toggled
  }
}
