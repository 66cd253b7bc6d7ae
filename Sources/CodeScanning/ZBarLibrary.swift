import CZBar
import Pictures

/// The shared library that the scanner stands on, opened when it is first needed.
enum ZBarLibrary {
  /// Why zbar cannot be used; `nil` when it can. The first use opens it.
  static var trouble: String? { czbar_load().map { String(cString: $0) } }

  /// Opens zbar, so that a picture without codes is not mistaken for one that nobody could look at.
  ///
  /// - Parameter source: what is to be scanned, for the error.
  /// - Throws: `libraryMissing`.
  static func load(for source: String) throws(PictureError) {
    if let trouble { throw missing(trouble, source: source) }
  }

  static func missing(_ reason: String, source: String) -> PictureError {
    PictureError(
      .libraryMissing, source: source,
      message: "\(source) cannot be scanned: zbar cannot be used: \(reason).",
      hint: "Install it (Debian: apt-get install libzbar0) and run the command again.")
  }
}
