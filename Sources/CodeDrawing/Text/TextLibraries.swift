internal import CHarfBuzz
internal import CPango

/// The shared libraries that set text, opened when they are first needed.
enum TextLibraries {
  /// Opens Pango and HarfBuzz.
  ///
  /// - Throws: ``TextError`` with ``TextError/Code/libraryMissing``.
  static func load() throws(TextError) {
    if let reason = cpango_load() ?? charfbuzz_load() { throw missing(String(cString: reason)) }
  }

  static func missing(_ reason: String) -> TextError {
    TextError(
      .libraryMissing, "Text cannot be set: \(reason).",
      hint: "Install what does it (Debian: apt-get install libpangoft2-1.0-0 "
        + "libharfbuzz-subset0) and run the command again.")
  }
}
