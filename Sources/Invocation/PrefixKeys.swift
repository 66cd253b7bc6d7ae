extension InvocationURL {
  /// The folded keys under which an ``ExperienceDirectory`` may hold an experience that covers this
  /// URL, or nearly does.
  ///
  /// These are all prefixes of ``foldedKey``, and those of the same key with a slash more or less
  /// at the end of the path: at most two for each byte of the URL, however many experiences there
  /// are.
  public var foldedPrefixKeys: Set<String> {
    let key = foldedKey
    var keys = Set<String>()
    for variant in [key, Self.togglingTrailingSlash(of: key)] {
      // The key is ASCII, so that every index is the end of a prefix.
      for end in variant.indices.dropFirst() { keys.insert(String(variant[..<end])) }
      keys.insert(variant)
    }
    return keys
  }

  /// A key with the slash at the end of its path removed, or added where none is.
  static func togglingTrailingSlash(of key: String) -> String {
    let path = key.prefix { $0 != "?" }
    let query = key[path.endIndex...]
    if path == "/" { return key }
    return (path.hasSuffix("/") ? String(path.dropLast()) : path + "/") + String(query)
  }
}
