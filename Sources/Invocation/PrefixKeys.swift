extension InvocationURL {
  /// The folded keys under which an ``ExperienceDirectory`` may hold an experience that covers this
  /// URL, or nearly does.
  ///
  /// These are all prefixes of ``foldedKey``, and those of the same key with a slash more or less
  /// at the end of the path: at most two for each byte of the URL, however many experiences there
  /// are.
  public var foldedPrefixKeys: Set<String> {
    let key = foldedKey
    let toggled = Self.togglingTrailingSlash(of: key)
    var keys = Set<String>(minimumCapacity: key.utf8.count + 1)
    Self.insertPrefixes(of: key, longerThan: 0, into: &keys)
    // The two are alike as far as their paths are.
    let shared = zip(key.utf8, toggled.utf8).prefix { $0 == $1 }.count
    Self.insertPrefixes(of: toggled, longerThan: shared, into: &keys)
    return keys
  }

  private static func insertPrefixes(
    of key: String, longerThan length: Int, into keys: inout Set<String>
  ) {
    let bytes = key.utf8
    var end = bytes.index(bytes.startIndex, offsetBy: length)
    // The key is ASCII, so that a prefix may end after each byte.
    while end < bytes.endIndex {
      bytes.formIndex(after: &end)
      keys.insert(String(key[..<end]))
    }
  }

  /// A key with the slash at the end of its path removed, or added where none is.
  static func togglingTrailingSlash(of key: String) -> String {
    let bytes = key.utf8
    let end = bytes.firstIndex(of: UInt8(ascii: "?")) ?? bytes.endIndex
    let path = key[..<end]
    if path == "/" { return key }
    let toggled = path.hasSuffix("/") ? String(path.dropLast()) : path + "/"
    return toggled + String(key[end...])
  }
}
