internal import CCurl

/// The shared library that does the work, opened when it is first needed.
enum CurlLibrary {
  /// Opens it.
  ///
  /// - Throws: `.libraryMissing`.
  static func load(for url: String) throws(WebFetchError) {
    guard let reason = ccurl_load() else { return }
    throw missing(String(cString: reason), url: url)
  }

  static func missing(_ reason: String, url: String) -> WebFetchError {
    WebFetchError(
      .libraryMissing, "libcurl cannot be used: \(reason).",
      hint: "Install it (Debian: apt-get install libcurl4) and run the command again.", url: url)
  }
}
